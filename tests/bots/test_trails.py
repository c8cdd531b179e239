"""The planner's longest trail in the making, beside the true one of the rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from branchline.boards import load_board
from branchline.boards.tables import WORD
from branchline.bots import make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position
from branchline.bots.planner import plan, planner, trails
from branchline.game import Game
from branchline.rules import kernel, trail
from branchline.rules.state import SCRATCH, STATE

WITH_COUNTRIES = "germany"


def looked_at(edition: str, seed: int) -> Iterator[tuple[Any, Any, Any, int]]:
    """Board, state, the planner's memory and the seat, now and then in a game between planners."""
    game = Game(load_board(edition), 3, seed)
    bots = [make_bot("planner", seat) for seat in range(3)]
    memory = kernel.record_in(memories.new_memory())
    for number in itertools.count():
        if game.over:
            return
        position = Position.of(game)
        if number % 7 == 0:
            board, state, seat = kernel.record_in(position.board.tables), position.state, position.seat
            memory.planned = 0
            planner.PlannerBot.weights_on(position.board, 3).put_in(memory)
            planner.want(board, state, memory, seat)
            memory.planned = 0
            trails.look(board, state, memory, seat)
            yield board, state, memory, seat
        game.play(bots[position.seat].choose(position))


def true_length(board: Any, state: Any, seat: int, route: int | None = None) -> int:
    """The spaces of the longest trail by the rules, with one route more."""
    copy = kernel.new_buffer(STATE)
    copy[0] = kernel.buffer_of(state)[0]
    if route is not None:
        copy["route_owner"][0, route] = seat
    return int(trail.longest(board, kernel.record_in(copy), kernel.record_in(kernel.new_buffer(SCRATCH)), seat))


@pytest.mark.parametrize("edition", ["europe", WITH_COUNTRIES])
def test_the_longest_trail_is_that_of_the_rules(edition: str) -> None:
    lengths = set()
    for board, state, memory, seat in looked_at(edition, seed=3):
        assert memory.longest_trail == true_length(board, state, seat)
        lengths.add(int(memory.longest_trail))
    assert len(lengths) >= 6


@pytest.mark.parametrize("edition", ["europe", WITH_COUNTRIES])
def test_a_route_makes_the_longest_trail_grow_by_no_less_and_mostly_by_as_much(edition: str) -> None:
    missed = []
    for board, state, memory, seat in looked_at(edition, seed=4):
        before = true_length(board, state, seat)
        for route in range(0, board.routes, 3):
            if plan.is_open(state, seat, route):
                grows = true_length(board, state, seat, route) - before
                found = trails.growth(board, memory, route)
                assert found <= grows
                missed.append(found < grows)
    assert len(missed) > 200 and sum(missed) < len(missed) // 20


def test_a_network_with_more_ways_than_can_be_walked_still_has_a_trail_to_every_place() -> None:
    every = load_board("europe")
    board, owned = kernel.record_in(every.tables), kernel.new_buffer(STATE)
    owned[0] = kernel.buffer_of(Position.of(Game(every, 3, 1)).state)[0]
    owned["route_owner"][0, : board.routes] = 0
    for place in range(board.places):
        owned["reached"][0, 0, place // WORD] |= 1 << (place % WORD)
    memory = kernel.record_in(memories.new_memory())
    planner.PlannerBot.weights_on(every, 3).put_in(memory)
    plan.lay_out(board, memory)
    trails.look(board, kernel.record_in(owned), memory, 0)
    assert min(memory.trail_to[: board.places]) > 0
    assert memory.longest_trail <= sum(board.route_length[: board.routes])


def test_what_is_known_of_one_network_is_not_taken_for_another() -> None:
    memory = kernel.record_in(memories.new_memory())
    games = zip(looked_at("europe", seed=5), looked_at("europe", seed=6), strict=False)
    for board, state, _, seat in itertools.chain.from_iterable(games):
        if seat == 0 and state.turns != memory.turns:  # the planner takes a turn of that number for the same one
            planner.PlannerBot.weights_on(load_board("europe"), 3).put_in(memory)
            planner.want(board, state, memory, seat)
            assert memory.longest_trail == true_length(board, state, seat)
