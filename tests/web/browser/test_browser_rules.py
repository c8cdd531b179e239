"""The rules searched and the referee asked as somebody does at a table: by keyboard, and with a finger on the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pressing import faults


def told(page: Any, words: str) -> None:
    """Waits until the referee says this."""
    page.wait_for_function("words => document.getElementById('verdict').textContent.includes(words)", arg=words)


@pytest.mark.long
def test_a_rule_is_found_by_keyboard_and_stays_in_the_address(visitor: Callable[..., Any], axe: str) -> None:
    page = visitor().go("/rules/europe")
    page.locator("body[data-live]").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("TUNNEL wild")
    page.wait_for_function("() => document.getElementById('found').textContent === '2 articles found'")
    assert page.locator(".article:visible").count() == 2 and page.locator(".contents li:visible").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "tunnel_more"
    assert faults(page, axe) == []
    page.reload()
    page.locator("body[data-live]").wait_for()
    assert page.locator(".article:visible").count() == 2 and page.locator("#words").input_value() == "TUNNEL wild"
    page.fill("#words", "can I take two cards?")
    assert page.locator(".article:visible").first.get_attribute("id") == "draw_two", "the best answer stands first"
    page.keyboard.press("Escape")
    assert page.locator(".article").first.get_attribute("id") == "pieces", "the book is whole again, and in its order"
    page.fill("#words", "two cards")
    page.evaluate("() => { location.hash = 'gray'; }")  # a link to what the search has hidden
    page.locator("#gray").wait_for()


def test_the_referee_answers_every_change_on_a_phone(visitor: Callable[..., Any], axe: str) -> None:
    page = visitor(viewport={"width": 390, "height": 844}).go("/referee/europe")
    page.locator("body[data-live]").wait_for()
    map_top = "document.querySelector('.map').getBoundingClientRect().top + scrollY"
    assert page.evaluate(map_top) < 844, "the map begins on the first screen"
    page.locator("#name").fill("angora constantinople")
    told(page, "No. Angora–Constantinople")
    page.locator(".stepper").nth(1).locator("[data-step='1']").dblclick()
    told(page, "1 way to pay")
    page.locator("[name=t0]").select_option(label="purple")
    page.locator("#ways .failed").wait_for()
    assert page.locator("#stage .asked").count() == 1 and "t0=" in page.url
    assert faults(page, axe) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.locator("#stage [data-route='0'] .hit").first.dispatch_event("click")
    page.wait_for_function("() => !document.getElementById('verdict').textContent.includes('Angora–Const')")
    page.locator("#none").click()
    told(page, "No.")
    page.reload()
    told(page, "No.")


@pytest.mark.long
def test_the_map_of_the_referee_stays_where_it_is_whatever_the_answer(visitor: Callable[..., Any]) -> None:
    page = visitor().go("/referee/europe")
    page.locator("body[data-live]").wait_for()
    top = "document.querySelector('.map').getBoundingClientRect().top + scrollY"
    before = page.evaluate(top)
    page.locator("#name").fill("Dieppe–Paris")
    told(page, "No.")
    assert page.evaluate(top) == before
    page.locator(".stepper").nth(0).locator("[data-step='1']").click()
    told(page, "Yes.")
    assert page.evaluate(top) == before
