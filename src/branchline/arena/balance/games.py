"""The games that tell how a board plays: for each number of seats one series of planners alone, and one of a racer
among planners. All series advance side by side, so that there is something to see of each from the first second on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from branchline.arena.errors import SeriesError
from branchline.arena.executors import (
    Batch,
    BatchResult,
    EngineMaker,
    Executor,
    LineUp,
    engine_named,
    make_executor,
    run_batches,
)
from branchline.arena.play import GAME
from branchline.arena.results import Results
from branchline.arena.series import LOOK, LOOKING, SEEDS, GameRange, weights_named
from branchline.arena.watching import TALLY, Tally, added
from branchline.boards import Board
from branchline.boards.arguments import number, sequence, whole_number
from branchline.boards.catalogue import as_board
from branchline.bots.api.tuned_weights import Weights
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.simple.styles import RacerBot
from branchline.runtime.structs import Buffer

GAMES = 2_000  # at each number of seats
MOST_GAMES = 100_000
MOST_SECONDS = 1_000_000.0


class BalanceError(SeriesError):
    """Something that cannot be asked of these games."""


@dataclass(frozen=True)
class AtSeats:
    """What was played with one number of seats."""

    seats: int
    results: Results  # of planners alone
    tally: Tally = field(repr=False)  # what was watched of these games: one record of `watching.TALLY`
    race: Results  # of one racer among planners, in all rotations


def play_balance(
    board: Board | str,
    games: int = GAMES,
    seed: int = 0,
    *,
    seats: Sequence[int] | None = None,
    seconds: float | None = None,
    jobs: int = 0,
    on: str | EngineMaker = "processes",
    on_progress: Callable[[int, int], None] | None = None,
    on_look: Callable[[tuple[AtSeats, ...]], None] | None = None,
) -> tuple[AtSeats, ...]:
    """Play so many games between planners at each number of seats, and half as many with a racer among them.

    The same seed and number of games give the same figures, whatever `jobs` and `on` are (see `simulate`; `on` may be
    an engine itself). With `seconds` no game is begun after that time, so that there may be fewer of them. `seats`:
    the numbers of seats; all that the board is for where it is None. `on_progress` hears how many games are played and
    how many are asked for, `on_look` now and then what came out so far. Ctrl-C ends it with what there is;
    `results.stopped` is set then.

    Raise `BalanceError`, and whatever `load_board` does.
    """
    course = BalanceCourse(as_board(board), games, seed, seats, seconds)
    next_look = time.perf_counter() + LOOK
    try:
        executor = make_executor(course.line_ups, on if callable(on) else engine_named(on), jobs, course.asked)
        course.jobs = executor.size
        for played in run_batches(executor, course):
            course.add(played)
            if on_progress:
                on_progress(course.played, course.asked)
            if on_look and time.perf_counter() >= next_look:
                before = time.perf_counter()
                on_look(course.so_far())
                took = time.perf_counter() - before
                next_look = before + took + max(LOOK, took / LOOKING)
    except KeyboardInterrupt:
        course.stopped = True
    return course.so_far()


class BalanceCourse:
    """What is to be played, and what was. Series 2n are the planners alone, 2n + 1 those with a racer."""

    def __init__(self, board: Board, games: int, seed: int, seats: Sequence[int] | None, seconds: float | None) -> None:
        """Check what is asked for. Raise `BalanceError`."""
        self.board = board
        self.seed = seed
        self.seats = _numbers_of_seats(board, seats)
        whole_number("games", games, 1, MOST_GAMES, BalanceError)
        whole_number("seed", seed, 0, SEEDS - 1, BalanceError)
        if seconds is not None:
            number("seconds", seconds, 0.0, MOST_SECONDS, BalanceError)
        self.stopped = False
        self.jobs = 1
        self.line_ups = [
            LineUp(board, bots, seed, watched=watched)
            for count in self.seats
            for bots, watched in (
                ((PlannerBot,) * count, True),
                ((RacerBot, *(PlannerBot,) * (count - 1)), False),
            )
        ]
        half = -(-games // 2)
        self._tables = [
            np.zeros(wanted, dtype=GAME) for count in self.seats for wanted in (games, -(-half // count) * count)
        ]
        self._there = [np.zeros(len(table), dtype=bool) for table in self._tables]
        self._tallies: list[Buffer[Tally]] = [np.zeros(1, dtype=TALLY) for _ in self._tables]  # type: ignore[misc]
        self._ranges = [GameRange(len(table), n) for n, table in enumerate(self._tables)]
        self._weights = weights_named_at(board, self.seats)
        self._began = time.perf_counter()
        self._until = float("inf") if seconds is None else self._began + seconds

    @property
    def asked(self) -> int:
        """How many games are to be played."""
        return sum(map(len, self._tables))

    @property
    def played(self) -> int:
        """How many are."""
        return sum(int(there.sum()) for there in self._there)

    def next(self, executor: Executor) -> Batch | None:
        """Return some games of the series with the smallest share so far; none after the time is up."""
        left = [range_ for range_ in self._ranges if range_.left]
        if not left or time.perf_counter() >= self._until:
            return None
        return min(left, key=lambda range_: range_.left[0][0] / len(self._tables[range_.pairing])).next(executor)

    def note(self, played: BatchResult) -> None:
        """Learn how long games take."""
        self._ranges[played.batch.pairing].note(played)

    def add(self, played: BatchResult) -> None:
        """Take in the games of a batch, in whatever order they come."""
        n = played.batch.pairing
        self._tables[n][played.games["number"]] = played.games
        self._there[n][played.games["number"]] = True
        if played.tally is not None:
            self._tallies[n] = added(self._tallies[n], played.tally)

    def so_far(self) -> tuple[AtSeats, ...]:
        """Return the results of what was played."""
        return tuple(
            AtSeats(count, self._results(2 * n), self._tallies[2 * n].copy()[0], self._results(2 * n + 1))
            for n, count in enumerate(self.seats)
        )

    def _results(self, n: int) -> Results:
        line_up, table, there = self.line_ups[n], self._tables[n], self._there[n]
        return Results(
            board=self.board,
            bots=tuple(bot.name for bot in line_up.bots),  # type: ignore[union-attr]
            seed=self.seed,
            asked=len(table),
            games=table if there.all() else table[there],
            seats=len(line_up.bots),
            seconds=time.perf_counter() - self._began,
            jobs=self.jobs,
            stopped=self.stopped,
            weights=self._weights[len(line_up.bots)],
        )


def weights_named_at(board: Board, seats: Sequence[int]) -> dict[int, dict[str, Weights]]:
    """Return the weights that planners use at each number of seats.

    Asked before the board is sent to other processes.
    """
    return {count: weights_named(board, (PlannerBot,), count) for count in seats}


def _numbers_of_seats(board: Board, seats: Sequence[int] | None) -> tuple[int, ...]:
    fewest, most = board.seats
    if seats is None:
        return tuple(range(fewest, most + 1))
    counts = sequence("seats", seats, "numbers of seats", BalanceError)
    for count in counts:
        whole_number("seats", count, 1, 1_000_000, BalanceError)
        if not fewest <= count <= most:
            raise BalanceError(f"{board.title} is for {fewest} to {most} seats, not {count}")
    if not counts:
        raise BalanceError("seats: name at least one number of seats")
    return tuple(sorted(set(counts)))
