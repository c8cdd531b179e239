"""What is shown on demand is made once while it stays the same, and paid for by the address that asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.http.rate_limits import Costs, TooMuch
from branchline.web.core.settings import Limits, Settings
from branchline.web.table import page as table_page
from web.servers import first_of


@contextmanager
def a_browser(folder: Path, limits: Limits) -> Iterator[TestClient]:
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=limits)
    with TestClient(make_app(settings), follow_redirects=False) as browser:
        yield browser


def new_table(browser: TestClient) -> str:
    csrf = first_of(browser.get("/new").text, "csrf")
    fields = {"csrf": csrf, "board": "berlin", "seats": "2", "kind0": "me", "kind1": "here"}
    return browser.post("/new", data=fields).headers["location"].removeprefix("/t/")


@pytest.mark.long
def test_a_table_that_did_not_change_is_told_in_the_same_bytes_and_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    really = table_page.fragments

    def noted(*arguments: Any) -> dict[str, str]:
        made.append(arguments[1])
        return really(*arguments)

    monkeypatch.setattr(table_page, "fragments", noted)
    with a_browser(tmp_path, Limits()) as browser:
        room = new_table(browser)
        with browser.websocket_connect(f"/ws/{room}", headers={"origin": "http://testserver"}) as talk:
            talk.send_json({"do": "hello"})
            first = talk.receive_text()
            for _ in range(5):
                talk.send_json({"do": "hello"})
                assert talk.receive_text() == first
            assert made == [None]
            talk.send_json({"do": "sit", "seat": browser.app.state.server.live.rooms[room].room.row.asked})  # type: ignore[attr-defined]
            changed = talk.receive_json()
            assert changed["fragments"], "the cards lie open now"
            talk.send_json({"do": "hello"})
            after = talk.receive_text()
            assert after != first and made[-1] is None


@pytest.mark.long
def test_who_has_had_too_much_shown_is_told_to_wait_and_may_still_ask_whether_we_are_there(tmp_path: Path) -> None:
    with a_browser(tmp_path, Limits()) as browser:
        room = new_table(browser)
        browser.app.state.server.costs = Costs(replace(Limits(), processor=(0.0, 1e-9)))  # type: ignore[attr-defined]
        with browser.websocket_connect(f"/ws/{room}", headers={"origin": "http://testserver"}) as talk:
            talk.send_json({"do": "hello"})
            assert "fragments" in talk.receive_json()
            for what in ({"do": "hello"}, {"do": "show", "what": "route-1"}, {"do": "play", "action": "claim"}):
                talk.send_json(what)
                assert talk.receive_json()["error"] == "too_fast"
            talk.send_json({"do": "ping"})
            assert talk.receive_json() == {"do": "pong"}


@pytest.mark.long
def test_pages_are_paid_for_too(tmp_path: Path) -> None:
    with a_browser(tmp_path, Limits()) as browser:
        room = new_table(browser)
        browser.app.state.server.costs = Costs(replace(Limits(), processor=(0.0, 1e-9)))  # type: ignore[attr-defined]
        assert browser.get(f"/t/{room}").status_code == 200
        refused = browser.get(f"/t/{room}")
        assert refused.status_code == 429 and refused.headers["retry-after"]
        assert browser.get("/readyz").status_code == 200


def test_the_wishes_of_one_address_wait_for_one_another_and_nobody_else_for_them() -> None:
    order: list[str] = []

    async def wish(costs: Costs, address: str, name: str) -> None:
        await costs.turn(address)
        order.append(name)

    async def all_at_once() -> None:
        costs = Costs(Limits())
        many = [wish(costs, "loud", f"loud {n}") for n in range(20)]
        await asyncio.gather(*many, wish(costs, "quiet", "quiet"))

    asyncio.run(all_at_once())
    assert order.index("quiet") <= 2
    assert len(order) == 21


def test_what_would_have_to_wait_too_long_is_refused() -> None:
    async def play() -> None:
        costs = Costs(replace(Limits(), processor=(1.0, 0.1)))
        costs.charge("a", 1.0 + 0.2 * Costs.PATIENCE)
        with pytest.raises(TooMuch):
            await costs.turn("a")
        await costs.turn("b")

    asyncio.run(play())


def test_what_is_read_and_compiled_the_first_time_is_paid_for_by_nobody() -> None:
    def busy(seconds: float) -> None:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    async def play() -> None:
        costs = Costs(replace(Limits(), processor=(0.1, 1e-9)))
        await costs.in_thread("newcomer", busy, 0.2)
        await costs.turn("newcomer")
        await costs.in_thread("newcomer", partial(busy, 0.2))
        with pytest.raises(TooMuch):
            await costs.turn("newcomer")

    asyncio.run(play())
