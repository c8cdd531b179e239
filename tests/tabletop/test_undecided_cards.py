"""Cards that become of a kind as late as can be: whatever is decided, the rest of the deal stays possible."""

from __future__ import annotations

from random import Random

import pytest

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.tabletop.late_deal import LateDeal
from branchline.tabletop.late_needs import Leanings
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.undecided_cards import UNDECIDED, UndecidedCards

RED, BLUE = 0, 1


def two_drawn(pool: dict[int, int], in_deck: int = 0) -> UndecidedCards:
    """Two cards of a shuffle in one hand, of no kind yet."""
    kinds = [pool.get(kind, 0) for kind in range(KINDS)]
    return UndecidedCards(
        [[0, 1]], [], [UNDECIDED] * 2, [0, 0], [0, 0], [False] * 2, [0, 0], {}, [kinds], [in_deck], [2]
    )


def test_a_card_can_be_whatever_nobody_has_shown() -> None:
    cards = two_drawn({RED: 1, BLUE: 1})
    assert cards.may_be(0, RED) and cards.may_be(0, BLUE) and not cards.may_be(0, WILD_KIND)
    cards.decide(0, RED)
    assert not cards.may_be(1, RED) and cards.may_be(1, BLUE)


def test_the_last_cards_that_may_be_wild_must_be_wild() -> None:
    cards = two_drawn({WILD_KIND: 2, RED: 1}, in_deck=1)
    cards.make_plain(0)
    assert not cards.may_be(1, RED) and cards.may_be(1, WILD_KIND)


def test_a_copy_is_not_changed_by_what_is_decided_later() -> None:
    cards = two_drawn({RED: 1, BLUE: 1})
    before = cards.copy()
    cards.decide(0, RED)
    assert before.may_be(1, RED) and not cards.may_be(1, RED)


def deal_of(text: str, edition: str) -> LateDeal:
    course = NotedCourse(read_notation(f"edition {edition}\nplayers Anna, Bert\n{text}"), 0)
    return LateDeal(course, Random(0), Leanings())


def test_what_is_paid_later_stays_in_the_hand_unless_it_is_drawn_by_then() -> None:
    claims = "Anna: claim Perth-Sydney white\nBert: draw 2\n{}Anna: claim Al-Qahira-Tehran yellow\n"
    assert deal_of(claims.format(""), "world").must_keep == {0: [(1, 0)], 2: [(0, 0)]}
    drawn = claims.format("Anna: draw train, ship\nBert: draw 2\n")
    assert deal_of(drawn, "world").must_keep == {0: [(0, 0)], 4: [(0, 0)]}


@pytest.mark.parametrize("swept", [True, False])
def test_a_hand_holds_the_wild_card_that_decides_whether_the_market_is_swept(swept: bool) -> None:
    """Six wilds and one plain card, of which Anna holds one: only without all six can the market be another one."""
    deal = deal_of("Anna: draw 2\n", "world")
    wilds, trains, ships = [WILD_KIND] * 11, [0] * KINDS, [0] * KINDS
    trains[WILD_KIND], trains[RED], ships[16] = 3, 1, 3
    deal.cards = UndecidedCards(
        [[0], list(range(4, 12))], [1, 2, 3, -1, -1, -1], [UNDECIDED, *wilds], [0] * 12, [0] * 12, [False] * 12,
        pools=[trains, ships], in_deck=[3, 3], loose=[1, 0], shuffle_deck=[0, 1], current=[0, 1],
    )  # fmt: skip
    assert deal._another_is_possible(swept) is swept
    assert deal.cards.may_be(0, WILD_KIND) is swept


@pytest.mark.parametrize("seed", range(3))
def test_every_card_is_of_a_kind_in_the_end_and_none_is_there_twice(seed: int) -> None:
    deal = deal_of("Anna: draw wild\nBert: draw ?, sweep, ?\nAnna: draw 2\n", "germany")
    deal.luck = Random(seed)
    deal.deal()
    for n in range(3):
        deal.play(n)
    layout = deal.layout()
    assert sorted(layout.kinds) == sorted(
        kind for kind in range(KINDS) for _ in range(int(deal.board.tables[0].copies[kind]))
    )
