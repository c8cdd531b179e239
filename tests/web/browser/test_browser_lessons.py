"""A first lesson by the keyboard alone: the guide marks what it means, and says why an answer is not the one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pressing import faults, table


def asked(page: Any, task: str) -> None:
    """Waits until the guide wants this, and the page takes answers."""
    page.wait_for_function(
        "task => document.querySelector('#guide .task')?.textContent.includes(task)"
        " && document.querySelector('#whose')?.dataset.mine !== undefined",
        arg=task,
    )


def test_the_first_lesson_is_done_without_a_mouse(visitor: Callable[..., Any], axe: str) -> None:
    page = visitor(viewport={"width": 390, "height": 844}).go("/learn")
    assert faults(page, axe) == []
    page.locator('form[action="/learn/berlin/first"] button').press("Enter")
    table(page)
    keys = page.keyboard
    asked(page, "Reichstag–Gendarmenmarkt")
    for box in page.locator(".offers input").all():
        box.press("Space")
    page.locator("[data-combined]").press("Enter")
    why = page.locator("#guide-said[aria-live=polite] #guide-why")
    why.wait_for()
    assert "Two tickets" in why.inner_text() and page.locator("#notice").is_hidden()
    page.locator(".offers input").last.press("Space")
    page.locator("[data-combined]").press("Enter")
    asked(page, "red card")
    assert page.locator("#market .guided").get_attribute("id") == "slot-2" and why.is_hidden()
    keys.press("0")
    why.wait_for()
    keys.press("2")
    asked(page, "blind")
    keys.press("0")
    for route in ("Brandenburger Tor–Gendarmenmarkt", "Reichstag–Brandenburger Tor"):
        asked(page, route)
        page.locator("#board .route.guided").first.wait_for(state="attached")
        page.locator("#board .route.guided").first.press("Enter")
        page.locator("#card[open] [data-act]").first.press("Enter")  # closed, it still holds the route before
        yes = page.locator("#confirm:not([hidden]) [data-yes]")
        if yes.count():
            yes.press("Enter")
    page.locator("#guide.done").wait_for()
    assert faults(page, axe) == []
    page.locator("#guide .links button.first").press("Enter")
    table(page)
    assert "Gray routes" in page.locator("#guide-title").inner_text()
