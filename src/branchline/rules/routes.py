"""Routes: which may be claimed, and what claiming does. Atoms ROUTE-1 … ROUTE-9."""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS, MAX_LENGTH
from branchline.boards.tables import DOUBLE, MARKED, ROUTE_WORDS, SHIP, TRAIN, WILD_KIND, WORD, BoardTables
from branchline.rules import payment
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import CLOSED, FOR_ROUTE, Scratch, State


@rule
def list_claimable(board: BoardTables, state: State, scratch: Scratch) -> int:
    """Write the set of routes that the seat may claim to `scratch.claimable`; not 0 if there are any.

    Free, not barred, enough pieces, enough wilds, and the hand can pay.
    """
    list_payable(board, state, scratch)
    seat = state.seat
    wilds = min(state.hand[seat, WILD_KIND], MAX_LENGTH)
    first = min(state.pieces[seat, 0], MAX_LENGTH)
    second = min(state.pieces[seat, 1], MAX_LENGTH)
    any_open = 0
    for word in range(board.route_words):
        enough_pieces = board.by_pieces[0, first, word] | board.by_pieces[1, second, word]
        open_routes = state.free[word] & ~state.barred[seat, word]
        open_routes &= enough_pieces & board.by_wilds[wilds, word] & scratch.claimable[word]
        scratch.claimable[word] = open_routes
        any_open |= open_routes
    return any_open


@rule
def list_payable(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Write the set of routes whose price the hand can pay to `scratch.claimable`, minimum wilds aside.

    The hottest place of all. The words of the sets are named one by one so that they stay in registers; boards
    of no more than 120 routes need only the first two.
    """
    seat = state.seat
    wild = state.hand[seat, WILD_KIND]
    large = board.route_words > 2
    w0, w1, w2, w3 = 0, 0, 0, 0
    for colour in range(MAX_COLOURS):  # colours that a board lacks are in no hand
        trains = min(state.hand[seat, TRAIN + colour] + state.hand[seat, MARKED + colour] + wild, MAX_LENGTH)
        w0 |= board.by_train[colour, trains, 0]
        w1 |= board.by_train[colour, trains, 1]
        if large:
            w2 |= board.by_train[colour, trains, 2]
            w3 |= board.by_train[colour, trains, 3]
        if board.decks > 1:
            ships = state.hand[seat, SHIP + colour] + 2 * state.hand[seat, DOUBLE + colour] + wild
            ships = min(ships, MAX_LENGTH)
            w0 |= board.by_ship[colour, ships, 0]
            w1 |= board.by_ship[colour, ships, 1]
            if large:
                w2 |= board.by_ship[colour, ships, 2]
                w3 |= board.by_ship[colour, ships, 3]
    scratch.claimable[0] = w0
    scratch.claimable[1] = w1
    scratch.claimable[2] = w2
    scratch.claimable[3] = w3
    if board.difficult_routes:
        pairs = min(payment.pairs_with(state, wild, 0, 0), MAX_LENGTH)
        for word in range(ROUTE_WORDS):
            scratch.claimable[word] |= board.by_pairs[pairs, word]
    if board.mixed_routes:
        add_mixed(board, state, scratch)


@rule
def add_mixed(board: BoardTables, state: State, scratch: Scratch) -> None:
    """Add the free routes with both ordinary and difficult spaces that the hand can pay."""
    for word in range(ROUTE_WORDS):
        mixed = board.mixed_terrain[word] & state.free[word]
        while mixed != 0:
            bit = lowest(mixed)
            mixed &= mixed - 1
            if is_payable(board, state, word * WORD + bit):
                scratch.claimable[word] |= 1 << bit


@rule
def may_claim(board: BoardTables, state: State, route: int) -> bool:
    """Return whether the seat may claim this one route: the same answer as `list_claimable`, found the long way."""
    word = route // WORD
    seat = state.seat
    if (state.free[word] & ~state.barred[seat, word]) >> (route % WORD) & 1 == 0:
        return False
    if state.pieces[seat, board.route_piece[route]] < board.route_length[route]:
        return False
    return state.hand[seat, WILD_KIND] >= board.route_wilds[route] and is_payable(board, state, route)


@rule
def is_payable(board: BoardTables, state: State, route: int) -> bool:
    """Return whether the hand can pay for a route, by trying the payment."""
    asked = state.question
    begin_payment(board, state, route)
    options = payment.colours(board, state) if state.open_spaces > 0 else payment.pairs(state)
    payment.clear(state)
    state.question = asked
    return options != 0


@rule
def begin_payment(board: BoardTables, state: State, route: int) -> None:
    """Open the payment of a route."""
    pairs = board.route_pairs[route]
    payment.begin(state, FOR_ROUTE, route, board.route_price[route] - pairs, pairs)


@rule
def take(board: BoardTables, state: State, route: int) -> None:
    """ROUTE-3, ROUTE-4: Put pieces onto the route, score its points at once, and close or bar its parallels."""
    seat = state.seat
    own(board, state, seat, route)
    state.pieces[seat, board.route_piece[route]] -= board.route_length[route]
    state.route_points[seat] += board.route_points[route]


@rule
def own(board: BoardTables, state: State, seat: int, route: int) -> None:
    """Give the route to the seat."""
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
def close(state: State, word: int, routes: int) -> None:
    """ROUTE-4: Close the other lines of a parallel set, which cannot be taken with few seats."""
    state.free[word] &= ~routes
    while routes != 0:
        state.route_owner[word * WORD + lowest(routes)] = CLOSED
        routes &= routes - 1
