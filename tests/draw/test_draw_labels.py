"""Names stand apart from each other, and none reads as the continuation of another."""

from __future__ import annotations

import numpy as np
import pytest

from branchline.draw.labels import _choose
from table import EDITIONS, board

FONT, MARGIN = 10.0, 2.0


def chosen(second: list[tuple[float, float, float, float]], costs: list[float]) -> int:
    """Which spot a second name takes beside one that stands from 0 to 60, one line high."""
    first = np.array([(0.0, 0.0, 60.0, 10.0)])
    return _choose([np.array([0.0]), np.array(costs)], [first, np.array(second)], MARGIN, FONT)[1]


def test_a_name_is_not_set_where_it_would_continue_another() -> None:
    beside, below = (64.0, 0.5, 120.0, 10.5), (64.0, 20.0, 120.0, 30.0)
    assert chosen([beside, below], [0.0, 0.8]) == 1
    assert chosen([beside, below], [0.0, 2.0]) == 0  # unless all else is far worse


def test_names_that_are_apart_or_not_level_may_stay() -> None:
    below = (64.0, 20.0, 120.0, 30.0)
    assert chosen([(75.0, 0.0, 130.0, 10.0), below], [0.0, 0.5]) == 0
    assert chosen([(64.0, 5.0, 120.0, 15.0), below], [0.0, 0.5]) == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_two_names_of_an_edition_read_as_one(edition: str) -> None:
    from branchline.draw.layout import layout_of

    labels = layout_of(board(edition)).labels
    for one in labels:
        for other in labels:
            if one.place < other.place:
                gap = max(one.box[0], other.box[0]) - min(one.box[2], other.box[2])
                level = abs(one.box[3] - other.box[3]) < 0.35 * one.size
                assert not (0 <= gap < 0.9 * one.size and level), (one.lines, other.lines)
