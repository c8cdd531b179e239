"""What others' claims tell about their tickets.

Whoever holds a ticket builds towards it. The more of a ticket's way another seat's own network has done, the more
likely that seat holds it; imagined tickets are dealt anew by how likely each is (a sweep of Gibbs sampling).
"""

from __future__ import annotations

from branchline.boards.limits import MAX_TICKETS
from branchline.boards.tables import BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.networks.exponential import exp
from branchline.bots.planner import plan, shortest_paths
from branchline.bots.search.trials import Trials
from branchline.rules import chance, knowledge
from branchline.rules.kernel import rule
from branchline.rules.state import HIDDEN, IN_DECK, State, States

# Both by maximum likelihood: what `hard` held in 80 games for two on each edition. The best sharpness for one of them
# alone lies between 6.4, for Great Lakes, and 8.6, for Germany.
SHARPNESS = 7.0  # a ticket all done is e to this times as likely as one not begun
LOST = 4.0  # how likely is one that can no longer be done, one not begun being 1: it may have been begun, then blocked
PARTS = 1 << 20  # chances are thrown in such parts


@rule
def weigh(board: BoardTables, state: State, memory: Memory, notes: Trials, seat: int) -> None:
    """Write how likely each hidden ticket is with each other seat: `notes.belief[seat, ticket]`, relative to the rest.

    Reckons on `memory`, which holds no plan afterwards.
    """
    plan.lay_out(board, memory)
    memory.planned = 0
    for route in range(board.routes):
        memory.cost[route] = memory.price[route]
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == HIDDEN:
            whole = way(board, memory, ticket)
            for other in range(state.seats):
                notes.belief[other, ticket] = whole
    for other in range(state.seats):
        if other != seat:
            plan.set_costs(board, state, memory, other)
            for ticket in range(board.tickets):
                if state.ticket_at[ticket] == HIDDEN:
                    left = way(board, memory, ticket)
                    done = 1.0 - left / max(1.0, notes.belief[other, ticket])
                    likely = LOST if left >= shortest_paths.NEVER else exp(SHARPNESS * max(0.0, done))
                    notes.belief[other, ticket] = likely


@rule
def way(board: BoardTables, memory: Memory, ticket: int) -> int:
    """Return the cost of connecting a ticket's places one after the other, by `memory.cost`; NEVER or more if
    impossible.
    """
    cost = 0
    for n in range(1, board.ticket_size[ticket]):
        cost += shortest_paths.cheapest(board, memory, board.ticket_place[ticket, n - 1], board.ticket_place[ticket, n])
    return cost


@rule
def imagine(
    board: BoardTables, known: States, worlds: States, world: State, notes: Trials, seat: int, seed: int
) -> None:
    """Deal a world as it is believed to be: `known[0]` is what the seat knows, `world` the record in `worlds`."""
    worlds[0] = known[0]
    knowledge.imagine(board, world, seat, seed)
    exchange(board, world, seat, notes)


@rule
def exchange(board: BoardTables, state: State, seat: int, notes: Trials) -> None:
    """Deal the tickets that others hold in an imagined world anew, one after the other, each by how likely it is."""
    for ticket in range(board.tickets):
        notes.dealt[ticket] = 0
    for ticket in range(board.tickets):
        other = state.ticket_at[ticket]
        others = 0 <= other < state.seats and other != seat
        if others and notes.dealt[ticket] == 0 and not plan.is_offered(state, other, ticket):
            notes.dealt[exchanged(board, state, notes, other, ticket)] = 1


@rule
def exchanged(board: BoardTables, state: State, notes: Trials, other: int, held: int) -> int:
    """Exchange a ticket for one of its deck, or for itself: each is as likely as is believed. The ticket held then."""
    deck = board.ticket_deck[held]
    top, count = state.ticket_top[deck], state.ticket_count[deck]
    total = notes.belief[other, held]
    for n in range(count):
        total += notes.belief[other, state.ticket_deck[deck, (top + n) % MAX_TICKETS]]
    left = total * chance.below(state, PARTS) / PARTS - notes.belief[other, held]
    if left < 0.0:
        return held
    for n in range(count):
        at = (top + n) % MAX_TICKETS
        wanted = state.ticket_deck[deck, at]
        left -= notes.belief[other, wanted]
        if left < 0.0:
            state.ticket_deck[deck, at] = held
            state.ticket_at[held] = IN_DECK
            state.ticket_at[wanted] = other
            return wanted
    return held
