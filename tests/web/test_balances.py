"""How boards of the workshop play, on the server: in a short line, one at a time; and the page in every language."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.arena.balance import figures, play_balance
from branchline.arena.balance.improve import Change, suggestions, tried
from branchline.atlas import BoardError, load_board
from branchline.web.context import BalanceContext, Visit
from branchline.web.drafts import balancing, saving
from branchline.web.drafts.balancing import ACCEPTED, GONE, OPEN, BalanceJob, Balances
from branchline.web.http import workshop_routes
from branchline.web.http.state import ServerState
from branchline.web.pages import LANGUAGES, balance, balance_parts
from branchline.web.rooms.room import Refused
from branchline.web.settings import Limits, Settings
from branchline.web.store import drafts
from branchline.workshop import Draft, applied, read_draft
from web.running_here import running_here

HERE = "192.0.2.1"


@pytest.fixture
def balances() -> Iterator[Balances]:
    made = Balances()
    yield made
    made.close()


@pytest.fixture(scope="module")
def draft() -> Draft:
    folder = load_board("berlin").folder
    assert folder is not None
    texts = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.suffix in (".csv", ".toml", ".geojson")
    }
    return read_draft(texts)[0]


def ended(job: BalanceJob) -> BalanceJob:
    for _ in range(1200):
        if not job.running:
            return job
        threading.Event().wait(0.1)
    raise AssertionError("it does not end")


def test_figures_come_and_changes_are_tried(balances: Balances, draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balancing, "GAMES", 60)
    board = balancing.board_of(draft)
    job = balances.begin("one", board, 3, HERE)
    assert balances.begin("one", board, 4, HERE) is job  # while it runs nothing else is begun
    assert ended(job).found is not None and not job.failed
    assert job.played == job.asked == job.found.games == 3 * 60 + 30 + 30 + 32
    assert job.found.as_dict() | {"seconds": 0} == figures(play_balance(board, 60, 1)).as_dict() | {"seconds": 0}
    assert job.changes
    balances.improve("one", HERE)
    assert ended(job).tried is not None
    assert [one.change for one in job.tried] == list(job.changes)
    assert balances.of("one") is job and balances.of("other") is None


def test_it_can_be_stopped_with_what_there_is(
    balances: Balances, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balancing, "GAMES", 50_000)
    job = balances.begin("one", balancing.board_of(draft), 1, HERE)
    for _ in range(600):
        if job.found is not None:
            break
        threading.Event().wait(0.1)
    balances.stop("one")
    assert ended(job).found is not None and not job.failed
    assert 0 < job.found.games < 100_000


def test_nobody_takes_up_the_whole_line(balances: Balances, draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(balancing, "play_balance", lambda *_, **__: may_end.wait(60) and 1 / 0)
    board = balancing.board_of(draft)
    jobs = [balances.begin(f"mine{n}", board, 1, HERE) for n in range(balancing._OF_ADDRESS)]
    with pytest.raises(Refused):
        balances.begin("one more", board, 1, HERE)
    for n in range(balancing._WAITING - balancing._OF_ADDRESS):
        jobs.append(balances.begin(f"theirs{n}", board, 1, f"198.51.100.{n}"))
    with pytest.raises(Refused):
        balances.begin("too late", board, 1, "203.0.113.1")
    may_end.set()
    assert all(ended(job).failed for job in jobs)  # what goes wrong ends a job, and not the line


def test_only_so_many_are_remembered(balances: Balances, draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balancing, "play_balance", lambda *_, **__: 1 / 0)
    board = balancing.board_of(draft)
    for n in range(balancing._REMEMBERED + 5):
        ended(balances.begin(f"d{n}", board, 1, HERE))
    assert balances.of("d0") is None and balances.of(f"d{balancing._REMEMBERED + 4}") is not None


def test_a_board_with_faults_is_not_played() -> None:
    with pytest.raises(BoardError):
        balancing.board_of(Draft())


def test_a_change_is_accepted_and_taken_back(draft: Draft) -> None:
    ticket = load_board("berlin").tickets[0]
    change = Change("ticket", (0,), ticket.name, (str(ticket.value),), ("3",))
    assert balancing.state_of(draft, change) == OPEN
    accepted = applied(draft, balancing.step_for(draft, change))
    assert balancing.state_of(accepted, change) == ACCEPTED
    assert applied(accepted, balancing.step_for(accepted, change)) == draft
    other = Change("ticket", (0,), ticket.name, ("77",), ("78",))
    assert balancing.state_of(draft, other) == GONE


@pytest.fixture(scope="module")
def contexts(draft: Draft) -> dict[str, dict[str, Any]]:
    board = balancing.board_of(draft)
    found = figures(play_balance(board, 40, 1, seats=[2, 3]))
    changes = suggestions(found)
    seen = {"found": found, "changes": changes, "looks": 2}
    return {
        "new": {},
        "running": {"running": True, "asked": 400, "played": 30},
        "failed": {"failed": True},
        "coming": {**seen, "running": True, "asked": 400, "played": 30},
        "found": seen,
        "changed": {**seen, "changed": True},
        "tried": {**seen, "tried": tried(changes, found, found), "states": (OPEN, ACCEPTED, GONE)[:1] * len(changes)},
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", ("new", "running", "failed", "coming", "found", "changed", "tried"))
def test_the_page_speaks_every_language(language: str, state: str, contexts: Any) -> None:
    board = load_board("berlin")
    shown = contexts[state]
    context = BalanceContext(Visit(language), "/workshop/a/b", "<b>Mine</b>", board, True, **shown)
    page = balance(context)
    assert "&lt;b&gt;Mine" in page and "<b>Mine" not in page
    parts = balance_parts(context)
    assert ("<progress" in parts["standing"]) == bool(shown.get("running"))
    assert ("/balance/accept" in parts["changes"]) == (state == "tried")
    if "found" in shown:
        heading = {"en": "At a glance", "pl": "W skrócie", "cs": "Stručně", "de": "Auf einen Blick"}[language]
        assert heading in parts["figures"]
        cells = parts["figures"].split("<td")
        assert any("," in cell.split("</td>")[0] for cell in cells) == (language != "en")  # a decimal comma


def test_who_may_only_look_is_offered_no_change(contexts: Any) -> None:
    board = load_board("berlin")
    parts = balance_parts(BalanceContext(Visit(), "/workshop/a/b", "Mine", board, False, **contexts["tried"]))
    assert "<form" not in parts["changes"]
    assert parts["changes"].count("<li>") == len(contexts["tried"]["changes"]) > 0


# ------------------------------------------------------------------------------------------------ by address


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    folder = tmp_path_factory.mktemp("balances")
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=Limits().times(100))
    with running_here(settings) as running:
        yield running


def test_who_looks_cannot_change_and_what_is_hostile_is_refused(served: tuple[str, ServerState], draft: Draft) -> None:
    address, state = served
    name = saving.begin(state.store, draft)
    edit, look = (workshop_routes.link(state, name, right) for right in (workshop_routes.EDIT, workshop_routes.LOOK))
    job = BalanceJob(balancing.board_of(draft), 0, running=False)
    job.changes = (Change("ticket", (0,), "a ticket", (str(job.board.tickets[0].value),), ("3",)),)
    state.balances._known[name] = job
    with httpx.Client(base_url=address, timeout=60) as client:
        page = client.get(f"{edit}/balance")
        csrf = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]  # type: ignore[index]
        assert page.status_code == 200

        def post(path: str, **fields: str) -> httpx.Response:
            return client.post(path, data={"csrf": csrf, **fields})

        assert post(f"{look}/balance/accept", change="0").status_code == 403
        assert post(f"{look}/balance/stop").status_code == 403
        for number in ("1", "-1", "9" * 5000, "\u0663", "x", ""):
            assert post(f"{edit}/balance/accept", change=number).status_code == 400, number[:9]
        assert client.post(f"{edit}/balance/accept", data={"change": "0"}).status_code == 403  # without its token
        assert client.get(f"{edit[:-3]}abc/balance").status_code == 404
        assert client.get(f"{edit}/balance/progress?since={'9' * 5000}").json()["looks"] == 0
        assert drafts.load(state.store, name).version == 0  # type: ignore[union-attr]
        assert post(f"{edit}/balance/accept", change="0").status_code == 303
        row = drafts.load(state.store, name)
        assert row is not None and row.version == 1
        assert next(iter(saving.unpacked(row)["tickets"].values()))["value"] == "3"


def test_nobody_has_pages_drawn_without_end(draft: Draft, tmp_path: Path) -> None:
    limits = replace(Limits().times(100), checks=(3, 0.01))
    with running_here(Settings(f"sqlite:///{tmp_path / 'few.sqlite'}", warm_up=False, limits=limits)) as (
        address,
        state,
    ):
        path = workshop_routes.link(state, saving.begin(state.store, draft), workshop_routes.EDIT)
        answers = [httpx.get(f"{address}{path}/balance").status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]


def test_a_draft_with_faults_is_told_so(served: tuple[str, ServerState]) -> None:
    address, state = served
    path = workshop_routes.link(state, saving.begin(state.store, Draft()), workshop_routes.EDIT)
    assert httpx.get(f"{address}{path}/balance").status_code == 409
    assert httpx.get(f"{address}/workshop/sort_tables.js").headers["content-type"].startswith("text/javascript")
