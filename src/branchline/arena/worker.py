"""A process that plays batches, at the other end of two pipes.

It is started without the program that started it being imported again, so a script needs no
`if __name__ == "__main__"` in order to play on several cores. It ends when its standard input does.
"""

from __future__ import annotations

import multiprocessing.spawn
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from branchline.arena.errors import portable


class WorkerExitError(Exception):
    """The process has ended, or answers nonsense; the exit code is its argument."""


class Worker:
    """A worker process, seen from the one that started it."""

    def __init__(self, play: Callable[..., object], line_ups: Sequence[object]) -> None:
        """Begin; in the other process, `play(line_ups)` makes what turns a batch into a result."""
        self._process: Any = subprocess.Popen(
            [sys.executable, "-c", "from branchline.arena.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the program in front
        )
        main = multiprocessing.spawn.get_preparation_data("worker") if lives_in_main(line_ups) else None
        self._send((sys.path, main))
        self._send((play, tuple(line_ups)))

    def run(self, batch: Any) -> Any:
        """Have it play a batch. Raises what was raised there, and `WorkerExitError`."""
        self._send(batch)
        try:
            fault, result = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise WorkerExitError(self._process.wait()) from None
        if fault is not None:
            raise fault
        return result

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                continue

    def _send(self, message: Any) -> None:
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except (BrokenPipeError, OSError):
            raise WorkerExitError(self._process.wait()) from None


def lives_in_main(line_ups: Sequence[Any]) -> bool:
    """Return whether some bot is a class of the running script, which has to be imported in the other process then."""
    return any(getattr(bot, "__module__", "") == "__main__" for line_up in line_ups for bot in line_up.bots)


def main() -> None:
    """Play batch after batch until nobody sends one: this is what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inbox = sys.stdin.buffer
    outbox = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints must not get between the results
    try:
        sys.path[:], main_module = pickle.load(inbox)
        if main_module is not None:
            multiprocessing.spawn.prepare(main_module)
        make, line_ups = pickle.load(inbox)
        play = make(line_ups)
        while True:
            batch = pickle.load(inbox)
            fault, result = None, None
            try:
                result = play(batch)
            except Exception as error:
                fault = portable(error)
            pickle.dump((fault, result), outbox)
            outbox.flush()
    except (EOFError, BrokenPipeError):
        return
