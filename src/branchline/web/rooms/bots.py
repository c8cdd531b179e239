"""Bots at the table: they think in threads (compiled code lets the others go on), and whatever goes wrong with one,
the game goes on with a line in the server's log. For one that takes too long the stand-in answers; for one that fails
an action is chosen at random.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor

from branchline.bots import Bot, Position, bot_maker, make_bot
from branchline.bots.search import SearchBot
from branchline.runtime import mode
from branchline.web import metrics
from branchline.web.rooms.seats import stand_in

log = logging.getLogger("branchline.bots")


class BotExecutor:
    """The threads in which the bots of all rooms think; those that think long do not keep the others waiting."""

    def __init__(self, threads: int, seconds: float) -> None:
        """`seconds`: who thinks longer has its action chosen at random."""
        self._quick = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._deep = ThreadPoolExecutor(threads, thread_name_prefix="deep-bot")
        self._seconds = seconds

    async def choose(self, bots: dict[int, Bot], level: str, position: Position) -> int:
        """The action of the bot at a seat; it is seated in `bots` when it is not there yet."""
        seat = position.seat
        if mode.INTERPRETED and getattr(bot_maker(level), "wants_compiled_code", False):
            level = stand_in()  # until compiled processes take over
        try:
            bot = bots.get(seat)
            if bot is None or bot.name != level:
                bot = bots[seat] = make_bot(level, secrets.randbelow(1 << 62))
            threads = self._deep if isinstance(bot, SearchBot) else self._quick
            thinking = asyncio.get_running_loop().run_in_executor(threads, bot.choose, position)
            with metrics.BOTS.labels(level).time():
                chosen = int(await asyncio.wait_for(thinking, self._seconds))
            if chosen in position.legal:
                return chosen
            log.error("bot %s chose %s, which is not legal, at seat %s", level, chosen, seat)
        except TimeoutError:
            log.error("bot %s at seat %s took more than %s s", level, seat, self._seconds)
            if level != stand_in():
                bots.pop(seat, None)
                return await self.choose(bots, stand_in(), position)
        except Exception:  # a bot is anybody's code: whatever it throws, the table goes on
            log.exception("bot %s failed at seat %s", level, seat)
        bots.pop(seat, None)
        return secrets.choice(position.legal)

    def close(self) -> None:
        """Send the threads home; one that still thinks is not waited for."""
        for threads in (self._quick, self._deep):
            threads.shutdown(wait=False, cancel_futures=True)
