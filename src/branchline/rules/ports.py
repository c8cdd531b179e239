"""Ports: where one may be built, and what building does. Atoms PORT-1, PORT-2. What they score: `scoring`."""

from __future__ import annotations

from branchline.boards.tables import MARKED, SHIP, WILD_KIND, WORD, BoardTables
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.state import FOR_PORT, State


@rule
def may_build(board: BoardTables, state: State) -> bool:
    """PORT-1, PORT-2: Return whether a port is left in stock and its price can be paid in some colour."""
    seat = state.seat
    if state.ports_built[seat] >= board.ports:
        return False
    wild = state.hand[seat, WILD_KIND]
    for n in range(board.colours):
        colour = board.colour[n]
        missing = max(0, board.port_trains - state.hand[seat, MARKED + colour])
        missing += max(0, board.port_ships - state.hand[seat, SHIP + colour])
        if missing <= wild:
            return True
    return False


@rule
def sites(state: State, word: int) -> int:
    """PORT-1: Return one word of the set of port cities without a port that the seat's routes reach."""
    return state.port_free[word] & state.reached[state.seat, word]


@rule
def begin_payment(board: BoardTables, state: State, place: int) -> None:
    """PORT-2: Begin to pay train and ship cards of one colour, all port-marked."""
    payment.begin(state, FOR_PORT, place, board.port_trains + board.port_ships, 0)


@rule
def build(state: State, seat: int, place: int) -> None:
    """PORT-1: Put a port of this seat in the city; no other port can stand there."""
    state.port_owner[place] = seat
    state.port_free[place // WORD] &= ~(1 << (place % WORD))
    state.ports_built[seat] += 1
