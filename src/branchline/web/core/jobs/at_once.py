"""The same work where there are no processes, as in a browser: done in a second Python where there is one (`apart`),
or else at once, by who asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic

from branchline.web.core.jobs.budget import WorkBudget
from branchline.web.core.jobs.errors import Stopped
from branchline.web.core.jobs.messages import REPORT, Answer, Hear, Message, answer, done

SHORT = 15.0  # seconds that work may take which is done at once: a second Python is not there as soon


Work = tuple[Callable[..., object], tuple[object, ...], bool]
"""A function, its arguments, and whether its first one, before these, hears reports."""
Heard = Callable[[Message | None], None]
"""What receives the messages, or None if there is no second Python after all."""
apart: Callable[[Work, Heard], Callable[[], None]] | None = None
"""Begins work in the second Python, where there is one, and returns what ends it."""


class Job(Generic[Answer]):
    """A function and its arguments; nothing keeps it to its budget."""

    def __init__(self, budget: WorkBudget, function: Callable[..., Answer], *arguments: object) -> None:
        """Begin; nothing happens before `run`."""
        self._budget, self._function, self._arguments = budget, function, arguments
        self._stopped = False
        self._future: Future[Answer] = Future()
        self._end: Callable[[], None] | None = None

    def run(self, hear: Hear | None = None) -> Answer | Future[Answer]:
        """Return what the function answers, or the future of it if it is worked out elsewhere; see `job.Job.run`."""
        if self._stopped:
            raise Stopped("nobody wants it any more")
        if apart is None or self._budget.seconds <= SHORT:
            return self._at_once(hear)
        self._end = apart((self._function, self._arguments, hear is not None), lambda said: self._heard(said, hear))
        return self._future

    def _at_once(self, hear: Hear | None) -> Answer:
        told = () if hear is None else (hear,)
        found: Answer = answer(done(self._function, (*told, *self._arguments)), self._function)
        return found

    def _heard(self, message: Message | None, hear: Hear | None) -> None:
        if self._future.done():
            return
        if message is not None and message[0] == REPORT:
            if hear is not None:
                hear(message[1])
            return
        self._end = None
        try:
            self._future.set_result(self._at_once(hear) if message is None else answer(message, self._function))
        except Exception as error:
            self._future.set_exception(error)

    def stop(self) -> None:
        """End it where it is worked out elsewhere, or do not begin it any more."""
        self._stopped = True
        if self._end is not None:
            self._end()
            self._end = None
            self._future.set_exception(Stopped("nobody wants it any more"))


def prepare() -> None:
    """Do nothing: there is nothing to prepare."""
