"""Deletes rooms, dealt tables and drafts that nobody touches any more, while the server runs.

Rooms with a guide are deleted after a few days in any case; the rest only where `keep_days` says so.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence

from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.store.database import Store
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.purge import purge, purge_guided

log = logging.getLogger("branchline.rooms")

HOUR = 3600.0
Purge = tuple[Callable[[Store, float], int], str]
"""Deletes what nobody has touched for so many days and returns how much it was; and what the log says of that."""


async def purge_regularly(live: LiveRooms, purges: Sequence[Purge] = (), pause: float = HOUR) -> None:
    """Look every hour, at first soon after the start; processes that share a database not all at once."""
    days = live.settings.keep_days
    await asyncio.sleep(pause / 60 * random.random())
    while True:
        try:
            await live.write(purge_guided, live.store, tuple(live.rooms))
            if days:
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
