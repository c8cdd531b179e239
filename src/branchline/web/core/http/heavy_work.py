"""What strangers have worked out: in processes apart (`web.jobs`), a few at a time, in a line that is fair.

One piece of work at a time is done for an address, and only so many may wait; whoever goes away takes their work with
them. Neither the event loop nor the threads that everybody needs, for the store and for pages, have a part in it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import Request

from branchline.boards import BranchlineError
from branchline.boards.wording import worded
from branchline.web.core.http.middleware import address_of
from branchline.web.core.jobs import Job, JobError, Overspent, Stopped, WorkBudget
from branchline.web.core.rooms.fair_threads import FairThreads
from branchline.web.core.settings import Settings

Answer = TypeVar("Answer")

QUICK = WorkBudget(10.0)
"""For what a page asks again and again; such work waits for no other than its like."""
DEEP = WorkBudget(30.0)
"""For what somebody presses a button for."""


class Crowded(JobError):  # noqa: N818  it reads as a sentence
    """An address has as much in the line as it may."""


def status_of(error: BranchlineError) -> int:
    """Return the HTTP status for work that was refused, ended, or found something wrong."""
    if isinstance(error, JobError):
        return {Crowded: 429, Overspent: 422}.get(type(error), 500)
    return 400


@dataclass(frozen=True)
class _Visitor:
    """Somebody in the line; see `fair_threads.Asker`."""

    address: str
    watched: bool = True

    @property
    def id(self) -> str:
        """An address is one visitor."""
        return self.address


class HeavyWork:
    """The work of all strangers at a server process."""

    def __init__(self, settings: Settings) -> None:
        """Begin without any requests."""
        self._most_waiting = settings.limits.heavy_waiting
        self._lines = {budget: FairThreads(settings.heavy_jobs, "heavy") for budget in (QUICK, DEEP)}
        self._here: Counter[str] = Counter()
        self._one_at_a_time: dict[str, asyncio.Lock] = {}
        self._running: set[Job[Any]] = set()

    async def run(
        self, request: Request, budget: WorkBudget, function: Callable[..., Answer], *arguments: Any
    ) -> Answer:
        """Return what a function answers in another process, as long as the sender of the request waits for it.

        Raise `Crowded` when the address has too much in the line, and what `Job.run` raises.
        """
        work = asyncio.create_task(self._worked(address_of(request.scope), budget, Job(budget, function, *arguments)))
        leaving = asyncio.create_task(_gone(request))
        try:
            await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise Stopped("whoever asked has left")
        finally:
            work.cancel()
            leaving.cancel()
            await asyncio.gather(work, leaving, return_exceptions=True)

    async def _worked(self, address: str, budget: WorkBudget, job: Job[Answer]) -> Answer:
        async with self._place(address), self._lines[budget].turn(_Visitor(address)) as submit:
            self._running.add(job)
            try:
                answer: Answer = await submit(job.run)
                return answer
            finally:
                job.stop()  # its thread is free once its process is gone
                self._running.discard(job)

    @contextlib.asynccontextmanager
    async def _place(self, address: str) -> AsyncIterator[None]:
        """Hold a place in the queue, and wait for the turn of the address."""
        if self._here[address] > self._most_waiting:
            raise Crowded(
                worded(
                    "too many computations are already running for this address; wait until some of them are finished"
                )
            )
        self._here[address] += 1
        lock = self._one_at_a_time.setdefault(address, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address], self._one_at_a_time[address]

    def close(self) -> None:
        """End all of it."""
        for job in list(self._running):
            job.stop()
        for line in self._lines.values():
            line.close()


async def _gone(request: Request) -> None:
    """Wait until whoever sent a request hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
