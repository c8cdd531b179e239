"""Notices when the event loop is held: while one handler computes, nobody else is answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger("branchline.loop")

BEAT = 0.05  # seconds between two looks
TOO_LONG = 0.05  # seconds


async def watch_loop(on_held: Callable[[float], None] | None = None) -> None:
    """Log each time that the loop was held for too long; `on_held` is told for how many seconds."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + BEAT
        await asyncio.sleep(BEAT)
        late = loop.time() - due
        if late > TOO_LONG:
            log.log(
                logging.WARNING if late > 10 * TOO_LONG else logging.INFO, "event loop held for %.0f ms", 1000 * late
            )
            if on_held is not None:
                on_held(late)
