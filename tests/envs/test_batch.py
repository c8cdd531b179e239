"""Batches: the same games as one by one, whatever the threads; nothing illegal is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import branchline as bl
from branchline.arena.play import game_seed
from branchline.envs import Batch, layout_of, mask_of, observe
from branchline.envs.rewards import EnvError, win
from branchline.rules import kernel
from table import COSTLY_SEATINGS, EDITIONS

pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")


def actions_for(batch: Batch, luck: np.random.Generator) -> Any:
    """A legal one for each game."""
    return (luck.random(batch.mask.shape) * batch.mask).argmax(axis=1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_they_are_the_games_that_are_played_one_by_one(edition: str) -> None:
    board = bl.load_board(edition)
    batch, luck = Batch(board, 3, 2, seed=8), np.random.default_rng(8)
    layout = layout_of(board, 2)
    assert batch.observation is not None
    games = [bl.Game(board, 2, game_seed(8, place)) for place in range(3)]
    ended = 0
    for _ in range(420):
        actions = actions_for(batch, luck)
        batch.step(actions)
        for place, action in enumerate(actions.tolist()):
            games[place].play(action)
            assert bool(batch.done[place]) == games[place].over
            if games[place].over:
                ended += 1
                assert batch.reward[place].tolist() == pytest.approx(win(games[place].scores))
                number = int(batch.snapshot().numbers[place])
                games[place] = bl.Game(board, 2, game_seed(8, number))
            else:
                assert not batch.reward[place].any()
        if ended or len(games[0].actions) % 40 == 0:
            for place, game in enumerate(games):
                seat = game.question.seat
                assert seat is not None and batch.seat[place] == seat
                assert batch.game(place).state.tobytes() == game.state.tobytes()
                assert batch.mask[place].tobytes() == mask_of(game, seat).tobytes()
                assert batch.observation[place].tobytes() == observe(layout, game, seat).tobytes()
        if ended >= 2:
            break
    assert ended >= 1


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_HIDE_rows_that_are_kept_hold_what_a_redacted_state_tells(edition: str, seats: int) -> None:
    board = bl.load_board(edition)
    batch, luck = Batch(board, 4, seats, seed=4, threads=2), np.random.default_rng(4)
    questions = set()
    for step in range(260):
        batch.step(actions_for(batch, luck))
        if step % 9 == 0:
            assert batch.observation is not None
            for place in range(batch.games):
                game = batch.game(place)
                questions.add(game.question.kind)
                assert batch.observation[place].tobytes() == observe(batch.layout, game, batch.seat[place]).tobytes()
    assert len(questions) > 4


def test_to_multiply_by_the_inverse_of_a_scale_is_to_divide_by_it() -> None:
    numbers = np.arange(2**15, dtype=np.float64)
    for scale in range(1, 256):
        assert ((numbers / scale).astype(np.float32) == (numbers * (1.0 / scale)).astype(np.float32)).all()


@pytest.mark.long
def test_threads_make_no_difference_and_each_place_has_its_own_luck() -> None:
    found = []
    for threads in (1, 3):
        batch, luck = Batch("world", 7, 5, seed=2, threads=threads), np.random.default_rng(2)
        for _ in range(60):
            batch.step(actions_for(batch, luck))
        assert batch.observation is not None
        found.append((batch.snapshot().states.tobytes(), batch.observation.tobytes(), batch.mask.tobytes()))
    assert found[0] == found[1]
    assert len({batch.game(place).fingerprint for place in range(7)}) == 7


def test_sampled_actions_are_legal_each_as_likely_and_the_same_with_more_threads() -> None:
    one, two = Batch("berlin", 4000, seed=2, observe=False), Batch("berlin", 4000, seed=2, threads=2, observe=False)
    for _ in range(40):
        sampled = one.sample()
        assert one.mask[np.arange(4000), sampled].all() and sampled.tobytes() == two.sample().tobytes()
        one.step(sampled)
        two.step(sampled)
    likely = one.mask / one.mask.sum(axis=1, keepdims=True, dtype=np.float64)
    taken = np.mean([np.bincount(one.sample(), minlength=one.mask.shape[1]) for _ in range(50)], axis=0)
    often = likely.sum(axis=0) > 5
    assert often.sum() > 20
    assert np.abs(taken / np.maximum(likely.sum(axis=0), 1e-9) - 1)[often].max() < 0.3  # five standard errors
    one.reset(3)
    two.reset(4)
    assert one.sample().tobytes() != two.sample().tobytes()
    one.reset(2)
    again = one.sample()
    one.reset(2)
    kept = one.snapshot()
    assert again.tobytes() == one.sample().tobytes()
    one.restore(kept)
    assert again.tobytes() != one.sample().tobytes(), "whoever plays on from a snapshot many times wants other games"


def test_a_snapshot_brings_everything_back() -> None:
    batch, luck = Batch("berlin", 4, seed=3), np.random.default_rng(3)
    for _ in range(20):
        batch.step(actions_for(batch, luck))
    kept, mask = batch.snapshot(), batch.mask.copy()
    first = actions_for(batch, luck)
    batch.step(first)
    later = batch.snapshot().states.tobytes()
    batch.restore(kept)
    assert batch.mask.tobytes() == mask.tobytes()
    batch.step(first)
    assert batch.snapshot().states.tobytes() == later
    with pytest.raises(EnvError, match="another size"):
        Batch("berlin", 5).restore(kept)
    for other in (Batch("berlin", 4, 3), Batch("europe", 4)):
        with pytest.raises(EnvError, match="another board"):
            other.restore(kept)


def test_one_illegal_action_and_nothing_is_played() -> None:
    batch, luck = Batch("berlin", 4, seed=3), np.random.default_rng(3)
    before = batch.snapshot().states.tobytes()
    actions = actions_for(batch, luck)
    for wrong in (int(np.flatnonzero(batch.mask[2] == 0)[0]), -1, 10**6):
        with pytest.raises(bl.IllegalAction):
            batch.step(np.where(np.arange(4) == 2, wrong, actions))
    for odd in (actions[:3], actions.astype(float), "actions", None):
        with pytest.raises(EnvError, match="whole numbers"):
            batch.step(odd)
    assert batch.snapshot().states.tobytes() == before


def test_other_libraries_share_the_arrays() -> None:
    batch, luck = Batch("berlin", 2, seed=3, copy=False), np.random.default_rng(3)
    shared = np.from_dlpack(batch.observation)
    batch.step(actions_for(batch, luck))
    assert batch.observation is not None and shared.tobytes() == batch.observation.tobytes()


def test_without_observations_there_are_none() -> None:
    assert Batch("berlin", 2, observe=False).observation is None


@pytest.mark.parametrize("wrong", [{"games": 0}, {"seats": 9}, {"threads": 0}, {"seed": -1}, {"games": "many"}])
def test_what_cannot_be_had_is_said(wrong: dict[str, Any]) -> None:
    with pytest.raises(bl.BranchlineError, match=next(iter(wrong))):
        Batch(**{"board": "berlin", "games": 2, **wrong})
