"""Connections, before there is a request: how many there may be, how long a request may take to come, and in how many
pieces.

uvicorn asks a protocol of ours in the place of its own, which does the rest.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from branchline.web.core.http.middleware import household
from branchline.web.core.settings import Limits
from branchline.web.serving.open_files import OWN

log = logging.getLogger("branchline.connections")

LONGEST_HEAD = 65_536  # bytes of a request's head
QUICK = 2  # of zlib's levels; 6 is the usual one
QUIET = 60.0  # seconds between two lines in the log about the same address
NO_TEXT = 1007  # of the protocol of WebSockets: a message of text that is none
CRUMB = 256  # bytes: less than that is a small piece, whatever the network
CRUMBS_OF_REQUEST = (16, 4.0)  # small pieces in which a request may come at once, and a second afterwards
SWALLOWED = 5.0  # seconds for which the rest of a body is taken in that nobody reads


class Crumbs:
    """The small pieces in which something comes: each costs as much as a large one, so too many are put off.

    Nothing is refused. What comes meanwhile waits in the system, and is read in one go.
    """

    def __init__(self, most: float, per_second: float) -> None:
        """Begin with a limit of `most` at once, and `per_second` a second afterwards."""
        self._most, self._per_second = most, per_second
        self._level, self._then = 0.0, 0.0

    def pause(self, size: int, now: float) -> float:
        """Note a piece of so many bytes; the seconds for which nothing more should be read."""
        if size >= CRUMB:
            return 0.0
        self._level = max(0.0, self._level - (now - self._then) * self._per_second) + 1
        self._then = now
        return max(0.0, self._level - self._most) / self._per_second

    def forget(self) -> None:
        """Begin again."""
        self._level = 0.0


class OpenConnections:
    """The connections of this process, all together and by address.

    An address of a trusted proxy may have any number of them, because it brings everybody; what comes through it is
    counted by request (`middleware`).
    """

    def __init__(self, limits: Limits, proxies: str, files: int = 0) -> None:
        """Begin with the proxies: addresses and networks separated by commas, or `*` for any.

        `files`: how many files this process may have open; 0: any number.
        """
        self.limits = limits
        self._most = min(limits.connections, max(1, files - OWN)) if files else limits.connections
        self._everybody = "*" in proxies
        self._proxies = [
            ip_network(network.strip(), strict=False) for network in proxies.split(",") if _is_network(network)
        ]
        self._open: Counter[str] = Counter()
        self._total = 0
        self.websockets: dict[Any, str] = {}  # their addresses by their transport
        self._said: dict[str, float] = {}

    def enter(self, address: str) -> bool:
        """Count one more; whether that is not too many."""
        if self._total >= self._most:
            self.complain("everybody", f"together have {self._most} connections open; no more are taken")
            return False
        if self._open[address] >= self.limits.connections_per_address and not self._is_proxy(address):
            self.complain(address, f"has {self._open[address]} connections open; no more are taken")
            return False
        self._open[address] += 1
        self._total += 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._total -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def complain(self, address: str, complaint: str) -> None:
        """Log a complaint, one a minute for each address."""
        now = time.monotonic()
        if now - self._said.get(address, -QUIET) >= QUIET:
            if len(self._said) > 10_000:
                self._said.clear()
            self._said[address] = now
            log.warning("%s %s", address, complaint)

    def _is_proxy(self, address: str) -> bool:
        if self._everybody or not address:  # without an address: a Unix socket
            return True
        return any(ip_address(address) in network for network in self._proxies)


def _is_network(text: str) -> bool:
    try:
        ip_network(text.strip(), strict=False)
    except ValueError:
        return False
    return True


def put_off(transport: Any, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    """Read nothing for a while."""
    if seconds > 0 and not transport.is_closing():
        transport.pause_reading()
        loop.call_later(seconds, _read_on, transport)


def _read_on(transport: Any) -> None:
    if not transport.is_closing():
        transport.resume_reading()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Http(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """Each request must come in time, be no longer than it may be, and come in pieces worth reading."""

    open_connections: OpenConnections
    _address: str | None = None  # while it is counted
    _patience: asyncio.TimerHandle | None = None
    _head = 0  # bytes of a head that has not come whole
    _in_body = False  # the head has come whole, the body has not
    _body_until = 0.0  # when the body must have come whole
    _crumbs: Crumbs

    def connection_made(self, transport: Any) -> None:
        address = household((transport.get_extra_info("peername") or ("",))[0] or "")
        super().connection_made(transport)
        self._crumbs = Crumbs(*CRUMBS_OF_REQUEST)
        if not self.open_connections.enter(address):
            transport.abort()
            return
        self._address = address
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self._address is None:
            return  # it was not let in, or is a WebSocket by now
        of_body = self._in_body
        super().data_received(data)
        if self._answering():
            self._stop_waiting()
        elif self._address is not None and not self.transport.is_closing():
            self._head += 0 if of_body else len(data)
            if self._head > LONGEST_HEAD:
                self._hang_up("sends endless headers")
            elif self._patience is None:
                self._wait()
        if self._address is not None:
            put_off(self.transport, self.loop, self._crumbs.pause(len(data), self.loop.time()))

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._in_body, self._head = True, 0
        self._body_until = self.loop.time() + self.open_connections.limits.request

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body = False
        self._crumbs.forget()
        self._stop_waiting()

    def handle_websocket_upgrade(self, *arguments: object) -> None:
        address, self._address = self._address, None
        self._stop_waiting()
        self.open_connections.websockets[self.transport] = address or ""
        super().handle_websocket_upgrade(*arguments)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._address is not None:
            self.open_connections.leave(self._address)
            self._address = None
        super().connection_lost(exc)

    def _answering(self) -> bool:
        """Return whether the head of a request has come, and its answer is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        """Wait for the rest of a head, or of a body that nobody reads because the answer has been given."""
        seconds = self.open_connections.limits.headers
        if self._in_body:
            seconds = min(SWALLOWED, max(0.0, self._body_until - self.loop.time()))
        self._patience = self.loop.call_later(seconds, self._hang_up, "sends half a request")

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _hang_up(self, why: str) -> None:
        self._stop_waiting()
        if self._head and self._address is not None:
            self.open_connections.complain(self._address, f"{why}; the connection is closed")
        self.transport.abort()


class _WebSocket(AutoWebSocketsProtocol):  # type: ignore[misc,valid-type]
    """Counted from its request on. Messages are compressed quickly: a tenth longer, for less than half the time."""

    open_connections: OpenConnections
    _crumbs: Crumbs
    frames: list[bytes]

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        for extension in getattr(getattr(self, "conn", None), "available_extensions", None) or ():
            extension.compress_settings = {**(extension.compress_settings or {}), "level": QUICK}
        self._crumbs = Crumbs(*self.open_connections.limits.messages)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)  # parts of messages, pings: what is no message yet is counted nowhere else
        put_off(self.transport, self.loop, self._crumbs.pause(len(data), self.loop.time()))

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(NO_TEXT)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def connection_lost(self, exc: Exception | None) -> None:
        address = self.open_connections.websockets.pop(self.transport, None)
        if address is not None:
            self.open_connections.leave(address)
        super().connection_lost(exc)


def guarded(counted: OpenConnections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Return the protocols for HTTP and WebSocket, with these connections counted."""

    class CountedHttp(_Http):
        open_connections = counted

    class CountedWebSocket(_WebSocket):
        open_connections = counted

    return CountedHttp, CountedWebSocket
