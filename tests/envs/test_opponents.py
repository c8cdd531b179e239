"""Opponents in Gymnasium: by name, by class, as objects and as functions, for self-play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from branchline.bots import BotError, Position, make_bot
from branchline.bots.simple.greedy import GreedyBot
from branchline.rules import kernel

gymnasium = pytest.importorskip("gymnasium")

from branchline.envs import registry, single  # noqa: E402  (it needs gymnasium)
from branchline.envs.rewards import EnvError  # noqa: E402

gymnasium.register_envs(registry)


class LastBot:
    """Of one's own: does the last thing that is legal, and remembers its games."""

    name = "last"

    def __init__(self, seed: int = 0) -> None:
        self.seeds: list[int] = []

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, position: Position) -> int:
        return position.legal[-1]


def last(observation: Any, mask: Any) -> int:
    assert observation.dtype == np.float32 and mask.dtype == np.int8 and mask.any()
    return int(np.flatnonzero(mask)[-1])


def course(env: Any, seed: int = 3) -> list[str]:
    """All actions of a game in which the learner does the first thing that is legal."""
    env.reset(seed=seed)
    over = False
    while not over:
        *_, over, _, _ = env.step(int(env.action_masks().argmax()))
    return list(env.game.actions)


def test_a_class_a_bot_and_a_function_play_what_a_name_plays() -> None:
    by_name = course(single.SeatEnv("berlin", 3, opponents="greedy"))
    assert course(single.SeatEnv("berlin", 3, opponents=GreedyBot)) == by_name
    assert course(single.SeatEnv("berlin", 3, opponents=[GreedyBot(5), make_bot("greedy", 6)])) == by_name
    assert course(single.SeatEnv("berlin", 3, opponents=lambda seed: GreedyBot(seed))) == by_name
    played = course(single.SeatEnv("berlin", 3, opponents=last))
    assert played == course(single.SeatEnv("berlin", 3, opponents=LastBot))
    assert played == course(single.SeatEnv("berlin", 3, opponents=[LastBot(), last])) != by_name


def test_a_bot_plays_on_as_it_is_and_is_told_of_each_game() -> None:
    bot = LastBot()
    env = single.SeatEnv("berlin", opponents=bot, seat=None)
    for n in range(3):
        env.reset(seed=n)
    assert len(bot.seeds) == 3 == len(set(bot.seeds))


def test_the_same_seed_gives_the_same_games_with_an_object_of_our_own() -> None:
    for bot in ("random", "planner", "easy", "learned"):
        env = single.SeatEnv("berlin", opponents=make_bot(bot, 1))
        assert course(env) == course(env), bot


def test_made_by_id_they_are_taken_too() -> None:
    env = gymnasium.make("branchline/berlin-v1", opponents=last)
    observation, _ = env.reset(seed=1)
    assert observation["action_mask"].any()
    many = gymnasium.make_vec("branchline/berlin-v1", 2, vectorization_mode="sync", opponents=[LastBot])
    assert many.reset(seed=1)[0]["action_mask"].any()


@pytest.mark.parametrize(
    "wrong", [None, 5, object(), object, int, dict, lambda: 3, lambda a, b, c: 3, [last, last], [None]]
)
def test_what_is_no_opponent_is_refused_in_words(wrong: Any) -> None:
    with pytest.raises(EnvError, match=r"^opponents: "):
        single.SeatEnv("berlin", opponents=wrong).reset(seed=1)


@pytest.mark.parametrize("answer", [None, -1, 1.5, "pass", 10**9])
def test_an_opponent_that_does_what_is_not_legal_is_told_so(answer: Any) -> None:
    with pytest.raises(BotError, match="not legal"):
        single.SeatEnv("berlin", opponents=lambda observation, mask: answer, seat=1).reset(seed=1)


@pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")
def test_many_games_take_whatever_one_game_takes() -> None:
    for other in ("greedy", GreedyBot, last, LastBot, LastBot(), "easy"):
        envs = gymnasium.make_vec("branchline/berlin-v1", 2, opponents=other)
        seen, _ = envs.reset(seed=1)
        for _ in range(5):
            seen, *_ = envs.step(seen["action_mask"].argmax(axis=1))
