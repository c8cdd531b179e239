"""Threads that are shared out fairly: between addresses first, between the rooms of an address next.

Who waits is asked to go on in this order: rooms that somebody watches, and those that have waited long; then the
address whose last turn is longest ago; then the room of that address whose last turn is longest ago. So it is of no
use to anybody to open more rooms, and a room that nobody watches takes only what is left over.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

UNWATCHED = 30.0  # seconds after which a room that nobody watches has waited long enough
_REMEMBERED = 1000  # addresses and rooms whose last turn is known


class Asker(Protocol):
    """The room that something is worked out for. All but its id may change while it waits."""

    @property
    def id(self) -> str:
        """Which room."""
        ...

    @property
    def address(self) -> str:
        """Where its people come from; empty: nobody has been here yet."""
        ...

    @property
    def watched(self) -> bool:
        """Whether somebody looks at it."""
        ...


@dataclass(eq=False)
class _Waiting:
    """Somebody in the line."""

    asker: Asker
    since: float
    admitted: asyncio.Future[None]


class FairThreads:
    """A number of threads, and the line before them. All methods are called from the event loop."""

    def __init__(self, threads: int, name: str, now: Callable[[], float] = time.monotonic) -> None:
        """Begin; `name` is that of the threads, `now` tells the time in seconds."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._now = now
        self._line: list[_Waiting] = []
        self._turns = count(1)
        # the number of the last turn of an address or a room
        self._last: OrderedDict[tuple[str, str], int] = OrderedDict()

    @contextlib.asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[Callable[..., asyncio.Future[Any]]]:
        """Wait in the line; what is yielded then starts one function in a thread. Whoever is cancelled leaves it."""
        waiting = _Waiting(asker, self._now(), asyncio.get_running_loop().create_future())
        self._line.append(waiting)
        self._admit()
        try:
            await waiting.admitted
        except asyncio.CancelledError:
            if waiting in self._line:
                self._line.remove(waiting)
            else:
                self._release()
            raise
        started: list[Future[Any]] = []

        def submit(function: Callable[..., object], *arguments: object) -> asyncio.Future[Any]:
            started.append(self._threads.submit(function, *arguments))
            return asyncio.wrap_future(started[0])

        try:
            yield submit
        finally:
            self._release_after(started)

    def _release_after(self, started: list[Future[Any]]) -> None:
        """Give the thread back when it is really free: a function that nobody waits for any more still runs."""
        loop = asyncio.get_running_loop()

        def ended(_: Future[Any]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(self._release)

        if started and not started[0].done():
            started[0].add_done_callback(ended)
        else:
            self._release()

    def _release(self) -> None:
        self._free += 1
        self._admit()

    def _admit(self) -> None:
        """Let in whose turn it is, as long as a thread is free."""
        while self._free and self._line:
            chosen = min(self._line, key=self._order)
            self._line.remove(chosen)
            if chosen.admitted.cancelled():
                continue
            turn = next(self._turns)
            for name in _names(chosen.asker):
                self._last[name] = turn
                self._last.move_to_end(name)
            while len(self._last) > _REMEMBERED:
                self._last.popitem(last=False)
            self._free -= 1
            chosen.admitted.set_result(None)

    def _order(self, waiting: _Waiting) -> tuple[bool, int, int, float]:
        asker = waiting.asker
        last = not asker.watched and self._now() - waiting.since < UNWATCHED
        of_address, of_room = (self._last.get(name, 0) for name in _names(asker))
        return last, of_address, of_room, waiting.since

    def close(self) -> None:
        """Send the threads home; one that is still busy is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _names(asker: Asker) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("address", asker.address), ("room", asker.id)
