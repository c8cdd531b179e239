"""Nothing is cut, covered or too narrow where there is little room: on phones, upright or not, and small laptops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import laid, played_out

UPRIGHT = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"viewport": {"width": 568, "height": 320}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 720}}

CUT_NAMES = """() => {
    const sheet = document.querySelector("#board svg").getBoundingClientRect();
    return [...document.querySelectorAll("#board .place:not(.unnamed) .l")].filter((name) => {
        const box = name.getBoundingClientRect();
        const beside = box.left < sheet.left - 1 || box.right > sheet.right + 1;
        return beside || box.top < sheet.top - 1 || box.bottom > sheet.bottom + 1;
    }).map((name) => name.textContent); }"""
MEET = """([one, other]) => {
    const boxes = (all) => [...document.querySelectorAll(all)].map((each) => each.getBoundingClientRect());
    const [a, b] = [boxes(one), boxes(other)];
    return a.some((x) => x.width && b.some((y) => y.width
        && x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)); }"""


@pytest.mark.parametrize(
    ("board", "window"),
    [
        ("germany", "laptop"),
        pytest.param("germany", "upright", marks=pytest.mark.long),
        pytest.param("world", "laptop", marks=pytest.mark.long),
    ],
)
def test_no_name_is_cut_at_the_edge_of_the_map(visitor: Callable[..., Any], board: str, window: str) -> None:
    anna = visitor(**{"laptop": LAPTOP, "upright": UPRIGHT}[window])
    anna.new_room(board, seats="2", seed="5")
    if window == "upright":
        anna.page.click("[data-zoom=fit]")
    anna.page.wait_for_timeout(300)
    assert anna.page.evaluate(CUT_NAMES) == []


def test_a_phone_on_its_side_shows_tickets_to_choose_and_cards_that_a_thumb_can_take(
    visitor: Callable[..., Any],
) -> None:
    anna = visitor(**ON_ITS_SIDE, locale="pl")
    anna.new_room("world", seats="3", first="0", seed="5")
    page = anna.page
    page.wait_for_selector("#question.asked")
    keep = page.locator(".keep").bounding_box()
    seen = [one.bounding_box() for one in page.locator(".offers label").all()]
    assert sum(box["y"] >= 46 and box["y"] + box["height"] <= keep["y"] + 1 for box in seen) >= 1
    slots = [one.bounding_box() for one in page.locator(".slot").all()]
    assert min(box["width"] for box in slots) >= 40 and min(box["height"] for box in slots) >= 34


@pytest.mark.long
@pytest.mark.parametrize("window", [pytest.param("upright"), pytest.param("on its side", marks=pytest.mark.long)])
def test_the_scores_of_a_replay_and_its_scrubber_lie_side_by_side_and_nothing_is_cut(
    visitor: Callable[..., Any], window: str
) -> None:
    anna = visitor(**{"upright": UPRIGHT, "on its side": ON_ITS_SIDE}[window], locale="pl")
    laid(anna, played_out("world", 3))
    page = anna.page
    page.wait_for_selector("#end.all-told", state="attached")
    page.wait_for_timeout(300)
    assert not page.evaluate(MEET, ["#scrubber", "#end"])
    wide = page.viewport_size["width"]
    buttons = [box for one in page.locator("#scrubber button, #end .after *").all() if (box := one.bounding_box())]
    assert buttons and all(box["x"] >= 0 and box["x"] + box["width"] <= wide for box in buttons)
    page.locator("#scrubber input").press("Home")
    page.wait_for_selector('#moment[data-n="0"]')
    assert not page.evaluate(MEET, ["#scrubber", "#ground"]) or window == "upright"
    assert page.locator("#ground").bounding_box()["height"] > 100, "the map keeps some room"


def test_on_a_phone_cards_are_noted_by_their_symbols_and_all_lie_above_the_tabs(visitor: Callable[..., Any]) -> None:
    page = visitor(**UPRIGHT).go("/")
    page.goto(page.url + "notate")
    page.select_option("#edition", "europe")
    page.click("#new-game button")
    page.wait_for_selector("#noting:not([hidden]) #board svg")
    tabs = page.locator("#tools").bounding_box()["y"]
    cards = page.locator("#entry .of")
    assert cards.count() == 9 and page.locator("#entry .of .chip use").count() == 9
    assert max(box["y"] + box["height"] for one in cards.all() if (box := one.bounding_box())) <= tabs
