"""Deletes rooms, dealt tables and drafts that nobody touches any more, while the server runs.

Rooms with a guide are deleted after a few days in any case; the rest only where `keep_days` says so. Nothing is deleted
by a date that has just jumped: it may be wrong, and what is deleted is gone.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import time
from collections.abc import Callable, Sequence

from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.store.database import Store
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.purge import purge, purge_guided

log = logging.getLogger("branchline.rooms")

HOUR = 3600.0
DAY = 24 * HOUR
Purge = tuple[Callable[[Store, float], int], str]
"""Deletes what nobody has touched for so many days and returns how much it was; and what the log says of that."""


class Date:
    """The machine's date, which is not believed for a day after it has jumped by more than one."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, date: Callable[[], float] = time.time) -> None:
        """Begin by believing the date of the machine."""
        self._monotonic, self._date = monotonic, date
        self._ahead = date() - monotonic()
        self._doubted_until = -math.inf

    def believed(self) -> bool:
        """Return whether something may be deleted by it."""
        now = self._monotonic()
        ahead = self._date() - now
        if abs(ahead - self._ahead) > DAY:
            log.warning("the date of this machine has jumped by %.0f days", (ahead - self._ahead) / DAY)
            self._ahead, self._doubted_until = ahead, now + DAY
        return now >= self._doubted_until


async def purge_regularly(live: LiveRooms, purges: Sequence[Purge] = (), pause: float = HOUR) -> None:
    """Look every hour, at first soon after the start; processes that share a database not all at once."""
    days = live.settings.keep_days
    date = Date()
    await asyncio.sleep(pause / 60 * random.random())
    while True:
        try:
            believed = date.believed()
            if believed:
                await live.write(purge_guided, live.store, tuple(live.rooms))
            if days and believed:
                await _purge_old(live, days, purges)
        except Unavailable:
            pass  # next time
        except Exception:
            log.exception("old rooms could not be deleted")
        await asyncio.sleep(pause * random.uniform(0.9, 1.1))


async def _purge_old(live: LiveRooms, days: float, purges: Sequence[Purge]) -> None:
    done = await live.write(_purge, live, days)
    if done:
        log.info("deleted %s rooms that nobody has touched for %g days", done, days)
    for purge_more, message in purges:
        count = await live.write(purge_more, live.store, days)
        if count:
            log.info(message, count, days)


def _purge(live: LiveRooms, days: float) -> int:
    return purge(live.store, days, days, spare=tuple(live.rooms)).rooms
