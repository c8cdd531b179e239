"""What takes long is done in threads or other processes: the event loop answers everybody else meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from branchline.boards import Board, load_board
from branchline.draw import layout
from branchline.draw.layout import Layout
from branchline.game import Game, Record, RecordError
from branchline.web.app import make_app
from branchline.web.core.http import heartbeat, layouts
from branchline.web.core.jobs import Job
from branchline.web.core.rooms import boards, creation
from branchline.web.core.settings import Limits, Settings
from branchline.web.lobby import page as lobby_page
from branchline.web.replay import analysis_page
from branchline.web.replay import page as replay_page
from branchline.web.table import page as table_page
from web.servers import first_of

BOARDS = Path(__file__).parents[2] / "src" / "branchline" / "boards" / "editions"


def on_the_loop() -> bool:
    """Whether an event loop runs in this thread: whatever is done here, it waits."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Spy:
    """Notes where the functions it watches are called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.calls: list[tuple[str, bool]] = []

    def watch(self, owner: Any, name: str) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def noted(*arguments: Any, **more: Any) -> Any:
            self.calls.append((name, on_the_loop()))
            return function(*arguments, **more)

        self._monkeypatch.setattr(owner, name, noted)

    def assert_off_the_loop(self, *names: str) -> None:
        assert set(names) <= {name for name, _ in self.calls}, "each was called"
        assert not [name for name, held in self.calls if held]


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return Spy(monkeypatch)


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """With a board of somebody's own that nobody has laid out."""
    folder = tmp_path / "boards" / "mine"
    shutil.copytree(BOARDS / "berlin", folder)
    text = (folder / "board.toml").read_text()
    (folder / "board.toml").write_text(text.replace('"berlin"', '"mine"').replace('"Berlin"', '"Mine"'))
    monkeypatch.setenv("BRANCHLINE_BOARDS", str(folder.parent))
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "cache"))
    settings = Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, limits=Limits().times(50))
    with TestClient(make_app(settings), follow_redirects=False) as client:
        yield client


def new_room(browser: TestClient, board: str) -> str:
    csrf = first_of(browser.get("/new").text, "csrf")
    answer = browser.post("/new", data={"csrf": csrf, "board": board, "seats": "2", "kind0": "me", "kind1": "here"})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def upload(browser: TestClient, record: str) -> Any:
    files = {"record": ("record.json", record, "application/json")}
    return browser.post("/upload", data={"csrf": first_of(browser.get("/").text, "csrf")}, files=files)


def finished_game() -> str:
    game, luck = Game(load_board("berlin"), 2, 1), random.Random(1)
    while not game.over:
        game.play(int(luck.choice(list(game.legal))))
    return game.record().to_json()


def test_a_board_that_nobody_has_laid_out_is_laid_out_by_another_process(
    browser: TestClient, spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy.watch(boards, "load_board")
    spy.watch(layouts, "is_ready")
    spy.watch(table_page, "table")
    ended: list[object] = []
    really = Job.run

    def noted(job: Job[Layout]) -> Layout:
        assert not on_the_loop()
        found = really(job)
        ended.append(found)
        return found

    monkeypatch.setattr(Job, "run", noted)
    monkeypatch.setattr("branchline.draw.arranging.arrange", lambda _board: pytest.fail("laid out in this process"))
    address = new_room(browser, "mine")
    for _ in range(2):
        assert "<svg" in browser.get(address).text
    with browser.websocket_connect(
        f"/ws/{address.removeprefix('/t/')}", headers={"origin": "http://testserver"}
    ) as talk:
        talk.send_json({"do": "hello"})
        assert "board" in talk.receive_json()["fragments"]
    assert len(ended) == 1
    assert layout.is_ready(load_board("mine"))
    spy.assert_off_the_loop("load_board", "is_ready", "table")


def fail(_board: Board) -> Layout:
    """Stands for a layout that cannot be worked out."""
    raise RuntimeError


@pytest.mark.long
def test_a_process_that_fails_to_lay_out_a_board_is_made_up_for(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "layout_of", fail)
    assert "<svg" in browser.get(new_room(browser, "mine")).text


@pytest.mark.long
def test_records_are_looked_through_off_the_loop(browser: TestClient, spy: Spy) -> None:
    for page, name in (
        (lobby_page, "home"),
        (replay_page, "replay"),
        (replay_page, "replay_fragments"),
        (analysis_page, "analysis"),
    ):
        spy.watch(page, name)
    address = upload(browser, finished_game()).headers["location"]
    assert browser.get(address).status_code == 200
    assert browser.get(f"{address}/3.json").status_code == 200
    assert browser.get(address.replace("/replay", "/analysis")).status_code == 200
    spy.assert_off_the_loop("home", "replay", "replay_fragments", "analysis")


def test_json_that_would_take_long_to_read_is_not_read(browser: TestClient, spy: Spy) -> None:
    spy.watch(Record, "from_json")
    many = json.dumps({"branchline_record": 1, "x": [1] * 100_000})
    assert upload(browser, many).status_code == 400
    with pytest.raises(RecordError, match="too long"):
        creation.played(many, "host")
    assert not spy.calls


def test_the_log_tells_when_the_loop_was_held(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "branchline.loop")
    beats: list[float] = []

    async def hold() -> None:
        watching = asyncio.create_task(heartbeat.watch_loop(beats.append))
        await asyncio.sleep(0.01)
        time.sleep(3 * (heartbeat.BEAT + heartbeat.TOO_LONG))
        await asyncio.sleep(0.01)
        watching.cancel()

    asyncio.run(hold())
    assert beats and any("event loop held" in record.getMessage() for record in caplog.records)
