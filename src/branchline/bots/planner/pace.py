"""Time: how many turns the game will probably last, and how many a plan takes."""

from __future__ import annotations

from branchline.boards.tables import WILD_KIND, WORD, BoardTables
from branchline.bots.api import weights
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan, route_values
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

TURN = 100  # time is reckoned in hundredths of turns
CARDS_A_TURN = 2
LATE = 10 * TURN  # from here on cards in hand are worth less and less
ENOUGH = 12  # pieces more than cards in hand, from here down likewise
PIECES_A_CLAIM = 3
MOST_COVER = 500  # per cent


@rule
def time_left(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return how much time the seat will have, this turn included: somewhat more than if the others hurried."""
    if state.turns_to_go >= 0:
        return TURN * ((state.turns_to_go + state.seats - 1) // state.seats)
    soonest = 1000
    for other in range(state.seats):
        if other != seat:
            pieces = max(0, plan.all_pieces(board, state, other) - board.pieces_left)
            cards = plan.cards_held(state, other)
            turns = max(0, pieces - cards) // CARDS_A_TURN + (pieces + PIECES_A_CLAIM - 1) // PIECES_A_CLAIM
            soonest = min(soonest, turns)
    return soonest * (TURN + memory.weight[weights.LINGER]) + TURN * board.extra_turns


@rule
def effort(board: BoardTables, memory: Memory, route: int) -> int:
    """Return what a claim takes, in hundredths of turns: the claim, the cards missing, the cards it uses up."""
    short = route_values.missing_in(board, memory, route, route_values.best_colour(board, memory, route))
    short += route_values.missing_in_pairs(board, memory, route)
    wild = min(short, memory.spare[WILD_KIND])
    memory.missing[route] = short - wild
    takes = memory.missing_price * (short - wild) + memory.weight[weights.WILD] * wild
    return least_effort(board, memory, route) + takes


@rule
def least_effort(board: BoardTables, memory: Memory, route: int) -> int:
    """Return what a claim takes with all cards in hand, in hundredths of turns."""
    takes = TURN + memory.weight[weights.TUNNEL] * board.route_tunnel[route]
    return takes + memory.card_price * (board.route_price[route] + board.route_pairs[route])


@rule
def cover(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return how many per cent of the cards that can still be spent, in pieces and time, the hand holds."""
    spent = min(plan.all_pieces(board, state, seat), PIECES_A_CLAIM * memory.time_left // TURN)
    return min(MOST_COVER, 100 * plan.cards_held(state, seat) // max(1, spent))


@rule
def missing_price(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return what a missing card takes, in hundredths of turns.

    Early on little, for all cards that are drawn on the way are of use later. A hand that can hardly be spent before
    the end is better spent on what it suffices for.
    """
    glut = max(0, cover(board, state, memory, seat) - memory.weight[weights.PLENTY])
    return memory.weight[weights.MISSING] + memory.weight[weights.GLUT] * glut // 100


@rule
def card_price(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Return what a card in hand is worth, in hundredths of turns: less when the hand covers the pieces, and near
    the end.
    """
    short = plan.all_pieces(board, state, seat) - plan.cards_held(state, seat)
    price = memory.weight[weights.PAID] * max(0, min(short, ENOUGH)) // ENOUGH
    return price * min(memory.time_left, LATE) // LATE


@rule
def turns_needed(board: BoardTables, memory: Memory) -> int:
    """Return the hundredths of turns that the plan takes: its claims, and the cards that all of it lacks.

    Uses up `spare`.
    """
    claims = 0
    missing = 0
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            claims += 1
            colour = route_values.best_colour(board, memory, route)
            short = route_values.missing_in(board, memory, route, colour) + route_values.missing_in_pairs(
                board, memory, route
            )
            missing += max(0, short - memory.spare[WILD_KIND])
            route_values.set_aside(board, memory, route, colour)
    return TURN * claims + memory.missing_price * missing * 13 // 10
