"""Routes: which may be claimed, and what claiming does. Atoms ROUTE-1 … ROUTE-9."""

from __future__ import annotations

from typing import Any

from branchline.atlas.limits import MAX_LENGTH
from branchline.atlas.tables import DOUBLE, MARKED, ROUTE_WORDS, SHIP, TRAIN, WILD_KIND, WORD
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import CLOSED, FOR_ROUTE


@rule
def claimable(board: Any, state: Any, word: int) -> int:
    """One word of the set of routes that the seat may claim: free, not barred, pieces and cards suffice."""
    seat = state.seat
    open_routes = state.free[word] & ~state.barred[seat, word]
    open_routes &= (
        board.by_pieces[0, min(state.pieces[seat, 0], MAX_LENGTH), word]
        | board.by_pieces[1, min(state.pieces[seat, 1], MAX_LENGTH), word]
    )
    wild = state.hand[seat, WILD_KIND]
    open_routes &= board.by_wilds[min(wild, MAX_LENGTH), word]
    if open_routes == 0:
        return 0
    return open_routes & payable(board, state, seat, wild, word)


@rule
def payable(board: Any, state: Any, seat: int, wild: int, word: int) -> int:
    """One word of the set of routes whose price the hand can pay, minimum wilds aside."""
    found = 0
    for n in range(board.colours):
        colour = board.colour[n]
        trains = state.hand[seat, TRAIN + colour] + state.hand[seat, MARKED + colour] + wild
        found |= board.by_train[colour, min(trains, MAX_LENGTH), word]
        if board.decks > 1:
            ships = state.hand[seat, SHIP + colour] + 2 * state.hand[seat, DOUBLE + colour] + wild
            found |= board.by_ship[colour, min(ships, MAX_LENGTH), word]
    if board.by_pairs[MAX_LENGTH, word] != 0:
        found |= board.by_pairs[min(payment.pairs_with(state, wild, 0, 0), MAX_LENGTH), word]
    mixed = board.mixed_terrain[word] & state.free[word]
    while mixed != 0:
        bit = lowest(mixed)
        mixed &= mixed - 1
        if mixed_is_payable(board, state, word * WORD + bit):
            found |= 1 << bit
    return found


@rule
def mixed_is_payable(board: Any, state: Any, route: int) -> bool:
    """ROUTE-9, for a route with both ordinary and difficult spaces: try the payment."""
    begin_payment(board, state, route)
    found = payment.colours(board, state)
    payment.clear(state)
    return found != 0


@rule
def begin_payment(board: Any, state: Any, route: int) -> None:
    """Open the payment of a route."""
    pairs = board.route_pairs[route]
    payment.begin(state, FOR_ROUTE, route, board.route_price[route] - pairs, pairs)


@rule
def take(board: Any, state: Any, route: int) -> None:
    """ROUTE-3, ROUTE-4: pieces onto the route, points at once, its parallels closed or barred."""
    seat = state.seat
    own(board, state, seat, route)
    state.pieces[seat, board.route_piece[route]] -= board.route_length[route]
    state.route_points[seat] += board.route_points[route]


@rule
def own(board: Any, state: Any, seat: int, route: int) -> None:
    """The route belongs to the seat."""
    state.route_owner[route] = seat
    state.free[route // WORD] &= ~(1 << (route % WORD))
    for place in (board.route_a[route], board.route_b[route]):
        state.reached[seat, place // WORD] |= 1 << (place % WORD)
    for word in range(ROUTE_WORDS):
        siblings = board.siblings[route, word]
        if siblings != 0:
            state.barred[seat, word] |= siblings
            if state.seats <= board.one_line_up_to:
                close(state, word, siblings & state.free[word])


@rule
def close(state: Any, word: int, routes: int) -> None:
    """ROUTE-4: with few seats the other lines of a parallel set can no longer be taken."""
    state.free[word] &= ~routes
    while routes != 0:
        state.route_owner[word * WORD + lowest(routes)] = CLOSED
        routes &= routes - 1
