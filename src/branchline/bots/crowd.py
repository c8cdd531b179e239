"""Passengers: what one more of each colour is worth, by how close the race for it is and how many still wait."""

from __future__ import annotations

import math
from typing import Any

from branchline.bots import weights
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import PICK_PASSENGER

EVEN = 3  # a race with nine still waiting and nobody ahead is worth the weight as it is


@rule
def look(board: Any, state: Any, desk: Any, seat: int) -> None:
    """Note what a passenger of each colour is worth now, and the best that waits at each place."""
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        left = 0
        for place in range(board.places):
            left += state.waiting[place, colour]
        desk.stake[colour] = stake(state, desk, seat, colour, left)
    for place in range(board.places):
        desk.waits[place] = 0
        for n in range(board.passenger_colours):
            colour = board.passenger_colour[n]
            if state.waiting[place, colour] > 0 and desk.stake[colour] > desk.waits[place]:
                desk.waits[place] = desk.stake[colour]


@rule
def stake(state: Any, desk: Any, seat: int, colour: int, left: int) -> int:
    """What one more of a colour is worth, so many of it still waiting; nothing when the race is over."""
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, state.passengers[other, colour])
    lead = state.passengers[seat, colour] - best
    if left == 0 or lead > left or lead < -left:
        return 0
    near = 100 * left // (left + lead * lead)
    return int(desk.weight[weights.PASSENGER] * EVEN * near / (100 * math.sqrt(left)))


@rule
def choose(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The passenger worth most; of those, the one of the colour that the seat has most of."""
    look(board, state, desk, seat)
    best = -1
    most = -1
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        if is_legal(slate, PICK_PASSENGER + colour):
            good = 100 * desk.stake[colour] + state.passengers[seat, colour]
            if good > most:
                most = good
                best = PICK_PASSENGER + colour
    return best
