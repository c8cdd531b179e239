"""The rooms of this process while people look at them: one lock for each, its bots, its clock, its viewers.

The order of things is always the same: the room as it would be is made (`room`), written (`store.database`), put
in the old one's place, and only then shown. Whoever writes also has the bots play; the other processes are notified
(`store.notifications`) and reload. Should a process die, `sweep` finds in another one what it has left undone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar

from branchline.bots import Bot, Position
from branchline.web.core import memory, metrics
from branchline.web.core.rooms import clock, guides, kept_boards, seats, talk
from branchline.web.core.rooms.attempts import until_written
from branchline.web.core.rooms.bots import BotExecutor
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import OVER, TALK_KEPT, Refused, Room
from branchline.web.core.rooms.spectators import Spectators
from branchline.web.core.rooms.step_writer import MOST, StepWriter
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.rooms.table_clock import MISSED, NOTED, TICK, TableClock
from branchline.web.core.seen import TableContext
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import Notifier, OnNotice
from branchline.web.core.store.outage import OutageWatch, Unavailable
from branchline.web.core.store.rows import Change, SeatRow

log = logging.getLogger("branchline.rooms")

Answer = TypeVar("Answer")
Acting = Callable[[Room], tuple[Room, Change]]

AT_ONCE = 25  # spectators who are told of a change between two looks at everything else
PRESENT = 75.0  # seconds for which somebody who was seen counts as being there
PAGES = 16  # of a room, that are remembered until they say hello
LATE_PACE = 2.0  # seconds after which a bot's turn is surely nobody else's work


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


def _timed(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Return what a function answers, and note how long it took."""
    with metrics.DATABASE.labels(getattr(function, "__name__", "other").lstrip("_")).time():
        return function(*arguments)


def unless_changed(now: Room, room: Room, done: tuple[Room, Change]) -> tuple[Room, Change]:
    """Return what was done in a room, if it is still as it was."""
    if now.row.version != room.row.version:
        raise Refused("stale", "somebody else was quicker")
    return replace(done[0], seats=_seen_now(done[0].seats, now.seats), talk=now.talk), done[1]


def _seen_now(seats: tuple[SeatRow, ...], now: tuple[SeatRow, ...]) -> tuple[SeatRow, ...]:
    """Return the seats, with the people who are known to be there now."""
    return tuple(replace(seat, seen_until=there.seen_until) for seat, there in zip(seats, now, strict=True))


class LiveRooms:
    """All rooms of this process."""

    def __init__(self, store: Store, notifier: Notifier, settings: Settings) -> None:
        """Begin; nothing happens before `open`."""
        self.store, self.notifier, self.settings = store, notifier, settings
        self.rooms: dict[str, LiveRoom] = {}
        self.clock = TableClock()
        self._outages = OutageWatch()
        self.bot_executor = BotExecutor(settings.bot_threads, settings.bot_seconds)
        self._reading = ThreadPoolExecutor(settings.store_threads, thread_name_prefix="reading")
        writers = settings.store_threads if store.postgres else 1
        self._writing = ThreadPoolExecutor(writers, thread_name_prefix="writing")
        self._steps = StepWriter(self._write_steps, self._writing, 1 if store.postgres else MOST)
        self._working = ThreadPoolExecutor(2, thread_name_prefix="working")
        self.leaving = False  # this process is about to stop
        self.when_over: list[Callable[[Room], None]] = []  # told of a game that has just ended here; must not block
        self.when_noticed: list[OnNotice] = []  # told of what other processes have written, rooms or not
        self._tasks: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Lock] = {}

    async def open(self) -> None:
        """Begin to listen and to look after what is due."""
        shown = await self.read(self.store.kept_clock)
        if shown is not None:
            self.clock.set(shown)
        await self.notifier.open(self._noticed)
        self._start(self._keep_time())
        self._start(self._sweep())
        self._start(self._heartbeat())
        self._start(self._catch_up())

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
        await self._steps.finish()
        self.bot_executor.close()
        self._writing.shutdown()
        self._reading.shutdown()
        self._working.shutdown(wait=False, cancel_futures=True)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------------------------------------ the store

    async def read(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Ask the store something, in a thread. Raise `Unavailable` while the database is away."""
        ask = self._outages.read
        return await asyncio.get_running_loop().run_in_executor(self._reading, ask, _timed, function, *arguments)

    async def work(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Have something worked out that takes long, in a thread; those who only want to read do not wait behind it."""
        return await asyncio.get_running_loop().run_in_executor(self._working, function, *arguments)

    async def write(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Have the store write something, in a thread; it is done even when nobody waits any more.

        Raise `Unavailable` while the database is away.
        """
        ask = self._outages.write
        work = asyncio.get_running_loop().run_in_executor(self._writing, ask, _timed, function, *arguments)
        return await asyncio.shield(work)

    def _write_steps(self, steps: Sequence[tuple[Change, int]]) -> list[Exception | None]:
        with metrics.DATABASE.labels("write").time():
            return self._outages.write(self.store.write_all, steps)

    # ------------------------------------------------------------------------------------------------ rooms

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

    # ------------------------------------------------------------------------------------------------ bots

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
                    await self.change(live_room, partial(unless_changed, room=room, done=change))
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
        return await self.bot_executor.choose(live_room, asked.bot, position)

    # ------------------------------------------------------------------------------------------------ time

    async def _keep_time(self) -> None:
        """Look at the clock of the tables, and agree on it with the other processes; it stands without a database."""
        noted = looked = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            self.clock.now()
            stood, looked = time.monotonic() - looked > MISSED, time.monotonic()
            if not stood and looked < noted + NOTED:
                continue
            try:
                self.clock.follow(await self.write(self.store.keep_clock, self.clock.now()))
                noted = looked
            except Unavailable:
                self.clock.stand()
            except Exception:
                log.exception("the clock of the tables could not be kept")
                noted = looked

    async def _sweep(self) -> None:
        """Look after clocks that ran out, people who stay away, and bots whose process has died."""
        while True:
            await asyncio.sleep(self.settings.sweep)
            try:
                for room in await self.read(self.store.due, self.clock.now()):
                    await self.look_after(room)
                if self._forget_idle():
                    await self.work(memory.give_back)
            except Unavailable:
                pass
            except Exception:
                log.exception("the sweep was interrupted")

    async def look_after(self, room: str) -> None:
        """See to what is due in a room."""
        try:
            live_room = await self.get(room, fresh=True)
        except Unreadable as error:
            log.error("%s", error)
            return
        if live_room is None:
            return
        asked, now = live_room.room.asked, self.clock.now()
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
        self.attend(live_room)

    async def _stand_in(self, live_room: LiveRoom, seat: int, why: str) -> None:
        def act(room: Room) -> tuple[Room, Change]:
            if room.row.asked != seat or (why == "away" and seat in live_room.present):
                raise Refused("stale", "it is no longer asked, or back")
            for_good = why == "late" and room.options.clock == "game"
            return room.stood_in(seat, "resign" if for_good else why, seats.stand_in(), time.time())

        try:
            await self.change(live_room, act)
        except Refused as refusal:
            log.info("nobody stands in at seat %s of %s: %s", seat, live_room.room.id, refusal)
            return
        if why == "away" and seat in live_room.present:  # it came while that was written
            await self.give_back(live_room, seat)

    def _forget_idle(self) -> int:
        """Let rooms go that nobody looks at; how many."""
        now, there = time.monotonic(), len(self.rooms)
        for room, live_room in list(self.rooms.items()):
            busy = live_room.watchers or live_room.lock.locked() or (live_room.driver and not live_room.driver.done())
            if not busy and now - live_room.used > self.settings.keep_idle:
                del self.rooms[room]
        return there - len(self.rooms)

    # ------------------------------------------------------------------------------------------------ people

    async def arrived(self, live_room: LiveRoom, watcher: Watcher) -> None:
        """Note that a person has opened the table; their seat is theirs again if a bot stood in."""
        live_room.watchers.add(watcher)
        for seat in watcher.seats:
            if live_room.room.seats[seat].away:
                await self.give_back(live_room, seat)
        now = self.clock.now()
        soon = now + PRESENT / 2
        fading = [seat for seat in watcher.seats if live_room.room.seats[seat].seen_until < soon]
        await self._note_seen(live_room, fading, now + PRESENT)
        if clock.waited(live_room.room.row, now) > live_room.room.options.pace / 1000 + LATE_PACE:
            self.attend(live_room)

    async def left(self, live_room: LiveRoom, watcher: Watcher) -> None:
        """Note that a person has closed the table."""
        live_room.watchers.discard(watcher)
        live_room.used = time.monotonic()
        absent = set(watcher.seats) - live_room.present
        with contextlib.suppress(Unavailable):  # then it is noted that they are there, for a minute
            await self._note_seen(live_room, absent, self.clock.now())

    async def give_back(self, live_room: LiveRoom, seat: int) -> None:
        """Let a person play again for whom a bot stood in."""
        try:
            await self.change(live_room, lambda room: room.given_back(seat, time.time()))
        except Refused:
            return

    async def _note_seen(self, live_room: LiveRoom, who: Iterable[int], until: float) -> None:
        moments = dict.fromkeys(who, until)
        if moments:
            await self.touch(live_room, moments)

    async def touch(self, live_room: LiveRoom, moments: dict[int, float]) -> None:
        """Note that a room is not quite what it was, though nothing was done in it: people came or went."""
        async with live_room.lock:
            room = live_room.room.with_seen(moments)
            row = replace(room.row, due_at=clock.due(room.options, room.seats, room.row), touched=time.time())
            await self.write(self.store.seen, row, moments)
            live_room.room = replace(room, row=row)
        live_room.changed()
        await self.notifier.publish(row.id)

    async def _heartbeat(self) -> None:
        """Note for the other processes who is there."""
        while True:
            await asyncio.sleep(PRESENT / 3)
            for live_room in list(self.rooms.values()):
                now = self.clock.now()
                soon = now + PRESENT / 2
                fading = [seat for seat in live_room.present if live_room.room.seats[seat].seen_until < soon]
                try:
                    await self._note_seen(live_room, fading, now + PRESENT)
                except Unavailable:
                    break
                except Exception:
                    log.exception("presence could not be noted in room %s", live_room.room.id)

    # ------------------------------------------------------------------------------------------------ notices

    async def _catch_up(self) -> None:
        """Look at the rooms that are open here, whatever notices come: one may be lost, and nobody hears of that."""
        while True:
            await asyncio.sleep(self.settings.catch_up)
            try:
                await self._noticed(None)
            except Unavailable:
                pass
            except Exception:
                log.exception("the open rooms could not be looked at")

    async def _noticed(self, room: str | None) -> None:
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
