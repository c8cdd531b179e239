"""The rooms of this process while people look at them: what opens them, has bots play, and looks after them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine

from branchline.web.core.rooms.bot_turns import BotTurns
from branchline.web.core.rooms.bots import BotExecutor
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.looking_after import LookingAfter
from branchline.web.core.rooms.open_rooms import OpenRooms
from branchline.web.core.rooms.presence import Presence
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import Notifier
from branchline.web.core.store.outage import Unavailable


class LiveRooms(OpenRooms):
    """All rooms of this process."""

    def __init__(self, store: Store, notifier: Notifier, settings: Settings) -> None:
        """Begin; nothing happens before `open`."""
        super().__init__(store, notifier, settings)
        self.bot_executor = BotExecutor(settings.bot_threads, settings.bot_seconds)
        self._bots = BotTurns(self, self.bot_executor)
        self.presence = Presence(self)
        self.looking_after = LookingAfter(self, self.presence)
        self.leaving = False  # this process is about to stop
        self._tasks: set[asyncio.Task[None]] = set()

    def attend(self, live_room: LiveRoom) -> None:
        """Have the bot play whose question it is, if it is one's."""
        self._bots.attend(live_room)

    async def open(self) -> None:
        """Begin to listen and to look after what is due."""
        shown = await self.read(self.store.kept_clock)
        if shown is not None:
            self.clock.set(shown)
        await self.notifier.open(self.noticed)
        self._start(self.looking_after.keep_time())
        self._start(self.looking_after.sweep())
        self._start(self.presence.heartbeat())
        self._start(self.looking_after.catch_up())

    def release(self) -> None:
        """Answer those who wait for something to happen: this process is about to stop, another one will tell them."""
        self.leaving = True
        for room in self.rooms.values():
            room.changed()

    async def close(self) -> None:
        """Stop; all that was acknowledged is in the store."""
        await self.notifier.close()
        drivers = [live_room.driver for live_room in self.rooms.values() if live_room.driver]
        for task in (*self._tasks, *drivers):
            task.cancel()
        await asyncio.gather(*self._tasks, *drivers, return_exceptions=True)
        with contextlib.suppress(Unavailable):
            await self.write(self.store.keep_clock, self.clock.now())
        self.bot_executor.close()
        await self.finish()

    def _start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
