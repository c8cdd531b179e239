"""Connections, before there is a request: how many an address may have open, and how long a request's head may take.

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

from branchline.web.http.middleware import household
from branchline.web.settings import Limits

log = logging.getLogger("branchline.connections")

LONGEST_HEAD = 65_536  # bytes of a request's head
QUIET = 60.0  # seconds between two lines in the log about the same address


class OpenConnections:
    """The connections of this process by address. Those of trusted proxies are not counted: they bring everybody."""

    def __init__(self, limits: Limits, proxies: str) -> None:
        """`proxies`: addresses and networks with commas between them; `*`: whoever it is."""
        self.limits = limits
        self._everybody = "*" in proxies
        self._proxies = [ip_network(one.strip(), strict=False) for one in proxies.split(",") if _is_network(one)]
        self._open: Counter[str] = Counter()
        self._said: dict[str, float] = {}

    def enter(self, address: str) -> bool:
        """Count one more; whether that is not too many."""
        if self._open[address] >= self.limits.connections_per_address and not self._is_proxy(address):
            self.complain(address, f"has {self._open[address]} connections open; no more are taken")
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def complain(self, address: str, what: str) -> None:
        """A line in the log, one a minute for each address."""
        now = time.monotonic()
        if now - self._said.get(address, -QUIET) >= QUIET:
            if len(self._said) > 10_000:
                self._said.clear()
            self._said[address] = now
            log.warning("%s %s", address, what)

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


def guarded(open_connections: OpenConnections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The protocols for HTTP and WebSocket, with these connections counted."""

    class Http(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
        """The head of each request must come in time, and be no longer than it may be."""

        _address: str | None = None  # while it is counted
        _patience: asyncio.TimerHandle | None = None
        _head = 0  # bytes of a head that has not come whole
        _in_body = False  # the head has come whole, the body has not

        def connection_made(self, transport: Any) -> None:
            address = household((transport.get_extra_info("peername") or ("",))[0] or "")
            super().connection_made(transport)
            if not open_connections.enter(address):
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

        def on_headers_complete(self) -> None:
            super().on_headers_complete()
            self._in_body, self._head = True, 0

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self._in_body = False
            self._stop_waiting()

        def handle_websocket_upgrade(self, *arguments: Any) -> None:
            address, self._address = self._address, None
            self._stop_waiting()
            counted[self.transport] = address or ""
            super().handle_websocket_upgrade(*arguments)

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            if self._address is not None:
                open_connections.leave(self._address)
                self._address = None
            super().connection_lost(exc)

        def _answering(self) -> bool:
            """Whether the head of a request has come, and its answer is not done."""
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self) -> None:
            """For the rest of a head; or of a body that nobody reads, because the answer has been given."""
            limits = open_connections.limits
            seconds = limits.request if self._in_body else limits.headers
            self._patience = self.loop.call_later(seconds, self._hang_up, "sends half a request")

        def _stop_waiting(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

        def _hang_up(self, why: str) -> None:
            self._stop_waiting()
            if self._head and self._address is not None:
                open_connections.complain(self._address, f"{why}; the connection is closed")
            self.transport.abort()

    counted: dict[Any, str] = {}  # the addresses of WebSockets by their transport

    class WebSocket(AutoWebSocketsProtocol):  # type: ignore[misc,valid-type]
        """Counted from its request on."""

        def connection_lost(self, exc: Exception | None) -> None:
            address = counted.pop(self.transport, None)
            if address is not None:
                open_connections.leave(address)
            super().connection_lost(exc)

    return Http, WebSocket
