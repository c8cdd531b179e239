"""The map never moves by itself: whatever is asked, done and told, it stays where it is and as large as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pressing import press_once, rested, table

WINDOWS = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
BOX = """() => { const box = document.getElementById('ground').getBoundingClientRect();
    return [box.x, box.y, box.width, box.height]; }"""
HIGH = """() => { const room = getComputedStyle(document.getElementById('stage'));
    const free = innerHeight - parseFloat(room.paddingTop) - parseFloat(room.paddingBottom);
    return document.getElementById('ground').getBoundingClientRect().height / free; }"""
LEAST = """() => Math.min(...[...document.querySelectorAll('#board .place:not(.unnamed) .l')].map((name) =>
    Number(name.getAttribute('font-size')) * name.getScreenCTM().a))"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "window"), [("europe", "desk"), ("world", "phone"), ("germany", "desk"), ("germany", "phone")]
)
def test_the_map_stays_where_it_is_through_fourteen_actions(
    visitor: Callable[..., Any], board: str, window: str
) -> None:
    anna = visitor(**WINDOWS[window])
    anna.new_room(board, seats="3", first="0", seed="3")
    page = anna.page
    table(page)
    page.wait_for_selector("#question.asked", state="attached")
    rested(page)
    start, actions = page.evaluate(BOX), 0
    while actions < 14:
        actions += press_once(page, actions)
        assert page.evaluate(BOX) == start, f"after {actions} actions"
    assert page.evaluate(LEAST) >= 10.99, "names that are there can be read"
    if window == "phone":
        for tab in ("tickets", "log", "choices", "hand"):
            place = page.locator(".tabs").bounding_box()
            page.tap(f".tabs [data-tab={tab}]")
            assert page.evaluate(BOX) == start and page.locator(".tabs").bounding_box() == place


def test_on_a_phone_a_broad_map_opens_as_high_as_its_room_and_stays_so(visitor: Callable[..., Any]) -> None:
    anna = visitor(**WINDOWS["phone"])
    anna.new_room("berlin", seats="2", first="0", seed="3")
    anna.page.wait_for_selector("#question.asked", state="attached")
    rested(anna.page)
    assert anna.page.evaluate(HIGH) >= 0.99
