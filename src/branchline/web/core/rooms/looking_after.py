"""What is due in the rooms whoever is there: the clock of the tables, people who are late or away, idle rooms.

Should a process die, the sweep finds in another one what it has left undone.
"""

from __future__ import annotations

import asyncio
import logging
import time

from branchline.web.core import memory
from branchline.web.core.rooms import clock, seats
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.open_rooms import OpenRooms
from branchline.web.core.rooms.presence import Presence
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.rooms.table_clock import MISSED, NOTED, TICK
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.rows import Change

log = logging.getLogger("branchline.rooms")


class LookingAfter:
    """Looks after what is due."""

    def __init__(self, rooms: OpenRooms, presence: Presence) -> None:
        """Begin."""
        self._rooms, self._presence = rooms, presence

    async def keep_time(self) -> None:
        """Look at the clock of the tables, and agree on it with the other processes; it stands without a database."""
        noted = looked = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            self._rooms.clock.now()
            stood, looked = time.monotonic() - looked > MISSED, time.monotonic()
            if not stood and looked < noted + NOTED:
                continue
            try:
                self._rooms.clock.follow(await self._rooms.write(self._rooms.store.keep_clock, self._rooms.clock.now()))
                noted = looked
            except Unavailable:
                self._rooms.clock.stand()
            except Exception:
                log.exception("the clock of the tables could not be kept")
                noted = looked

    async def sweep(self) -> None:
        """Look after clocks that ran out, people who stay away, and bots whose process has died."""
        while True:
            await asyncio.sleep(self._rooms.settings.sweep)
            try:
                for room in await self._rooms.read(self._rooms.store.due, self._rooms.clock.now()):
                    await self.look_after(room)
                if self.forget_idle():
                    await self._rooms.work(memory.give_back)
            except Unavailable:
                pass
            except Exception:
                log.exception("the sweep was interrupted")

    async def look_after(self, room: str) -> None:
        """See to what is due in a room."""
        try:
            live_room = await self._rooms.get(room, fresh=True)
        except Unreadable as error:
            log.error("%s", error)
            return
        if live_room is None:
            return
        asked, now = live_room.room.asked, self._rooms.clock.now()
        if asked is None:
            return
        here = asked.seat
        room_now = live_room.room
        if clock.ran_out(room_now.options, room_now.seats, here, room_now.row, now):
            await self._stand_in(live_room, here, "late")
        elif (
            clock.stays_away(room_now.options, room_now.seats, here, room_now.row, now)
            and here not in live_room.present
        ):
            await self._stand_in(live_room, here, "away")
        self._rooms.attend(live_room)

    async def _stand_in(self, live_room: LiveRoom, seat: int, why: str) -> None:
        def act(room: Room) -> tuple[Room, Change]:
            if room.row.asked != seat or (why == "away" and seat in live_room.present):
                raise Refused("stale", "it is no longer asked, or back")
            for_good = why == "late" and room.options.clock == "game"
            return room.stood_in(seat, "resign" if for_good else why, seats.stand_in(), time.time())

        try:
            await self._rooms.change(live_room, act)
        except Refused as refusal:
            log.info("nobody stands in at seat %s of %s: %s", seat, live_room.room.id, refusal)
            return
        if why == "away" and seat in live_room.present:  # it came while that was written
            await self._presence.give_back(live_room, seat)

    def forget_idle(self) -> int:
        """Let rooms go that nobody looks at; how many."""
        now, there = time.monotonic(), len(self._rooms.rooms)
        for room, live_room in list(self._rooms.rooms.items()):
            busy = live_room.watchers or live_room.lock.locked() or (live_room.driver and not live_room.driver.done())
            if not busy and now - live_room.used > self._rooms.settings.keep_idle:
                del self._rooms.rooms[room]
        return there - len(self._rooms.rooms)

    async def catch_up(self) -> None:
        """Look at the rooms that are open here, whatever notices come: one may be lost, and nobody hears of that."""
        while True:
            await asyncio.sleep(self._rooms.settings.catch_up)
            try:
                await self._rooms.noticed(None)
            except Unavailable:
                pass
            except Exception:
                log.exception("the open rooms could not be looked at")
