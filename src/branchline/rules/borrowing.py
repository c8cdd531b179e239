"""What stations do at the end: each borrows one route of another seat, to the owner's best. Atom STA-3."""

from __future__ import annotations

from typing import Any

from branchline.atlas.limits import MAX_STATIONS
from branchline.atlas.tables import COUNTRY
from branchline.rules import network
from branchline.rules.kernel import rule
from branchline.rules.state import JOINED, MAX_CHOICES

TICKETS = 1 << 12  # a choice is worth points · TICKETS + tickets, for points decide first (ruling in STA-3)


@rule
def borrow_best(board: Any, state: Any, slate: Any, seat: int) -> None:
    """STA-3 and its ruling: try every choice of one foreign route for each station and keep the best.

    Wants the components of the seat and, in `slate.failed`, the tickets that its own routes do not do. Writes
    `slate.borrowed`, the route of the n-th station in the order of the places (-1: none is of use), and
    corrects the results of tickets that are done with the help of these routes.
    """
    for n in range(MAX_STATIONS):
        slate.borrowed[seat, n] = -1
    if state.stations_built[seat] == 0 or slate.failed_count == 0:
        return
    stations = list_choices(board, state, slate, seat)
    best = 0
    first_pick(slate, stations)
    while True:
        worth = worth_of_pick(board, slate, stations)
        if worth > best:
            best = worth
            for n in range(stations):
                slate.borrowed[seat, n] = slate.choice[n, slate.pick[n]]
        if not next_pick(slate, stations):
            break
    if best > 0:
        find_pick(slate, seat, stations)
        give_back_idle(board, slate, seat, stations, best)
        join_picked(board, slate, stations)
        for n in range(slate.failed_count):
            if network.ticket_joined(board, slate, slate.failed[n]):
                slate.ticket_result[slate.failed[n]] = JOINED


@rule
def give_back_idle(board: Any, slate: Any, seat: int, stations: int, best: int) -> None:
    """Stations that help nothing borrow nothing."""
    for n in range(stations):
        picked = slate.pick[n]
        slate.pick[n] = 0
        if worth_of_pick(board, slate, stations) == best:
            slate.borrowed[seat, n] = -1
        else:
            slate.pick[n] = picked


@rule
def list_choices(board: Any, state: Any, slate: Any, seat: int) -> int:
    """List, for each station of the seat, the foreign routes into its city that join anything new.

    Choice 0 is to borrow none. Returns the number of stations.
    """
    stations = 0
    for place in range(board.places):
        if state.station_owner[place] == seat:
            slate.choice[stations, 0] = -1
            slate.choices[stations] = 1
            slate.pick[stations] = 0
            for n in range(board.first_at[place], board.first_at[place + 1]):
                if is_foreign(state, seat, board.route_at[n]):
                    add_choice(board, slate, stations, place, board.route_at[n])
            stations += 1
    return stations


@rule
def is_foreign(state: Any, seat: int, route: int) -> bool:
    """Whether the route belongs to another seat."""
    return state.route_owner[route] >= 0 and state.route_owner[route] != seat


@rule
def add_choice(board: Any, slate: Any, station: int, place: int, route: int) -> None:
    """Note a route as a choice, unless it joins nothing new or the same as an earlier one."""
    other = network.other_end(board, route, place)
    if slate.label[other] == slate.label[place]:
        return
    for n in range(1, slate.choices[station]):
        if slate.label[network.other_end(board, slate.choice[station, n], place)] == slate.label[other]:
            return
    if slate.choices[station] < MAX_CHOICES:
        slate.choice[station, slate.choices[station]] = route
        slate.choices[station] += 1


@rule
def first_pick(slate: Any, stations: int) -> None:
    """The first choice of each station. To borrow is never worse than not to, where there is anything to borrow."""
    for n in range(stations):
        slate.pick[n] = min(1, slate.choices[n] - 1)


@rule
def next_pick(slate: Any, stations: int) -> bool:
    """Count one further through the picks, one choice for each station; False after the last."""
    for n in range(stations):
        slate.pick[n] += 1
        if slate.pick[n] < slate.choices[n]:
            return True
        slate.pick[n] = min(1, slate.choices[n] - 1)
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
def worth_of_pick(board: Any, slate: Any, stations: int) -> int:
    """What the picked routes gain: points first, then tickets."""
    join_picked(board, slate, stations)
    worth = 0
    for n in range(slate.failed_count):
        ticket = slate.failed[n]
        if network.ticket_joined(board, slate, ticket):
            worth += (board.ticket_any_order[ticket] + board.ticket_penalty[ticket]) * TICKETS + 1
    separate(board, slate, stations)
    return worth
