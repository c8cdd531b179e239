"""Two moves compared in points and turns: both are played out in the same imagined worlds.

Planners play each game to its end (`bots.search.rollout`), with the same cards to come, so what differs is what the two
moves do. What lies within the noise counts as no difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from branchline.analysis.mistakes import DOUBT
from branchline.analysis.moves import Move, heard, told
from branchline.analysis.playouts import Figures
from branchline.boards import Board
from branchline.bots import Position
from branchline.bots.search.search import Worker
from branchline.plain_data import JsonObject
from branchline.rules.catalogue import PARTS, SCORE_PARTS

WORLDS = 64
LEAST = 0.5  # points or turns: what rounds to none is none
TOLD = 2  # parts of the score, at most, that are named
SMALL = 4  # times less than the largest part is not worth a word

OWN, OTHERS, TURNS, SOURCES = 0, 1, 2, 3
"""The columns of a playout: own points, those of the best other seat, own turns, and the parts of the own score."""


@dataclass(frozen=True)
class Difference:
    """How much more of something one move brings than the other, on average."""

    mean: float = 0.0
    error: float = 0.0  # one standard error

    @property
    def clear(self) -> bool:
        """Whether it is more than noise, and at least one in whole numbers."""
        return abs(self.mean) >= LEAST and abs(self.mean) > DOUBT * self.error

    @property
    def whole(self) -> int:
        """The difference in whole numbers; 0 where it is not clear."""
        return round(self.mean) or int(math.copysign(1, self.mean)) if self.clear else 0


@dataclass(frozen=True)
class Comparison:
    """What a move brings more than another one, by the end of the game."""

    instead: Move  # the other move
    points: Difference
    others: Difference  # points of the best other seat
    turns: Difference  # own turns until the end of the game
    sources: tuple[tuple[str, int], ...] = ()  # names of `SCORE_PARTS` where the points come from, the largest first

    def as_dict(self) -> JsonObject:
        """Return the comparison as plain data."""
        return {
            "instead": told(self.instead),
            **{name: [difference.mean, difference.error] for name, difference in self._differences().items()},
            "sources": dict(self.sources),
        }

    @classmethod
    def from_dict(cls, data: JsonObject | None, board: Board) -> Comparison | None:
        """Read what `as_dict` wrote; None from None. Raise `ValueError` for a part that scores do not have."""
        if data is None:
            return None
        sources = tuple((str(name), int(points)) for name, points in data["sources"].items())
        if unknown := {name for name, _ in sources} - {part.name for part in SCORE_PARTS}:
            raise ValueError(f"no parts of a score: {', '.join(sorted(unknown))}")
        points, others, turns = (Difference(*map(float, data[name])) for name in ("points", "others", "turns"))
        return cls(heard(Move, data["instead"], board), points, others, turns, sources)

    def _differences(self) -> dict[str, Difference]:
        return {"points": self.points, "others": self.others, "turns": self.turns}


def compare(position: Position, better: int, other: int, seed: int, *, worlds: int = WORLDS) -> Comparison:
    """Compare two legal actions by playing both out in so many worlds, which the seed numbers."""
    worker = Worker()
    worker.look(position)
    first, second = (_played_out(worker, position, action, seed, worlds) for action in (better, other))
    apart = first - second
    means, errors = apart.mean(axis=0), apart.std(axis=0) / math.sqrt(max(1, worlds - 1))
    differences = [Difference(float(mean), float(error)) for mean, error in zip(means, errors, strict=True)]
    sources = [
        (part.name, difference.whole)
        for part, difference in zip(SCORE_PARTS, differences[SOURCES:], strict=True)
        if difference.clear
    ]
    sources.sort(key=lambda source: -abs(source[1]))
    told_of = tuple(source for source in sources[:TOLD] if SMALL * abs(source[1]) > abs(sources[0][1]))
    return Comparison(Move.of(position, other), differences[OWN], differences[OTHERS], differences[TURNS], told_of)


def _played_out(worker: Worker, position: Position, action: int, seed: int, worlds: int) -> Figures:
    """Return what came of an action in each world: one row of columns for each."""
    seat, seats = position.seat, int(position.state.seats)
    notes, turns = worker.buffer, int(position.state.turns)
    notes["count"], notes["action"][0, 0], notes["alive"][0, 0] = 1, action, 1
    rows: Figures = np.empty((worlds, SOURCES + PARTS))
    for n in range(worlds):
        worker.try_out(position, seed, n)
        totals = [int(total) for total in notes["total"][0, 0, :seats]]
        rows[n, OWN] = totals.pop(seat)
        rows[n, OTHERS] = max(totals)
        rows[n, TURNS] = (int(worker.game.turns) - turns) / seats
        rows[n, SOURCES:] = [int(worker.scratch.parts[part, seat]) for part in range(PARTS)]
    return rows
