"""Improvements that simulations suggest are steps like any other."""

from __future__ import annotations

import pytest

from branchline.arena.balance.improve import ROUTE, TICKET, Change
from branchline.boards import load_board
from branchline.workshop import Draft, StepError, applied, read_draft, undone
from branchline.workshop.improving import step_of


@pytest.fixture(scope="module")
def draft() -> Draft:
    folder = load_board("berlin").folder
    assert folder is not None
    texts = {one.name: one.read_text("utf-8") for one in folder.iterdir() if one.suffix in (".csv", ".toml")}
    return read_draft(texts)[0]


def test_changes_become_one_step_on_the_rows_they_are_about(draft: Draft) -> None:
    board = load_board("berlin")
    ticket, first, second = board.tickets[3], board.routes[1], board.routes[2]
    changes = (
        Change(TICKET, (3,), ticket.name, (str(ticket.value),), ("17",)),
        Change(ROUTE, (1, 2), "two", (first.colour, second.colour), (second.colour, first.colour)),
    )
    step = step_of(draft, changes)
    after = applied(draft, step)
    tickets, routes = list(after["tickets"].values()), list(after["routes"].values())
    assert tickets[3]["value"] == "17"
    assert {tickets[3]["city_a"], tickets[3]["city_b"]} == {place.name for place in ticket.places}
    assert (routes[1]["colour"], routes[2]["colour"]) == (second.colour, first.colour)
    assert sum(before != now for before, now in zip(draft["routes"].values(), routes, strict=True)) == 2
    assert applied(after, undone(step)) == draft


@pytest.mark.parametrize(
    "change",
    [
        Change(TICKET, (3,), "a ticket", ("99",), ("17",)),
        Change(TICKET, (500,), "a ticket", ("9",), ("17",)),
        Change(ROUTE, (1,), "a route", ("pink",), ("red",)),
    ],
)
def test_what_has_changed_meanwhile_is_not_overwritten(draft: Draft, change: Change) -> None:
    with pytest.raises(StepError, match="has changed since it was played"):
        step_of(draft, [change])
