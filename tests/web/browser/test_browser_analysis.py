"""Where was the game won? Asked for with one press, told in curves, tables and links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from company import laid, played_out, shortened, uneven
from pressing import PATIENCE, faults_in_both_themes, table


@pytest.mark.long
def test_a_finished_game_is_analysed_at_one_press_and_axe_finds_no_serious_fault(
    analyst: Callable[..., Any], axe: str
) -> None:
    anna = analyst()
    path = laid(anna, uneven("berlin"))
    page = anna.go(path.partition("/replay")[0] + "/replay")
    page.click("#bar .menu:not(.places) summary")
    page.click("#bar a[href$='/analysis']")
    page.click("main form button.first")
    page.wait_for_selector(".sums", timeout=16 * PATIENCE)
    for said in page.locator(".sums li").all():
        figures = re.findall(r"[+\N{MINUS SIGN}]?\d+", said.inner_text().partition("=")[0].partition(": ")[2])
        end = re.search(r"= (\d+) at the end", said.inner_text())
        assert end and sum(int(one.replace("\N{MINUS SIGN}", "-")) for one in figures) == int(end[1])
    assert page.locator(".curve .lost").count()
    chance = page.locator(".turning .chance").first.inner_text()
    better = page.locator(".turning p:nth-child(2) .chance").first.inner_text()
    assert int(chance.rstrip("%\u202f ")) < int(better.rstrip("%\u202f "))
    page.click(".own summary")
    page.wait_for_selector(".own .curve")
    page.click(".every summary")
    assert not faults_in_both_themes(page, axe)
    mistakes = page.locator(".turning li").count()
    page.goto(page.url.replace("/analysis", ""))  # the end screen of the table
    page.wait_for_selector("body[data-live]")
    page.wait_for_selector("#review .mistake")
    assert page.locator("#review .mistake").count() == min(3, mistakes)
    page.locator("#review [data-highlights]").first.click()
    page.wait_for_selector("#board .pinned")
    page.go_back()
    page.click(".turning a >> nth=0")
    table(page)
    assert "/replay/" in page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#scrubber .chances summary")
    page.wait_for_selector("#scrubber .curve .now", state="attached")
    assert not faults_in_both_themes(page, axe)
    told = page.locator("#mistakes li").evaluate_all("all => all.map((one) => one.dataset.at)")
    here = page.locator("#moment").get_attribute("data-n")
    moment = max({*told} - {here}, key=int)  # the last of those that are told here; the curve has everybody's
    page.locator(f"#scrubber .curve .lost[data-moment='{moment}']").first.click()
    page.wait_for_url(f"**/replay/{moment}?*")
    assert page.locator("#moment b").first.inner_text().startswith(f"{moment}")
    page.keyboard.press("p")  # to the mistake before, and told there
    page.wait_for_function(
        "last => Number(document.querySelector('#moment').dataset.n) < last"
        " && document.querySelector('#mistakes li:not([hidden])') !== null",
        arg=int(moment),
    )
    page.click("[data-mistake='1']")
    page.wait_for_url(f"**/replay/{moment}?*")
    told = page.locator("#mistakes li:not([hidden])").first  # what was better is hidden until somebody asks
    assert told.locator("p").first.is_visible() and not told.locator("details p").is_visible()
    better = told.locator("details").get_attribute("data-better")
    lit = "#board .pinned[data-{}='{}']"
    marks = [lit.format(*one.split("-")) for one in (better or "").split()]
    assert not any(page.locator(one).count() for one in marks)
    told.locator("summary").press("Enter")
    told.locator("details p").wait_for()
    for one in marks:
        page.wait_for_selector(one, state="attached")
    told.locator("summary").press("Enter")
    page.wait_for_function("marks => !marks.some((one) => document.querySelector(one))", arg=marks)


def test_a_game_that_is_being_played_is_not_analysed(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, shortened(played_out("berlin"), 5))
    answer = anna.page.goto(anna.address + path + "/analysis")
    assert answer.status == 409
    anna.faults.clear()  # the browser notes the 409
