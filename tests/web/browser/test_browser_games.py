"""Whole games, pressed through in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pressing import press_once, pressing


@pytest.mark.parametrize(
    "board",
    ["berlin", *(pytest.param(board, marks=pytest.mark.long) for board in ("europe", "germany", "world"))],
)
def test_a_whole_game_against_bots(visitor: Callable[..., Any], board: str) -> None:
    anna = visitor()
    anna.new_room(board, seats="3", seed="7")
    presses = pressing(anna.page)
    assert presses > 10
    page = anna.page
    assert page.locator("#end-title").inner_text()
    totals = page.locator("#end tfoot td").all_inner_texts()
    assert len(totals) == 3
    assert all(total.lstrip("-").isdigit() for total in totals)
    assert "Game over" in page.title()


def test_two_clicks_from_the_start_page_to_a_running_game(visitor: Callable[..., Any]) -> None:
    page = visitor().go("/")
    page.click("[aria-labelledby=e-europe] button.first")
    page.wait_for_selector("#board svg")
    page.wait_for_selector("#question.asked .offers")
    assert page.locator("#board [data-route]").count() == 101


def test_two_people_and_two_bots(visitor: Callable[..., Any]) -> None:
    anna, ben = visitor(), visitor()
    anna.new_room("berlin", seats="4", kind0="me", kind1="open", kind2="bot", kind3="bot", name0="Anna", seed="3")
    invitation = anna.page.locator("#seat-1 [data-copy]").get_attribute("data-copy")
    page = ben.go(invitation.removeprefix(anna.address))
    page.fill("input[name=name]", "Ben")
    page.click("main button.first")
    page.wait_for_selector("#board svg")
    anna.page.wait_for_selector("#seat-1 .name:has-text('Ben')")
    for n in range(600):
        if anna.page.locator("#end:not([hidden])").count() and page.locator("#end:not([hidden])").count():
            break
        press_once(anna.page, n)
        press_once(page, n)
    else:
        pytest.fail("the game did not end")
    assert anna.page.locator("#end tfoot").inner_text() == page.locator("#end tfoot").inner_text()
