"""The kinds of all cards, by constraint programming: what is asked is given, and what cannot be is disproved."""

from __future__ import annotations

from random import Random

import pytest

from branchline.boards import COLOURS
from branchline.boards.tables import WILD_KIND
from branchline.tabletop.demands import NEVER, Demands, Exchange, Look, Purchase

pytest.importorskip("ortools")

from branchline.tabletop.kind_solver import KindSolver

RED, BLUE = COLOURS.index("red"), COLOURS.index("blue")
HAND, MARKET = 0, 1


def deal(kinds: list[int], where: list[tuple[int, int]]) -> Demands:
    """A box of these kinds, of which cards came to a holder at a moment; the others were never drawn."""
    demands = Demands(Random(0), 3, lambda _kind, _cards: False)
    demands.kind = list(kinds)
    demands.shuffle = [0] * len(kinds)
    demands.members[0] = list(range(len(kinds)))
    demands.holder = [holder for holder, _ in where] + [NEVER] * (len(kinds) - len(where))
    demands.moment = [moment for _, moment in where] + [0] * (len(kinds) - len(where))
    return demands


def solved(demands: Demands, wilds: int = 0) -> bool | None:
    demands.begin()
    return KindSolver(demands, wilds).solve(5)


def pay(demands: Demands, moment: int, *ways: tuple[tuple[int, int], ...]) -> Purchase:
    purchase = Purchase(HAND, moment, ways, 0)
    demands.purchases.append(purchase)
    return purchase


def test_a_payment_is_of_cards_that_had_come_by_then() -> None:
    demands = deal([BLUE, BLUE, RED, RED], [(HAND, 1), (HAND, 2)])
    pay(demands, 3, ((RED, 2),))
    assert solved(demands) is True
    assert demands.kind[:2] == [RED, RED] and sorted(demands.kind) == sorted([BLUE, BLUE, RED, RED])


def test_a_payment_of_more_than_had_come_is_disproved() -> None:
    demands = deal([BLUE, BLUE, RED, RED], [(HAND, 1), (HAND, 4)])
    pay(demands, 3, ((RED, 2),))
    assert solved(demands) is False


def test_a_payment_that_was_not_noted_is_one_that_can_be() -> None:
    demands = deal([BLUE, BLUE, RED], [(HAND, 1), (HAND, 2)])
    purchase = pay(demands, 3, ((RED, 2),), ((BLUE, 2),))
    assert solved(demands) is True
    assert purchase.cards == ((BLUE, 2),)


def test_discards_that_are_shuffled_come_again_and_no_others() -> None:
    demands = deal([RED, BLUE], [(HAND, 1)])
    pay(demands, 2, ((BLUE, 1),)).to = (1, NEVER)
    demands.kind += [RED]
    demands.shuffle += [1]
    demands.holder += [HAND]
    demands.moment += [3]
    demands.members[1] = [2]
    demands.open_shuffles.add(1)
    assert solved(demands) is True
    assert demands.kind == [BLUE, RED, BLUE]


@pytest.mark.parametrize(("swept", "wilds"), [(True, 3), (False, 2)])
def test_a_market_is_swept_when_three_wilds_lie_there(swept: bool, wilds: int) -> None:
    demands = deal([WILD_KIND] * 3 + [RED] * 9, [(MARKET, 1)] * 3)
    demands.looks[MARKET].append(Look(2, swept, 12, 3))
    assert solved(demands, 3) is True
    assert (demands.kind[:3].count(WILD_KIND) == 3) == (wilds == 3)


def test_a_card_of_which_nobody_saw_where_it_came_from_is_one_that_lay_there_or_the_deck_gave() -> None:
    """The deck's cards are known: the red one that is paid can only have lain in the market."""
    demands = deal([RED, BLUE, BLUE], [(MARKET, 1), (HAND, 2)])
    demands.fixed = {0, 1, 2}
    demands.exchanges.append(Exchange((0, 0), 1, MARKET, HAND, 2, 2, False))
    pay(demands, 3, ((RED, 1),))
    assert solved(demands) is True
    assert demands.exchanges[0].taken == RED
