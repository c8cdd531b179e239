"""`planner`: the strong heuristic player.

It plans a network for all its tickets (`forest`), fills time and pieces with what else brings most (`schedule`),
reckons what unseen tickets would bring (`ticket_prospects`) and how long the game will last (`pace`), counts cards
(`drawing`) and passengers (`passengers`), and draws on while nothing is urgent (`urgency`). Its `weights` are tuned.
"""

from __future__ import annotations

from branchline.boards import Board
from branchline.boards.faults import quoted
from branchline.boards.tables import BoardTables
from branchline.bots.api import weights
from branchline.bots.api.bot import CompiledBot, another
from branchline.bots.api.errors import BotError
from branchline.bots.api.memory import Memory
from branchline.bots.api.tuned_weights import GENERAL, BoardWeights, Weights
from branchline.bots.planner import (
    forest,
    passengers,
    paying,
    ports,
    schedule,
    ticket_choice,
    ticket_prospects,
    tunnelling,
    urgency,
)
from branchline.bots.planner.drawing import choose_card, wanted_deck
from branchline.bots.planner.fast import answer_alike, can_draw, least_evil, port_now, wants_station
from branchline.rules.kernel import rule, shared_rule
from branchline.rules.sets import is_legal
from branchline.rules.state import (
    CLAIM,
    COLOUR,
    DRAW_TICKETS,
    KEEP_TICKETS,
    PAIR,
    PASSENGER,
    PORT,
    REFILL,
    REFILL_FROM,
    SECOND_CARD,
    STATION,
    SWAP_PIECES,
    TICKET_MIX,
    TURN,
    Scratch,
    State,
)


@shared_rule
def choose(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    question = state.question
    if question == TURN:
        return choose_turn(board, state, scratch, memory, seat)
    if question == SECOND_CARD:
        want(board, state, memory, seat)
        return choose_card(board, state, scratch, memory, seat)
    if question == REFILL:
        want(board, state, memory, seat)
        return REFILL_FROM + wanted_deck(board, state, memory, seat)
    if question == TICKET_MIX:
        return ticket_prospects.choose_mix(board, state, scratch, memory, seat)
    if question == KEEP_TICKETS:
        return ticket_prospects.choose_kept(board, state, scratch, memory, seat)
    if question == PASSENGER:
        return passengers.choose(board, state, scratch, memory, seat)
    if question == COLOUR:
        want(board, state, memory, seat)
        return paying.choose_colour(board, state, scratch, memory, seat)
    if question == PAIR:
        want(board, state, memory, seat)
        return paying.choose_pair(board, state, scratch, memory, seat)
    return answer_alike(board, state, scratch, memory, seat)


@shared_rule
def want(board: BoardTables, state: State, memory: Memory, seat: int) -> None:
    """See that plan, schedule and the cards wanted are those for this position."""
    anew = forest.refresh(board, state, memory, seat)
    schedule.draw_up(board, state, memory, seat, paying.route_paid(state), anew)
    if board.ports:
        ports.want_cards(board, state, memory, seat, memory.weight[weights.PORT])


@rule
def choose_turn(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Claim, build, draw tickets, swap or draw cards."""
    want(board, state, memory, seat)
    tunnelling.rule_out_retries(board, state, scratch, memory, seat)
    may_draw = can_draw(scratch, board)
    if is_legal(scratch, DRAW_TICKETS) and ticket_prospects.wants_tickets(board, state, memory, seat):
        return DRAW_TICKETS
    if wants_station(board, scratch, memory):  # before claims: the end may come first, and a rival may build there
        return STATION + memory.station_at
    haste = urgency.haste_of_all(board, state, memory, seat)
    claim = urgency.choose_claim(board, state, scratch, memory, seat, haste, may_draw)
    waits = may_draw and haste < urgency.ENOUGH  # with what nobody can take away
    port = port_now(board, state, scratch, memory, seat)
    if port >= 0 and not waits:
        rate = ports.rate(board, state, memory, seat, port - PORT) * memory.weight[weights.PORT] // 100
        if claim < 0 or rate >= memory.rate[claim]:
            return port
    if claim >= 0:
        return CLAIM + claim
    if is_legal(scratch, SWAP_PIECES) and not waits and ticket_choice.swap_needed(state, memory, seat) > 0:
        return SWAP_PIECES
    if may_draw:
        return choose_card(board, state, scratch, memory, seat)
    return least_evil(board, scratch)


class PlannerBot(CompiledBot):
    """Plans in turns, points and pieces, and counts what is unseen."""

    name = "planner"
    choice = staticmethod(choose)
    general = False  # whether it plays with the general weights, whatever a board has of its own

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights:
        """Return the weights tuned for the board, or else the general ones."""
        known: BoardWeights = board.weights
        return known.general(seats) if cls.general else known.at(seats)

    @classmethod
    def told(cls, text: str) -> type[PlannerBot]:
        """Return the same bot with the general weights: `planner@general`."""
        if text != GENERAL:
            raise BotError(f"{cls.name} can be told to be {cls.name}@{GENERAL}, not {quoted(text)}")
        return another(cls, (cls.told, (text,)), name=f"{cls.name}@{text}", general=True)
