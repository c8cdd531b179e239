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
    found = statistics.wilson(parts, parts)
    assert found.mean == pytest.approx(wins / games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-4)


def test_shares_near_0_and_1_get_wilson_s_interval() -> None:
    parts = np.array([1.0] * 995 + [0.0] * 5)
    assert statistics.share(parts, np.arange(1000)) == statistics.wilson(parts, parts)
    assert statistics.share(np.ones(1000), np.arange(1000)).low == pytest.approx(0.99617, abs=1e-4)


def test_the_bootstrap_of_a_mean_agrees_with_student_where_games_are_independent() -> None:
    values = np.random.default_rng(3).normal(100.0, 10.0, size=50)
    found = statistics.mean(values, np.arange(50))
    reach = 2.0096 * float(np.std(values, ddof=1)) / 50**0.5
    assert found.mean == float(np.mean(values))
    assert (found.mean - found.low, found.high - found.mean) == pytest.approx((reach, reach), rel=0.1)


def test_the_bootstrap_draws_whole_blocks() -> None:
    values = np.random.default_rng(4).normal(0.0, 1.0, size=100)
    alone = statistics.mean(values, np.arange(100))
    fourfold = statistics.mean(np.repeat(values, 4), np.repeat(np.arange(100), 4))
    assert (fourfold.low, fourfold.high) == pytest.approx((alone.low, alone.high))  # four copies tell no more than one
    swings = np.ravel([[one, -one] for one in values])
    assert statistics.mean(swings, np.repeat(np.arange(100), 2)).high == pytest.approx(0.0, abs=1e-12)


def test_the_bootstrap_says_the_same_every_time_and_takes_many_blocks_together() -> None:
    values = np.random.default_rng(5).normal(0.0, 1.0, size=50_000)
    blocks = np.arange(50_000) // 2
    found = statistics.mean(values, blocks)
    statistics.resamples.cache_clear()
    assert statistics.mean(values, blocks) == found
    assert statistics.grouped(blocks).max() == statistics.GROUPS - 1
    assert list(np.unique(np.bincount(statistics.grouped(blocks)))) == [50]
    assert found.high - found.mean == pytest.approx(1.96 / 50_000**0.5, rel=0.1)


@pytest.mark.parametrize("blocks", [5, 30])
def test_the_interval_of_a_mean_holds_the_truth_about_19_times_out_of_20(blocks: int) -> None:
    luck = np.random.default_rng(6)
    held = 0
    for _ in range(600):
        values = luck.normal(0.0, 1.0, size=(blocks, 1)) + luck.normal(0.0, 1.0, size=(blocks, 2))
        found = statistics.mean(values.ravel(), np.repeat(np.arange(blocks), 2))
        held += found.low <= 0.0 <= found.high
    assert 0.91 <= held / 600 <= 0.985


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
    for _ in range(600):
        chance_of_block = luck.beta(6, 4, size=60)
        parts = (luck.random((60, 2)) < chance_of_block[:, None]).astype(float).ravel()
        found = statistics.share(parts, np.repeat(np.arange(60), 2))
        held += found.low <= 0.6 <= found.high
    assert 0.92 <= held / 600 <= 0.98
