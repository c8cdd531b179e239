"""A game noted turn by turn on a phone: names, cards, a route, what a reload finds, and no network."""

from __future__ import annotations

from typing import Any

from pressing import Visitor, faults

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def title(page: Any) -> str:
    return str(page.inner_text("#title"))


def test_turns_are_noted_kept_taken_back_and_go_on_without_a_network(chromium: Any, server: str, axe: str) -> None:
    who = Visitor(chromium, server, service_workers="allow", **PHONE)
    page = who.page
    page.goto(f"{server}/notate")
    page.wait_for_selector("body[data-offline]", timeout=60_000)
    page.select_option("#edition", "europe")
    page.select_option("#seats", "2")
    for field in page.locator("#new-names input").all():
        field.fill("Anna, the first")
    page.click("#new-game button")
    page.wait_for_selector("#noting:not([hidden]) #board svg")
    assert page.locator("#players .name").all_inner_texts() == ["Anna the first", "Anna the first 2"]
    assert not faults(page, axe)
    who.context.set_offline(True)
    first = title(page)
    page.get_by_text("2 cards, nobody knows which").click()
    page.wait_for_function("before => document.getElementById('title').innerText !== before", arg=first)
    page.click("#tools [data-tool=route]")
    page.fill("#typing", "Pamplona Madrid")
    page.press("#typing", "Enter")
    page.wait_for_selector("#choose:not([hidden]), #entry .ways")
    page.get_by_text("Note it without the cards").click()
    page.wait_for_selector("#board .painted")
    page.reload()
    page.wait_for_selector("body[data-live] #board .painted")
    assert title(page) == first, "it is the first one's turn again"
    page.click("#undo")
    page.wait_for_selector("#board .painted", state="detached")
    assert title(page) != first
    page.click("[data-zoom=in]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    who.context.close()
