"""The ways out of each place, and the cheapest way between two (Dijkstra).

`desk.cost` says what each route costs the seat now; `desk.front` holds the places reached but not yet left.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import COUNTRY
from branchline.rules.kernel import rule

NEVER = 1 << 28


@rule
def lay_out(board: Any, desk: Any) -> None:
    """List the ways out of each place: `way_route`, `way_place` from `first_way[place]` on."""
    for place in range(board.places + 1):
        desk.first_way[place] = 0
    for route in range(board.routes):
        desk.first_way[board.route_a[route]] += 1
        desk.first_way[board.route_b[route]] += 1
    behind = 0
    for place in range(board.places):
        behind += desk.first_way[place]
        desk.first_way[place] = behind
    desk.first_way[board.places] = behind
    for route in range(board.routes):
        a = board.route_a[route]
        b = board.route_b[route]
        desk.first_way[a] -= 1
        desk.way_route[desk.first_way[a]] = route
        desk.way_place[desk.first_way[a]] = b
        desk.first_way[b] -= 1
        desk.way_route[desk.first_way[b]] = route
        desk.way_place[desk.first_way[b]] = a


@rule
def set_out(board: Any, desk: Any, start: int) -> None:
    """Only the start is reached, at no cost."""
    for place in range(board.places):
        desk.distance[place] = NEVER
    desk.distance[start] = 0
    desk.front[0] = start
    desk.front_size = 1


@rule
def next_place(desk: Any) -> int:
    """Take the nearest place off the front, the one of the lowest number among equals; -1 if none is left."""
    size = desk.front_size
    if size == 0:
        return -1
    at = 0
    for n in range(1, size):
        ahead = desk.distance[desk.front[n]] - desk.distance[desk.front[at]]
        if ahead < 0 or (ahead == 0 and desk.front[n] < desk.front[at]):
            at = n
    here: int = desk.front[at]
    desk.front[at] = desk.front[size - 1]
    desk.front_size = size - 1
    return here


@rule
def is_nearer(desk: Any, there: int, distance: int) -> bool:
    """Note that a place can be reached at this cost, unless a cheaper way is known."""
    known = desk.distance[there]
    if distance >= known:
        return False
    if known == NEVER:
        desk.front[desk.front_size] = there
        desk.front_size += 1
    desk.distance[there] = distance
    return True


@rule
def leads_on(board: Any, place: int, start: int) -> bool:
    """Whether one may travel on from there: a country is a dead end."""
    return bool(board.place_kind[place] != COUNTRY or place == start)


@rule
def cheapest(board: Any, desk: Any, start: int, goal: int) -> int:
    """What the cheapest way costs, or `NEVER`; `desk.came_by` tells the route by which each place is reached."""
    set_out(board, desk, start)
    while True:
        here = next_place(desk)
        if here < 0:
            return NEVER
        distance: int = desk.distance[here]
        if here == goal:
            return distance
        if leads_on(board, here, start):
            for way in range(desk.first_way[here], desk.first_way[here + 1]):
                route = desk.way_route[way]
                if desk.cost[route] < NEVER and is_nearer(desk, desk.way_place[way], distance + desk.cost[route]):
                    desk.came_by[desk.way_place[way]] = route
