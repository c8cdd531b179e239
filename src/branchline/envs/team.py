"""A team of threads that do the same with many games, in compiled code.

Waking a thread takes as long as hundreds of decisions. So the threads of a team stay in compiled code after an order
and wait there for the next one, for a moment; only then do they sleep. Nobody waits for one that sleeps: each has a
share of the games, so that these stay in the cache of one core, and does those of others when its own are done.
"""

from __future__ import annotations

import os
import queue
import threading
import time
import weakref
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from branchline.boards.arguments import whole_number
from branchline.envs.rewards import EnvError
from branchline.rules import kernel
from branchline.rules.kernel import rule
from branchline.runtime.structs import Matrix

if kernel.NATIVE:
    from branchline.runtime import atomics

MOST_THREADS = 256
THREAD = "branchline-team"  # name of the threads

PATIENCE = 4_000  # pauses: 100 microseconds on today's x86, about what it costs to sleep and be woken
NAP = 1e-4  # seconds between two looks at whether the others have finished

CHUNK = 16  # games that a thread takes on at a time

SEEN, BUSY, NEXT, END = range(4)
"""What stands in the signals of each thread.

The last order it has seen; whether it takes part in one; the next game of its share that nobody has taken on; where its
share ends.
"""

OPEN = 8
"""In the signals of the first one, at a distance: the number of the order in which threads may take part, or 0."""

LINE = 16  # numbers; what two threads write stands so far apart, or each write would hold up the other


def compiled_only() -> None:
    """Raise `EnvError` where rules are interpreted."""
    if kernel.INTERPRETED:
        raise EnvError("this runs compiled code only: leave BRANCHLINE_INTERPRET and BRANCHLINE_RULES unset")


def threads_for(asked: int, games: int) -> int:
    """Return the number of threads: not more than games, and one on the engine, whose memory one thread at a time uses.

    Raise `EnvError`, also where rules are interpreted.
    """
    compiled_only()
    threads = min(whole_number("threads", asked, 1, MOST_THREADS, EnvError), games)
    return threads if kernel.NATIVE else 1


class Team:
    """So many threads; the one that calls `run` is the first of them.

    What they do is a rule `work(signals, member, order, workplace)` of this form:

        while next_order(signals, member):
            first, end = next_games(signals, member)
            while first < end:
                ...  # what the numbers in `order` say, with the games from `first` up to, not including, `end`
                first, end = next_games(signals, member)
            if carried_out(signals, member):
                return
    """

    def __init__(
        self, games: int, threads: int, work: Callable[..., None], workplace: Callable[[], tuple[object, ...]]
    ) -> None:
        """Form a team of `threads` threads, see `threads_for`.

        `workplace` is called for each of them, as each needs a scratch of its own.
        """
        self._signals = kernel.new_array((threads, LINE), np.int64)
        self._signals[:, END] = [games * n // threads for n in range(1, threads + 1)]
        self._order = kernel.new_array(LINE, np.int64)
        members = [kernel.bound(work, self._signals, n, self._order, workplace()) for n in range(threads)]
        self._first_member = members[0]
        self._workers = [_Worker(self._signals[n], members[n]) for n in range(1, threads)]
        weakref.finalize(self, _dismiss, self._workers)

    def run(self, *order: int) -> None:
        """Have an order carried out, and wait until it is.

        Raises what went wrong in one of the threads; some games may not be done then.
        """
        for worker in self._workers:
            worker.begin()
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
        failures = [worker.failure for worker in self._workers if worker.failure is not None]
        for worker in self._workers:
            worker.failure = None  # its traceback leads to the team
        if failures:
            raise failures[0]

    def _wait(self) -> None:
        """Wait until nobody is busy, nor can be; an interruption is raised only then."""
        interrupted = None
        while self._workers and anyone_busy(self._signals):
            try:
                time.sleep(NAP)
            except KeyboardInterrupt as interruption:
                interrupted = interruption
        if interrupted is not None:
            raise interrupted


class _Worker:
    """A thread of a team. It knows nothing of the team, so as not to keep it.

    A call to wake up is put into a queue: that takes no lock which an interruption could leave closed.
    """

    def __init__(self, signals: npt.NDArray[np.int64], work: Callable[[], None]) -> None:
        """Make a worker that has not begun."""
        self._signals, self._work = signals, work
        self._calls: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._process = 0  # in which its thread has begun
        self._asleep = False
        self._dismissed = False
        self.failure: BaseException | None = None

    def begin(self) -> None:
        """See that it has a thread; a fork of the process has none of those before."""
        if self._process != os.getpid():
            self._process = os.getpid()  # first, so that there are never two
            self._calls, self._asleep = queue.SimpleQueue(), False
            self._signals[BUSY] = 0
            threading.Thread(target=self._serve, args=(self._calls,), name=THREAD, daemon=True).start()

    def wake(self) -> None:
        """Have it look for orders again."""
        if self._asleep:
            self._calls.put(None)

    def dismiss(self) -> None:
        """Have it end."""
        self._dismissed = True
        self._calls.put(None)

    def _serve(self, calls: queue.SimpleQueue[None]) -> None:
        while not self._dismissed:
            try:
                self._work()  # until no order has come for a moment
            except BaseException as failure:  # whatever it is, who gave the order must hear of it
                self.failure = failure
                self._signals[BUSY] = 0
            self._asleep = True
            if not self._dismissed:
                calls.get()
            self._asleep = False


def _dismiss(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.dismiss()


@rule
def anyone_busy(signals: Matrix) -> bool:
    """Return whether a thread still takes part in an order; from now on none begins to."""
    atomics.store(signals, 0, OPEN, 0)
    busy = 0
    for member in range(1, len(signals)):
        busy += atomics.load(signals, member, BUSY)
    return busy > 0


@rule
def next_order(signals: Matrix, member: int) -> bool:
    """Return whether there is an order to carry out. The first member gives it; the others wait a moment for one."""
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
def next_games(signals: Matrix, member: int) -> tuple[int, int]:
    """Return the games to do next, from the first up to, not including, the second: of the own share, then of
    others'.
    """
    for other in range(len(signals)):
        whose = (member + other) % len(signals)
        if signals[whose, NEXT] < signals[whose, END]:
            first: int = atomics.fetch_add(signals, whose, NEXT, CHUNK)
            if first < signals[whose, END]:
                return first, min(first + CHUNK, signals[whose, END])
    return 0, 0


@rule
def carried_out(signals: Matrix, member: int) -> bool:
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
