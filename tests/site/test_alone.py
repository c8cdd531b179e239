"""Pages without a server say what needs one, and offer only what works."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from branchline.site.bridge import Bridge
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.site.page import form_token_in

SPOKEN = 20.0  # s
ORIGIN = [("origin", "https://localhost"), ("content-type", "application/x-www-form-urlencoded")]


async def new_table(bridge: Bridge) -> str:
    """The path of a table that was begun by the form of the first page."""
    _, _, body = await bridge.request("GET", "/", [], b"")
    form = urlencode({"csrf": form_token_in(body.decode()), "board": "berlin"}).encode()
    _, headers, _ = await bridge.request("POST", "/new", ORIGIN, form)
    return dict(headers)["location"]


def pages(folder: Path, *, alone: bool) -> dict[str, str]:
    """The pages for friends, as one browser sees them."""

    async def visit() -> dict[str, str]:
        settings = Settings(f"sqlite:///{folder / 'rooms.sqlite'}", alone=alone, webhooks="off", warm_up=False)
        bridge = Bridge(settings, "localhost", "https")
        await bridge.open()
        try:
            seen = {}
            for path in ("/", "/new", "/new?with=link", "/deal"):
                _, _, body = await bridge.request("GET", path, [("accept-language", "en")], b"")
                seen[path] = body.decode()
            _, _, body = await bridge.request("GET", await new_table(bridge) + "/notices", [], b"")
            return seen | {"notices": body.decode()}
        finally:
            await bridge.close()

    return asyncio.run(visit())


@pytest.mark.parametrize("page", ("/", "/new?with=link", "/deal", "notices"))
def test_what_needs_others_names_the_server(tmp_path: Path, page: str) -> None:
    assert "run a server: <code>branchline serve</code>" in pages(tmp_path, alone=True)[page]


def test_no_seat_is_kept_for_somebody_who_cannot_come(tmp_path: Path) -> None:
    seen = pages(tmp_path, alone=True)
    assert "with=link" not in seen["/"] and "with=link" not in seen["/new"]
    assert 'value="open"' not in seen["/new"] and 'name="open"' not in seen["/new"]


def test_a_server_says_nothing_of_it(tmp_path: Path) -> None:
    seen = pages(tmp_path, alone=False)
    assert not any("branchline serve" in page for page in seen.values())
    assert "with=link" in seen["/"] and 'value="open"' in seen["/new"] and 'name="open"' in seen["/new"]


def test_a_browser_without_room_is_answered_and_keeps_its_cookies_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_store: Store, _name: str, _value: str) -> None:
        raise sa.exc.OperationalError("UPDATE", {}, Exception("database or disk is full"))

    async def visit() -> tuple[int, int, bool]:
        settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", alone=True, webhooks="off", warm_up=False)
        bridge = Bridge(settings, "localhost", "https")
        await bridge.open()
        try:
            monkeypatch.setattr(Store, "set_shared_value", full)
            first, _, _ = await bridge.request("GET", "/language/de", [], b"")
            second, _, body = await bridge.request("GET", "/", [], b"")
            return first, second, 'lang="de"' in body.decode()
        finally:
            await bridge.close()

    assert asyncio.run(visit()) == (303, 200, True)


@pytest.mark.parametrize(("page", "languages"), [("", "cs-CZ,en"), ("?language=cs", ""), ("?language=cs", "de")])
def test_a_table_speaks_over_its_socket_as_its_page_does(tmp_path: Path, page: str, languages: str) -> None:
    async def visit() -> dict[str, str]:
        settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", alone=True, webhooks="off", warm_up=False)
        bridge = Bridge(settings, "localhost", "https")
        await bridge.open()
        heard: asyncio.Queue[str] = asyncio.Queue()
        spoken = [("origin", "https://localhost"), ("accept-language", languages)]
        try:
            room = (await new_table(bridge)).rpartition("/")[2]
            bridge.dial("1", f"/ws/{room}{page}", spoken, lambda what, value: heard.put_nowait(f"{what} {value}"))
            bridge.hear("1", json.dumps({"do": "hello", "version": 0}))
            async with asyncio.timeout(SPOKEN):
                assert (await heard.get()).startswith("open")
                said = await heard.get()
            fragments: dict[str, str] = json.loads(said.partition(" ")[2])["fragments"]
            return fragments
        finally:
            bridge.hang_up("1")
            await bridge.close()

    fragments = asyncio.run(visit())
    assert 'aria-label="Vaše karty"' in fragments["hand"]


@pytest.mark.parametrize("alone", (True, False))
def test_only_where_others_may_write_the_database_is_asked_whether_they_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    asked = asyncio.Event()
    versions = Store.versions

    def heard(store: Store, ids: list[str]) -> dict[str, tuple[int, float]]:
        loop.call_soon_threadsafe(asked.set)
        return versions(store, ids)

    async def visit() -> bool:
        nonlocal loop
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(Store, "versions", heard)
        settings = Settings(
            f"sqlite:///{tmp_path / 'rooms.sqlite'}", alone=alone, webhooks="off", warm_up=False, poll=0.001
        )
        bridge = Bridge(settings, "localhost", "https")
        await bridge.open()
        try:
            await new_table(bridge)
            async with asyncio.timeout(0.3 if alone else 20):  # without others nothing ever comes, however long
                await asked.wait()
            return True
        except TimeoutError:
            return False
        finally:
            await bridge.close()

    loop: asyncio.AbstractEventLoop
    assert asyncio.run(visit()) == (not alone)
