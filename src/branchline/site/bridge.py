"""Requests and WebSockets of pages in a browser, answered by the ASGI application that runs beside them in a worker.

There is one browser, so its cookies are kept here: a service worker neither sees nor sets any.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from urllib.parse import unquote_to_bytes, urlencode, urlsplit

from branchline.web.core.http import clients
from branchline.web.core.http.middleware import Message, Scope
from branchline.web.core.http.state import ServerState
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import AWAY, first_line
from branchline.web.page_app import make_page_app

log = logging.getLogger("branchline.site")

COOKIES = "cookies"
"""The name under which the browser's cookies are kept in the store."""
PRERENDERED = "of-no-visit"
"""What stands for the token of forms in pages that were made before there was a visitor."""
HERE = ("127.0.0.1", 0)


class Bridge:
    """The application, open, and the browser that visits it."""

    def __init__(self, settings: Settings, host: str, scheme: str) -> None:
        """Make it; nothing is open before `open`."""
        self._app = make_page_app(settings)
        self.server: ServerState = self._app.state.server
        self._host, self._scheme, self._root = host, scheme, settings.root
        self._closing = asyncio.Event()
        self._sockets: dict[str, asyncio.Queue[Message]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._cookies: dict[str, str] = {}

    async def open(self) -> None:
        """Open the application."""
        self._cookies = json.loads(self.server.store.shared_value(COOKIES, "{}"))
        opened = asyncio.Event()
        asked = iter(("lifespan.startup", "lifespan.shutdown"))

        async def receive() -> Message:
            kind = next(asked)
            if kind == "lifespan.shutdown":
                await self._closing.wait()
            return {"type": kind}

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                raise RuntimeError(message.get("message", "the application did not start"))
            opened.set()

        self._begin(self._app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send))
        await opened.wait()

    async def close(self) -> None:
        """Close the application."""
        self._closing.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Awaitable[None]) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------------------------------------ requests

    async def request(
        self, method: str, url: str, headers: list[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Answer a request: status, headers, body."""
        scope = self._scope("http", url, headers)
        body = self._with_token(body, scope["headers"])
        scope["method"], scope["http_version"] = method, "1.1"
        asked = iter(({"type": "http.request", "body": body, "more_body": False},))
        disconnected = asyncio.Event()
        messages: list[Message] = []

        async def receive() -> Message:
            for message in asked:
                return message
            await disconnected.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            messages.append(message)

        try:
            await self._app(scope, receive, send)
        finally:
            disconnected.set()
        answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in messages[0]["headers"]]
        self._keep_cookies([value for name, value in answered if name.lower() == "set-cookie"])
        kept = [pair for pair in answered if pair[0].lower() not in ("set-cookie", "content-length")]
        return messages[0]["status"], kept, b"".join(message.get("body", b"") for message in messages[1:])

    def _scope(self, kind: str, url: str, headers: list[tuple[str, str]]) -> Scope:
        parts = urlsplit(url)
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
        raw.append((b"host", self._host.encode()))
        if self._cookies:
            raw.append((b"cookie", "; ".join(f"{name}={value}" for name, value in self._cookies.items()).encode()))
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "scheme": self._scheme if kind == "http" else self._scheme.replace("http", "ws"),
            "path": unquote_to_bytes(parts.path).decode("utf-8", "replace"),
            "raw_path": parts.path.encode(),
            "root_path": "",
            "query_string": parts.query.encode(),
            "headers": raw,
            "client": HERE,
            "server": (self._host, None),
            "state": {},
        }

    def _with_token(self, body: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
        """Return a form with its token, if it was on a page that was made before there was a visitor."""
        if PRERENDERED.encode() not in body:
            return body
        name = clients.cookie_name("key", self._root)
        if not self._cookies.get(name):
            self._set_cookie(name, self.server.signer.browser_key())
            cookie = f"{name}={self._cookies[name]}".encode()
            headers.append((b"cookie", cookie))
        token = self.server.signer.form_token(self._cookies[name])
        return body.replace(urlencode({"csrf": PRERENDERED}).encode(), urlencode({"csrf": token}).encode())

    def _keep_cookies(self, lines: list[str]) -> None:
        for line in lines:
            for name, morsel in SimpleCookie(line).items():
                expired = morsel["max-age"] == "0" or morsel["expires"].startswith("Thu, 01 Jan 1970")
                self._set_cookie(name, "" if expired else morsel.value)

    def _set_cookie(self, name: str, value: str) -> None:
        if self._cookies.get(name, "") == value:
            return
        self._cookies = {**self._cookies, name: value} if value else _without(self._cookies, name)
        try:
            self.server.store.set_shared_value(COOKIES, json.dumps(self._cookies))
        except AWAY as error:  # the browser has no room: until the last page is closed they are known here
            log.warning("the cookies cannot be kept: %s", first_line(error))

    def set_cookie(self, text: str) -> None:
        """Take over what a script of a page has written into `document.cookie`."""
        self._keep_cookies([text])

    # ------------------------------------------------------------------------------------------------ WebSockets

    def dial(
        self, number: str, url: str, headers: list[tuple[str, str]], say: Callable[[str, str | int], None]
    ) -> None:
        """Open a WebSocket; `say` tells its page of `open`, `message` and `close`."""
        coming: asyncio.Queue[Message] = asyncio.Queue()
        coming.put_nowait({"type": "websocket.connect"})
        self._sockets[number] = coming

        async def send(message: Message) -> None:
            kind = message["type"]
            if kind == "websocket.accept":
                say("open", "")
            elif kind == "websocket.send":
                say("message", message.get("text") or "")
            elif kind == "websocket.close" and self._sockets.pop(number, None) is not None:
                say("close", message.get("code", 1000))

        scope = self._scope("websocket", url, headers)
        scope["subprotocols"] = []

        async def held() -> None:
            try:
                await self._app(scope, coming.get, send)
            finally:
                with contextlib.suppress(KeyError):
                    del self._sockets[number]
                    say("close", 1011)

        self._begin(held())

    def hear(self, number: str, text: str) -> None:
        """Take what a page says over its WebSocket."""
        if number in self._sockets:
            self._sockets[number].put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self, number: str) -> None:
        """End the WebSocket of a page that has gone."""
        coming = self._sockets.pop(number, None)
        if coming is not None:
            coming.put_nowait({"type": "websocket.disconnect", "code": 1001})


def _without(cookies: dict[str, str], name: str) -> dict[str, str]:
    return {cookie: value for cookie, value in cookies.items() if cookie != name}
