"""The rooms that are open in this process: loaded, changed, and kept level with what other processes write.

The order of things is always the same: the room as it would be is made (`room`), written (`store.database`), put
in the old one's place, and only then shown. The other processes are notified (`store.notifications`) and reload.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from branchline.web.core.rooms import clock, kept_boards, talk
from branchline.web.core.rooms.attempts import until_written
from branchline.web.core.rooms.live_room import Acting, LiveRoom
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import OVER, TALK_KEPT, Room
from branchline.web.core.rooms.store_threads import StoreThreads
from branchline.web.core.rooms.table_clock import TableClock
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import Notifier, OnNotice


class OpenRooms(StoreThreads):
    """All rooms that are in memory here."""

    def __init__(self, store: Store, notifier: Notifier, settings: Settings) -> None:
        """Begin with none."""
        super().__init__(store, settings)
        self.notifier = notifier
        self.rooms: dict[str, LiveRoom] = {}
        self.clock = TableClock()
        self.when_over: list[Callable[[Room], None]] = []  # told of a game that has just ended here; must not block
        self.when_noticed: list[OnNotice] = []  # told of what other processes have written, rooms or not
        self._loading: dict[str, asyncio.Lock] = {}

    def attend(self, live_room: LiveRoom) -> None:
        """Have the bot play whose question it is, if it is one's."""
        raise NotImplementedError

    async def get(self, room: str, fresh: bool = False) -> LiveRoom | None:
        """Return a room, loaded if it is not in memory; `fresh`: make sure that it is not older than the store's."""
        live_room = self.rooms.get(room)
        if live_room is None:
            live_room = await self._load(room)
        elif fresh:
            await self.refresh(live_room)
        if live_room is not None:
            live_room.used = time.monotonic()
        return live_room

    async def _load(self, room: str) -> LiveRoom | None:
        async with self._loading.setdefault(room, asyncio.Lock()):
            try:
                if room not in self.rooms:
                    stored = await self.read(self.store.load, room)
                    if stored is None:
                        return None
                    board = await self.read(kept_boards.board_of, self.store, stored.room)
                    self.rooms.setdefault(room, LiveRoom(await self.read(restored, stored, None, board)))
                return self.rooms[room]
            finally:
                self._loading.pop(room, None)

    async def refresh(self, live_room: LiveRoom) -> bool:
        """Take over what other processes have written; whether there was something."""
        row = live_room.room.row
        there = (await self.read(self.store.versions, [row.id])).get(row.id)
        if there is None or there == (row.version, row.touched):
            return False
        async with live_room.lock:
            return await self._reload(live_room)

    async def _reload(self, live_room: LiveRoom) -> bool:
        known = live_room.room
        heard = known.talk[-1].n if known.talk else 0
        stored = await self.read(self.store.load, known.id, known.row.version, heard)
        if stored is None or stored.room.version < known.row.version:
            return False
        live_room.room = await self.read(restored, stored, known)
        live_room.changed()
        return True

    async def add(self, room: Room, keys: list[tuple[str, int]]) -> LiveRoom:
        """Write a new room, and open it. Raise `Conflict` when it is a rematch that exists already."""
        room = room.begun(self.clock.now())
        await self.write(kept_boards.keep, self.store, room.board, room.row.board)
        await self.write(self.store.create, room.row, room.seats, room.states, keys, room.log)
        live_room = self.rooms[room.id] = LiveRoom(room)
        self.attend(live_room)
        return live_room

    async def change(self, live_room: LiveRoom, act: Acting) -> Room:
        """Do something in a room: written, then shown. Raises what `act` raises: `Refused`, `IllegalAction`."""
        async with live_room.lock:
            room = await until_written(partial(self._act, live_room, act), partial(self._reload, live_room))
            before = live_room.room.steps
            if room.steps[: len(before)] != before:
                live_room.bots.clear()  # what they had planned belongs to another course of the game
            ended = room.row.status == OVER and live_room.room.row.status != OVER
            live_room.room, live_room.written = room, room.row.version
        live_room.changed()
        await self.notifier.publish(live_room.room.id)
        self.attend(live_room)
        for tell in self.when_over if ended else ():
            tell(room)
        return live_room.room

    async def _act(self, live_room: LiveRoom, act: Acting) -> Room:
        """Write what is done in a room, and return the room as it is then. Raise `Conflict`."""
        room, change = act(live_room.room)
        room, change = room.timed(live_room.room, change, self.clock.now())
        await self._steps.write(change, live_room.room.row.version)
        return room

    async def say(self, live_room: LiveRoom, seat: int, saying: talk.Saying) -> None:
        """Say something at the table: written, then heard. Raise `Refused`."""

        async def attempt() -> Room:
            room, row = talk.said(live_room.room, seat, saying, time.time())
            await self.write(self.store.say, room.row, row, TALK_KEPT)
            return room

        async with live_room.lock:
            live_room.room = await until_written(attempt, partial(self._reload, live_room))
        live_room.changed()
        await self.notifier.publish(live_room.room.id)

    async def touch(self, live_room: LiveRoom, moments: dict[int, float]) -> None:
        """Note that a room is not quite what it was, though nothing was done in it: people came or went."""
        async with live_room.lock:
            room = live_room.room.with_seen(moments)
            row = replace(room.row, due_at=clock.due(room.options, room.seats, room.row), touched=time.time())
            await self.write(self.store.seen, row, moments)
            live_room.room = replace(room, row=row)
        live_room.changed()
        await self.notifier.publish(row.id)

    async def noticed(self, room: str | None) -> None:
        """Notice that another process has written in a room; with None, look at all of them."""
        for tell in self.when_noticed:
            await tell(room)
        if room is not None:
            live_room = self.rooms.get(room)
            if live_room is not None:
                await self.refresh(live_room)
            return
        ids = list(self.rooms)
        if not ids:
            return
        there = await self.read(self.store.versions, ids)
        for name in ids:
            live_room = self.rooms.get(name)
            if (
                live_room is not None
                and name in there
                and there.get(name) != (live_room.room.row.version, live_room.room.row.touched)
            ):
                await self.refresh(live_room)
