"""Deletes rooms, dealt tables and drafts that nobody touches any more, while the server runs.

Rooms with a guide are deleted after a few days in any case; the rest only where `keep_days` says so.
"""

from __future__ import annotations

import asyncio
import logging
import random

from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.store.purge import purge, purge_guided
from branchline.web.dealing import store as dealings
from branchline.web.workshop import store as drafts

log = logging.getLogger("branchline.rooms")

HOUR = 3600.0


async def purge_regularly(live: LiveRooms, pause: float = HOUR) -> None:
    """Look every hour, at first soon after the start; processes that share a database not all at once."""
    days = live.settings.keep_days
    await asyncio.sleep(pause / 60 * random.random())
    while True:
        try:
            await live.write(purge_guided, live.store, tuple(live.rooms))
            if days:
                await _purge_old(live, days)
        except Unavailable:
            pass  # next time
        except Exception:
            log.exception("old rooms could not be deleted")
        await asyncio.sleep(pause * random.uniform(0.9, 1.1))


async def _purge_old(live: LiveRooms, days: float) -> None:
    done = await live.write(_purge, live, days)
    if done:
        log.info("deleted %s rooms that nobody has touched for %g days", done, days)
    gone = await live.write(drafts.purge, live.store, days)
    if gone:
        log.info("deleted %s drafts of boards that nobody has opened for %g days", gone, days)
    dealt = await live.write(dealings.purge, live.store, days)
    if dealt:
        log.info("deleted %s dealt tables at which nobody has done anything for %g days", dealt, days)


def _purge(live: LiveRooms, days: float) -> int:
    return purge(live.store, days, days, spare=tuple(live.rooms)).rooms
