"""Cards change places with those that were paid or swept before, and the deal stays one that can have been."""

from __future__ import annotations

import contextlib
from random import Random

import pytest

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.tabletop.late_deal import LateDeal
from branchline.tabletop.late_market import DeadEndError
from branchline.tabletop.late_search import LateSearch
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.undecided_cards import UNDECIDED, UndecidedCards
from table import board
from tabletop.noting import EYES, chooser, played
from tabletop.test_undecided_cards import BLUE, RED, deal_of

NOTES = "Anna: draw 2\nBert: draw 2\nAnna: claim Paris-Dieppe\n"


def sound(cards: UndecidedCards) -> bool:
    """Every shuffle has as many kinds left as cards, and room for its wild ones."""
    for shuffle, pool in enumerate(cards.pools):
        mine = [card for card in range(len(cards.kind)) if cards.shuffle[card] == shuffle]
        undecided = [card for card in mine if cards.kind[card] == UNDECIDED]
        loose = sum(not cards.plain[card] for card in undecided)
        if min(pool) < 0 or cards.room(shuffle) < 0 or loose != cards.loose[shuffle]:
            return False
        if len(undecided) + cards.in_deck[shuffle] != sum(pool):
            return False
    return True


def two_shuffles(first: dict[int, int], second: dict[int, int]) -> LateDeal:
    """Anna paid red with a card of the first shuffle; she holds one of each shuffle, Bert one of the first."""
    deal = deal_of(NOTES, "europe")
    pools = [[pool.get(kind, 0) for kind in range(KINDS)] for pool in (first, second)]
    deal.cards = UndecidedCards(
        [[1, 2], [3]], [], [RED, UNDECIDED, UNDECIDED, UNDECIDED], [0, 0, 1, 0], [0, 0, 0, 1], [False] * 4, [0] * 4,
        pools=pools, in_deck=[sum(pools[0]) - 2, sum(pools[1]) - 1], loose=[2, 1], shuffle_deck=[0, 0], current=[1, 1],
        since={0: 0}, paid={0: 0}, got={0: (0, -1), 1: (0, -1), 2: (0, -1), 3: (1, -1)},
    )  # fmt: skip
    deal.deed = 2
    return deal


def test_a_card_that_was_paid_makes_way_for_another_of_the_same_kind() -> None:
    deal = two_shuffles({BLUE: 2}, {RED: 1})
    deal._forget()
    assert deal._payable(1, RED), "Bert has a red card if Anna paid with that of the second shuffle"
    assert deal.cards.kind == [UNDECIDED, UNDECIDED, RED, RED]
    assert sound(deal.cards)


def test_where_no_card_can_stand_in_all_stays_as_it_was() -> None:
    deal = two_shuffles({BLUE: 2}, {BLUE: 1})
    before = deal.cards.copy()
    deal._forget()
    assert not deal._payable(1, RED)
    deal._take_back(0)
    assert deal.cards == before


def test_a_sweep_may_have_thrown_away_another_card() -> None:
    deal = two_shuffles({BLUE: 3}, {BLUE: 1})
    cards = deal.cards
    del cards.paid[0]
    cards.plain[0], cards.thrown[0], cards.discards[0][RED] = True, 1, 1
    deal._forget()
    assert deal._payable(1, RED)
    assert cards.kind[0] == BLUE and cards.kind[3] == RED
    assert (cards.discards[0][RED], cards.discards[0][BLUE]) == (0, 1)
    assert sound(cards)


def test_a_card_that_lay_in_the_market_all_the_time_may_have_been_wild() -> None:
    deal = deal_of("Anna: draw wild\n", "europe")
    deal.deal()
    for card in deal.cards.market:
        if deal.cards.kind[card] == WILD_KIND:
            deal.cards.leave_open(card)
            deal.cards.make_plain(card)
    deal.cards.crowd = dict.fromkeys(deal.cards.market, 1)
    deal._lay_wilds(3)
    assert deal._wilds_lie() == 1, "a third one at the same time would have swept the market"
    assert set(deal.cards.crowd.values()) == {2}
    assert sound(deal.cards)


@pytest.mark.parametrize("eye", ["the market not noted", "only what was built"])
@pytest.mark.parametrize("bot", ["greedy", "hoard"])
def test_in_every_moment_of_a_search_the_deal_can_have_been(bot: str, eye: str) -> None:
    real = played(board("germany"), 3, 50, chooser(bot, 3, 0))
    search, checked = LateSearch(NotedCourse(read_notation(real.noted(EYES[eye])), 0), Random(1)), 0
    for _ in range(5):
        deal, moments = search._begun()
        with contextlib.suppress(DeadEndError):
            for n in range(len(search.course.deeds)):
                search._play(deal, n, moments[n])
                moments.append(moments[n].of(deal))
                assert sound(deal.cards)
                checked += 1
    assert checked > 100
