"""What is seen of a ticket that another seat may hold, from what the whole table knows: INPUTS numbers.

How far the seat's own network does it, whether its ends are ends of that network, how much of what was built lies on
good ways of it, and how the other hidden tickets compare.
"""

from __future__ import annotations

from branchline.boards.limits import MAX_PLACES
from branchline.boards.tables import ANY_COLOUR, MARKED, TRAIN, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan, shortest_paths
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import HIDDEN, State
from branchline.runtime.structs import Matrix, RealMatrix, Vector

DONE, JOINED, LOST, WHOLE, VALUE, RATE = range(6)
REACHED, LEAVES, RARE_LEAVES, CROSSED = range(6, 10)
ON_WAY, NEAR_WAY, WAY_BUILT, KNOWN_COLOURS = range(10, 14)
FOR_PIECES, BEHIND, BETTER, TOUR, SECOND_DECK = range(14, 19)
BUILT, ROUTES, CARDS, HELD, TURNS, SEATS = range(19, 25)
INPUTS = 25

FAR = 30_000  # as a distance: there is no way
ON, NEAR = 0.1, 0.3  # detours, as parts of the whole way, with which a route still lies on a way, or near it
ROUNDS = 40.0  # of a long game
COUNTED = 60  # routes of a seat that are told apart
UNIT = 100.0  # of prices of what is explained
ALL_COUNTED = (1 << COUNTED) - 1


@rule
def measure(board: BoardTables, memory: Memory, apart: Matrix) -> None:
    """Set what the cheapest way between any two places costs on an empty board. `plan.lay_out` comes before."""
    for route in range(board.routes):
        memory.cost[route] = memory.price[route]
    for start in range(board.places):
        shortest_paths.reach_all(board, memory, start)
        for place in range(board.places):
            apart[start, place] = min(FAR, memory.distance[place])


@rule
def look(
    board: BoardTables,
    state: State,
    memory: Memory,
    other: int,
    apart: Matrix,
    lines: Vector,
    ends: Vector,
    inputs: RealMatrix,
    built_price: Matrix,
    on_way: Matrix,
    near_way: Matrix,
) -> None:
    """Write the inputs of each hidden ticket, as one that another seat may hold: a row for each.

    `measure` has set `apart`. `lines` and `ends` are room for a number for each place. Of the seat, `built_price` takes
    what each of its routes costs, in their order, `on_way` and `near_way` for each ticket which of them lie on or near
    its way, as a set of bits.
    """
    plan.set_costs(board, state, memory, other)
    for place in range(MAX_PLACES):
        lines[place] = 0
        ends[place] = 0
    built = 0
    owned = 0
    for route in range(board.routes):
        if state.route_owner[route] == other:
            lines[board.route_a[route]] += 1
            lines[board.route_b[route]] += 1
            built += memory.price[route]
            if owned < COUNTED:
                built_price[other, owned] = memory.price[route]
            owned += 1
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN:
            for n in range(board.ticket_size[ticket]):
                ends[board.ticket_place[ticket, n]] += 1
            for n in range(INPUTS):
                inputs[ticket, n] = 0.0
            look_at_way(board, state, memory, ticket, apart, inputs)
            look_at_ends(board, ticket, lines, inputs)
            look_at_built(board, state, memory, other, ticket, built, apart, inputs, on_way, near_way)
            look_at_seat(board, state, other, ticket, owned, inputs)
    for deck in range(board.ticket_decks):
        compare(board, state, deck, inputs)
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN:
            for n in range(board.ticket_size[ticket]):
                place = board.ticket_place[ticket, n]
                if lines[place] == 1:
                    inputs[ticket, RARE_LEAVES] += 1.0 / (ends[place] * board.ticket_size[ticket])


@rule
def whole_way(board: BoardTables, ticket: int, apart: Matrix) -> int:
    """Return the cost of connecting a ticket's places one after the other on an empty board."""
    whole = 0
    for n in range(1, board.ticket_size[ticket]):
        whole += apart[board.ticket_place[ticket, n - 1], board.ticket_place[ticket, n]]
    return max(1, whole)


@rule
def look_at_way(
    board: BoardTables, state: State, memory: Memory, ticket: int, apart: Matrix, inputs: RealMatrix
) -> None:
    """Write how long the way of a ticket is, and how much of it is left; `memory.cost` is what it costs the seat."""
    whole = whole_way(board, ticket, apart)
    left = 0
    for n in range(1, board.ticket_size[ticket]):
        left += shortest_paths.cheapest(board, memory, board.ticket_place[ticket, n - 1], board.ticket_place[ticket, n])
    lost = left >= shortest_paths.NEVER
    inputs[ticket, LOST] = lost
    inputs[ticket, DONE] = 0.0 if lost else max(-1.0, 1.0 - left / whole)
    inputs[ticket, JOINED] = left == 0
    inputs[ticket, WHOLE] = whole
    inputs[ticket, VALUE] = board.ticket_value[ticket]
    inputs[ticket, FOR_PIECES] = left
    inputs[ticket, TOUR] = board.ticket_size[ticket] > 2
    inputs[ticket, SECOND_DECK] = board.ticket_deck[ticket]


@rule
def look_at_ends(board: BoardTables, ticket: int, lines: Vector, inputs: RealMatrix) -> None:
    """Write which part of a ticket's places the seat has reached, and at which its network ends or goes on."""
    part = 1.0 / board.ticket_size[ticket]
    for n in range(board.ticket_size[ticket]):
        count = lines[board.ticket_place[ticket, n]]
        inputs[ticket, REACHED] += part * (count > 0)
        inputs[ticket, LEAVES] += part * (count == 1)
        inputs[ticket, CROSSED] += part * (count > 2)


@rule
def look_at_built(
    board: BoardTables,
    state: State,
    memory: Memory,
    other: int,
    ticket: int,
    built: int,
    apart: Matrix,
    inputs: RealMatrix,
    on_way: Matrix,
    near_way: Matrix,
) -> None:
    """Write how much of what the seat has built lies on good ways of a ticket, and what they ask of its known cards."""
    whole = inputs[ticket, WHOLE]
    on = 0
    near = 0
    bit = 1
    on_way[other, ticket] = 0
    near_way[other, ticket] = 0
    asked = 0
    known = 0
    for route in range(board.routes):
        own = state.route_owner[route] == other
        is_free = (state.free[route // WORD] >> (route % WORD)) & 1 == 1
        if own or (is_free and board.route_colour[route] != ANY_COLOUR):
            off = detour(board, memory, ticket, route, apart)
            if own:
                if off <= ON * whole:
                    on += memory.price[route]
                    on_way[other, ticket] |= bit
                if off <= NEAR * whole:
                    near += memory.price[route]
                    near_way[other, ticket] |= bit
                bit = (bit << 1) & ALL_COUNTED
            elif off <= ON * whole:
                colour = board.route_colour[route]
                asked += board.route_length[route]
                known += min(
                    board.route_length[route], state.seen[other, TRAIN + colour] + state.seen[other, MARKED + colour]
                )
    inputs[ticket, ON_WAY] = on / max(1, built)
    inputs[ticket, NEAR_WAY] = near / max(1, built)
    inputs[ticket, WAY_BUILT] = min(2.0, on / whole)
    inputs[ticket, KNOWN_COLOURS] = known / max(1, asked)


@rule
def detour(board: BoardTables, memory: Memory, ticket: int, route: int, apart: Matrix) -> int:
    """Return by how much a ticket's way becomes longer on an empty board if it leads over a route."""
    least = FAR
    a = board.route_a[route]
    b = board.route_b[route]
    for n in range(1, board.ticket_size[ticket]):
        start = board.ticket_place[ticket, n - 1]
        goal = board.ticket_place[ticket, n]
        over = min(apart[start, a] + apart[b, goal], apart[start, b] + apart[a, goal])
        least = min(least, over + memory.price[route] - apart[start, goal])
    return least


@rule
def look_at_seat(board: BoardTables, state: State, other: int, ticket: int, owned: int, inputs: RealMatrix) -> None:
    """Write how far the seat has come."""
    left = plan.all_pieces(board, state, other)
    pieces = board.fleet if board.fleet else board.pieces[0] + board.pieces[1]
    inputs[ticket, FOR_PIECES] = min(2.0, inputs[ticket, FOR_PIECES] / (10.0 * max(1, left)))
    inputs[ticket, BUILT] = 1.0 - left / max(1, pieces)
    inputs[ticket, ROUTES] = owned / 15.0
    inputs[ticket, CARDS] = plan.cards_held(state, other) / 20.0
    inputs[ticket, HELD] = (state.tickets_held[other, 0] + state.tickets_held[other, 1]) / 5.0
    inputs[ticket, TURNS] = state.turns / (ROUNDS * state.seats)
    inputs[ticket, SEATS] = state.seats / 5.0


@rule
def compare(board: BoardTables, state: State, deck: int, inputs: RealMatrix) -> None:
    """Write how the hidden tickets of a deck compare with each other."""
    count = 0
    way = 0.0
    value = 0.0
    best = 0.0
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN and board.ticket_deck[ticket] == deck:
            count += 1
            way += inputs[ticket, WHOLE]
            value += inputs[ticket, VALUE]
            if not inputs[ticket, JOINED]:
                best = max(best, inputs[ticket, DONE])
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN and board.ticket_deck[ticket] == deck:
            inputs[ticket, WHOLE] *= count / max(1.0, way)
            inputs[ticket, VALUE] *= count / max(1.0, value)
            inputs[ticket, RATE] = inputs[ticket, VALUE] / max(0.1, inputs[ticket, WHOLE])
            inputs[ticket, BEHIND] = best - inputs[ticket, DONE]
            better = 0
            for rival in range(board.tickets):
                if state.ticket_at[rival] == HIDDEN and board.ticket_deck[rival] == deck:
                    better += inputs[rival, DONE] > inputs[ticket, DONE]
            inputs[ticket, BETTER] = better / count


@rule
def product(factors: RealMatrix, other: int, bits: int) -> float:
    """Return the product of the factors of a seat's routes that are in a set."""
    product = 1.0
    while bits != 0:
        product *= factors[other, lowest(bits)]
        bits &= bits - 1
    return product
