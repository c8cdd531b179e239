"""What a server keeps in memory while people come and go, and when they have gone.

    python benchmarks/soak.py --tables 25 --minutes 15

Starts a server of its own, as `server_load.py` does. At each table somebody plays against bots for a while and leaves;
the next one opens another table, comes back to it once, and loads its page. Written down every ten seconds are the
memory of the server's processes and the rooms in memory; then everybody leaves, and it is measured until the rooms have
left as well. What should come out: at the end no more than a tenth above the third minute, and less when all have gone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets
from server_load import Figures, Player, server, used

LOOK = 10.0  # seconds between two looks


async def table(url: str, http: httpx.AsyncClient, n: int, options: argparse.Namespace, until: float) -> int:
    """One table after the other; how many there were."""
    luck, opened = random.Random(n), 0
    while time.monotonic() < until:
        player = Player(url, http, 10_000 * n + opened, options)
        await player.create()
        opened += 1
        for _ in range(2):  # and once more: a page that is loaded again
            leaves = min(until, time.monotonic() + luck.uniform(0.3, 1.7) * options.stay / 2)
            figures = Figures(since=until)
            with contextlib.suppress(websockets.ConnectionClosed):
                await player.play(figures, leaves)
            await http.get(f"/t/{player.room}", headers={"cookie": f"branchline_key={player.key}"})
            player.version, player.parts = -1, {}
    return opened


async def look(http: httpx.AsyncClient, pid: int, until: float, seen: list[dict[str, float]]) -> None:
    """Memory and rooms, again and again."""
    began = time.monotonic()
    while time.monotonic() < until:
        with contextlib.suppress(httpx.HTTPError):
            rooms = (await http.get("/healthz")).json()["rooms"]
            now, highest, _ = used(pid)
            at = round(time.monotonic() - began)
            seen.append({"second": at, "mb": round(now), "highest": round(highest), "rooms": rooms})
            print(json.dumps(seen[-1]), flush=True)
        await asyncio.sleep(LOOK)


async def soak(options: argparse.Namespace, url: str, pid: int) -> dict[str, Any]:
    """The figures."""
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=100)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
        until = time.monotonic() + 60 * options.minutes
        seen: list[dict[str, float]] = []
        looking = asyncio.create_task(look(http, pid, until + options.rest, seen))
        opened = await asyncio.gather(*(table(url, http, n, options, until) for n in range(options.tables)))
        print(f"everybody has left {sum(opened)} tables", flush=True)
        gone = len(seen)
        await looking
    third = [one["mb"] for one in seen[:gone] if 170 <= one["second"] <= 230] or [seen[0]["mb"]]
    last = [one["mb"] for one in seen[:gone]][-6:]
    level, end = sum(third) / len(third), sum(last) / len(last)
    return {
        "tables_opened": sum(opened),
        "mb_at_the_start": seen[0]["mb"],
        "mb_after_the_third_minute": round(level),
        "mb_at_the_end": round(end),
        "growth": round(end / level - 1, 3),
        "mb_when_all_have_gone": seen[-1]["mb"],
        "rooms_in_memory_then": seen[-1]["rooms"],
    }


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--stay", type=float, default=90.0, help="mean seconds for which somebody stays at a table")
    parser.add_argument("--rest", type=float, default=150.0, help="seconds that are looked on after all have left")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds a person thinks about a turn")
    parser.add_argument("--pace", type=int, default=300, help="milliseconds before a bot's turn")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--port", type=int, default=8798)
    options = parser.parse_args()
    options.warm, options.workers, options.database = 0.0, 1, ""
    with tempfile.TemporaryDirectory() as name, server(options, Path(name)) as (url, pid):
        print(json.dumps(asyncio.run(soak(options, url, pid)), indent=1))


if __name__ == "__main__":
    main()
