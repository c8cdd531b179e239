"""Where was the game won? Asked for with one press, told in curves, tables and links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from company import laid, played_out, shortened
from pressing import PATIENCE, table


def test_a_finished_game_is_analysed_at_one_press(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, played_out("berlin"))
    page = anna.go(path.partition("/replay")[0] + "/replay")
    page.click("#bar .menu summary")
    page.click("#bar a[href$='/analysis']")
    page.click("main form button.first")
    page.wait_for_selector("progress, .curve")
    page.wait_for_selector(".curve", timeout=4 * PATIENCE)
    columns = [[cell.inner_text() for cell in row.locator("td").all()] for row in page.locator(".parts tbody tr").all()]
    for seat in range(2):
        *parts, result = [int(row[seat].rstrip("%\u202f ").replace("\N{MINUS SIGN}", "-")) for row in columns]
        assert abs(sum(parts) - result) <= len(parts)  # each is rounded
    assert page.locator(".curve .lost").count()
    chance = page.locator(".turning .chance").first.inner_text()
    better = page.locator(".turning p .chance").first.inner_text()
    assert int(chance.rstrip("%\u202f ")) < int(better.rstrip("%\u202f "))
    page.click(".turning a >> nth=0")
    table(page)
    assert "/replay/" in page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#scrubber .chances summary")
    page.wait_for_selector("#scrubber .curve .now", state="attached")
    dot = page.locator("#scrubber .curve .lost").last
    moment = dot.get_attribute("data-moment")
    dot.click()
    page.wait_for_url(f"**/replay/{moment}?*")
    assert page.locator("#moment b").first.inner_text().startswith(f"{moment}")


def test_a_game_that_is_being_played_is_not_analysed(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, shortened(played_out("berlin"), 5))
    answer = anna.page.goto(anna.address + path + "/analysis")
    assert answer.status == 409
    anna.faults.clear()  # the browser notes the 409
