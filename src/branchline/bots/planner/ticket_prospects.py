"""What tickets would bring: those in the decks, for drawing some; those on offer, for keeping them."""

from __future__ import annotations

from branchline.boards.limits import MAX_OFFER
from branchline.boards.tables import BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.bots.planner import forest, pace, plan, shortest_paths
from branchline.bots.planner.paying import lowest_action
from branchline.bots.planner.route_values import TENTHS
from branchline.bots.planner.shortest_paths import NEVER
from branchline.bots.planner.ticket_choice import mean_value, nearest_mix
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import is_legal
from branchline.rules.state import KEEP, LEFT_GAME, Scratch, State

MOST_LEAD = 60  # points that count

# ------------------------------------------------------------------------------------------------- unseen tickets


@rule
def is_unseen(state: State, ticket: int, seat: int) -> bool:
    """Return whether a seat does not know where the ticket is: it neither holds it nor has put it out of the game.

    So what it draws for is the same whether it is shown what it may know, or, in an imagined world, everything.
    """
    at = state.ticket_at[ticket]
    return at not in (seat, LEFT_GAME - seat)


@rule
def weigh_unseen(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Set for every ticket that is out of sight what it would bring beside the plan, in tenths of points.

    Its places are joined to the network, planned routes included: to that part of it to which it costs least. What
    would do a ticket without touching the network is overlooked; that is rare, and finding it takes ten times as long.
    """
    for ticket in range(board.tickets):
        memory.gain[ticket] = -TENTHS * board.ticket_penalty[ticket]
    for place in range(board.places):
        memory.looked_at[place] = 0
    for start in range(board.places):
        if memory.looked_at[start] == 0 and is_in_network(board, memory, start):
            spread(board, memory, start)
            for place in range(board.places):
                if memory.distance[place] == 0:
                    memory.looked_at[place] = 1
            for ticket in range(board.tickets):
                if is_unseen(state, ticket, seat):
                    memory.gain[ticket] = max(memory.gain[ticket], gain_joined(board, state, memory, seat, ticket))


@rule
def is_in_network(board: BoardTables, memory: Memory, place: int) -> bool:
    """Return whether the seat has or plans a route there; a country joins nothing."""
    if shortest_paths.leads_on(board, place, shortest_paths.NOWHERE):
        for way in range(memory.first_way[place], memory.first_way[place + 1]):
            if memory.cost[memory.way_route[way]] == 0:
                return True
    return False


@rule
def gain_joined(board: BoardTables, state: State, memory: Memory, seat: int, ticket: int) -> int:
    """Return what an unseen ticket brings if its places are joined to where the paths were spread from."""
    cost = 0
    time = 0
    first = 0
    second = 0
    for n in range(board.ticket_size[ticket]):
        place = board.ticket_place[ticket, n]
        if memory.distance[place] == NEVER:
            return -NEVER
        cost += memory.distance[place]
        time += memory.takes[place]
        first += memory.on_the_way[place, 0]
        second += memory.on_the_way[place, 1]
    if time > time_spare(memory) or not plan.suffices(board, state, memory, seat, first, second):
        return -NEVER
    return brings(board, memory, ticket) - cost


@rule
def time_spare(memory: Memory) -> int:
    """Return the hundredths of turns that the plan and the drawing of tickets leave."""
    return memory.time_left - memory.time_needed - pace.TURN


@rule
def brings(board: BoardTables, memory: Memory, ticket: int) -> int:
    """Return what a ticket brings when it is done, in tenths of points."""
    return TENTHS * board.ticket_any_order[ticket] + TENTHS * board.tickets_bonus * memory.weight[weights.MOST] // 100


@rule
def spread(board: BoardTables, memory: Memory, start: int) -> None:
    """Spread the cheapest ways from a place to all others, with the pieces and the time they take."""
    shortest_paths.set_out(board, memory, start)
    memory.takes[start] = 0
    memory.on_the_way[start, 0] = 0
    memory.on_the_way[start, 1] = 0
    while True:
        here = shortest_paths.next_place(memory)
        if here < 0:
            return
        if shortest_paths.leads_on(board, here, start):
            for way in range(memory.first_way[here], memory.first_way[here + 1]):
                route = memory.way_route[way]
                there = memory.way_place[way]
                cost = memory.cost[route]
                if shortest_paths.is_nearer(memory, there, memory.distance[here] + cost):
                    memory.takes[there] = memory.takes[here]
                    memory.on_the_way[there, 0] = memory.on_the_way[here, 0]
                    memory.on_the_way[there, 1] = memory.on_the_way[here, 1]
                    if cost > 0:
                        memory.takes[there] += memory.takes_route[route]
                        memory.on_the_way[there, board.route_piece[route]] += board.route_length[route]


@rule
def prospect(board: BoardTables, state: State, memory: Memory, seat: int, deck: int, drawn: int) -> int:
    """Return what `drawn` tickets from a deck are expected to bring, at least one being kept; needs `memory.gain`."""
    unseen = 0
    good = 0
    best_bad = -NEVER
    bad = 0
    loss = 0
    for ticket in range(board.tickets):
        if is_unseen(state, ticket, seat) and board.ticket_deck[ticket] == deck:
            unseen += 1
            if memory.gain[ticket] > 0:
                good += memory.gain[ticket]
            else:
                bad += 1
                loss += memory.gain[ticket]
                best_bad = max(best_bad, memory.gain[ticket])
    drawn = min(drawn, state.ticket_count[deck])
    if unseen == 0 or drawn == 0:
        return -NEVER
    mean = good // unseen
    expected = mean + mean * (drawn - 1) * memory.weight[weights.SECOND] // 100
    if bad > 0:
        all_bad = 1000
        for n in range(drawn):
            all_bad = all_bad * max(0, bad - n) // max(1, unseen - n)
        expected += all_bad * (best_bad + loss // bad) // 2000
    return expected


@rule
def wants_tickets(board: BoardTables, state: State, memory: Memory, seat: int) -> bool:
    """Return whether tickets are expected to bring more than a turn does, less the cost of completing them."""
    if state.turns_to_go >= 0 or memory.too_late > 0 or time_spare(memory) < 0 or not worth_a_look(memory):
        return False
    if memory.time_needed > pace.TURN * memory.weight[weights.BUSY]:
        return False
    weigh_unseen(board, state, memory, seat)
    return best_prospect(board, state, memory, seat) * 100 >= memory.turn_price * asked_of_tickets(state, memory, seat)


@rule
def asked_of_tickets(state: State, memory: Memory, seat: int) -> int:
    """Return how many per cent of a turn's worth tickets must bring: less for a seat that is behind and must take
    risks.
    """
    asked = memory.weight[weights.DRAW_AT]
    return asked + asked * memory.weight[weights.DARING] * lead(state, seat) // 1000  # per cent for each ten points


@rule
def lead(state: State, seat: int) -> int:
    """Return the route points by which the seat leads the best of the others, within limits; below 0 if it is
    behind.
    """
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, state.route_points[other])
    return max(-MOST_LEAD, min(MOST_LEAD, state.route_points[seat] - best))


@rule
def worth_a_look(memory: Memory) -> bool:
    """Return whether there is room in the memory for more tickets."""
    return memory.held_count < len(memory.held) - MAX_OFFER


@rule
def best_prospect(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return what the next draw of tickets is expected to bring."""
    best = -NEVER
    for deck in range(board.ticket_decks):
        drawn = board.later_mix if board.later_mix > 0 else board.later_deal[deck]
        best = max(best, prospect(board, state, memory, seat, deck, drawn))
    return best


@rule
def choose_mix(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return all from the deck that promises more; before there is a plan, as many long ones as the weights say."""
    forest.refresh(board, state, memory, seat)
    size = board.first_mix if state.setting_up else board.later_mix
    if state.setting_up:
        valuable = min(memory.weight[weights.FIRST_LONG], size)
        from_first = valuable if mean_value(board, 0) > mean_value(board, 1) else size - valuable
    else:
        weigh_unseen(board, state, memory, seat)
        first = prospect(board, state, memory, seat, 0, size)
        from_first = size if first >= prospect(board, state, memory, seat, 1, size) else 0
    return nearest_mix(scratch, from_first)


# ------------------------------------------------------------------------------------------------ tickets on offer


@rule
def choose_kept(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return of all sets that may be kept the one that is worth most with a plan for it."""
    memory.planned = 0
    forest.refresh(board, state, memory, seat)
    best = -1
    most = 0
    for kept in range(1 << state.offer_size[seat]):
        if is_legal(scratch, KEEP + kept):
            value = worth_of_keeping(board, state, memory, seat, kept)
            if best < 0 or value > most:
                best = kept
                most = value
    memory.planned = 0
    return KEEP + best if best >= 0 else lowest_action(scratch)


@rule
def worth_of_keeping(board: BoardTables, state: State, memory: Memory, seat: int, kept: int) -> int:
    """Return the value of all tickets with these, less what the plan for them takes, in tenths of points."""
    plan.list_held(board, state, memory, seat)
    for n in range(state.offer_size[seat]):
        if (kept >> n) & 1:
            plan.hold(board, memory, state.offer[seat, n])
    plan.plan_held(board, state, memory, seat)
    forest.improve(board, state, memory, seat)
    forest.give_up_late(board, state, memory, seat)
    value = -memory.weight[weights.KEEP] * popcount(kept)
    for n in range(memory.held_count):
        ticket = memory.held[n]
        if memory.outlook[n] == plan.GIVEN_UP:
            value -= TENTHS * board.ticket_penalty[ticket]
        else:
            value += brings(board, memory, ticket)
    return value - forest.price_of_plan(board, memory) * memory.weight[weights.PRICED] // 100
