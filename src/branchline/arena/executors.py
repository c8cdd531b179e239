"""Who plays the games: this process, or several on this machine. Other engines register themselves (`ray_executor`).

An executor is given batches of games and hands results back in any order. Which games those are and how they end
does not depend on the executor.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from branchline.arena.errors import SeriesError
from branchline.arena.table import Games, Table
from branchline.arena.watching import Tally
from branchline.arena.worker import Worker
from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.boards.faults import shown
from branchline.bots import BotMaker, maker_of
from branchline.bots.api.tuned_weights import Weights
from branchline.bots.simple.random import RandomBot
from branchline.child_process import ChildExitError
from branchline.runtime import mode
from branchline.runtime.structs import Buffer

BotSpec = str | BotMaker
"""A bot by name (`greedy`, `my_module:MyBot`) or by class."""

PATIENCE = 0.2  # seconds that this process waits in one go

MOST_JOBS = 10_000


@dataclass(frozen=True)
class LineUp:
    """Who sits at a table; can be sent to another process."""

    board: Board
    bots: tuple[BotSpec, ...]  # one for each seat
    seed: int
    audited: bool = False
    watched: bool = False

    def table(self) -> Table:
        """Return a table to play at."""
        makers = [maker_of(one) for one in self.bots]
        return Table(self.board, makers, self.seed, audited=self.audited, watched=self.watched)


@dataclass(frozen=True)
class Batch:
    """Some games of one line-up."""

    pairing: int  # number of the line-up
    first: int
    count: int
    weights: tuple[Weights | None, ...] = ()  # to be tried by each of the line-up; none, or None: its own


@dataclass(frozen=True)
class BatchResult:
    """A batch that was played."""

    batch: Batch
    games: Games
    seconds: float
    tally: Buffer[Tally] | None = None  # what was watched of the games, one record of `watching.TALLY`; None: nothing


class Executor(Protocol):
    """Plays batches."""

    size: int  # how many batches are played at the same time
    queue_depth: int  # how many should be given, so that nobody waits

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        ...

    def next_result(self) -> BatchResult:
        """Return the next result. Raise what went wrong."""
        ...

    def drain(self) -> Iterator[BatchResult]:
        """Finish what has been begun and nothing more."""
        ...

    def shutdown(self) -> None:
        """Go, at once."""
        ...


class BatchSource(Protocol):
    """What is to be played."""

    def next(self, executor: Executor) -> Batch | None:
        """Return the next batch, or None where nothing is left to give."""
        ...

    def note(self, played: BatchResult) -> None:
        """Learn how it went."""
        ...


Player = Callable[[Sequence[LineUp]], Callable[[Batch], BatchResult]]
"""Makes, in each process, what plays batches of some line-ups."""


def make_executor(line_ups: Sequence[LineUp], engine: EngineMaker, jobs: int, games: int) -> Executor:
    """Return an executor for these line-ups.

    `jobs`: how many batches are played side by side; 0: one for each core. `games`: how many are to be played in
    all. Raise `SeriesError`.
    """
    whole_number("jobs", jobs, 0, MOST_JOBS, SeriesError)
    return engine(line_ups, jobs, games)


def engine_named(on: str) -> EngineMaker:
    """Return the engine of this name. Raise `SeriesError` where there is none."""
    if not isinstance(on, str) or on not in ENGINES:
        raise SeriesError(f"on: expected {' or '.join(ENGINES)}, not {shown(on)}")
    return ENGINES[on]


def on_this_machine(
    line_ups: Sequence[LineUp], jobs: int, games: int, player: Player | None = None
) -> ProcessExecutor | SerialExecutor:
    """Return the executor `processes`: as many processes as there are jobs, or this one alone.

    `player`: what plays there; None for `Tables.player`.
    """
    workers = min(jobs if jobs > 0 else multiprocessing.cpu_count(), max(1, games // 2))
    play = player or Tables.player
    return ProcessExecutor(line_ups, workers, player=play) if workers > 1 else SerialExecutor(line_ups, play)


def in_threads(line_ups: Sequence[LineUp], jobs: int, games: int) -> Executor:
    """Return an executor whose workers are threads of this process, which may not begin other processes."""
    workers = max(1, jobs if jobs > 0 else multiprocessing.cpu_count())
    return ProcessExecutor(line_ups, workers, player=Tables.player, kind=ThreadWorker)


EngineMaker = Callable[[Sequence[LineUp], int, int], Executor]
"""From line-ups, jobs (0: one for each core) and the number of games to an executor."""

ENGINES: dict[str, EngineMaker] = {"processes": on_this_machine}
"""Engines by name."""


def run_batches(executor: Executor, batches: BatchSource) -> Iterator[BatchResult]:
    """Have everything played. After Ctrl-C comes what had been begun, and `KeyboardInterrupt` at the end."""
    given = 0
    try:
        try:
            while True:
                while given < executor.queue_depth and (batch := batches.next(executor)):
                    executor.submit(batch)
                    given += 1
                if not given:
                    return
                played = executor.next_result()
                given -= 1
                batches.note(played)
                yield played
        except KeyboardInterrupt:
            yield from executor.drain()  # a second Ctrl-C ends this as well
            raise
    finally:
        executor.shutdown()


class Tables:
    """The tables of all line-ups, each set up when it is first played at."""

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        self._line_ups = line_ups
        self._tables: dict[int, Table] = {}

    def play(self, batch: Batch) -> BatchResult:
        """Play a batch."""
        started = time.perf_counter()
        if batch.pairing not in self._tables:
            self._tables[batch.pairing] = self._line_ups[batch.pairing].table()
        games = self._tables[batch.pairing].play(batch.first, batch.count, batch.weights)
        games["pairing"] = batch.pairing
        tally = self._tables[batch.pairing].tally if self._line_ups[batch.pairing].watched else None
        return BatchResult(batch, games, time.perf_counter() - started, tally)

    @classmethod
    def player(cls, line_ups: Sequence[LineUp]) -> Callable[[Batch], BatchResult]:
        """Return what plays batches of these line-ups; for `Worker`."""
        return cls(line_ups).play


class SerialExecutor:
    """This process."""

    size = queue_depth = 1

    def __init__(self, line_ups: Sequence[LineUp], player: Player) -> None:
        self._play = player(line_ups)
        self._given: deque[Batch] = deque()

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        self._given.append(batch)

    def next_result(self) -> BatchResult:
        """Return the next one."""
        return self._play(self._given.popleft())

    def drain(self) -> Iterator[BatchResult]:
        """Yield nothing: no batch is played while nobody waits."""
        return iter(())

    def shutdown(self) -> None:
        """Do nothing: there is nothing to shut down."""


# ------------------------------------------------------------------------------------------------ several processes


class ThreadWorker:
    """What a `Worker` is, in this process: the engine plays in several threads at once."""

    def __init__(self, play: Callable[..., Callable[[Batch], BatchResult]], line_ups: Sequence[LineUp]) -> None:
        """Begin; the thread that has batches played sets up its own tables."""
        self._play = play(line_ups)

    def run(self, batch: Batch) -> BatchResult:
        """Play a batch. What comes of it is a copy: the engine's memory belongs to the thread."""
        played: BatchResult = pickle.loads(pickle.dumps(self._play(batch)))
        return played

    def stop(self) -> None:
        """Do nothing: the thread ends after its batch."""


class ProcessExecutor:
    """Worker processes of this machine, each served by a thread of this one. Ctrl-C reaches this process only."""

    def __init__(
        self,
        line_ups: Sequence[LineUp],
        workers: int,
        *,
        player: Player,
        kind: type[Worker] | type[ThreadWorker] = Worker,
    ) -> None:
        """Begin with `workers` of a kind playing side by side. What processes need is made here, and not by each."""
        self.size = workers
        self.queue_depth = 2 * workers
        self._line_ups = tuple(line_ups)
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stop = threading.Event()  # no further batch is begun
        self._threads: list[threading.Thread] = []
        self._workers: list[Worker | ThreadWorker] = []
        if kind is Worker:
            prepare(line_ups)
        for _ in range(workers):
            worker = kind(player, self._line_ups)
            self._workers.append(worker)
            thread = threading.Thread(target=self._serve, args=(worker,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        self._batches.put(batch)

    def next_result(self) -> BatchResult:
        """Return the next one played."""
        while True:
            with contextlib.suppress(queue.Empty):
                answer = self._results.get(timeout=PATIENCE)  # Ctrl-C is heard in between, on every system
                break
        if isinstance(answer, BaseException):
            raise answer
        played: BatchResult = answer
        return played

    def drain(self) -> Iterator[BatchResult]:
        """Yield what is being played now; nothing else is begun."""
        self._end()
        while any(one.is_alive() for one in self._threads) or not self._results.empty():
            with contextlib.suppress(queue.Empty):
                answer = self._results.get(timeout=PATIENCE)
                if isinstance(answer, BaseException):
                    raise answer
                yield answer

    def shutdown(self) -> None:
        """Stop them."""
        self._end()
        for worker in self._workers:
            worker.stop()
        for one in self._threads:
            one.join()

    def _serve(self, worker: Worker | ThreadWorker) -> None:
        """Have a worker play batch after batch."""
        while not self._stop.is_set():
            batch = self._batches.get()
            if batch is None:
                return
            try:
                self._results.put(worker.run(batch))
            except ChildExitError as death:
                if not self._stop.is_set():
                    self._results.put(SeriesError(f"a worker process died (exit code {death.args[0]})"))
                return
            except BaseException as fault:
                self._results.put(fault)
                return

    def _end(self) -> None:
        self._stop.set()
        for _ in self._threads:
            self._batches.put(None)


def prepare(line_ups: Sequence[LineUp]) -> None:
    """Have Numba make and keep what these tables need, where it runs the rules; no game of theirs is played."""
    for line_up in line_ups if mode.NATIVE else ():
        table = line_up.table()
        if table.compiled:
            table.play(0, 0)
        else:
            as_python = Table(line_up.board, [lambda seed: RandomBot(seed)] * table.seats, 0, audited=line_up.audited)
            as_python.play(0, 1)
