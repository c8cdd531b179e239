"""What cannot wait: which route to claim now, or whether to draw on.

A claim can mostly wait. Cards drawn meanwhile show which routes come cheapest, nothing is given away, and drawing and
claiming take as many turns in either order. What makes haste is the end that comes near, a hand that hardly can be
spent any more, others who are where the route leads, and what it brings. Haste is reckoned in per cent; from `ENOUGH`
on a route is claimed, of several the most urgent one.
"""

from __future__ import annotations

from branchline.boards.tables import WORD, BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.bots.planner import pace, plan, route_values
from branchline.bots.planner.plan import NO_ROUTE
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import CLAIM, Scratch, State

ENOUGH = 100


@rule
def choose_claim(
    board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, haste: int, may_draw: bool
) -> int:
    """Return the most urgent route that may be claimed with the cards meant for it, or NO_ROUTE.

    `haste`: that of all claims. If nothing may be drawn, nothing waits. Early on no tunnel is tried without a reserve.
    """
    if memory.aims == 0:
        return NO_ROUTE
    best = NO_ROUTE
    most = ENOUGH - haste - 1 if may_draw else -1
    highest = max(1, memory.rate[memory.aim[0]])
    ready = highest * memory.weight[weights.READY] if may_draw else 0
    careful = may_draw and memory.time_left > pace.TURN * memory.weight[weights.RESERVE]
    for word in range(board.route_words):
        bits = scratch.legal[CLAIM // WORD + word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            rate = memory.rate[route]
            if rate > 0 and ready <= 100 * rate and may_be_paid(board, memory, route, careful):
                own = haste_of(board, state, memory, seat, route, min(rate, highest) * 100 // highest)
                if own > most:
                    most = own
                    best = route
    return best


@rule
def may_be_paid(board: BoardTables, memory: Memory, route: int, careful: bool) -> bool:
    """Return whether the cards meant for the route suffice; if `careful`, with a reserve for a tunnel."""
    reserve = 0 if careful else board.route_tunnel[route]
    return bool(memory.missing[route] <= reserve)


@rule
def haste_of_all(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return the haste of every claim: more with less time left and a fuller hand."""
    haste = memory.weight[weights.FILLED] * pace.cover(board, state, memory, seat) // 100
    return haste + memory.weight[weights.HURRY] * pace.TURN // max(pace.TURN, memory.time_left)


@rule
def haste_of(board: BoardTables, state: State, memory: Memory, seat: int, route: int, rated: int) -> int:
    """Return the haste of one more route, which is rated at `rated` per cent of the best one."""
    haste = memory.weight[weights.RATED] * rated // 100
    haste += memory.weight[weights.SCORING] * board.route_points[route]
    if plan.touches(board, state, seat, route):
        haste += memory.weight[weights.ATTACHED]
    for place in (board.route_a[route], board.route_b[route]):
        if route_values.others_are_at(state, seat, place):
            haste += memory.weight[weights.CONTESTED]
    return haste
