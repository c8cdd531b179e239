"""Many strangers at once: nobody takes the place, the time or the bots of somebody else. Real servers, real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.web.http.audience import Audience, Full
from branchline.web.http.connections import OpenConnections
from branchline.web.rooms.perspective import Viewer
from branchline.web.settings import Limits, Settings
from web.running_here import running_here
from web.servers import Bot, Person, hear, say

FEW = replace(Limits(), sockets_per_room=6, sockets_per_seat=2, sockets_per_address=30)


def settings_of(folder: Path, limits: Limits) -> Settings:
    return Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, limits=limits)


async def waiting(bot: Bot, room: str) -> asyncio.Task[int]:
    """A request that waits for news, on its way."""

    async def wait() -> int:
        return (await bot.call("GET", f"/rooms/{room}/events", params={"since": 1 << 20, "wait": 4})).status_code

    return asyncio.create_task(wait())


async def refused(polls: list[asyncio.Task[int]]) -> int:
    return sum([await poll == 429 for poll in polls])


@pytest.mark.long
@pytest.mark.parametrize("invited", [False, True], ids=["strangers", "spectators"])
def test_those_who_watch_do_not_take_the_place_of_those_who_sit(tmp_path: Path, invited: bool) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna, Person(url) as eve:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="here", first="0", open="1")
            if invited:
                watch = (await anna.get(f"/rooms/{room}"))["watch"]
                assert (await eve.http.get(watch)).status_code == 303
            crowd = [await waiting(eve, room) for _ in range(15)]
            await asyncio.sleep(1)
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                assert "fragments" in await hear(talk)
                own = await waiting(anna, room)
                assert await own == 200
            assert await refused(crowd) == 15 - FEW.sockets_per_room

    with running_here(settings_of(tmp_path, FEW)) as (url, _):
        asyncio.run(play(url))


def test_strangers_do_not_take_the_place_of_spectators_and_a_seat_has_its_own_limit() -> None:
    audience = Audience(FEW)
    held = []

    def come(viewer: Viewer, address: str) -> int:
        """How many of twenty there is a place for."""
        for n in range(20):
            place = audience.place("room", viewer, address)
            try:
                place.__enter__()
            except Full:
                return n
            held.append(place)
        return 20

    assert come(Viewer(), "stranger") == 6
    assert come(Viewer(invited=True), "friend") == 6
    assert come(Viewer(mine=(0,)), "anna") == 2
    assert come(Viewer(mine=(1, 2)), "ben") == 2
    for place in held:
        place.__exit__(None, None, None)
    assert not audience._counts


def test_an_address_has_room_for_its_seats_however_many_watch_from_there() -> None:
    audience = Audience(replace(FEW, sockets_per_address=3))
    held = [audience.place(f"room {n}", Viewer(), "house") for n in range(3)]
    for place in held:
        place.__enter__()
    with pytest.raises(Full), audience.place("room 4", Viewer(), "house"):
        pass
    with audience.place("room 4", Viewer(), "elsewhere"), audience.place("room 1", Viewer(mine=(0,)), "house"):
        pass


async def half_sent(port: int, text: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    return reader, writer


async def hung_up(reader: asyncio.StreamReader) -> bool:
    """Whether the other side closes the connection soon."""
    with contextlib.suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), 10)
    return True


HALVES = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "a request, then half of one": b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n|GET / HTTP/1.1\r\nHo",
    "half a body": b"POST /new HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\na=",
}


@pytest.mark.parametrize("half", HALVES)
def test_who_sends_half_a_request_is_not_waited_for_for_ever(tmp_path: Path, half: str) -> None:
    limits = replace(Limits(), headers=0.5, request=0.5)

    async def play(url: str) -> None:
        first, *second = HALVES[half].split(b"|")
        reader, writer = await half_sent(int(url.rsplit(":", 1)[1]), first)
        for text in second:
            assert b" 404 " in await reader.readline()
            await asyncio.sleep(0.2)
            writer.write(text)
        if half == "half a body":
            assert b" 408 " in await asyncio.wait_for(reader.readline(), 10)
        else:
            assert await hung_up(reader)
        writer.close()
        async with Person(url) as anna:
            assert (await anna.http.get("/")).status_code == 200

    with running_here(settings_of(tmp_path, limits)) as (url, _):
        asyncio.run(play(url))


def test_a_head_without_end_is_not_read(tmp_path: Path) -> None:
    async def play(url: str) -> None:
        reader, writer = await half_sent(int(url.rsplit(":", 1)[1]), b"GET / HTTP/1.1\r\n")
        with contextlib.suppress(ConnectionError):
            for n in range(200):
                writer.write(b"X-%d: " % n + b"y" * 1000 + b"\r\n")
                await writer.drain()
        assert await hung_up(reader)

    with running_here(settings_of(tmp_path, Limits())) as (url, _):
        asyncio.run(play(url))


def test_a_body_that_nobody_reads_is_answered_all_the_same(tmp_path: Path) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna:
            for _ in range(2):
                answer = await anna.http.post("/upload", content=b"x" * 3_000_000)
                assert answer.status_code == 413

    with running_here(settings_of(tmp_path, Limits())) as (url, _):
        asyncio.run(play(url))


def test_an_address_has_only_so_many_connections_and_all_are_counted_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = replace(Limits(), connections_per_address=20)

    async def play(url: str) -> None:
        port = int(url.rsplit(":", 1)[1])
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="here")
            for _ in range(3):  # WebSockets are counted back too
                async with contextlib.AsyncExitStack() as talks:
                    for _ in range(10):
                        await say(await talks.enter_async_context(anna.talk(room)), do="ping")
        halves = [await half_sent(port, b"GET / HT") for _ in range(40)]
        reading = [asyncio.create_task(reader.read()) for reader, _ in halves]
        async with asyncio.timeout(10):
            while sum(one.done() for one in reading) < 20:
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.3)
        assert sum(one.done() for one in reading) == 20
        for _, writer in halves:
            writer.close()
        await asyncio.sleep(0.5)
        async with Person(url) as anna:
            assert (await anna.http.get("/")).status_code == 200

    with running_here(settings_of(tmp_path, limits)) as (url, _):
        asyncio.run(play(url))
    assert sum("connections open" in line for line in caplog.messages) == 1


def test_connections_of_a_trusted_proxy_are_not_counted() -> None:
    few = replace(Limits(), connections_per_address=2)
    for proxies, address, allowed in (
        ("10.0.0.0/8, 127.0.0.1", "10.1.2.3", 9),
        ("127.0.0.1", "10.1.2.3", 2),
        ("*", "10.1.2.3", 9),
        ("", "", 9),
        ("nonsense", "10.1.2.3", 2),
    ):
        here = OpenConnections(few, proxies)
        assert sum(here.enter(address) for _ in range(9)) == allowed


def test_more_sockets_do_not_allow_more_messages(tmp_path: Path) -> None:
    limits = replace(Limits(), messages=(12, 0.001))

    async def play(url: str) -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="here")
            answered = 0
            for _ in range(4):
                async with anna.talk(room) as talk:
                    for _ in range(4):
                        await say(talk, do="ping")
                        heard = await hear(talk)
                        answered += heard.get("do") == "pong"
            assert answered == 12

    with running_here(settings_of(tmp_path, limits)) as (url, _):
        asyncio.run(play(url))
