"""What claiming a route is worth to a seat, what it still takes, and which cards are wanted for it."""

from __future__ import annotations

from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import ANY_COLOUR, DOUBLE, KINDS, MARKED, SHIP, TRAIN, WILD_KIND, WORD, BoardTables
from branchline.bots.api.memory import MOST_ALIKE, Memory
from branchline.bots.planner import plan
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

TENTHS = 10  # worth is reckoned in tenths of points
SCALE = 64  # of rates, so that they stay whole numbers
AIMS = 6  # routes, the best ones, for which cards are collected
OFF_PLAN = 30  # per cent: what a route that serves no ticket counts while others do
PASSENGER = 35  # a passenger to be taken is worth this
DANGER = 25  # per cent more for a planned route that joins places where others are

# What a claim takes, in quarters of a turn.
THE_CLAIM = 4
CARD_MISSING = 3
CARD_PAID = 1
WILD_PAID = 2


@rule
def rate_routes(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Rate every open route: its worth, and its worth for the time it takes.

    The best ones become the aims, in their order. Of others all that is sure is whether they bring anything.
    """
    lay_out_hand(board, state, memory, seat)
    planned = worth_of_tickets(board, state, memory, seat)
    trains_beside = plan.room(board, state, memory, seat, 0)
    others_beside = plan.room(board, state, memory, seat, 1)
    memory.aims = 0
    for route in range(board.routes):
        memory.rate[route] = 0
    for word in range(board.route_words):
        bits = plan.open_routes(state, seat, word)
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if board.route_length[route] <= state.pieces[seat, board.route_piece[route]]:
                worth = memory.route_value[route]
                if worth > 0 or planned == 0:
                    worth += own_value(board, state, route)
                elif board.route_length[route] <= (others_beside if board.route_piece[route] else trains_beside):
                    worth = own_value(board, state, route) * OFF_PLAN // 100
                if worth > 0:
                    if memory.aims == AIMS and worth * SCALE < memory.rate[memory.aim[AIMS - 1]] * least_effort(
                        board, route
                    ):
                        memory.rate[route] = 1  # no aim, even if it took no more cards
                        memory.missing[route] = board.route_price[route]
                    else:
                        memory.rate[route] = worth * SCALE // effort(board, memory, route)
                        put_in_order(memory, route)


@rule
def put_in_order(memory: Memory, route: int) -> None:
    """Make a rated route one of the aims, if it is good enough; behind those that are as good."""
    at = memory.aims
    while at > 0 and memory.rate[memory.aim[at - 1]] < memory.rate[route]:
        at -= 1
    if at < AIMS:
        memory.aims = min(memory.aims + 1, AIMS)
        for n in range(memory.aims - 1, at, -1):
            memory.aim[n] = memory.aim[n - 1]
        memory.aim[at] = route


@rule
def lay_out_hand(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """Make the hand available for spending, less what is laid on the table already."""
    for kind in range(KINDS):
        memory.spare[kind] = state.hand[seat, kind] - state.laid[kind]
    take_stock(board, memory)


@rule
def take_stock(board: BoardTables, memory: Memory) -> None:
    """Note which colour is the first of which there are so many spare cards, so that gray routes need not look."""
    trains_most = -1
    ships_most = -1
    for n in range(board.colours):
        colour = board.colour[n]
        while trains_most < min(trains(memory, colour), MOST_ALIKE):
            trains_most += 1
            memory.trains_of[trains_most] = colour
        while ships_most < min(ships(memory, colour), MOST_ALIKE):
            ships_most += 1
            memory.ships_of[ships_most] = colour
    memory.trains_most = trains_most
    memory.ships_most = ships_most


@rule
def own_value(board: BoardTables, state: State, route: int) -> int:
    """Return what the route itself brings: points, and passengers at its ends."""
    worth = TENTHS * board.route_points[route]
    if board.passenger_colours:
        worth += PASSENGER * (anyone_waits(state, board.route_a[route]) + anyone_waits(state, board.route_b[route]))
    return worth


@rule
def anyone_waits(state: State, place: int) -> int:
    """Return 1 if passengers stand at the place."""
    for colour in range(MAX_COLOURS):
        if state.waiting[place, colour] > 0:
            return 1
    return 0


@rule
def worth_of_tickets(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Share each ticket's swing among the routes it still needs; the number of routes so endowed.

    A ticket that needs more claims than the seat will have turns counts nothing.
    """
    for route in range(board.routes):
        memory.route_value[route] = 0
    turns = turns_left(board, state)
    endowed = 0
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.PLANNED or memory.outlook[n] == plan.BORROWING:
            missing = claims_missing(board, memory, n)
            if 0 < missing <= turns:
                ticket = memory.held[n]
                swing = TENTHS * (board.ticket_any_order[ticket] + board.ticket_penalty[ticket])
                swing += TENTHS * board.tickets_bonus // 4
                endowed += endow(board, state, memory, seat, n, swing // missing)
    return endowed


@rule
def claims_missing(board: BoardTables, memory: Memory, n: int) -> int:
    """Return how many routes the n-th held ticket still needs."""
    missing = 0
    for word in range(board.route_words):
        missing += popcount(memory.connection[n, word] & memory.plan[word])
    return missing


@rule
def endow(board: BoardTables, state: State, memory: Memory, seat: int, n: int, share: int) -> int:
    """Add the share to each route that the n-th held ticket still needs; how many had none before."""
    new = 0
    for word in range(board.route_words):
        bits = memory.connection[n, word] & memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if memory.route_value[route] == 0:
                new += 1
            value = share
            if others_are_at(state, seat, board.route_a[route]) and others_are_at(state, seat, board.route_b[route]):
                value += share * DANGER // 100
            memory.route_value[route] += value
    return new


@rule
def others_are_at(state: State, seat: int, place: int) -> bool:
    """Return whether another seat has a route to the place."""
    for other in range(state.seats):
        if other != seat and (state.reached[other, place // WORD] >> (place % WORD)) & 1:
            return True
    return False


@rule
def turns_left(board: BoardTables, state: State) -> int:
    """Return how many turns the seat will probably have, this one included."""
    if state.turns_to_go >= 0:
        return (state.turns_to_go + state.seats - 1) // state.seats
    fewest = plan.all_pieces(board, state, 0)
    for other in range(1, state.seats):
        fewest = min(fewest, plan.all_pieces(board, state, other))
    return 1 + board.extra_turns + max(0, fewest - board.pieces_left) // 3


# ------------------------------------------------------------------------------------------------ what is missing


@rule
def least_effort(board: BoardTables, route: int) -> int:
    """Return what a claim takes with all cards in hand, in quarters of a turn: the claim, and the cards it uses up."""
    return THE_CLAIM + CARD_PAID * (board.route_price[route] + board.route_pairs[route])


@rule
def effort(board: BoardTables, memory: Memory, route: int) -> int:
    """Return what a claim takes, in quarters of a turn: the claim, the cards missing, the cards it uses up."""
    short = missing_in(board, memory, route, best_colour(board, memory, route)) + missing_in_pairs(board, memory, route)
    wild = min(short, memory.spare[WILD_KIND])
    memory.missing[route] = short - wild
    return least_effort(board, route) + CARD_MISSING * (short - wild) + WILD_PAID * wild


@rule
def best_colour(board: BoardTables, memory: Memory, route: int) -> int:
    """Return the first colour in which the fewest cards are missing; `take_stock` knows."""
    if board.route_colour[route] != ANY_COLOUR:
        return int(board.route_colour[route])
    spaces = ordinary_spaces(board, route)
    if board.route_sea[route]:
        colour: int = memory.ships_of[min(spaces, memory.ships_most)]
    else:
        colour = memory.trains_of[max(0, min(spaces - board.route_wilds[route], memory.trains_most))]
    return colour


@rule
def missing_in(board: BoardTables, memory: Memory, route: int, colour: int) -> int:
    """Return the cards of a colour missing for the ordinary spaces of a route, wilds aside; those it demands are
    missing.
    """
    spaces = ordinary_spaces(board, route)
    if board.route_sea[route]:
        return max(0, spaces - ships(memory, colour))
    return max(board.route_wilds[route], spaces - trains(memory, colour))


@rule
def ordinary_spaces(board: BoardTables, route: int) -> int:
    """Return the cards of one colour to collect for a route: difficult spaces aside, for a tunnel one more in
    reserve.
    """
    return board.route_price[route] - board.route_pairs[route] + board.route_tunnel[route]


@rule
def trains(memory: Memory, colour: int) -> int:
    """Spare train cards of a colour, port-marked or not."""
    return memory.spare[TRAIN + colour] + memory.spare[MARKED + colour]


@rule
def ships(memory: Memory, colour: int) -> int:
    """Return how many spaces the spare ship cards of a colour cover."""
    return memory.spare[SHIP + colour] + 2 * memory.spare[DOUBLE + colour]


@rule
def missing_in_pairs(board: BoardTables, memory: Memory, route: int) -> int:
    """Return the number of cards missing for the difficult spaces of a route, wilds aside."""
    pairs = board.route_pairs[route]
    if pairs == 0:
        return 0
    whole = 0
    odd = 0
    for n in range(board.colours):
        count = trains(memory, board.colour[n])
        whole += count // 2
        odd += count % 2
    lacking = max(0, pairs - whole)
    return 2 * lacking - min(odd, lacking)


# ----------------------------------------------------------------------------------------------- which cards to want


@rule
def want_cards(board: BoardTables, memory: Memory) -> None:
    """Lay claim to the hand for the aims, one after the other, and want what they miss."""
    for kind in range(KINDS):
        memory.need[kind] = 0
    for n in range(memory.aims):
        want_for_route(board, memory, memory.aim[n], memory.rate[memory.aim[n]])


@rule
def want_for_route(board: BoardTables, memory: Memory, route: int, weight: int) -> None:
    """Want the cards one route misses, and set aside those it uses."""
    best = best_colour(board, memory, route)
    missing = missing_in(board, memory, route, best)
    pairs_missing = missing_in_pairs(board, memory, route)
    left = missing + pairs_missing - memory.spare[WILD_KIND]
    if left > 0:
        if missing > 0:
            for n in range(board.colours):
                colour = board.colour[n]
                if board.route_colour[route] == ANY_COLOUR or board.route_colour[route] == colour:
                    surplus = missing_in(board, memory, route, colour) - missing
                    want_colour(board, memory, route, colour, missing, weight // (1 + 2 * surplus))
        if pairs_missing > 0:
            want_pairs(board, memory, weight)
        memory.need[WILD_KIND] += (
            weight if left == 1 or board.route_wilds[route] > memory.spare[WILD_KIND] else weight // 2
        )
    set_aside(board, memory, route, best)


@rule
def want_colour(board: BoardTables, memory: Memory, route: int, colour: int, missing: int, weight: int) -> None:
    """Want cards of one colour; a double ship covers two spaces."""
    if board.route_sea[route]:
        memory.need[SHIP + colour] += weight
        memory.need[DOUBLE + colour] += weight if missing == 1 else weight * 3 // 2
    elif trains(memory, colour) < ordinary_spaces(board, route) - board.route_wilds[route]:
        memory.need[TRAIN + colour] += weight
        memory.need[MARKED + colour] += weight


@rule
def want_pairs(board: BoardTables, memory: Memory, weight: int) -> None:
    """Want train cards that make a pair, and, less, any others."""
    for n in range(board.colours):
        colour = board.colour[n]
        want = weight if trains(memory, colour) % 2 == 1 else weight // 3
        memory.need[TRAIN + colour] += want
        memory.need[MARKED + colour] += want


@rule
def set_aside(board: BoardTables, memory: Memory, route: int, colour: int) -> None:
    """Set aside the cards a route would use: they are no longer spare."""
    spaces = ordinary_spaces(board, route)
    if board.route_sea[route]:
        while spaces > 1 and memory.spare[DOUBLE + colour] > 0:
            memory.spare[DOUBLE + colour] -= 1
            spaces -= 2
        spaces = use_up(memory, SHIP + colour, spaces)
    else:
        use_up(memory, WILD_KIND, board.route_wilds[route])
        spaces -= board.route_wilds[route]
        spaces = use_up(memory, TRAIN + colour, spaces)
        spaces = use_up(memory, MARKED + colour, spaces)
    use_up(memory, WILD_KIND, spaces)
    for _ in range(board.route_pairs[route]):
        set_aside_pair(board, memory)
    take_stock(board, memory)


@rule
def use_up(memory: Memory, kind: int, count: int) -> int:
    """Use up to so many spare cards of a kind; how many are still to be covered."""
    used = max(0, min(count, memory.spare[kind]))
    memory.spare[kind] -= used
    return count - used


@rule
def set_aside_pair(board: BoardTables, memory: Memory) -> None:
    """Set two cards of the colour aside of which there are most."""
    best = board.colour[0]
    for n in range(1, board.colours):
        if trains(memory, board.colour[n]) > trains(memory, best):
            best = board.colour[n]
    use_up(memory, MARKED + best, use_up(memory, TRAIN + best, 2))
