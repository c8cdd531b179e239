"""What to claim next, and which cards to collect for it.

One route after the other is put on the schedule, the one that brings most for its time; the cards it would use are
set aside, so that the next one is reckoned with what is left; until pieces or time run out.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import KINDS, ROUTE_WORDS, WORD
from branchline.bots import forest, pace, plan, route_values, ticket_prospects, weights
from branchline.bots.route_values import TENTHS
from branchline.rules.kernel import rule

RATES = 1600  # of rates, so that they stay whole numbers and compare with those of `ports`


@rule
def draw_up(board: Any, state: Any, memory: Any, seat: int, paid: int, planned_now: bool) -> None:
    """Draw up the schedule: `memory.aim`, and the cards wanted for it in `memory.need`; not the route being `paid`.

    `planned_now`: the plan was made with this very hand, so that what each route takes is known.
    """
    route_values.lay_out_hand(board, state, memory, seat)
    planned = worth_of_tickets(board, state, memory, seat)
    set_values(board, state, memory, seat, planned, paid)
    for kind in range(KINDS):
        memory.need[kind] = 0
    for word in range(ROUTE_WORDS):
        memory.ruled_out[word] = 0
    memory.aims = 0
    first = state.pieces[seat, 0]
    second = state.pieces[seat, 1]
    time = memory.time_left
    while memory.aims < min(len(memory.aim), memory.weight[weights.AIMS]):
        route = best_for_its_time(board, memory, first, second, time, planned_now)
        if route < 0:
            return
        memory.aim[memory.aims] = route
        memory.aims += 1
        if board.route_piece[route] == 0:
            first -= board.route_length[route]
        else:
            second -= board.route_length[route]
        time -= pace.TURN + pace.TURN * memory.missing[route] // 2
        for word in range(board.route_words):
            memory.ruled_out[word] |= board.siblings[route, word]
        memory.ruled_out[route // WORD] |= 1 << (route % WORD)
        if memory.missing[route] > 0:
            finish = 100 + memory.weight[weights.FINISH] // memory.missing[route]
            route_values.want_for_route(board, memory, route, memory.rate[route] * finish // 100)
        else:
            route_values.set_aside(board, memory, route, route_values.best_colour(board, memory, route))


@rule
def set_values(board: Any, state: Any, memory: Any, seat: int, planned: int, paid: int) -> None:
    """What claiming each route is worth: the tickets it serves, its points; less, where it hinders the plan."""
    beside = plan.room(board, state, memory, seat, 0), plan.room(board, state, memory, seat, 1)
    for route in range(board.routes):
        value = 0
        memory.rate[route] = 0
        if route != paid and plan.is_open(state, seat, route):
            value = memory.route_value[route]
            own = forest.own_points(board, state, memory, route)
            if value > 0 or planned == 0:
                value += own
            elif (
                memory.time_needed + memory.takes_route[route] <= memory.time_left
                and board.route_length[route] <= beside[board.route_piece[route]]
            ):
                value = own * memory.weight[weights.OFF_PLAN] // 100
            if value > 0 and board.trail_bonus and plan.touches(board, state, seat, route):
                value += memory.weight[weights.TRAIL] * board.route_length[route]
        memory.route_value[route] = value


@rule
def best_for_its_time(board: Any, memory: Any, first: int, second: int, time: int, planned_now: bool) -> int:
    """The route that brings most for its time with the spare cards, within pieces and time; -1 if there is none.

    The first time all of them are rated; then those are passed over that could not be the best with all cards in hand.
    """
    best = -1
    highest = 0
    for route in range(board.routes):
        value = memory.route_value[route]
        pieces = first if board.route_piece[route] == 0 else second
        ruled_out = (memory.ruled_out[route // WORD] >> (route % WORD)) & 1
        if value > 0 and not ruled_out and board.route_length[route] <= pieces:
            if memory.aims > 0 and value * RATES < (highest + 1) * pace.least_effort(board, memory, route):
                continue
            if memory.aims > 0 or not planned_now:
                takes = pace.effort(board, memory, route)
            else:
                takes = memory.takes_route[route]
            memory.rate[route] = value * RATES // takes
            if memory.rate[route] > highest and pace.TURN * (1 + (memory.missing[route] + 1) // 2) <= time:
                highest = memory.rate[route]
                best = route
    return best


@rule
def worth_of_tickets(board: Any, state: Any, memory: Any, seat: int) -> int:
    """Share each ticket's swing among the routes it still needs; the number of routes so endowed."""
    for route in range(board.routes):
        memory.route_value[route] = 0
    endowed = 0
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.PLANNED or memory.outlook[n] == plan.BORROWING:
            missing = route_values.claims_missing(board, memory, n)
            if missing > 0:
                swing = (
                    ticket_prospects.brings(board, memory, memory.held[n])
                    + TENTHS * board.ticket_penalty[memory.held[n]]
                )
                endowed += route_values.endow(board, state, memory, seat, n, swing // missing)
    return endowed
