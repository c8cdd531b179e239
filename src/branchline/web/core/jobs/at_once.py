"""The same work where there are no processes, as in a browser: done at once, by who asks for it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from branchline.boards import BranchlineError
from branchline.boards.wording import worded
from branchline.web.core.jobs.budget import WorkBudget
from branchline.web.core.jobs.errors import JobError, Stopped

log = logging.getLogger("branchline.server")

Answer = TypeVar("Answer")


class Job(Generic[Answer]):
    """A function and its arguments; nothing keeps it to its budget."""

    def __init__(self, _budget: WorkBudget, function: Callable[..., Answer], *arguments: object) -> None:
        """Begin; nothing happens before `run`."""
        self._function, self._arguments = function, arguments
        self._stopped = False

    def run(self, hear: Callable[[Any], None] | None = None) -> Answer:
        """Return what the function answers; see `job.Job.run`."""
        if self._stopped:
            raise Stopped("nobody wants it any more")
        try:
            return self._function(*(() if hear is None else (hear,)), *self._arguments)
        except BranchlineError:
            raise
        except Exception:
            log.exception("%s failed", self._function.__name__)
            raise JobError(worded("something went wrong here; it has been logged")) from None

    def stop(self) -> None:
        """Do not begin it any more."""
        self._stopped = True


def prepare() -> None:
    """Do nothing: there is nothing to prepare."""
