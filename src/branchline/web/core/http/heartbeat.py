"""Notices when the event loop is held: while one handler computes, nobody else is answered."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

log = logging.getLogger("branchline.loop")

BEAT = 0.05  # seconds between two looks
TOO_LONG = 0.05  # seconds


async def watch_loop(observe: Callable[[float], None]) -> None:
    """Tell `observe` at each beat how many seconds late it came.

    Each time that the loop was held for too long is in the log at level `DEBUG`, for whoever asks for it. How long the
    loop's own thread computed meanwhile tells a handler that is slow from a machine that is busy.
    """
    loop = asyncio.get_running_loop()
    while True:
        due, computed = loop.time() + BEAT, time.thread_time()
        await asyncio.sleep(BEAT)
        late = max(0.0, loop.time() - due)
        observe(late)
        if late > TOO_LONG:
            log.debug(
                "event loop held for %.0f ms, of which it computed %.0f ms",
                1000 * late,
                1000 * (time.thread_time() - computed),
            )
