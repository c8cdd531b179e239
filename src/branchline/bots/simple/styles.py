"""Classic styles of play, as sparring partners: `one-step`, `long-route`, `route-focused`, `hungry` and `racer`.

The first four follow the agents by which de Mesentier Silva, Lee, Togelius and Nealen (2017) tested such games; the
last one is for the question whether a quick end beats building. Each has one aim, a route, collects for it alone and
claims it as soon as it can. How they come by the aim is the style; all else they do like `fast`.
"""

from __future__ import annotations

from branchline.boards.tables import KINDS, BoardTables
from branchline.bots.api.bot import CompiledBot
from branchline.bots.api.memory import Memory
from branchline.bots.planner import fast, plan, route_values, shortest_paths, ticket_choice, tunnelling
from branchline.bots.planner.paying import lowest_action
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal
from branchline.rules.state import (
    CLAIM,
    DRAW_TICKETS,
    KEEP,
    KEEP_TICKETS,
    SECOND_CARD,
    STATION,
    SWAP_PIECES,
    TURN,
    Scratch,
    State,
)

ONE_STEP, LONG_ROUTE, ROUTE_FOCUSED, HUNGRY, RACER = range(5)
APPETITE = 6  # tickets that the hungry one gathers before it builds
HASTE = 100  # one card missing weighs as much as so many hundredths of a point
LONG = 4  # spaces of a route that the racer takes to be long


@rule
def play(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, style: int) -> int:
    """Return the answer to any question."""
    if state.question == TURN:
        return play_turn(board, state, scratch, memory, seat, style)
    if state.question == SECOND_CARD:
        take_aim(board, state, memory, seat, style)
        return fast.choose_card(board, state, scratch, memory)
    if state.question == KEEP_TICKETS and style == RACER:
        return keep_cheapest(board, state, scratch, memory, seat)
    return fast.answer(board, state, scratch, memory, seat)


@rule
def play_turn(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int, style: int) -> int:
    """Claim what is aimed at, or collect for it; tickets when they are the style's, or nothing is left to do."""
    aim = take_aim(board, state, memory, seat, style)
    if style == RACER:
        longest = longest_payable(board, state, scratch, memory)
        if longest >= 0 and (aim < 0 or board.route_length[longest] >= board.route_length[aim]):
            aim = longest
    tunnelling.rule_out_retries(board, state, scratch, memory, seat)
    may_draw_tickets = is_legal(scratch, DRAW_TICKETS) and ticket_choice.early(board, state)
    if style == HUNGRY and may_draw_tickets and memory.held_count < APPETITE:
        return DRAW_TICKETS
    if aim >= 0 and is_legal(scratch, CLAIM + aim):
        return CLAIM + aim
    port = fast.port_now(board, state, scratch, memory, seat)
    if port >= 0:
        return port
    if fast.wants_station(board, scratch, memory):
        return STATION + memory.station_at
    if (
        is_legal(scratch, DRAW_TICKETS)
        and ticket_choice.wants_tickets(board, state, memory)
        and style != LONG_ROUTE
        and style != RACER
    ):
        return DRAW_TICKETS
    if is_legal(scratch, SWAP_PIECES) and ticket_choice.swap_needed(state, memory, seat) > 0:
        return SWAP_PIECES
    if fast.can_draw(scratch, board):
        return fast.choose_card(board, state, scratch, memory)
    return fast.least_evil(board, scratch)


@rule
def take_aim(board: BoardTables, state: State, memory: Memory, seat: int, style: int) -> int:
    """Return the route that the style is after, or -1. The cards it lacks are wanted."""
    plan.refresh(board, state, memory, seat)
    route_values.rate_routes(board, state, memory, seat)
    if style == RACER:
        return take_aims(board, state, memory)
    aim = -1
    most = 0
    for route in range(board.routes):
        if memory.rate[route] > 0:
            route_values.effort(board, memory, route)  # for what is missing
            good = liking(board, state, memory, route, style)
            if aim < 0 or good > most:
                most = good
                aim = route
    for kind in range(KINDS):
        memory.need[kind] = 0
    memory.aims = 0
    if aim >= 0:
        memory.aims = 1
        memory.aim[0] = aim
        route_values.want_for_route(board, memory, aim, route_values.SCALE)
    return aim


@rule
def liking(board: BoardTables, state: State, memory: Memory, route: int, style: int) -> int:
    """Return how much a style likes a route that may still be claimed."""
    serves = memory.route_value[route] > 0
    if style == LONG_ROUTE:
        return 1000 * board.route_length[route] - HASTE * memory.missing[route] + 500 * serves
    if style == ONE_STEP:
        return 100000 * serves + 10 * route_values.own_value(board, state, route) - 3 * HASTE * memory.missing[route]
    return (
        10 * memory.route_value[route]
        + route_values.own_value(board, state, route)
        - HASTE * memory.missing[route] // 10
    )


@rule
def take_aims(board: BoardTables, state: State, memory: Memory) -> int:
    """Return the best of several long routes for which the racer collects at a time, or -1; it claims what comes
    first.
    """
    memory.aims = 0
    for route in range(board.routes):
        if memory.rate[route] > 0:
            worth = memory.route_value[route]
            if worth > 0 or is_long(board, state, memory, route):
                worth += route_values.own_value(board, state, route)
            memory.rate[route] = worth * route_values.SCALE // route_values.effort(board, memory, route)
            if memory.rate[route] > 0:
                route_values.put_in_order(memory, route)
    route_values.want_cards(board, memory)
    return memory.aim[0] if memory.aims else -1


@rule
def is_long(board: BoardTables, state: State, memory: Memory, route: int) -> bool:
    """Return whether the racer counts a route as long: near the end, any that is long enough to bring it about."""
    pieces = plan.all_pieces(board, state, memory.seat)
    return board.route_length[route] >= min(LONG, max(1, pieces - board.pieces_left))


@rule
def longest_payable(board: BoardTables, state: State, scratch: Scratch, memory: Memory) -> int:
    """Return the longest route that may be claimed now, if it is a long one, or -1."""
    longest = -1
    for route in range(board.routes):
        if (
            is_legal(scratch, CLAIM + route)
            and is_long(board, state, memory, route)
            and (longest < 0 or board.route_length[route] > board.route_length[longest])
        ):
            longest = route
    return longest


@rule
def keep_cheapest(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Keep as few tickets as allowed: those cheapest to complete, each beside what is planned for the others."""
    plan.lay_out(board, memory)
    plan.make_plan(board, state, memory, seat)
    least = board.first_keep if state.setting_up else board.later_keep
    kept = 0
    for _ in range(least):
        best = -1
        cheapest = 0
        for n in range(state.offer_size[seat]):
            if (kept >> n) & 1 == 0:
                cost = plan.connect(board, state, memory, seat, state.offer[seat, n])
                if best < 0 or cost < cheapest:
                    best = n
                    cheapest = cost
        if best >= 0:
            kept |= 1 << best
            if plan.connect(board, state, memory, seat, state.offer[seat, best]) != shortest_paths.NEVER:
                plan.keep_trial(board, memory)
    memory.planned = 0
    return KEEP + kept if is_legal(scratch, KEEP + kept) else lowest_action(scratch)


@rule
def choose_one_step(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return play(board, state, scratch, memory, seat, ONE_STEP)


@rule
def choose_long_route(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return play(board, state, scratch, memory, seat, LONG_ROUTE)


@rule
def choose_route_focused(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return play(board, state, scratch, memory, seat, ROUTE_FOCUSED)


@rule
def choose_hungry(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return play(board, state, scratch, memory, seat, HUNGRY)


@rule
def choose_racer(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return play(board, state, scratch, memory, seat, RACER)


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


class RacerBot(CompiledBot):
    """Keeps cheap tickets, claims long routes and hurries to the end."""

    name = "racer"
    choice = staticmethod(choose_racer)
