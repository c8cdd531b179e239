"""`kill -9` in the middle of a load of games, again and again: nothing that was acknowledged is lost, every game ends
and every record replays.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import httpx
import pytest

from branchline.game import Record
from web.servers import Bot, Server, free_port, start

EDITIONS = ("germany", "europe", "berlin", "world")
KILLS = 4
BOT = {"kind": "bot", "bot": "greedy"}


class Steady(Bot):
    """Plays on whatever happens to the server, and remembers what it was told."""

    room = ""
    acknowledged: list[str]
    unanswered = 0

    async def begin(self, edition: str) -> None:
        self.acknowledged = []
        self.room = (await self.create(edition, [{"kind": "me"}, BOT, {"kind": "me"}], pace=0))["room"]

    async def to_the_end(self, luck: random.Random) -> None:
        while True:
            try:
                if await self.step(luck):
                    return
            except httpx.TransportError:
                self.unanswered += 1
                await asyncio.sleep(0.1)

    async def step(self, luck: random.Random) -> bool:
        legal = await self.get(f"/rooms/{self.room}/legal")
        if not legal["actions"]:
            return bool((await self.get(f"/rooms/{self.room}/events", since=legal["version"], wait=2))["over"])
        action = luck.choice(legal["actions"])["text"]
        doing = {"action": action, "version": legal["version"]}
        answer = await self.call("POST", f"/rooms/{self.room}/actions", json=doing)
        assert answer.status_code in (200, 409), answer.text
        if answer.status_code == 200:
            self.acknowledged.append(f"{legal['seat']} {action}")
        return False


def in_order(some: list[str], everything: tuple[str, ...]) -> bool:
    """Whether `some` all occur in `everything`, in the same order."""
    left = iter(everything)
    return all(one in left for one in some)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    port, luck = free_port(), random.Random(31)

    async def play(server: Server) -> Server:
        bots = [Steady(server.url) for _ in EDITIONS]
        for bot, edition in zip(bots, EDITIONS, strict=True):
            await bot.begin(edition)
        games = asyncio.gather(*(bot.to_the_end(random.Random(n)) for n, bot in enumerate(bots)))
        for _ in range(KILLS):
            await asyncio.sleep(luck.uniform(0.5, 2.0))
            server.kill()
            server = await asyncio.to_thread(start, database, tmp_path, port)
        await asyncio.wait_for(games, 240)
        assert sum(bot.unanswered for bot in bots) > 0, "the server was never missed"
        for bot in bots:
            record = Record.from_json((await bot.call("GET", f"/rooms/{bot.room}/record")).text)
            assert record.replay().over
            assert in_order(bot.acknowledged, record.actions)
            await bot.http.aclose()
        return server

    server = start(database, tmp_path, port)
    try:
        server = asyncio.run(play(server))
    finally:
        server.stop()
    assert "Traceback" not in server.log.read_text()
