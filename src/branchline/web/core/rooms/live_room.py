"""One room in memory, while people look at it: its lock, its viewers, its bots."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from branchline.bots import Bot
from branchline.web.core.rooms.room import Room
from branchline.web.core.rooms.spectators import Spectators
from branchline.web.core.seen import TableContext
from branchline.web.core.store.rows import Change

Acting = Callable[[Room], tuple[Room, Change]]

AT_ONCE = 25  # spectators who are told of a change between two looks at everything else
PAGES = 16  # of a room, that are remembered until they say hello


class Watcher(Protocol):
    """Somebody who wants to know when a room has changed: a WebSocket, a request that waits."""

    seats: tuple[int, ...]

    def changed(self) -> None:
        """Notice that the room has changed."""


class LiveRoom:
    """A room in memory."""

    def __init__(self, room: Room) -> None:
        """Begin with a room as the store has it."""
        self.room = room
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.spectators = Spectators()
        self.pages: dict[str, TableContext] = {}  # what pages show that have not said hello yet, by their nonce
        self.bots: dict[int, Bot] = {}
        self.driver: asyncio.Task[None] | None = None
        self.written = -1  # the last version that this process has written
        self.used = time.monotonic()
        self.address = ""  # of whoever of its players was here last; thinking is shared out between addresses

    @property
    def id(self) -> str:
        """The room's id."""
        return self.room.id

    @property
    def watched(self) -> bool:
        """Whether somebody looks at it, in this process."""
        return bool(self.watchers)

    def remember_page(self, context: TableContext) -> None:
        """Keep what a page shows that has just been made, until it says hello; the latest few."""
        self.pages[context.visit.nonce] = context
        for nonce in list(self.pages)[:-PAGES]:
            self.pages.pop(nonce, None)

    def changed(self) -> None:
        """Tell all who watch: those who play at once, the others a few at a time, so that nobody else has to wait."""
        players = [watcher for watcher in self.watchers if watcher.seats]
        self._tell(players, [watcher for watcher in self.watchers if not watcher.seats])

    def _tell(self, watchers: list[Watcher], later: list[Watcher]) -> None:
        for watcher in watchers:
            watcher.changed()
        if later:
            asyncio.get_running_loop().call_soon(self._tell, later[:AT_ONCE], later[AT_ONCE:])

    @property
    def present(self) -> set[int]:
        """The seats whose people have the table open in this process."""
        return {seat for watcher in self.watchers for seat in watcher.seats}
