"""Thinking is shared out fairly between addresses and rooms."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import branchline as bl
from branchline.bots import Bot, Position, make_bot
from branchline.web.core.rooms import bots
from branchline.web.core.rooms.fair_threads import UNWATCHED, FairThreads
from branchline.web.core.rooms.seats import stand_in


@dataclass
class Room:
    """Somebody who asks."""

    id: str
    address: str
    watched: bool = True


class OneThread:
    """Fair threads, one of them, that is held until the line has formed; notes who had a turn."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.threads = FairThreads(1, "test", lambda: self.seconds)
        self.had: list[str] = []
        self.go = threading.Event()
        self.tasks = [asyncio.create_task(self._held())]

    async def _held(self) -> None:
        async with self.threads.turn(Room("held", "nobody")) as submit:
            await submit(self.go.wait)

    async def _ask(self, room: Room) -> None:
        async with self.threads.turn(room) as submit:
            self.had.append(room.id)
            await submit(lambda: None)

    async def ask(self, *rooms: Room) -> None:
        for room in rooms:
            self.tasks.append(asyncio.create_task(self._ask(room)))
        await asyncio.sleep(0)

    async def order(self) -> list[str]:
        """Let them go on, and see who came when."""
        self.go.set()
        await asyncio.gather(*self.tasks)
        self.threads.close()
        return self.had


def test_an_address_with_many_rooms_gets_every_second_turn_when_there_is_another_one() -> None:
    async def run() -> list[str]:
        thread = OneThread()
        await thread.ask(*(Room(f"many-{n}", "192.0.2.1") for n in range(6)))
        await thread.ask(Room("few-0", "192.0.2.2"), Room("few-1", "192.0.2.2"))
        return await thread.order()

    had = asyncio.run(run())
    assert (
        {name.partition("-")[0] for name in had[:2]} == {name.partition("-")[0] for name in had[2:4]} == {"many", "few"}
    )
    assert all(name.startswith("many") for name in had[4:])


def test_rooms_of_one_address_take_turns() -> None:
    async def run() -> list[str]:
        thread = OneThread()
        busy, quiet = Room("busy", "192.0.2.1"), Room("quiet", "192.0.2.1")
        await thread.ask(busy, busy, busy, quiet)
        return await thread.order()

    assert asyncio.run(run()).index("quiet") == 1


def test_rooms_that_nobody_watches_come_last_but_not_never() -> None:
    async def run(waiting: float) -> list[str]:
        thread = OneThread()
        await thread.ask(Room("unwatched", "192.0.2.1", watched=False))
        thread.seconds = waiting
        await thread.ask(Room("watched", "192.0.2.2"), Room("watched too", "192.0.2.2"))
        return await thread.order()

    assert asyncio.run(run(0.0)) == ["watched", "watched too", "unwatched"]
    assert asyncio.run(run(UNWATCHED))[0] == "unwatched"


def test_a_room_that_is_opened_while_it_waits_counts_as_watched() -> None:
    async def run() -> list[str]:
        thread = OneThread()
        late = Room("late", "192.0.2.1", watched=False)
        await thread.ask(late, Room("watched", "192.0.2.2"), Room("watched too", "192.0.2.2"))
        late.watched = True
        return await thread.order()

    assert asyncio.run(run())[0] == "late"


def test_whoever_stops_waiting_leaves_the_line_and_takes_no_thread_with_it() -> None:
    async def run() -> list[str]:
        thread = OneThread()
        await thread.ask(Room("gone", "192.0.2.1"), Room("stays", "192.0.2.2"))
        thread.tasks.pop(1).cancel()
        return await thread.order()

    assert asyncio.run(run()) == ["stays"]


def test_a_thread_is_free_only_when_its_function_has_ended() -> None:
    async def run() -> list[str]:
        threads, go, had = FairThreads(1, "test"), threading.Event(), []

        async def impatient() -> None:
            async with threads.turn(Room("impatient", "192.0.2.1")) as submit:
                await asyncio.wait_for(submit(go.wait), 0.01)

        async def next_one() -> None:
            async with threads.turn(Room("next", "192.0.2.1")) as submit:
                had.append("in")
                await submit(lambda: None)

        with pytest.raises(TimeoutError):
            await impatient()
        after = asyncio.create_task(next_one())
        for _ in range(5):
            await asyncio.sleep(0)
        before = list(had)
        go.set()
        await after
        threads.close()
        return [*before, "freed", *had]

    assert asyncio.run(run()) == ["freed", "in"]


@dataclass
class Table:
    """A room with bots."""

    id: str
    address: str
    watched: bool
    bots: dict[int, Bot]


class Slow:
    """A search that does not end before it is told to."""

    name = "master"

    def __init__(self, go: threading.Event) -> None:
        self.go = go

    def choose(self, position: Position) -> int:
        self.go.wait()
        return int(position.legal[0])


def test_people_who_wait_too_long_for_a_search_are_answered_by_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(bots, "SearchBot", Slow)
    monkeypatch.setattr(bots, "make_bot", lambda level, seed: Slow(go) if level == "master" else make_bot(level, seed))
    position = Position.of(bl.Game(bl.load_board("berlin"), 2, seed=1))
    asked: list[str] = []

    async def run() -> tuple[int, bool]:
        executor = bots.BotExecutor(1, 0.2)
        monkeypatch.setattr(bots, "stand_in", lambda: asked.append("stand-in") or stand_in())  # type: ignore[func-returns-value]
        many = [Table(f"many-{n}", "192.0.2.1", False, {}) for n in range(3)]
        hogs = [asyncio.create_task(executor.choose(one, "master", position)) for one in many]
        await asyncio.sleep(0)
        mine = Table("mine", "192.0.2.2", True, {})
        answer = await executor.choose(mine, "master", position)
        still = not go.is_set()
        go.set()
        await asyncio.gather(*hogs)
        executor.close()
        return answer, still

    answer, still = asyncio.run(run())
    assert answer in position.legal
    assert still, "the others were waited for"
    assert asked


class Acting:
    """A bot that does something before it takes the first action."""

    name = "greedy"

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def choose(self, position: Position) -> int:
        self.act()
        return int(position.legal[0])


def answered_by(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object], seconds: float = 0.2) -> list[str]:
    """Who answers for a bot that acts so, and whether it had to be replaced."""
    asked = ["greedy"]
    monkeypatch.setattr(
        bots, "make_bot", lambda level, seed: Acting(act) if level == "greedy" else make_bot(level, seed)
    )
    monkeypatch.setattr(bots, "stand_in", lambda: asked.append("stand-in") or stand_in())  # type: ignore[func-returns-value]
    position = Position.of(bl.Game(bl.load_board("berlin"), 2, seed=1))

    async def run() -> None:
        executor = bots.BotExecutor(2, seconds)
        try:
            answer = await executor.choose(Table("mine", "192.0.2.2", True, {}), "greedy", position)
            assert answer in position.legal
        finally:
            executor.close()

    asyncio.run(run())
    return asked


@pytest.mark.long
def test_a_bot_on_a_busy_machine_answers_itself_however_long_that_takes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A thread that gets no processor looks like one that sleeps: five times its limit passes."""
    answered_by(monkeypatch, lambda: threading.Event().wait(1.0))
    assert not caplog.records


def test_a_bot_that_computes_for_too_long_is_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    go = threading.Event()

    def compute() -> None:
        while not go.is_set():
            sum(range(1000))

    try:
        assert "stand-in" in answered_by(monkeypatch, compute)
    finally:
        go.set()
    assert ["computed for more than 0.2 s" in record.getMessage() for record in caplog.records] == [True]


def test_a_bot_that_waits_for_ever_is_left_after_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    go = threading.Event()
    monkeypatch.setattr(bots, "BACKSTOP", 2)
    try:
        assert "stand-in" in answered_by(monkeypatch, go.wait)
    finally:
        go.set()
    assert ["did not answer within 0.4 s" in record.getMessage() for record in caplog.records] == [True]
