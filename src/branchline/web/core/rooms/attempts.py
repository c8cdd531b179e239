"""Writing where other processes write too: whoever was slower looks again at what is there, and tries once more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.database import Conflict

Written = TypeVar("Written")

ATTEMPTS = 4  # how often a deed is tried when other processes are quicker


async def until_written(
    attempt: Callable[[], Awaitable[Written]], reload: Callable[[], Awaitable[object]] | None = None
) -> Written:
    """Return what `attempt` has written; after each `Conflict`, `reload` what others wrote and try again.

    Without `reload`, `attempt` reads for itself what is there.

    Raise `Refused` if others were quicker every time, and whatever `attempt` raises.
    """
    for _ in range(ATTEMPTS):
        try:
            return await attempt()
        except Conflict:
            if reload is not None:
                await reload()
    raise Refused("stale", "the table is too busy; try again")
