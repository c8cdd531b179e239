"""Measure how far an analysis can be trusted: is it the same with other luck, does it tell weak players from strong?

    python benchmarks/analysis.py --seed 1 --boards berlin:2:60,europe:3:20 --keep analyses

Each entry is a board, the seats at its tables, and how many games are played; `60-150` leaves out the first sixty.
`hard`, the same bot with one turn of ten left to chance, and with one of four take turns at the seats; then `random`
sits with `hard` in a sixth as many games. All games are analysed, and the first ones a second time with another seed.
Everything that is worked out is kept in a folder, so that the command can be stopped, and goes on where it was.

Series of ten games are drawn from the games of each player, with replacement. In each of them the mean
accuracy of the three should fall in this order. The last lines are a table for docs/analysis.md.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import branchline as bl
from branchline.analysis import AnalysisError, Decision
from branchline.bots import Position
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.simple.random import RandomBot
from branchline.rules.state import TURN


class ErrsInTen(PlannerBot):
    """Leaves one turn of ten to chance."""

    name = "errs in 1 of 10"
    share = 0.1

    def begin(self, seed: int) -> None:
        """Begin another game."""
        super().begin(seed)
        self._luck = random.Random(seed)
        self._chance = RandomBot(seed)

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        by_chance = position.question == TURN and self._luck.random() < self.share
        return self._chance.choose(position) if by_chance else super().choose(position)


class ErrsInFour(ErrsInTen):
    """Leaves one turn of four to chance."""

    name = "errs in 1 of 4"
    share = 0.25


BOTS = (PlannerBot, ErrsInTen, ErrsInFour)
WEAKEST = (RandomBot, PlannerBot)
SERIES = 1000
OTHERS = 400  # times that the games are drawn anew, to see how far the figure can be trusted
GAMES = 10  # of each series
WEAK = 100_000  # games from this number on are those of `WEAKEST`
WORST = 3  # mistakes that are compared from run to run


@dataclass(frozen=True)
class Case:
    """One board and how many games of it."""

    board: bl.Board
    seats: int
    games: range

    @classmethod
    def of(cls, text: str) -> Case:
        """`europe:3:20` are 20 games on Europe for three."""
        board, seats, games = text.split(":")
        first, _, end = games.rpartition("-")
        return cls(bl.load_board(board), int(seats), range(int(first or 0), int(end)))

    def numbers(self) -> Iterator[int]:
        """Of all games; `random` plays in those that come last, unless the first are left out."""
        yield from self.games
        yield from range(WEAK, WEAK + (0 if self.games.start else len(self.games) // 6))

    def seated(self, number: int) -> tuple[Any, ...]:
        """Who sits where in a game; from `WEAK` on `random` sits with `hard`."""
        if number >= WEAK:
            return tuple(WEAKEST[(number + seat) % 2] for seat in range(2))
        start, turned = number % len(BOTS), number // len(BOTS) % 2
        who = [BOTS[(start + seat) % len(BOTS)] for seat in range(self.seats)]
        return tuple(reversed(who)) if turned else tuple(who)


def played(case: Case, seed: int, number: int) -> tuple[bl.Game, tuple[Any, ...]]:
    """One game of a case, and the bots of its seats."""
    who = case.seated(number)
    seed = 1_000_000 * seed + number
    game = bl.Game(case.board, len(who), seed=seed)
    players = [bot(seed * len(who) + seat) for seat, bot in enumerate(who)]
    while not game.over:
        position = Position.of(game)
        game.play(players[position.seat].choose(position))
    return game, who


@dataclass(frozen=True)
class Found:
    """One game analysed."""

    who: tuple[Any, ...]
    analysis: bl.Analysis
    seconds: float

    def accuracies(self) -> list[float]:
        """Of each seat."""
        return [self.analysis.ledger(seat).accuracy for seat in range(len(self.who))]


class Workshop:
    """Makes analyses, and keeps them in a folder."""

    def __init__(self, folder: Path, seed: int, rollouts: int) -> None:
        """Whatever was kept for the same seed and rollouts is taken from there."""
        self._seed, self._rollouts = seed, rollouts
        self._folder = folder / f"seed{seed}-rollouts{rollouts}"
        self._folder.mkdir(parents=True, exist_ok=True)

    def found(self, case: Case, number: int, run: int = 1) -> Found:
        """A game's analysis; `run` is its seed."""
        place = self._folder / f"{case.board.id}-{case.seats}-{number}-{run}.json"
        if place.exists():
            kept = json.loads(place.read_text())
            try:
                analysis = bl.Analysis.from_dict(kept["analysis"], case.board)
            except AnalysisError:
                place.unlink()
            else:
                return Found(case.seated(number), analysis, kept["seconds"])
        game, who = played(case, self._seed, number)
        began = time.process_time()
        analysis = bl.analyse(game, rollouts=self._rollouts, seed=run)
        seconds = time.process_time() - began
        half = place.with_suffix(".part")
        half.write_text(json.dumps({"seconds": seconds, "analysis": analysis.as_dict()}))
        half.rename(place)
        return Found(who, analysis, seconds)


def same_mistakes(once: bl.Analysis, again: bl.Analysis) -> tuple[bool, bool]:
    """Whether the largest mistake of one run is among the three largest of the other, and whether two of three are.

    It is the same decision, or the same player missing the same move, whenever it was dearest.
    """
    first, second = (found.turning_points(WORST) for found in (once, again))
    shared = [any(_same(one, other) for other in second) for one in first]
    return not first or shared[0], sum(shared) >= min(2, len(first))


def _same(one: Decision, other: Decision) -> bool:
    return one.step == other.step or (one.seat == other.seat and one.missed == other.missed)


def in_order(accuracies: list[Any], luck: np.random.Generator) -> float:
    """The share of series in which the means fall from each player to the next."""
    means = [np.mean(luck.choice(one, (SERIES, GAMES)), axis=1) for one in accuracies]
    falls = [np.greater(better, worse) for better, worse in pairwise(means)]
    return float(np.mean(np.all(falls, axis=0)))


def ordered(accuracies: list[list[float]], seed: int) -> str:
    """That share in per cent, and where it lies 18 times of 20 with other games: those there are, drawn anew."""
    luck = np.random.default_rng(seed)
    others = [in_order([luck.choice(one, len(one)) for one in accuracies], luck) for _ in range(OTHERS)]
    low, high = np.quantile(others, (0.05, 0.95))
    return f"{100 * in_order(accuracies, luck):.1f} % ({100 * low:.0f}–{100 * high:.0f})"


def measured(case: Case, workshop: Workshop, seed: int, twice: int) -> Iterator[str]:
    """A case line by line, as it comes; the last one is its row of the table."""
    of: dict[Any, list[float]] = {bot: [] for bot in (*BOTS, RandomBot)}
    differences, tops, pairs, seconds = [], [], [], []
    for number in case.numbers():
        one = workshop.found(case, number)
        seconds.append(one.seconds)
        for bot, accuracy in zip(one.who, one.accuracies(), strict=True):
            if number < WEAK or bot is RandomBot:
                of[bot].append(accuracy)
        if number in case.games[:twice]:
            again = workshop.found(case, number, run=2)
            differences += list(np.subtract(again.accuracies(), one.accuracies()))
            top, pair = same_mistakes(one.analysis, again.analysis)
            tops.append(top)
            pairs.append(pair)
        told = ", ".join(f"{bot.name} {np.mean(rows):.1f}" for bot, rows in of.items() if rows)
        yield f"{case.board.id}: {len(seconds)} games; {told}"
    off = np.abs(differences)
    row = [case.board.id, str(case.seats), str(len(case.games))]
    row += [f"{np.mean(of[bot]):.1f} ± {np.std(of[bot]):.1f}" if of[bot] else "" for bot in of]
    row.append(ordered([of[bot] for bot in BOTS], seed))
    if differences:
        row.append(f"{np.sum(off <= 2)} of {len(off)}, at most {off.max():.1f}")
        row += [f"{sum(found)} of {len(found)}" for found in (tops, pairs)]
    else:
        row += ["–"] * 3
    row += [f"{np.mean(seconds):.0f}, at most {max(seconds):.0f}"]
    yield "| " + " | ".join(row) + " |"


def main() -> None:
    """Play, analyse, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default="berlin:2:60", help="BOARD:SEATS:GAMES, with commas between")
    parser.add_argument("--rollouts", type=int, default=400, help="of each analysis")
    parser.add_argument("--twice", type=int, default=10, help="games on each board that are analysed a second time")
    parser.add_argument("--seed", type=int, default=1, help="of the games and of the series")
    parser.add_argument("--keep", type=Path, default=Path("analyses"), help="the folder for what is worked out")
    asked = parser.parse_args()
    workshop = Workshop(asked.keep, asked.seed, asked.rollouts)
    rows = []
    for case in map(Case.of, asked.boards.split(",")):
        for line in measured(case, workshop, asked.seed, asked.twice):
            print(line, flush=True)
        rows.append(line)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
