"""The fleet: which pieces a seat plays with, and swapping them. Atoms FLE-1, FLE-2."""

from __future__ import annotations

from branchline.boards.tables import BoardTables
from branchline.rules.kernel import rule
from branchline.rules.state import MAX_SWAP, State


@rule
def fewest_trains(board: BoardTables) -> int:
    """FLE-1: Return the fewest trains a fleet can have, as ships are limited."""
    return max(0, board.fleet - board.pieces[1])


@rule
def most_trains(board: BoardTables) -> int:
    """FLE-1: Return the most trains a fleet can have."""
    return min(board.fleet, board.pieces[0])


@rule
def reveal(board: BoardTables, state: State) -> None:
    """FLE-1: Reveal the fleets once all have chosen; the rest stays in the box."""
    for seat in range(state.seats):
        trains = state.fleet[seat]
        state.pieces[seat, 0] = trains
        state.pieces[seat, 1] = board.fleet - trains
        for kind in range(2):
            state.box[seat, kind] = board.pieces[kind] - state.pieces[seat, kind]


@rule
def most_swapped(state: State, kind: int) -> int:
    """FLE-2: Return how many pieces of this kind the seat can swap out of its box for the other kind."""
    seat = state.seat
    return min(MAX_SWAP, min(state.box[seat, kind], state.pieces[seat, 1 - kind]))


@rule
def swap(state: State, kind: int, count: int) -> None:
    """FLE-2: Swap `count` pieces of this kind out of the box for as many of the other."""
    seat = state.seat
    state.pieces[seat, kind] += count
    state.box[seat, kind] -= count
    state.pieces[seat, 1 - kind] -= count
    state.box[seat, 1 - kind] += count
    state.swapped[seat] += count
