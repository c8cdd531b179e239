"""The plan of `planner`: the cheapest network that does the held tickets, in turns, points and pieces.

Routes cost what the hand at this moment leaves them to take. The tickets are connected one after the other, the
most valuable first; then each is taken out and connected anew while that makes the whole cheaper. What cannot be
done within the turns left is given up, the ticket that brings least for its time first.
"""

from __future__ import annotations

from branchline.boards.tables import ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.bots.planner import pace, passengers, plan, route_values, trails
from branchline.bots.planner.route_values import TENTHS
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

PASSES = 2  # over all tickets, to connect each anew
UNBEATEN = 1 << 30  # no route brings so much
NOT_VALUED = -2  # no route has been given its value in this turn


@rule
def refresh(board: BoardTables, state: State, memory: Memory, seat: int) -> bool:
    """See that the memory holds the plan for this position; whether it was made just now, with the hand as it is."""
    if plan.begins_anew(state, memory, seat):
        weights.look_up(board, state.seats, memory)
        memory.withdrew_with = 0
        plan.lay_out(board, memory)
        memory.planned = 0
        memory.time_needed = 0
        plan.forget_plan(memory)
    anew = bool(memory.planned == 0 or state.turns != memory.turns)
    if anew:
        memory.valued_beside = NOT_VALUED
        memory.time_left = pace.time_left(board, state, memory, seat)
        memory.missing_price = pace.missing_price(board, state, memory, seat)
        memory.card_price = pace.card_price(board, state, memory, seat)
        if board.passenger_colours:
            passengers.look(board, state, memory, seat)
        if board.trail_bonus:
            trails.look(board, state, memory, seat)
        route_values.lay_out_hand(board, state, memory, seat)
        memory.turn_price = going_rate(board, state, memory, seat)
        lay_prices(board, state, memory, seat)
        plan.make_plan(board, state, memory, seat)
        improve(board, state, memory, seat)
        give_up_late(board, state, memory, seat)
    memory.turns = state.turns
    return anew


@rule
def lay_prices(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Set what building each route costs: its time and its pieces, less what it brings itself."""
    for word in range(board.route_words):
        bits = plan.open_routes(state, seat, word)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            price = memory.takes_route[route] * memory.turn_price // pace.TURN
            price += memory.weight[weights.PIECE] * board.route_length[route]
            price -= memory.weight[weights.SCORED] * own_points(board, memory, route) // 100
            memory.price[route] = max(1, price)


@rule
def going_rate(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return the worth of a turn more or less, in tenths of points: what the last turn brings, mixed with a weight."""
    time = memory.time_left - memory.time_needed
    pieces = plan.all_pieces(board, state, seat) - memory.plan_pieces[0] - memory.plan_pieces[1]
    going = last_rate(board, state, memory, seat, time, max(1, pieces))
    mixed = memory.weight[weights.GOING]
    return max(1, (going * mixed + memory.weight[weights.TURN] * (100 - mixed)) // 100)


@rule
def last_rate(board: BoardTables, state: State, memory: Memory, seat: int, time: int, pieces: int) -> int:
    """Return what the last route brings per turn when time and pieces are filled with the best routes, tickets aside.

    0 if there are too few of them. What each open route takes is noted on the way, and the shortlist holds, in their
    order, as few as fill the time or the pieces.
    """
    memory.shortlist_size = 0
    least = 0 if time > 0 else UNBEATEN  # the next one on the list must bring more
    for word in range(board.route_words):
        bits = plan.open_routes(state, seat, word)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            takes = pace.effort(board, memory, route)
            memory.takes_route[route] = takes
            memory.rate[route] = pace.TURN * own_points(board, memory, route) // takes
            if memory.rate[route] > least:
                put_on_shortlist(memory, route)
                time -= takes
                pieces -= board.route_length[route]
                last = memory.shortlist[memory.shortlist_size - 1]
                while time + memory.takes_route[last] <= 0 or pieces + board.route_length[last] <= 0:
                    time += memory.takes_route[last]
                    pieces += board.route_length[last]
                    memory.shortlist_size -= 1
                    last = memory.shortlist[memory.shortlist_size - 1]
                if time <= 0 or pieces <= 0:
                    least = memory.rate[last]
    if least == 0 or least == UNBEATEN:
        return 0
    return least * max(0, time_used(memory, time)) // 100 if pieces <= 0 else least


@rule
def put_on_shortlist(memory: Memory, route: int) -> None:
    """Put a route on the shortlist by its rate, behind those that are as good."""
    at = memory.shortlist_size
    while at > 0 and memory.rate[memory.shortlist[at - 1]] < memory.rate[route]:
        memory.shortlist[at] = memory.shortlist[at - 1]
        at -= 1
    memory.shortlist[at] = route
    memory.shortlist_size += 1


@rule
def time_used(memory: Memory, left: int) -> int:
    """Return how much of the `left` time is filled when the pieces run out, in per cent."""
    whole = max(1, memory.time_left - memory.time_needed)
    return 100 * (whole - max(0, left)) // whole


@rule
def own_points(board: BoardTables, memory: Memory, route: int) -> int:
    """Return what the route itself brings, in tenths of points: its own, and passengers at its ends."""
    own = TENTHS * board.route_points[route]
    if board.passenger_colours:
        own += memory.waits[board.route_a[route]] + memory.waits[board.route_b[route]]
    return own


@rule
def improve(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Take each planned ticket out and connect it anew, where the whole becomes cheaper by it."""
    latest = latest_connected(memory)
    for _ in range(PASSES):
        for n in range(memory.held_count):
            if n == latest:  # nothing has changed since all the others were tried
                return
            if memory.outlook[n] == plan.PLANNED and reconnect(board, state, memory, seat, n):
                latest = n


@rule
def latest_connected(memory: Memory) -> int:
    """Return the planned ticket that was connected when all others were; -1 if borrowing may have come after it."""
    if memory.given_up > 0:
        return -1
    latest = 0
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.PLANNED:
            latest = n
    return latest


@rule
def reconnect(board: BoardTables, state: State, memory: Memory, seat: int, n: int) -> bool:
    """Connect the n-th ticket anew over what the others need; whether that was cheaper."""
    alone = 0
    for word in range(board.route_words):
        alone += take_out(board, memory, word, memory.connection[n, word] & ~needed_by_others(memory, n, word))
    if alone == 0:
        return False  # it has no routes but those of others
    cost = plan.connect(board, state, memory, seat, memory.held[n])
    better = cost < alone
    if better:
        for word in range(ROUTE_WORDS):
            memory.connection[n, word] = memory.trial[word]
        plan.keep_trial(board, memory)
    else:
        for word in range(board.route_words):
            put_back(board, memory, word, memory.connection[n, word] & ~memory.plan[word])
    return better


@rule
def needed_by_others(memory: Memory, n: int, word: int) -> int:
    """Return one word of the set of routes that tickets other than the n-th still need."""
    needed = 0
    for m in range(memory.held_count):
        if m != n and (memory.outlook[m] == plan.PLANNED or memory.outlook[m] == plan.BORROWING):
            needed |= memory.connection[m, word]
    return needed


@rule
def take_out(board: BoardTables, memory: Memory, word: int, routes: int) -> int:
    """Take routes off the plan; what they cost together."""
    cost = 0
    bits = routes & memory.plan[word]
    memory.plan[word] &= ~bits
    while bits != 0:
        route = word * WORD + lowest(bits)
        bits &= bits - 1
        memory.cost[route] = memory.price[route]
        cost += memory.price[route]
        memory.plan_pieces[board.route_piece[route]] -= board.route_length[route]
    return cost


@rule
def put_back(board: BoardTables, memory: Memory, word: int, routes: int) -> None:
    """Put routes into the plan."""
    memory.plan[word] |= routes
    while routes != 0:
        route = word * WORD + lowest(routes)
        routes &= routes - 1
        memory.cost[route] = 0
        memory.plan_pieces[board.route_piece[route]] += board.route_length[route]


@rule
def give_up_late(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Give up the ticket that brings least for its time, while the plan takes longer than the game will."""
    memory.too_late = 0
    for _ in range(memory.held_count):
        route_values.lay_out_hand(board, state, memory, seat)
        seems = pace.turns_needed(board, memory)
        memory.time_needed = seems * (100 + memory.weight[weights.SLACK]) // 100
        if seems * 100 <= memory.time_left * memory.weight[weights.NERVE]:
            return
        worst = -1
        least = 0
        for n in range(memory.held_count):
            if memory.outlook[n] == plan.PLANNED:
                alone = 0
                for word in range(board.route_words):
                    alone += time_of(memory, word, memory.connection[n, word] & ~needed_by_others(memory, n, word))
                if alone > 0:
                    ticket = memory.held[n]
                    rate = 1000 * (board.ticket_any_order[ticket] + board.ticket_penalty[ticket]) // alone
                    if worst < 0 or rate < least:
                        worst = n
                        least = rate
        if worst < 0:
            return
        for word in range(board.route_words):
            take_out(board, memory, word, memory.connection[worst, word] & ~needed_by_others(memory, worst, word))
        memory.outlook[worst] = plan.GIVEN_UP
        memory.too_late += 1


@rule
def time_of(memory: Memory, word: int, routes: int) -> int:
    """Return the hundredths of turns that these routes take."""
    time = 0
    while routes != 0:
        time += memory.takes_route[word * WORD + lowest(routes)]
        routes &= routes - 1
    return time


@rule
def price_of_plan(board: BoardTables, memory: Memory) -> int:
    """Return what the plan takes, in tenths of points."""
    price = 0
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            price += memory.price[word * WORD + lowest(bits)]
            bits &= bits - 1
    return price
