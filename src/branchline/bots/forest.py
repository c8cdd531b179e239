"""The plan of `planner`: the cheapest network that does the held tickets, in turns, points and pieces.

Routes cost what the hand at this moment leaves them to take. The tickets are connected one after the other, the
most valuable first; then each is taken out and connected anew while that makes the whole cheaper. What cannot be
done within the turns left is given up, the ticket that brings least for its time first.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import ROUTE_WORDS, WORD
from branchline.bots import crowd, plan, tempo, weights, worth
from branchline.bots.worth import TENTHS
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest

PASSES = 2  # over all tickets, to connect each anew


@rule
def refresh(board: Any, state: Any, desk: Any, seat: int) -> None:
    """See that the desk holds the plan for this position."""
    if plan.begins_anew(state, desk, seat):
        weights.look_up(board, state, desk)
        desk.withdrew_with = 0
        plan.lay_out(board, desk)
        desk.planned = 0
    if desk.planned == 0 or state.turns != desk.turns:
        desk.time_left = tempo.time_left(board, state, desk, seat)
        desk.card_price = tempo.card_price(board, state, desk, seat)
        if board.passenger_colours:
            crowd.look(board, state, desk, seat)
        worth.lay_out_hand(board, state, desk, seat)
        desk.turn_price = going_rate(board, state, desk, seat)
        lay_prices(board, state, desk, seat)
        plan.make_plan(board, state, desk, seat)
        improve(board, state, desk, seat)
        give_up_late(board, state, desk, seat)
    desk.turns = state.turns


@rule
def lay_prices(board: Any, state: Any, desk: Any, seat: int) -> None:
    """What building each route costs: its time, its pieces, less what it brings itself."""
    for route in range(board.routes):
        if plan.is_open(state, seat, route):
            price = desk.takes_route[route] * desk.turn_price // tempo.TURN
            price += desk.weight[weights.PIECE] * board.route_length[route]
            price -= desk.weight[weights.SCORED] * own_points(board, state, desk, route) // 100
            desk.price[route] = max(1, price)


@rule
def going_rate(board: Any, state: Any, desk: Any, seat: int) -> int:
    """What a turn more or less is worth, in tenths of points.

    That is what the last route brings in a turn if the rest of the time and of the pieces is filled with the routes
    that bring most, tickets aside; mixed with the weight for it.
    """
    for route in range(board.routes):
        desk.rate[route] = 0
        if plan.is_open(state, seat, route):
            desk.takes_route[route] = tempo.effort(board, desk, route)
            desk.rate[route] = tempo.TURN * own_points(board, state, desk, route) // desk.takes_route[route]
    time = desk.time_left - desk.time_needed
    pieces = plan.all_pieces(board, state, seat) - desk.plan_pieces[0] - desk.plan_pieces[1]
    going = 0
    while time > 0:
        route = worth.best_rated(board, desk)
        if route < 0:
            going = 0
            break
        going = desk.rate[route]
        desk.rate[route] = 0
        pieces -= board.route_length[route]
        time -= desk.takes_route[route]
        if pieces <= 0:
            going = going * max(0, time_used(desk, time)) // 100
            break
    mixed = desk.weight[weights.GOING]
    return max(1, (going * mixed + desk.weight[weights.TURN] * (100 - mixed)) // 100)


@rule
def time_used(desk: Any, left: int) -> int:
    """Per cent of the time that is filled when the pieces run out, so much time being left."""
    whole = max(1, desk.time_left - desk.time_needed)
    return 100 * (whole - max(0, left)) // whole


@rule
def own_points(board: Any, state: Any, desk: Any, route: int) -> int:
    """What the route itself brings, in tenths of points: its own, and passengers at its ends."""
    own = TENTHS * board.route_points[route]
    if board.passenger_colours:
        own += desk.waits[board.route_a[route]] + desk.waits[board.route_b[route]]
    return own


@rule
def improve(board: Any, state: Any, desk: Any, seat: int) -> None:
    """Take each planned ticket out and connect it anew, where the whole becomes cheaper by it."""
    if desk.held_count < 2:
        return
    for _ in range(PASSES):
        better = False
        for n in range(desk.held_count):
            if desk.outlook[n] == plan.PLANNED and reconnect(board, state, desk, seat, n):
                better = True
        if not better:
            return


@rule
def reconnect(board: Any, state: Any, desk: Any, seat: int, n: int) -> bool:
    """Connect the n-th ticket anew over what the others need; whether that was cheaper."""
    alone = 0
    for word in range(board.route_words):
        alone += take_out(board, desk, word, desk.connection[n, word] & ~needed_by_others(desk, n, word))
    cost = plan.connect(board, state, desk, seat, desk.held[n])
    better = cost < alone
    if better:
        for word in range(ROUTE_WORDS):
            desk.connection[n, word] = desk.trial[word]
        plan.keep_trial(board, desk)
    else:
        for word in range(board.route_words):
            put_back(board, desk, word, desk.connection[n, word] & ~desk.plan[word])
    return better


@rule
def needed_by_others(desk: Any, n: int, word: int) -> int:
    """One word of the set of routes that other tickets than the n-th still need."""
    found = 0
    for m in range(desk.held_count):
        if m != n and (desk.outlook[m] == plan.PLANNED or desk.outlook[m] == plan.BORROWING):
            found |= desk.connection[m, word]
    return found


@rule
def take_out(board: Any, desk: Any, word: int, routes: int) -> int:
    """Take routes off the plan; what they cost together."""
    cost = 0
    bits = routes & desk.plan[word]
    desk.plan[word] &= ~bits
    while bits != 0:
        route = word * WORD + lowest(bits)
        bits &= bits - 1
        desk.cost[route] = desk.price[route]
        cost += desk.price[route]
        desk.plan_pieces[board.route_piece[route]] -= board.route_length[route]
    return cost


@rule
def put_back(board: Any, desk: Any, word: int, routes: int) -> None:
    """Put routes into the plan."""
    desk.plan[word] |= routes
    while routes != 0:
        route = word * WORD + lowest(routes)
        routes &= routes - 1
        desk.cost[route] = 0
        desk.plan_pieces[board.route_piece[route]] += board.route_length[route]


@rule
def give_up_late(board: Any, state: Any, desk: Any, seat: int) -> None:
    """While the plan takes longer than the game will, give the ticket up that brings least for its time."""
    desk.too_late = 0
    for _ in range(desk.held_count):
        worth.lay_out_hand(board, state, desk, seat)
        seems = tempo.turns_needed(board, desk)
        desk.time_needed = seems * (100 + desk.weight[weights.SLACK]) // 100
        if seems * 100 <= desk.time_left * desk.weight[weights.NERVE]:
            return
        worst = -1
        least = 0
        for n in range(desk.held_count):
            if desk.outlook[n] == plan.PLANNED:
                alone = 0
                for word in range(board.route_words):
                    alone += time_of(desk, word, desk.connection[n, word] & ~needed_by_others(desk, n, word))
                if alone > 0:
                    ticket = desk.held[n]
                    rate = 1000 * (board.ticket_any_order[ticket] + board.ticket_penalty[ticket]) // alone
                    if worst < 0 or rate < least:
                        worst = n
                        least = rate
        if worst < 0:
            return
        for word in range(board.route_words):
            take_out(board, desk, word, desk.connection[worst, word] & ~needed_by_others(desk, worst, word))
        desk.outlook[worst] = plan.GIVEN_UP
        desk.too_late += 1


@rule
def time_of(desk: Any, word: int, routes: int) -> int:
    """Hundredths of turns that these routes take."""
    time = 0
    while routes != 0:
        time += desk.takes_route[word * WORD + lowest(routes)]
        routes &= routes - 1
    return time


@rule
def price_of_plan(board: Any, desk: Any) -> int:
    """What the plan takes, in tenths of points."""
    price = 0
    for word in range(board.route_words):
        bits = desk.plan[word]
        while bits != 0:
            price += desk.price[word * WORD + lowest(bits)]
            bits &= bits - 1
    return price
