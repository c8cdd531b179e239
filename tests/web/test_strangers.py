"""Many strangers at once: nobody takes the place, the time or the bots of somebody else. Real servers, real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.web.core.http.audience import Audience, Full
from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.settings import Limits, Settings
from branchline.web.serving.connections import CRUMB, CRUMBS_OF_REQUEST, Crumbs, OpenConnections
from table import costly
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


@pytest.mark.parametrize("half", costly(HALVES))
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


@pytest.mark.long
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


@pytest.mark.long
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


CHUNKED = (
    b"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nX-Forwarded-For: {client}\r\n"
    b"Content-Type: {kind}\r\n\r\n"
)
BODIES = {
    "a form": ("/new", "application/x-www-form-urlencoded"),
    "files": ("/upload", "multipart/form-data; boundary=x"),
    "JSON": ("/api/v1/rooms", "application/json"),
    "steps": ("/workshop/nothing/here/save", "application/x-www-form-urlencoded"),
}


def chunked(body: str, client: str = "10.9.9.9") -> bytes:
    path, kind = BODIES[body]
    text = CHUNKED.decode().format(path=path, client=client, kind=kind)
    return text.encode()


@pytest.mark.parametrize("body", costly(BODIES))
def test_a_body_that_comes_a_byte_at_a_time_has_to_come_in_time_and_the_line_is_closed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    limits = replace(Limits(), request=0.8, headers=0.8)

    async def play(url: str) -> None:
        reader, writer = await half_sent(int(url.rsplit(":", 1)[1]), chunked(body))
        heard = asyncio.create_task(reader.read())

        async def drip() -> None:
            with contextlib.suppress(ConnectionError):
                while not heard.done():
                    writer.write(b"1\r\n-\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.02)

        dripping = asyncio.create_task(drip())
        with contextlib.suppress(ConnectionError):
            answer = await asyncio.wait_for(heard, 10)
            assert answer[9:12] in (b"408", b"404"), answer
        await dripping

    with running_here(settings_of(tmp_path, limits)) as (url, _):
        asyncio.run(play(url))
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("body", costly(BODIES))
def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    async def play(url: str) -> None:
        for _ in range(3):
            _, writer = await half_sent(int(url.rsplit(":", 1)[1]), chunked(body) + b"1\r\n-\r\n")
            await writer.drain()
            await asyncio.sleep(0.1)
            writer.transport.abort()
        await asyncio.sleep(0.2)
        async with Person(url) as anna:
            assert (await anna.http.get("/")).status_code == 200

    with running_here(settings_of(tmp_path, Limits())) as (url, _):
        asyncio.run(play(url))
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "WARNING")]


def test_small_pieces_are_put_off_and_large_ones_are_not() -> None:
    most, per_second = CRUMBS_OF_REQUEST
    crumbs = Crumbs(most, per_second)
    assert [crumbs.pause(1, 100.0) for _ in range(most)] == [0.0] * most
    assert crumbs.pause(1, 100.0) == 1 / per_second
    assert crumbs.pause(CRUMB, 100.0) == 0.0
    assert crumbs.pause(1, 100.0 + most / per_second + 1) == 0.0
    crumbs.forget()
    assert crumbs.pause(1, 200.0) == 0.0


def test_a_request_in_crumbs_is_read_all_the_same(tmp_path: Path) -> None:
    async def play(url: str) -> None:
        reader, writer = await half_sent(int(url.rsplit(":", 1)[1]), chunked("JSON"))
        body = b'{"board": "berlin", "seats": [{"kind": "me"}, {"kind": "bot"}]}'
        for place in range(len(body)):
            writer.write(b"1\r\n" + body[place : place + 1] + b"\r\n")
            await writer.drain()
            await asyncio.sleep(0.001)
        writer.write(b"0\r\n\r\n")
        assert b" 201 " in await asyncio.wait_for(reader.readline(), 20)
        writer.close()

    with running_here(settings_of(tmp_path, Limits())) as (url, _):
        asyncio.run(play(url))


@pytest.mark.long
def test_an_address_behind_a_proxy_has_only_so_many_requests_and_others_have_theirs(tmp_path: Path) -> None:
    limits = replace(Limits(), connections_per_address=10)

    async def play(url: str) -> None:
        port = int(url.rsplit(":", 1)[1])
        held = [await half_sent(port, chunked("JSON", "10.1.1.1") + b"1\r\n{\r\n") for _ in range(10)]
        await asyncio.sleep(0.3)
        for client, status in (("10.1.1.1", b" 429 "), ("10.2.2.2", b" 200 ")):
            head = f"GET /readyz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client}\r\n\r\n"
            reader, writer = await half_sent(port, head.encode())
            assert status in await asyncio.wait_for(reader.readline(), 10)
            writer.close()
        for _, writer in held:
            writer.close()

    with running_here(settings_of(tmp_path, limits), "127.0.0.1") as (url, _):
        asyncio.run(play(url))


def test_all_together_have_only_so_many_connections_those_of_proxies_too() -> None:
    here = OpenConnections(replace(Limits(), connections=5), "10.0.0.0/8")
    assert [here.enter(f"10.0.0.{n}") for n in range(7)] == [True] * 5 + [False] * 2
    here.leave("10.0.0.0")
    assert here.enter("192.0.2.1")
    assert sum(OpenConnections(Limits(), "*", files=310).enter("") for _ in range(1)) == 1
    few = OpenConnections(Limits(), "*", files=310)
    assert sum(few.enter("") for _ in range(20)) == 10


@pytest.mark.long
def test_a_web_socket_that_says_nothing_is_let_go_and_one_that_speaks_may_be_silent_afterwards(tmp_path: Path) -> None:
    limits = replace(Limits(), headers=0.5)

    async def play(url: str) -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="here")
            async with anna.talk(room) as talk, anna.talk(room) as silent:
                await say(talk, do="ping")
                assert await hear(talk) == {"do": "pong"}
                await asyncio.wait_for(silent.wait_closed(), 10)
                await say(talk, do="ping")
                assert await hear(talk) == {"do": "pong"}

    with running_here(settings_of(tmp_path, limits)) as (url, _):
        asyncio.run(play(url))


@pytest.mark.long
def test_a_web_socket_whose_text_is_no_text_is_closed_without_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="here")
            async with anna.talk(room) as talk:
                await talk.send(b"\xff\xfe{", text=True)
                await asyncio.wait_for(talk.wait_closed(), 10)
                assert talk.close_code == 1007

    with running_here(settings_of(tmp_path, Limits())) as (url, _):
        asyncio.run(play(url))
    assert "Traceback" not in caplog.text
