"""Cards that become of a kind as late as can be: whatever is decided, the rest of the deal stays possible."""

from __future__ import annotations

from random import Random

import pytest

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.tabletop.late_deal import LateDeal
from branchline.tabletop.late_market import DeadEndError
from branchline.tabletop.late_needs import KnownLuck, Leanings
from branchline.tabletop.late_paying import _Hand
from branchline.tabletop.late_search import turns_that_took
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.undecided_cards import NO_CARD, UNDECIDED, UndecidedCards

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
    again = deal.layout()
    assert sorted(again.kinds) == sorted(layout.kinds), "a layout leaves what is undecided to the next one"


def test_the_turns_that_took_what_lacks_are_known() -> None:
    cards = two_drawn({RED: 1, BLUE: 1})
    cards.got = {0: (0, 1), 1: (0, 2)}
    cards.turn = 3
    cards.decide(0, RED)
    assert list(turns_that_took(cards, DeadEndError(0, RED))) == [3]
    assert list(turns_that_took(cards, DeadEndError(0, BLUE))) == [2]  # that drew what may be the blue one


def test_a_shuffle_brings_what_its_luck_is_known_to_bring() -> None:
    deal = deal_of("Anna: draw 2\n", "germany")
    copies = [int(number) for number in deal.board.tables[0].copies]
    deal.lucks[0] = KnownLuck(7, [RED, WILD_KIND, BLUE], copies)
    deal.deal()
    assert deal.cards.kind[:4] == [RED, WILD_KIND, BLUE, UNDECIDED]
    assert deal.layout().lucks == {0: (7, [RED, WILD_KIND, BLUE])}


def test_luck_with_other_cards_is_not_the_luck_of_a_shuffle() -> None:
    deal = deal_of("Anna: draw 2\n", "germany")
    deal.lucks[0] = KnownLuck(7, [RED], [1] * KINDS)
    deal.deal()
    assert deal.cards.kind[0] == UNDECIDED and not deal.layout().lucks


@pytest.mark.parametrize("again", [True, False])
def test_after_the_last_sweep_of_a_row_it_is_known_whether_the_next_card_sweeps_again(again: bool) -> None:
    sweeps = ", sweep" * 10
    deal = deal_of(f"Anna: draw 1, train{sweeps}\nBert: draw wild{', sweep' * again}\n", "world")
    deal.deed, deal.card = 0, 1
    assert deal._next_sweeps() is again


def test_the_market_keeps_what_a_deck_can_no_longer_give() -> None:
    deal = deal_of("Anna: draw train, train\nBert: draw ship, sweep, train\nAnna: draw ship, ship\n", "world")
    deal.deal()
    deal.deed, deal.card = 0, -1
    assert deal._must_lie() == (0, 1), "the notes say that a ship of the market was taken, then it was swept"
    deal.cards.in_deck[0] = 1
    assert deal._must_lie() == (1, 1), "two trains are drawn, and the deck has one"
    deal.deed, deal.card = 1, 0
    deal.cards.in_deck[1] = 0
    assert deal._must_lie() == (0, 2)


def test_a_card_that_comes_from_the_market_by_the_notes_is_laid_there() -> None:
    deal = deal_of("Anna: draw train, train\nBert: draw ship, sweep, train\n", "world")
    deal.deal()
    deal.deed, deal.leanings.trains = 0, 6
    for slot, card in enumerate(deal.cards.market):
        if deal.cards.shuffle_deck[deal.cards.shuffle[card]]:
            deal.cards.market[slot] = NO_CARD
    assert deal._plain_lie(1) == 0 and deal._refill(0) == 1


def test_what_a_hand_certainly_lacks_is_known_before_its_cards_are_chosen() -> None:
    cards = two_drawn({RED: 1, BLUE: 1, WILD_KIND: 1}, in_deck=1)
    hand = _Hand(cards, 0)
    assert hand.short_of(((RED, 1), (BLUE, 1))) == []
    assert hand.short_of(((RED, 2),)) == [RED]
    cards.make_plain(0)
    cards.make_plain(1)
    assert _Hand(cards, 0).short_of(((WILD_KIND, 1),)) == [WILD_KIND]
    cards.decide(0, RED)
    assert _Hand(cards, 0).lacking(((RED, 1), (BLUE, 1))) == [(BLUE, 1)]


def test_what_somebody_once_lacked_is_wished_for_until_then() -> None:
    deal = deal_of("Anna: draw 2\nBert: draw 2\nAnna: claim Perth-Sydney white\n", "world")
    deal.deal()
    deal.lacked_at[0, BLUE] = 2
    deal.deed = 0
    assert deal._wishes(0)[BLUE] == 1 and not deal._wishes(1)[BLUE]
    deal.deed = 2
    assert not deal._wishes(0)[BLUE]


def test_a_market_with_too_many_wild_cards_leads_back_to_the_turns_that_laid_them() -> None:
    deal = deal_of("Anna: draw 2\n", "europe")
    deal.deal()
    for turn, card in enumerate(deal.cards.market[:3]):
        deal.cards.kind[card], deal.cards.since[card] = WILD_KIND, turn
    with pytest.raises(DeadEndError) as dead_end:
        deal._sweep(0)
    assert dead_end.value.turns == [0, 1, 2]
