"""What is kept in memory: no more than the bounds of the caches, and nothing of what nobody looks at any more."""

from __future__ import annotations

import gc
import json
import re
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core import caches
from branchline.web.core.caches import ENTRY, Cache, kept_texts
from branchline.web.core.pages import board_map
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.visit import Visit
from branchline.web.replay.replays import ReplayCache
from branchline.web.table import page as table_page
from branchline.web.table import panels
from branchline.web.table.websocket import update
from table import costly
from web.games import a_room, walk
from web.servers import Server, first_of

SIGNER = Signer(b"secret")


@contextmanager
def no_collector() -> Iterator[None]:
    """Rings of objects stay where they are: whatever goes away does so because nobody holds it."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("seat", costly([None, 0]))
def test_what_was_shown_is_gone_with_the_next_message_without_the_collector(seat: int | None) -> None:
    viewer = Viewer(mine=() if seat is None else (seat,), visit=Visit(csrf="csrf"))
    shown: list[weakref.ref[Any]] = []
    with no_collector():
        room = a_room("berlin", seed=3)
        before = table_context(room, viewer, SIGNER, 1000.0)
        update(None, before)
        for room in walk(a_room("berlin", seed=3), seed=4, most=60):
            context = table_context(room, viewer, SIGNER, 1000.0)
            panels.panel(context, "route-3")
            update(before, context)
            update(None, context)
            shown += [weakref.ref(before), weakref.ref(before.view)]
            before = context
        del room, context
        left = sum(one() is not None for one in shown)
    assert left == 0, f"{left} of {len(shown)} are still there"


@pytest.mark.long
def test_a_room_that_nobody_looks_at_is_gone_with_all_it_held(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, sweep=3600, keep_idle=0.0)
    app = make_app(settings)
    with TestClient(app, follow_redirects=False) as browser, no_collector():
        held: list[weakref.ref[Any]] = []
        csrf = first_of(browser.get("/new").text, "csrf")
        fields = {"csrf": csrf, "board": "berlin", "kind0": "me", "kind1": "bot", "bot1": "greedy", "pace": "0"}
        name = browser.post("/new", data=fields).headers["location"].removeprefix("/t/")
        live = app.state.server.live
        browser.get(f"/t/{name}")
        with browser.websocket_connect(f"/ws/{name}", headers={"origin": "http://testserver"}) as talk:
            talk.send_json({"do": "hello"})
            talk.receive_json()
            for _ in range(3):
                room = live.rooms[name].room
                held += [weakref.ref(one) for one in (live.rooms[name], room, room.game, *room.log, *room.steps)]
                held += [weakref.ref(event) for step in room.steps for event in step.events]
                del room
                talk.send_json({"do": "show", "what": "route-3"})
                talk.receive_json()
        left = held
        until = time.monotonic() + 30
        while left and time.monotonic() < until:  # the bot has its turn yet, and threads hold what they did last
            browser.get("/")
            browser.portal.call(live.looking_after.forget_idle)  # type: ignore[union-attr]
            left = [one for one in held if one() is not None]
            time.sleep(0.05)
        assert name not in live.rooms
    assert held and not left, f"{len(left)} of {len(held)} are still there"


def test_a_cache_stays_within_its_bound_and_lets_the_oldest_go() -> None:
    cache: Cache[int, str] = Cache("tried", 10 * (100 + ENTRY))
    for n in range(50):
        cache.put(n, "x" * 100, 100)
        cache.get(0)
        assert cache.size <= cache.most
    assert len(cache) == 10
    assert cache.get(0) is not None, "asked for again and again"
    assert cache.get(1) is None and cache.get(49) is not None
    cache.put(49, "y", 1)
    cache.put(50, "too large", cache.most)
    assert cache.get(49) == "y" and cache.get(50) is None
    for n in range(51):
        cache.drop(n)
    assert cache.size == 0 == len(cache)


def test_texts_are_made_once_while_they_are_kept() -> None:
    made: list[int] = []

    @kept_texts("tried texts", 3 * (1000 + ENTRY))
    def text(n: int) -> str:
        made.append(n)
        return str(n) * 1000

    assert [text(n) for n in (1, 2, 1, 2)] == ["1" * 1000, "2" * 1000] * 2
    assert made == [1, 2]
    for n in range(3, 9):
        text(n)
    assert caches.sizes()["tried texts"] <= 3 * (1000 + ENTRY)
    text(1)
    assert made[-1] == 1


def test_maps_are_drawn_once_for_all_who_see_them_and_kept_within_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    really = board_map.drawing

    def noted(*arguments: Any) -> str:
        drawn.append(arguments)
        return really(*arguments)

    monkeypatch.setattr(board_map, "drawing", noted)
    monkeypatch.setattr(board_map, "_MAPS", Cache("maps", 400_000))
    for n, room in enumerate(walk(a_room("berlin", seed=5), seed=5, most=40)):
        texts = []
        for viewer in (Viewer(mine=(0,)), Viewer(mine=(1,)), Viewer()):
            context = table_context(room, viewer, SIGNER, 1000.0)
            texts.append(table_page.fragments(context, None)["board"])
        assert len(set(texts)) == 1
        assert texts[0] == board_map.Markup('<div id="board">{}</div>').format(
            board_map.Markup(really(room.board, board_map._position(room.board, context.view), "en"))
        )
        assert len(drawn) <= n + 1
        assert board_map._MAPS.size <= 400_000


def test_what_replays_keep_is_told_at_the_metrics(tmp_path: Path) -> None:
    replays = ReplayCache()
    replays._known.put("room", [b"state"] * 10, 50)
    assert caches.sizes()["replays"] >= 50
    told = set(caches.sizes())
    listed = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    assert {"maps", "answers", "replays", "choices", "cards", "talk"} <= told
    assert all(f"`{name}`" in listed for name in told if not name.startswith("tried")), json.dumps(sorted(told))


def test_every_cache_is_listed_with_its_bound_in_the_documents(tmp_path: Path) -> None:
    make_app(Settings(database=f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)).state.server.store.close()
    guide = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in guide.splitlines() if line.startswith("| `") and " MB" in line]
    listed = {name: int(row[2].split()[0]) for row in rows for name in re.findall(r"`([^`]+)`", row[1])}
    bounds = {(one.name, one.most) for one in caches._ALL if one.most >= caches.MEGABYTE}  # a server has one of each
    made = {name: sum(most for other, most in bounds if other == name) // caches.MEGABYTE for name, _ in bounds}
    assert {name: listed.get(name) for name in made} == made
    assert {"boards", "analyses", "signatures", "charts"} <= made.keys()


def test_a_board_counts_with_what_is_kept_by_it() -> None:
    @kept_texts("test", 10 * (caches.BOARD + ENTRY), beside=caches.BOARD)
    def made(n: int) -> str:
        return "" * n

    before = caches.sizes()["test"]
    for n in range(40):
        made(n)
    assert before + 9 * caches.BOARD < caches.sizes()["test"] <= before + 10 * (caches.BOARD + ENTRY)


def test_the_process_that_looks_after_the_server_loads_nothing_of_what_is_served(server: Server) -> None:
    """It would take as long to start, and as much memory, as the process that answers."""
    loaded = Path(f"/proc/{server.process.pid}/maps")
    if not loaded.exists():
        pytest.skip("needs /proc")
    assert "_multiarray_umath" not in loaded.read_text(encoding="utf-8")
