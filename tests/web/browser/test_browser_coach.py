"""The coach by keyboard, and My games: read by screen readers, and no broader than a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from company import opened, order, set_table
from pressing import Visitor, faults, pressing

import branchline as bl
from branchline.bots import Position


def test_a_hint_by_keys_alone_and_warnings_that_the_browser_remembers(
    visitor: Callable[..., Visitor], axe: str
) -> None:
    anna = visitor()
    anna.new_room("berlin", seats="2", first="0", seed="3")
    page = anna.page
    for shown in ("[data-do=hint]", ".move", "p:has-text('Win chance')"):
        page.keyboard.press("i")
        page.wait_for_selector(f"#coach:not([hidden]) {shown}")
    assert page.locator("#coach-said[role=status]").count() == 1
    assert not faults(page, axe)
    page.click("#coach [data-coach=close]")
    assert page.locator("#coach").is_hidden()
    assert page.evaluate("() => document.activeElement.id") == "hint"
    order(page, "[data-do=tutor]")
    page.wait_for_selector("#bar [data-do=tutor][aria-pressed=true]", state="attached")
    page.reload()
    page.wait_for_selector("#bar [data-do=tutor][aria-pressed=true]", state="attached")


@pytest.mark.long
def test_a_game_that_has_ended_stands_in_my_games(visitor: Callable[..., Visitor], axe: str) -> None:
    game, bots = opened("berlin"), [bl.make_bot("hard", seat) for seat in range(2)]
    while game.view(None).turns_to_go is None or game.question.seat != 0:
        game.play(bots[game.question.seat or 0].choose(Position.of(game)))
    anna = visitor(viewport={"width": 390, "height": 844}, locale="cs")
    pressing(set_table(anna, game))
    page, table = anna.page, anna.page.url.removeprefix(anna.address)
    anna.go_to_my_games(table)
    assert page.locator(f'.games a[href="{table}"]').count() == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert not faults(page, axe)
