"""Who is at the tables of this process: people who come and go, and whose seats are given back to them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable

from branchline.web.core.rooms import clock
from branchline.web.core.rooms.live_room import LiveRoom, Watcher
from branchline.web.core.rooms.open_rooms import OpenRooms
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.outage import Unavailable

log = logging.getLogger("branchline.rooms")

PRESENT = 75.0  # seconds for which somebody who was seen counts as being there
LATE_PACE = 2.0  # seconds after which a bot's turn is surely nobody else's work


class Presence:
    """Notes who is there."""

    def __init__(self, rooms: OpenRooms) -> None:
        """Begin."""
        self._rooms = rooms

    async def arrived(self, live_room: LiveRoom, watcher: Watcher) -> None:
        """Note that a person has opened the table; their seat is theirs again if a bot stood in."""
        live_room.watchers.add(watcher)
        for seat in watcher.seats:
            if live_room.room.seats[seat].away:
                await self.give_back(live_room, seat)
        now = self._rooms.clock.now()
        soon = now + PRESENT / 2
        fading = [seat for seat in watcher.seats if live_room.room.seats[seat].seen_until < soon]
        await self._note_seen(live_room, fading, now + PRESENT)
        if clock.waited(live_room.room.row, now) > live_room.room.options.pace / 1000 + LATE_PACE:
            self._rooms.attend(live_room)

    async def left(self, live_room: LiveRoom, watcher: Watcher) -> None:
        """Note that a person has closed the table."""
        live_room.watchers.discard(watcher)
        live_room.used = time.monotonic()
        absent = set(watcher.seats) - live_room.present
        with contextlib.suppress(Unavailable):  # then it is noted that they are there, for a minute
            await self._note_seen(live_room, absent, self._rooms.clock.now())

    async def give_back(self, live_room: LiveRoom, seat: int) -> None:
        """Let a person play again for whom a bot stood in."""
        try:
            await self._rooms.change(live_room, lambda room: room.given_back(seat, time.time()))
        except Refused:
            return

    async def _note_seen(self, live_room: LiveRoom, who: Iterable[int], until: float) -> None:
        moments = dict.fromkeys(who, until)
        if moments:
            await self._rooms.touch(live_room, moments)

    async def heartbeat(self) -> None:
        """Note for the other processes who is there."""
        while True:
            await asyncio.sleep(PRESENT / 3)
            for live_room in list(self._rooms.rooms.values()):
                now = self._rooms.clock.now()
                soon = now + PRESENT / 2
                fading = [seat for seat in live_room.present if live_room.room.seats[seat].seen_until < soon]
                try:
                    await self._note_seen(live_room, fading, now + PRESENT)
                except Unavailable:
                    break
                except Exception:
                    log.exception("presence could not be noted in room %s", live_room.room.id)
