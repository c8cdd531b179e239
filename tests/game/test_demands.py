"""Which card met which demand: found whenever there is a way, and nothing changes where there is none."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from branchline.game.demands import MARKET, Card, Demand, Demands


def table(luck: Random, hands: dict[int, list[tuple[int, int]]], boxes: dict[int, list[int]]) -> Demands:
    """Hands as (shuffle, step drawn) of their cards; what is not in them lies in the deck."""
    found = Demands(luck, sweep_at=3)
    for dealing, kinds in boxes.items():
        for kind in kinds:
            found.box[dealing, kind] += 1
    for seat, cards in hands.items():
        found.held[seat] = [Card(0, 0, dealing, seat, since) for dealing, since in cards]
    return found


def can_be(wanted: list[Demand], hands: dict[int, list[tuple[int, int]]], boxes: dict[int, list[int]]) -> bool:
    """The same by trying everything."""
    cards = [(seat, dealing, since) for seat, held in hands.items() for dealing, since in held]
    for chosen in permutations(cards, len(wanted)):
        left = {dealing: list(kinds) for dealing, kinds in boxes.items()}
        for (seat, dealing, since), demand in zip(chosen, wanted, strict=True):
            if seat != demand.holder or since >= demand.step or demand.kind not in left[dealing]:
                break
            left[dealing].remove(demand.kind)
        else:
            return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_a_way_is_found_exactly_when_there_is_one(seed: int) -> None:
    luck = Random(seed)
    hands = {
        seat: sorted(((luck.randrange(2), luck.randrange(3)) for _ in range(3)), key=lambda one: one[1])
        for seat in range(2)
    }
    boxes = {
        dealing: [luck.randrange(3) for _ in range(sum(one[0] == dealing for held in hands.values() for one in held))]
        for dealing in range(2)
    }
    demands = table(luck, hands, boxes)
    met: list[Demand] = []
    for step in (1, 2, 3, 3):
        demand = Demand(luck.randrange(2), luck.randrange(3), 0, step)
        found = demands.meet([demand])
        assert found == can_be([*met, demand], hands, boxes)
        met += [demand] * found
        assert demands.taken == met
        assert all(one.card is not None and one.card.kind == one.kind and one.card.meets is one for one in met)
        assert all(count <= demands.box[which] for which, count in demands.used.items())


def test_a_swept_card_gives_up_its_kind_for_one_that_was_taken() -> None:
    demands = Demands(Random(1), sweep_at=3)
    first, second = (Card(kind, 0, 0, MARKET) for kind in (0, 1))
    demands.held[MARKET] = [first, second]
    demands.box.update({(0, 0): 1, (0, 1): 1})
    swept = demands.sweep(first, step=5)
    assert demands.meet([Demand(MARKET, 0, 0, 3)])  # a card of the kind that was thought to be swept was taken before
    assert swept.kind == 1
    assert not demands.meet([Demand(MARKET, 1, 0, 4)])
    assert swept.kind == 1 and len(demands.taken) == 2
