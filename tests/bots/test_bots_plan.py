"""Plans connect: what is planned does the tickets, by the cheapest way, and never through a country."""

from __future__ import annotations

import heapq
import random
from typing import Any

import pytest

from branchline.boards import Board, load_board
from branchline.boards.tables import ANY_COLOUR, COUNTRY, KINDS, WORD
from branchline.bots import make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position
from branchline.bots.planner import plan, route_values, shortest_paths
from branchline.game import Game
from branchline.rules import kernel, network
from branchline.rules.state import NOBODY, SCRATCH
from oracles import cheapest_network
from table import COSTLY_EDITIONS, EDITIONS


def games(edition: str, seats: int, seed: int, every: int) -> list[tuple[Game, int]]:
    """Positions of one game between greedy bots, each with the seat that is asked."""
    game = Game(load_board(edition), seats, seed)
    bots = [make_bot("greedy", seat) for seat in range(seats)]
    found = []
    while not game.over:
        position = Position.of(game)
        if len(game.actions) % every == 0:
            found.append((game.copy(), position.seat))
        game.play(bots[position.seat].choose(position))
    return found


def planned(game: Game, seat: int) -> tuple[Any, Any, Any]:
    """Board, state and memory after planning."""
    board, state = kernel.record_in(game.board.tables), kernel.record_in(game.redacted(seat))
    memory = kernel.record_in(memories.new_memory())
    plan.lay_out(board, memory)
    plan.make_plan(board, state, memory, seat)
    return board, state, memory


def in_plan(memory: Any, route: int) -> bool:
    return bool(int(memory.plan[route // WORD]) >> (route % WORD) & 1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_plan_carried_out_does_its_tickets(edition: str) -> None:
    for game, seat in games(edition, 3, seed=4, every=17):
        board, state, memory = planned(game, seat)
        for route in range(board.routes):
            if in_plan(memory, route):
                assert state.route_owner[route] == NOBODY
                state.route_owner[route] = seat
        scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
        network.find_components(board, state, scratch, seat)
        for n in range(memory.held_count):
            joined = network.ticket_joined(board, scratch, memory.held[n])
            assert joined == (memory.outlook[n] in (plan.DONE, plan.PLANNED)) or memory.outlook[n] == plan.GIVEN_UP


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_plan_never_asks_for_more_pieces_than_there_are(edition: str) -> None:
    for game, seat in games(edition, 2, seed=6, every=23):
        board, state, memory = planned(game, seat)
        pieces = [0, 0]
        for route in range(board.routes):
            if in_plan(memory, route):
                pieces[board.route_piece[route]] += board.route_length[route]
        assert pieces == [memory.plan_pieces[0], memory.plan_pieces[1]]
        assert plan.suffices(board, state, memory, seat, 0, 0)


def cheapest_by_hand(board: Board, memory: Any, start: int) -> dict[int, int]:
    """Dijkstra as in the textbook, by heap."""
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        cost, here = heapq.heappop(heap)
        if cost > best[here] or (board.places[here].kind == "country" and here != start):
            continue
        for route in board.routes:
            if here in (route.a.index, route.b.index):
                there = route.b.index if route.a.index == here else route.a.index
                through = cost + int(memory.cost[route.index])
                if through < best.get(there, shortest_paths.NEVER):
                    best[there] = through
                    heapq.heappush(heap, (through, there))
    return best


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_connections_are_the_cheapest(edition: str) -> None:
    game = Game(load_board(edition), 2, 1)
    board, _, memory = planned(game, 0)
    for start in range(0, board.places, 5):
        by_hand = cheapest_by_hand(game.board, memory, start)
        for goal in range(board.places):
            if goal != start:
                assert shortest_paths.cheapest(board, memory, start, goal) == by_hand.get(goal, shortest_paths.NEVER)


@pytest.mark.long
def test_TIC_4_no_connection_passes_through_a_country() -> None:
    game = Game(load_board("germany"), 2, 1)
    board, _, memory = planned(game, 0)
    countries = [place for place in range(board.places) if board.place_kind[place] == COUNTRY]
    assert countries
    for start in range(board.places):
        for goal in range(board.places):
            if start != goal and shortest_paths.cheapest(board, memory, start, goal) < shortest_paths.NEVER:
                here = goal
                while here != start:
                    route = memory.came_by[here]
                    here = board.route_a[route] + board.route_b[route] - here
                    assert here == start or here not in countries


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(5))
def test_the_best_colour_for_a_gray_route_is_one_of_which_the_fewest_cards_are_missing(edition: str, seed: int) -> None:
    game = Game(load_board(edition), 2, seed)
    board, state, memory = planned(game, 0)
    luck = random.Random(seed)
    for kind in range(KINDS):
        state.hand[0, kind] = luck.choice((0, 0, 1, 2, 5))
    route_values.lay_out_hand(board, state, memory, 0)
    while any(memory.spare[kind] for kind in range(KINDS)):
        for route in range(board.routes):
            best = route_values.best_colour(board, memory, route)
            if board.route_colour[route] == ANY_COLOUR:
                colours = [int(board.colour[n]) for n in range(board.colours)]
                assert best in colours
                missing = [route_values.missing_in(board, memory, route, colour) for colour in colours]
                assert route_values.missing_in(board, memory, route, best) == min(missing)
            else:
                assert best == board.route_colour[route]
        before = list(memory.spare)
        route = luck.randrange(board.routes)
        route_values.set_aside(board, memory, route, route_values.best_colour(board, memory, route))
        if before == list(memory.spare):
            break


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_the_planners_network_is_never_far_from_the_cheapest(edition: str) -> None:
    """It costs no less than the cheapest, or it would not join what it must; a single ticket costs just that."""
    board, game = load_board(edition), Game(load_board(edition), 2, seed=8)
    bots = [make_bot("planner", seat) for seat in range(2)]
    spent = least = looks = 0
    while not game.over:
        position = Position.of(game)
        action = bots[position.seat].choose(position)
        memory: Any = bots[position.seat].memory  # type: ignore[attr-defined]
        outlook = [int(memory.outlook[n]) for n in range(memory.held_count)]
        wishes = [board.tickets[memory.held[n]].places for n, one in enumerate(outlook) if one == plan.PLANNED]
        all_planned = not memory.too_late and plan.BORROWING not in outlook and 0 < len(wishes) <= 3
        if game.question.kind == "turn" and all_planned and game.turns % 3 == 0:
            costs = {
                route: int(memory.price[route] if in_plan(memory, route) else memory.cost[route])
                for route in range(len(board.routes))
                if memory.cost[route] < shortest_paths.NEVER
            }
            mine = sum(costs[route] for route in costs if in_plan(memory, route))
            best = cheapest_network(board, costs, [[place.index for place in one] for one in wishes])
            assert mine >= best
            assert mine == best or len(wishes) > 1
            spent, least, looks = spent + mine, least + best, looks + 1
        game.play(action)
    assert looks > 3
    assert spent <= 1.1 * least
