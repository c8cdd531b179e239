"""Who plays the games: this process, or several on this machine. Other engines register themselves (`ray_executor`).

An executor is given batches of games and hands results back in any order. Which games those are and how they end
does not depend on the executor.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from branchline.arena.table import Games, Table
from branchline.atlas import Board, BranchlineError
from branchline.atlas.arguments import whole_number
from branchline.atlas.faults import shown
from branchline.bots import BotMaker, bot_maker
from branchline.bots.random import RandomBot

BotSpec = str | BotMaker
"""A bot by name (`greedy`, `my_module:MyBot`) or by class."""

PATIENCE = 0.2  # seconds between two looks at whether the workers live


MOST_JOBS = 10_000


class SeriesError(BranchlineError):
    """A series that cannot be played like this."""


@dataclass(frozen=True)
class LineUp:
    """Who sits at a table; can be sent to another process."""

    board: Board
    bots: tuple[BotSpec, ...]  # one for each seat
    seed: int
    audited: bool = False

    def table(self) -> Table:
        """A table to play at."""
        makers = [bot_maker(one) if isinstance(one, str) else one for one in self.bots]
        return Table(self.board, makers, self.seed, audited=self.audited)


@dataclass(frozen=True)
class Batch:
    """Some games of one line-up."""

    pairing: int  # number of the line-up
    first: int
    count: int


@dataclass(frozen=True)
class BatchResult:
    """A batch that was played."""

    batch: Batch
    games: Games
    seconds: float


class Executor(Protocol):
    """Plays batches."""

    size: int  # how many batches are played at the same time
    queue_depth: int  # how many should be given, so that nobody waits

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        ...

    def next_result(self) -> BatchResult:
        """The next one played; raises what went wrong."""
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
        """The next batch, None where nothing is left to give."""
        ...

    def note(self, played: BatchResult) -> None:
        """Learn how it went."""
        ...


def make_executor(line_ups: Sequence[LineUp], on: str, jobs: int, games: int) -> Executor:
    """An executor for these line-ups.

    `on`: the name of an engine. `jobs`: how many batches are played side by side; 0: one for each core. `games`: how
    many are to be played in all. Raises `SeriesError`.
    """
    whole_number("jobs", jobs, 0, MOST_JOBS, SeriesError)
    if not isinstance(on, str) or on not in ENGINES:
        raise SeriesError(f"on: expected {' or '.join(ENGINES)}, not {shown(on)}")
    return ENGINES[on](line_ups, jobs, games)


def on_this_machine(line_ups: Sequence[LineUp], jobs: int, games: int) -> Executor:
    """The engine `processes`: as many processes as there are jobs, or this one alone."""
    workers = min(jobs if jobs > 0 else multiprocessing.cpu_count(), max(1, games // 2))
    return ProcessExecutor(line_ups, workers) if workers > 1 else SerialExecutor(line_ups)


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
        games = self._tables[batch.pairing].play(batch.first, batch.count)
        games["pairing"] = batch.pairing
        return BatchResult(batch, games, time.perf_counter() - started)


class SerialExecutor:
    """This process."""

    size = queue_depth = 1

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        self._tables = Tables(line_ups)
        self._given: deque[Batch] = deque()

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        self._given.append(batch)

    def next_result(self) -> BatchResult:
        """The next one."""
        return self._tables.play(self._given.popleft())

    def drain(self) -> Iterator[BatchResult]:
        """Nothing goes on while nobody waits."""
        return iter(())

    def shutdown(self) -> None:
        """There is nothing to leave."""


# ------------------------------------------------------------------------------------------------ several processes


class ProcessExecutor:
    """Several processes of this machine. They do not hear Ctrl-C; this one does, and tells them."""

    def __init__(self, line_ups: Sequence[LineUp], workers: int) -> None:
        warm_up(line_ups)  # here, rather than in every worker
        context = multiprocessing.get_context("spawn")
        self.size = workers
        self.queue_depth = 2 * workers
        self._batches: Any = context.Queue()
        self._results: Any = context.Queue()
        self._stop: Any = context.Event()
        self._at_work = workers
        self._processes = [
            context.Process(target=_worker, args=(line_ups, self._batches, self._stop, self._results), daemon=True)
            for _ in range(workers)
        ]
        with _deaf_to_interrupts():
            for one in self._processes:
                one.start()

    def submit(self, batch: Batch) -> None:
        """Have it played."""
        self._batches.put(batch)

    def next_result(self) -> BatchResult:
        """The next one played."""
        answer = self._answer()
        if isinstance(answer, BaseException):
            raise answer
        if answer is None:
            raise SeriesError("a worker process ended early")
        played: BatchResult = answer
        return played

    def drain(self) -> Iterator[BatchResult]:
        """What is being played now; nothing else is begun."""
        self._stop.set()
        for _ in self._processes:
            self._batches.put(None)
        while self._at_work:
            answer = self._answer()
            if answer is None:
                self._at_work -= 1
            elif isinstance(answer, BaseException):
                raise answer
            else:
                yield answer

    def shutdown(self) -> None:
        """Stop them."""
        self._stop.set()
        for _ in self._processes:
            self._batches.put(None)
        for one in self._processes:
            one.join(timeout=PATIENCE)
            if one.is_alive():
                one.terminate()
        for pipe in (self._batches, self._results):
            pipe.cancel_join_thread()
            pipe.close()

    def _answer(self) -> Any:
        """The next result, fault, or None (a worker has ended); a `SeriesError` if one has died."""
        while True:
            try:
                return self._results.get(timeout=PATIENCE)
            except queue.Empty:
                dead = [one for one in self._processes if one.exitcode not in (None, 0)]
                if dead or not any(one.is_alive() for one in self._processes):
                    code = dead[0].exitcode if dead else 0
                    return SeriesError(f"a worker process died (exit code {code})")


def _worker(line_ups: Sequence[LineUp], batches: Any, stop: Any, answers: Any) -> None:
    """What a worker does: take the next batch, play it, send the games; None at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        tables = Tables(line_ups)
        while (batch := batches.get()) is not None and not stop.is_set():
            answers.put(tables.play(batch))
    except BaseException as fault:
        answers.put(portable(fault))
    answers.put(None)


def warm_up(line_ups: Sequence[LineUp]) -> None:
    """Compile what these tables need, without playing a game of theirs."""
    for line_up in line_ups:
        table = line_up.table()
        if table.compiled:
            table.play(0, 0)
        else:
            as_python = Table(line_up.board, [lambda seed: RandomBot(seed)] * table.seats, 0, audited=line_up.audited)
            as_python.play(0, 1)


def portable(fault: BaseException) -> BaseException:
    """A fault without its causes, which may not survive the journey."""
    return (
        type(fault)(str(fault))
        if isinstance(fault, BranchlineError)
        else SeriesError(f"{type(fault).__name__}: {fault}")
    )


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """ProcessExecutor started in here are born deaf to Ctrl-C; one that comes meanwhile is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)
