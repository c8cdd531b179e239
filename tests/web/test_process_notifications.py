"""Two sets of live rooms on one database, with a real Redis between them that is killed, hangs, and comes back."""

from __future__ import annotations

import asyncio
import logging
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from branchline.boards import load_board
from branchline.game import Game
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import RedisNotifier
from needs import missing
from web.servers import free_port, start_redis


@pytest.fixture
def port() -> Iterator[int]:
    if shutil.which("redis-server") is None:
        missing("Redis is not installed (apt-get install redis-server)")
    yield free_port()


def ended(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait(10)


@asynccontextmanager
async def process_on(database: str, port: int) -> AsyncIterator[LiveRooms]:
    """What a server process has: a store of its own, and its live rooms."""
    settings = Settings(database=database, redis=f"redis://127.0.0.1:{port}/0")
    store = Store(database)
    live = LiveRooms(store, RedisNotifier(settings.redis, store.process), settings)
    await live.open()
    try:
        yield live
    finally:
        await live.close()
        store.close()


async def new_game(live: LiveRooms) -> LiveRoom:
    """Of two people, who are both here."""
    game = Game(load_board("berlin"), 2, 1)
    sitting = [SeatSetup("person", name, key=name) for name in ("Anna", "Ben")]
    room, keys = new_room(new_room_id(), game, "berlin", sitting, Options(), "host", time.time())
    return await live.add(room, keys)


async def act(live: LiveRooms, live_room: LiveRoom) -> None:
    seat = live_room.room.game.question.seat
    assert seat is not None
    await live.change(live_room, lambda room: room.played(seat, int(room.game.legal[0]), time.time()))


async def catches_up(there: LiveRoom, here: LiveRoom) -> None:
    """Waits until both are at the same version; there is no end to it when nobody tells them."""
    async with asyncio.timeout(30):
        while there.room.row.version != here.room.row.version:
            await asyncio.sleep(0.05)


@pytest.mark.long
def test_what_is_done_while_redis_is_away_is_seen_by_the_other_processes(database: str, port: int) -> None:
    async def play() -> None:
        redis = start_redis(port)
        try:
            async with process_on(database, port) as here, process_on(database, port) as elsewhere:
                one = await new_game(here)
                other = await elsewhere.get(one.room.id)
                assert other is not None
                await act(here, one)
                await catches_up(other, one)
                ended(redis)
                await asyncio.sleep(0.5)
                await act(here, one)
                await catches_up(other, one)
                redis = start_redis(port)
                await act(here, one)
                await catches_up(other, one)
        finally:
            ended(redis)

    asyncio.run(play())


@pytest.mark.long
@pytest.mark.parametrize(("patience", "lines"), [(0.2, 1), (10_000.0, 0)])
def test_no_action_waits_for_a_redis_that_hangs_and_the_log_says_it_once(
    patience: float,
    lines: int,
    database: str,
    port: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("branchline.web.core.store.notifications.HANGING", patience)
    caplog.set_level(logging.WARNING, "branchline.notifications")

    async def play() -> None:
        redis = start_redis(port)
        try:
            async with process_on(database, port) as here, process_on(database, port) as elsewhere:
                one = await new_game(here)
                other = await elsewhere.get(one.room.id)
                assert other is not None
                redis.send_signal(signal.SIGSTOP)
                for _ in range(5):
                    await act(here, one)
                await catches_up(other, one)
                await asyncio.sleep(1)
                await act(here, one)
                await asyncio.sleep(0.5)
        finally:
            ended(redis)

    asyncio.run(play())
    assert sum("cannot be sent" in line for line in caplog.messages) == lines
