"""How boards of the workshop play, on the server: in a short line, one at a time; and the page in every language."""

from __future__ import annotations

import functools
import multiprocessing
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.arena.balance import figures, play_balance
from branchline.arena.balance.improve import Change, suggestions, tried
from branchline.arena.balance.sections import sections
from branchline.boards import Board, BoardError, load_board
from branchline.draw import stored
from branchline.web.core.http.state import ServerState
from branchline.web.core.jobs import WorkBudget, at_once
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.rooms.room import Refused
from branchline.web.core.security import draft_links
from branchline.web.core.settings import Limits, Settings
from branchline.web.core.store.database import Store
from branchline.web.core.visit import Visit
from branchline.web.workshop import balance_store as kept
from branchline.web.workshop import balancing, saving
from branchline.web.workshop import store as drafts
from branchline.web.workshop.balance_page import BalanceContext, balance, balance_parts
from branchline.web.workshop.balancing import ACCEPTED, GONE, OPEN, BalanceJob, Balances
from branchline.web.workshop.kept_figures import KeptError, as_text, from_text
from branchline.workshop import Draft, applied, read_draft
from web.running_here import running_here

HERE = "192.0.2.1"
get = functools.partial(httpx.get, timeout=60)  # the first page waits for the processes that work things out


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return (
        f"sqlite:///{tmp_path / 'rooms.sqlite'}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def balances(store: Store) -> Iterator[Balances]:
    made = Balances(store)
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


@pytest.fixture(scope="module")
def board(draft: Draft) -> Board:
    return balancing.board_of(draft)


def test_a_board_is_drawn_with_its_backdrop_and_laid_out_no_second_time(board: Board) -> None:
    assert stored.digest(board) == stored.digest(load_board("berlin"))


@pytest.fixture
def row(store: Store, draft: Draft) -> drafts.DraftRow:
    return created(store, draft)


def created(store: Store, draft: Draft) -> drafts.DraftRow:
    made = saving.begun(draft)
    drafts.create(store, made)
    return made


def ended(balances: Balances, name: str) -> BalanceJob:
    for _ in range(1200):
        job = balances.of(name)
        assert job is not None
        if not job.running:
            return job
        threading.Event().wait(0.1)
    raise AssertionError("it does not end")


@pytest.mark.long
def test_figures_come_and_changes_are_tried(
    balances: Balances, store: Store, row: drafts.DraftRow, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balancing, "GAMES", 60)
    balances.begin(row, board, HERE)
    begun = balances.of(row.id)
    balances.begin(row, board, HERE)
    assert balances.of(row.id) is begun is not None  # while it runs nothing else is begun
    job = ended(balances, row.id)
    assert job.found is not None and not job.failed
    assert job.played == job.asked == job.found.games == 3 * 60 + 30 + 30 + 32
    played = figures(play_balance(board, 60, 1))
    assert job.found.as_dict() | {"seconds": 0} == played.as_dict() | {"seconds": 0}
    assert job.changes == suggestions(played) != ()
    balances.improve(row.id, HERE)
    job = ended(balances, row.id)
    assert job.tried is not None
    assert [one.change for one in job.tried] == list(job.changes)
    assert balances.of(row.id).found is job.found  # type: ignore[union-attr]  # read once
    assert balances.of("other") is None
    elsewhere = Balances(store).of(row.id)  # another process of the server, or this one after a restart
    assert elsewhere is not None and elsewhere.found is not None and elsewhere.tried == job.tried
    assert elsewhere.found.as_dict() == job.found.as_dict()
    assert kept.waiting(store) == []


@pytest.mark.long
def test_what_was_found_is_kept_whole(board: Board) -> None:
    found = figures(play_balance(board, 20, 1, seats=[2, 3]))
    changes = suggestions(found)
    results = tried(changes, found, found)
    again, same, after = from_text(as_text(found, changes, results), board)
    assert again.as_dict() == found.as_dict() and again.keyed() == found.keyed()
    assert (same, after) == (changes, results)
    assert all((one.scores == other.scores).all() for one, other in zip(again.tables, found.tables, strict=True))
    page = [sections(one, translator_for("pl")) for one in (found, again)]
    assert page[0] == page[1]
    text = as_text(found, changes, None)
    assert from_text(text, board)[2] is None
    for damaged in ("[]", text[:-9], text.replace('"spread"', '"width"'), text.replace('"seats": 2', '"seats": [')):
        with pytest.raises(KeptError):
            from_text(damaged, board)


def _play_elsewhere(database: str, name: str, games: int) -> None:
    """What another process of the server does."""
    balancing.GAMES = games
    opened = Store(database)
    elsewhere = Balances(opened)
    row = drafts.load(opened, name)
    assert row is not None
    elsewhere.begin(row, balancing.board_of(saving.unpacked(row)), HERE)
    ended(elsewhere, name)
    opened.close()


@pytest.mark.long
def test_games_of_another_process_are_seen_stopped_and_kept(database: str, draft: Draft) -> None:
    here = Store(database)
    row = created(here, draft)
    balances = Balances(here)
    other = multiprocessing.get_context("spawn").Process(target=_play_elsewhere, args=(database, row.id, 50_000))
    other.start()
    seen = 0
    for _ in range(600):
        job = balances.of(row.id)
        if job is not None and job.running and job.found is not None and job.played > seen > 0:
            break
        seen = max(seen, job.played if job else 0)
        threading.Event().wait(0.1)
    else:
        raise AssertionError("no progress is seen")
    balances.begin(row, job.board, HERE)
    assert balances._mine == {}, "it is being played elsewhere"
    balances.stop(row.id)
    other.join(60)
    assert other.exitcode == 0
    job = balances.of(row.id)
    assert job is not None and not job.running and not job.failed
    assert job.found is not None and 0 < job.found.games < 100_000
    again = Balances(here).of(row.id)  # as after a restart
    assert again is not None and again.found is not None
    assert again.found.as_dict() == job.found.as_dict()
    here.close()


@pytest.mark.long
def test_games_whose_process_has_died_can_be_begun_anew(
    balances: Balances, store: Store, row: drafts.DraftRow, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = time.time() - kept.SILENT - 1
    assert kept.begin(store, kept.BalanceRow(row.id, "dead", 0, row.content, HERE, long_ago))
    job = balances.of(row.id)
    assert job is not None and job.failed and not job.running
    assert kept.waiting(store) == []
    monkeypatch.setattr(balancing, "Job", at_once.Job)
    monkeypatch.setattr(balancing, "play_balance", lambda *_, **__: play_balance(board, 8, 1, seats=[2]))
    balances.begin(row, board, HERE)
    assert ended(balances, row.id).found is not None
    assert not kept.go_on(store, row.id, "dead", played=7), "whoever comes back late is told to stop"


@pytest.mark.long
def test_games_that_take_more_than_their_budget_are_cut_off_and_keep_what_was_found(
    balances: Balances, store: Store, row: drafts.DraftRow, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balancing, "GAMES", 50_000)
    monkeypatch.setattr(balancing, "BUDGET", WorkBudget(3.0))
    balances.begin(row, board, HERE)
    job = ended(balances, row.id)
    assert job.failed and 0 < job.played < job.asked
    assert kept.waiting(store) == []


@pytest.mark.long
def test_nobody_takes_up_the_whole_line(
    balances: Balances, store: Store, draft: Draft, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(balancing, "Job", at_once.Job)
    monkeypatch.setattr(balancing, "play_balance", lambda *_, **__: may_end.wait(60) and 1 / 0)
    mine = [created(store, draft) for _ in range(balancing._OF_ADDRESS + 1)]
    theirs = [created(store, draft) for _ in range(balancing._WAITING - balancing._OF_ADDRESS + 1)]
    elsewhere = Balances(store)  # the line is one for all processes
    for n, one in enumerate(mine[:-1]):
        (balances, elsewhere)[n % 2].begin(one, board, HERE)
    with pytest.raises(Refused):
        balances.begin(mine[-1], board, HERE)
    for n, one in enumerate(theirs[:-1]):
        balances.begin(one, board, f"198.51.100.{n}")
    with pytest.raises(Refused):
        balances.begin(theirs[-1], board, "203.0.113.1")
    may_end.set()
    # what goes wrong ends a job, and not the line
    assert all(ended(balances, one.id).failed for one in (*mine[:-1], *theirs[:-1]))


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
        assert any(re.search(r"\d,\d{1,2}\b", cell.split("</td>")[0]) for cell in cells) == (
            language != "en"
        )  # a decimal comma


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
    name = created(state.store, draft).id
    edit, look = (draft_links.path_of(state.signer, name, right) for right in (draft_links.EDIT, draft_links.LOOK))
    job = BalanceJob(balancing.board_of(draft), 0, running=False)
    job.changes = (Change("ticket", (0,), "a ticket", (str(job.board.tickets[0].value),), ("3",)),)
    state.part(Balances)._mine[name] = job
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


@pytest.mark.long
def test_nobody_has_pages_drawn_without_end(draft: Draft, tmp_path: Path) -> None:
    limits = replace(Limits().times(100), checks=(3, 0.01))
    with running_here(Settings(f"sqlite:///{tmp_path / 'few.sqlite'}", warm_up=False, limits=limits)) as (
        address,
        state,
    ):
        path = draft_links.path_of(state.signer, created(state.store, draft).id, draft_links.EDIT)
        answers = [get(f"{address}{path}/balance").status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]


def test_a_draft_with_faults_is_told_so(served: tuple[str, ServerState]) -> None:
    address, state = served
    path = draft_links.path_of(state.signer, created(state.store, Draft()).id, draft_links.EDIT)
    assert get(f"{address}{path}/balance").status_code == 409
    assert get(f"{address}/workshop/sort_tables.js").headers["content-type"].startswith("text/javascript")
