"""What the worker's JavaScript calls in Python."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import sqlalchemy as sa

from branchline.runtime import lodged_engine
from branchline.site import second_python
from branchline.site.bridge import Bridge
from branchline.site.second_python import JavaScriptBytes
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.settings import Limits, Settings
from branchline.web.core.store.database import JOURNAL_SIZE
from branchline.web.features import features

EMPTY = Path(__file__).with_name("empty.sqlite")  # which a site brings along, see `building`
HEAD = 16  # bytes by which a database is known
LIMITS = Limits().times(1000)  # there is one visitor, who harms nobody else


def prepare() -> None:
    """Do what every visit needs, before Python's memory is kept for later ones."""
    features()
    offered_boards()
    lodged_engine.make_ready()
    sa.create_engine("sqlite://").dispose()  # imports what it needs
    import_module("anyio._backends._asyncio")


async def open_bridge(database: str, base: str, host: str, scheme: str, script: str, copies: bool) -> PageBridge:
    """Open the application; `script`: the address of the script that comes into every page.

    `copies`: pages keep their games for the server that they came from.
    """
    logging.basicConfig(level=logging.WARNING)
    second_python.stands_by()
    begin_with(EMPTY.read_bytes(), Path(database))
    settings = Settings(
        database=f"sqlite:///{database}",
        path=base.rstrip("/"),
        webhooks="off",
        alone=True,
        copies=copies,
        warm_up=False,
        analyse_ended=False,  # it takes a second Python, which not everybody wants
        limits=LIMITS,
        bot_seconds=60.0,
    )
    bridge = PageBridge(Bridge(settings, host, scheme), base, script)
    await bridge.inner.open()
    return bridge


def begin_with(content: bytes, database: Path) -> None:
    """Write a database for the first time, its first bytes last: if it breaks off, it begins anew the next time.

    Its journal gets its room, too.
    """
    with database.open("a+b") as file:
        file.seek(0)
        if any(file.read(HEAD)):
            return
    with database.with_name(f"{database.name}-journal").open("wb") as journal:
        journal.truncate(JOURNAL_SIZE)  # zeros: no transaction
    with database.open("r+b") as file:
        for begin, end in ((HEAD, None), (0, HEAD)):
            file.seek(begin)
            file.write(content[begin:end])
            file.flush()
            os.fsync(file.fileno())


class PageBridge:
    """A bridge whose arguments and answers JavaScript understands."""

    def __init__(self, inner: Bridge, base: str, script: str) -> None:
        """Wrap a bridge."""
        self.inner = inner
        self._head = in_head(base, script).encode()

    async def answer(self, method: str, url: str, headers: str, body: JavaScriptBytes) -> object:
        """Answer a request: a list of status, headers as JSON, and bytes."""
        from pyodide.ffi import to_js

        status, pairs_received, content = await self.inner.request(method, url, _pairs(headers), body.to_bytes())
        fields = {name.lower(): value for name, value in pairs_received}
        fields = in_frame(fields)
        if fields.get("content-type", "").startswith("text/html"):
            content = content.replace(b"<head>", b"<head>" + self._head, 1)
        return to_js([status, json.dumps(list(fields.items())), to_js(content)])

    def dial(self, number: str, url: str, headers: str, say: Callable[[str, str | int], None]) -> None:
        """Open a WebSocket, whose page hears by `say`."""
        self.inner.dial(number, url, _pairs(headers), say)

    def hear(self, number: str, text: str) -> None:
        """Take what a page says."""
        self.inner.hear(number, text)

    def hang_up(self, number: str) -> None:
        """End a WebSocket."""
        self.inner.hang_up(number)

    def set_cookie(self, text: str) -> None:
        """Take over a cookie that a script of a page has set."""
        self.inner.set_cookie(text)


def _pairs(headers: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in json.loads(headers)]


def in_head(base: str, script: str) -> str:
    """Return what comes into the head of each page."""
    return f'<script src="{script}" data-base="{base}"></script>'


def in_frame(headers: dict[str, str]) -> dict[str, str]:
    """Return the headers of a page that is shown in a frame of the same site."""
    allowed = {name: value for name, value in headers.items() if name != "x-frame-options"}
    if policy := allowed.get("content-security-policy"):
        allowed["content-security-policy"] = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return allowed
