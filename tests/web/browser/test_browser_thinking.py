"""Where a server leaves it to browsers, they work out what it would: the same, by a Python of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from company import laid, uneven
from pressing import Visitor, visitors

import branchline as bl
from branchline.bots import Position
from branchline.site.of_server import site_of_server
from branchline.site.parts import SiteError
from branchline.teaching.coach import Coach
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import analyses
from branchline.web.core.settings import Limits, Settings
from branchline.web.table.coach import coaching
from branchline.web.workshop import balancing, kept_figures
from needs import missing
from web.running_here import running_here

pytestmark = pytest.mark.long
PATIENCE = 180_000  # ms: Python starts on a busy machine
ROLLOUTS, GAMES = 6, 30


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    try:
        site = str(site_of_server("", print))
    except SiteError as error:
        missing(str(error))
    database = f"sqlite:///{tmp_path_factory.mktemp('thinking') / 'rooms.sqlite'}"
    settings = Settings(
        database, warm_up=False, site=site, think_in_browser=True, analyse_ended=False, limits=Limits().times(100)
    )
    with pytest.MonkeyPatch.context() as patch, running_here(settings) as running:
        patch.setattr(analyses, "ROLLOUTS", ROLLOUTS)
        patch.setattr(balancing, "GAMES", GAMES)
        yield running


def plain(value: Any) -> Any:
    """The value without the last digits of its numbers, which depend on the order of sums, and how long it took."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if name != "seconds"}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return float(f"{value:.9g}") + 0.0 if isinstance(value, float) else value


@pytest.fixture
def guest(chromium: Any, thinking: tuple[str, ServerState]) -> Iterator[Callable[..., Visitor]]:
    with visitors(chromium, thinking[0]) as make:
        yield make


def test_a_game_is_analysed_as_on_the_server_and_the_browser_keeps_it(
    guest: Callable[..., Visitor], thinking: tuple[str, ServerState]
) -> None:
    anna = guest()
    record = uneven("berlin")
    path = laid(anna, record).partition("/replay")[0]
    page = anna.page
    page.set_default_timeout(PATIENCE)
    anna.go(f"{path}/analysis")
    page.click("main form button.first")
    page.wait_for_selector(".thinking progress[value]")
    page.wait_for_selector(".sums")
    state = thinking[1]
    assert state.store.analysis(path[3:]) is None and not state.analyses._known  # the server has not done it
    answer = page.request.get(f"{anna.address}{path}/analysis.json").json()
    assert plain(answer) == plain(bl.analyse(record, rollouts=ROLLOUTS).as_dict())

    state.analyses._own._kept.clear()  # as when it is started again: the browser has kept it
    page.reload()
    page.wait_for_selector(".sums")
    anna.go(path)
    page.wait_for_selector("#review .mistake")


def test_a_board_is_played_as_on_the_server_and_changes_are_tried(
    guest: Callable[..., Visitor], thinking: tuple[str, ServerState]
) -> None:
    page = guest().page
    page.set_default_timeout(PATIENCE)
    page.goto(f"{thinking[0]}/workshop")
    page.click(".small-editions form:has(input[value=berlin]) button")
    page.wait_for_url("**/workshop/*/*")
    address = str(page.url)
    page.goto(f"{address}/balance")
    page.click("#standing button.first")
    page.wait_for_selector("#figures section")
    balances = thinking[1].part(balancing.Balances)
    assert not balances._mine
    (job,) = (job for job, _ in balances._own._kept.values())
    here = balancing.played(lambda _: None, job.board, GAMES)
    assert here is not None and job.found is not None
    there, ours = (kept_figures.as_text(*seen, None) for seen in ((job.found, job.changes), here))
    assert plain(json.loads(there)) == plain(json.loads(ours))
    page.click("#changes button")
    page.wait_for_selector("ul.changes")
    page.locator("ul.changes button", has_text="Accept").first.click()
    page.wait_for_selector("ul.changes button:has-text('Undo')")


def test_a_hint_is_found_as_on_the_server(
    guest: Callable[..., Visitor], thinking: tuple[str, ServerState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaching, "BROWSER_PATIENCE", PATIENCE / 1000)
    monkeypatch.setattr(coaching, "_advised", not_here)
    anna = guest()
    path = anna.new_room("berlin", seats="2", first="0", seed="3")
    anna.page.set_default_timeout(PATIENCE)
    for shown in ("[data-do=hint]", ".move", "p:has-text('Win chance')"):
        anna.page.keyboard.press("i")
        anna.page.wait_for_selector(f"#coach:not([hidden]) {shown}")
    room = thinking[1].live.rooms[path[3:]].room
    advice = Coach().advise(Position.of(room.game), 0)
    offer = room.game.view(0).offer
    assert ", ".join(offer[n].name for n in advice.kept) in anna.page.locator("#coach .move").inner_text()


def not_here(*_: object) -> None:
    raise RuntimeError("the server was asked")


def test_without_a_python_in_the_browser_the_server_works_it_out(guest: Callable[..., Visitor]) -> None:
    anna = guest()
    path = laid(anna, uneven("berlin")).partition("/replay")[0]
    anna.page.route("**/here/site/**", lambda route: route.abort())
    page = anna.go(f"{path}/analysis")
    page.click("main form button.first")
    page.wait_for_selector(".sums", timeout=PATIENCE)
    anna.faults.clear()  # the files that did not come
