"""Ratings: as Glickman works them out, and for tables of several."""

from __future__ import annotations

import pytest

from branchline.bots.levels import LEVELS
from branchline.teaching.rating import Rating, of_bot, updated


def test_the_worked_example_of_the_paper() -> None:
    others = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = updated(Rating(1500, 200), others)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_nothing_changes_without_a_result() -> None:
    assert updated(Rating(1700, 80), []) == Rating(1700, 80)


def test_who_beats_stronger_bots_is_rated_higher_and_known_better() -> None:
    easy, hard = of_bot("easy"), of_bot("hard")
    assert easy is not None and hard is not None
    after_easy, after_hard = updated(Rating(), [(easy, 1.0)]), updated(Rating(), [(hard, 1.0)])
    assert 1500 < after_easy.rating < after_hard.rating
    assert after_hard.deviation < Rating().deviation


def test_all_levels_have_a_rating_and_rise_in_order() -> None:
    ratings = [of_bot(level.name) for level in LEVELS]
    assert all(ratings) and ratings == sorted(ratings, key=lambda one: one.rating if one else 0)
    assert of_bot("somebody's own") is None


def test_a_new_rating_is_not_settled_and_becomes_so() -> None:
    rating = Rating()
    assert not rating.settled
    for n in range(25):
        rating = updated(rating, [(Rating(1400, 60), float(n % 2)), (Rating(1750, 60), float(n % 3 == 0))])
    assert rating.settled
