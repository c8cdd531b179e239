"""How a board of the workshop plays, in a real browser: figures come by themselves, suggestions become steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pressing import Visitor, faults, visitors

from branchline.arena.balance import figures, play_balance
from branchline.arena.balance.page import balance_html
from branchline.web.core.http.state import ServerState
from branchline.web.core.settings import Limits, Settings
from branchline.web.workshop import balancing, saving
from branchline.web.workshop import store as drafts
from web.running_here import running_here

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    folder = tmp_path_factory.mktemp("balance")
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=Limits().times(100))
    with pytest.MonkeyPatch.context() as patch, running_here(settings) as running:
        patch.setattr(balancing, "GAMES", 150)
        yield running


@pytest.fixture
def maker(chromium: Any, workshop: tuple[str, ServerState]) -> Iterator[Callable[..., Visitor]]:
    """People who make boards."""
    with visitors(chromium, workshop[0]) as make:
        yield make


def played(page: Any, base: str) -> str:
    """A copy of Berlin that was played; the address of its page in the workshop."""
    page.goto(f"{base}/workshop")
    page.click(".small-editions form:has(input[value=berlin]) button")
    page.wait_for_url("**/workshop/*/*")
    address = str(page.url)
    page.goto(f"{address}/balance")
    page.click("#standing button.first")
    page.wait_for_selector("#figures section", timeout=120_000)  # without loading the page again
    page.wait_for_selector("#standing progress", state="detached", timeout=120_000)
    return address


@pytest.mark.long
def test_figures_come_and_suggestions_are_accepted_and_taken_back(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState]
) -> None:
    base, state = workshop
    page = maker().page
    address = played(page, base)
    name = address.split("/")[-2]
    before = drafts.load(state.store, name)
    assert before is not None
    page.click("#changes button")
    page.wait_for_selector("ul.changes", timeout=120_000)
    page.locator("ul.changes li", has=page.locator("button", has_text="Accept")).first.locator("button").click()
    page.wait_for_selector("ul.changes button:has-text('Undo')")
    after = drafts.load(state.store, name)
    assert after is not None and after.version == before.version + 1
    assert saving.unpacked(after).tables != saving.unpacked(before).tables
    assert page.locator("#standing", has_text="The board has changed since these games were played.").count() == 1
    page.click("ul.changes button:has-text('Undo')")
    page.wait_for_selector("ul.changes button:has-text('Undo')", state="detached")
    again = drafts.load(state.store, name)
    assert again is not None and saving.unpacked(again).tables == saving.unpacked(before).tables


@pytest.mark.long
@pytest.mark.parametrize(
    "look",
    [
        {"locale": "en-GB"},
        pytest.param({"locale": "pl-PL", **PHONE}, marks=pytest.mark.long),
        pytest.param({"locale": "de-DE", "color_scheme": "dark"}, marks=pytest.mark.long),
    ],
    ids=("english", "polish phone", "german night"),
)
def test_the_page_is_without_faults_and_fits(
    maker: Callable[..., Visitor], workshop: tuple[str, ServerState], look: dict[str, Any], axe: str
) -> None:
    page = maker(**look).page
    played(page, workshop[0])
    for one in page.query_selector_all("#figures details"):
        one.evaluate("one => { one.open = true; }")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, axe) == []


@pytest.mark.long
def test_tables_are_sorted_by_pressing_their_heads(chromium: Any, tmp_path: Any) -> None:
    report = tmp_path / "report.html"
    report.write_text(balance_html(figures(play_balance("berlin", 40, 1, seats=[2]))), encoding="utf-8")
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    table = page.locator("table.sortable").last
    page.locator("summary", has_text="All tickets").click()

    def column(n: int) -> list[str]:
        return [str(text) for text in table.locator(f"tbody tr > :nth-child({n})").all_inner_texts()]

    values = [int(text) for text in column(2)]
    table.locator("th button", has_text="value").click()
    assert [int(text) for text in column(2)] == sorted(values, reverse=True)
    table.locator("th button", has_text="value").press("Enter")
    assert [int(text) for text in column(2)] == sorted(values)
    assert table.locator("th[aria-sort=ascending]").inner_text().startswith("value")
    table.locator("th button", has_text="ticket").click()
    names = column(1)
    assert names == page.evaluate("names => [...names].sort((a, b) => a.localeCompare(b))", names)
    assert complaints == []
    page.close()
