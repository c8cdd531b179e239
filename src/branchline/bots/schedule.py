"""What to claim next, and which cards to collect for it.

One route after the other is put on the schedule, the one that brings most for its time; the cards it would use are
set aside, so that the next one is reckoned with what is left; until pieces or time run out.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import KINDS, ROUTE_WORDS, WORD
from branchline.bots import forest, plan, prospects, tempo, weights, worth
from branchline.bots.worth import TENTHS
from branchline.rules.kernel import rule

RATES = 1600  # of rates, so that they stay whole numbers and compare with those of `harbour`


@rule
def draw_up(board: Any, state: Any, desk: Any, seat: int, paid: int) -> None:
    """Draw up the schedule: `desk.aim`, the cards wanted for it in `desk.need`; the route being `paid` for aside."""
    worth.lay_out_hand(board, state, desk, seat)
    planned = worth_of_tickets(board, state, desk, seat)
    set_values(board, state, desk, seat, planned, paid)
    for kind in range(KINDS):
        desk.need[kind] = 0
    for word in range(ROUTE_WORDS):
        desk.ruled_out[word] = 0
    desk.aims = 0
    first = state.pieces[seat, 0]
    second = state.pieces[seat, 1]
    time = desk.time_left
    while desk.aims < min(len(desk.aim), desk.weight[weights.AIMS]):
        route = best_for_its_time(board, state, desk, first, second, time)
        if route < 0:
            return
        desk.aim[desk.aims] = route
        desk.aims += 1
        if board.route_piece[route] == 0:
            first -= board.route_length[route]
        else:
            second -= board.route_length[route]
        time -= tempo.TURN + tempo.TURN * desk.missing[route] // 2
        for word in range(board.route_words):
            desk.ruled_out[word] |= board.siblings[route, word]
        desk.ruled_out[route // WORD] |= 1 << (route % WORD)
        if desk.missing[route] > 0:
            finish = 100 + desk.weight[weights.FINISH] // desk.missing[route]
            worth.want_for_route(board, desk, route, desk.rate[route] * finish // 100)
        else:
            worth.set_aside(board, desk, route, worth.best_colour(board, desk, route))


@rule
def set_values(board: Any, state: Any, desk: Any, seat: int, planned: int, paid: int) -> None:
    """What claiming each route is worth: the tickets it serves, its points; less, where it hinders the plan."""
    beside = plan.room(board, state, desk, seat, 0), plan.room(board, state, desk, seat, 1)
    for route in range(board.routes):
        value = 0
        desk.rate[route] = 0
        if route != paid and plan.is_open(state, seat, route):
            value = desk.worth[route]
            own = forest.own_points(board, state, desk, route)
            if value > 0 or planned == 0:
                value += own
            elif (
                desk.time_needed + desk.takes_route[route] <= desk.time_left
                and board.route_length[route] <= beside[board.route_piece[route]]
            ):
                value = own * desk.weight[weights.OFF_PLAN] // 100
        desk.worth[route] = value


@rule
def best_for_its_time(board: Any, state: Any, desk: Any, first: int, second: int, time: int) -> int:
    """The route that brings most for its time with the spare cards, within pieces and time; -1 if there is none."""
    best = -1
    highest = 0
    for route in range(board.routes):
        pieces = first if board.route_piece[route] == 0 else second
        ruled_out = (desk.ruled_out[route // WORD] >> (route % WORD)) & 1
        if desk.worth[route] > 0 and not ruled_out and board.route_length[route] <= pieces:
            takes = tempo.effort(board, desk, route)
            desk.rate[route] = desk.worth[route] * RATES // takes
            if desk.rate[route] > highest and tempo.TURN * (1 + (desk.missing[route] + 1) // 2) <= time:
                highest = desk.rate[route]
                best = route
    if best >= 0:
        tempo.effort(board, desk, best)
    return best


@rule
def worth_of_tickets(board: Any, state: Any, desk: Any, seat: int) -> int:
    """Share each ticket's swing among the routes it still needs; the number of routes so endowed."""
    for route in range(board.routes):
        desk.worth[route] = 0
    endowed = 0
    for n in range(desk.held_count):
        if desk.outlook[n] == plan.PLANNED or desk.outlook[n] == plan.BORROWING:
            missing = worth.claims_missing(board, desk, n)
            if missing > 0:
                swing = prospects.brings(board, desk, desk.held[n]) + TENTHS * board.ticket_penalty[desk.held[n]]
                endowed += worth.endow(board, state, desk, seat, n, swing // missing)
    return endowed
