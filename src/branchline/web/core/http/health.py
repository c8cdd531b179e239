"""Whether the server can do its work: store what people do."""

from __future__ import annotations

import asyncio
import logging
import time

from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.store.outage import Unavailable

log = logging.getLogger("branchline.server")

PATIENCE = 2.0  # seconds that a write may take
NO_WRITES = "the database takes no writes"
FRESH = 1.0  # seconds for which an answer is good: whoever asks more often does not write more often


class WriteCheck:
    """Tries to write into the database; one try at a time, however many ask."""

    def __init__(self, live: LiveRooms) -> None:
        """Begin knowing nothing."""
        self._live = live
        self._trying: asyncio.Task[str] | None = None
        self._found, self._when = "", -FRESH

    async def problem(self) -> str:
        """Return what is wrong, in one line, or an empty text."""
        if time.monotonic() - self._when < FRESH:
            return self._found
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try())
        try:
            self._found = await asyncio.wait_for(asyncio.shield(self._trying), PATIENCE)
        except TimeoutError:
            hangs = f"the database has not taken a write within {PATIENCE:g} s"
            if self._found != hangs:
                log.error("%s", hangs)
            self._found = hangs
        self._when = time.monotonic()
        return self._found

    async def _try(self) -> str:
        try:
            await self._live.write(self._live.store.check_writing)
        except Unavailable:
            return NO_WRITES
        except Exception as error:  # whatever it is: it is told to who runs the server, not to strangers
            if self._found != NO_WRITES:
                log.error("%s: %s", NO_WRITES, (str(error) or type(error).__name__).splitlines()[0])
            return NO_WRITES
        return ""
