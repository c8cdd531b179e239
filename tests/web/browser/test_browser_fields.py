"""Fields on phones: a phone enlarges the page when one with small letters is touched, and does not go back."""

from __future__ import annotations

from typing import Any

import pytest
from company import two_people

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}
PAGES = (
    "/",
    "/new",
    "/deal",
    "/count",
    "/notate",
    "/workshop",
    "/rules/europe",
    "/referee/europe",
    "/mine",
    "/evenings",
)
SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((one) => !["hidden", "checkbox", "radio", "range"].includes(one.type))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML.slice(0, 120)])"""


def fields(page: Any, where: str) -> int:
    """No field of a page is small, shown or not; how many there are."""
    found = page.evaluate(SMALL)
    assert not [one for one in found if one[0] < 16], where
    return len(found)


@pytest.mark.long
def test_no_field_on_a_phone_has_letters_under_16_px(visitor: Any) -> None:
    phone = visitor(**PHONE)
    seen = 0
    for path in PAGES:
        phone.page.goto(phone.address + path)
        seen += fields(phone.page, path)
    assert seen > 40
    anna, _ = two_people(phone, visitor(), "europe")
    assert fields(anna, "a table with talk and dialogs") > 2
    anna.goto(anna.url + "/referee")
    assert fields(anna, "the referee of a table")
    anna.goto(phone.address + "/workshop")
    anna.locator("button[value=edition], form:has([value=edition]) button").first.click()
    anna.wait_for_selector("body[data-live]")
    assert fields(anna, "the editor") > 3
