"""Steps of many rooms, written together: those that come while others are being written share the next transaction.

A transaction costs more than what it writes: the disk is waited for, and threads take turns. Nobody is told that
something is written before it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from branchline.web.core.store.rows import Change

GATHERED = 0.004  # seconds for which a step waits for others, at most
MOST = 64  # steps in one transaction

Written = Callable[[Sequence[tuple[Change, int]]], "list[Exception | None]"]


class StepWriter:
    """The line before the thread that writes. All methods are called from the event loop."""

    def __init__(self, write: Written, threads: ThreadPoolExecutor, together: int = MOST) -> None:
        """Begin; `write` is called in one of the threads, with at most `together` steps at once."""
        self._write, self._threads, self._together = write, threads, together
        self._line: list[tuple[Change, int, asyncio.Future[None]]] = []
        self._called = False  # somebody comes soon for those who are in the line
        self._work: set[asyncio.Future[list[Exception | None]]] = set()

    async def write(self, change: Change, expected: int) -> None:
        """Write a step; it is done even when nobody waits any more. Raises what writing it raises."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._line.append((change, expected, written))
        if not self._called:
            self._called = True
            loop.call_later(GATHERED if self._together > 1 else 0.0, self._go)
        await asyncio.shield(written)

    def _go(self) -> None:
        self._called = False
        loop, line, self._line = asyncio.get_running_loop(), self._line, []
        for first in range(0, len(line), self._together):
            batch = line[first : first + self._together]
            work = loop.run_in_executor(
                self._threads, self._write, [(change, expected) for change, expected, _ in batch]
            )
            self._work.add(work)
            work.add_done_callback(partial(self._done, [written for _, _, written in batch]))

    def _done(self, waiting: Sequence[asyncio.Future[None]], work: asyncio.Future[list[Exception | None]]) -> None:
        self._work.discard(work)
        _tell(work, waiting)

    async def finish(self) -> None:
        """Write what is in the line, and wait until it is written."""
        self._go()
        await asyncio.gather(*self._work, return_exceptions=True)


def _tell(done: asyncio.Future[list[Exception | None]], waiting: Sequence[asyncio.Future[None]]) -> None:
    failed = asyncio.CancelledError() if done.cancelled() else done.exception()
    errors: Sequence[BaseException | None] = [failed] * len(waiting) if failed else done.result()
    for written, error in zip(waiting, errors, strict=True):
        if written.cancelled():
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
            written.exception()  # it is known: whoever waited may be gone
