"""Puzzles, mistakes and My games by the keyboard alone, and what a screen reader is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pressing import PATIENCE, Visitor, faults, pressing, table

from branchline.teaching import puzzles

PHONE = {"viewport": {"width": 390, "height": 844}}


def focused(page: Any) -> str:
    """What has the focus, as it is called."""
    return str(page.evaluate("() => document.activeElement.id || document.activeElement.innerText"))


def answered(page: Any, text: str) -> None:
    """Waits until the guide's live region says so."""
    page.locator("#guide-said[aria-live=polite]").get_by_text(text).wait_for()


def test_a_puzzle_is_solved_without_a_mouse(visitor: Callable[..., Visitor], axe: str) -> None:
    collection = puzzles.of_edition("berlin")
    assert collection is not None
    puzzle = next(one for one in collection.puzzles if one.answers.best.move.route is not None)
    best = puzzle.answers.best.move.route
    page = visitor(**PHONE).go("/learn/puzzles/berlin")
    assert faults(page, axe) == []
    page.locator(f'form[action="/learn/puzzles/berlin/{puzzle.id}"] button').press("Enter")
    table(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focused(page) == "guide"
    page.keyboard.press("0")
    answered(page, "Try another move.")
    assert focused(page) == "guide"
    page.locator(f'#board [data-route="{best.index}"]').focus()
    page.keyboard.press("Enter")
    page.locator("#card[open] .answer").first.press("Enter")
    answered(page, "Right!")
    page.wait_for_function("() => document.activeElement.matches('#guide .links .first')")
    assert page.locator("#guide-why").is_hidden()
    assert faults(page, axe) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-live] #guide:not(.done)")


@pytest.mark.long
def test_a_mistake_is_tried_again_and_my_games_are_read_and_forgotten_without_a_mouse(
    analyst: Callable[..., Visitor], axe: str
) -> None:
    anna = analyst(**PHONE)
    path = anna.new_room("berlin", seats="2", bot1="easy", first="0", seed="3")
    page = anna.page
    pressing(page)
    begin = page.locator("#review form[data-review-form] button")
    begin.or_(page.locator("#review .mistake, #review progress")).first.wait_for()
    if begin.count():
        begin.press("Enter")
    page.wait_for_selector("#review:not([data-again]) .mistake", timeout=16 * PATIENCE)
    told = page.locator("#review-said[role=status]").inner_text()
    count = page.locator("#review .mistake").count()
    assert told == f"{count} moment{'' if count == 1 else 's'} to look at"
    page.locator("#review [data-show]").first.press("Enter")
    page.wait_for_selector("#board .pinned")
    page.locator("#review form[action$='/try'] button").first.press("Enter")
    table(page)
    answered(page, "You had a better move here in your game.")
    assert page.locator("#guide").get_by_text("Best:").count() == 0
    page.locator("#guide .links button").first.press("Enter")  # the answer
    answered(page, "The answer")
    page.wait_for_function("() => document.activeElement.matches('#guide .links .first')")
    anna.go("/learn/mistakes")
    assert faults(page, axe) == []
    assert page.locator(".exercise-list li").count() >= 1
    anna.go_to_my_games(path)
    assert faults(page, axe) == []
    page.get_by_role("link", name="Berlin").first.press("Enter")
    page.wait_for_url("**/mine?board=berlin")
    page.locator(".filter a").first.press("Enter")
    page.wait_for_url("**/mine")
    page.locator("summary", has_text="Delete my games").press("Enter")
    page.get_by_role("checkbox", name="Yes, delete").press("Space")
    page.get_by_role("button", name="Delete my games").press("Enter")
    page.locator(".invitation").wait_for()
    assert page.locator(".games").count() == 0
