"""Gymnasium's vectors in compiled code: the games that are played one by one, both ways to begin again, no copies."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import branchline as bl
from branchline.arena.play import bot_seed, game_seed
from branchline.bots import Position, make_bot
from branchline.envs import mask_of, observe
from branchline.envs.rewards import win
from branchline.envs.seat_batch import SeatBatch
from branchline.rules import kernel
from branchline.rules.state import PASS

gymnasium = pytest.importorskip("gymnasium")

from branchline.envs import registry  # noqa: E402  (it needs gymnasium)

gymnasium.register_envs(registry)
pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")

MODES = ("NextStep", "SameStep")


def vector(number: int = 3, edition: str = "berlin", **how: Any) -> Any:
    return gymnasium.make_vec(f"branchline/{edition}-v1", number, **how)


def legal_ones(mask: Any, luck: np.random.Generator) -> Any:
    return (luck.random(mask.shape) * mask).argmax(axis=1)


@pytest.mark.parametrize(
    ("edition", "seats", "seat"),
    [
        ("berlin", 2, None),
        pytest.param("europe", 3, 1, marks=pytest.mark.long),
        pytest.param("world", 2, 0, marks=pytest.mark.long),
    ],
)
def test_they_are_the_games_that_bots_play_one_by_one(edition: str, seats: int, seat: int | None) -> None:
    names = ["planner", "greedy"][: seats - 1]
    batch = SeatBatch(edition, 2, seats, opponents=names, seat=seat, seed=5)
    luck, ended, number = np.random.default_rng(5), 0, [0, 1]

    def begun(place: int) -> tuple[bl.Game, int, dict[int, Any]]:
        own = game_seed(5, number[place])
        me = game_seed(own, 0) % seats if seat is None else seat
        others = [other for other in range(seats) if other != me]
        bots = {other: make_bot(names[n], bot_seed(own, n)) for n, other in enumerate(others)}
        return bl.Game(batch.board, seats, own), me, bots

    def answered(game: bl.Game, me: int, bots: dict[int, Any]) -> None:
        while not game.over and game.question.seat != me:
            position = Position.of(game)
            game.play(bots[position.seat].choose(position))

    games = [begun(place) for place in range(2)]
    for one in games:
        answered(*one)
    while ended < 3:
        for place, (game, me, _) in enumerate(games):
            assert batch.game(place).fingerprint == game.fingerprint and batch.seat[place] == me
            assert batch.mask[place].tobytes() == mask_of(game, me).tobytes()
            assert batch.observation[place].tobytes() == observe(batch.layout, game, me).tobytes()
        actions = legal_ones(batch.mask, luck)
        batch.step(actions)
        for place, (game, me, bots) in enumerate(games):
            if game.over:
                ended += 1
                number[place] += 2
                games[place] = begun(place)
                answered(*games[place])
                assert not batch.done[place] and batch.reward[place] == 0
            else:
                game.play(int(actions[place]))
                answered(game, me, bots)
                assert bool(batch.done[place]) == game.over
                assert batch.reward[place] == pytest.approx(win(game.scores)[me] if game.over else 0.0)


@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_finds_nothing_to_say(mode: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = vector(4, seats=3, opponents="greedy", autoreset_mode=mode, copy=True)
        envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
        seen, info = envs.reset(seed=3)
        luck, episodes = np.random.default_rng(3), 0
        for _ in range(160):
            assert seen in envs.observation_space
            assert all(len(seen[name]) == envs.num_envs for name in seen)
            actions = legal_ones(seen["action_mask"], luck)
            assert actions in envs.action_space
            seen, reward, terminated, truncated, info = envs.step(actions)
            assert reward.dtype == np.float64 and terminated.dtype == truncated.dtype == np.bool_
            assert reward.shape == terminated.shape == truncated.shape == (4,) and not truncated.any()
            assert not reward[~terminated].any()
            episodes += int(terminated.sum())
            assert ("episode" in info) == bool(terminated.any())
        envs.close()
    assert episodes >= 4
    assert envs.unwrapped.spec.id == "branchline/berlin-v1"


def test_both_ways_to_begin_again_tell_the_same_games() -> None:
    ends: dict[str, list[tuple[int, float, bytes]]] = {mode: [] for mode in MODES}
    for mode in MODES:
        envs = vector(2, opponents="greedy", autoreset_mode=mode)
        seen, _ = envs.reset(seed=9)
        for _ in range(230):
            lowest = seen["action_mask"].argmax(axis=1)
            seen, reward, terminated, _, info = envs.step(lowest)
            for place in np.flatnonzero(terminated):
                final = info["final_obs"][place] if mode == "SameStep" else {k: v[place] for k, v in seen.items()}
                assert np.flatnonzero(final["action_mask"]).tolist() == [PASS]
                assert (np.flatnonzero(seen["action_mask"][place]).tolist() == [PASS]) == (mode == "NextStep")
                ends[mode].append((int(place), float(reward[place]), final["observation"].tobytes()))
    shared = min(map(len, ends.values()))
    assert shared >= 4
    for place in range(2):
        first, second = ([end for end in ends[mode] if end[0] == place] for mode in MODES)
        shared = min(len(first), len(second))
        assert shared and first[:shared] == second[:shared]


def test_the_end_of_a_game_tells_points_and_places_and_how_games_begin_again_is_known() -> None:
    envs = vector(2, seats=3, opponents="greedy", reward="points")
    seen, _ = envs.reset(seed=2)
    over = np.zeros(2, bool)
    while not over.any():
        seen, reward, over, _, info = envs.step(seen["action_mask"].argmax(axis=1))
    place = int(over.argmax())
    scores = envs.unwrapped.batch.game(place).scores
    assert tuple(info["points"][place]) == scores.totals and tuple(info["places"][place]) == scores.ranks
    assert reward[place] == pytest.approx(scores.totals[0] / 100)
    assert envs.unwrapped.autoreset_mode is envs.metadata["autoreset_mode"]


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_threads() -> None:
    found = []
    for threads in (1, 3, 3):
        envs, luck = vector(5, "great_lakes", seats=4, seat=None, threads=threads), np.random.default_rng(1)
        seen, _ = envs.reset(seed=11)
        for _ in range(25):
            seen, *_ = envs.step(legal_ones(seen["action_mask"], luck))
        found.append((seen["observation"].tobytes(), seen["action_mask"].tobytes()))
    assert found[0] == found[1] == found[2]


def test_observations_are_copies_or_on_request_views_that_every_step_writes_and_others_share() -> None:
    envs, luck = vector(3, opponents="random", copy=False), np.random.default_rng(2)
    seen, _ = envs.reset(seed=1)
    shared = np.from_dlpack(seen["observation"])
    before = shared.copy()
    later, *_ = envs.step(legal_ones(seen["action_mask"], luck))
    assert later["observation"] is seen["observation"] and np.shares_memory(shared, later["observation"])
    assert shared.tobytes() == later["observation"].tobytes() != before.tobytes()
    kept = vector(3, opponents="random")
    first, _ = kept.reset(seed=1)
    second, *_ = kept.step(legal_ones(first["action_mask"], luck))
    assert not np.shares_memory(first["observation"], second["observation"])


@pytest.mark.parametrize("mode", MODES)
def test_what_is_illegal_ends_the_game_costs_one_and_is_not_played(mode: str) -> None:
    envs = vector(2, opponents="greedy", autoreset_mode=mode)
    seen, _ = envs.reset(seed=4)
    before = envs.unwrapped.batch.game(1).fingerprint
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = seen["action_mask"][1].argmin()
    seen, reward, terminated, _, info = envs.step(actions)
    assert reward.tolist() == [0.0, -1.0] and terminated.tolist() == [False, True]
    assert info["illegal"].tolist() == [False, True]
    assert (envs.unwrapped.batch.game(1).fingerprint == before) == (mode == "NextStep")
    _, reward, terminated, _, info = envs.step(seen["action_mask"].argmax(axis=1))
    assert not reward.any() and not terminated.any() and not info["illegal"].any()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"opponents": ["greedy"] * 2}, "2 names|expected 1"),
        ({"opponents": "planer"}, "planer"),
        ({"seat": 2}, "seat"),
        ({"autoreset_mode": "Never"}, "autoreset_mode"),
        ({"threads": 0}, "threads"),
    ],
)
def test_what_cannot_be_had_is_said(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(bl.BranchlineError, match=said):
        vector(2, **wrong)
