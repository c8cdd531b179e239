"""How the longest trail of a seat grows, for boards with a bonus for it.

From every place of the seat's network the longest trail is walked, so that it is known which ones end there. A route
more goes on from those at its ends. Overlooked are trails that come back to the same part of the network by a second
way: they are rare while it is built, and finding them takes many times as long. The true length, for the score, comes
from `rules.trail`.
"""

from __future__ import annotations

from branchline.boards.tables import ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import shortest_paths
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

MOST_STEPS = 2000  # from all places together: networks with more ways through them are not walked to the end


@rule
def look(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Find the longest trails of a seat, unless those of this very network are known."""
    if is_known(board, state, memory, seat):
        return
    memory.trails_pieces = state.pieces[seat, 0] + state.pieces[seat, 1]
    memory.longest_trail = 0
    for place in range(board.places):
        memory.trail_to[place] = 0
        memory.part[place] = place
    starts = 0
    for word in range(board.place_words):
        memory.trails_reached[word] = state.reached[seat, word]
        starts += popcount(state.reached[seat, word])
    for word in range(board.place_words):
        bits = state.reached[seat, word]
        while bits != 0:
            place = word * WORD + lowest(bits)
            bits &= bits - 1
            spaces = longest_from(board, state, memory, seat, place, MOST_STEPS // starts)
            memory.longest_trail = max(memory.longest_trail, spaces)
            if shortest_paths.leads_on(board, place, shortest_paths.NOWHERE):
                memory.trail_to[place] = spaces


@rule
def is_known(board: BoardTables, state: State, memory: Memory, seat: int) -> bool:
    """Return whether the memory has the trails of this network: the seat has built nothing since."""
    if memory.planned == 0 or memory.trails_pieces != state.pieces[seat, 0] + state.pieces[seat, 1]:
        return False
    for word in range(board.place_words):
        if memory.trails_reached[word] != state.reached[seat, word]:
            return False
    return True


@rule
def longest_from(board: BoardTables, state: State, memory: Memory, seat: int, start: int, most_steps: int) -> int:
    """Return the most spaces in a trail from a place (END-3).

    Unless that is a country, all places met are of its part.
    """
    for word in range(ROUTE_WORDS):
        memory.walked[word] = 0
    depth = 0
    memory.walk_place[0] = start
    memory.walk_way[0] = memory.first_way[start]
    spaces = 0
    most = 0
    steps = 0
    while True:
        here = memory.walk_place[depth]
        way = memory.walk_way[depth]
        goes_on = depth == 0 or shortest_paths.leads_on(board, here, shortest_paths.NOWHERE)
        if goes_on and way < memory.first_way[here + 1] and steps < most_steps:
            memory.walk_way[depth] += 1
            route = memory.way_route[way]
            if state.route_owner[route] == seat and (memory.walked[route // WORD] >> (route % WORD)) & 1 == 0:
                steps += 1
                spaces += board.route_length[route]
                most = max(most, spaces)
                memory.walked[route // WORD] |= 1 << (route % WORD)
                depth += 1
                there = memory.way_place[way]
                memory.walk_route[depth] = route
                memory.walk_place[depth] = there
                memory.walk_way[depth] = memory.first_way[there]
                if shortest_paths.leads_on(board, start, shortest_paths.NOWHERE):
                    memory.part[there] = min(memory.part[there], memory.part[start])
        elif depth > 0:
            route = memory.walk_route[depth]
            spaces -= board.route_length[route]
            memory.walked[route // WORD] ^= 1 << (route % WORD)
            depth -= 1
        else:
            return most


@rule
def growth(board: BoardTables, memory: Memory, route: int) -> int:
    """Return by how many spaces the longest trail grows with an open route."""
    a = board.route_a[route]
    b = board.route_b[route]
    to_a = memory.trail_to[a]
    to_b = memory.trail_to[b]
    joined = max(to_a, to_b) if memory.part[a] == memory.part[b] else to_a + to_b
    return max(0, joined + board.route_length[route] - memory.longest_trail)
