"""Requests and messages of any kind: none of them is a fault of ours. A real server, and the same luck every time.

The addresses are those of the application's routes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
import websockets

from branchline.web.app import make_app
from branchline.web.core.settings import Settings
from web.servers import Person, Server, hear, serving
from web.test_every_address import PARAMETER, routes_of

MANY = [(0, 40), *(pytest.param(seed, 150, marks=pytest.mark.long) for seed in range(1, 7))]
"""Seeds, and how many requests or messages of each."""

METHODS = (*["GET"] * 6, *["POST"] * 6, "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW")
NAMES = [
    "csrf",
    "board",
    "seats",
    "kind0",
    "kind1",
    "bot0",
    "name0",
    "name",
    "seat",
    "bot",
    "clock",
    "open",
    "pace",
    "takeover",
    "first",
    "seed",
    "record",
    "language",
    "theme",
    "back",
    "invite",
    "seat",
    "action",
    "version",
    "since",
    "wait",
    "perspective",
    "eyes",
    "again",
    "x",
]
WORDS = (
    b"",
    b"0",
    b"1",
    b"-1",
    b"berlin",
    b"me",
    b"open",
    b"bot",
    b"easy",
    b"7",
    b"9" * 19,
    b"9" * 20,
    b"9" * 400,
    b"9" * 5_000,
    "٣".encode(),
    "１２".encode(),
    b"1e999",
    b"nan",
    b"turn 60",
    b"\xff\xfe",
    b"\x00",
    "²½Ⅷ".encode(),
    "\u202e\u0000\ud7ff".encode(),
    b"../../etc/passwd",
    b"<script>",
    b"'\"`",
    b"%00",
    b"a" * 3000,
    b"{}",
    b"[]",
    b"null",
    b"true",
    "🚂".encode() * 20,
    b"\r\nset-cookie: x=1",
    b"claim",
    b"blind",
    b"0,1,2",
    b"all",
    b"public",
    b"//evil.example",
    "é\u0301ｅ".encode(),
)
KINDS = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "",
    "multipart/form-data",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=" + "y" * 300,
    "\xff",
)
HEADERS = [
    "accept-language",
    "accept-encoding",
    "authorization",
    "cookie",
    "origin",
    "sec-fetch-site",
    "range",
    "if-none-match",
    "host",
    "expect",
    "x-forwarded-for",
    "x-forwarded-proto",
    "content-encoding",
    "upgrade",
    "te",
    "referer",
]


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The paths of all routes of the application, WebSockets too, and of what it has mounted."""
    app = make_app(Settings(f"sqlite:///{tmp_path_factory.mktemp('routes') / 'rooms.sqlite'}", warm_up=False))
    found = sorted({path for _, path in routes_of(app)})
    app.state.server.store.close()
    assert len(found) > 90 and "/t/{room}" in found and "/api/v1/rooms/{room}/actions" in found
    return found


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzz")
    with serving(f"sqlite:///{folder / 'rooms.sqlite'}", folder, "--rates", "10000") as running:
        yield running


def any_value(luck: random.Random, depth: int = 0) -> Any:
    """A JSON value."""
    kinds: list[Any] = [None, True, 0, -1, 1 << 70, 1.5, "", "berlin", "blind", "\ud800", "\u0000", "x" * 2000]
    if depth < 3 and luck.random() < 0.3:
        return [any_value(luck, depth + 1) for _ in range(luck.randrange(4))]
    if depth < 3 and luck.random() < 0.4:
        return {luck.choice(NAMES): any_value(luck, depth + 1) for _ in range(luck.randrange(5))}
    return luck.choice(kinds)


def garbled(luck: random.Random, text: bytes) -> bytes:
    """Now and then with a few bytes changed, doubled or left out."""
    for _ in range(luck.choice((0, 0, 0, 1, 5))):
        at = luck.randrange(len(text) + 1)
        text = text[:at] + luck.choice((b"", b"\x00", b"\xff", b"{", b'"', text[:20])) + text[at + luck.randrange(2) :]
    return text


def any_body(luck: random.Random, kind: str, csrf: str) -> bytes:
    """What might be sent as this content type."""
    fields = [(luck.choice(NAMES), luck.choice(WORDS)) for _ in range(luck.randrange(8))]
    if luck.random() < 0.8:
        fields.append(("csrf", csrf.encode()))
    if "json" in kind:
        wish = {"board": "berlin", "seats": [{"kind": "me"}, {"kind": "bot"}]} if luck.random() < 0.3 else {}
        value = {**wish, **{name: any_value(luck) for name, _ in fields}} if luck.random() < 0.9 else any_value(luck)
        return garbled(luck, json.dumps(value).encode())
    if "multipart" in kind:
        parts = [
            b'--x\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
            % (name.encode(), luck.choice((b"", b'; filename="r.json"')), word)
            for name, word in fields
        ]
        return garbled(luck, b"".join(parts) + b"--x--\r\n")
    return garbled(luck, b"&".join(name.encode() + b"=" + quote_from_bytes(word).encode() for name, word in fields))


def any_path(luck: random.Random, paths: list[str], room: str, word: str) -> str:
    """The path of one of the routes, filled in."""
    path = luck.choice(paths)
    if luck.random() < 0.9:
        path = path.replace("{room}", room)
    return PARAMETER.sub(lambda _: word or "x", path)


def any_request(luck: random.Random, paths: list[str], room: str, key: str, csrf: str) -> bytes:
    """One request, byte for byte."""
    word = quote_from_bytes(luck.choice(WORDS)) if luck.random() < 0.9 else luck.choice(("%", "%zz", "..", "é"))
    path = any_path(luck, paths, room, word)
    if luck.random() < 0.5:
        query = "&".join(f"{luck.choice(NAMES)}={quote_from_bytes(luck.choice(WORDS))}" for _ in range(3))
        path += f"?{query}"
    method, kind = luck.choice(METHODS), luck.choice(KINDS)
    lines = [f"{method} {path} HTTP/1.1".encode(), b"host: 127.0.0.1", b"connection: close"]
    if luck.random() < 0.8:
        lines.append(f"cookie: branchline_key={key}".encode())
    if luck.random() < 0.5:
        lines.append(f"authorization: Bearer {key}".encode())
    for _ in range(luck.choice((0, 0, 1, 3))):
        value = luck.choice(WORDS).replace(b"\x00", b"").replace(b"\r\n", b"")
        lines.append(luck.choice(HEADERS).encode() + b": " + value)
    body = b""
    if method not in ("GET", "HEAD"):
        body = any_body(luck, kind, csrf)
        lines += [b"content-type: " + kind.encode("latin-1"), b"content-length: %d" % len(body)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


async def answer_to(port: int, request: bytes) -> int:
    """The status of the answer; 0: the server hung up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.suppress(ConnectionError):
        writer.write(request)
        await writer.drain()
    with contextlib.suppress(ConnectionError):
        line = await asyncio.wait_for(reader.readline(), 40)
        writer.close()
        return int(line.split()[1]) if line else 0
    return 0


@pytest.mark.parametrize(("seed", "requests"), MANY)
def test_no_request_is_a_fault_of_ours(patient: Server, paths: list[str], seed: int, requests: int) -> None:
    async def play() -> None:
        luck = random.Random(seed)
        async with Person(patient.url) as anna:
            room = await anna.new(board="berlin", seats="3", kind0="me", kind1="open", kind2="bot", open="1", first="0")
            page = (await anna.http.get("/new")).text
            csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
            for _ in range(requests):
                request = any_request(luck, paths, room, anna.token, csrf)
                status = await answer_to(patient.port, request)
                assert status < 500, (status, request)
            assert (await anna.http.get(f"/t/{room}")).status_code == 200

    asyncio.run(play())
    assert "Traceback" not in patient.log.read_text(), patient.log.read_text()[-3000:]


def any_message(luck: random.Random) -> str | bytes:
    if luck.random() < 0.1:
        return luck.choice(WORDS)
    does = ("hello", "play", "undo", "sit", "show", "back", "ping", "links", "resign", "fly", 3, None)
    message = {"do": luck.choice(does), "version": luck.choice((0, 1, -1, any_value(luck)))}
    message["action"] = luck.choice(("blind", "claim Mitte", "draw", any_value(luck)))
    message["seat"] = luck.choice((0, 1, None, any_value(luck)))
    message["what"] = luck.choice(
        ("route-1", "place-99", "seat-0", "route-9999999999999999", "seat-²", any_value(luck))
    )
    return garbled(luck, json.dumps(message).encode()).decode("utf-8", "replace")


@pytest.mark.parametrize(("seed", "messages"), MANY)
def test_no_message_is_a_fault_of_ours(patient: Server, seed: int, messages: int) -> None:
    async def play() -> None:
        luck = random.Random(seed)
        async with Person(patient.url) as anna:
            room = await anna.new(board="europe", seats="3", kind0="me", kind1="here", kind2="bot", first="0")
            sent = 0
            while sent < messages:
                with contextlib.suppress(websockets.ConnectionClosed, TimeoutError):
                    async with anna.talk(room) as talk:
                        while sent < messages:
                            sent += 1
                            await talk.send(any_message(luck))
                            if sent % 10 == 0:
                                await hear(talk, 2)
            async with anna.talk(room) as talk:
                await talk.send('{"do": "hello"}')
                assert "fragments" in await hear(talk)

    asyncio.run(play())
    assert "Traceback" not in patient.log.read_text(), patient.log.read_text()[-3000:]
