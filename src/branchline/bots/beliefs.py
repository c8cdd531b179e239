"""What others' claims tell about their tickets.

Whoever holds a ticket builds towards it. The more of a ticket's way another seat's own network has done, the more
likely that seat holds it; imagined tickets are exchanged by Metropolis's rule until they are as likely as that.
"""

from __future__ import annotations

import math
from typing import Any

from branchline.atlas.limits import MAX_TICKETS
from branchline.bots import plan, shortest_paths
from branchline.rules import chance
from branchline.rules.kernel import rule
from branchline.rules.state import HIDDEN, IN_DECK

SHARPNESS = 4.0  # a ticket all done is e to this times as likely as one not begun
LOST = 0.15  # how likely is one that can no longer be done, one not begun being 1
EXCHANGES = 6  # tried for each ticket that is held
PARTS = 1 << 20  # chances are thrown in such parts


@rule
def weigh(board: Any, state: Any, memory: Any, notes: Any, seat: int) -> None:
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
                    likely = LOST if left >= shortest_paths.NEVER else math.exp(SHARPNESS * max(0.0, done))
                    notes.belief[other, ticket] = likely


@rule
def way(board: Any, memory: Any, ticket: int) -> int:
    """What connecting a ticket's places one after the other costs, by `memory.cost`; NEVER or more: there is no way."""
    cost = 0
    for n in range(1, board.ticket_size[ticket]):
        cost += shortest_paths.cheapest(board, memory, board.ticket_place[ticket, n - 1], board.ticket_place[ticket, n])
    return cost


@rule
def exchange(board: Any, state: Any, seat: int, notes: Any) -> None:
    """Exchange tickets that others hold in an imagined world with others from the decks, towards what is likely."""
    for ticket in range(board.tickets):
        other = state.ticket_at[ticket]
        if 0 <= other < state.seats and other != seat and not plan.is_offered(state, other, ticket):
            held = ticket
            for _ in range(EXCHANGES):
                held = exchanged(board, state, notes, other, held)


@rule
def exchanged(board: Any, state: Any, notes: Any, other: int, held: int) -> int:
    """Try one exchange with a ticket of the same deck; the ticket held then."""
    deck = board.ticket_deck[held]
    count = state.ticket_count[deck]
    if count == 0:
        return held
    at = (state.ticket_top[deck] + chance.below(state, count)) % MAX_TICKETS
    wanted = state.ticket_deck[deck, at]
    if chance.below(state, PARTS) * notes.belief[other, held] < PARTS * notes.belief[other, wanted]:
        state.ticket_deck[deck, at] = held
        state.ticket_at[held] = IN_DECK
        state.ticket_at[wanted] = other
        return wanted
    return held
