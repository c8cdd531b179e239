"""`simulate`: a series of games, on one core or several, the same whatever their number."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.arena.play import GAME
from branchline.arena.results import Results
from branchline.arena.table import Games, Table, name_of
from branchline.atlas import Board, BranchlineError, load_board
from branchline.bots import BotMaker, bot_maker

BotSpec = str | BotMaker
"""A bot by name (`greedy`, `my_module:MyBot`) or by class."""

CHUNK = 100  # games between two looks at the clock and at Ctrl-C
PATIENCE = 0.2  # seconds between two looks at whether the workers live
SEEDS = 1 << 62


class SeriesError(BranchlineError):
    """A series that cannot be played like this."""


@dataclass(frozen=True)
class Series:
    """What is to be played; can be sent to another process."""

    board: Board
    bots: tuple[BotSpec, ...]  # one for each seat
    games: int
    seed: int
    audited: bool

    def table(self) -> Table:
        """A table to play it on."""
        makers = [bot_maker(one) if isinstance(one, str) else one for one in self.bots]
        return Table(self.board, makers, self.seed, audited=self.audited)


def simulate(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int = 1000,
    seed: int = 0,
    *,
    seats: int | None = None,
    jobs: int = 1,
    audited: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Results:
    """Play so many games between these bots and gather the results.

    The bots move on by one seat from game to game. As many games as the line-up has different rotations share one
    seed, so that each bot has had each seat with the same luck. With more seats than bots the bots are repeated.
    Game number n is the same for one seed whatever `games` and `jobs` are. `jobs`: processes; 0: one for each
    core. Ctrl-C stops it, and what was played until then is returned with `stopped` set.
    """
    series = plan_series(board, bots, games, seed, seats=seats, audited=audited)
    workers = min(jobs if jobs > 0 else multiprocessing.cpu_count(), max(1, games // 2))
    started = time.perf_counter()
    chunks = _Chunks(on_progress)
    stopped = False
    try:
        table = series.table()
        names = tuple(name_of(one) for one in table.line_up)
        if workers > 1:
            table.play(0, 1)  # compile once, here, rather than in every worker
        spans = _spans(games, CHUNK if table.compiled else 1, workers)
        for played in _play_here(table, spans) if workers == 1 else _play_beside(series, spans, workers):
            chunks.add(played)
    except KeyboardInterrupt:
        stopped = True
        names = tuple(one if isinstance(one, str) else name_of(one) for one in series.bots)
    return Results(
        board=series.board,
        bots=names,
        seed=seed,
        asked=games,
        games=chunks.all(),
        seconds=time.perf_counter() - started,
        jobs=workers,
        stopped=stopped,
    )


def plan_series(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int,
    seed: int,
    *,
    seats: int | None = None,
    audited: bool = False,
) -> Series:
    """Check what is asked for and fill the seats; raises `SeriesError` and whatever `load_board` does."""
    on = load_board(board) if isinstance(board, str) else board
    fewest, most = on.seats
    if not bots:
        raise SeriesError("name at least one bot")
    count = max(fewest, len(bots)) if seats is None else seats
    if len(bots) > most and seats is None:
        raise SeriesError(f"{len(bots)} bots are too many: {on.title} is for {fewest} to {most} seats")
    if not fewest <= count <= most:
        raise SeriesError(f"{on.title} is for {fewest} to {most} seats, not {count}")
    if len(bots) > count:
        raise SeriesError(f"{len(bots)} bots are too many for {count} seats")
    if games < 1:
        raise SeriesError(f"games: expected 1 or more, not {games}")
    if not 0 <= seed < SEEDS:
        raise SeriesError(f"seed: expected a whole number from 0 to 2**62 - 1, not {seed}")
    for one in bots:
        if isinstance(one, str):
            bot_maker(one)
    return Series(on, tuple(bots[n % len(bots)] for n in range(count)), games, seed, audited)


class _Chunks:
    """Games as they come in, in any order."""

    def __init__(self, on_progress: Callable[[int], None] | None) -> None:
        self._chunks: list[Games] = []
        self._played = 0
        self._on_progress = on_progress

    def add(self, games: Games) -> None:
        self._chunks.append(games)
        self._played += len(games)
        if self._on_progress:
            self._on_progress(self._played)

    def all(self) -> Games:
        if not self._chunks:
            return np.zeros(0, dtype=GAME)
        games = np.concatenate(self._chunks)
        return games[np.argsort(games["number"], kind="stable")]


def _spans(games: int, size: int, workers: int) -> list[tuple[int, int]]:
    """The series cut into pieces: (first game, how many)."""
    size = max(1, min(size, games // (4 * workers)))
    return [(first, min(size, games - first)) for first in range(0, games, size)]


def _play_here(table: Table, spans: list[tuple[int, int]]) -> Iterator[Games]:
    for first, count in spans:
        yield table.play(first, count)


# ------------------------------------------------------------------------------------------------ several processes


def _play_beside(series: Series, spans: list[tuple[int, int]], workers: int) -> Iterator[Games]:
    """Play in other processes. They do not hear Ctrl-C; this one does, and tells them to stop after their chunk."""
    context = multiprocessing.get_context("spawn")
    answers: Any = context.Queue()
    following: Any = context.Value("q", 0)
    stop: Any = context.Event()
    crew = [
        context.Process(target=_work, args=(series, spans, following, stop, answers), daemon=True)
        for _ in range(workers)
    ]
    with _deaf_to_interrupts():
        for one in crew:
            one.start()
    at_work = workers
    interrupted = False
    try:
        while at_work:
            try:
                answer = _next_answer(answers, crew, at_work)
                if answer is None:
                    at_work -= 1
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    yield answer
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                stop.set()
    finally:
        stop.set()
        for one in crew:
            one.join(timeout=0 if at_work else 5)
            if one.is_alive():
                one.terminate()
    if interrupted:
        raise KeyboardInterrupt


def _next_answer(answers: Any, crew: list[Any], at_work: int) -> Any:
    """The next chunk, fault, or farewell (None) of a worker; a `SeriesError` if one has died."""
    while True:
        try:
            return answers.get(timeout=PATIENCE)
        except queue.Empty:
            dead = [one for one in crew if one.exitcode not in (None, 0)]
            if dead or (sum(one.is_alive() for one in crew) < at_work and answers.empty()):
                code = dead[0].exitcode if dead else 0
                return SeriesError(f"a worker process died (exit code {code})")


def _work(series: Series, spans: list[tuple[int, int]], following: Any, stop: Any, answers: Any) -> None:
    """What a worker does: take the next span, play it, send the games; at the end say farewell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        table = series.table()
        while not stop.is_set():
            with following.get_lock():
                turn = following.value
                following.value += 1
            if turn >= len(spans):
                break
            answers.put(table.play(*spans[turn]))
    except BaseException as fault:
        answers.put(_portable(fault))
    answers.put(None)


def _portable(fault: BaseException) -> BaseException:
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
