"""Ratings find strengths that are known beforehand, and say rightly how sure they are."""

from __future__ import annotations

import numpy as np
import pytest

from branchline.arena import ratings
from branchline.arena.play import GAME
from branchline.arena.table import Games

BOTS = ("a", "b", "c", "d")
TRUTH = np.array([180.0, 40.0, -70.0, -150.0])


def ranked(strength: np.ndarray, blocks: int, seats: int, seed: int) -> Games:
    """Games whose rankings follow Plackett and Luce: the best of so many seats is drawn by strength, then the next."""
    luck = np.random.default_rng(seed)
    weight = 10 ** (strength / 400)
    games = np.zeros(2 * blocks, dtype=GAME)
    for n, game in enumerate(games):
        game["number"], game["block"] = n, n // 2
        who = luck.permutation(len(strength))[:seats]
        order = np.argsort(luck.exponential(size=seats) / weight[who])  # the fastest clock comes first
        game["entrant"][:seats] = who
        game["total"][:seats][order] = np.arange(seats, 0, -1)
        game["winner"][order[0]] = 1
    return games


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_recovered(seats: int) -> None:
    found = {one.bot: one for one in ratings.rate(BOTS, ranked(TRUTH, 3000, seats, 1), seats)}
    for bot, elo in zip(BOTS, TRUTH, strict=True):
        assert found[bot].elo.mean == pytest.approx(elo, abs=15)
        assert found[bot].elo.low < found[bot].elo.mean < found[bot].elo.high < found[bot].elo.low + 45
    assert sum(one.elo.mean for one in found.values()) == pytest.approx(0.0, abs=1e-6)


def test_two_bots_are_as_far_apart_as_their_score_says() -> None:
    wins = np.array([[0.0, 640.0], [360.0, 0.0]])
    one, other = ratings.ELO * ratings.strengths(wins)
    assert one - other == pytest.approx(400 * np.log10(640 / 360))
    assert one == -other


@pytest.mark.long
def test_intervals_hold_the_truth_about_19_times_out_of_20() -> None:
    held = 0
    for seed in range(100):
        for one in ratings.rate(BOTS, ranked(TRUTH, 60, 3, seed), 3):
            held += one.elo.low <= TRUTH[BOTS.index(one.bot)] <= one.elo.high
    assert 0.90 <= held / 400 <= 0.99


def test_a_bot_that_wins_everything_has_a_rating_all_the_same() -> None:
    games = ranked(np.array([0.0, 0.0]), 50, 2, 1)
    games["winner"][:, :2] = games["entrant"][:, :2] == 0
    best, worst = ratings.rate(("a", "b"), games, 2)
    assert best.bot == "a"
    assert 100 < best.elo.low < best.elo.mean < best.elo.high < 2000
    assert worst.elo.low < worst.elo.mean < worst.elo.high < -100
    longer = ranked(np.array([0.0, 0.0]), 500, 2, 1)
    longer["winner"][:, :2] = longer["entrant"][:, :2] == 0
    assert ratings.rate(("a", "b"), longer, 2)[0].elo.low > best.elo.low


def test_winners_come_first_then_points_and_equals_share() -> None:
    games = np.zeros(1, dtype=GAME)
    games["entrant"][0, :4] = [0, 1, 2, 3]
    games["winner"][0, :4] = [0, 1, 0, 0]
    games["total"][0, :4] = [90, 90, 70, 70]  # the first lost a tie for the victory
    table = ratings.tally(4, games, 4, np.zeros(1, dtype=int))[0]
    assert table.tolist() == [[0, 0, 1, 1], [1, 0, 1, 1], [0, 0, 0, 0.5], [0, 0, 0.5, 0]]


def test_two_seats_of_one_bot_tell_nothing() -> None:
    games = np.zeros(1, dtype=GAME)
    games["entrant"][0, :3] = [0, 1, 1]
    games["winner"][0, 0] = 1
    assert ratings.tally(2, games, 3, np.zeros(1, dtype=int))[0].tolist() == [[0, 2], [0, 0]]


def test_no_games_no_ratings() -> None:
    assert [one.elo.mean for one in ratings.rate(BOTS, np.zeros(0, dtype=GAME), 2)] == [0.0] * 4
