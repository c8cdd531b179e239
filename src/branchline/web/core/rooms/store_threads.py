"""The store as the event loop asks it: in threads, and with a plain answer while the database is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from branchline.web.core import metrics
from branchline.web.core.rooms.step_writer import MOST, StepWriter
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.outage import OutageWatch
from branchline.web.core.store.rows import Change

Answer = TypeVar("Answer")


def _timed(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Return what a function answers, and note how long it took."""
    with metrics.DATABASE.labels(getattr(function, "__name__", "other").lstrip("_")).time():
        return function(*arguments)


class StoreThreads:
    """The threads of one process that read, write and work things out."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Begin; no thread is there before it is needed."""
        self.store, self.settings = store, settings
        self._outages = OutageWatch()
        self._reading = ThreadPoolExecutor(settings.store_threads, thread_name_prefix="reading")
        writers = settings.store_threads if store.postgres else 1
        self._writing = ThreadPoolExecutor(writers, thread_name_prefix="writing")
        self._steps = StepWriter(self._write_steps, self._writing, 1 if store.postgres else MOST)
        self._working = ThreadPoolExecutor(2, thread_name_prefix="working")

    async def read(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Ask the store something, in a thread. Raise `Unavailable` while the database is away."""
        ask = self._outages.read
        return await asyncio.get_running_loop().run_in_executor(self._reading, ask, _timed, function, *arguments)

    async def work(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Have something worked out that takes long, in a thread; those who only want to read do not wait behind it."""
        return await asyncio.get_running_loop().run_in_executor(self._working, function, *arguments)

    async def write(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Have the store write something, in a thread; it is done even when nobody waits any more.

        Raise `Unavailable` while the database is away.
        """
        ask = self._outages.write
        work = asyncio.get_running_loop().run_in_executor(self._writing, ask, _timed, function, *arguments)
        return await asyncio.shield(work)

    def _write_steps(self, steps: Sequence[tuple[Change, int]]) -> list[Exception | None]:
        with metrics.DATABASE.labels("write").time():
            return self._outages.write(self.store.write_all, steps)

    async def finish(self) -> None:
        """Write what is left to be written, and end."""
        await self._steps.finish()
        self._writing.shutdown()
        self._reading.shutdown()
        self._working.shutdown(wait=False, cancel_futures=True)
