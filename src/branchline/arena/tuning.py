"""Tunes the weights of `planner` for one board, and keeps them only where they prove better than the general ones.

Tables of two want other weights than larger ones, as the general weights have it (`weights.row_of`): one search is for
two seats, one for all others, and each has half the budget. Most of that goes into the search (`evolution`): every try
of a generation plays the same games, against the weights used so far and against the centre of the search in turn. What
counts for a game is half the victory, half how clear it was. The rest goes into judging what was found, in fresh games:
the tuned weights in one seat, the general ones in all others; then the same against those that were used so far, where
these were others. For each number of seats they are kept if the whole 95 % interval of their share of victories lies
above what equals would have.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from branchline.arena import statistics
from branchline.arena.errors import SeriesError
from branchline.arena.evolution import Evolution
from branchline.arena.executors import Batch, BatchResult, Executor, LineUp, engine_named, make_executor, run_batches
from branchline.arena.series import MOST_GAMES, SEEDS
from branchline.arena.statistics import Estimate, Numbers
from branchline.arena.table import Games
from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.boards.catalogue import BUILTIN, as_board
from branchline.bots.api import tuned_weights
from branchline.bots.api.tuned_weights import TUNED, Tuned, Weights, WeightsError
from branchline.bots.api.weights import NAMES, row_of
from branchline.plain_data import JsonObject

BOT = "planner"
GAMES_A_TRY = 36  # with each number of seats
SEARCHING = 0.7  # share of the budget
JUDGED = 4000  # games at most to judge by, with each number of seats and against each opponent
JUDGED_IN_HASTE = 480  # after Ctrl-C
JUDGED_AT_LEAST = 120
A_BATCH = 60  # games of one batch while judging: a multiple of every number of seats
CLEAR = 0.25  # a victory by this share of the mean score counts 73 % of its half
JUDGING_SEED = 1 << 40  # so that no game judged by was searched with
MOST_MINUTES = 100_000


@dataclass(frozen=True)
class Judged:
    """How the tuned weights did with one number of seats."""

    seats: int
    games: int  # against the general weights in all other seats
    won: Estimate  # share of them
    against_used: Estimate | None  # the same against the weights used so far; None: those are the general ones

    @property
    def better(self) -> bool:
        """Whether they are beyond doubt better than equals would be."""
        shares = [self.won] if self.against_used is None else [self.won, self.against_used]
        return self.games > 0 and all(share.low > 1 / self.seats for share in shares)

    def as_dict(self) -> JsonObject:
        """Return the judgement as data for JSON."""
        return {
            "seats": self.seats,
            "games": self.games,
            "won": self.won.as_dict(),
            "against_used": self.against_used.as_dict() if self.against_used else None,
            "better": self.better,
        }


@dataclass(frozen=True)
class Found:
    """What one search came to."""

    weights: Weights
    judged: tuple[Judged, ...]  # for each number of seats that it was for
    generations: int

    def as_dict(self) -> JsonObject:
        """Return the weights found as data for JSON."""
        return {
            "weights": dict(zip(NAMES, self.weights.numbers, strict=True)),
            "weights_digest": self.weights.digest,
            "judged": [result.as_dict() for result in self.judged],
            "generations": self.generations,
        }


@dataclass(frozen=True)
class Tuning:
    """What came of tuning."""

    board: Board
    seed: int
    found: tuple[Found, ...]
    games: int
    seconds: float
    stopped: bool  # by Ctrl-C: searches that had not begun are left out
    kept: Path | None  # the file, if any of them is better

    def as_dict(self) -> JsonObject:
        """Return the tuning as data for JSON."""
        return {
            "board": self.board.id,
            "board_digest": self.board.digest,
            "seed": self.seed,
            "found": [found_weights.as_dict() for found_weights in self.found],
            "games": self.games,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "kept": str(self.kept) if self.kept else None,
        }


def tune(
    board: Board | str,
    *,
    seats: int | None = None,
    minutes: float = 10.0,
    games: int | None = None,
    seed: int = 0,
    jobs: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Tuning:
    """Tune the weights for a board and keep them if they are better; what there is already is where it begins.

    `seats`: for so many only; else for every number of seats of the board. `minutes`: how long it may take.
    With `games` it takes about so many games instead, and the same seed gives the same weights. `jobs`: processes; 0:
    one for each core. Ctrl-C ends the search early, and what was found is judged in a few games; a second one
    leaves at once. Raise `SeriesError`, `WeightsError` and whatever `load_board` does.
    """
    on = as_board(board)
    groups = _groups(on, seats)
    whole_number("seed", seed, 0, SEEDS - 1, SeriesError)
    if games is not None:
        whole_number("games", games, 1, MOST_GAMES, SeriesError)
    seconds = seconds_in(minutes)
    file = file_for(on)
    before = _kept_before(file, on)
    started = time.perf_counter()
    courses: list[_Course] = []
    stopped = False
    for number, counts in enumerate(groups):
        each = None if games is None else max(1, games // len(groups))
        courses.append(_Course(on, counts, seed, seconds / len(groups), each))
        on_step = None if on_progress is None else _over_all(on_progress, number, len(groups))
        stopped = _run(courses[-1], jobs, on_step)
        if stopped:
            break
    tuning = Tuning(
        board=on,
        seed=seed,
        found=tuple(Found(course.found, course.judged(), course.evolution.generation) for course in courses),
        games=sum(course.played for course in courses),
        seconds=time.perf_counter() - started,
        stopped=stopped,
        kept=None,
    )
    if not any(result.better for group in tuning.found for result in group.judged):
        return tuning
    _keep(file, tuning, before)
    return replace(tuning, kept=file)


def seconds_in(minutes: float) -> float:
    """Return minutes in seconds. Raise `SeriesError` for an unacceptable time."""
    if not 0 < minutes <= MOST_MINUTES:  # neither is a number that is none
        raise SeriesError(f"minutes: expected more than 0 and at most {MOST_MINUTES:,}, not {minutes:g}")
    return 60 * minutes


def _groups(board: Board, seats: int | None) -> list[tuple[int, ...]]:
    """Return the numbers of seats that each search is for."""
    fewest, most = board.seats
    if seats is None:
        rows = groupby(range(fewest, most + 1), row_of)
        return [tuple(counts) for _, counts in rows]
    if not fewest <= seats <= most:
        raise SeriesError(f"{board.title} is for {fewest} to {most} seats, not {seats}")
    return [(seats,)]


def _over_all(on_progress: Callable[[Progress], None], number: int, of: int) -> Callable[[Progress], None]:
    """Tell the progress of one search as that of all."""
    return lambda now: on_progress(replace(now, done=number * now.whole + now.done, whole=of * now.whole))


def _run(course: _Course, jobs: int, on_progress: Callable[[Progress], None] | None) -> bool:
    """Search and judge; whether Ctrl-C ended it."""
    try:
        _play(course, jobs, on_progress)
    except KeyboardInterrupt:
        course.hurry()
        _play(course, jobs, on_progress)
        return True
    return False


def _play(course: _Course, jobs: int, on_progress: Callable[[Progress], None] | None) -> None:
    executor = make_executor(course.line_ups(), engine_named("processes"), jobs, JUDGED)
    for played in run_batches(executor, course):
        course.add(played)
        if on_progress:
            on_progress(course.progress())


# ------------------------------------------------------------------------------------------------ where it is kept


def file_for(board: Board) -> Path:
    """Return where weights for a board are kept: beside it, or with the user's data if that cannot be; see
    `tuned_weights`.
    """
    folder = board.folder
    if folder is not None and folder.parent != BUILTIN and _writable(folder):
        return folder / tuned_weights.FILE
    own = tuned_weights.file_of_user(board)
    if own is None:
        raise WeightsError("there is no folder to keep weights in: set BRANCHLINE_DATA")
    return own


def _writable(folder: Path) -> bool:
    trial = folder / f"{tuned_weights.FILE}.part"
    try:
        trial.touch()
        trial.unlink()
    except OSError:
        return False
    return True


def _kept_before(file: Path, board: Board) -> dict[int, Tuned]:
    """Return what the file holds for exactly this board.

    Raise `WeightsError` where it is damaged: it is not overwritten.
    """
    try:
        kept = tuned_weights.read_if_there(file)
    except WeightsError as error:
        raise WeightsError(f"{error}; move this file away to tune anew") from None
    return kept.tuned if kept is not None and kept.digest == board.digest else {}


def _keep(file: Path, tuning: Tuning, before: dict[int, Tuned]) -> None:
    """Add what was found to the file as it is by now: somebody may have tuned for other seats meanwhile."""
    with contextlib.suppress(WeightsError):  # damaged since: what was there before is kept, and what was found
        before = _kept_before(file, tuning.board)
    today = datetime.now(UTC).date().isoformat()
    new = {
        result.seats: Tuned(
            group.weights.numbers, today, tuning.seed, result.games, result.won.mean, result.won.low, result.won.high
        )
        for group in tuning.found
        for result in group.judged
        if result.better
    }
    tuned_weights.write_file(file, tuning.board, before | new)
    tuning.board.__dict__.pop("weights", None)  # to be looked up again


# ------------------------------------------------------------------------------------------------ the course of it


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    seats: tuple[int, ...]  # for which it searches now
    done: int  # of `whole`, for all searches: seconds, or games where there is a budget of games
    whole: int
    generation: int
    games: int
    won: float | None  # share of the last generation's games that its tries won; while judging, of the judged ones
    equal: float  # what equals would win
    judging: bool


class _Course:
    """First generations, then judging; hands out batches and takes in what they brought, in any order."""

    def __init__(self, board: Board, counts: tuple[int, ...], seed: int, seconds: float, games: int | None) -> None:
        self._board, self._counts, self._seed = board, counts, seed
        self._general = [board.weights.general(count) for count in counts]
        self._used = [board.weights.at(count) for count in counts]
        self._seconds, self._games = seconds, games
        self._started = time.perf_counter()
        self.evolution = Evolution(self._used[0].numbers, seed)
        self.played = 0
        self._judging = self._hurried = False
        self._to_give: deque[Batch] = deque()
        self._out = 0  # batches given whose results have not come in
        self._results: dict[Batch, Games] = {}
        self._won: float | None = None
        self._judged: dict[tuple[int, bool], list[Games]] = {}  # by place in `counts`, and whether against `used`
        self._first = 0  # number of the next game
        self._begin_generation()

    def line_ups(self) -> list[LineUp]:
        """Return the line-ups of the search, by number of seats, and then those of the judging."""
        return [
            LineUp(self._board, (BOT,) * count, self._seed + shift)
            for shift in (0, JUDGING_SEED)
            for count in self._counts
        ]

    @property
    def found(self) -> Weights:
        """What the search has come to."""
        return Weights(rounded(self.evolution.answer), TUNED)

    def hurry(self) -> None:
        """Hurry: begin no more generations, and judge what there is in few games."""
        self._hurried = True
        self._out = 0
        if not self._judging:
            self._begin_judging()

    def next(self, executor: Executor) -> Batch | None:
        """Return the next batch; None while a generation's last games are played, and at the end."""
        if not self._to_give and not self._out:
            self._go_on()
        if not self._to_give:
            return None
        self._out += 1
        return self._to_give.popleft()

    def note(self, played: BatchResult) -> None:
        """Note a batch; all are of one size."""

    def add(self, played: BatchResult) -> None:
        """Take in what was played."""
        self._out = max(0, self._out - 1)
        self.played += len(played.games)
        if self._judging:
            place = played.batch.pairing - len(self._counts)
            if place >= 0:
                against_used = played.batch.weights[1] != self._general[place]
                self._judged.setdefault((place, against_used), []).append(played.games)
        else:
            self._results[played.batch] = played.games

    def _go_on(self) -> None:
        """Go on once everything given has come in."""
        if not self._judging:
            self._end_generation()
            if self._spent() < SEARCHING:
                self._begin_generation()
            else:
                self._begin_judging()
        elif not self._enough():
            self._judge_on()

    def _spent(self) -> float:
        """Return the spent share of the budget."""
        if self._games is not None:
            return self.played / self._games
        return (time.perf_counter() - self._started) / self._seconds

    # --- generations

    def _begin_generation(self) -> None:
        self._tries = [Weights(rounded(numbers), TUNED) for numbers in self.evolution.ask()]
        centre = Weights(rounded(self.evolution.centre), TUNED)
        for place, count in enumerate(self._counts):
            other = centre if self.evolution.generation % 2 else self._used[place]
            for weights in dict.fromkeys(self._tries):
                size = GAMES_A_TRY // count * count
                self._to_give.append(Batch(place, self._first, size, (weights, *[other] * (count - 1))))
        self._first += A_BATCH

    def _end_generation(self) -> None:
        results = list(self._results.items())
        each = []
        clear = clear_lead([games for _, games in results])
        for weights in self._tries:
            own = [games for batch, games in results if batch.weights[0] == weights]
            each.append(float(np.mean([goodness(games, clear) for games in own])))
        self._won = float(np.mean([won_by_first(games).mean() for _, games in results]))
        self.evolution.tell(each)
        self._results = {}

    # --- judging

    def _begin_judging(self) -> None:
        self._judging = True
        self._to_give.clear()
        self._results = {}
        self._first = 0
        self._judge_on()

    def _judge_on(self) -> None:
        """Judge one more batch with each number of seats, against each opponent."""
        weights = self.found
        for place, count in enumerate(self._counts):
            for other in dict.fromkeys((self._general[place], self._used[place])):
                line_up = (weights, *[other] * (count - 1))
                self._to_give.append(Batch(len(self._counts) + place, self._first, A_BATCH, line_up))
        self._first += A_BATCH

    def _enough(self) -> bool:
        """Return whether enough is judged: `self._first` games with each number of seats."""
        if self._hurried:
            return self._first >= JUDGED_IN_HASTE
        return self._first >= JUDGED or (self._spent() >= 1 and self._first >= JUDGED_AT_LEAST)

    def judged(self) -> tuple[Judged, ...]:
        """Return the judgements by number of seats."""
        judgements = []
        for place, count in enumerate(self._counts):
            general = self._judged.get((place, False), [])
            used = self._judged.get((place, True), [])
            against_used = None if self._used[place] == self._general[place] else share_of_first(used)
            games = sum(len(batch) for batch in general)
            judgements.append(Judged(count, games, share_of_first(general), against_used))
        return tuple(judgements)

    def progress(self) -> Progress:
        """Return the progress."""
        won = self._won
        if self._judging:
            every = [games for batches in self._judged.values() for games in batches]
            won = float(np.mean([won_by_first(games).mean() for games in every])) if every else None
        whole = self._games if self._games is not None else round(self._seconds)
        done = min(whole, int(self._spent() * whole))
        equal = float(np.mean([1 / count for count in self._counts]))
        return Progress(self._counts, done, whole, self.evolution.generation, self.played, won, equal, self._judging)


def rounded(numbers: Any) -> tuple[int, ...]:
    """Return weights as the planner takes them: whole numbers within their limits."""
    limits = [tuned_weights.limits(name) for name in NAMES]
    return tuple(
        int(min(most, max(least, round(number)))) for number, (least, most) in zip(numbers, limits, strict=True)
    )


def won_by_first(games: Games) -> Any:
    """Return for each game 1 if the first of the line-up won it, a part of 1 if it shared the victory."""
    seats = int(games["seats"][0])  # the same in all
    winner = games["winner"][:, :seats]
    own = games["entrant"][:, :seats] == 0
    return np.where(own, winner, 0).sum(axis=1) / np.maximum(1, winner.sum(axis=1))


def share_of_first(parts: Sequence[Games]) -> Estimate:
    """Return the share of games that the first of the line-up won."""
    if not parts:
        return Estimate(0.0, 0.0, 1.0)
    games = np.concatenate(list(parts))
    return statistics.share(won_by_first(games), games["block"])


def lead_of_first(games: Games) -> Numbers:
    """Return for each game how many points the first of the line-up was ahead of the best other seat."""
    seats = int(games["seats"][0])
    total = games["total"][:, :seats].astype(float)
    own = games["entrant"][:, :seats] == 0
    lead: Numbers = total[own] - np.where(own, -np.inf, total).max(axis=1)
    return lead


def clear_lead(parts: Sequence[Games]) -> float:
    """Return how many points ahead make a victory clear, from the scores of the same seats (see `goodness`)."""
    return max(1.0, CLEAR * float(np.mean([games["total"][:, : int(games["seats"][0])].mean() for games in parts])))


def goodness(games: Games, clear: float) -> float:
    """Return half the share of victories of the first of the line-up plus half of how clear they were; 0 to 1.

    `clear`: points ahead with which a victory counts 73 % of its half.
    """
    return float(np.mean(0.5 * won_by_first(games) + 0.5 / (1 + np.exp(-lead_of_first(games) / clear))))
