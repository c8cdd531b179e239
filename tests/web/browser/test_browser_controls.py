"""Controls lie beside the map, never on it; only a question that takes more than a line may cover a part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import laid, played_out
from pressing import rested

from table import EDITIONS

LOOKS = {"mouse": {}, "finger": {"has_touch": True, "is_mobile": True}}
WINDOWS = {
    "mouse": ({"width": 1440, "height": 900}, {"width": 1024, "height": 640}),
    "finger": ({"width": 390, "height": 844}, {"width": 844, "height": 390}),
}
QUICK = (("germany", "mouse"), ("great_lakes", "finger"))
MEET = """() => {
  const stage = document.getElementById("stage"), chart = document.querySelector("#board svg").getBoundingClientRect();
  const around = stage.getBoundingClientRect(), pad = (side) => parseFloat(getComputedStyle(stage)["padding" + side]);
  const map = {
    left: Math.max(chart.left, around.left + pad("Left")), right: Math.min(chart.right, around.right - pad("Right")),
    top: Math.max(chart.top, around.top + pad("Top")), bottom: Math.min(chart.bottom, around.bottom - pad("Bottom")),
  };
  const seen = [...document.querySelectorAll("body :is(button, summary, input, select, a)")];
  return seen.filter((one) => {
    const box = one.getBoundingClientRect();
    const apart = "#board, #question, dialog, .skip, [hidden], details:not([open]) > :not(summary)";
    if (!box.width || one.closest(apart)) return false;
    if (getComputedStyle(one).visibility === "hidden" || getComputedStyle(one).clipPath !== "none") return false;
    return box.left < map.right - 1 && box.right > map.left + 1 && box.top < map.bottom - 1 && box.bottom > map.top + 1;
  }).map((one) => one.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize(
    ("board", "by"),
    [
        pytest.param(board, by, marks=[] if (board, by) in QUICK else pytest.mark.long)
        for board in EDITIONS
        for by in WINDOWS
    ],
)
def test_no_control_lies_on_the_map(visitor: Callable[..., Any], board: str, by: str) -> None:
    anna = visitor(**LOOKS[by])
    path = anna.new_room(board, seats="2", seed="5")
    for window in WINDOWS[by]:
        anna.page.set_viewport_size(window)
        page = anna.go(path)
        page.wait_for_selector("#question.asked", state="attached")
        rested(page)
        assert page.evaluate(MEET) == [], window
        assert page.locator(".zoomer [data-zoom=fit]").is_visible()


@pytest.mark.long
@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_no_control_lies_on_the_map_of_a_replay(visitor: Callable[..., Any], by: str) -> None:
    anna = visitor(**LOOKS[by])
    path = laid(anna, played_out("berlin"))
    for window in WINDOWS[by]:
        anna.page.set_viewport_size(window)
        page = anna.go(path)
        page.locator("#scrubber input").press("Home")
        page.wait_for_selector('#moment[data-n="0"]')
        rested(page)
        assert page.evaluate(MEET) == [], window
