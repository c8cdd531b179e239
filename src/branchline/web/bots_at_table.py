"""Bots at the table: they think in threads (compiled code lets the others go on), and whatever goes wrong with one,
the game goes on with a random action and a line in the server's log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor

from branchline.bots import Bot, Position, make_bot

log = logging.getLogger("branchline.bots")


class BotBench:
    """The threads in which the bots of all rooms think."""

    def __init__(self, threads: int, seconds: float) -> None:
        """`seconds`: who thinks longer has its action chosen at random."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._seconds = seconds

    async def choose(self, bots: dict[int, Bot], level: str, position: Position) -> int:
        """The action of the bot at a seat; it is seated in `bots` when it is not there yet."""
        seat = position.seat
        try:
            bot = bots.get(seat)
            if bot is None or bot.name != level:
                bot = bots[seat] = make_bot(level, secrets.randbelow(1 << 62))
            thinking = asyncio.get_running_loop().run_in_executor(self._threads, bot.choose, position)
            chosen = int(await asyncio.wait_for(thinking, self._seconds))
            if chosen in position.legal:
                return chosen
            log.error("bot %s chose %s, which is not legal, at seat %s", level, chosen, seat)
        except TimeoutError:
            log.error("bot %s at seat %s thought for more than %s s", level, seat, self._seconds)
        except Exception:  # a bot is anybody's code: whatever it throws, the table goes on
            log.exception("bot %s failed at seat %s", level, seat)
        bots.pop(seat, None)
        return secrets.choice(position.legal)

    def close(self) -> None:
        """Send the threads home; one that still thinks is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
