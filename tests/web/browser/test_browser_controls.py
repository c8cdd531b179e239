"""Controls lie beside the map, never on it; only a question that takes more than a line may cover a part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import laid, played_out

from table import EDITIONS

WINDOWS = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "laptop": {"viewport": {"width": 1024, "height": 640}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "phone on its side": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
}
QUICK = (("germany", "desk"), ("europe", "laptop"), ("great_lakes", "phone"))
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
    ("board", "window"),
    [
        pytest.param(board, window, marks=[] if (board, window) in QUICK else pytest.mark.long)
        for board in EDITIONS
        for window in WINDOWS
    ],
)
def test_no_control_lies_on_the_map(visitor: Callable[..., Any], board: str, window: str) -> None:
    anna = visitor(**WINDOWS[window])
    anna.new_room(board, seats="2", seed="5")
    page = anna.page
    page.wait_for_selector("#question.asked", state="attached")
    page.wait_for_timeout(300)
    assert page.evaluate(MEET) == []
    assert page.locator(".zoomer [data-zoom=fit]").is_visible()


@pytest.mark.parametrize(
    "window", [pytest.param(one, marks=[] if one == "phone" else pytest.mark.long) for one in WINDOWS]
)
def test_no_control_lies_on_the_map_of_a_replay(visitor: Callable[..., Any], window: str) -> None:
    anna = visitor(**WINDOWS[window])
    laid(anna, played_out("berlin"))
    page = anna.page
    page.locator("#scrubber input").press("Home")
    page.wait_for_selector('#moment[data-n="0"]')
    page.wait_for_timeout(300)
    assert page.evaluate(MEET) == []
