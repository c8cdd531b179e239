"""When exercises come back: after ever more days while they are known, soon when they are not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from branchline.teaching.repetition import RepetitionError, reviewed

DAY = 86_400.0
NOW = 1_800_000_000.0


def answered(*right: bool) -> list[float]:
    """The days between answers that are each given when they are due."""
    card, now, days = "", NOW, []
    for one in right:
        card, due = reviewed(card, one, now)
        days.append((due - now) / DAY)
        now = due
    return days


def test_what_is_known_comes_back_after_ever_more_days() -> None:
    days = answered(True, True, True, True)
    assert days[0] >= 1 and all(later > 1.5 * before for before, later in pairwise(days))


def test_what_is_not_known_comes_back_soon() -> None:
    assert answered(False) == [1.0]
    known = answered(True, True, True)
    assert answered(True, True, False)[-1] < known[-1] / 3


def test_the_same_answers_give_the_same_days() -> None:
    assert answered(True, False, True, True) == answered(True, False, True, True)


@pytest.mark.parametrize("card", ["{", "[]", "{}", '{"card_id": 1, "state": 9}', '{"due": 1e999}'])
def test_a_card_that_is_none_is_refused_in_words(card: str) -> None:
    with pytest.raises(RepetitionError, match="not a card"):
        reviewed(card, True, NOW)


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(RepetitionError):
        reviewed("", True, 1e30)
