"""The networks of `search`: what they compute and see, which board has which, and that they judge games as they end."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from branchline.boards import load_board
from branchline.boards.limits import MAX_COLOURS
from branchline.boards.tables import KINDS, TRAIN, WORD
from branchline.bots import Position, make_bot
from branchline.bots.api import memory as memories
from branchline.bots.networks import board_networks, value, value_inputs
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.search import Budget, Search
from branchline.game import Game
from branchline.rules import kernel, trail
from branchline.rules.state import IN_DECK, SCRATCH
from oracles import joined
from table import EDITIONS


class Judge:
    """Says what positions that are all known are worth, and keeps what the network has seen of them."""

    def __init__(self, game: Game) -> None:
        self._board = kernel.record_in(game.board.tables)
        self.scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
        buffer = memories.new_memory(game.seats)
        self.memories = buffer
        if kernel.INTERPRETED:
            self.memories = tuple(kernel.record_in(buffer[n : n + 1]) for n in range(game.seats))
        for memory in self.memories:
            PlannerBot.weights_on(game.board, game.seats).put_in(memory)
        self.inputs = np.zeros(value_inputs.INPUTS, np.float32)
        self._hidden = np.zeros(value.HIDDEN, np.float32)
        self._network = value.network(game.board)

    def __call__(self, state: Any, seat: int) -> float:
        for memory in self.memories:
            memory.planned = 0
        value_inputs.look(self._board, state, self.scratch, self.memories, seat, self.inputs)
        return float(value.judge(self._network, self.inputs, self._hidden))


def after(edition: str, seats: int, turns: int, seed: int = 3) -> Game:
    """A game between planners when so many turns each have ended."""
    game = Game(load_board(edition), seats, seed)
    bots = [make_bot("planner", seed + seat) for seat in range(seats)]
    while not game.over and (int(game.state["turns"][0]) < turns * seats or game.question.kind != "turn"):
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return game


def test_it_computes_two_hidden_layers_and_a_chance() -> None:
    luck = np.random.default_rng(1)
    net = luck.normal(0, 0.2, value.SIZE).astype(np.float32)
    inputs = (luck.normal(0, 1, value_inputs.INPUTS) * (luck.random(value_inputs.INPUTS) < 0.5)).astype(np.float32)
    one, two = (value_inputs.INPUTS + 1) * value.WIDE, (value.WIDE + 1) * value.NARROW
    first, second, last = (
        net[:one].reshape(-1, value.WIDE),
        net[one : one + two].reshape(-1, value.NARROW),
        net[one + two :],
    )
    wide = np.maximum(np.append(inputs, 1) @ first, 0)
    narrow = np.maximum(np.append(wide, 1) @ second, 0)
    expected = 1 / (1 + np.exp(-(np.append(narrow, 1) @ last)))
    assert value.judge(net, inputs, np.zeros(value.HIDDEN, np.float32)) == pytest.approx(expected, abs=1e-5)


def test_the_networks_that_ship_are_numbers() -> None:
    assert len(value.networks()) == 1 + len(EDITIONS)
    assert all(np.isfinite(net).all() for net in value.networks().values())


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_its_own_network_and_a_board_that_differs_the_general_one(edition: str) -> None:
    board = load_board(edition)
    own, general = value.network(board), value.networks()[board_networks.GENERAL]
    assert own is value.networks()[board_networks.name_on(board)] and own is not general
    assert value.network(replace(board, rules_version=board.rules_version + 1)) is own
    assert value.network(replace(board, routes=board.routes[:-1])) is general


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_lead_is_worth_something_and_bad_for_the_others(edition: str) -> None:
    for seats in (2, 4):
        game = after(edition, seats, 18)
        judge = Judge(game)
        state = kernel.record_in(game.state.copy())
        own, others = judge(state, 0), judge(state, 1)
        assert 0.0 < own < 1.0
        state.route_points[0] += 40
        assert judge(state, 0) > own + 0.05
        assert judge(state, 1) < others


def test_absent_seats_are_zeros_and_the_strongest_rival_comes_first() -> None:
    game = after("europe", 3, 12)
    judge = Judge(game)
    state = kernel.record_in(game.state.copy())
    for richer, poorer in ((1, 2), (2, 1)):
        state.route_points[richer], state.route_points[poorer] = 90, 10
        judge(state, 0)
        rows = judge.inputs[: value_inputs.OF_SEAT * 5].reshape(5, -1)
        assert rows[:, 0].tolist() == [1, 1, 1, 0, 0]
        assert rows[1, 3] == pytest.approx(3.0) and rows[2, 3] == pytest.approx(1 / 3)
        assert not rows[3:].any()


def planned(judge: Judge, board: Any, seat: int) -> list[int]:
    """The routes in a seat's plan."""
    return [route for route in range(board.routes) if judge.memories[seat].plan[route // WORD] >> (route % WORD) & 1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_sees_the_routes_of_the_plan(edition: str) -> None:
    seen = 0
    for turns in (2, 6, 10):
        game = after(edition, 2, turns)
        judge = Judge(game)
        judge(kernel.record_in(game.state.copy()), 0)
        board = kernel.record_in(game.board.tables)
        routes = planned(judge, board, 0)
        inputs = judge.inputs[value_inputs.PLANNED :]
        assert inputs[2] == pytest.approx(len(routes) / 5)
        assert inputs[3] == pytest.approx(sum(board.route_points[one] for one in routes) / 20)
        assert inputs[6] == pytest.approx(sum(board.route_tunnel[one] for one in routes) / 2)
        assert inputs[10] == pytest.approx(sum(game.board.routes[one].lines > 1 for one in routes) / 5)
        seen += len(routes)
    assert seen > 8


def test_it_sees_how_long_the_trail_will_be_when_all_that_is_planned_is_built() -> None:
    grows = 0
    for seed in range(8):
        game = after("europe", 3, 10, seed)
        state = kernel.record_in(game.state.copy())
        before = game.state.tobytes()
        judge = Judge(game)
        judge(state, 1)
        board = kernel.record_in(game.board.tables)
        assert kernel.buffer_of(state).tobytes() == before
        now, then = judge.inputs[value_inputs.SCORE + 5], judge.inputs[value_inputs.NETWORK + 4]
        for route in planned(judge, board, 1):
            state.route_owner[route] = 1
        assert then == pytest.approx(trail.longest(board, state, judge.scratch, 1) / 15)
        grows += then > now
    assert grows > 3


def test_it_sees_the_tickets_in_the_decks_that_lie_on_the_way() -> None:
    met = 0
    for seed in range(4):
        game = after("germany", 2, 20, seed)
        judge = Judge(game)
        state = kernel.record_in(game.state.copy())
        judge(state, 0)
        value_now, count, _, count_planned = judge.inputs[value_inputs.NETWORK :][:4]
        board = game.board
        own = [route for route in board.routes if state.route_owner[route.index] == 0]
        in_deck = [ticket for ticket in board.tickets if state.ticket_at[ticket.index] == IN_DECK]
        on_the_way = [one for one in in_deck if all(joined(own, a, b) for a, b in pairwise(one.places))]
        assert count == pytest.approx(len(on_the_way) / 10)
        assert value_now == pytest.approx(sum(ticket.value for ticket in on_the_way) / 40)
        assert count_planned >= count
        met += len(on_the_way)
    assert met > 8


def test_it_sees_the_commonest_colours_in_hand() -> None:
    game = after("europe", 2, 8)
    judge = Judge(game)
    state = kernel.record_in(game.state.copy())
    for kind in range(KINDS):
        state.hand[0, kind] = 0
    for colour, count in ((1, 2), (3, 5), (4, 1), (6, 3)):
        state.hand[0, TRAIN + colour] = count
    judge(state, 0)
    seen = judge.inputs[value_inputs.HAND :][:5] * (2, 4, 3, 3, 3)
    assert seen == pytest.approx([0, 5, 3, 2, 2])  # no wilds, the three commonest, two with three or more


def test_it_sees_how_the_races_for_passengers_stand() -> None:
    game = after("germany", 2, 12)
    judge = Judge(game)
    state = kernel.record_in(game.state.copy())
    colours = game.board.tables["passenger_colour"][0][: int(game.board.tables["passenger_colours"][0])]
    for colour in range(MAX_COLOURS):
        state.passengers[0, colour] = state.passengers[1, colour] = 0
        for place in range(len(game.board.places)):
            state.waiting[place, colour] = 0
    judge(state, 0)
    assert judge.inputs[value_inputs.PASSENGERS + 3] == len(colours)  # even, and over
    state.passengers[0, colours[0]], state.passengers[1, colours[1]] = 2, 2
    judge(state, 0)
    taken, stand, won, close = judge.inputs[value_inputs.PASSENGERS :][:4]
    assert taken == pytest.approx(0.2) and stand == 0 and won == 1 and close == len(colours) - 2


@pytest.mark.long
def test_it_foresees_who_wins_late_in_games_between_planners() -> None:
    right = []
    for edition in EDITIONS:
        for seed in range(12):
            game = after(edition, 2, 16 if edition == "berlin" else 30, 100 + seed)
            if not game.over:
                said = Judge(game)(kernel.record_in(game.state), 0)
                bots = [make_bot("planner", seat) for seat in range(2)]
                while not game.over:
                    position = Position.of(game)
                    game.play(bots[position.seat].choose(position))
                first, second = game.scores.totals
                right.append((said > 0.5) == (first > second))
    assert len(right) > 40
    assert np.mean(right) > 0.65


def found(game: Game, horizon: int) -> Search:
    search = Search(horizon=horizon)
    search.begin(Position.of(game), kernel.record_in(memories.new_memory()), 5)
    search.spend(Budget(rollouts=80))
    return search


def test_a_playout_stops_at_the_horizon() -> None:
    game = after("berlin", 2, 6)
    assert found(game, 0)._workers[0].buffer["total"].any()  # points are noted where a game has been played to its end
    assert not found(game, 2)._workers[0].buffer["total"].any()


def test_where_the_end_comes_before_the_horizon_the_result_counts() -> None:
    game = after("berlin", 2, 14)
    assert found(game, 0).estimates() == found(game, 100).estimates()
