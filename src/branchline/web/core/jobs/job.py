"""One function in a process of its own: what it answers, raises and reports comes back; it can be ended at any time.

Processes are forked from one that has loaded everything already (`preloaded`), where the system can do that; each does
one piece of work and ends. So it takes milliseconds to begin, nothing is left behind, and whatever hostile input does
to it happens to nobody else.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic

from branchline.boards.wording import worded
from branchline.web.core.jobs.budget import WorkBudget, keep_to
from branchline.web.core.jobs.errors import JobError, Overspent, Stopped
from branchline.web.core.jobs.messages import REPORT, Answer, Hear, answer, done

log = logging.getLogger("branchline.server")

GOODBYE = 5.0  # seconds that a process may take to end when it has said its last word

if sys.platform == "win32":
    _CONTEXT = multiprocessing.get_context("spawn")
else:
    _CONTEXT = multiprocessing.get_context("forkserver")
    _CONTEXT.set_forkserver_preload(["branchline.web.preloaded"])
_starting = threading.Lock()  # `multiprocessing` starts one process at a time


class Job(Generic[Answer]):
    """A function, its arguments and its budget. Whatever goes there and back is pickled."""

    def __init__(self, budget: WorkBudget, function: Callable[..., Answer], *arguments: object) -> None:
        """Begin; nothing happens before `run`."""
        self._budget, self._function, self._arguments = budget, function, arguments
        self._stop_reading, self._stop_writing = _CONTEXT.Pipe(duplex=False)
        self._lock = threading.Lock()  # of what follows
        self._stopped = self._over = False

    def run(self, hear: Hear | None = None) -> Answer:
        """Return what the function answers; blocks.

        `hear` receives what the function reports to its first argument meanwhile.

        Raises what the function raises, if a person can put it right; `Overspent`, `Stopped` or `JobError` otherwise.
        """
        with tempfile.TemporaryDirectory(prefix="branchline-job-", ignore_cleanup_errors=True) as folder:
            ours, theirs = _CONTEXT.Pipe()
            function, hears = self._function, hear is not None
            work = (theirs, folder, self._budget, function, self._arguments, hears)
            process = _CONTEXT.Process(target=_work, args=work, name=f"branchline {function.__name__}", daemon=True)
            try:
                with _starting:
                    self._check()
                    process.start()
                theirs.close()
                return self._heard(process, ours, hear)
            finally:
                _end(process)
                ours.close()
                theirs.close()
                with self._lock:
                    self._over = True
                    self._stop_reading.close()
                    self._stop_writing.close()

    def stop(self) -> None:
        """End it, from any thread."""
        with self._lock:
            if not (self._stopped or self._over):
                self._stopped = True
                self._stop_writing.close()

    def _check(self) -> None:
        if self._stopped:
            raise Stopped("nobody wants it any more")

    def _heard(self, process: BaseProcess, ours: Connection, hear: Hear | None) -> Answer:
        until = time.monotonic() + self._budget.patience
        while True:
            ready = wait([ours, self._stop_reading], until - time.monotonic())
            self._check()
            if not ready:
                raise _overspent(self._budget)
            try:
                kind, content = ours.recv()
            except (EOFError, OSError):
                process.join(GOODBYE)
                raise _death(self._function, process.exitcode, self._budget) from None
            if kind != REPORT:
                answered: Answer = answer((kind, content), self._function)
                return answered
            if hear is not None:
                hear(content)


def prepare() -> None:
    """Have the process there from which the others are forked, so that nobody waits for it; blocks."""
    Job(WorkBudget(60.0), _nothing).run()


def _nothing() -> None:
    """Do nothing."""


def _overspent(budget: WorkBudget) -> Overspent:
    return Overspent(
        worded(
            "this took more than {seconds} seconds of computing time, the limit for one request",
            seconds=round(budget.seconds),
        )
    )


def _death(function: Callable[..., object], code: int | None, budget: WorkBudget) -> JobError:
    """Return why a process that has died did not answer."""
    if code is not None and sys.platform != "win32" and -code in (signal.SIGXCPU, signal.SIGKILL):
        return _overspent(budget)  # or the system needed its memory
    log.error("the process of %s died (exit code %s)", function.__name__, code)
    return JobError(worded("something went wrong here; it has been logged"))


def _end(process: BaseProcess) -> None:
    """See to it that a process is gone."""
    if process.pid is None:
        return  # it was never started
    if process.is_alive():
        process.kill()
    process.join()
    process.close()


# ------------------------------------------------------------------------------------------------ over there


def _work(
    pipe: Connection,
    folder: str,
    budget: WorkBudget,
    function: Callable[..., object],
    arguments: tuple[object, ...],
    hears: bool,
) -> None:
    """Do the work of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program in front, which ends this one
    keep_to(budget)
    tempfile.tempdir = folder
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()

    def tell(content: object) -> None:
        pipe.send((REPORT, content))

    message = done(function, (*((tell,) if hears else ()), *arguments))
    try:
        pipe.send(message)
    except (OSError, MemoryError):
        os._exit(1)


def _end_with(pipe: Connection) -> None:
    """End this process at once when whoever has started it is gone."""
    try:
        pipe.recv()
    except (EOFError, OSError):
        os._exit(1)
