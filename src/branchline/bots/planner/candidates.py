"""What `search` tries: the planner's own choice first, and what else might be better."""

from __future__ import annotations

from branchline.boards.limits import MAX_OFFER
from branchline.boards.tables import WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import planner
from branchline.rules import turn
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import (
    ACTION_WORDS,
    BLIND,
    CLAIM,
    DRAW_TICKETS,
    FLEET,
    KEEP_TICKETS,
    PASSENGER,
    PORT,
    REFILL,
    SECOND_CARD,
    STATION,
    SWAP_PIECES,
    TAKE,
    TICKET_MIX,
    TUNNEL,
    TURN,
    Scratch,
    State,
)
from branchline.runtime.structs import Vector

MOST = 1 << MAX_OFFER  # so that every set of the tickets on offer is among them
CLAIMS = 6  # routes to claim: those the planner rates highest


@rule
def listed(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, candidates: Vector) -> int:
    """Write the actions worth trying into `candidates`, the planner's own first; how many they are.

    How a route is paid for is left to the planner: there is one candidate then.
    """
    turn.legal(board, state, scratch)
    candidates[0] = planner.choose(board, state, scratch, memory, seat)
    turn.legal(board, state, scratch)
    question = state.question
    if question == TURN:
        count = with_claims(board, scratch, memory.rate, CLAIMS, candidates, 1)
        count = with_cards(board, state, scratch, candidates, count)
        return with_rare(board, scratch, memory, candidates, count)
    if question == SECOND_CARD:
        return with_cards(board, state, scratch, candidates, 1)
    if question in (KEEP_TICKETS, TICKET_MIX, REFILL, TUNNEL, PASSENGER, FLEET):
        return with_all(scratch, candidates, 1)
    return 1


@rule
def added(candidates: Vector, count: int, action: int) -> int:
    """Add an action unless it is there already or there are too many; how many there are then."""
    if count == MOST or has(candidates, count, action):
        return count
    candidates[count] = action
    return count + 1


@rule
def has(candidates: Vector, count: int, action: int) -> bool:
    """Return whether the action is among the candidates."""
    for n in range(count):
        if candidates[n] == action:
            return True
    return False


@rule
def with_all(scratch: Scratch, candidates: Vector, count: int) -> int:
    """Add everything that is legal."""
    for word in range(ACTION_WORDS):
        bits = scratch.legal[word]
        while bits != 0:
            count = added(candidates, count, word * WORD + lowest(bits))
            bits &= bits - 1
    return count


@rule
def with_claims(board: BoardTables, scratch: Scratch, rate: Vector, most: int, candidates: Vector, count: int) -> int:
    """Add at most `most` claims: those that are rated highest, above 0; `rate` is that of each route."""
    for _ in range(most):
        best = -1
        for route in range(board.routes):
            better = rate[route] > 0 and (best < 0 or rate[route] > rate[best])
            if better and is_legal(scratch, CLAIM + route) and not has(candidates, count, CLAIM + route):
                best = route
        if best < 0:
            return count
        count = added(candidates, count, CLAIM + best)
    return count


@rule
def with_cards(board: BoardTables, state: State, scratch: Scratch, candidates: Vector, count: int) -> int:
    """Add one card of each kind that lies open, and the decks."""
    taken = 0
    for slot in range(board.market):
        if is_legal(scratch, TAKE + slot):
            kind = 1 << state.market[slot]
            if taken & kind == 0:
                taken |= kind
                count = added(candidates, count, TAKE + slot)
    for deck in range(board.decks):
        if is_legal(scratch, BLIND + deck):
            count = added(candidates, count, BLIND + deck)
    return count


@rule
def with_rare(board: BoardTables, scratch: Scratch, memory: Memory, candidates: Vector, count: int) -> int:
    """Add tickets, a swap, the station the plan asks for, and ports."""
    if is_legal(scratch, DRAW_TICKETS):
        count = added(candidates, count, DRAW_TICKETS)
    if is_legal(scratch, SWAP_PIECES):
        count = added(candidates, count, SWAP_PIECES)
    if memory.station_at >= 0 and is_legal(scratch, STATION + memory.station_at):
        count = added(candidates, count, STATION + memory.station_at)
    if board.ports:
        for place in range(board.places):
            if is_legal(scratch, PORT + place):
                count = added(candidates, count, PORT + place)
    return count
