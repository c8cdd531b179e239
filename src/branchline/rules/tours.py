"""Tours done in order: one trail of own routes through all its cities as printed. Atom TIC-6."""

from __future__ import annotations

from branchline.boards.tables import COUNTRY, WORD, BoardTables
from branchline.rules import network
from branchline.rules.kernel import rule
from branchline.rules.state import Scratch, State


@rule
def in_order(board: BoardTables, state: State, scratch: Scratch, seat: int, ticket: int) -> bool:
    """Return whether one trail visits the cities in the printed order, no route used twice (TIC-6 and its ruling).

    Depth first over ways from city to city. A way between two cities need not cross itself (what it would do
    on the loop can be left out). Before each new city the rest is checked: every further city must still be
    joined to the one before by unused routes.
    """
    lay_out_routes(board, state, scratch, seat)
    stops = board.ticket_size[ticket]
    for route in range(board.routes):
        scratch.used[route] = 0
    depth = 0
    scratch.at[0] = board.ticket_place[ticket, 0]
    scratch.goal[0] = 1  # number of the city it goes to
    scratch.leg_start[0] = 0
    scratch.next_way[0] = scratch.first_way[scratch.at[0]]
    if not rest_is_joined(board, scratch, ticket, 0):
        return False
    while depth >= 0:
        here = scratch.at[depth]
        way = scratch.next_way[depth]
        if way == scratch.first_way[here + 1]:
            depth -= 1
            if depth >= 0:
                scratch.used[scratch.way_route[scratch.next_way[depth] - 1]] = 0
            continue
        scratch.next_way[depth] += 1
        route = scratch.way_route[way]
        there = scratch.way_place[way]
        if scratch.used[route] or is_on_leg(scratch, depth, there):
            continue
        goal = scratch.goal[depth]
        arrives = there == board.ticket_place[ticket, goal]
        if board.place_kind[there] == COUNTRY and not (arrives and goal == stops - 1):
            continue
        scratch.used[route] = 1
        if arrives and goal == stops - 1:
            return True
        if arrives and not rest_is_joined(board, scratch, ticket, goal):
            scratch.used[route] = 0
            continue
        depth += 1
        scratch.at[depth] = there
        scratch.goal[depth] = goal + 1 if arrives else goal
        scratch.leg_start[depth] = depth if arrives else scratch.leg_start[depth - 1]
        scratch.next_way[depth] = scratch.first_way[there]
    return False


@rule
def lay_out_routes(board: BoardTables, state: State, scratch: Scratch, seat: int) -> None:
    """List the ways out of each place: `way_route`, `way_place` from `first_way[place]` on."""
    count = 0
    for place in range(board.places):
        scratch.first_way[place] = count
        for n in range(board.first_at[place], board.first_at[place + 1]):
            route = board.route_at[n]
            if state.route_owner[route] == seat:
                scratch.way_route[count] = route
                scratch.way_place[count] = network.other_end(board, route, place)
                count += 1
    scratch.first_way[board.places] = count


@rule
def is_on_leg(scratch: Scratch, depth: int, place: int) -> bool:
    """Return whether the present way from city to city has been at this place."""
    for n in range(scratch.leg_start[depth], depth + 1):
        if scratch.at[n] == place:
            return True
    return False


@rule
def rest_is_joined(board: BoardTables, scratch: Scratch, ticket: int, first: int) -> bool:
    """Return whether unused routes join the tour's city number `first` to the next, and so on to the last."""
    for n in range(first, board.ticket_size[ticket] - 1):
        if not unused_join(board, scratch, board.ticket_place[ticket, n], board.ticket_place[ticket, n + 1]):
            return False
    return True


@rule
def unused_join(board: BoardTables, scratch: Scratch, start: int, goal: int) -> bool:
    """Return whether unused routes join two places, by a flood from the first."""
    for word in range(board.place_words):
        scratch.flooded[word] = 0
    scratch.flooded[start // WORD] |= 1 << (start % WORD)
    scratch.flood[0] = start
    done = 0
    reached = 1
    while done < reached:
        here = scratch.flood[done]
        done += 1
        if board.place_kind[here] == COUNTRY and here != start:
            continue
        for way in range(scratch.first_way[here], scratch.first_way[here + 1]):
            there = scratch.way_place[way]
            if scratch.used[scratch.way_route[way]] or (scratch.flooded[there // WORD] >> (there % WORD)) & 1:
                continue
            if there == goal:
                return True
            scratch.flooded[there // WORD] |= 1 << (there % WORD)
            scratch.flood[reached] = there
            reached += 1
    return False
