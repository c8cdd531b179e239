"""`planner`: the strong heuristic player.

It plans a network for all its tickets (`forest`), fills time and pieces with what else brings most (`schedule`),
reckons what unseen tickets would bring (`prospects`) and how long the game will last (`tempo`), and counts cards
(`drawing`) and passengers (`crowd`). Its `weights` are tuned.
"""

from __future__ import annotations

from typing import Any

from branchline.bots import crowd, forest, harbour, keeping, paying, prospects, schedule, tempo, tunnelling, weights
from branchline.bots.bot import CompiledBot
from branchline.bots.drawing import choose_card, wanted_deck
from branchline.bots.fast import can_draw, least_evil, port_now, wants_station
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import (
    CLAIM,
    COLOUR,
    DOUBLES,
    DRAW_TICKETS,
    FLEET,
    KEEP_TICKETS,
    PAIR,
    PASSENGER,
    PORT,
    REFILL,
    REFILL_FROM,
    SECOND_CARD,
    STATION,
    SWAP,
    SWAP_PIECES,
    TICKET_MIX,
    TUNNEL,
    TURN,
)


@rule
def choose(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    question = state.question
    if question == TURN:
        return choose_turn(board, state, slate, desk, seat)
    if question == SECOND_CARD:
        want(board, state, desk, seat)
        return choose_card(board, state, slate, desk, seat)
    if question == REFILL:
        want(board, state, desk, seat)
        return REFILL_FROM + wanted_deck(board, state, desk, seat)
    if question == TICKET_MIX:
        return prospects.choose_mix(board, state, slate, desk, seat)
    if question == KEEP_TICKETS:
        return prospects.choose_kept(board, state, slate, desk, seat)
    if question == FLEET:
        return keeping.choose_fleet(board, state, desk, seat)
    if question == SWAP:
        return keeping.choose_swap(board, state, slate, desk, seat)
    if question == TUNNEL:
        return tunnelling.answer(state, slate, desk, seat)
    if question == PASSENGER:
        return crowd.choose(board, state, slate, desk, seat)
    if question == COLOUR:
        want(board, state, desk, seat)
        return paying.choose_colour(board, state, slate, desk, seat)
    if question == PAIR:
        return paying.choose_pair(board, state, slate)
    if question == DOUBLES:
        return paying.highest(slate)
    return paying.lowest_action(slate)  # wilds, port-marked cards: spare them


@rule
def want(board: Any, state: Any, desk: Any, seat: int) -> None:
    """See that plan, schedule and the cards wanted are those for this position."""
    forest.refresh(board, state, desk, seat)
    schedule.draw_up(board, state, desk, seat, paying.route_paid(state))
    if board.ports:
        harbour.want_cards(board, state, desk, seat, desk.weight[weights.PORT])


@rule
def choose_turn(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """Claim, build, draw tickets, swap or draw cards."""
    want(board, state, desk, seat)
    tunnelling.rule_out_retries(board, state, slate, desk, seat)
    may_draw = can_draw(slate, board)
    if is_legal(slate, DRAW_TICKETS) and prospects.wants_tickets(board, state, desk, seat):
        return DRAW_TICKETS
    careful = may_draw and desk.time_left > tempo.TURN * desk.weight[weights.RESERVE]
    claim = best_claim(board, slate, desk, careful, desk.weight[weights.READY] if may_draw else 0)
    port = port_now(board, state, slate, desk, seat)
    if port >= 0:
        rate = harbour.rate(board, state, desk, seat, port - PORT) * desk.weight[weights.PORT] // 100
        if claim < 0 or rate >= desk.rate[claim]:
            return port
    if claim >= 0:
        return CLAIM + claim
    if wants_station(board, state, slate, desk):
        return STATION + desk.station_at
    if is_legal(slate, SWAP_PIECES) and keeping.swap_needed(board, state, desk, seat) > 0:
        return SWAP_PIECES
    if may_draw:
        return choose_card(board, state, slate, desk, seat)
    return least_evil(board, state, slate)


@rule
def best_claim(board: Any, slate: Any, desk: Any, careful: bool, ready: int) -> int:
    """The first route of the schedule that may be claimed with the cards meant for it, or -1.

    To be `ready` it must bring so many per cent of what the best one does for its time. If `careful`, no tunnel
    without a reserve.
    """
    for n in range(desk.aims):
        route = desk.aim[n]
        if desk.rate[route] * 100 < desk.rate[desk.aim[0]] * ready:
            continue
        if is_legal(slate, CLAIM + route) and desk.missing[route] <= (not careful) * board.route_tunnel[route]:
            return route
    return -1


class PlannerBot(CompiledBot):
    """Plans in turns, points and pieces, and counts what is unseen."""

    name = "planner"
    choice = staticmethod(choose)
