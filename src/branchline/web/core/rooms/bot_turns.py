"""The bots at the tables of this process: they play where it is their turn. Whoever writes also has the bots play."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from functools import partial

from branchline.bots import Position
from branchline.web.core.rooms import guides
from branchline.web.core.rooms.bots import BotExecutor
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.open_rooms import OpenRooms
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.rows import Change, SeatRow

log = logging.getLogger("branchline.rooms")


def unless_changed(now: Room, room: Room, done: tuple[Room, Change]) -> tuple[Room, Change]:
    """Return what was done in a room, if it is still as it was."""
    if now.row.version != room.row.version:
        raise Refused("stale", "somebody else was quicker")
    return replace(done[0], seats=_seen_now(done[0].seats, now.seats), talk=now.talk), done[1]


def _seen_now(seats: tuple[SeatRow, ...], now: tuple[SeatRow, ...]) -> tuple[SeatRow, ...]:
    """Return the seats, with the people who are known to be there now."""
    return tuple(
        seat if seat.seen_until == there.seen_until else replace(seat, seen_until=there.seen_until)
        for seat, there in zip(seats, now, strict=True)
    )


class BotTurns:
    """Plays for the bots."""

    def __init__(self, rooms: OpenRooms, executor: BotExecutor) -> None:
        """Begin; `executor` thinks for them."""
        self._rooms, self._executor = rooms, executor

    def attend(self, live_room: LiveRoom) -> None:
        """Have the bot play whose question it is, if it is one's."""
        asked = live_room.room.asked
        running = live_room.driver is not None and not live_room.driver.done()
        if asked is not None and asked.bot and not running:
            live_room.driver = asyncio.create_task(self._drive(live_room))

    async def _drive(self, live_room: LiveRoom) -> None:
        """Play for bots until a person is asked, or another process is seen to do it."""
        while (asked := live_room.room.asked) is not None and asked.bot:
            room = live_room.room
            await asyncio.sleep(0.0 if room.mid_turn or not live_room.watchers else room.options.pace / 1000)
            try:
                if live_room.room.row.version == room.row.version:
                    change = await self._bots_turn(live_room, room, asked)
                    await self._rooms.change(live_room, partial(unless_changed, room=room, done=change))
            except Refused:
                pass  # the room went on while the bot was thinking
            except Unavailable:
                return  # the sweep comes by when the database is back
            except Exception:
                log.exception("a bot could not play in room %s", room.id)
                return  # the sweep comes by again
            if live_room.room.row.version != live_room.written:
                return  # another process plays here

    async def _bots_turn(self, live_room: LiveRoom, room: Room, asked: SeatRow) -> tuple[Room, Change]:
        """Return all that a bot does until its turn is over, written and shown as one step."""
        action = await self._chosen(live_room, room, asked)
        after, change = room.played(asked.seat, action, time.time())
        while after.row.asked == asked.seat and after.mid_turn and after.asked is not None:
            action = await self._chosen(live_room, after, asked)
            after, step = after.played(asked.seat, action, time.time())
            change = change.then(step)
        return after, change

    async def _chosen(self, live_room: LiveRoom, room: Room, asked: SeatRow) -> int | str:
        """Return the action of the bot that is asked: the guide's choice, or else its own."""
        answer = guides.reply(room)
        if answer is not None:
            return answer
        position = Position.of(room.game)
        return await self._executor.choose(live_room, asked.bot, position)
