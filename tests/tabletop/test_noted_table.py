"""Cards on the table as the notes have them: how many come from each deck, and what of them is left open."""

from __future__ import annotations

from random import Random

import pytest

from branchline.rules import state as at
from branchline.tabletop.deal_plan import DealPlan, MiscountError
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.noted_table import NotedTable


def course(text: str, edition: str = "germany") -> NotedCourse:
    return NotedCourse(read_notation(f"edition {edition}\nplayers Anna, Bert\n{text}"), 0)


def laid_out(of: NotedCourse, plan: DealPlan | None = None, settled: bool = False) -> NotedTable:
    return NotedTable(of, plan or DealPlan(freedom=2), Random(0), settled=settled)  # all is left open


def test_as_many_cards_are_drawn_as_were_dealt_laid_out_and_noted() -> None:
    table = laid_out(course("Anna: draw 2\nBert: draw 2\n"))
    assert len(table.drawn_at) == 2 * 4 + 5 + 4
    assert [act.number for act in table.acts] == [at.BLIND] * 4
    assert len(table.demands.exchanges) == 4  # each may have come from the market


def test_a_card_known_to_come_from_the_market_is_taken_there_and_replaced() -> None:
    table = laid_out(course("Anna: draw red, blind\n"))
    assert at.TAKE <= table.acts[0].number < at.BLIND and table.acts[1].number == at.BLIND
    assert len(table.drawn_at) == 2 * 4 + 5 + 2
    assert not table.demands.exchanges


def test_a_market_swept_before_the_first_turn_takes_one_more_market_from_the_deck() -> None:
    plain, swept = (laid_out(course("Anna: draw 2\n"), DealPlan(first_sweeps=n)) for n in range(2))
    assert len(swept.drawn_at) == len(plain.drawn_at) + 5
    looks = [look.swept for some in swept.demands.looks.values() for look in some]
    assert looks == [True, False]


def test_with_two_decks_it_is_left_open_from_which_the_market_was_filled() -> None:
    table = laid_out(course("Anna: draw ship, train\nBert: draw red refill train, blind ship\n", "world"))
    assert [table.filled[card][:2] for card in table.demands.other] == [(0, 0), (0, 1)]
    for card, other in table.demands.other.items():
        assert table.shuffle_deck[other] != table.shuffle_deck[table.demands.shuffle[card]]


def test_what_is_settled_is_laid_out_as_planned() -> None:
    plan = DealPlan(refills={(0, 0): 0}, taken={(0, 0): 16})
    table = laid_out(course("Anna: draw ship, train\n", "world"), plan, settled=True)
    take, refill, blind = (act.number for act in table.acts)
    assert at.TAKE + 3 <= take < at.TAKE + 6  # a ship's place
    assert (refill, blind) == (at.REFILL_FROM, at.BLIND)
    assert not table.demands.other


def test_shuffles_know_the_act_within_which_they_are() -> None:
    """The two dealt hands and the market leave 97 cards: the 49th turn of two cards needs the discards."""
    claims = "Anna: claim Kiel–Hamburg black\n"
    turns = [f"{'Bert' if n % 2 == 0 else 'Anna'}: draw 2\n" for n in range(50)]
    table = laid_out(course(claims + "".join(turns[:49])))
    assert len(table.shuffle_deck) == 2
    assert table.drawn_step[table.order[1][0]] == table.shuffle_step[1]
    assert table.order[1] and table.demands.purchases[0].to[0] == 1


def test_where_the_deck_cannot_have_sufficed_it_is_said_at_which_turn() -> None:
    turns = [f"{'Anna' if n % 2 == 0 else 'Bert'}: draw 2\n" for n in range(60)]
    with pytest.raises(MiscountError) as error:
        laid_out(course("".join(turns)))
    assert error.value.deed == 49
