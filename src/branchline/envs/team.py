"""A team of threads that do the same with many games, in compiled code.

Waking a thread takes as long as hundreds of decisions. So the threads of a team stay in compiled code after an order
and wait there for the next one, for a moment; only then do they sleep. Nobody waits for one that sleeps: each has a
share of the games, so that these stay in the cache of one core, and does those of others when its own are done.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.atlas.arguments import whole_number
from branchline.envs.rewards import EnvError
from branchline.rules import kernel
from branchline.rules.kernel import rule

if not kernel.INTERPRETED:
    from branchline.runtime import atomics, compiler

MOST_THREADS = 256

PATIENCE = 4_000  # pauses: some 100 microseconds, about what it costs to sleep and be woken
NAP = 1e-4  # seconds between two looks at whether the others have finished

CHUNK = 16  # games that a thread takes on at a time

OPEN, SEEN, BUSY, NEXT, END = range(5)
"""What stands in the signals of each thread.

Of the first one only: the number of the order in which threads may take part, or 0. Of each: the last order it has
seen; whether it takes part in one; the next game of its share that nobody has taken on; where its share ends.
"""

LINE = 16  # numbers; what two threads write stands so far apart, or each write would hold up the other


def compiled_only() -> None:
    """Raise `EnvError` where rules are interpreted."""
    if kernel.INTERPRETED:
        raise EnvError(
            "this runs compiled code only: call `branchline compile` once, and leave BRANCHLINE_INTERPRET unset"
        )


class Team:
    """So many threads; the one that calls `run` is the first of them.

    What they do is a rule `work(signals, member, order, *arguments)` of this form:

        while next_order(signals, member):
            first, end = next_games(signals, member)
            while first < end:
                ...  # what the numbers in `order` say, with the games from `first` up to, not including, `end`
                first, end = next_games(signals, member)
            if carried_out(signals, member):
                return
    """

    def __init__(self, games: int, threads: int, work: Callable[..., None], arguments: Callable[[], Any]) -> None:
        """As many threads as asked for, but not more than games. Raises `EnvError`.

        `arguments` is called for each of them, as each needs a scratch of its own.
        """
        compiled_only()
        threads = min(whole_number("threads", threads, 1, MOST_THREADS, EnvError), games)
        self._signals = np.zeros((threads, LINE), dtype=np.int64)
        self._signals[:, END] = [games * n // threads for n in range(1, threads + 1)]
        self._order = np.zeros(LINE, dtype=np.int64)
        members = [compiler.bound(work, self._signals, n, self._order, *arguments()) for n in range(threads)]
        self._first_member = members[0]
        self._workers = [_Worker(self._signals[n], members[n]) for n in range(1, threads)]
        weakref.finalize(self, _dismiss, self._workers)

    def run(self, *order: int) -> None:
        """Have an order carried out, and wait until it is. Raises what went wrong in any of the threads."""
        self._wait()  # for an order before, whose `run` was interrupted
        for n, number in enumerate(order):
            self._order[n] = number
        for worker in self._workers:
            worker.failure = None
            worker.wake()
        try:
            self._first_member()
        finally:
            self._wait()
        for worker in self._workers:
            if worker.failure is not None:
                raise worker.failure

    def _wait(self) -> None:
        """Until nobody is busy, nor can be."""
        self._signals[0, OPEN] = 0
        for worker in self._workers:
            while worker.signals[BUSY]:
                time.sleep(NAP)


class _Worker:
    """A thread of a team. It knows nothing of the team, so as not to keep it."""

    def __init__(self, signals: npt.NDArray[np.int64], work: Callable[[], None]) -> None:
        """One who sleeps."""
        self.signals, self._work = signals, work
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._dismissed = False
        self.failure: BaseException | None = None

    def wake(self) -> None:
        """Have it look for orders again. A thread that a fork of the process has left behind begins anew."""
        if self._thread is None or not self._thread.is_alive():
            self._awake = threading.Event()
            self._awake.set()
            self._thread = threading.Thread(target=self._serve, name="branchline-team", daemon=True)
            self._thread.start()
        elif not self._awake.is_set():
            self._awake.set()

    def dismiss(self) -> None:
        """Have it end."""
        self._dismissed = True
        self._awake.set()

    def _serve(self) -> None:
        while not self._dismissed:
            try:
                self._work()  # until no order has come for a moment
            except BaseException as failure:  # whatever it is, who gave the order must hear of it
                self.failure = failure
                self.signals[BUSY] = 0
            self._awake.clear()
            if not self._dismissed:
                self._awake.wait()


def _dismiss(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.dismiss()


@rule
def next_order(signals: Any, member: int) -> bool:
    """Whether there is an order to carry out. The first member gives it; the others wait a moment for one."""
    if member == 0:
        signals[0, SEEN] += 1
        for other in range(len(signals)):
            signals[other, NEXT] = signals[other - 1, END] if other > 0 else 0
        atomics.store(signals, 0, OPEN, signals[0, SEEN])
        return True
    for _ in range(PATIENCE):
        number = atomics.load(signals, 0, OPEN)
        if number > signals[member, SEEN]:
            signals[member, SEEN] = number
            atomics.store(signals, member, BUSY, 1)
            if atomics.load(signals, 0, OPEN) == number:  # still: from now on the first member waits for this one
                return True
            atomics.store(signals, member, BUSY, 0)
        atomics.pause()
    return False


@rule
def next_games(signals: Any, member: int) -> tuple[int, int]:
    """The games to do next, from the first up to, not including, the second: of one's own share, then of others'."""
    for other in range(len(signals)):
        whose = (member + other) % len(signals)
        if signals[whose, NEXT] < signals[whose, END]:
            first: int = atomics.fetch_add(signals, whose, NEXT, CHUNK)
            if first < signals[whose, END]:
                return first, min(first + CHUNK, signals[whose, END])
    return 0, 0


@rule
def carried_out(signals: Any, member: int) -> bool:
    """Note that no game is left for this member. The first one waits a moment for the others, and may leave."""
    if member > 0:
        atomics.store(signals, member, BUSY, 0)
        return False
    atomics.store(signals, 0, OPEN, 0)
    patience = PATIENCE
    for other in range(1, len(signals)):
        while patience > 0 and atomics.load(signals, other, BUSY) == 1:
            atomics.pause()
            patience -= 1
    return True
