"""The ways out of each place, and the cheapest way between two (Dijkstra).

`memory.cost` says what each route costs the seat now; `memory.front` holds the places reached but not yet left.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_PLACES
from branchline.boards.tables import COUNTRY, BoardTables
from branchline.bots.api.memory import Memory
from branchline.rules.kernel import rule

NEVER = 0x10101010  # all bytes alike, so that an array is filled with it at once
NOWHERE = -1  # as the start of a way: then no country leads on
PLACE_BITS = 7  # a place on the front is one number, its distance before its own: the least of them comes first
PLACE = (1 << PLACE_BITS) - 1
assert MAX_PLACES <= PLACE + 1


@rule
def lay_out(board: BoardTables, memory: Memory) -> None:
    """List the ways out of each place: `way_route`, `way_place` from `first_way[place]` on."""
    for place in range(board.places + 1):
        memory.first_way[place] = 0
    for route in range(board.routes):
        memory.first_way[board.route_a[route]] += 1
        memory.first_way[board.route_b[route]] += 1
    behind = 0
    for place in range(board.places):
        behind += memory.first_way[place]
        memory.first_way[place] = behind
    memory.first_way[board.places] = behind
    for route in range(board.routes):
        a = board.route_a[route]
        b = board.route_b[route]
        memory.first_way[a] -= 1
        memory.way_route[memory.first_way[a]] = route
        memory.way_place[memory.first_way[a]] = b
        memory.first_way[b] -= 1
        memory.way_route[memory.first_way[b]] = route
        memory.way_place[memory.first_way[b]] = a


@rule
def set_out(board: BoardTables, memory: Memory, start: int) -> None:
    """Set out from the start, the only place reached, at no cost."""
    for place in range(board.places):
        memory.distance[place] = NEVER
    memory.distance[start] = 0
    memory.front[0] = start
    memory.front_at[start] = 0
    memory.front_size = 1


@rule
def next_place(memory: Memory) -> int:
    """Take the nearest place off the front, the one of the lowest number among equals; -1 if none is left."""
    size = memory.front_size
    if size == 0:
        return -1
    nearest: int = memory.front[0]
    for n in range(1, size):
        nearest = min(nearest, memory.front[n])
    last = memory.front[size - 1]
    at = memory.front_at[nearest & PLACE]
    memory.front[at] = last
    memory.front_at[last & PLACE] = at
    memory.front_size = size - 1
    return nearest & PLACE


@rule
def is_nearer(memory: Memory, there: int, distance: int) -> bool:
    """Note that a place can be reached at this cost, unless a cheaper way is known; never at `NEVER` or more."""
    known = memory.distance[there]
    if distance >= known:
        return False
    if known == NEVER:
        memory.front_at[there] = memory.front_size
        memory.front_size += 1
    memory.front[memory.front_at[there]] = (distance << PLACE_BITS) | there
    memory.distance[there] = distance
    return True


@rule
def leads_on(board: BoardTables, place: int, start: int) -> bool:
    """Return whether a trip may go on from there: a country is a dead end."""
    return bool(board.place_kind[place] != COUNTRY or place == start)


@rule
def cheapest(board: BoardTables, memory: Memory, start: int, goal: int) -> int:
    """Return the cost of the cheapest way, or `NEVER`; `memory.came_by` tells the route by which each place is
    reached.
    """
    set_out(board, memory, start)
    while True:
        here = next_place(memory)
        if here < 0:
            return NEVER
        distance: int = memory.distance[here]
        if here == goal:
            return distance
        if leads_on(board, here, start):
            for way in range(memory.first_way[here], memory.first_way[here + 1]):
                route = memory.way_route[way]
                there = memory.way_place[way]
                if is_nearer(memory, there, distance + memory.cost[route]):
                    memory.came_by[there] = route


@rule
def reach_all(board: BoardTables, memory: Memory, start: int) -> None:
    """Set `memory.distance` of every place: what the cheapest way there costs, `NEVER` if there is none."""
    set_out(board, memory, start)
    while True:
        here = next_place(memory)
        if here < 0:
            return
        if leads_on(board, here, start):
            for way in range(memory.first_way[here], memory.first_way[here + 1]):
                is_nearer(memory, memory.way_place[way], memory.distance[here] + memory.cost[memory.way_route[way]])
