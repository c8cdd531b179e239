"""The games of a tournament, round by round: each pairing plays on until its test has decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from branchline.arena import ratings
from branchline.arena.executors import (
    Batch,
    BatchResult,
    Executor,
)
from branchline.arena.play import GAME
from branchline.arena.series import GameRange
from branchline.arena.sprt import GOES_ON, Sprt, Trial
from branchline.arena.statistics import Numbers
from branchline.arena.table import Games
from branchline.plain_data import JsonObject


@dataclass(frozen=True)
class Pairing:
    """One line-up of a tournament."""

    number: int
    entrants: tuple[int, ...]  # numbers of the bots, one for each seat
    bots: tuple[str, ...]  # the same by name
    period: int  # games of one seed: the rotations
    asked: int  # games
    sprt: Sprt | None = None  # where sequential stopping is asked for
    about: str = ""  # the bot that its claims are about; "": the first
    played: int = 0
    trial: Trial | None = None  # how far the test has come

    @property
    def why(self) -> str:
        """Why it has stopped, in one line."""
        if self.trial is not None and self.trial.verdict != GOES_ON:
            return self.trial.why
        if self.played < self.asked:
            return f"stopped after {self.played:,} of {self.asked:,} games"
        return f"all {self.asked:,} games played" + (f"; {self.trial.why}" if self.trial else "")

    def as_dict(self) -> JsonObject:
        """Return the pairing as data for JSON."""
        return {
            "bots": list(self.bots),
            "games": self.played,
            "games_asked": self.asked,
            "why": self.why,
            "sprt": self.trial.as_dict() if self.trial else None,
        }


class Rounds:
    """The course of a tournament: which games are there, which are to be played, which pairings are decided."""

    def __init__(self, pairings: Sequence[Pairing], seats: int, kept: Games) -> None:
        """Begin; `kept` are games that were played before."""
        self._seats = seats
        self._courses = [_Course(pairing, seats, kept[kept["pairing"] == pairing.number]) for pairing in pairings]

    @property
    def played(self) -> int:
        """How many games are there, of those that count."""
        return sum(course.played for course in self._courses)

    @property
    def done(self) -> bool:
        """Whether nothing is left to play."""
        return all(course.over or course.there.all() for course in self._courses)

    def add(self, games: Games) -> None:
        """Take in the games of a batch, in whatever order they come."""
        self._courses[games["pairing"][0]].add(games)

    def next(self, executor: Executor) -> Batch | None:
        """Return some games of the pairing that is farthest behind."""
        behind = [course for course in self._courses if not course.over and course.range.left]
        if not behind:
            return None
        return min(behind, key=lambda course: course.range.left[0][0]).range.next(executor)

    def note(self, played: BatchResult) -> None:
        """Learn how long games take."""
        self._courses[played.batch.pairing].range.note(played)

    def pairings(self) -> tuple[Pairing, ...]:
        """Return how each pairing stands."""
        return tuple(replace(course.pairing, played=course.played, trial=course.trial) for course in self._courses)

    def games(self) -> Games:
        """Return all games that count, by pairing and number, with `entrant` as number of a bot of the tournament."""
        games = np.concatenate([course.table[: course.end][course.there[: course.end]] for course in self._courses])
        entrants = np.array([course.pairing.entrants for course in self._courses])
        seats = games["entrant"][:, : self._seats]
        games["entrant"][:, : self._seats] = np.take_along_axis(entrants[games["pairing"]], seats.astype(np.intp), 1)
        return games


class _Course:
    """How one pairing goes. Its test looks at whole blocks in their order, however the games come in."""

    def __init__(self, pairing: Pairing, seats: int, kept: Games) -> None:
        self.pairing = pairing
        self.table = np.zeros(pairing.asked, dtype=GAME)
        self.there = np.zeros(pairing.asked, dtype=bool)
        self.end = pairing.asked  # games from here on do not count
        self.over = False
        self.range = GameRange(pairing.asked, pairing.number)
        self.trial: Trial | None = None
        self._seats = seats
        self._judged = 0  # games the test has seen
        tested = pairing.about or pairing.bots[0]
        self._tested = [n for n, bot in enumerate(pairing.bots) if bot == tested]
        if pairing.sprt is not None:
            self._pairs = pairing.period * len(self._tested) * (seats - len(self._tested))
            other = next(bot for bot in pairing.bots if bot != tested)
            self.trial = Trial(pairing.sprt, (tested, other), (0,) * (2 * self._pairs + 1))
        self.add(kept[kept["number"] < pairing.asked])
        self.range.left = gaps(self.there)

    @property
    def played(self) -> int:
        return int(self.there[: self.end].sum())

    def add(self, games: Games) -> None:
        self.table[games["number"]] = games
        self.there[games["number"]] = True
        self._judge()

    def _judge(self) -> None:
        period = self.pairing.period
        while self.trial is not None and not self.over and self.there[self._judged : self._judged + period].all():
            if self._judged >= self.pairing.asked:
                break
            self.trial = self.trial.after(self._score(self.table[self._judged : self._judged + period]))
            self._judged += period
            if self.trial.verdict != GOES_ON:
                self.over, self.end = True, self._judged

    def _score(self, games: Games) -> float:
        """Return the share of pairs of one block that the tested bot won."""
        mine = np.isin(games["entrant"][:, : self._seats], self._tested)
        score = 0.0
        for here in range(self._seats):
            for there in range(self._seats):
                met = mine[:, here] & ~mine[:, there]
                score += float(ratings.before(games[met], here, there).sum())
        return score / self._pairs


def gaps(there: Numbers) -> list[tuple[int, int]]:
    """Return the missing ranges, as (first, end)."""
    edges = np.flatnonzero(np.diff(there, prepend=True, append=True))
    return [(int(first), int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True)]
