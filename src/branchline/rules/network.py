"""The network of a seat: which places its routes join. Atoms TIC-3, TIC-4, TIC-5, STA-3.

Countries are dead ends: they belong to no component, a component *reaches* them. `slate.label` gives the root of
each other place's component, `slate.reach` at a root the set of all places the component joins or reaches.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import COUNTRY, WORD
from branchline.rules.kernel import rule


@rule
def find_components(board: Any, state: Any, slate: Any, seat: int) -> None:
    """Join what the routes of the seat join; they are listed in `slate.own`."""
    list_own_routes(board, state, slate, seat)
    for place in range(board.places):
        slate.label[place] = place
        for word in range(board.place_words):
            slate.reach[place, word] = 0
        slate.reach[place, place // WORD] = 1 << (place % WORD)
    for n in range(slate.own_count):
        route = slate.own[n]
        join(board, slate, board.route_a[route], board.route_b[route])
    for place in range(board.places):
        slate.label[place] = root(slate, place)


@rule
def list_own_routes(board: Any, state: Any, slate: Any, seat: int) -> None:
    """List the routes of a seat, without a branch that a processor could not foresee."""
    count = 0
    for route in range(board.routes):
        slate.own[count] = route
        count += state.route_owner[route] == seat
    slate.own_count = count


@rule
def root(slate: Any, place: int) -> int:
    """The root of a place's component. Changes nothing, so that a joining can be undone."""
    while slate.label[place] != place:
        place = slate.label[place]
    return place


@rule
def join(board: Any, slate: Any, a: int, b: int) -> None:
    """Join two neighbouring places; a country is only reached (TIC-4)."""
    if board.place_kind[a] == COUNTRY:
        a, b = b, a
    top = root(slate, a)
    if board.place_kind[b] == COUNTRY:
        slate.reach[top, b // WORD] |= 1 << (b % WORD)
        return
    other = root(slate, b)
    if other != top:
        slate.label[other] = top
        for word in range(board.place_words):
            slate.reach[top, word] |= slate.reach[other, word]


@rule
def other_end(board: Any, route: int, place: int) -> int:
    """Where a route leads from one of its ends."""
    return board.route_b[route] if board.route_a[route] == place else board.route_a[route]


@rule
def joined(board: Any, slate: Any, a: int, b: int) -> bool:
    """TIC-3: whether two places are joined, either of which may be a country."""
    if board.place_kind[a] == COUNTRY:
        a, b = b, a
    if board.place_kind[a] != COUNTRY:
        return (slate.reach[root(slate, a), b // WORD] >> (b % WORD)) & 1 == 1
    for place in range(board.places):
        if slate.label[place] == place and board.place_kind[place] != COUNTRY:
            reaches_a = (slate.reach[place, a // WORD] >> (a % WORD)) & 1
            if reaches_a & (slate.reach[place, b // WORD] >> (b % WORD)):
                return True
    return False


@rule
def ticket_joined(board: Any, slate: Any, ticket: int) -> bool:
    """TIC-3, TIC-6: whether all places of a ticket are joined."""
    first = board.ticket_place[ticket, 0]
    for n in range(1, board.ticket_size[ticket]):
        if not joined(board, slate, first, board.ticket_place[ticket, n]):
            return False
    return True
