"""`greedy`: takes what brings most at once, and collects cards only while there is nothing to take.

It knows which routes its tickets need, by the plan of `fast`; but it never waits for something better, never asks
what time a claim takes or what the cards would be good for later, and draws tickets only when all it has are done.
"""

from __future__ import annotations

from branchline.boards.tables import WORD, BoardTables
from branchline.bots.api.bot import CompiledBot
from branchline.bots.api.memory import Memory
from branchline.bots.planner import fast, route_values, ticket_choice, tunnelling
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import CLAIM, DRAW_TICKETS, STATION, SWAP_PIECES, TURN, Scratch, State


@rule
def choose(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    if state.question == TURN:
        return choose_turn(board, state, scratch, memory, seat)
    return fast.answer(board, state, scratch, memory, seat)


@rule
def choose_turn(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the action that brings most now, or else a station or a swap that helps, tickets, or cards."""
    fast.want(board, state, memory, seat)
    tunnelling.rule_out_retries(board, state, scratch, memory, seat)
    claim = most_at_once(board, state, scratch, memory)
    port = fast.port_now(board, state, scratch, memory, seat)
    if port >= 0:
        return port
    if claim >= 0:
        return CLAIM + claim
    if fast.wants_station(board, scratch, memory):
        return STATION + memory.station_at
    if is_legal(scratch, DRAW_TICKETS) and ticket_choice.wants_tickets(board, state, memory):
        return DRAW_TICKETS
    if is_legal(scratch, SWAP_PIECES) and ticket_choice.swap_needed(state, memory, seat) > 0:
        return SWAP_PIECES
    if fast.can_draw(scratch, board):
        return fast.choose_card(board, state, scratch, memory)
    return fast.least_evil(board, scratch)


@rule
def most_at_once(board: BoardTables, state: State, scratch: Scratch, memory: Memory) -> int:
    """Return the route that brings most among those that may be claimed and serve something, or -1."""
    best = -1
    most = 0
    for word in range(board.route_words):
        bits = scratch.legal[CLAIM // WORD + word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            if memory.rate[route] > 0:
                brings = memory.route_value[route] + route_values.own_value(board, state, route)
                if brings > most:
                    most = brings
                    best = route
    return best


class GreedyBot(CompiledBot):
    """Claims at once what scores most for its tickets and points."""

    name = "greedy"
    quick = True
    choice = staticmethod(choose)
