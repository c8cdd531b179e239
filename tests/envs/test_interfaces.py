"""PettingZoo and Gymnasium: their own tests pass, and games end as the rules say."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import branchline as bl
from branchline.envs import aec, registry, single
from branchline.envs.rewards import EnvError
from table import EDITIONS, SEATINGS

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

QUICK = {("berlin", 2)}
SEATED = [pytest.param(*one, marks=[] if one in QUICK else [pytest.mark.long]) for one in SEATINGS]


@pytest.mark.parametrize(("edition", "seats"), SEATED)
def test_pettingzoo_finds_nothing_to_say(edition: str, seats: int) -> None:
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation")  # a dictionary with a mask, as PettingZoo's own card games
        api_test(aec.env(edition, seats), num_cycles=200)
    seed_test(lambda: aec.env(edition, seats), num_cycles=60)
    render_test(lambda render_mode: aec.env(edition, seats, render_mode=render_mode))
    test_state(aec.env(edition, seats), 60)


@pytest.mark.parametrize(("edition", "seats"), SEATED)
def test_gymnasium_finds_nothing_to_say(edition: str, seats: int) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(f"branchline/{edition}-v1", seats=seats, opponents="greedy")
        check_env(made.unwrapped)


def played(env: Any, seed: int) -> dict[str, float]:
    """What everybody was paid in a random game."""
    env.reset(seed=seed)
    luck, paid = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(luck.choice(legal)))
    return paid


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_winner_is_paid_what_the_others_pay(edition: str) -> None:
    env = aec.env(edition, 2)
    paid = list(played(env, 3).values())
    scores = env.unwrapped.game.scores
    assert scores.final and sum(paid) == pytest.approx(0.0)
    assert [one > 0 for one in paid] == [seat in scores.winners for seat in range(2)] or len(scores.winners) > 1


def test_the_margin_is_in_hundreds_of_points() -> None:
    env = aec.env("berlin", 3, reward="margin")
    paid = list(played(env, 4).values())
    totals = env.unwrapped.game.scores.totals
    assert max(paid) == pytest.approx((sorted(totals)[-1] - sorted(totals)[-2]) / 100)


def test_an_illegal_action_ends_the_game_and_costs_one() -> None:
    env = aec.env("berlin", 2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.terminations[agent] and env.rewards[agent] == -1
    with pytest.raises(bl.IllegalAction):
        raw = aec.raw_env("berlin", 2)
        raw.reset(seed=1)
        raw.step(0)


def test_one_seat_plays_against_bots_to_the_end() -> None:
    env = gymnasium.make("branchline/berlin-v1", seats=3, opponents=["greedy", "random"], seat=None)
    seats = set()
    for seed in range(4):
        _, info = env.reset(seed=seed)
        luck, over, paid = np.random.default_rng(seed), False, 0.0
        while not over:
            _, paid, over, _, info = env.step(int(luck.choice(np.flatnonzero(info["action_mask"]))))
        game = env.unwrapped.game
        seats.add(env.unwrapped.seat)
        assert game.over and (paid > 0) == (env.unwrapped.seat in game.scores.winners)
    assert len(seats) > 1
    with pytest.raises(EnvError, match="over"):
        env.unwrapped.step(0)


def test_what_is_illegal_is_not_played_and_said() -> None:
    env = single.SeatEnv("berlin", opponents="random")
    env.reset(seed=1)
    before = env.game.state.tobytes()
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert (reward, terminated, env.game.state.tobytes()) == (-1.0, True, before) and info["illegal"]


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_many_games_in_a_vector_with_either_way_to_begin_again(mode: str) -> None:
    from gymnasium.vector import AutoresetMode

    many = gymnasium.make_vec(
        "branchline/berlin-v1", 3, "sync", vector_kwargs={"autoreset_mode": AutoresetMode[mode]}, opponents="random"
    )
    seen, _ = many.reset(seed=1)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(250):
        seen, _, terminated, _, _ = many.step(
            np.array([luck.choice(np.flatnonzero(one)) for one in seen["action_mask"]])
        )
        ended += int(terminated.sum())
    assert ended >= 3 and seen["observation"].shape[0] == 3


def test_pettingzoo_makes_it_by_its_id() -> None:
    import pettingzoo

    assert registry.ID_VERSION == 1
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", "branchline/great_lakes_v1", seats=4)
        assert env.unwrapped.metadata["name"] == "great_lakes_v1" and len(env.possible_agents) == 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seats": 7}, "seats"),
        ({"reward": "money"}, "reward"),
        ({"render_mode": "hologram"}, "render_mode"),
        ({"board": "europa"}, "europe"),
    ],
)
def test_what_cannot_be_had_is_said(wrong: dict[str, Any], said: str) -> None:
    for make in (aec.raw_env, single.SeatEnv):
        with pytest.raises(bl.BranchlineError, match=said):
            make(**{"board": "berlin", **wrong})
    with pytest.raises(EnvError, match="expected 2 for 3 seats"):
        single.SeatEnv("berlin", 3, opponents=["planner"])
    with pytest.raises(bl.BranchlineError, match="planer"):
        single.SeatEnv("berlin", 2, opponents="planer")
