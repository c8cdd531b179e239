"""Time that is played is measured by a clock that nobody sets: the machine's may jump, servers sleep or are down."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from branchline.web.app import notifier_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import clock, creation, purging
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.table_clock import MISSED, TableClock
from branchline.web.core.settings import Settings
from branchline.web.core.store import tables
from branchline.web.core.store.database import Store
from web import servers

HOUR = 3600.0


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


class Machine:
    """A machine whose clocks go as a test wants."""

    def __init__(self) -> None:
        self.date, self.monotonic = 1_790_000_000.0, 500.0

    def runs(self, seconds: float) -> None:
        self.date += seconds
        self.monotonic += seconds


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(time, "time", lambda: made.date)
    return made


@contextlib.asynccontextmanager
async def process(database: str, machine: Machine) -> AsyncIterator[LiveRooms]:
    """What a server process has; its clock is looked at when the test does it, or somebody plays."""
    settings = Settings(database=database)
    store = Store(database)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    live.clock = TableClock(lambda: machine.monotonic, lambda: machine.date)
    await live.open()
    try:
        yield live
    finally:
        await live.close()
        store.close()


async def pass_time(live: LiveRooms, machine: Machine, seconds: float) -> None:
    """Let a process that runs look at its clock each second."""
    for _ in range(int(seconds)):
        machine.runs(1.0)
        live.clock.now()


async def new_room(live: LiveRooms, kind: str, seconds: float, **more: Any) -> LiveRoom:
    options = Options(clock=kind, clock_seconds=seconds, **more)
    people = tuple(SeatSetup("person", name, key=name) for name in ("Anna", "Ben"))
    return await creation.create(live, creation.RoomSetup("berlin", people, options, seed=1, first_seat=0), "host")


def shown(live: LiveRooms, room: LiveRoom, seat: int = 0) -> float:
    row = room.room
    left = clock.left(row.options, row.seats, seat, row.row, live.clock.now())
    assert left is not None
    return round(left, 3)


async def plays(live: LiveRooms, room: LiveRoom) -> None:
    """Whoever is asked answers."""
    seat = room.room.row.asked
    assert seat is not None
    await live.change(room, lambda now: now.played(seat, int(now.game.legal[0]), time.time()))


@pytest.mark.parametrize("jump", [HOUR, -2 * HOUR, 400 * 24 * HOUR, -50 * 365 * 24 * HOUR])
@pytest.mark.parametrize(("kind", "seconds"), [("turn", 60.0), ("game", 1800.0)])
@in_a_loop
async def test_a_step_of_the_machines_clock_reaches_no_player(
    database: str, machine: Machine, jump: float, kind: str, seconds: float
) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, kind, seconds, takeover=30.0)
        await pass_time(live, machine, 10)
        machine.date += jump
        assert shown(live, room) == seconds - 10
        await live.looking_after.look_after(room.id)
        assert not room.room.seats[0].bot, "nobody has run out of time, nor stayed away"
        await plays(live, room)
        assert room.room.seats[0].time_left == (seconds if kind == "turn" else seconds - 10)
        machine.date -= jump  # the clock is set right again, in somebody else's question
        await pass_time(live, machine, 5)
        assert shown(live, room, 1) == seconds - 5
        assert await asyncio.to_thread(live.store.due, live.clock.now()) == []
        await pass_time(live, machine, 30)
        assert await asyncio.to_thread(live.store.due, live.clock.now()) == [room.id]
        await live.looking_after.look_after(room.id)
        assert room.room.seats[1].away, "who really stays away is stood in for"


@in_a_loop
async def test_a_clock_that_goes_to_and_fro_all_the_time_reaches_no_player(database: str, machine: Machine) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "game", 1800.0, takeover=600.0)
        for n in range(40):
            machine.date += HOUR if n % 2 else -2 * HOUR
            await pass_time(live, machine, 3)
            await live.looking_after.look_after(room.id)
        assert shown(live, room) == 1800.0 - 40 * 3
        assert not room.room.seats[0].bot


@pytest.mark.parametrize("jump", [HOUR, -2 * HOUR, 30 * 24 * HOUR])
@in_a_loop
async def test_a_turn_of_days_loses_nothing_by_a_jump_nor_by_a_restart_in_between(
    database: str, machine: Machine, jump: float
) -> None:
    day = 24 * HOUR
    async with process(database, machine) as live:
        room = await new_room(live, "turn", day)
        for _ in range(400):  # a server that runs looks at its clock; here every three seconds
            machine.runs(3.0)
            live.clock.now()
        await live.write(live.store.keep_clock, live.clock.now())
        assert shown(live, room) == day - 1200
    machine.date += jump
    machine.monotonic = 3.0
    async with process(database, machine) as live:
        there = await live.get(room.id)
        assert there is not None and shown(live, there) == day - 1200
        machine.date -= jump
        await pass_time(live, machine, 60)
        await live.looking_after.look_after(room.id)
        assert shown(live, there) == day - 1260
        assert not there.room.seats[0].bot
        await plays(live, there)
        while there.room.row.asked == 0:  # the same turn goes on
            await plays(live, there)
        assert there.room.seats[0].time_left == day
        assert shown(live, there, 1) == day


@in_a_loop
async def test_what_is_undone_and_played_again_gives_no_time_back(database: str, machine: Machine) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "game", 1800.0)
        for n in range(1, 5):
            await pass_time(live, machine, 10)
            seat = room.room.row.asked
            assert seat == 0
            await plays(live, room)
            machine.date += HOUR * (-1) ** n
            if room.room.row.asked == 0 or room.room.may_undo(0):
                await live.change(room, lambda now: now.undone(0, time.time()))
        assert shown(live, room) <= 1800.0 - 40 + 1e-6


def test_nothing_is_deleted_by_a_date_that_has_just_jumped(machine: Machine) -> None:
    date = purging.Date(lambda: machine.monotonic, lambda: machine.date)
    assert date.believed()
    for jump in (400 * 24 * HOUR, -400 * 24 * HOUR):
        machine.date += jump
        for _ in range(23):
            assert not date.believed()
            machine.runs(HOUR)
        machine.runs(2 * HOUR)
        assert date.believed(), "it stays as it is: it was set right"
    machine.date += 8 * HOUR  # a laptop that slept
    assert date.believed()


@in_a_loop
async def test_nobody_pays_for_a_server_that_is_suspended(database: str, machine: Machine) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "turn", 60.0)
        await pass_time(live, machine, 10)
        machine.runs(8 * HOUR)  # the monotonic clock of some machines goes on while they sleep
        assert 50.0 - MISSED <= shown(live, room) <= 50.0
        await pass_time(live, machine, 20)
        assert 30.0 - MISSED <= shown(live, room) <= 30.0


@in_a_loop
async def test_nobody_pays_for_a_server_that_is_down(database: str, machine: Machine) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "game", 1800.0)
        await pass_time(live, machine, 100)
        await live.write(live.store.keep_clock, live.clock.now())
    machine.runs(3 * HOUR)
    machine.monotonic = 7.0  # the machine was started anew
    async with process(database, machine) as live:
        there = await live.get(room.id)
        assert there is not None and shown(live, there) == 1700.0
        await pass_time(live, machine, 50)
        assert shown(live, there) == 1650.0
        await plays(live, there)
        assert there.room.seats[0].time_left == 1650.0


@in_a_loop
async def test_nobody_pays_while_the_database_is_away(database: str, machine: Machine) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "turn", 60.0)
        live.clock.stand()
        await pass_time(live, machine, 500)
        assert shown(live, room) == 60.0
        live.clock.follow(0.0)
        await pass_time(live, machine, 5)
        assert shown(live, room) == 55.0


@in_a_loop
async def test_a_room_that_moves_to_another_process_keeps_its_clock(postgres: str, machine: Machine) -> None:
    async with process(postgres, machine) as one, process(postgres, machine) as other:
        other.clock.set(one.clock.now())
        room = await new_room(one, "game", 1800.0)
        for live in (one, other):
            live.clock.now()
        for _ in range(100):
            machine.runs(1.0)
            one.clock.now()  # the other one is suspended
        there = await other.get(room.id)
        assert there is not None and 1800.0 - MISSED <= shown(other, there) <= 1800.0
        for live in (one, other):
            live.clock.follow(await live.write(live.store.keep_clock, live.clock.now()))
        assert shown(one, room) == shown(other, there) == 1700.0
        await plays(other, there)
        assert there.room.seats[0].time_left == 1700.0
        await one.refresh(room)
        assert room.room.seats[0].time_left == 1700.0 and shown(one, room, 1) == 1800.0


@in_a_loop
async def test_a_clock_that_an_earlier_version_spoilt_shows_what_was_agreed_at_most(
    database: str, machine: Machine
) -> None:
    async with process(database, machine) as live:
        room = await new_room(live, "game", 1800.0)
        with live.store.engine.begin() as connection:
            connection.execute(tables.seats.update().values(time_left=5391.0))
            connection.execute(tables.rooms.update().values(asked_at=machine.date + 2 * HOUR, asked_ahead=0.0))
        live.rooms.clear()
        there = await live.get(room.id)
        assert there is not None and shown(live, there) == 1800.0
        await plays(live, there)
        assert there.room.seats[0].time_left == 1800.0


def test_a_room_of_an_earlier_version_goes_on_by_its_dates(database: str, machine: Machine) -> None:
    """Its questions have dates only; the clock of the tables begins with the date."""

    async def used() -> float:
        async with process(database, machine) as live:
            room = await new_room(live, "turn", 60.0)
            with live.store.engine.begin() as connection:
                connection.execute(tables.rooms.update().values(asked_at=machine.date - 20, asked_ahead=0.0))
            live.rooms.clear()
            there = await live.get(room.id)
            assert there is not None
            return shown(live, there)

    assert asyncio.run(used()) == 40.0


@pytest.mark.long
@in_a_loop
async def test_a_real_server_that_is_stopped_killed_and_started_again_charges_nobody(tmp_path: Path) -> None:
    """A turn has five seconds; the server sleeps for seven and is down for another while."""
    database = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    server = servers.start(database, tmp_path)
    try:
        async with servers.Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", clock="turn 5", first="0")
            os.killpg(server.process.pid, signal.SIGSTOP)
            await asyncio.sleep(7.0)
            os.killpg(server.process.pid, signal.SIGCONT)
            players = (await anna.get(f"/rooms/{room}"))["players"]
            assert 0 < players[0]["time_left"] <= 5.0 and not players[0]["away"]
            server.kill()
            await asyncio.sleep(5.0)
            server = servers.start(database, tmp_path, server.port)
            players = (await anna.get(f"/rooms/{room}"))["players"]
            assert 0 < players[0]["time_left"] <= 5.0 and not players[0]["away"]
            async with asyncio.timeout(30):
                while not (await anna.get(f"/rooms/{room}"))["players"][0]["away"]:
                    await asyncio.sleep(0.2)
    finally:
        server.kill()
