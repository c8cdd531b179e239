"""Luck for shuffles: what the seed that was found brings is what the rules shuffle."""

from __future__ import annotations

from random import Random

import pytest

from branchline.rules import chance
from branchline.tabletop.shuffle_luck import luck_for
from table import new


def shuffled(cards: list[int], seed: int) -> list[int]:
    """By the rules, the top first."""
    state = new("germany")._state
    for n, kind in enumerate(cards):
        state.deck[0, n] = kind
    state.deck_size[0] = len(cards)
    chance.seed(state, seed)
    chance.shuffle_cards(state, 0)
    return [int(state.deck[0, n]) for n in range(len(cards))][::-1]


@pytest.mark.parametrize("groups", [[[3]], [[5, 0], [2]], [[1, 1, 4, 32, 0]]])
def test_a_shuffle_begins_with_the_groups_asked_for_each_in_any_order(groups: list[list[int]]) -> None:
    cards = sorted([0, 1, 2, 3, 4, 5, 6, 7] * 3 + [32] * 4)
    seed, exact = luck_for([(cards, groups)], Random(1))
    top = shuffled(cards, seed)
    assert exact
    for group in groups:
        assert sorted(top[: len(group)]) == sorted(group)
        top = top[len(group) :]


def test_where_no_luck_brings_what_is_asked_for_it_says_so() -> None:
    cards = list(range(8)) * 4
    _, exact = luck_for([(cards, [[one] for one in range(8)])], Random(1))
    assert not exact
