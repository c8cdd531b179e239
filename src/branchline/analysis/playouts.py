"""Games played out from a state, and the chances they give the seats.

People rarely play as evenly as the bots that play games out, so that a game counts
not as won or lost, but by how it ends: each seat's points are taken to be uncertain by `SPREAD` at the beginning and
by ever less towards the end, in proportion to the square root of what is left to be played. The chance of a seat is
that it comes out ahead then; with Gumbel's distribution of what is uncertain that is the softmax of the points. All
chances add up to 1, and at the end they are the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from branchline.boards import Board
from branchline.bots import Position
from branchline.bots.search.search import Worker
from branchline.rules.state import State

SPREAD = 20.0  # points, at the beginning of a game
FINAL = 0.1  # at its end: a point decides
TIED = 0.5  # points that whoever wins a tie is ahead

EVEN_LEAD = 30.0  # points; ahead by so many, an even game is won in 73 of 100

Figures = np.ndarray[Any, np.dtype[np.float64]]
"""Points or chances: of worlds × actions × seats."""


class Playouts:
    """Plays games out from one state after the other; one for each thread."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._worker = Worker()

    def look(self, board: Board, state: State, seat: int) -> None:
        """Begin with what this seat knows: a redacted state; with a whole one for `rollout.ALL_SEEING`."""
        self._position = Position(board, state, seat, ())
        self._seats = int(state.seats)
        self._worker.look(self._position)

    def points(self, actions: tuple[int, ...], seeds: range) -> Figures:
        """Return what each of these actions brings the seats in each world; the same seed is the same world.

        `rollout.NO_ACTION` lets the game go on as it stands.
        """
        notes = self._worker.buffer
        notes["action"][0, : len(actions)] = actions
        notes["count"], notes["alive"][0, : len(actions)] = len(actions), 1
        points: Figures = np.empty((len(seeds), len(actions), self._seats))
        for n, seed in enumerate(seeds):
            self._worker.try_out(self._position, seed, 0)
            points[n] = notes["total"][0, : len(actions), : self._seats]
            points[n] += TIED * notes["share"][0, : len(actions), : self._seats]
        return points


def chances_of(points: Figures, left: float) -> Figures:
    """Return the chances of the seats by their points at the end, along the last axis; they add up to 1.

    `left`: how much of the game is to be played, 1 to 0.
    """
    spread = max(FINAL, SPREAD * math.sqrt(max(0.0, left)))
    weights: Figures = np.exp((points - points.max(axis=-1, keepdims=True)) / spread)
    shares: Figures = weights / weights.sum(axis=-1, keepdims=True)
    return shares


def mean_and_error(samples: Figures) -> tuple[Figures, Figures]:
    """Return over all worlds, the first axis, the mean and its standard error, both to nine decimals.

    Where one world alone makes a difference, mean and error are the same number. The last bits of `exp`, which differ
    between libraries, must not decide then which is larger: what is looked at more closely would depend on the machine.
    """
    error: Figures = samples.std(axis=0) / math.sqrt(max(1, len(samples) - 1))
    return np.round(samples.mean(axis=0), 9), np.round(error, 9)


def lead_of(points: Figures, seat: int) -> Figures:
    """Return how far a seat is ahead of the best other one."""
    return points[..., seat] - np.delete(points, seat, axis=-1).max(axis=-1)  # type: ignore[no-any-return]


def even_chance(lead: Figures) -> Figures:
    """Return the chance that this lead gives in an even game, 0.5 without any: a fixed curve, unlike `chances_of`."""
    return 1.0 / (1.0 + np.exp(-lead / EVEN_LEAD))
