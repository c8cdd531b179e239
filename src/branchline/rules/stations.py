"""Stations: where one may be built, and what building does. Atoms STA-1, STA-2. How they count: `scoring`."""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import WILD_KIND, WORD, BoardTables
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.state import FOR_STATION, State


@rule
def may_build(board: BoardTables, state: State) -> bool:
    """STA-1, STA-2: Return whether a station is left in stock and its price can be paid in some colour."""
    built = state.stations_built[state.seat]
    if built >= board.stations:
        return False
    price = board.station_price[built]
    wild = state.hand[state.seat, WILD_KIND]
    for colour in range(MAX_COLOURS):
        if wild + payment.trains_in_hand(state, colour) >= price:
            return True
    return False


@rule
def begin_payment(board: BoardTables, state: State, place: int) -> None:
    """STA-2: Begin to pay for a station: the n-th costs its price in one colour."""
    payment.begin(state, FOR_STATION, place, board.station_price[state.stations_built[state.seat]], 0)


@rule
def build(state: State, seat: int, place: int) -> None:
    """STA-1: Put a station of this seat in the city; no other can stand there."""
    state.station_owner[place] = seat
    state.station_free[place // WORD] &= ~(1 << (place % WORD))
    state.stations_built[seat] += 1
