"""Series of games: the same for one seed, fair to every bot, cut short without loss."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from branchline.arena import SeriesError, simulate
from branchline.arena.table import Table, period_of
from branchline.boards import UnknownBoard, load_board
from branchline.bots import BotError, CompiledBot, Position
from branchline.bots.simple.greedy import GreedyBot
from branchline.bots.simple.random import RandomBot
from branchline.rules.kernel import rule
from table import EDITIONS


class AlsoRandom(RandomBot):
    """Random, but not known to be."""


@pytest.mark.long
@pytest.mark.parametrize("bots", [["random", "random"], ["greedy", "random"]])
def test_the_same_seed_gives_the_same_games_whatever_the_jobs(bots: list[str]) -> None:
    here = simulate("berlin", bots, 60, seed=3)
    beside = simulate("berlin", bots, 60, seed=3, jobs=2)
    assert np.array_equal(here.games, beside.games)
    assert here.as_dict() | {"seconds": 0, "jobs": 0} == beside.as_dict() | {"seconds": 0, "jobs": 0}
    assert not np.array_equal(here.games, simulate("berlin", bots, 60, seed=4).games)


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    assert np.array_equal(
        simulate("europe", ["greedy", "random"], 10, seed=3).games,
        simulate("europe", ["greedy", "random"], 31, seed=3).games[:10],
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bot_plays_the_same_compiled_and_from_python(edition: str) -> None:
    board = load_board(edition)
    compiled = Table(board, [GreedyBot, RandomBot, GreedyBot], 5)
    from_python = Table(board, [lambda seed: GreedyBot(seed), RandomBot, lambda seed: GreedyBot(seed)], 5)
    assert compiled.compiled and not from_python.compiled
    from_python.period = compiled.period
    assert np.array_equal(compiled.play(0, 3), from_python.play(0, 3))


def test_random_games_are_the_same_whether_redacted_or_not() -> None:
    board = load_board("world")
    quick, full = Table(board, [RandomBot] * 3, 9), Table(board, [AlsoRandom] * 3, 9)
    assert np.array_equal(quick.play(0, 20), full.play(0, 20))


def test_bots_are_rotated_over_the_seats_with_one_seed_for_each_round() -> None:
    results = simulate("berlin", ["greedy", "random", "random"], 30, seed=1)
    for seat in range(3):
        assert list(results.column("entrant")[:, seat]) == [(seat + n) % 3 for n in range(30)]
    assert list(results.column("block")) == [n // 3 for n in range(30)]
    assert len(set(results.column("seed"))) == 10


def test_line_ups_that_repeat_are_not_rotated_into_themselves() -> None:
    assert period_of([GreedyBot, GreedyBot]) == 1
    assert period_of([GreedyBot, RandomBot] * 2) == 2
    assert period_of([GreedyBot, RandomBot, RandomBot]) == 3


def test_bots_are_repeated_to_fill_the_seats() -> None:
    assert simulate("europe", ["greedy", "random"], 4, seed=1, seats=5).bots == (
        "greedy",
        "random",
        "greedy",
        "random",
        "greedy",
    )
    assert simulate("europe", ["random"], 4, seed=1).seats == 2


def test_ctrl_c_returns_what_was_played() -> None:
    def interrupt(done: int) -> None:
        if done >= 5:
            raise KeyboardInterrupt

    results = simulate("berlin", ["random", "random"], 40, seed=1, on_progress=interrupt)
    assert results.stopped
    assert 5 <= results.played < 40
    assert np.array_equal(results.games, simulate("berlin", ["random", "random"], 40, seed=1).games[: results.played])


def test_a_series_of_no_games_can_be_summed_up() -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    results = simulate("berlin", ["greedy", "random"], 4, seed=1, on_progress=interrupt)
    assert results.as_dict()["stopped"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"bots": ["random"] * 5}, "5 bots are too many: Berlin is for 2 to 4 seats"),
        ({"bots": []}, "name at least one bot"),
        ({"seats": 5}, "Berlin is for 2 to 4 seats, not 5"),
        ({"seats": 1}, "Berlin is for 2 to 4 seats, not 1"),
        ({"seats": 2, "bots": ["random"] * 3}, "3 bots are too many for 2 seats"),
        ({"games": 0}, "games: expected a whole number from 1 to"),
        ({"seed": -1}, "seed: expected"),
        ({"seed": 2**62}, "seed: expected"),
    ],
)
def test_what_cannot_be_played_is_refused(what: dict[str, object], said: str) -> None:
    asked: dict[str, object] = {"bots": ["random", "random"], "games": 1, "seed": 0}
    with pytest.raises(SeriesError, match=said):
        simulate("berlin", **(asked | what))  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownBoard, match="did you mean"):
        simulate("berln", ["random"])
    with pytest.raises(BotError, match="did you mean"):
        simulate("berlin", ["randm"])


class Stubborn:
    """Claims the first route whatever the question."""

    name = "stubborn"

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, position: Position) -> int:
        return 0


class Confused(Stubborn):
    name = "confused"

    def choose(self, position: Position) -> int:
        return "claim"  # type: ignore[return-value]


class Broken(Stubborn):
    name = "broken"

    def choose(self, position: Position) -> int:
        raise ZeroDivisionError("no")


@rule
def answer_anything(board: Any, state: Any, scratch: Any, memory: Any, seat: int) -> int:
    """A number far beyond every action."""
    return 1 << 40


class Boundless(CompiledBot):
    name = "boundless"
    choice = staticmethod(answer_anything)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_does_not_play_by_the_rules_is_named(jobs: int) -> None:
    games = "0" if jobs == 1 else "[0-3]"  # of several processes any may be the first to come upon it
    for bot, said in (
        (Stubborn, f"bot stubborn chose what is not legal in game {games}"),
        (Confused, "bot confused answered 'claim'"),
        (Boundless, f"bot boundless chose what is not legal in game {games}"),
        (Broken, "bot broken failed: ZeroDivisionError: no"),
    ):
        with pytest.raises(BotError, match=said):
            simulate("berlin", [bot, "random"], 4, seed=1, jobs=jobs)
        if jobs > 1:
            break


class Slow(Stubborn):
    """Plays, but in Python."""

    name = "slow"

    def choose(self, position: Position) -> int:
        return position.legal[0]


@pytest.mark.parametrize("bot", [AlsoRandom, GreedyBot, Slow])
def test_a_game_that_does_not_end_is_given_up_and_the_bots_are_named(bot: type[Slow]) -> None:
    board = load_board("europe")
    [game] = Table(board, [bot] * 2, 1).play(0, 1)
    Table(board, [bot] * 2, 1, most_turns=game["turns"] + 1).play(0, 1)
    said = rf"the bots \({bot.name}\) do not end game 0 \(europe, 2 seats, after \d+ actions\), seed 1: 20 turns"
    with pytest.raises(BotError, match=said):
        Table(board, [bot] * 2, 1, most_turns=20).play(0, 1)


class Dying(Stubborn):
    name = "dying"

    def choose(self, position: Position) -> int:
        os._exit(3)


@pytest.mark.long
def test_a_worker_that_dies_ends_the_series_with_one_line() -> None:
    with pytest.raises(SeriesError, match=r"a worker process died \(exit code 3\)"):
        simulate("berlin", [Dying, "random"], 40, seed=1, jobs=2)


class Nameless:
    def __init__(self, seed: int) -> None:
        pass


def test_what_is_no_bot_is_named() -> None:
    with pytest.raises(BotError, match="bot Nameless has no name or no choose"):
        simulate("berlin", [Nameless, "random"], 4, seed=1)  # type: ignore[list-item]
