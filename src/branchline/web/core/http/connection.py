"""What all WebSockets have in common: one task reads what the browser says, one shows whatever has changed.

Whoever is slow is shown the latest state, not every one on the way: nothing piles up. Whoever talks too fast or makes
no sense is told so, and let go after a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.protocol import Answer, BadMessage, SocketMessage, read_message
from branchline.web.core.http.rate_limits import TooMuch
from branchline.web.core.http.state import ServerState
from branchline.web.core.store.outage import Unavailable

log = logging.getLogger("branchline.socket")

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")

TRY_LATER = 1013  # of the protocol: browsers do
GONE = 1006  # of the protocol: it left without a word
HOSTILE, FORBIDDEN, NOT_FOUND, TOO_MANY = 4400, 4403, 4404, 4429
DONE = "done"  # why something that was sent again is refused; nobody is told
PATIENCE = 10  # bad messages after which we hang up
SENDING = 2e-8  # seconds that a byte costs on its way: it is compressed
STUCK = 30.0  # seconds after which a browser that takes nothing is let go


class SocketConnection(ABC):
    """What goes on over one WebSocket."""

    def __init__(self, socket: WebSocket, server: ServerState) -> None:
        """Begin a connection. Nothing is sent before the browser says hello."""
        self.socket, self.server = socket, server
        self._changed = asyncio.Event()
        self._greeted = False
        self._sending = asyncio.Lock()
        self._address = address_of(socket.scope)  # all its connections share a rate: more of them do not allow more
        self._patience = PATIENCE

    def changed(self) -> None:
        """Notice that what is shown has changed."""
        self._changed.set()

    @property
    @abstractmethod
    def where(self) -> str:
        """What is shown, for the log."""

    @abstractmethod
    async def arrive(self) -> None:
        """Note that a watcher has come."""

    @abstractmethod
    async def leave(self) -> None:
        """Note that a watcher has gone."""

    @abstractmethod
    async def answer(self, message: SocketMessage) -> None:
        """Do what a message asks. Raise `BadMessage` for what makes no sense here."""

    @abstractmethod
    async def update(self) -> None:
        """Show what has changed."""

    @abstractmethod
    async def complain(self, error: str, why: str) -> None:
        """Say politely why something was not done. What has changed meanwhile is shown by itself."""

    async def hold(self) -> None:
        """Exchange messages until one of the two ends it."""
        showing, code = asyncio.create_task(self._show()), 1000
        try:
            await self.arrive()
            await self._listen()
        except (WebSocketDisconnect, TimeoutError):
            pass
        except Unavailable:
            code = TRY_LATER
        except Exception:
            log.exception("a connection broke off in %s", self.where)
        finally:
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await showing
            await self.leave()
            if self.socket.client_state == WebSocketState.CONNECTED:
                with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                    await self.socket.close(HOSTILE if self._patience <= 0 else code)

    async def _listen(self) -> None:
        spoken = False
        while self._patience > 0:
            async with asyncio.timeout(None if spoken else self.server.settings.limits.headers):
                received = await self.socket.receive()
            spoken = True
            if received["type"] == "websocket.disconnect":
                return
            if not self.server.rates.allow("messages", self._address):
                self._patience -= 1
                await self.complain("too_fast", "one thing after the other, please")
                await asyncio.sleep(0.5)
                continue
            try:
                await self.answer(read_message(received.get("text")))
            except BadMessage as error:
                self._patience -= 1
                await self.complain("bad_message", str(error))
            except TooMuch:
                self._patience -= 1
                await self.complain("too_fast", "that was a lot; wait a little, please")
                await asyncio.sleep(0.5)

    async def _show(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._greeted:
                try:
                    await self.update()
                except (WebSocketDisconnect, TimeoutError):  # it is gone; the reading side will see
                    return
                except Exception:
                    log.exception("%s could not be shown", self.where)

    async def turn(self) -> None:
        """Wait until something may be worked out for this address. Raise `TooMuch`."""
        await self.server.costs.turn(self._address)

    def worked_out(
        self, make: Callable[Arguments, Made], *arguments: Arguments.args, **options: Arguments.kwargs
    ) -> Made:
        """Return the result of a function that this browser asked for, charging it for the time that others wait
        meanwhile.

        That is the time of the clock: on a busy machine the same takes longer, and then less can be had.
        """
        began = time.perf_counter()
        try:
            return make(*arguments, **options)
        finally:
            self.server.costs.charge(self._address, time.perf_counter() - began)

    async def send(self, message: Answer) -> None:
        """Send a message, after what is being sent."""
        async with self._sending:
            await self.send_text(as_text(message))

    async def send_text(self, text: str) -> None:
        """Send a text; for who holds the lock. Raise `WebSocketDisconnect` when the browser is gone."""
        try:
            async with asyncio.timeout(STUCK):  # `wait_for` of 3.11 swallows a cancellation that comes with the end
                await self.socket.send_text(text)
        except RuntimeError as error:  # so says the server after a message that could not be sent
            raise WebSocketDisconnect(GONE) from error


def as_text(message: Answer) -> str:
    """Return a message as text for sending."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
