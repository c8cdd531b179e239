"""Four classic styles of play, as sparring partners: `one-step`, `long-route`, `route-focused` and `hungry`.

They follow the agents by which de Mesentier Silva, Lee, Togelius and Nealen (2017) tested such games. Each has one
aim, a route, collects for it alone and claims it as soon as it can. How they come by the aim is the style; all
else they do like `fast`.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import KINDS
from branchline.bots import fast, keeping, plan, tunnelling, worth
from branchline.bots.bot import CompiledBot
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import CLAIM, DRAW_TICKETS, SECOND_CARD, STATION, SWAP_PIECES, TURN

ONE_STEP, LONG_ROUTE, ROUTE_FOCUSED, HUNGRY = range(4)
APPETITE = 6  # tickets that the hungry one gathers before it builds
HASTE = 100  # one card missing weighs as much as so many hundredths of a point


@rule
def play(board: Any, state: Any, slate: Any, desk: Any, seat: int, style: int) -> int:
    """The answer to any question."""
    if state.question == TURN:
        return play_turn(board, state, slate, desk, seat, style)
    if state.question == SECOND_CARD:
        take_aim(board, state, desk, seat, style)
        return fast.choose_card(board, state, slate, desk)
    return fast.answer(board, state, slate, desk, seat)


@rule
def play_turn(board: Any, state: Any, slate: Any, desk: Any, seat: int, style: int) -> int:
    """Claim what is aimed at, or collect for it; tickets when they are the style's, or nothing is left to do."""
    aim = take_aim(board, state, desk, seat, style)
    tunnelling.rule_out_retries(board, state, slate, desk, seat)
    may_draw_tickets = is_legal(slate, DRAW_TICKETS) and keeping.early(board, state)
    if style == HUNGRY and may_draw_tickets and desk.held_count < APPETITE:
        return DRAW_TICKETS
    if aim >= 0 and is_legal(slate, CLAIM + aim):
        return CLAIM + aim
    port = fast.port_now(board, state, slate, desk, seat)
    if port >= 0:
        return port
    if fast.wants_station(board, state, slate, desk):
        return STATION + desk.station_at
    if is_legal(slate, DRAW_TICKETS) and keeping.wants_tickets(board, state, desk, seat) and style != LONG_ROUTE:
        return DRAW_TICKETS
    if is_legal(slate, SWAP_PIECES) and keeping.swap_needed(board, state, desk, seat) > 0:
        return SWAP_PIECES
    if fast.can_draw(slate, board):
        return fast.choose_card(board, state, slate, desk)
    return fast.least_evil(board, state, slate)


@rule
def take_aim(board: Any, state: Any, desk: Any, seat: int, style: int) -> int:
    """The route that the style is after, or -1; the cards it misses are wanted."""
    plan.refresh(board, state, desk, seat)
    worth.rate_routes(board, state, desk, seat)
    aim = -1
    most = 0
    for route in range(board.routes):
        if desk.rate[route] > 0:
            worth.effort(board, desk, route)  # for what is missing
            good = liking(board, state, desk, route, style)
            if aim < 0 or good > most:
                most = good
                aim = route
    for kind in range(KINDS):
        desk.need[kind] = 0
    if aim >= 0:
        worth.want_for_route(board, desk, aim, worth.SCALE)
    return aim


@rule
def liking(board: Any, state: Any, desk: Any, route: int, style: int) -> int:
    """How much a style likes a route that may still be claimed."""
    serves = desk.worth[route] > 0
    if style == LONG_ROUTE:
        return 1000 * board.route_length[route] - HASTE * desk.missing[route] + 500 * serves
    if style == ONE_STEP:
        return 100000 * serves + 10 * worth.own_worth(board, state, route) - 3 * HASTE * desk.missing[route]
    return 10 * desk.worth[route] + worth.own_worth(board, state, route) - HASTE * desk.missing[route] // 10


@rule
def choose_one_step(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    return play(board, state, slate, desk, seat, ONE_STEP)


@rule
def choose_long_route(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    return play(board, state, slate, desk, seat, LONG_ROUTE)


@rule
def choose_route_focused(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    return play(board, state, slate, desk, seat, ROUTE_FOCUSED)


@rule
def choose_hungry(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    return play(board, state, slate, desk, seat, HUNGRY)


class OneStepBot(CompiledBot):
    """Thinks of the next route only."""

    name = "one-step"
    choice = staticmethod(choose_one_step)


class LongRouteBot(CompiledBot):
    """Loves long routes; tickets are done by the way."""

    name = "long-route"
    choice = staticmethod(choose_long_route)


class RouteFocusedBot(CompiledBot):
    """Goes for the routes that matter most to its tickets."""

    name = "route-focused"
    choice = staticmethod(choose_route_focused)


class HungryBot(CompiledBot):
    """Gathers tickets first, then builds the network for all."""

    name = "hungry"
    choice = staticmethod(choose_hungry)
