"""What stations do at the end: each borrows one route of another seat, to the owner's best. Atom STA-3."""

from __future__ import annotations

from typing import Any

from branchline.atlas.limits import MAX_STATIONS
from branchline.atlas.tables import COUNTRY
from branchline.rules import network
from branchline.rules.kernel import rule
from branchline.rules.state import FAILED, JOINED, MAX_CHOICES

TICKETS = 1 << 12  # a choice is worth points · TICKETS + tickets, for points decide first (ruling in STA-3)


@rule
def borrow_best(board: Any, state: Any, slate: Any, seat: int) -> None:
    """STA-3 and its ruling: try every choice of one foreign route for each station and keep the best.

    Wants the components of the seat and, in `slate.ticket_result`, what its own routes do. Writes
    `slate.borrowed`, the route of the n-th station in the order of the places (-1: none is of use), and
    corrects the results of tickets that are done with the help of these routes.
    """
    stations = list_choices(board, state, slate, seat)
    best = 0
    while stations > 0 and next_pick(slate, stations):
        join_picked(board, slate, stations)
        worth = worth_of_help(board, state, slate, seat)
        separate(board, slate, stations)
        if worth > best:
            best = worth
            for n in range(stations):
                slate.borrowed[seat, n] = slate.choice[n, slate.pick[n]]
    if best > 0:
        find_pick(slate, seat, stations)
        join_picked(board, slate, stations)
        for ticket in range(board.tickets):
            if is_helped(board, state, slate, seat, ticket):
                slate.ticket_result[ticket] = JOINED


@rule
def list_choices(board: Any, state: Any, slate: Any, seat: int) -> int:
    """List, for each station of the seat, the foreign routes into its city that join anything new.

    Choice 0 is to borrow none. Returns the number of stations, or 0 if no ticket needs help.
    """
    stations = 0
    for n in range(MAX_STATIONS):
        slate.borrowed[seat, n] = -1
    if state.stations_built[seat] == 0 or not any_failed(board, state, slate, seat):
        return 0
    for place in range(board.places):
        if state.station_owner[place] == seat:
            slate.choice[stations, 0] = -1
            slate.choices[stations] = 1
            slate.pick[stations] = 0
            for route in range(board.routes):
                if leads_to(board, route, place) and is_foreign(state, seat, route):
                    add_choice(board, slate, stations, place, route)
            stations += 1
    return stations


@rule
def any_failed(board: Any, state: Any, slate: Any, seat: int) -> bool:
    """Whether the seat holds a ticket that its own routes do not do."""
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == seat and slate.ticket_result[ticket] == FAILED:
            return True
    return False


@rule
def leads_to(board: Any, route: int, place: int) -> bool:
    """Whether the route ends at the place."""
    return board.route_a[route] == place or board.route_b[route] == place


@rule
def is_foreign(state: Any, seat: int, route: int) -> bool:
    """Whether the route belongs to another seat."""
    return state.route_owner[route] >= 0 and state.route_owner[route] != seat


@rule
def add_choice(board: Any, slate: Any, station: int, place: int, route: int) -> None:
    """Note a route as a choice, unless it joins nothing new or the same as an earlier one."""
    other = other_end(board, route, place)
    if slate.label[other] == slate.label[place]:
        return
    for n in range(1, slate.choices[station]):
        if slate.label[other_end(board, slate.choice[station, n], place)] == slate.label[other]:
            return
    if slate.choices[station] < MAX_CHOICES:
        slate.choice[station, slate.choices[station]] = route
        slate.choices[station] += 1


@rule
def other_end(board: Any, route: int, place: int) -> int:
    """Where a route leads from one of its ends."""
    return board.route_b[route] if board.route_a[route] == place else board.route_a[route]


@rule
def next_pick(slate: Any, stations: int) -> bool:
    """Count one further through the picks, one choice for each station; False after the last."""
    for n in range(stations):
        slate.pick[n] += 1
        if slate.pick[n] < slate.choices[n]:
            return True
        slate.pick[n] = 0
    return False


@rule
def find_pick(slate: Any, seat: int, stations: int) -> None:
    """The pick that borrows what `slate.borrowed` says."""
    for n in range(stations):
        for choice in range(slate.choices[n]):
            if slate.choice[n, choice] == slate.borrowed[seat, n]:
                slate.pick[n] = choice


@rule
def join_picked(board: Any, slate: Any, stations: int) -> None:
    """Join what the picked routes join, in such a way that it can be undone."""
    for n in range(stations):
        slate.undo[n] = -1
        route = slate.choice[n, slate.pick[n]]
        if route >= 0:
            a = board.route_a[route]
            b = board.route_b[route]
            if board.place_kind[a] == COUNTRY:
                a, b = b, a
            top = network.root(slate, a)
            slate.undo[n] = top
            slate.undo_other[n] = -1 if board.place_kind[b] == COUNTRY else network.root(slate, b)
            for word in range(board.place_words):
                slate.undo_reach[n, word] = slate.reach[top, word]
            network.join(board, slate, a, b)


@rule
def separate(board: Any, slate: Any, stations: int) -> None:
    """Undo `join_picked`."""
    for n in range(stations - 1, -1, -1):
        if slate.undo[n] >= 0:
            for word in range(board.place_words):
                slate.reach[slate.undo[n], word] = slate.undo_reach[n, word]
            if slate.undo_other[n] >= 0:
                slate.label[slate.undo_other[n]] = slate.undo_other[n]


@rule
def is_helped(board: Any, state: Any, slate: Any, seat: int, ticket: int) -> bool:
    """Whether a ticket that failed is joined now."""
    if state.ticket_at[ticket] != seat or slate.ticket_result[ticket] != FAILED:
        return False
    return network.ticket_joined(board, slate, ticket)


@rule
def worth_of_help(board: Any, state: Any, slate: Any, seat: int) -> int:
    """What the joined routes gain: points first, then tickets."""
    worth = 0
    for ticket in range(board.tickets):
        if is_helped(board, state, slate, seat, ticket):
            worth += (board.ticket_any_order[ticket] + board.ticket_penalty[ticket]) * TICKETS + 1
    return worth
