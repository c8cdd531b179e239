"""A process that plays batches. It ends when whoever started it does."""

from __future__ import annotations

import multiprocessing.spawn
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

from branchline.arena.errors import portable
from branchline.child_process import ChildProcess, Parent


class Worker:
    """A worker process, seen from the one that started it."""

    def __init__(self, play: Callable[..., object], line_ups: Sequence[object]) -> None:
        """Begin; in the other process, `play(line_ups)` makes what turns a batch into a result."""
        self._child = ChildProcess("branchline.arena.worker", start_new_session=True)  # Ctrl-C is for the one in front
        main = multiprocessing.spawn.get_preparation_data("worker") if lives_in_main(line_ups) else None
        self._child.send((sys.path, main))
        self._child.send((play, tuple(line_ups)))

    def run(self, batch: Any) -> Any:
        """Have it play a batch. Raises what was raised there, and `ChildExitError`."""
        self._child.send(batch)
        fault, result = self._child.receive()
        if fault is not None:
            raise fault
        return result

    def stop(self) -> None:
        """End it, whatever it is doing."""
        self._child.kill()


def lives_in_main(line_ups: Sequence[Any]) -> bool:
    """Return whether some bot is a class of the running script, which has to be imported in the other process then."""
    return any(getattr(bot, "__module__", "") == "__main__" for line_up in line_ups for bot in line_up.bots)


def main(parent: Parent) -> None:
    """Play batch after batch until nobody sends one: this is what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        sys.path[:], main_module = parent.receive()
        if main_module is not None:
            multiprocessing.spawn.prepare(main_module)
        make, line_ups = parent.receive()
        play = make(line_ups)
        while True:
            batch = parent.receive()
            fault, result = None, None
            try:
                result = play(batch)
            except Exception as error:
                fault = portable(error)
            parent.send((fault, result))
    except (EOFError, BrokenPipeError):
        return
