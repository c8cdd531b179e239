"""The networks of beliefs: what they compute and see, which board has which, and that they guess tickets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from branchline.boards import Board, load_board
from branchline.bots import Position, make_bot
from branchline.bots.api import memory as memories
from branchline.bots.networks import belief, belief_inputs, board_networks
from branchline.bots.search import beliefs, trials
from branchline.game import Game
from branchline.rules import kernel
from branchline.rules.state import HIDDEN
from table import EDITIONS


def after(board: Board, seats: int, turns: int, seed: int = 3) -> Game:
    """A game between planners when so many turns each have ended."""
    game = Game(board, seats, seed)
    bots = [make_bot("planner", seed + seat) for seat in range(seats)]
    while not game.over and (int(game.state["turns"][0]) < turns * seats or game.question.kind != "turn"):
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return game


def weighed(game: Game) -> tuple[Position, Any]:
    """What the asked seat sees, and its notes on what others hold."""
    position = Position.of(game)
    notes = kernel.record_in(kernel.new_buffer(trials.NOTES))
    memory = kernel.record_in(memories.new_memory())
    board = kernel.record_in(game.board.tables)
    beliefs.weigh(board, position.state, memory, notes, belief.network(game.board), position.seat)
    return position, notes


def test_it_computes_a_hidden_layer_and_a_number_for_each_ticket() -> None:
    luck = np.random.default_rng(1)
    net = luck.normal(0, 0.2, belief.SIZE).astype(np.float32)
    inputs = luck.normal(0, 1, (3, belief_inputs.INPUTS))
    wide = np.maximum(inputs[1] @ net[: belief.BIASES].reshape(-1, belief.WIDE) + net[belief.BIASES : belief.LAST], 0)
    rating = wide @ net[belief.LAST : belief.EXPLAINING] + net[belief.TICKETS + 1]
    assert belief.likelihood(net, inputs, 1) == pytest.approx(np.exp(rating), rel=1e-5)


def test_the_networks_that_ship_are_numbers() -> None:
    assert len(belief.networks()) == 1 + len(EDITIONS)
    assert all(np.isfinite(net).all() for net in belief.networks().values())


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_its_own_network_and_a_board_that_differs_the_general_one(edition: str) -> None:
    board = load_board(edition)
    own, general = belief.network(board), belief.networks()[board_networks.GENERAL]
    assert own is belief.networks()[board_networks.name_on(board)] and own is not general
    assert belief.network(replace(board, routes=board.routes[:-1])) is general


def test_what_others_hold_in_secret_changes_no_belief() -> None:
    board = load_board("europe")
    game = after(board, 2, 20)
    _, notes = weighed(game)
    before = np.array(notes.belief)
    other = 1 - game.question.seat
    hidden = [n for n in range(len(board.tickets)) if int(Position.of(game).state.ticket_at[n]) == HIDDEN]
    held = next(n for n in hidden if int(game.state["ticket_at"][0, n]) == other)
    deck = next(n for n in hidden if int(game.state["ticket_at"][0, n]) != other)
    at = game.state["ticket_at"][0]
    at[held], at[deck] = int(at[deck]), int(at[held])
    _, notes = weighed(game)
    assert np.array_equal(np.array(notes.belief), before)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_ticket_explains_what_lies_on_its_way_once_only(edition: str) -> None:
    game = after(load_board(edition), 2, 24)
    position, notes = weighed(game)
    other = 1 - position.seat
    more = 0.0
    for ticket in range(len(game.board.tickets)):
        if position.state.ticket_at[ticket] == HIDDEN:
            on, near = int(notes.on_way[other, ticket]), int(notes.near_way[other, ticket])
            assert on & ~near == 0
            alone = float(notes.belief[other, ticket])
            assert beliefs.likelihood(notes, other, ticket, on, near) == pytest.approx(alone)
            more = max(more, beliefs.likelihood(notes, other, ticket, 0, 0) / alone)
    assert more > 1.5


@pytest.mark.parametrize("edition", EDITIONS)
def test_tickets_that_are_held_are_believed_likelier_than_others(edition: str) -> None:
    lifts: list[float] = []
    for seed in range(6):
        game = after(load_board(edition), 2, 16 if edition == "berlin" else 24, seed)
        position, notes = weighed(game)
        other = 1 - position.seat
        size = len(game.board.tickets)
        hidden = np.array([position.state.ticket_at[n] == HIDDEN for n in range(size)])
        held = hidden & (game.state["ticket_at"][0, :size] == other)
        likely = np.log([notes.belief[other, n] for n in np.flatnonzero(hidden)])
        own = np.log([notes.belief[other, n] for n in np.flatnonzero(held)])
        lifts += list(own - np.log(np.exp(likely).mean()))
    assert np.mean(lifts) > 0
