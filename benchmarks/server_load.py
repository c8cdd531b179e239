"""How the server fares under load: many live games with people and bots; from an action to the screen; memory.

    python benchmarks/server_load.py --games 200 --seconds 60

Starts a server of its own (`branchline serve`), creates the games, opens a WebSocket for the person in each (and for a
spectator in every tenth), and lets the people play: they think for a while, then do something legal. Measured are the
time from sending an action to having the fragments that show it, the bytes of each message, the server's memory and
processor time (of all its processes), and how long its loop is held: how late an idle WebSocket hears its pong.
The people run in this process, so on a machine with two cores the server has one of them.

    python benchmarks/server_load.py --games 4 --watchers 1500
    python benchmarks/server_load.py --workers 2 --database postgresql://user:password@host/name
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import websockets

from branchline.web.core.security.tokens import new_token

EDITIONS = ("germany", "europe", "berlin", "world", "great_lakes")
LONG = ("turn", "keep_tickets")  # questions about which people think
ACTION = re.compile(r'data-act="([^"]+)"(?![^>]*aria-disabled)')
CLAIMS = re.compile(r'data-claims="([^"]*)"')
ACTS = re.compile(r'data-acts="([^"]*)"')
KEPT = re.compile(r"data-combine='([^']+)'")
KIND = re.compile(r'data-kind="(\w+)"')


@dataclass
class Figures:
    """What is measured."""

    since: float = 0.0  # what is heard before is not counted
    own: list[float] = field(default_factory=list)  # seconds from an action to the actor's screen
    spectators: list[float] = field(default_factory=list)  # the same for somebody who watches
    messages: int = 0
    sizes: list[int] = field(default_factory=list)  # bytes of each message to a player, before compression
    watched: int = 0  # messages to spectators
    pongs: list[float] = field(default_factory=list)  # seconds
    finished: int = 0
    problems: list[str] = field(default_factory=list)


class Player:
    """A person with a browser in one room, and now and then somebody who watches."""

    def __init__(self, url: str, http: httpx.AsyncClient, n: int, options: argparse.Namespace) -> None:
        """`n`: which one."""
        self.url, self.http, self.n, self.options = url, http, n, options
        self.key = new_token()
        self.luck = random.Random(n)
        self.sent_at = 0.0
        self.acted_at = 0.0  # the same, and kept when it was answered
        self.version = -1
        self.parts: dict[str, str] = {}  # of the page, as we have been sent them
        self.panel: asyncio.Future[dict[str, str]] = asyncio.Future()

    async def get(self, path: str) -> Any:
        """Ask the API."""
        answer = await self.http.get(f"/api/v1{path}", headers={"authorization": f"Bearer {self.key}"})
        answer.raise_for_status()
        return answer.json()

    async def create(self) -> None:
        """A room with bots."""
        bots = [{"kind": "bot", "bot": self.options.bot}] * (self.options.seats - 1)
        wish = {"board": EDITIONS[self.n % 4], "seats": [{"kind": "me"}, *bots], "pace": self.options.pace}
        answer = await self.http.post("/api/v1/rooms", json=wish, headers={"authorization": f"Bearer {self.key}"})
        answer.raise_for_status()
        self.room = answer.json()["room"]
        self.link = answer.json()["watch"]

    def talk(self, key: str) -> Any:
        """A WebSocket."""
        return websockets.connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/{self.room}",
            additional_headers={"cookie": f"branchline_key={key}"},
            origin=self.url,
            max_size=None,
            open_timeout=60,
        )

    async def play(self, figures: Figures, until: float) -> None:
        """Until the time is up or the game is over."""
        await asyncio.sleep(self.luck.uniform(0, 0.7 * self.options.warm))
        async with self.talk(self.key) as talk:
            await talk.send('{"do":"hello","version":0}')
            news = asyncio.Event()
            acting = asyncio.create_task(self.act(talk, news))
            while (left := until - time.monotonic()) > 0:
                try:
                    text = await asyncio.wait_for(talk.recv(), left)
                except TimeoutError:
                    break
                now = time.monotonic()
                message = json.loads(text)
                if now > figures.since:
                    figures.messages += 1
                    figures.sizes.append(len(text.encode()))
                if "error" in message:
                    figures.problems.append(str(message)[:300])
                asked = message.get("sound") == "turn" or self.version < 0 or bool(self.sent_at)
                if self.sent_at and message.get("version", -1) > self.version:
                    if now > figures.since:
                        figures.own.append(now - self.sent_at)
                    self.sent_at = 0.0
                self.version = message.get("version", self.version)
                self.parts |= message.get("fragments", {})
                if "market" in message.get("fragments", {}):  # `acts` is a piece of it
                    self.parts["acts"] = self.parts["market"]
                if "panel" in message:
                    self.panel.set_result(message["panel"])
                    continue
                if message.get("sound") == "over":
                    figures.finished += 1
                    break
                if asked:
                    news.set()
            acting.cancel()
            ended = await asyncio.gather(acting, return_exceptions=True)
            figures.problems += [repr(one) for one in ended if isinstance(one, Exception)]

    async def act(self, talk: Any, news: asyncio.Event) -> None:
        """Whenever it is our question: think, and do something."""
        while True:
            await news.wait()
            news.clear()
            buttons = self.buttons()
            if not buttons:
                continue
            thinking = self.luck.expovariate(1 / self.options.think)
            long = any(f'data-kind="{kind}"' in self.parts["question"] for kind in LONG)
            await asyncio.sleep(0.2 + thinking if long else 0.3)
            action = self.luck.choice(buttons)
            if action.startswith("route-"):
                self.panel = asyncio.get_running_loop().create_future()
                await talk.send(json.dumps({"do": "show", "version": self.version, "what": action}))
                answers = ACTION.findall(str((await self.panel)["panel"]))
                if not answers:
                    news.set()
                    continue
                action = answers[0]
            news.clear()
            self.sent_at = self.acted_at = time.monotonic()
            await talk.send(json.dumps({"do": "play", "version": self.version, "action": unescape(action)}))

    def buttons(self) -> list[str]:
        """What the page that we have been sent lets us press: actions, and routes to look at."""
        asked = self.parts.get("question", "")
        kind = KIND.search(asked)
        if kind is None:
            return []
        kept = KEPT.search(asked)
        if kept:
            return list(json.loads(kept[1]).values())
        found = ACTION.findall(asked)
        if kind[1] in ("turn", "second_card"):
            found += ACTS.findall(self.parts["acts"])[0].split(",")
            claims = [group.partition(":")[2] for group in CLAIMS.findall(self.parts["claims"])[0].split(";")]
            found += [f"route-{one}" for group in claims for one in group.split(",") if one.isdecimal()]
        return found

    async def watch(self, figures: Figures, until: float) -> None:
        """Somebody without a seat looks on."""
        await asyncio.sleep(self.luck.uniform(0, 0.7 * self.options.warm))
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as browser:
            key = (await browser.get("/language/en")).cookies["branchline_key"]
            await browser.get(self.link)
        async with self.talk(key) as talk:
            await talk.send('{"do":"hello","version":0}')
            seen = -1
            while (left := until - time.monotonic()) > 0:
                try:
                    message = json.loads(await asyncio.wait_for(talk.recv(), left))
                except TimeoutError:
                    return
                if "version" not in message:
                    continue
                figures.watched += time.monotonic() > figures.since
                acted = message["version"] > seen and any(one["seat"] == 0 for one in message["events"])
                if acted and self.acted_at and time.monotonic() > figures.since:
                    figures.spectators.append(time.monotonic() - self.acted_at)
                seen = message["version"]

    async def ping(self, figures: Figures, until: float) -> None:
        """An idle page asks again and again whether the server is there."""
        async with self.talk(self.key) as talk:
            while time.monotonic() < until:
                sent = time.monotonic()
                await talk.send('{"do":"ping"}')
                await talk.recv()
                if sent > figures.since:
                    figures.pongs.append(time.monotonic() - sent)
                await asyncio.sleep(0.1)


@contextlib.contextmanager
def server(options: argparse.Namespace, folder: Path) -> Any:
    """A server of our own."""
    database = options.database or f"sqlite:///{folder / 'rooms.sqlite'}"
    log = (folder / "server.log").open("w+")
    command = [sys.executable, "-m", "branchline", "serve", "--port", str(options.port), "--database", database]
    process = subprocess.Popen(
        [
            *command,
            "--rates",
            getattr(options, "rates", "1000"),
            "--quiet",
            *(["--workers", str(options.workers)] if options.workers > 1 else []),
        ],
        stdout=log,
        stderr=log,
    )
    url = f"http://127.0.0.1:{options.port}"
    started = time.monotonic()
    try:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/healthz").json()["warm"] or time.monotonic() - started > 120:
                    break
            time.sleep(0.2)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(20)
        log.seek(0)
        print(log.read()[-3000:], file=sys.stderr)


def used(pid: int) -> tuple[float, float, float]:
    """Of a process and its children: memory now and at its highest in MB, and processor seconds.

    What several of them share, as a process and those that are forked from it, counts once now, but in each at its
    highest.
    """
    now = highest = seconds = 0.0
    for one in (pid, *_children(pid)):
        status = dict(line.split(":", 1) for line in Path(f"/proc/{one}/status").read_text().splitlines())
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        shared = Path(f"/proc/{one}/smaps_rollup").read_text()
        now += int(shared.partition("\nPss:")[2].split()[0]) / 1024
        highest += int(status["VmHWM"].split()[0]) / 1024
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return now, highest, seconds


def _children(pid: int) -> list[int]:
    """All processes below one, also those that another thread than its first has started."""
    started = [
        int(one) for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()
    ]
    return started + [other for one in started for other in _children(one)]


async def load(options: argparse.Namespace, url: str, pid: int) -> dict[str, Any]:
    """The figures."""
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=100)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
        empty = used(pid)[0]
        players = [Player(url, http, n, options) for n in range(options.games)]
        for player in players:
            await player.create()
        figures = Figures(time.monotonic() + options.warm)
        until = figures.since + options.seconds
        work = [asyncio.create_task(player.play(figures, until)) for player in players]
        work += [asyncio.create_task(player.watch(figures, until)) for player in players[::10]]
        work += [asyncio.create_task(players[0].watch(figures, until)) for _ in range(options.watchers)]
        work += [asyncio.create_task(players[-1].ping(figures, until))]
        await asyncio.sleep(options.warm)
        before = used(pid)
        await asyncio.sleep(options.seconds - 0.5)
        after = used(pid)
        await asyncio.gather(*work)
    return {
        "games": options.games,
        "seconds": options.seconds,
        "actions_of_people": len(figures.own),
        "to_own_screen_ms": _spread(figures.own),
        "to_spectators_screen_ms": _spread(figures.spectators),
        "messages_per_second": round(figures.messages / options.seconds, 1),
        "bytes_per_message": _sizes(figures.sizes),
        "messages_to_spectators": figures.watched,
        "to_pong_ms": _spread(figures.pongs),
        "games_finished": figures.finished,
        "processor_share": round((after[2] - before[2]) / options.seconds, 2),
        "processor_ms_per_message": round(1000 * (after[2] - before[2]) / max(1, figures.messages), 2),
        "memory_mb": {"empty": round(empty), "loaded": round(after[0]), "highest": round(after[1])},
        "problems": len(figures.problems),
        "first_problems": figures.problems[:3],
    }


def _sizes(found: list[int]) -> dict[str, float] | None:
    if len(found) < 2:
        return None
    cuts = statistics.quantiles(found, n=20)
    return {"mean": round(statistics.mean(found)), "median": statistics.median(found), "p95": round(cuts[18])}


def _spread(seconds: list[float]) -> dict[str, float] | None:
    if len(seconds) < 2:
        return None
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "median": round(1000 * statistics.median(seconds), 1),
        "p95": round(1000 * cuts[94], 1),
        "p99": round(1000 * cuts[98], 1),
        "worst": round(1000 * max(seconds), 1),
    }


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=20.0, help="seconds of play before anything is measured")
    parser.add_argument("--think", type=float, default=4.0, help="mean seconds a person thinks about a turn")
    parser.add_argument("--pace", type=int, default=900, help="milliseconds before a bot's turn")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--database", default="", help="URL; a fresh SQLite file otherwise")
    parser.add_argument("--workers", type=int, default=1, help="server processes; more than one need PostgreSQL")
    parser.add_argument("--watchers", type=int, default=0, help="further spectators of the first room")
    parser.add_argument("--port", type=int, default=8799)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, server(options, Path(name)) as (url, pid):
        print(json.dumps(asyncio.run(load(options, url, pid)), indent=1))


if __name__ == "__main__":
    main()
