"""Planners with a habit, as sparring partners: `sprawler`, `early-blocker`, `ticket-lover` and `hoarder`.

Each does one thing in its own way, whatever that costs it, and all else like `planner`. So they show what becomes of
a bot that only knows opponents like itself. One more is `bots.search.careful_blocker`.
"""

from __future__ import annotations

from branchline.boards.tables import ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import fast, pace, plan, planner, route_values, ticket_choice, tunnelling
from branchline.bots.planner.drawing import choose_card
from branchline.bots.planner.plan import NO_ROUTE
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.planner.ticket_prospects import is_unseen
from branchline.rules import cards
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import CLAIM, DRAW_TICKETS, TURN, Scratch, State

OPEN_TICKETS = 4  # that the ticket lover wants to have
SHORT = 3  # spaces of a route that the early blocker spends its cards on
WANTED = 8  # it must lie on the way of one in so many hidden tickets


@rule
def choose_sprawler(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question: of the planned routes that can be paid the one that is rated highest."""
    if state.question == TURN:
        planner.want(board, state, memory, seat)
        tunnelling.rule_out_retries(board, state, scratch, memory, seat)
        best = NO_ROUTE
        for word in range(board.route_words):
            bits = memory.plan[word] & scratch.legal[CLAIM // WORD + word]
            while bits != 0:
                route = word * WORD + lowest(bits)
                bits &= bits - 1
                if best == NO_ROUTE or memory.rate[route] > memory.rate[best]:
                    best = route
        if best != NO_ROUTE:
            return CLAIM + best
    return planner.choose(board, state, scratch, memory, seat)


@rule
def choose_early_blocker(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question: at first a short route on which many hidden tickets depend."""
    if state.question == TURN and ticket_choice.early(board, state):
        tunnelling.rule_out_retries(board, state, scratch, memory, seat)
        hidden = count_ways(board, state, memory, seat)
        best = NO_ROUTE
        for route in range(board.routes):
            if (
                is_legal(scratch, CLAIM + route)
                and board.route_length[route] <= SHORT
                and memory.rate[route] * WANTED >= hidden
                and (best == NO_ROUTE or memory.rate[route] > memory.rate[best])
            ):
                best = route
        if best != NO_ROUTE:
            return CLAIM + best
    return planner.choose(board, state, scratch, memory, seat)


@rule
def count_ways(board: BoardTables, state: State, memory: Memory, seat: int) -> int:
    """Count in `memory.rate` the unseen tickets on whose cheapest way for another seat each route lies; how many there
    are, once for each seat. The plan is made anew afterwards.
    """
    plan.lay_out(board, memory)
    plan.forget_plan(memory)
    for route in range(board.routes):
        memory.rate[route] = 0
    hidden = 0
    for other in range(state.seats):
        if other != seat:
            plan.set_costs(board, state, memory, other)
            for ticket in range(board.tickets):
                if is_unseen(state, ticket, seat):
                    hidden += 1
                    for word in range(ROUTE_WORDS):
                        memory.trial[word] = 0
                    plan.find_way(board, state, memory, other, ticket)
                    for word in range(board.route_words):
                        bits = memory.trial[word]
                        while bits != 0:
                            memory.rate[word * WORD + lowest(bits)] += 1
                            bits &= bits - 1
    memory.turns = state.turns - 1  # so that the plan is one of another turn
    return hidden


@rule
def choose_ticket_lover(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question: tickets while few are to be done, and nobody runs out of pieces."""
    if (
        state.question == TURN
        and is_legal(scratch, DRAW_TICKETS)
        and state.turns_to_go < 0
        and ticket_choice.fewest_pieces(board, state) * 100
        >= ticket_choice.PIECES_TO_DRAW * ticket_choice.at_start(board)
    ):
        planner.want(board, state, memory, seat)
        to_do = 0
        for n in range(memory.held_count):
            to_do += route_values.claims_missing(board, memory, n) > 0
        if to_do < OPEN_TICKETS:
            return DRAW_TICKETS
    return planner.choose(board, state, scratch, memory, seat)


@rule
def choose_hoarder(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question: cards until the decks are empty, or time is short to place all pieces."""
    if state.question == TURN and fast.can_draw(scratch, board):
        in_decks = 0
        for deck in range(board.decks):
            in_decks += cards.left(state, deck)
        planner.want(board, state, memory, seat)
        if in_decks > 0 and memory.time_left > pace.TURN * plan.all_pieces(board, state, seat) // pace.PIECES_A_CLAIM:
            return choose_card(board, state, scratch, memory, seat)
    return planner.choose(board, state, scratch, memory, seat)


class SprawlerBot(PlannerBot):
    """Claims what it plans as soon as it can pay for it."""

    name = "sprawler"
    choice = staticmethod(choose_sprawler)


class EarlyBlockerBot(PlannerBot):
    """First claims short routes that many tickets need."""

    name = "early-blocker"
    choice = staticmethod(choose_early_blocker)


class TicketLoverBot(PlannerBot):
    """Draws tickets whenever few of its own are to be done."""

    name = "ticket-lover"
    choice = staticmethod(choose_ticket_lover)


class HoarderBot(PlannerBot):
    """Draws cards until the decks are empty or the end is near."""

    name = "hoarder"
    choice = staticmethod(choose_hoarder)
