"""Passengers: what one more of each colour is worth, by how close the race for it is and how many still wait."""

from __future__ import annotations

import math

from branchline.boards.tables import BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import PICK_PASSENGER, Scratch, State

EVEN = 3  # a race with nine still waiting and nobody ahead is worth the weight as it is


@rule
def look(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Note what a passenger of each colour is worth now, and the best that waits at each place."""
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        left = 0
        for place in range(board.places):
            left += state.waiting[place, colour]
        memory.stake[colour] = stake(state, memory, seat, colour, left)
    for place in range(board.places):
        memory.waits[place] = 0
        for n in range(board.passenger_colours):
            colour = board.passenger_colour[n]
            if state.waiting[place, colour] > 0 and memory.stake[colour] > memory.waits[place]:
                memory.waits[place] = memory.stake[colour]


@rule
def stake(state: State, memory: Memory, seat: int, colour: int, left: int) -> int:
    """Return what one more of a colour is worth with `left` of it still waiting; nothing when the race is over."""
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, state.passengers[other, colour])
    lead = state.passengers[seat, colour] - best
    if left == 0 or lead > left or lead < -left:
        return 0
    near = 100 * left // (left + lead * lead)
    return int(memory.weight[weights.PASSENGER] * EVEN * near / (100 * math.sqrt(left)))


@rule
def choose(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the passenger worth most; among equals, of the colour that the seat has most of."""
    look(board, state, memory, seat)
    best = -1
    most = -1
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        if is_legal(scratch, PICK_PASSENGER + colour):
            good = 100 * memory.stake[colour] + state.passengers[seat, colour]
            if good > most:
                most = good
                best = PICK_PASSENGER + colour
    return best
