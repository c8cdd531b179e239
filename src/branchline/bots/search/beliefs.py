"""What others' claims tell about their tickets.

Whoever holds a ticket builds towards it. A small network (`bots.networks.belief`) says how likely each hidden ticket is
with each other seat; imagined tickets are dealt anew by that, and by what each explains of the seat's network that its
others do not (some sweeps of Gibbs sampling).
"""

from __future__ import annotations

from branchline.boards.limits import MAX_TICKETS
from branchline.boards.tables import BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.networks import belief, belief_inputs
from branchline.bots.networks.exponential import exp
from branchline.bots.planner import plan
from branchline.bots.search.trials import Trials
from branchline.rules import chance, knowledge
from branchline.rules.kernel import rule
from branchline.rules.state import HIDDEN, IN_DECK, State, States
from branchline.runtime.structs import Reals

SWEEPS = 3  # over the tickets of an imagined world
PARTS = 1 << 20  # chances are thrown in such parts


@rule
def weigh(board: BoardTables, state: State, memory: Memory, notes: Trials, net: Reals, seat: int) -> None:
    """Write how likely each hidden ticket is with each other seat: `notes.belief[seat, ticket]`, relative to the rest.

    `net` is a network of `bots.networks.belief`. Reckons on `memory`, which holds no plan afterwards.
    """
    plan.lay_out(board, memory)
    memory.planned = 0
    belief_inputs.measure(board, memory, notes.apart)
    for other in range(state.seats):
        if other != seat:
            look(board, state, memory, notes, other)
            for ticket in range(board.tickets):
                if state.ticket_at[ticket] == HIDDEN:
                    notes.belief[other, ticket] = belief.likelihood(net, notes.ticket_inputs, ticket)
            for n in range(belief_inputs.COUNTED):
                price = notes.built_price[other, n] / belief_inputs.UNIT
                notes.on_factor[other, n] = exp(price * net[belief.EXPLAINING])
                notes.near_factor[other, n] = exp(price * net[belief.EXPLAINING + 1])


@rule
def look(board: BoardTables, state: State, memory: Memory, notes: Trials, other: int) -> None:
    """Note what is seen of each hidden ticket, as one that another seat may hold. `measure` comes before."""
    belief_inputs.look(
        board, state, memory, other, notes.apart, notes.lines, notes.ends, notes.ticket_inputs, notes.built_price,
        notes.on_way, notes.near_way,
    )  # fmt: skip


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
    for _ in range(SWEEPS):
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
    on, near = explained_beside(board, state, notes, other, held)
    total = likelihood(notes, other, held, on, near)
    own = total
    for n in range(count):
        ticket = state.ticket_deck[deck, (top + n) % MAX_TICKETS]
        notes.weight[ticket] = likelihood(notes, other, ticket, on, near)
        total += notes.weight[ticket]
    left = total * chance.below(state, PARTS) / PARTS - own
    if left < 0.0:
        return held
    for n in range(count):
        at = (top + n) % MAX_TICKETS
        wanted = state.ticket_deck[deck, at]
        left -= notes.weight[wanted]
        if left < 0.0:
            state.ticket_deck[deck, at] = held
            state.ticket_at[held] = IN_DECK
            state.ticket_at[wanted] = other
            return wanted
    return held


@rule
def explained_beside(board: BoardTables, state: State, notes: Trials, other: int, held: int) -> tuple[int, int]:
    """Return which of a seat's routes its tickets but one explain, as sets of bits: on their ways, and near them."""
    on = 0
    near = 0
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] == other and ticket != held:
            on |= notes.on_way[other, ticket]
            near |= notes.near_way[other, ticket]
    return on, near


@rule
def likelihood(notes: Trials, other: int, ticket: int, on: int, near: int) -> float:
    """Return how likely a seat holds a ticket beside others that explain these of its routes: on their ways, and
    near them.
    """
    alone = notes.belief[other, ticket]
    alone *= belief_inputs.product(notes.on_factor, other, notes.on_way[other, ticket] & ~on)
    return alone * belief_inputs.product(notes.near_factor, other, notes.near_way[other, ticket] & ~near)
