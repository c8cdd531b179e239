"""A process of our own at the other end of two pipes, through which objects go in both directions, pickled.

Unlike those of `concurrent.futures` it is started without the program that started it being imported again, so a
script needs no `if __name__ == "__main__"`; it can be handed open files; and it hears by the end of its standard input
when whoever started it is gone. Players of many games (`arena/worker.py`) and server processes
(`web/serving/process.py`) are such processes. Other work goes to `concurrent.futures`, or to a process that is forked
for that work alone, with a budget, and may be ended at any time (`web/core/jobs/job.py`).
"""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from typing import Any


class ChildExitError(Exception):
    """The process has ended, or answers nonsense; the exit code is its argument."""


class ChildProcess:
    """Such a process, seen from the one that started it."""

    def __init__(self, module: str, **options: Any) -> None:
        """Begin: in the other process the module's function `main` is called with the way back, a `Parent`.

        `options` go to `subprocess.Popen`.
        """
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from branchline.child_process import main; main('{module}')"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **options,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._to, self._from = self.process.stdin, self.process.stdout

    def send(self, message: object) -> None:
        """Send it something. Raise `ChildExitError`."""
        try:
            pickle.dump(message, self._to)
            self._to.flush()
        except OSError:
            raise ChildExitError(self.process.wait()) from None

    def receive(self) -> Any:
        """Wait for what it sends next. Raise `ChildExitError`."""
        try:
            return pickle.load(self._from)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise ChildExitError(self.process.wait()) from None

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self._to, self._from):
            try:
                pipe.close()
            except BrokenPipeError:
                continue


class Parent:
    """The process that started this one. What this one prints does not get between the messages."""

    def __init__(self) -> None:
        """Take standard input and output."""
        self._from = sys.stdin.buffer
        self._to = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def receive(self) -> Any:
        """Wait for what it sends next. Raise `EOFError` when it is gone."""
        return pickle.load(self._from)

    def send(self, message: object) -> None:
        """Send it something. Raise `BrokenPipeError` when it is gone."""
        pickle.dump(message, self._to)
        self._to.flush()


def main(module: str) -> None:
    """Do what the process is for."""
    importlib.import_module(module).main(Parent())
