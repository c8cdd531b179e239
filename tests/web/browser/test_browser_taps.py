"""Taps on the map of a phone: a finger that is a few pixels off still means the line it was meant for."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from company import asked, opened, set_table
from pressing import rested

from table import EDITIONS

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TAPS = 12
OFF = 7  # pixels by which a tap misses the middle of its route at most, each way
MIDDLES = """() => [...document.querySelectorAll('#board .route.can')].map((one) => {
  const line = one.querySelector('.hit');
  const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
  return [one.dataset.route, at.x, at.y];
}).filter(([, x, y]) => document.elementFromPoint(x, y)?.closest('#stage'))"""


THOUSAND = """async ([xs, ys]) => {
  const table = document.querySelector("script[src*='table/table']").src;
  const { meantBy } = await import(new URL("nearest.js", table));
  const lines = [...document.querySelectorAll("#board .route.can")].map((one) => {
    const line = one.querySelector(".hit");
    const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    return [`route-${one.dataset.route}`, at.x, at.y];
  });
  return xs.map((x, n) => {
    const [route, midX, midY] = lines[n % lines.length];
    return [route, meantBy(midX + x, midY + ys[n])];
  });
}"""
"""What taps come to that lie so far beside the middles of the routes that can be claimed, one after the other."""


def told(page: Any) -> list[str]:
    """What a tap came to: the thing whose card was opened, or those that are offered. All is closed again."""
    page.wait_for_selector("#card[open], #near[open], #notice:not([hidden])")
    return list(
        page.evaluate(
            """() => {
            const near = document.getElementById('near'), card = document.getElementById('card');
            const found = near.open ? [...near.querySelectorAll('[data-ask]')].map((one) => one.dataset.ask)
              : card.open ? [card.dataset.about] : [];
            near.close(); card.close(); document.getElementById('notice').hidden = true;
            return found; }"""
        )
    )


@pytest.mark.long
@pytest.mark.parametrize("board", EDITIONS)
def test_a_tap_beside_a_route_that_can_be_claimed_means_it_or_offers_it(
    visitor: Callable[..., Any], board: str
) -> None:
    """With a finger; of many more points see the next test."""
    cards = {"world": ["wild"] * 4, "berlin": ["wild"] * 2}.get(board, ["wild"] * 4)
    page = set_table(visitor(**PHONE), opened(board, cards))
    asked(page, "turn")
    luck, meant, sure = random.Random(board), 0, 0
    for _ in range(TAPS):
        page.wait_for_timeout(350)  # two quick taps in one place are a double tap, which zooms
        middles = page.evaluate(MIDDLES)
        assert len(middles) > 20
        route, x, y = luck.choice(middles)
        page.touchscreen.tap(x + luck.uniform(-OFF, OFF), y + luck.uniform(-OFF, OFF))
        found = told(page)
        meant += f"route-{route}" in found
        sure += found == [f"route-{route}"]
    assert meant == TAPS
    assert sure >= 0.2 * TAPS, "most taps need no second one"


@pytest.mark.long
@pytest.mark.parametrize("board", EDITIONS)
def test_of_a_thousand_taps_nearly_all_mean_the_route_or_offer_it(visitor: Callable[..., Any], board: str) -> None:
    page = set_table(visitor(**PHONE), opened(board, ["wild"] * 4 if board != "berlin" else ["wild"] * 2))
    asked(page, "turn")
    version, luck = page.locator("body").get_attribute("data-version"), random.Random(board)
    beside = [[luck.uniform(-OFF, OFF) for _ in range(1000)] for _ in range(2)]
    rested(page)
    taps = page.evaluate(THOUSAND, beside)
    meant = sum(route in found for route, found in taps)
    sure = sum(found == [route] for route, found in taps)
    print(f"{board}: {meant / 10} % mean or offer the route, {sure / 10} % it alone")
    assert meant >= 980
    assert page.locator("body").get_attribute("data-version") == version, "a tap claims nothing by itself"


@pytest.mark.long
def test_of_several_that_are_offered_one_is_chosen_and_a_miss_is_said(visitor: Callable[..., Any]) -> None:
    page = set_table(visitor(**PHONE), opened("europe", ["wild"] * 4))
    asked(page, "turn")
    middles = {route: (x, y) for route, x, y in page.evaluate(MIDDLES)}
    twin = next(
        one
        for one in page.evaluate("""() => [...document.querySelectorAll('#board .route.can')]
        .map((one) => one.dataset.route)""")
        if one in middles
        and str(int(one) + 1) in middles
        and abs(middles[one][0] - middles[str(int(one) + 1)][0]) + abs(middles[one][1] - middles[str(int(one) + 1)][1])
        < 8
    )
    page.touchscreen.tap(*middles[twin])
    page.wait_for_selector("#near[open]")
    page.tap(f"#near [data-ask=route-{twin}]")
    page.wait_for_selector("#card[open]")
    assert page.evaluate("document.getElementById('card').dataset.about") == f"route-{twin}"
    assert not page.locator("#near[open]").count()
    page.keyboard.press("Escape")
    box = page.evaluate(
        "() => { const box = document.getElementById('stage').getBoundingClientRect(); return [box.x, box.y]; }"
    )
    page.touchscreen.tap(box[0] + 4, 200)
    page.wait_for_selector("#notice:has-text('There is no route here.')")
