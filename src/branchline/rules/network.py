"""The network of a seat: which places its routes join. Atoms TIC-3, TIC-4, TIC-5, STA-3.

Countries are dead ends: they belong to no component, a component *reaches* them. `scratch.label` gives the root of
each other place's component, `scratch.reach` at a root the set of all places the component joins or reaches.
"""

from __future__ import annotations

from branchline.boards.tables import COUNTRY, WORD, BoardTables
from branchline.rules.kernel import rule
from branchline.rules.state import Scratch, State


@rule
def find_components(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """Join what the routes of the seat join; they are listed in `scratch.own`."""
    list_own_routes(board, state, scratch, seat)
    join_listed(board, scratch)


@rule
def join_listed(board: BoardTables, scratch: Scratch) -> None:
    """Join what the routes join that are listed in `scratch.own`."""
    for place in range(board.places):
        scratch.label[place] = place
        for word in range(board.place_words):
            scratch.reach[place, word] = 0
        scratch.reach[place, place // WORD] = 1 << (place % WORD)
    for n in range(scratch.own_count):
        route = scratch.own[n]
        join(board, scratch, board.route_a[route], board.route_b[route])
    for place in range(board.places):
        scratch.label[place] = root(scratch, place)


@rule
def list_own_routes(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """List the routes of a seat, without a branch that a processor could not foresee."""
    count = 0
    for route in range(board.routes):
        scratch.own[count] = route
        count += state.route_owner[route] == seat
    scratch.own_count = count


@rule
def root(scratch: Scratch, place: int) -> int:
    """Return the root of a place's component. Change nothing, so that a joining can be undone."""
    while scratch.label[place] != place:
        place = scratch.label[place]
    return place


@rule
def join(board: BoardTables, scratch: Scratch, a: int, b: int) -> None:
    """Join two neighbouring places; a country is only reached (TIC-4)."""
    if board.place_kind[a] == COUNTRY:
        a, b = b, a
    top = root(scratch, a)
    if board.place_kind[b] == COUNTRY:
        scratch.reach[top, b // WORD] |= 1 << (b % WORD)
        return
    other = root(scratch, b)
    if other != top:
        scratch.label[other] = top
        for word in range(board.place_words):
            scratch.reach[top, word] |= scratch.reach[other, word]


@rule
def other_end(board: BoardTables, route: int, place: int) -> int:
    """Return where a route leads from one of its ends."""
    return board.route_b[route] if board.route_a[route] == place else board.route_a[route]


@rule
def joined(board: BoardTables, scratch: Scratch, a: int, b: int) -> bool:
    """TIC-3: Return whether two places are joined; either may be a country."""
    if board.place_kind[a] == COUNTRY:
        a, b = b, a
    if board.place_kind[a] != COUNTRY:
        return (scratch.reach[root(scratch, a), b // WORD] >> (b % WORD)) & 1 == 1
    for place in range(board.places):
        if scratch.label[place] == place and board.place_kind[place] != COUNTRY:
            reaches_a = (scratch.reach[place, a // WORD] >> (a % WORD)) & 1
            if reaches_a & (scratch.reach[place, b // WORD] >> (b % WORD)):
                return True
    return False


@rule
def ticket_joined(board: BoardTables, scratch: Scratch, ticket: int) -> bool:
    """TIC-3, TIC-6: Return whether all places of a ticket are joined."""
    first = board.ticket_place[ticket, 0]
    for n in range(1, board.ticket_size[ticket]):
        if not joined(board, scratch, first, board.ticket_place[ticket, n]):
            return False
    return True
