"""Whole games, pressed through in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from company import before_the_end, both_play, invitation, join, seated
from pressing import PATIENCE, press_once, table

import branchline as bl

WHOLE = ("berlin",)
"""On these boards two people and two bots play whole games; the others take up to four minutes."""


def test_two_clicks_from_the_start_page_to_a_running_game(visitor: Callable[..., Any]) -> None:
    page = visitor().go("/")
    page.click("[aria-labelledby=e-europe] button.first")
    table(page)
    page.wait_for_selector("#question.asked .offers")
    assert page.locator("#board [data-route]").count() == 101


@pytest.mark.long
@pytest.mark.parametrize("board", WHOLE)
def test_two_people_in_two_browsers_and_two_bots(visitor: Callable[..., Any], board: str) -> None:
    pages = at_one_table(visitor(), visitor(), board)
    both_play(*pages)
    agree_on_the_end(*pages)


@pytest.mark.long
@pytest.mark.parametrize("board", [board for board in bl.builtin_boards() if board not in WHOLE])
def test_two_people_and_two_bots_play_the_first_turns_and_the_last(visitor: Callable[..., Any], board: str) -> None:
    anna, ben = visitor(), visitor()
    pages = at_one_table(anna, ben, board)
    both_play(*pages, until="#log li:nth-of-type(12)")
    pages = seated(anna, ben, before_the_end(board, 4))
    both_play(*pages)
    agree_on_the_end(*pages)


def at_one_table(anna: Any, ben: Any, board: str) -> tuple[Any, Any]:
    """Their pages at a new table with two bots; whoever is asked first."""
    anna.new_room(board, seats="4", kind0="me", kind1="open", kind2="bot", kind3="open", name0="Anna", seed="3")
    anna.page.click("#waiting form:has(input[name=seat][value='3']) button")  # "Let a bot play instead"
    anna.page.wait_for_selector("#seat-3:not(:has(.open-seat))", state="attached")
    page = join(ben, invitation(anna.page, 1), "Ben")
    anna.page.wait_for_selector("#seat-1 .name:has-text('Ben')")
    return anna.page, page


def agree_on_the_end(one: Any, other: Any) -> None:
    assert one.locator("#end tfoot").inner_text() == other.locator("#end tfoot").inner_text()
    assert other.locator("#end-title").inner_text() and "Game over" in other.title()
    totals = other.locator("#end tfoot td").all_inner_texts()
    assert len(totals) == 4
    assert all(total.lstrip("\N{MINUS SIGN}").isdigit() for total in totals)


@pytest.mark.long
def test_the_line_breaks_in_the_middle_of_a_tunnel(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    lines: list[Any] = []

    def follow(line: Any) -> None:
        line.connect_to_server()
        lines.append(line)

    anna.page.route_web_socket(re.compile("/ws/"), follow)
    board = bl.load_board("europe")
    tunnels = ",".join(f"[data-ask=route-{route.index}]" for route in board.routes if route.kind == "tunnel")
    anna.new_room("europe", seats="2", seed="2", first="0")
    page = anna.page
    for n in range(3000):
        kind = page.evaluate("document.querySelector('body:not(.waiting) #question.asked')?.dataset.kind")
        if kind == "tunnel":
            break
        if kind == "turn" and page.locator(tunnels).count():
            version = page.evaluate("document.body.dataset.version")
            page.locator(tunnels).first.dispatch_event("click")
            page.locator("#card[open] .answer").first.click()
            page.wait_for_function("old => document.body.dataset.version !== old", arg=version)
        else:
            press_once(page, n, claim=False)
    else:
        pytest.fail("no tunnel asked for more")
    asked = page.locator("#question").inner_text()
    broken = len(lines)
    page.evaluate(
        """() => { const notice = document.getElementById("notice");
            const look = () => { if (!notice.hidden) window.saidSo = true; };
            new MutationObserver(look).observe(notice, { attributes: true }); }"""
    )
    lines[-1].close(code=1001, reason="the line breaks")
    dialled = time.monotonic() + PATIENCE / 1000
    while len(lines) == broken:
        assert time.monotonic() < dialled, "it does not dial again"
        page.wait_for_timeout(50)
    page.wait_for_function("() => window.saidSo")  # it may be gone again, once there is a line
    page.wait_for_selector("body:not(.offline)")
    assert page.locator("#question").inner_text() == asked
    page.locator("#question .answer").last.click()
    page.wait_for_function("() => document.querySelector('#question').dataset.kind !== 'tunnel'")
