"""Means and shares with intervals, against numbers from tables and textbooks."""

from __future__ import annotations

import numpy as np
import pytest

from branchline.arena import statistics


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_student(freedom: int, quantile: float) -> None:
    assert statistics.student(freedom) == pytest.approx(quantile, rel=5e-3)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)]
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    parts = np.array([1.0] * wins + [0.0] * (games - wins))
    found = statistics.share(parts, np.arange(games))
    assert found.mean == pytest.approx(wins / games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-4)


def test_the_mean_of_independent_games() -> None:
    found = statistics.mean(np.array([1.0, 2.0, 3.0, 4.0]), np.arange(4))
    assert found.mean == 2.5
    assert found.high - found.mean == pytest.approx(3.182 * 1.29099 / 2, rel=1e-2)


def test_games_of_one_seed_that_balance_out_make_the_interval_narrow() -> None:
    """A seat that wins with every seed in one of two rotations has a share known exactly."""
    parts, blocks = np.array([1.0, 0.0] * 50), np.repeat(np.arange(50), 2)
    paired, alone = statistics.share(parts, blocks), statistics.share(parts, np.arange(100))
    assert paired.mean == alone.mean == 0.5
    mixed = parts.copy()
    mixed[:2] = 1.0
    assert statistics.share(mixed, blocks).high - statistics.share(mixed, blocks).low < alone.high - alone.low


def test_games_of_one_seed_that_go_together_make_it_wide() -> None:
    parts, blocks = np.array(([1.0] * 2 + [0.0] * 2) * 25), np.repeat(np.arange(50), 2)
    together, alone = statistics.share(parts, blocks), statistics.share(parts, np.arange(100))
    assert together.high - together.low > alone.high - alone.low
    assert statistics.effective_games(0.5, 100, statistics.block_means(parts, blocks)) == pytest.approx(50, rel=0.05)


def test_one_game_tells_little_and_none_nothing() -> None:
    assert statistics.mean(np.array([7.0]), np.array([0])).low == 7.0
    assert statistics.share(np.array([]), np.array([])).high == 1.0
    assert statistics.share(np.array([1.0]), np.array([0])).low < 0.3


def test_the_interval_holds_the_truth_about_19_times_out_of_20() -> None:
    luck = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        chance_of_block = luck.beta(6, 4, size=60)
        parts = (luck.random((60, 2)) < chance_of_block[:, None]).astype(float).ravel()
        found = statistics.share(parts, np.repeat(np.arange(60), 2))
        held += found.low <= 0.6 <= found.high
    assert 0.92 <= held / 400 <= 0.98
