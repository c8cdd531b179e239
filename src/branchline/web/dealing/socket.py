"""The WebSocket of a dealt table: what its viewer sees, kept up to date; what its seat does, brought to the table.

It speaks the protocol of the tables (`protocol`): `hello`, `ping`, and `play` with a deed. `version` counts the deeds
of the seat, so that others may do what they like meanwhile. The link is looked at again at every deed and change:
when it is made anew, the old phone is let go.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.websockets import WebSocket, WebSocketDisconnect

from branchline.web.core.http import clients
from branchline.web.core.http.audience import Full
from branchline.web.core.http.connection import (
    DONE,
    FORBIDDEN,
    NOT_FOUND,
    TOO_MANY,
    TRY_LATER,
    SocketConnection,
    as_text,
)
from branchline.web.core.http.middleware import address_of, header, is_our_origin
from branchline.web.core.http.protocol import BadMessage, SocketMessage
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.outage import Unavailable
from branchline.web.dealing import page as dealing_page
from branchline.web.dealing.live import LiveTable, LiveTables
from branchline.web.dealing.perspective import deal_context
from branchline.web.dealing.store import DeedRow
from branchline.web.dealing.table import DealingTable


@dataclass(frozen=True)
class Watched:
    """What is behind a link."""

    here: LiveTable
    seat: int | None  # None: a screen that shows what lies open
    path: str  # of the page
    opens: Callable[[DealingTable], bool]  # whether the link still opens it


Admit = Callable[[], Awaitable[Watched | None]]
"""What is behind a link; None: nothing."""


async def serve(socket: WebSocket, server: ServerState, admit: Admit) -> None:
    """Serve a socket from the first hello to the last message."""
    await socket.accept()
    address = address_of(socket.scope)
    if not is_our_origin(socket.scope, header(socket.scope, "origin"), server.settings):
        return await socket.close(FORBIDDEN)
    try:
        watched = await admit()
    except Unavailable:
        return await socket.close(TRY_LATER)
    if watched is None:
        allowed = server.rates.allow("guesses", address)
        return await socket.close(NOT_FOUND if allowed else TOO_MANY)
    viewer = Viewer(mine=() if watched.seat is None else (watched.seat,), invited=True)
    try:
        with server.audience.place(watched.here.table.row.id, viewer, address):
            await DealConnection(socket, server, watched).hold()
    except Full:
        await socket.close(TOO_MANY)


class DealConnection(SocketConnection):
    """What goes on over the WebSocket of one seat, or of a screen."""

    def __init__(self, socket: WebSocket, server: ServerState, watched: Watched) -> None:
        """Begin a connection. Nothing is sent before the browser says hello."""
        super().__init__(socket, server)
        self.watched, self.seat = watched, watched.seat
        self.visit = clients.browser(socket, server).visit
        self.here = server.part(LiveTables).watch(watched.here, self)
        self._shown: dict[str, str] = {}  # what the browser has, by id
        self._heard = 0  # the last deed it was told of

    @property
    def where(self) -> str:
        """The table."""
        return f"dealt table {self.here.table.row.id}"

    async def arrive(self) -> None:
        """Do nothing: those who sit there see it, and nobody else is told."""

    async def leave(self) -> None:
        """Forget the table when nobody looks at it."""
        self.server.part(LiveTables).leave(self.here, self)

    async def answer(self, message: SocketMessage) -> None:
        """Do what a message asks."""
        match message.do:
            case "hello":
                self._greeted, self._shown = True, {}
                self._heard = self.here.table.row.version
                await self.update()
            case "ping":
                await self.send({"do": "pong"})
            case "play" if self.seat is not None:
                await self._play(self.seat, message)
            case _:
                raise BadMessage("nothing of that kind is done here")

    async def _play(self, seat: int, message: SocketMessage) -> None:
        try:
            await self.server.part(LiveTables).change(
                self.here.table.row.id, lambda table: self._after(table, seat, message)
            )
        except Refused as refusal:
            if refusal.reason != DONE:
                await self.complain(refusal.reason)
        except Unavailable:
            await self.complain("away")

    def _after(self, table: DealingTable, seat: int, message: SocketMessage) -> tuple[DealingTable, DeedRow]:
        if not self.watched.opens(table):
            raise Refused("relinked", "this seat has a new link")
        if message.again and table.did(seat, message.version, message.action):
            raise Refused(DONE, "it was done already")
        return table.after(seat, message.action, message.version, time.time())

    async def update(self) -> None:
        """Send what looks otherwise than before, and what has happened in words; let go whom the link shuts out."""
        if not self.watched.opens(self.here.table):
            await self.socket.close(NOT_FOUND)
            raise WebSocketDisconnect(NOT_FOUND)
        async with self._sending:
            context = await asyncio.to_thread(deal_context, self.here.table, self.seat, self.visit, self.watched.path)
            fragments = await asyncio.to_thread(dealing_page.deal_fragments, context)
            fresh = {name: text for name, text in fragments.items() if self._shown.get(name) != text}
            sentence = dealing_page.deal_news(context, self._heard)
            self._shown, self._heard = fragments, context.version
            await self.send_text(as_text({"version": context.step, "fragments": fresh, "said": sentence}))

    async def complain(self, error: str, why: str = "") -> None:
        """Show an error in the words of the page."""
        await self.send({"error": error, "why": dealing_page.deal_refusal(self.visit.language, error)})
