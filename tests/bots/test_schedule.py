"""The planner's schedule: what a turn is worth, and what it keeps from one question of a turn to the next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from branchline.boards import load_board
from branchline.bots import make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position
from branchline.bots.planner import forest, pace, plan, planner, route_values
from branchline.game import Game
from branchline.rules import kernel
from branchline.rules.state import SECOND_CARD
from table import COSTLY_EDITIONS, EDITIONS


def asked(edition: str, seed: int) -> Iterator[tuple[Position, Any]]:
    """Each position of a game between planners, with the bot that is asked, before it answers."""
    game = Game(load_board(edition), 3, seed)
    bots = [make_bot("planner", seat) for seat in range(3)]
    while not game.over:
        position = Position.of(game)
        yield position, bots[position.seat]
        game.play(bots[position.seat].choose(position))


def last_rate_by_hand(board: Any, memory: Any, open_ones: list[int], time: int, pieces: int) -> int:
    """One route after the other, the best first, until time or pieces are filled."""
    whole = max(1, memory.time_left - memory.time_needed)
    for route in sorted(open_ones, key=lambda one: (-memory.rate[one], one)):
        if time <= 0 or memory.rate[route] == 0:
            break
        time -= int(memory.takes_route[route])
        pieces -= int(board.route_length[route])
        if pieces <= 0:
            return int(memory.rate[route]) * max(0, 100 * (whole - max(0, time)) // whole) // 100
        if time <= 0:
            return int(memory.rate[route])
    return 0


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_a_turn_is_worth_what_the_last_route_brings_that_fills_the_time_or_the_pieces(edition: str) -> None:
    filled = set()
    for position, _ in itertools.islice(asked(edition, seed=5), 0, None, 9):
        board, state, seat = kernel.record_in(position.board.tables), position.state, position.seat
        memory = kernel.record_in(memories.new_memory())
        planner.PlannerBot.weights_on(position.board, 3).put_in(memory)
        planner.want(board, state, memory, seat)
        route_values.lay_out_hand(board, state, memory, seat)
        open_ones = [route for route in range(board.routes) if plan.is_open(state, seat, route)]
        for time, pieces in ((0, 9), (1, 1), (4 * pace.TURN, 30), (memory.time_left, 12), (10**6, 7), (10**6, 10**4)):
            found = forest.last_rate(board, state, memory, seat, time, pieces)
            assert found == last_rate_by_hand(board, memory, open_ones, time, pieces)
            filled.add(found > 0)
    assert filled == {True, False}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_second_card_is_wanted_as_if_all_routes_were_valued_anew(edition: str) -> None:
    seen = 0
    for position, bot in asked(edition, seed=6):
        board = kernel.record_in(position.board.tables)
        if position.question == SECOND_CARD:
            found = []
            for forgets in (False, True):
                kept = kernel.buffer_of(bot.memory)
                memory = kernel.record_in(kept)
                if forgets:
                    memory.valued_beside = forest.NOT_VALUED
                planner.want(board, position.state, memory, position.seat)
                aims = [int(memory.aim[n]) for n in range(memory.aims)]
                rated = [int(memory.rate[route]) for route in range(board.routes)]
                found.append((aims, rated, [int(one) for one in memory.need]))
            assert found[0] == found[1]
            seen += 1
    assert seen > 10
