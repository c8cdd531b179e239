"""What to build: the cheapest connection for each ticket, sharing routes, within the pieces left.

Own routes cost nothing, routes of others and closed ones cannot be had, a country is a dead end. A plan is kept
in the memory and made anew only when a claim of somebody else hits it or the tickets change.
"""

from __future__ import annotations

from branchline.boards.tables import ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api.memory import MAX_HELD, Memory
from branchline.bots.planner import shortest_paths
from branchline.bots.planner.shortest_paths import NEVER
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

# What building costs, in tenths of points: long routes are a little better than the same way in short ones.
CARD = 10
CLAIMING = 15
SCORED = 3  # for each point the route itself brings
WILD_ASKED = 8
TUNNEL_RISK = 8
BORROWED = 60

DONE, PLANNED, BORROWING, GIVEN_UP = range(4)

NO_ROUTE = -1


@rule
def refresh(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """See that the plan in the memory is a good one for this position."""
    if begins_anew(state, memory, seat):
        memory.withdrew_with = 0
        lay_out(board, memory)
        make_plan(board, state, memory, seat)
    elif has_changed(board, state, memory, seat):
        make_plan(board, state, memory, seat)
    memory.turns = state.turns


@rule
def begins_anew(state: State, memory: Memory, seat: int) -> bool:
    """Return whether the memory has no plan, or one for another seat or another course of the game."""
    return bool(memory.planned == 0 or memory.seat != seat or state.turns < memory.turns)


@rule
def has_changed(board: BoardTables, state: State, memory: Memory, seat: int) -> bool:
    """Return whether the plan must be made anew; own claims are taken off it."""
    if memory.tickets != state.tickets_held[seat, 0] + state.tickets_held[seat, 1]:
        return True
    if memory.stations != state.stations_built[seat]:
        return True
    if memory.given_up > 0 and state.stations_built[seat] < board.stations:
        return True
    for word in range(board.route_words):
        lost = memory.plan[word] & ~open_routes(state, seat, word)
        while lost != 0:
            bit = lowest(lost)
            lost &= lost - 1
            route = word * WORD + bit
            if state.route_owner[route] != seat:
                return True
            memory.plan[word] &= ~(1 << bit)
            memory.plan_pieces[board.route_piece[route]] -= board.route_length[route]
    return not suffices(board, state, memory, seat, 0, 0)


@rule
def make_plan(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Make a plan for the tickets held."""
    list_held(board, state, memory, seat)
    plan_held(board, state, memory, seat)


@rule
def forget_plan(memory: Memory) -> None:
    """Forget the plan: no route is planned."""
    for word in range(ROUTE_WORDS):
        memory.plan[word] = 0
    for kind in range(2):
        memory.plan_pieces[kind] = 0


@rule
def plan_held(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Plan ticket by ticket, the most valuable first: the cheapest connection beside what is planned already."""
    memory.planned = 1
    memory.seat = seat
    memory.tickets = state.tickets_held[seat, 0] + state.tickets_held[seat, 1]
    memory.stations = state.stations_built[seat]
    memory.station_at = -1
    memory.given_up = 0
    forget_plan(memory)
    set_costs(board, state, memory, seat)
    for n in range(memory.held_count):
        cost = connect(board, state, memory, seat, memory.held[n])
        memory.outlook[n] = GIVEN_UP if cost == NEVER else DONE if cost == 0 else PLANNED
        for word in range(ROUTE_WORDS):
            memory.connection[n, word] = memory.trial[word]
        if cost == NEVER:
            memory.given_up += 1
        else:
            keep_trial(board, memory)
    if memory.given_up > 0 and board.stations > 0:
        plan_borrowing(board, state, memory, seat)


# ------------------------------------------------------------------------------------------------- the lie of the land


@rule
def lay_out(board: BoardTables, memory: Memory) -> None:
    """Put the ways out of each place in the memory, and what routes cost on an empty board."""
    shortest_paths.lay_out(board, memory)
    for ticket in range(board.tickets):
        memory.joined[ticket] = 0
    for route in range(board.routes):
        memory.price[route] = price_of(board, route)


@rule
def price_of(board: BoardTables, route: int) -> int:
    """Return the cost of building a route: the cards, the turn and the risk, less some of the points it brings."""
    cards_asked = board.route_price[route] + board.route_pairs[route]
    price = CARD * cards_asked + CLAIMING - SCORED * board.route_points[route]
    price += WILD_ASKED * board.route_wilds[route] + TUNNEL_RISK * board.route_tunnel[route]
    return max(1, price)


@rule
def set_costs(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Set what each route costs the seat now, plans aside."""
    for route in range(board.routes):
        memory.cost[route] = 0 if state.route_owner[route] == seat else NEVER
    first, second = stock(board, state, seat, 0), stock(board, state, seat, 1)
    for word in range(board.route_words):
        bits = open_routes(state, seat, word)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if board.route_length[route] <= (second if board.route_piece[route] else first):
                memory.cost[route] = memory.price[route]


@rule
def open_routes(state: State, seat: int, word: int) -> int:
    """Return one word of the set of routes that the seat could still own, cards and pieces aside."""
    return state.free[word] & ~state.barred[seat, word]


@rule
def is_open(state: State, seat: int, route: int) -> bool:
    """Return whether the seat could still own the route, cards and pieces aside."""
    return (open_routes(state, seat, route // WORD) >> (route % WORD)) & 1 == 1


@rule
def touches(board: BoardTables, state: State, seat: int, route: int) -> bool:
    """Return whether the seat has a route at either end of this one."""
    a = board.route_a[route]
    b = board.route_b[route]
    return ((state.reached[seat, a // WORD] >> (a % WORD)) | (state.reached[seat, b // WORD] >> (b % WORD))) & 1 == 1


@rule
def stock(board: BoardTables, state: State, seat: int, kind: int) -> int:
    """Return the pieces of a kind that the seat has or could swap for; before the fleets are chosen, all of them."""
    if board.fleet and state.setting_up:
        return board.pieces[kind]
    return state.pieces[seat, kind] + state.box[seat, kind]


@rule
def all_pieces(board: BoardTables, state: State, seat: int) -> int:
    """Return the pieces of both kinds that the seat may still put on the board."""
    if board.fleet and state.setting_up:
        return board.fleet
    return state.pieces[seat, 0] + state.pieces[seat, 1]


@rule
def cards_held(state: State, seat: int) -> int:
    """Return the cards in a seat's hand."""
    return state.hand_size[seat, 0] + state.hand_size[seat, 1]


@rule
def suffices(board: BoardTables, state: State, memory: Memory, seat: int, first: int, second: int) -> bool:
    """Return whether the pieces are enough for the plan and for `first` and `second` more of each kind."""
    first += memory.plan_pieces[0]
    second += memory.plan_pieces[1]
    if first > stock(board, state, seat, 0) or second > stock(board, state, seat, 1):
        return False
    return first + second <= all_pieces(board, state, seat)


@rule
def room(board: BoardTables, state: State, memory: Memory, seat: int, kind: int) -> int:
    """Return the longest route of a kind that can be claimed beside the plan; below 0 if the pieces are too few
    already.
    """
    if not suffices(board, state, memory, seat, 0, 0):
        return -1
    beside = all_pieces(board, state, seat) - memory.plan_pieces[0] - memory.plan_pieces[1]
    return min(beside, stock(board, state, seat, kind) - memory.plan_pieces[kind])


@rule
def list_held(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """List the tickets the seat has kept by falling value, without those that may still be sent back."""
    memory.held_count = 0
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == seat and not is_offered(state, seat, ticket):
            hold(board, memory, ticket)


@rule
def hold(board: BoardTables, memory: Memory, ticket: int) -> None:
    """Insert one more ticket to plan for, in its place by value."""
    at = min(memory.held_count, MAX_HELD - 1)
    while at > 0 and board.ticket_value[memory.held[at - 1]] < board.ticket_value[ticket]:
        memory.held[at] = memory.held[at - 1]
        at -= 1
    memory.held[at] = ticket
    memory.held_count = min(memory.held_count + 1, MAX_HELD)


@rule
def is_offered(state: State, seat: int, ticket: int) -> bool:
    """Return whether the seat has yet to choose whether to keep the ticket."""
    for n in range(state.offer_size[seat]):
        if state.offer[seat, n] == ticket:
            return True
    return False


# ----------------------------------------------------------------------------------------------------- connections


@rule
def connect(board: BoardTables, state: State, memory: Memory, seat: int, ticket: int) -> int:
    """Return the cost of doing a ticket, NEVER if impossible; `memory.trial` holds the routes to be claimed for it.

    A tour is connected from place to place. `keep_trial` puts the connection into the plan.
    """
    cost = 0
    for word in range(ROUTE_WORDS):
        memory.trial[word] = 0
    for kind in range(2):
        memory.trial_pieces[kind] = 0
    if not memory.joined[ticket]:
        cost = find_way(board, state, memory, seat, ticket)
        if cost == 0 and tries_nothing(memory):
            memory.joined[ticket] = 1
    if cost != NEVER and not suffices(board, state, memory, seat, memory.trial_pieces[0], memory.trial_pieces[1]):
        return NEVER
    return cost


@rule
def find_way(board: BoardTables, state: State, memory: Memory, seat: int, ticket: int) -> int:
    """Put the cheapest way from place to place of a ticket into `memory.trial`; what it costs."""
    cost = 0
    for n in range(1, board.ticket_size[ticket]):
        start = board.ticket_place[ticket, n - 1]
        goal = board.ticket_place[ticket, n]
        leg = shortest_paths.cheapest(board, memory, start, goal)
        if leg == NEVER:
            cost = NEVER
            break
        cost += leg
        walk_back(board, state, memory, seat, start, goal)
    reopen_trial(board, memory)
    return cost


@rule
def tries_nothing(memory: Memory) -> bool:
    """Return whether no route is on trial."""
    for word in range(ROUTE_WORDS):
        if memory.trial[word] != 0:
            return False
    return True


@rule
def walk_back(board: BoardTables, state: State, memory: Memory, seat: int, start: int, goal: int) -> None:
    """Add what is not yet owned of the way just found to `memory.trial`, and count its pieces."""
    here = goal
    while here != start:
        route = memory.came_by[here]
        here = board.route_b[route] if board.route_a[route] == here else board.route_a[route]
        word = route // WORD
        bit = 1 << (route % WORD)
        if state.route_owner[route] != seat and memory.trial[word] & bit == 0:
            memory.trial[word] |= bit
            if memory.plan[word] & bit == 0 and is_open(state, seat, route):
                memory.trial_pieces[board.route_piece[route]] += board.route_length[route]
            memory.cost[route] = 0


@rule
def reopen_trial(board: BoardTables, memory: Memory) -> None:
    """Give the routes on trial their cost again, except those of the plan."""
    for word in range(board.route_words):
        bits = memory.trial[word] & ~memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            memory.cost[route] = memory.price[route]


@rule
def keep_trial(board: BoardTables, memory: Memory) -> None:
    """Put the connection just tried into the plan."""
    for word in range(board.route_words):
        bits = memory.trial[word] & ~memory.plan[word]
        memory.plan[word] |= bits
        while bits != 0:
            memory.cost[word * WORD + lowest(bits)] = 0
            bits &= bits - 1
    for kind in range(2):
        memory.plan_pieces[kind] += memory.trial_pieces[kind]


# -------------------------------------------------------------------------------------------------- borrowed routes


@rule
def plan_borrowing(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """STA-3: Plan for tickets that cannot be done alone: look for a way over routes of others, one for each station."""
    allow_borrowing(board, state, memory, seat)
    for n in range(memory.held_count):
        if memory.outlook[n] == GIVEN_UP and memory.station_at < 0:
            cost = connect(board, state, memory, seat, memory.held[n])
            forget_foreign_price(board, state, memory, seat)
            if cost != NEVER and lays_out_stations(board, state, memory, seat):
                memory.outlook[n] = BORROWING
                for word in range(ROUTE_WORDS):
                    memory.connection[n, word] = memory.trial[word]
                keep_trial(board, memory)
    for route in range(board.routes):
        if state.route_owner[route] >= 0 and state.route_owner[route] != seat:
            memory.cost[route] = NEVER


@rule
def allow_borrowing(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Let routes of others cost what a station does, where one stands or may be built."""
    for route in range(board.routes):
        if state.route_owner[route] >= 0 and state.route_owner[route] != seat:
            a = board.route_a[route]
            b = board.route_b[route]
            may_build = state.stations_built[seat] < board.stations
            if beside_own_station(board, state, seat, route) or (
                may_build and (station_may_stand(state, a) or station_may_stand(state, b))
            ):
                memory.cost[route] = price_of_borrowing(board, state, seat, route)


@rule
def beside_own_station(board: BoardTables, state: State, seat: int, route: int) -> bool:
    """Return whether a station of the seat stands at one of the route's ends."""
    return state.station_owner[board.route_a[route]] == seat or state.station_owner[board.route_b[route]] == seat


@rule
def price_of_borrowing(board: BoardTables, state: State, seat: int, route: int) -> int:
    """Return the cost of another seat's route: much less where a station stands already."""
    return BORROWED // 4 if beside_own_station(board, state, seat, route) else BORROWED


@rule
def station_may_stand(state: State, place: int) -> bool:
    """STA-1: Return whether the place is a city without a station."""
    return (state.station_free[place // WORD] >> (place % WORD)) & 1 == 1


@rule
def forget_foreign_price(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Let routes of others cost a station again, after `reopen_trial` has given them their own price back."""
    for word in range(board.route_words):
        bits = memory.trial[word] & ~memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if state.route_owner[route] >= 0 and state.route_owner[route] != seat:
                memory.cost[route] = price_of_borrowing(board, state, seat, route)


@rule
def lays_out_stations(board: BoardTables, state: State, memory: Memory, seat: int) -> bool:
    """Take the foreign routes off the trial and note where a station is wanted; False if there are too few."""
    wanted = 0
    place = -1
    for word in range(board.route_words):
        bits = memory.trial[word]
        while bits != 0:
            bit = lowest(bits)
            bits &= bits - 1
            route = word * WORD + bit
            if state.route_owner[route] >= 0:
                memory.trial[word] &= ~(1 << bit)
                if not beside_own_station(board, state, seat, route):
                    wanted += 1
                    a = board.route_a[route]
                    place = a if station_may_stand(state, a) else board.route_b[route]
    if wanted > board.stations - state.stations_built[seat]:
        return False
    memory.station_at = place
    return True
