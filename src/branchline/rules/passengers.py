"""Passengers: placed from a bag, taken by whoever claims a route to where they stand. Atoms PAS-1, PAS-2."""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import BoardTables
from branchline.rules import chance
from branchline.rules.kernel import rule
from branchline.rules.state import State

NONE = MAX_COLOURS  # the choice to leave all of them standing


@rule
def place_all(board: BoardTables, state: State) -> None:
    """PAS-1: Draw passengers from the bag onto the places, as many as the board asks for at each."""
    in_bag = board.passenger_colours * board.passengers_each
    for place in range(board.places):
        for _ in range(board.passengers_at[place]):
            drawn = chance.below(state, in_bag)
            for n in range(board.passenger_colours):
                colour = board.passenger_colour[n]
                remaining = board.passengers_each - state.passengers[0, colour]
                if drawn < remaining:
                    # seat 0's row counts, for the moment, what has left the bag
                    state.passengers[0, colour] += 1
                    state.waiting[place, colour] += 1
                    break
                drawn -= remaining
            in_bag -= 1
    for colour in range(MAX_COLOURS):
        state.passengers[0, colour] = 0


@rule
def choices(state: State, place: int) -> int:
    """PAS-2: Return the colours standing at a place, as bits, and NONE, because taking one is optional; 0 where nobody
    stands.
    """
    present = 0
    for colour in range(MAX_COLOURS):
        if state.waiting[place, colour] > 0:
            present |= 1 << colour
    return present | (1 << NONE) if present else 0


@rule
def take(state: State, place: int, colour: int) -> None:
    """PAS-2: Give one passenger of this colour to the seat."""
    if colour != NONE:
        state.waiting[place, colour] -= 1
        state.passengers[state.seat, colour] += 1
