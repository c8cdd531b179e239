"""The sequential test: its bounds, its likelihoods, and how often it is wrong."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from branchline.arena import Sprt, SprtError, sprt
from branchline.arena.sprt import FIRST_CLAIM, GOES_ON, SECOND_CLAIM, Trial

BOTS = ("new", "old")


def test_the_bounds_are_wald_s() -> None:
    assert (Sprt().lower, Sprt().upper) == pytest.approx((-log(19), log(19)))
    test = Sprt(alpha=0.01, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((log(0.1 / 0.99), log(90)))


@pytest.mark.parametrize("elo", [-200.0, 0.0, 50.0])
def test_the_bent_distribution_has_the_mean_asked_for_and_is_the_likeliest(elo: float) -> None:
    odds = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    scores = np.linspace(0, 1, 5)
    found = sprt.bent(odds, scores - sprt.expected_score(elo))
    assert found.sum() == pytest.approx(1.0)
    assert found @ scores == pytest.approx(sprt.expected_score(elo))
    luck = np.random.default_rng(1)
    for _ in range(50):  # any other one with this sum and mean makes what was seen less likely
        nudge = luck.normal(size=5)
        for fixed in (np.ones(5), scores - scores.mean()):
            nudge -= fixed * (nudge @ fixed) / (fixed @ fixed)
        other = found + 1e-3 * nudge
        assert odds @ np.log(other) < odds @ np.log(found)


def test_games_without_pairs_give_the_ratio_of_two_coins() -> None:
    """With one game a block and no ties the likelihood is that of a coin."""
    test, wins, losses = Sprt(0, 100), 60.0, 40.0
    p, q = sprt.expected_score(100), 0.5
    exact = wins * log(p / q) + losses * log((1 - p) / (1 - q))
    assert test.ratio(np.array([losses, wins])) == pytest.approx(exact, abs=1e-3)


def test_the_ratio_of_two_claims_turns_round_with_them() -> None:
    counts = np.array([3.0, 20.0, 40.0, 25.0, 6.0])
    forth, back = Sprt(-10, 30).ratio(counts), Sprt(-30, 10).ratio(counts[::-1])
    assert forth == pytest.approx(-back, abs=1e-6)


def played(elo: float, test: Sprt, rounds: int, seed: int) -> list[Trial]:
    """Tests of blocks of two games, at the same seed both won by the same bot more often than not."""
    luck = np.random.default_rng(seed)
    found = []
    for _ in range(rounds):
        trial = Trial(test, BOTS, (0,) * 5)
        while trial.verdict == GOES_ON:
            mean = sprt.expected_score(elo)
            chance = luck.beta(6 * mean, 6 * (1 - mean))
            trial = trial.after((luck.random(2) < chance).sum() / 2)
        found.append(trial)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("elo", "verdict"), [(0.0, FIRST_CLAIM), (60.0, SECOND_CLAIM)])
def test_it_is_seldom_wrong(elo: float, verdict: str) -> None:
    found = played(elo, Sprt(0, 60, alpha=0.1, beta=0.1), 150, seed=2)
    wrong = sum(one.verdict != verdict for one in found) / 150
    assert 0.03 <= wrong <= 0.17


@pytest.mark.long
def test_it_stops_the_earlier_the_clearer_the_case_is() -> None:
    test = Sprt(0, 40)
    clear, close = (np.mean([one.blocks for one in played(elo, test, 20, seed=3)]) for elo in (300.0, 40.0))
    assert clear < 40 < 100 < close


def test_it_says_where_it_stands_and_why_it_stopped() -> None:
    trial = Trial(Sprt(0, 50), BOTS, (0,) * 5)
    assert trial.after(0.5).why.startswith("undecided between 0 and 50 Elo for new over old")
    up = down = trial
    while up.verdict == GOES_ON:
        up = up.after(1.0)
    while down.verdict == GOES_ON:
        down = down.after(0.25)
    assert up.why.startswith("decided: new is stronger than old, by 50 Elo rather than 0")
    assert down.why.startswith("decided: new is not 50 Elo stronger than old; 0 fits better")
    assert up.blocks >= sprt.FEWEST
    assert up.as_dict()["verdict"] == "elo1"
    assert up.as_dict()["llr"] >= up.as_dict()["upper"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0 must lie below elo1"),
        ({"elo0": 0, "elo1": 5000}, "expected a number from -1000 to 1000"),
        ({"elo0": float("nan")}, "expected a number from -1000 to 1000"),
        ({"alpha": 0.0}, "alpha: expected a probability"),
        ({"beta": 0.7}, "beta: expected a probability"),
    ],
)
def test_what_cannot_be_tested_is_refused(asked: dict[str, float], said: str) -> None:
    with pytest.raises(SprtError, match=said):
        Sprt(**asked)
