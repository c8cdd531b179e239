"""Bots at the table: they think in threads (compiled code lets the others go on), and whatever goes wrong with one,
the game goes on with a line in the server's log. For one that takes too long the stand-in answers; for one that fails
an action is chosen at random.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Protocol

from branchline.bots import Bot, Position, bot_maker, make_bot
from branchline.bots.search import SearchBot
from branchline.runtime import mode
from branchline.web import metrics
from branchline.web.rooms.fair_threads import Asker, FairThreads
from branchline.web.rooms.seats import stand_in

log = logging.getLogger("branchline.bots")


class Table(Asker, Protocol):
    """A room whose bots think here."""

    bots: dict[int, Bot]  # those that have been seated, by seat


class BotExecutor:
    """The threads in which the bots of all rooms think; those that think long do not keep the others waiting."""

    def __init__(self, threads: int, seconds: float) -> None:
        """`seconds`: for a bot that thinks longer, or that people wait for longer, the stand-in answers."""
        self._quick = FairThreads(threads, "bot")
        self._deep = FairThreads(threads, "deep-bot")
        self._seconds = seconds

    async def choose(self, table: Table, level: str, position: Position) -> int:
        """The action of the bot at a seat; it is seated when it is not there yet."""
        seat = position.seat
        if mode.INTERPRETED and getattr(bot_maker(level), "wants_compiled_code", False):
            level = stand_in()  # until compiled processes take over
        try:
            with metrics.BOTS.labels(level).time():
                chosen = await self._thought(table, level, position)
            if chosen in position.legal:
                return chosen
            log.error("bot %s chose %s, which is not legal, at seat %s", level, chosen, seat)
        except TimeoutError:
            log.error("bot %s at seat %s took more than %s s", level, seat, self._seconds)
            if level != stand_in():
                table.bots.pop(seat, None)
                return await self.choose(table, stand_in(), position)
        except Exception:  # a bot is anybody's code: whatever it throws, the table goes on
            log.exception("bot %s failed at seat %s", level, seat)
        table.bots.pop(seat, None)
        return secrets.choice(position.legal)

    async def _thought(self, table: Table, level: str, position: Position) -> int:
        """What the bot answers; raises `TimeoutError`. The stand-in waits as long as it must, and so do all where
        nobody watches."""
        bot = table.bots.get(position.seat)
        if bot is None or bot.name != level:
            bot = table.bots[position.seat] = make_bot(level, secrets.randbelow(1 << 62))
        threads = self._deep if isinstance(bot, SearchBot) else self._quick
        patient = level == stand_in() or not table.watched
        async with asyncio.timeout(None if patient else self._seconds), threads.turn(table) as think:
            async with asyncio.timeout(self._seconds):
                return int(await think(bot.choose, position))

    def close(self) -> None:
        """Send the threads home; one that still thinks is not waited for."""
        for threads in (self._quick, self._deep):
            threads.close()
