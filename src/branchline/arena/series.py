"""`simulate`: a series of games, on one core or many, the same whatever their number."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from branchline.arena.errors import SeriesError
from branchline.arena.executors import (
    Batch,
    BatchResult,
    BotSpec,
    Executor,
    LineUp,
    engine_named,
    make_executor,
    run_batches,
)
from branchline.arena.play import GAME
from branchline.arena.results import Results
from branchline.arena.table import name_of, weights_of
from branchline.boards import Board
from branchline.boards.arguments import sequence, whole_number
from branchline.boards.catalogue import as_board
from branchline.boards.faults import shown
from branchline.bots import BotError, maker_of
from branchline.bots.api.tuned_weights import Weights

BATCH_SECONDS = 0.3  # how long a batch should take: between two looks at the clock and at Ctrl-C
LARGEST_BATCH = 2000  # games
GROWTH = 4  # a batch is at most so many times as long as the one before
LOOK = 1.0  # seconds, at least, between two looks at what came out so far
LOOKING = 0.1  # share of the time that looking may take
SEEDS = 1 << 62

MOST_GAMES = 100_000_000  # in one series; each takes about 700 bytes


def simulate(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int = 1000,
    seed: int = 0,
    *,
    seats: int | None = None,
    jobs: int = 1,
    on: str = "processes",
    audited: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_results: Callable[[Results], None] | None = None,
) -> Results:
    """Play so many games between these bots and gather the results.

    The bots move on by one seat from game to game. As many games as the line-up has different rotations share one
    seed, so that each bot has had each seat with the same luck. With more seats than bots the bots are repeated.
    Game number n is the same for one seed whatever `games`, `jobs` and `on` are. `jobs`: processes; 0: one for
    each core. `on`: `processes` of this machine, or `ray` (see `arena.ray_executor`). Ctrl-C stops it, and what was
    played until then is returned with `stopped` set.
    `on_progress` hears how many games are played, `on_results` every second or so what came out of them so far.
    """
    line_up = plan_series(board, bots, games, seed, seats=seats, audited=audited)
    started = time.perf_counter()
    names = tuple(called(bot) for bot in line_up.bots)
    weights = weights_named(line_up.board, line_up.bots, len(names))
    table = np.zeros(games, dtype=GAME)
    there = np.zeros(games, dtype=bool)
    stopped = False
    workers = 1
    looks = _Looks()

    def so_far() -> Results:
        return Results(
            board=line_up.board,
            bots=names,
            seed=seed,
            asked=games,
            games=table if there.all() else table[there],
            seats=len(names),
            seconds=time.perf_counter() - started,
            jobs=workers,
            stopped=stopped,
            weights=weights,
        )

    try:
        executor = make_executor([line_up], engine_named(on), jobs, games)
        workers = executor.size
        for played in run_batches(executor, GameRange(games)):
            numbers = played.games["number"]
            table[numbers] = played.games
            there[numbers] = True
            if on_progress:
                on_progress(int(there.sum()))
            if on_results:
                looks.if_due(lambda: on_results(so_far()))
    except KeyboardInterrupt:
        stopped = True
    return so_far()


class _Looks:
    """Looks at what came out so far: every second, but not so often that it takes much of the time."""

    def __init__(self) -> None:
        self._next = time.perf_counter()

    def if_due(self, look: Callable[[], None]) -> None:
        before = time.perf_counter()
        if before < self._next:
            return
        look()
        now = time.perf_counter()
        self._next = now + max(LOOK, (now - before) / LOOKING)


def plan_series(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int,
    seed: int,
    *,
    seats: int | None = None,
    audited: bool = False,
) -> LineUp:
    """Check what is asked for and fill the seats. Raise `SeriesError` and whatever `load_board` does."""
    on = as_board(board)
    fewest, most = on.seats
    bots = check_bots(bots)
    whole_number("games", games, 1, MOST_GAMES, SeriesError)
    whole_number("seed", seed, 0, SEEDS - 1, SeriesError)
    if seats is not None:
        whole_number("seats", seats, 1, 1_000_000, SeriesError)  # the board says how many it is for
    if not bots:
        raise SeriesError("name at least one bot")
    count = max(fewest, len(bots)) if seats is None else seats
    if len(bots) > most and seats is None:
        raise SeriesError(f"{len(bots)} bots are too many: {on.title} is for {fewest} to {most} seats")
    if not fewest <= count <= most:
        raise SeriesError(f"{on.title} is for {fewest} to {most} seats, not {count}")
    if len(bots) > count:
        raise SeriesError(f"{len(bots)} bots are too many for {count} seats")
    for bot in bots:
        called(bot)
    return LineUp(on, tuple(bots[n % len(bots)] for n in range(count)), seed, audited)


def check_bots(bots: Any) -> tuple[BotSpec, ...]:
    """Return the bots named. Raise `SeriesError` for what is not a list of them."""
    return sequence("bots", bots, "a list of names or classes of bots", SeriesError)


def weights_named(board: Board, bots: Sequence[BotSpec], seats: int) -> dict[str, Weights]:
    """Return the weights of those bots that use any.

    Asked before games are handed out: they go along with the board.
    """
    used = {called(bot): weights_of(maker_of(bot), board, seats) for bot in bots}
    return {name: weights for name, weights in used.items() if weights is not None}


def called(bot: BotSpec) -> str:
    """Return the name of a bot. Raise `BotError` for an unknown name."""
    if not isinstance(bot, str) and not callable(bot):
        raise BotError(f"bot: expected a name or a class, not {shown(bot)}")
    return name_of(maker_of(bot))


class GameRange:
    """The games 0, 1, 2, … of one line-up, in batches that take about as long as they should."""

    def __init__(self, games: int, pairing: int = 0) -> None:
        self.left = [(0, games)]  # (first, end) of what is not yet given, in rising order
        self.pairing = pairing
        self._size = 1

    def next(self, executor: Executor) -> Batch | None:
        """Return the next batch; shorter ones towards the end, so that nobody waits long for the last."""
        if not self.left:
            return None
        first, end = self.left[0]
        size = self._size
        if executor.size > 1:
            size = max(1, min(size, sum(b - a for a, b in self.left) // (2 * executor.size)))
        batch = Batch(self.pairing, first, min(size, end - first))
        self.left[0] = (first + batch.count, end)
        if self.left[0][0] == end:
            del self.left[0]
        return batch

    def note(self, played: BatchResult) -> None:
        """Make the next batches as long as this one says."""
        right = int(BATCH_SECONDS * played.batch.count / max(1e-9, played.seconds))
        self._size = max(1, min(right, GROWTH * played.batch.count, LARGEST_BATCH))
