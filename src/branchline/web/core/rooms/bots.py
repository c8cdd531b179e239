"""Bots at the table: they think in threads (the rules let the others go on), and whatever goes wrong with one,
the game goes on with a line in the server's log. For one that computes for too long the stand-in answers; for one that
fails an action is chosen at random. A bot's limit is of its own processor time: it is not to blame for a busy machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import Protocol

from branchline.bots import Bot, Position, make_bot
from branchline.bots.search.search import SearchBot
from branchline.rules.kernel import INTERPRETED
from branchline.web.core import metrics
from branchline.web.core.rooms.fair_threads import Asker, FairThreads
from branchline.web.core.rooms.seats import stand_in

log = logging.getLogger("branchline.bots")


BACKSTOP = 12  # times its limit, in looks: a bot that only waits, for a network or a lock, is left after that
LOOK = 0.25  # seconds between two looks at a bot that thinks


class _Meter:
    """The processor time of a bot that thinks in a thread of its own, as others see it."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._clock: int | None = None

    def measured(self, choose: Callable[[Position], int], position: Position) -> int:
        """Return the bot's choice. It is called in the bot's thread."""
        if hasattr(time, "pthread_getcpuclockid"):
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._began = self._now()
        return int(choose(position))

    @property
    def used(self) -> float:
        """Seconds so far; where systems do not tell, those that have passed."""
        return 0.0 if self._began is None else self._now() - self._began

    def _now(self) -> float:
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)


class _TooLong(TimeoutError):  # noqa: N818  it reads as a sentence
    """Why a bot's answer is not waited for."""


class BotTable(Asker, Protocol):
    """A room whose bots think here."""

    bots: dict[int, Bot]  # those that have been seated, by seat


class BotExecutor:
    """The threads in which the bots of all rooms think; those that think long do not keep the others waiting."""

    def __init__(self, threads: int, seconds: float) -> None:
        """Begin with a limit in `seconds` of processor time: for a bot that needs more, the stand-in answers, and
        for one of those that think long when people have waited so long for a thread.
        """
        self._quick = FairThreads(threads, "bot")
        self._deep = FairThreads(threads, "deep-bot")
        self._seconds = seconds

    async def choose(self, table: BotTable, level: str, position: Position) -> int:
        """Return the action of the bot at a seat; if the bot is not there yet, seat it."""
        seat = position.seat
        try:
            with metrics.BOTS.labels(level).time():
                chosen = await self._thought(table, level, position)
            if chosen in position.legal:
                return chosen
            log.error("bot %s chose %s, which is not legal, at seat %s", level, chosen, seat)
        except TimeoutError as late:
            if isinstance(late, _TooLong):
                log.error("bot %s at seat %s %s", level, seat, late)
            else:
                log.info("no thread was free for bot %s at seat %s within %g s", level, seat, self._seconds)
            if level != stand_in():
                table.bots.pop(seat, None)
                return await self.choose(table, stand_in(), position)
        except Exception:  # a bot is anybody's code: whatever it throws, the table goes on
            log.exception("bot %s failed at seat %s", level, seat)
        table.bots.pop(seat, None)
        return secrets.choice(position.legal)

    async def _thought(self, table: BotTable, level: str, position: Position) -> int:
        """Return the bot's answer. Raise `TimeoutError`, also where people would wait too long for a thread."""
        bot = table.bots.get(position.seat)
        if bot is None or bot.name != level:
            bot = table.bots[position.seat] = make_bot(level, secrets.randbelow(1 << 62))
        if vars(type(bot)).get("quick") and not INTERPRETED:  # its own word: who inherits it may take longer
            return int(bot.choose(position))  # changing threads would take longer than it does
        deep = isinstance(bot, SearchBot)
        threads = self._deep if deep else self._quick
        patient = not deep or level == stand_in() or not table.watched
        async with contextlib.AsyncExitStack() as turn:
            async with asyncio.timeout(None if patient else self._seconds):
                think = await turn.enter_async_context(threads.turn(table))
            return await self._within_its_limit(think, bot, position)

    async def _within_its_limit(self, think: Callable[..., asyncio.Future[int]], bot: Bot, position: Position) -> int:
        meter, look = _Meter(), min(LOOK, self._seconds / 4)
        thinking = think(meter.measured, bot.choose, position)
        try:
            for _ in range(int(BACKSTOP * self._seconds / look)):  # looks, not seconds: a server may be suspended
                done, _still = await asyncio.wait({thinking}, timeout=look)
                if done:
                    return thinking.result()
                if meter.used > self._seconds:
                    raise _TooLong(f"computed for more than {self._seconds:g} s")
            raise _TooLong(f"did not answer within {BACKSTOP * self._seconds:g} s, and did not compute")
        finally:
            thinking.cancel()

    def close(self) -> None:
        """Send the threads home; one that still thinks is not waited for."""
        for threads in (self._quick, self._deep):
            threads.close()
