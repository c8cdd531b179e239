"""Whoever is at the table plays: a bot stands in for those only who are not there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branchline.web.app import notifier_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import creation
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.rows import Change

HOST = "h" * 32


class Page:
    """A page that shows seat 0."""

    seats = (0,)

    def changed(self) -> None:
        """It sees that by itself."""


async def at_a_table(database: str, meet: Callable[[LiveRooms, LiveRoom], Any]) -> LiveRoom:
    """A table whose first player has been away for too long, after what `meet` does there."""
    settings = Settings(database=database)
    store = Store(database)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    try:
        sitting = (SeatSetup("person", "Anna", key=HOST), SeatSetup("bot", "greedy", "greedy"))
        wish = creation.RoomSetup("berlin", sitting, Options(takeover=0.001, pace=60_000), seed=1, first_seat=0)
        found = await creation.create(live, wish, HOST)
        await asyncio.sleep(0.01)
        await meet(live, found)
        for driver in [found.driver] if found.driver else []:
            driver.cancel()
        return found
    finally:
        live.bot_executor.close()
        store.close()


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'rooms.sqlite'}"


def test_a_bot_stands_in_for_somebody_who_is_not_there(database: str) -> None:
    async def meet(live: LiveRooms, room: LiveRoom) -> None:
        await live.looking_after.look_after(room.id)

    assert asyncio.run(at_a_table(database, meet)).room.seats[0].away


@pytest.mark.parametrize("late", [False, True])
def test_whoever_comes_at_the_same_moment_plays(database: str, late: bool) -> None:
    """Before the change is made, or `late`: while it is being written."""

    async def meet(live: LiveRooms, room: LiveRoom) -> None:
        write, came = live._steps.write, []

        async def slow(change: Change, expected: int) -> None:
            if late and not came:
                came.append(asyncio.create_task(live.presence.arrived(room, Page())))
                await asyncio.sleep(0)
            await write(change, expected)

        live._steps.write = slow  # type: ignore[method-assign]
        async with room.lock:
            looking = asyncio.create_task(live.looking_after.look_after(room.id))
            until = time.monotonic() + 20
            while not room.lock._waiters and time.monotonic() < until:  # it has found nobody, and waits
                await asyncio.sleep(0.001)
            if not late:
                room.watchers.add(Page())
        await looking
        await asyncio.gather(*came)

    assert not asyncio.run(at_a_table(database, meet)).room.seats[0].away
