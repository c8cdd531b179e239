"""What others notice while somebody has the server draw the same page again and again, and worse.

    python benchmarks/hostile_sockets.py --sockets 20
    python benchmarks/hostile_sockets.py --sockets 20 --attacks hello,bodies,notations

Starts a server of its own with its usual limits. Victims, each at an address of its own, open a small page, load their
table and say hello to it, again and again: first in peace, then while hostile sockets at one address attack, shared out
among the `--attacks`, and come back when they are hung up on:

    hello       say `hello` fifty times a second, and ask for panels
    bodies      send the body of a form in chunks of one byte
    notations   have long games checked that cannot have happened

Printed is how long the victims waited,
in both cases, and what the hostile ones got. What should come out: the median no more than twice that of peace, and a
tenth of a second at worst. Bounded: so many sockets, so many seconds, on this machine only.

Addresses are those of the loopback, `127.0.0.2` for the hostile ones (on Linux; elsewhere all share one).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets
from server_load import server

from branchline.web.core.security.tokens import new_token

HOSTILE = 2  # the last number of the address
MOST = 200  # hostile sockets
PAUSE = 0.2  # seconds between two things that a victim does


@dataclass
class Waited:
    """Seconds that victims waited, by what they did."""

    found: dict[str, list[float]] = field(default_factory=dict)

    def note(self, what: str, began: float) -> None:
        """One more."""
        self.found.setdefault(what, []).append(time.perf_counter() - began)

    def told(self) -> dict[str, dict[str, float]]:
        """In milliseconds."""
        return {
            what: {
                "count": len(seconds),
                "median": round(1000 * statistics.median(seconds), 1),
                "p95": round(1000 * sorted(seconds)[int(0.95 * (len(seconds) - 1))], 1),
                "worst": round(1000 * max(seconds), 1),
            }
            for what, seconds in self.found.items()
        }


async def a_room(http: httpx.AsyncClient, key: str, board: str) -> str:
    """A table with bots, at which it is the person's turn."""
    wish = {"board": board, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
    answer = await http.post("/api/v1/rooms", json=wish, headers={"authorization": f"Bearer {key}"})
    answer.raise_for_status()
    return str(answer.json()["room"])


def address(n: int) -> str | None:
    """One of many addresses of this machine; None: it has but one."""
    return f"127.0.0.{n}" if sys.platform == "linux" else None


def dial(url: str, room: str, key: str, n: int) -> Any:
    """A WebSocket, from an address."""
    here = address(n)
    return websockets.connect(
        f"{url.replace('http', 'ws', 1)}/ws/{room}",
        additional_headers={"cookie": f"branchline_key={key}"},
        origin=url,
        max_size=None,
        local_addr=(here, 0) if here else None,
    )


async def victim(url: str, n: int, room: str, key: str, until: float, waited: Waited) -> None:
    """A page, the table, a hello, a pong: what everybody does."""
    from_here = httpx.AsyncHTTPTransport(local_address=address(n))
    async with (
        httpx.AsyncClient(base_url=url, timeout=60, transport=from_here) as http,
        dial(url, room, key, n) as talk,
    ):
        while time.monotonic() < until:
            for path, cookies in (("/readyz", {}), (f"/t/{room}", {"cookie": f"branchline_key={key}"})):
                began = time.perf_counter()
                (await http.get(path, headers=cookies)).raise_for_status()
                waited.note("page" if cookies else "stranger", began)
                await asyncio.sleep(PAUSE)
            for do in ("hello", "ping"):
                began = time.perf_counter()
                await talk.send(json.dumps({"do": do, "version": 0}))
                while "error" in json.loads(await talk.recv()):
                    pass
                waited.note(do, began)
                await asyncio.sleep(PAUSE)


async def hostile(url: str, room: str, key: str, until: float) -> None:
    """Says hello as quickly as it may, in turn with panels; comes back when it is hung up on."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError, websockets.WebSocketException):
            async with dial(url, room, key, HOSTILE) as talk:
                reading = asyncio.create_task(_swallow(talk))
                n = 0
                while time.monotonic() < until and not reading.done():
                    n += 1
                    what = {"do": "hello", "version": 0} if n % 2 else {"do": "show", "what": f"route-{n % 40}"}
                    await talk.send(json.dumps(what))
                    await asyncio.sleep(0.02)
                reading.cancel()
        await asyncio.sleep(0.1)


async def dribbling(url: str, until: float) -> None:
    """Sends a form a byte at a time."""
    here, address_now = address(HOSTILE), httpx.URL(url)
    head = f"POST /upload HTTP/1.1\r\nHost: {address_now.netloc.decode()}\r\nTransfer-Encoding: chunked\r\n"
    kind = "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(
                address_now.host, address_now.port, local_addr=(here, 0) if here else None
            )
            writer.write((head + kind).encode())
            while time.monotonic() < until and not reader.at_eof():
                writer.write(b"1\r\n-\r\n")
                await writer.drain()
                await asyncio.sleep(0.05)
            writer.close()
        print("refused", file=sys.stderr)
        await asyncio.sleep(0.1)


IMPOSSIBLE = "edition europe\nplayers Anna, Bert, Cora\n" + (
    "Anna: draw 2\nBert: draw 2\nCora: draw 2\n" * 18 + "Anna: claim Petrograd-Stockholm with 9 red\n"
)


async def noting(url: str, until: float) -> None:
    """Has games checked that cannot have happened."""
    from_here = httpx.AsyncHTTPTransport(local_address=address(HOSTILE))
    async with httpx.AsyncClient(base_url=url, timeout=60, transport=from_here) as http:
        token = (await http.get("/evenings/form.json")).json()["csrf"]
        while time.monotonic() < until:
            with contextlib.suppress(httpx.HTTPError):
                answer = await http.post(
                    "/notate/check", data={"csrf": token, "text": IMPOSSIBLE}, headers={"origin": url}
                )
                print("refused" if answer.status_code == 429 else len(answer.content), file=sys.stderr)
            await asyncio.sleep(0.05)


async def _swallow(talk: Any) -> None:
    async for text in talk:
        print("refused" if '"error"' in text[:40] else len(text), file=sys.stderr)


async def _attack(options: argparse.Namespace) -> None:
    """The other process: the attackers of one server."""
    until = time.monotonic() + options.seconds
    attacks = {
        "hello": lambda: hostile(options.attack, options.room, options.key, until),
        "bodies": lambda: dribbling(options.attack, until),
        "notations": lambda: noting(options.attack, until),
    }
    chosen = [attacks[name] for name in options.attacks.split(",")]
    await asyncio.gather(*(chosen[n % len(chosen)]() for n in range(options.sockets)))


async def measured(options: argparse.Namespace, url: str) -> dict[str, Any]:
    """Peace, and then war."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        keys = [new_token() for _ in range(options.victims + 1)]
        *rooms, target = [await a_room(http, key, options.board) for key in keys]
        found: dict[str, Any] = {}
        for name in ("peace", "war"):
            waited, attackers, got = Waited(), None, b""
            if name == "war":
                told = ["--attack", url, "--room", target, "--key", keys[-1], "--sockets", str(options.sockets)]
                told += ["--attacks", options.attacks]
                command = [sys.executable, __file__, *told, "--seconds", str(options.seconds)]
                attackers = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
                await asyncio.sleep(1.0)  # until it has begun
            until = time.monotonic() + options.seconds - (2.0 if attackers else 0.0)
            people = enumerate(zip(rooms, keys, strict=False), HOSTILE + 1)
            await asyncio.gather(*(victim(url, n, room, key, until, waited) for n, (room, key) in people))
            if attackers is not None:
                _, got = await attackers.communicate()
            found[name] = waited.told()
        lines = got.decode().split()
        answers = [int(one) for one in lines if one.isdecimal()]
        found["hostile"] = {"answers": len(answers), "megabytes": round(sum(answers) / 1e6, 1)} | {
            "refusals": lines.count("refused")
        }
        return found


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=20, help=f"hostile ones, {MOST} at most")
    parser.add_argument("--victims", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=15.0, help="of peace, and of war")
    parser.add_argument("--attacks", default="hello", help="hello, bodies, notations; several with commas")
    parser.add_argument("--board", default="europe")
    parser.add_argument("--port", type=int, default=8797)
    for name in ("attack", "room", "key"):
        parser.add_argument(f"--{name}", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.sockets, options.seconds = min(options.sockets, MOST), min(options.seconds, 120.0)
    if options.attack:
        asyncio.run(_attack(options))
        return
    options.database, options.workers, options.rates = "", 1, "1"
    with tempfile.TemporaryDirectory() as name, server(options, Path(name)) as (url, _):
        print(json.dumps(asyncio.run(measured(options, url)), indent=1))


if __name__ == "__main__":
    main()
