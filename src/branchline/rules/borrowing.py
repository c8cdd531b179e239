"""What stations do at the end: each borrows one route of another seat, to the owner's best. Atom STA-3."""

from __future__ import annotations

from branchline.boards.limits import MAX_STATIONS
from branchline.boards.tables import COUNTRY, BoardTables
from branchline.rules import network
from branchline.rules.kernel import rule
from branchline.rules.state import JOINED, MAX_CHOICES, Scratch, State

TICKETS = 1 << 12  # a choice is worth points · TICKETS + tickets, for points decide first (ruling in STA-3)


@rule
def borrow_best(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """Try every choice of one foreign route for each station and keep the best (STA-3 and its ruling).

    Wants the components of the seat and, in `scratch.failed`, the tickets that its own routes do not do. Writes
    `scratch.borrowed`, the route of the n-th station in the order of the places (-1: none is of use), and
    corrects the results of tickets that are done with the help of these routes.
    """
    for n in range(MAX_STATIONS):
        scratch.borrowed[seat, n] = -1
    if state.stations_built[seat] == 0 or scratch.failed_count == 0:
        return
    stations = list_choices(board, state, scratch, seat)
    best = 0
    first_pick(scratch, stations)
    while True:
        worth = worth_of_pick(board, scratch, stations)
        if worth > best:
            best = worth
            for n in range(stations):
                scratch.borrowed[seat, n] = scratch.choice[n, scratch.pick[n]]
        if not next_pick(scratch, stations):
            break
    if best > 0:
        find_pick(scratch, seat, stations)
        give_back_idle(board, scratch, seat, stations, best)
        join_picked(board, scratch, stations)
        for n in range(scratch.failed_count):
            if network.ticket_joined(board, scratch, scratch.failed[n]):
                scratch.ticket_result[scratch.failed[n]] = JOINED


@rule
def give_back_idle(board: BoardTables, scratch: Scratch, seat: int, stations: int, best: int) -> None:
    """Let the stations that help nothing borrow nothing."""
    for n in range(stations):
        picked = scratch.pick[n]
        scratch.pick[n] = 0
        if worth_of_pick(board, scratch, stations) == best:
            scratch.borrowed[seat, n] = -1
        else:
            scratch.pick[n] = picked


@rule
def list_choices(board: BoardTables, state: State, scratch: Scratch, seat: int) -> int:
    """List, for each station of the seat, the foreign routes into its city that join anything new.

    Choice 0 is to borrow none. Returns the number of stations.
    """
    stations = 0
    for place in range(board.places):
        if state.station_owner[place] == seat:
            scratch.choice[stations, 0] = -1
            scratch.choices[stations] = 1
            scratch.pick[stations] = 0
            for n in range(board.first_at[place], board.first_at[place + 1]):
                if is_foreign(state, seat, board.route_at[n]):
                    add_choice(board, scratch, stations, place, board.route_at[n])
            stations += 1
    return stations


@rule
def is_foreign(state: State, seat: int, route: int) -> bool:
    """Return whether the route belongs to another seat."""
    return state.route_owner[route] >= 0 and state.route_owner[route] != seat


@rule
def add_choice(board: BoardTables, scratch: Scratch, station: int, place: int, route: int) -> None:
    """Note a route as a choice, unless it joins nothing new or the same as an earlier one."""
    other = network.other_end(board, route, place)
    if scratch.label[other] == scratch.label[place]:
        return
    for n in range(1, scratch.choices[station]):
        if scratch.label[network.other_end(board, scratch.choice[station, n], place)] == scratch.label[other]:
            return
    if scratch.choices[station] < MAX_CHOICES:
        scratch.choice[station, scratch.choices[station]] = route
        scratch.choices[station] += 1


@rule
def first_pick(scratch: Scratch, stations: int) -> None:
    """Pick the first choice of each station.

    Borrowing is never worse than not borrowing, where there is anything to borrow.
    """
    for n in range(stations):
        scratch.pick[n] = min(1, scratch.choices[n] - 1)


@rule
def next_pick(scratch: Scratch, stations: int) -> bool:
    """Count one further through the picks, one choice for each station; False after the last."""
    for n in range(stations):
        scratch.pick[n] += 1
        if scratch.pick[n] < scratch.choices[n]:
            return True
        scratch.pick[n] = min(1, scratch.choices[n] - 1)
    return False


@rule
def find_pick(scratch: Scratch, seat: int, stations: int) -> None:
    """Find the pick that borrows what `scratch.borrowed` says."""
    for n in range(stations):
        for choice in range(scratch.choices[n]):
            if scratch.choice[n, choice] == scratch.borrowed[seat, n]:
                scratch.pick[n] = choice


@rule
def join_picked(board: BoardTables, scratch: Scratch, stations: int) -> None:
    """Join what the picked routes join, in such a way that it can be undone."""
    for n in range(stations):
        scratch.undo[n] = -1
        route = scratch.choice[n, scratch.pick[n]]
        if route >= 0:
            a = board.route_a[route]
            b = board.route_b[route]
            if board.place_kind[a] == COUNTRY:
                a, b = b, a
            top = network.root(scratch, a)
            scratch.undo[n] = top
            scratch.undo_other[n] = -1 if board.place_kind[b] == COUNTRY else network.root(scratch, b)
            for word in range(board.place_words):
                scratch.undo_reach[n, word] = scratch.reach[top, word]
            network.join(board, scratch, a, b)


@rule
def separate(board: BoardTables, scratch: Scratch, stations: int) -> None:
    """Undo `join_picked`."""
    for n in range(stations - 1, -1, -1):
        if scratch.undo[n] >= 0:
            for word in range(board.place_words):
                scratch.reach[scratch.undo[n], word] = scratch.undo_reach[n, word]
            if scratch.undo_other[n] >= 0:
                scratch.label[scratch.undo_other[n]] = scratch.undo_other[n]


@rule
def worth_of_pick(board: BoardTables, scratch: Scratch, stations: int) -> int:
    """Return what the picked routes gain: points first, then tickets."""
    join_picked(board, scratch, stations)
    worth = 0
    for n in range(scratch.failed_count):
        ticket = scratch.failed[n]
        if network.ticket_joined(board, scratch, ticket):
            worth += (board.ticket_any_order[ticket] + board.ticket_penalty[ticket]) * TICKETS + 1
    separate(board, scratch, stations)
    return worth
