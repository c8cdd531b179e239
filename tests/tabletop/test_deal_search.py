"""One way to think of what nobody noted, and the search for a deal that fits it."""

from __future__ import annotations

import time
from random import Random

import pytest

from branchline.boards.tables import WILD_KIND
from branchline.tabletop.deal_search import DealSearch, NothingFoundError
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse

ROUND = "Anna: draw ship, ship\nBert: draw ship, train\n"


def search(text: str, edition: str, trains: int = 3, seconds: float = 20, first_sweeps: int = 0) -> DealSearch:
    course = NotedCourse(read_notation(f"edition {edition}\nplayers Anna, Bert\n{text}"), 0)
    return DealSearch(course, Random(0), time.process_time() + seconds, 1.0, trains, 1.0, first_sweeps)


@pytest.mark.parametrize(("trains", "refills"), [(3, 0), (4, 1), (5, 2), (6, 3)])
def test_places_of_ships_are_filled_with_trains_until_as_many_lie_there_as_thought_of(
    trains: int, refills: int
) -> None:
    plan = search(ROUND * 3, "world", trains).plan
    assert list(plan.refills.values()) == [0] * refills


def test_places_of_trains_are_filled_with_ships_if_fewer_lie_there() -> None:
    plan = search("Anna: draw train, train\nBert: draw train, train\n", "world", 1).plan
    assert list(plan.refills.values()) == [1, 1]


def test_a_market_of_one_deck_needs_no_thoughts_of_that() -> None:
    assert search("Anna: draw 2\nBert: draw 2\n", "germany", 6).plan.refills == {}


@pytest.mark.parametrize("first_sweeps", [0, 1])
def test_what_is_found_is_played_by_the_rules(first_sweeps: int) -> None:
    pytest.importorskip("ortools")
    text = "Anna: draw wild\nBert: draw ?, sweep, ?\nAnna: draw 2\n"
    game, imagined = search(text, "germany", first_sweeps=first_sweeps).reconstruction()
    assert game.turns == 3 and "cards" in imagined
    assert int(game._plain.hand[0, WILD_KIND]) >= 1


def test_where_kinds_cannot_be_it_names_no_game() -> None:
    """Fifteen wild cards were taken, the box has fourteen."""
    pytest.importorskip("ortools")
    text = "Anna: draw wild\nBert: draw wild\n" * 8
    with pytest.raises(NothingFoundError):
        search(text, "germany", seconds=5).reconstruction()
