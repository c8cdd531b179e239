"""What to claim next, and which cards to collect for it.

One route after the other is put on the schedule, the one that brings most for its time; the cards it would use are
set aside, so that the next one is reckoned with what is left; until pieces or time run out.
"""

from __future__ import annotations

from branchline.boards.tables import KINDS, ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.bots.planner import forest, pace, plan, route_values, ticket_prospects, trails
from branchline.bots.planner.plan import NO_ROUTE
from branchline.bots.planner.route_values import TENTHS
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

RATES = 1600  # of rates, so that they stay whole numbers and compare with those of `ports`


@rule
def draw_up(board: BoardTables, state: State, memory: Memory, seat: int, paid: int, planned_now: bool) -> None:
    """Draw up the schedule: `memory.aim`, and the cards wanted for it in `memory.need`; not the route being `paid`.

    `planned_now`: the plan was made with this very hand, so that what each route takes is known.
    """
    route_values.lay_out_hand(board, state, memory, seat)
    if memory.valued_beside != paid:
        planned = worth_of_tickets(board, state, memory, seat)
        set_values(board, state, memory, seat, planned, paid)
        memory.valued_beside = paid
    for kind in range(KINDS):
        memory.need[kind] = 0
    for word in range(ROUTE_WORDS):
        memory.ruled_out[word] = 0
    for route in range(board.routes):
        memory.rate[route] = 0
    memory.aims = 0
    first = state.pieces[seat, 0]
    second = state.pieces[seat, 1]
    time = memory.time_left
    most = min(len(memory.aim), memory.weight[weights.AIMS])
    route = rate_all(board, memory, time, planned_now)
    while route != NO_ROUTE:
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
        route = best_left(board, memory, first, second, time) if memory.aims < most else NO_ROUTE


@rule
def set_values(board: BoardTables, state: State, memory: Memory, seat: int, planned: int, paid: int) -> None:
    """Set what claiming each route is worth: the tickets it serves and its points; less where it hinders the plan.

    Those that are worth something, and short enough for the pieces left, make up the shortlist.
    """
    memory.shortlist_size = 0
    first, second = plan.room(board, state, memory, seat, 0), plan.room(board, state, memory, seat, 1)
    for word in range(board.route_words):
        bits = plan.open_routes(state, seat, word)
        forget_values(memory, word, memory.plan[word] & ~bits)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            value = 0
            if route != paid:
                room = second if board.route_piece[route] else first
                value = value_of(board, memory, route, planned == 0, room)
            memory.route_value[route] = value
            if value > 0 and board.route_length[route] <= state.pieces[seat, board.route_piece[route]]:
                memory.shortlist[memory.shortlist_size] = route
                memory.shortlist_size += 1


@rule
def forget_values(memory: Memory, word: int, routes: int) -> None:
    """Set these routes to be worth nothing any more."""
    while routes != 0:
        memory.route_value[word * WORD + lowest(routes)] = 0
        routes &= routes - 1


@rule
def value_of(board: BoardTables, memory: Memory, route: int, free: bool, room: int) -> int:
    """Return what an open route is worth; `free`: no ticket needs any; `room`: the pieces there are beside the plan."""
    value: int = memory.route_value[route]
    own = forest.own_points(board, memory, route)
    if value > 0 or free:
        value += own
    elif memory.time_needed + memory.takes_route[route] <= memory.time_left and board.route_length[route] <= room:
        value = own * memory.weight[weights.OFF_PLAN] // 100
    if value > 0 and board.trail_bonus:
        value += memory.weight[weights.TRAIL] * trails.growth(board, memory, route)
    return value


@rule
def rate_all(board: BoardTables, memory: Memory, time: int, planned_now: bool) -> int:
    """Rate all routes on the shortlist; the best that can be claimed in time, or NO_ROUTE.

    And note the rate of each with all cards in hand: later it is not looked at while another one is better than that.
    """
    best = NO_ROUTE
    highest = 0
    for n in range(memory.shortlist_size):
        route = memory.shortlist[n]
        least = pace.least_effort(board, memory, route)
        takes = memory.takes_route[route] if planned_now else pace.effort(board, memory, route)
        worth = memory.route_value[route] * RATES
        memory.bound[n] = worth // least
        memory.rate[route] = worth // takes
        if memory.rate[route] > highest and is_in_time(memory, route, time):
            highest = memory.rate[route]
            best = route
    return best


@rule
def best_left(board: BoardTables, memory: Memory, first: int, second: int, time: int) -> int:
    """Return the most valuable route for its time with the spare cards, within pieces and time; NO_ROUTE if none.

    Only what could be the best is rated anew.
    """
    best = NO_ROUTE
    highest = 0
    for n in range(memory.shortlist_size):
        if memory.bound[n] > highest:
            route = memory.shortlist[n]
            pieces = second if board.route_piece[route] else first
            if board.route_length[route] > pieces or (memory.ruled_out[route // WORD] >> (route % WORD)) & 1:
                memory.bound[n] = 0
                continue
            memory.rate[route] = memory.route_value[route] * RATES // pace.effort(board, memory, route)
            if memory.rate[route] > highest and is_in_time(memory, route, time):
                highest = memory.rate[route]
                best = route
    return best


@rule
def is_in_time(memory: Memory, route: int, time: int) -> bool:
    """Return whether the missing cards can be drawn and the route claimed within the time."""
    return bool(pace.TURN * (1 + (memory.missing[route] + 1) // 2) <= time)


@rule
def worth_of_tickets(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
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
