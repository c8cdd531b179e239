"""Dealing for a real board: two phones and a screen, from the code on the table to the count, by pressing."""

from __future__ import annotations

from typing import Any

import pytest
from pressing import faults

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}
KEPT = "Object.entries(localStorage).find(([key]) => key.startsWith('branchline count '))"
LIVE = "body[data-live]"


def looking(visitor: Any, path: str, **look: Any) -> Any:
    """Somebody who opens a link."""
    who = visitor(**(PHONE | look))
    who.page.goto(who.address + path)
    return who.page


def chosen(page: Any, number: int) -> None:
    """Take a name, and keep the first tickets."""
    page.locator(".deal-choose button").nth(number).click()
    page.wait_for_selector(LIVE)
    assert page.locator("#keep button").is_disabled()
    for box in page.locator("#keep input").all():
        box.check()
    page.locator("#keep button").click()
    page.wait_for_selector("#choice", state="hidden")


def shuffled(visitor: Any, axe: str, board: str = "europe") -> tuple[str, str]:
    """Make a table; the link for all, and that of the screen."""
    page = looking(visitor, "/deal")
    assert not faults(page, axe)
    page.select_option("[name=board]", board)
    page.fill("[name=name0]", "Anna")
    page.fill("[name=name1]", "Ben")
    page.locator(".new-game .big").click()
    page.wait_for_selector(".deal-code img")
    page.wait_for_function("() => document.querySelector('.deal-code img').naturalWidth > 0")
    assert page.locator("#only-here").is_visible(), "no phone finds 127.0.0.1"
    assert not faults(page, axe)
    links = [one.get_attribute("href") for one in page.locator("a.button[href^='/deal/']").all()]
    return links[0], links[1]


@pytest.mark.long
def test_an_evening_from_the_code_to_the_count(visitor: Any, axe: str) -> None:
    everybody, screen = shuffled(visitor, axe)
    anna, ben = (looking(visitor, everybody, color_scheme=scheme) for scheme in ("light", "dark"))
    assert not faults(ben, axe)
    all_see = looking(visitor, screen, viewport={"width": 1280, "height": 800}, is_mobile=False)
    all_see.wait_for_selector(LIVE)
    chosen(anna, 0)
    chosen(ben, 1)
    anna.wait_for_selector("[data-pick]:not([aria-disabled])")
    assert not faults(anna, axe) and not faults(all_see, axe)

    # a card of the market: chosen, then taken; everybody sees it
    anna.locator(".d-cards li:first-child button").click()
    anna.locator("#doing .first").click()
    ben.wait_for_function("() => document.getElementById('told').textContent.startsWith('Anna takes ')")
    all_see.wait_for_selector("#log li.k-take")

    # blind, by keys alone; nobody else is told which
    ben.locator("#deck-train").focus()
    ben.keyboard.press("Enter")
    ben.locator("#doing .first").focus()
    ben.keyboard.press("Enter")
    anna.wait_for_function("() => document.getElementById('told').textContent === 'Ben draws a card face down.'")
    assert ben.locator("#log li").first.locator(".chip").count() == 1

    # taking that back needs somebody who agrees
    before = ben.locator("#hand-title .soft").text_content()
    ben.locator("[data-deed=back]").click()
    anna.locator("[data-deed=agree]").click()
    ben.wait_for_function("(was) => document.querySelector('#hand-title .soft').textContent !== was", arg=before)

    # paying: what somebody else does meanwhile takes nothing out of the fingers
    ben.locator("[data-hand]").first.click()
    anna.locator("[data-deed=turn]").click()
    anna.locator("[data-deed=turn]").click()
    ben.wait_for_selector(".d-turned .card")
    assert ben.locator("#doing .card").count() == 1
    assert not faults(ben, axe)
    ben.locator("#doing .first").click()
    anna.wait_for_function("() => document.getElementById('told').textContent.startsWith('Ben discards ')")

    # a phone that dies: the same link on another one
    again = looking(visitor, anna.url.removeprefix(anna.url.split("/deal")[0]))
    again.wait_for_selector(LIVE)
    assert again.locator("#hand").inner_html() == anna.locator("#hand").inner_html()

    # the end: open tickets, and the count has them
    for page in (again, ben):
        page.locator(".d-end summary").click()
        page.locator("[data-deed=open]").click()
        page.locator("[data-deed=open]").click()
    ben.wait_for_function("() => document.getElementById('to-count')?.href.includes('#')")
    assert not faults(ben, axe)
    ben.locator("#to-count").click()
    ben.wait_for_selector("body[data-view=counting]")
    ben.locator("#tools button").nth(1).click()
    assert [one.text_content() for one in ben.locator("#players .name").all()] == ["Anna", "Ben"]
    assert ben.evaluate(f"() => JSON.parse({KEPT}[1]).record.seats.map(one => one.tickets.length)") == [4, 4]


@pytest.mark.long
def test_whoever_takes_a_card_says_from_which_of_two_decks_it_is_replaced(visitor: Any, axe: str) -> None:
    everybody, screen = shuffled(visitor, axe, "great_lakes")
    anna, ben = looking(visitor, everybody), looking(visitor, everybody, color_scheme="dark")
    television = looking(visitor, screen, viewport={"width": 1280, "height": 720}, is_mobile=False)
    chosen(anna, 0)
    chosen(ben, 1)
    anna.wait_for_selector("[data-pick]:not([aria-disabled])")
    for deck in ("train", "ship"):
        before = int(anna.locator(f"#deck-{deck} b").inner_text())
        anna.locator(".d-cards button:not([aria-disabled])").first.click()
        assert anna.locator("#doing .first").count() == 2 and not faults(anna, axe)
        anna.locator("#doing .first", has_text=f"{deck} deck").click()
        fewer = "([deck, was]) => Number(document.querySelector(`#deck-${deck} b`).textContent) < was"
        anna.wait_for_function(fewer, arg=[deck, before])
        sizes = anna.locator(".d-deck b").all_text_contents()
        same = "sizes => [...document.querySelectorAll('.d-deck b')].every((one, n) => one.textContent === sizes[n])"
        for page in (ben, television):
            page.wait_for_function(same, arg=sizes)
    assert television.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nobody scrolls a television"
    assert not faults(television, axe)
