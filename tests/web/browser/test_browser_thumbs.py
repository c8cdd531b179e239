"""What a thumb presses at the tables and on the pages around them is large enough for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import opened, set_table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PAGES = (
    "/", "/new", "/table", "/learn", "/learn/puzzles", "/learn/mistakes", "/rules", "/rules/europe", "/referee/europe",
    "/count", "/notate", "/evenings", "/deal", "/workshop", "/mine",
)  # fmt: skip
THUMB = 44  # pixels

SMALL = """(thumb) => [...document.querySelectorAll('a[href], button, select, summary, input:not([type=hidden])')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('svg, p, figcaption, .skip'))
    .map(one => one.matches('[type=checkbox], [type=radio]') ? one.closest('label') : one)
    .filter(one => one.getBoundingClientRect().height < thumb - 0.5)
    .map(one => `${one.tagName} ${one.textContent.trim() || one.name || one.ariaLabel}`)"""


@pytest.mark.long
def test_everything_that_is_pressed_on_a_phone_is_as_high_as_a_thumb(visitor: Callable[..., Any]) -> None:
    anna = visitor(**PHONE)
    small = {}
    for path in PAGES:
        anna.page.goto(anna.address + path)
        small[path] = anna.page.evaluate(SMALL, THUMB)
    assert not {path: found for path, found in small.items() if found}


ON_ITS_SIDE = {"viewport": {"width": 568, "height": 320}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 1280, "height": 800}, "has_touch": True}
AT_A_TABLE = (
    "#bar :is(button, summary), #story button, .tabs button, .zoomer button, .choices summary, .choices li button"
)
# How high what answers a press is, through the middle of each of these: the area may be larger than what is seen.
LOW = """([which, thumb]) => [...document.querySelectorAll(which)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => {
        const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, middle = (box.top + box.bottom) / 2;
        if (x < 0 || x > innerWidth || !one.contains(document.elementFromPoint(x, middle))) return [thumb, one];
        let high = 0;
        for (let y = middle - thumb; y < middle + thumb; y += 0.5) {
            high += one.contains(document.elementFromPoint(x, y)) ? 0.5 : 0;
        }
        return [high, one];
    })
    .filter(([high]) => high < thumb - 1)
    .map(([high, one]) => `${one.textContent.trim() || one.ariaLabel} ${high}`)"""


@pytest.mark.parametrize(
    ("window", "tab"),
    [
        ("upright", ""),
        *(
            pytest.param(*both, marks=pytest.mark.long)
            for both in (("upright", "choices"), ("on its side", ""), ("tablet", ""))
        ),
    ],
)
def test_buttons_and_links_of_a_table_answer_a_thumb(visitor: Callable[..., Any], window: str, tab: str) -> None:
    game = opened("europe", seats=3)
    while game.turns < 3 or game.question.kind != "turn":
        game.play(game.legal[0])  # a claim, if one can be paid
    page = set_table(visitor(**{"upright": PHONE, "on its side": ON_ITS_SIDE, "tablet": TABLET}[window]), game)
    page.wait_for_selector("#story:not([hidden]) button[data-show]")
    if tab:
        page.tap(f".tabs [data-tab={tab}]")
        page.evaluate("document.querySelectorAll('.choices details').forEach((one) => { one.open = true; })")
    assert page.evaluate(LOW, [AT_A_TABLE, THUMB]) == []
