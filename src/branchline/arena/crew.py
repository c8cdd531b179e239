"""Who plays the games: this process, several on this machine, or a cluster (`cluster.py`).

A crew is given spans of games and hands the games back in any order. Which games those are and how they end does
not depend on the crew.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from branchline.arena.table import Games, Table
from branchline.atlas import Board, BranchlineError
from branchline.bots import BotMaker, bot_maker
from branchline.bots.random import RandomBot

BotSpec = str | BotMaker
"""A bot by name (`greedy`, `my_module:MyBot`) or by class."""

ENGINES = ("processes", "ray")
PATIENCE = 0.2  # seconds between two looks at whether the workers live


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
class Span:
    """Some games of one line-up."""

    pairing: int  # number of the line-up
    first: int
    count: int


@dataclass(frozen=True)
class Played:
    """A span that was played."""

    span: Span
    games: Games
    seconds: float


class Crew(Protocol):
    """Plays spans."""

    size: int  # how many spans are played at the same time
    ahead: int  # how many should be given, so that nobody waits

    def give(self, span: Span) -> None:
        """Have it played."""
        ...

    def take(self) -> Played:
        """The next one played; raises what went wrong."""
        ...

    def rest(self) -> Iterator[Played]:
        """Finish what has been begun and nothing more."""
        ...

    def leave(self) -> None:
        """Go, at once."""
        ...


class Spans(Protocol):
    """What is to be played."""

    def next(self, crew: Crew) -> Span | None:
        """The next span, None where nothing is left to give."""
        ...

    def note(self, played: Played) -> None:
        """Learn how it went."""
        ...


def hire(line_ups: Sequence[LineUp], on: str, jobs: int, games: int) -> Crew:
    """A crew for these tables. `jobs`: how many work side by side, 0: one for each core; `on`: one of ENGINES."""
    if on not in ENGINES:
        raise SeriesError(f"on: expected {' or '.join(ENGINES)}, not {on!r:.40}")
    if on == "ray":
        from branchline.arena.cluster import RayCrew

        return RayCrew(line_ups, jobs)
    workers = min(jobs if jobs > 0 else multiprocessing.cpu_count(), max(1, games // 2))
    return Processes(line_ups, workers) if workers > 1 else Here(line_ups)


def work(crew: Crew, spans: Spans) -> Iterator[Played]:
    """Have everything played. After Ctrl-C comes what had been begun, and `KeyboardInterrupt` at the end."""
    given = 0
    try:
        try:
            while True:
                while given < crew.ahead and (span := spans.next(crew)):
                    crew.give(span)
                    given += 1
                if not given:
                    return
                played = crew.take()
                given -= 1
                spans.note(played)
                yield played
        except KeyboardInterrupt:
            yield from crew.rest()  # a second Ctrl-C ends this as well
            raise
    finally:
        crew.leave()


class Tables:
    """The tables of all line-ups, each set up when it is first played at."""

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        self._line_ups = line_ups
        self._tables: dict[int, Table] = {}

    def play(self, span: Span) -> Played:
        """Play a span."""
        started = time.perf_counter()
        if span.pairing not in self._tables:
            self._tables[span.pairing] = self._line_ups[span.pairing].table()
        games = self._tables[span.pairing].play(span.first, span.count)
        games["pairing"] = span.pairing
        return Played(span, games, time.perf_counter() - started)


class Here:
    """This process."""

    size = ahead = 1

    def __init__(self, line_ups: Sequence[LineUp]) -> None:
        self._tables = Tables(line_ups)
        self._given: deque[Span] = deque()

    def give(self, span: Span) -> None:
        """Have it played."""
        self._given.append(span)

    def take(self) -> Played:
        """The next one."""
        return self._tables.play(self._given.popleft())

    def rest(self) -> Iterator[Played]:
        """Nothing goes on while nobody waits."""
        return iter(())

    def leave(self) -> None:
        """There is nothing to leave."""


# ------------------------------------------------------------------------------------------------ several processes


class Processes:
    """Several processes of this machine. They do not hear Ctrl-C; this one does, and tells them."""

    def __init__(self, line_ups: Sequence[LineUp], workers: int) -> None:
        warm_up(line_ups)  # here, rather than in every worker
        context = multiprocessing.get_context("spawn")
        self.size = workers
        self.ahead = 2 * workers
        self._spans: Any = context.Queue()
        self._answers: Any = context.Queue()
        self._stop: Any = context.Event()
        self._at_work = workers
        self._crew = [
            context.Process(target=_work, args=(line_ups, self._spans, self._stop, self._answers), daemon=True)
            for _ in range(workers)
        ]
        with _deaf_to_interrupts():
            for one in self._crew:
                one.start()

    def give(self, span: Span) -> None:
        """Have it played."""
        self._spans.put(span)

    def take(self) -> Played:
        """The next one played."""
        answer = self._answer()
        if isinstance(answer, BaseException):
            raise answer
        if answer is None:
            raise SeriesError("a worker process went home")
        played: Played = answer
        return played

    def rest(self) -> Iterator[Played]:
        """What is being played now; nothing else is begun."""
        self._stop.set()
        for _ in self._crew:
            self._spans.put(None)
        while self._at_work:
            answer = self._answer()
            if answer is None:
                self._at_work -= 1
            elif isinstance(answer, BaseException):
                raise answer
            else:
                yield answer

    def leave(self) -> None:
        """Stop them."""
        self._stop.set()
        for _ in self._crew:
            self._spans.put(None)
        for one in self._crew:
            one.join(timeout=PATIENCE)
            if one.is_alive():
                one.terminate()
        for pipe in (self._spans, self._answers):
            pipe.cancel_join_thread()
            pipe.close()

    def _answer(self) -> Any:
        """The next span played, fault, or farewell (None) of a worker; a `SeriesError` if one has died."""
        while True:
            try:
                return self._answers.get(timeout=PATIENCE)
            except queue.Empty:
                dead = [one for one in self._crew if one.exitcode not in (None, 0)]
                if dead or not any(one.is_alive() for one in self._crew):
                    code = dead[0].exitcode if dead else 0
                    return SeriesError(f"a worker process died (exit code {code})")


def _work(line_ups: Sequence[LineUp], spans: Any, stop: Any, answers: Any) -> None:
    """What a worker does: take the next span, play it, send the games; at the end say farewell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        tables = Tables(line_ups)
        while (span := spans.get()) is not None and not stop.is_set():
            answers.put(tables.play(span))
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
    """Processes started in here are born deaf to Ctrl-C; one that comes meanwhile is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)
