"""What a thumb presses on the pages around the tables is large enough for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
