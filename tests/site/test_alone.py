"""Pages without a server say what needs one, and offer only what works."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from branchline.site.bridge import Bridge
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store

ORIGIN = [("origin", "https://localhost"), ("content-type", "application/x-www-form-urlencoded")]


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
            token = re.search('name="csrf" value="([^"]+)"', seen["/"])
            assert token
            form = urlencode({"csrf": token[1], "board": "berlin"}).encode()
            _, headers, _ = await bridge.request("POST", "/new", ORIGIN, form)
            _, _, body = await bridge.request("GET", dict(headers)["location"] + "/notices", [], b"")
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
