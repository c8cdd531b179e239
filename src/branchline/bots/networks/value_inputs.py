"""What the value network sees of a position: what every seat has, holds and plans, and what the board is like.

The seats stand in their order, absent ones as zeros, so that one network serves every number of seats. Most inputs are
about 0 to 3.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_SEATS
from branchline.boards.tables import ANY_COLOUR, DOUBLE, MARKED, TRAIN, WILD_KIND, WORD, BoardTables
from branchline.bots.api.memory import Memories, Memory
from branchline.bots.planner import plan, planner, route_values
from branchline.rules import catalogue, network, scoring, trail
from branchline.rules.kernel import popcount, rule, shared_rule
from branchline.rules.sets import lowest
from branchline.rules.state import IN_DECK, Scratch, State
from branchline.runtime.structs import Reals

AIMS = 3  # routes of each seat's schedule that are looked at

# Where the groups of a seat's inputs begin.
SCORE = 0
HAND = SCORE + 17
TICKETS = HAND + 7
TIME = TICKETS + 10
SCHEDULE = TIME + 7
PLANNED = SCHEDULE + 4 + 3 * AIMS
PLAN_CARDS = PLANNED + 11
RIVALS = PLAN_CARDS + 4
NETWORK = RIVALS + 2
PASSENGERS = NETWORK + 5
OF_SEAT = PASSENGERS + 8

OF_BOARD = 14
INPUTS = MAX_SEATS * OF_SEAT + OF_BOARD

LONG, SHORT = 5, 2  # spaces of routes that are counted as long, or short


@shared_rule
def look(board: BoardTables, state: State, scratch: Scratch, memories: Memories, seat: int, inputs: Reals) -> None:
    """Write the inputs: the seat's own, those of the others by falling score as it stands, those of the board.

    All hands and tickets must be known, as in an imagined world. Each seat's memory has its plan afterwards.
    """
    scoring.score(board, state, scratch)
    for n in range(INPUTS):
        inputs[n] = 0.0
    for other in range(state.seats):
        planner.want(board, state, memories[other], other)
    for other in range(state.seats):
        at = OF_SEAT * place_of(state, scratch, seat, other)
        memory = memories[other]
        look_at_score(state, scratch, other, inputs, at + SCORE)
        look_at_hand(board, state, other, inputs, at + HAND)
        look_at_tickets(board, memory, inputs, at + TICKETS)
        look_at_ticket_values(board, memory, inputs, at + TICKETS + 4)
        look_at_time(board, state, memory, other, inputs, at + TIME)
        look_at_schedule(memory, inputs, at + SCHEDULE)
        look_at_planned_routes(board, memory, inputs, at + PLANNED)
        look_at_plan_cards(board, memory, inputs, at + PLAN_CARDS)
        look_at_rivals(board, state, memories, other, inputs, at + RIVALS)
        look_at_network(board, state, scratch, memory, other, inputs, at + NETWORK)
        if board.passenger_colours:
            look_at_passengers(board, state, memory, other, inputs, at + PASSENGERS)
    look_at_board(board, state, inputs, MAX_SEATS * OF_SEAT)


@rule
def place_of(state: State, scratch: Scratch, seat: int, other: int) -> int:
    """Return a seat's place among the inputs: the one that asks, then by score; of equals the first."""
    if other == seat:
        return 0
    ahead = 1
    for rival in range(state.seats):
        if rival not in (seat, other):
            lead = scratch.total[rival] - scratch.total[other]
            ahead += lead > 0 or (lead == 0 and rival < other)
    return ahead


@rule
def look_at_board(board: BoardTables, state: State, inputs: Reals, at: int) -> None:
    """Set OF_BOARD inputs: how far the game is, and what the board is like."""
    inputs[at] = state.turns / (25.0 * state.seats)
    inputs[at + 1] = state.turns_to_go >= 0
    inputs[at + 2] = max(0, state.turns_to_go) / (1.0 * state.seats)
    inputs[at + 3] = state.seats / 5.0
    inputs[at + 4] = (board.fleet + board.pieces[0] + board.pieces[1]) / 50.0
    inputs[at + 5] = board.trail_bonus / 10.0
    inputs[at + 6] = board.tickets_bonus / 10.0
    inputs[at + 7] = board.stations / 3.0
    inputs[at + 8] = board.passenger_colours / 5.0
    inputs[at + 9] = board.ports / 3.0
    inputs[at + 10] = board.extra_turns
    inputs[at + 11] = board.routes / 100.0
    inputs[at + 12] = (state.ticket_count[0] + state.ticket_count[1]) / 30.0
    inputs[at + 13] = (state.deck_size[0] + state.deck_size[1]) / 100.0


@rule
def look_at_score(state: State, scratch: Scratch, seat: int, inputs: Reals, at: int) -> None:
    """Set 17 inputs: that there is a seat, how soon it is asked, its score if the game ended now, its pieces and
    ports.
    """
    inputs[at] = 1.0
    inputs[at + 1] = (seat - state.seat + state.seats) % state.seats / (1.0 * state.seats)
    inputs[at + 2] = scratch.total[seat] / 30.0
    inputs[at + 3] = scratch.parts[catalogue.ROUTES, seat] / 30.0
    inputs[at + 4] = (scratch.parts[catalogue.TICKETS, seat] + scratch.parts[catalogue.TOURS, seat]) / 30.0
    inputs[at + 5] = scratch.trail[seat] / 15.0
    inputs[at + 6] = scratch.parts[catalogue.TRAIL_BONUS, seat] / 10.0
    inputs[at + 7] = scratch.parts[catalogue.PASSENGERS, seat] / 30.0
    inputs[at + 8] = scratch.parts[catalogue.PORTS, seat] / 30.0
    inputs[at + 9] = scratch.parts[catalogue.TICKETS_BONUS, seat] / 10.0
    inputs[at + 10] = scratch.parts[catalogue.STATIONS, seat] / 10.0
    inputs[at + 11] = state.pieces[seat, 0] / 15.0
    inputs[at + 12] = state.pieces[seat, 1] / 15.0
    inputs[at + 13] = state.hand_size[seat, 0] / 5.0
    inputs[at + 14] = state.hand_size[seat, 1] / 5.0
    inputs[at + 15] = scratch.tickets_done[seat] / 3.0
    inputs[at + 16] = state.ports_built[seat] / 3.0


@rule
def look_at_hand(board: BoardTables, state: State, seat: int, inputs: Reals, at: int) -> None:
    """Set seven inputs: wilds, the three commonest colours, colours with three or more, double ships, port marks."""
    first = 0
    second = 0
    third = 0
    many = 0
    double = 0
    marked = 0
    for n in range(board.colours):
        colour = board.colour[n]
        count = state.hand[seat, TRAIN + colour] + state.hand[seat, MARKED + colour]
        third = max(third, min(second, count))
        second = max(second, min(first, count))
        first = max(first, count)
        many += count >= 3
        double += state.hand[seat, DOUBLE + colour]
        marked += state.hand[seat, MARKED + colour]
    inputs[at] = state.hand[seat, WILD_KIND] / 2.0
    inputs[at + 1] = first / 4.0
    inputs[at + 2] = second / 3.0
    inputs[at + 3] = third / 3.0
    inputs[at + 4] = many / 3.0
    inputs[at + 5] = double / 3.0
    inputs[at + 6] = marked / 3.0


@rule
def look_at_tickets(board: BoardTables, memory: Memory, inputs: Reals, at: int) -> None:
    """Set four inputs: the swing of the tickets still to be done, those given up, how many are open, how long the
    longest.
    """
    swing = 0
    lost = 0
    still_open = 0
    claims = 0
    for n in range(memory.held_count):
        ticket = memory.held[n]
        if memory.outlook[n] == plan.GIVEN_UP:
            lost += board.ticket_penalty[ticket]
        elif memory.outlook[n] != plan.DONE:
            swing += board.ticket_any_order[ticket] + board.ticket_penalty[ticket]
            still_open += 1
            claims = max(claims, route_values.claims_missing(board, memory, n))
    inputs[at] = swing / 30.0
    inputs[at + 1] = lost / 20.0
    inputs[at + 2] = still_open / 3.0
    inputs[at + 3] = claims / 4.0


@rule
def look_at_ticket_values(board: BoardTables, memory: Memory, inputs: Reals, at: int) -> None:
    """Set six inputs: of the tickets done, and of those to be done, the values, their squares, and their number."""
    for n in range(memory.held_count):
        if memory.outlook[n] != plan.GIVEN_UP:
            group = at if memory.outlook[n] == plan.DONE else at + 3
            worth = board.ticket_value[memory.held[n]] / 10.0
            inputs[group] += worth
            inputs[group + 1] += worth * worth / 4.0
            inputs[group + 2] += 1.0


@rule
def look_at_time(board: BoardTables, state: State, memory: Memory, seat: int, inputs: Reals, at: int) -> None:
    """Set seven inputs: the time left and its worth, what the plan takes of it, pieces for which there is no card."""
    inputs[at] = memory.time_left / 1000.0
    inputs[at + 1] = memory.time_needed / 1000.0
    inputs[at + 2] = memory.turn_price / 30.0
    inputs[at + 3] = memory.turn_price * memory.time_left / 30_000.0
    inputs[at + 4] = memory.time_left > memory.time_needed
    inputs[at + 5] = max(0, plan.all_pieces(board, state, seat) - plan.cards_held(state, seat)) / 15.0
    inputs[at + 6] = memory.aims / 3.0


@rule
def look_at_schedule(memory: Memory, inputs: Reals, at: int) -> None:
    """Set what the schedule brings and lacks, in four inputs, and its first routes, in three inputs each."""
    brings = 0
    lacks = 0
    ready = 0
    for n in range(memory.aims):
        route = memory.aim[n]
        brings += memory.route_value[route]
        lacks += memory.missing[route]
        ready += memory.missing[route] == 0
    inputs[at] = brings / 300.0
    inputs[at + 1] = lacks / 10.0
    inputs[at + 2] = ready / 2.0
    inputs[at + 3] = ready > 0
    look_at_aims(memory, inputs, at + 4)


@rule
def look_at_aims(memory: Memory, inputs: Reals, at: int) -> None:
    """Set three inputs for each of the schedule's first routes: its rate, the cards it lacks, its worth."""
    for n in range(min(AIMS, memory.aims)):
        route = memory.aim[n]
        inputs[at + 3 * n] = memory.rate[route] / 1000.0
        inputs[at + 3 * n + 1] = memory.missing[route] / 2.0
        inputs[at + 3 * n + 2] = memory.route_value[route] / 100.0


@rule
def look_at_planned_routes(board: BoardTables, memory: Memory, inputs: Reals, at: int) -> None:
    """Set eleven inputs: the pieces that the plan takes, and of its routes how many there are, and of which sorts."""
    inputs[at] = memory.plan_pieces[0] / 15.0
    inputs[at + 1] = memory.plan_pieces[1] / 15.0
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            inputs[at + 2] += 0.2
            inputs[at + 3] += board.route_points[route] / 20.0
            inputs[at + 4] += 0.5 * (board.route_length[route] >= LONG)
            inputs[at + 5] += 0.5 * (board.route_length[route] <= SHORT)
            inputs[at + 6] += 0.5 * board.route_tunnel[route]
            inputs[at + 7] += 0.5 * board.route_wilds[route]
            inputs[at + 8] += 0.2 * (board.route_colour[route] == ANY_COLOUR)
            inputs[at + 9] += (board.route_price[route] + board.route_pairs[route]) / 10.0
            inputs[at + 10] += 0.2 * has_parallel(board, route)


@rule
def has_parallel(board: BoardTables, route: int) -> bool:
    """Return whether there are other lines beside the route."""
    for word in range(board.route_words):
        if board.siblings[route, word] != 0:
            return True
    return False


@rule
def look_at_plan_cards(board: BoardTables, memory: Memory, inputs: Reals, at: int) -> None:
    """Set four inputs: the cards the plan lacks, those of its readiest route, how many routes lack none or one."""
    lacks = 0
    least = 0
    ready = 0
    nearly = 0
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            missing = memory.missing[word * WORD + lowest(bits)]
            bits &= bits - 1
            least = missing if lacks + ready == 0 else min(least, missing)
            lacks += missing
            ready += missing == 0
            nearly += missing == 1
    inputs[at] = lacks / 10.0
    inputs[at + 1] = least / 3.0
    inputs[at + 2] = ready / 3.0
    inputs[at + 3] = nearly / 3.0


@rule
def look_at_rivals(board: BoardTables, state: State, memories: Memories, seat: int, inputs: Reals, at: int) -> None:
    """Set two inputs: on how many routes of the plan, and of the schedule, another seat has designs."""
    planned = 0
    for word in range(board.route_words):
        others = 0
        for other in range(state.seats):
            if other != seat:
                others |= memories[other].plan[word]
        planned += popcount(memories[seat].plan[word] & others)
    aimed = 0
    for other in range(state.seats):
        if other != seat:
            for n in range(memories[seat].aims):
                for m in range(memories[other].aims):
                    aimed += memories[seat].aim[n] == memories[other].aim[m]
    inputs[at] = planned / 3.0
    inputs[at + 1] = aimed / 3.0


@rule
def look_at_network(
    board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, inputs: Reals, at: int
) -> None:
    """Set five inputs: the tickets in the decks that the network does, now and as planned; the trail as planned."""
    network.find_components(board, state, scratch, seat)
    look_at_tickets_done(board, state, scratch, inputs, at)
    list_network(board, state, scratch, memory, seat)
    network.join_listed(board, scratch)
    look_at_tickets_done(board, state, scratch, inputs, at + 2)
    if board.trail_bonus:
        inputs[at + 4] = trail.longest_of_listed(board, scratch) / 15.0


@rule
def look_at_tickets_done(board: BoardTables, state: State, scratch: Scratch, inputs: Reals, at: int) -> None:
    """Set two inputs: of the tickets in the decks that the joined places do, the values, and their number."""
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == IN_DECK and network.ticket_joined(board, scratch, ticket):
            inputs[at] += board.ticket_value[ticket] / 40.0
            inputs[at + 1] += 0.1


@rule
def list_network(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> None:
    """List the routes of the seat and those of its plan in `scratch.own`."""
    count = 0
    for route in range(board.routes):
        scratch.own[count] = route
        planned = (memory.plan[route // WORD] >> (route % WORD)) & 1 == 1
        count += planned or state.route_owner[route] == seat
    scratch.own_count = count


@rule
def note_places(board: BoardTables, memory: Memory) -> None:
    """Note at which places a route is planned."""
    for word in range(board.place_words):
        memory.plan_reaches[word] = 0
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            for place in (board.route_a[route], board.route_b[route]):
                memory.plan_reaches[place // WORD] |= 1 << (place % WORD)


@rule
def look_at_passengers(board: BoardTables, state: State, memory: Memory, seat: int, inputs: Reals, at: int) -> None:
    """Set eight inputs: passengers taken, how the races for them stand, and who waits where a route is planned."""
    note_places(board, memory)
    for n in range(board.passenger_colours):
        colour = board.passenger_colour[n]
        left = 0
        for place in range(board.places):
            waiting = state.waiting[place, colour]
            left += waiting
            if (memory.plan_reaches[place // WORD] >> (place % WORD)) & 1 == 1:
                inputs[at + 6] += waiting / 10.0
        best = 0
        for other in range(state.seats):
            if other != seat:
                best = max(best, state.passengers[other, colour])
        lead = state.passengers[seat, colour] - best
        inputs[at] += state.passengers[seat, colour] / 10.0
        inputs[at + 1] += max(-1.0, min(1.0, 2.0 * lead / (2.0 + left)))
        inputs[at + 2] += lead > left
        inputs[at + 3] += -left <= lead <= left
        inputs[at + 4] += lead >= 0
        inputs[at + 5] += left / 10.0
    for place in range(board.places):
        if (memory.plan_reaches[place // WORD] >> (place % WORD)) & 1 == 1:
            inputs[at + 7] += memory.waits[place] / 200.0
