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

from branchline.atlas import Board
from branchline.bots import Position, beliefs, rollout
from branchline.bots.planner import PlannerBot
from branchline.bots.search import Worker
from branchline.rules import kernel

SPREAD = 20.0  # points, at the beginning of a game
FINAL = 0.1  # at its end: a point decides
TIED = 0.5  # points that whoever wins a tie is ahead

Chances = np.ndarray[Any, np.dtype[np.float64]]
"""Of worlds × actions × seats; those of all seats add up to 1."""


class Playouts:
    """Plays games out from one state after the other; one for each thread."""

    def __init__(self) -> None:
        """With nothing to do yet."""
        self._worker = Worker()

    def look(self, board: Board, state: Any, seat: int) -> None:
        """Begin with what this seat knows: a redacted state; with a whole one for `rollout.ALL_SEEING`."""
        worker = self._worker
        self._position = Position(board, state, seat, ())
        self._seats = int(state.seats)
        worker.known = kernel.buffer_of(state)
        worker.buffer[:] = 0
        worker.use(PlannerBot.weights_on(board, self._seats))
        if seat != rollout.ALL_SEEING:
            tables, memory = kernel.record_in(board.tables), worker.memories[0]
            beliefs.weigh(tables, state, memory, worker.notes, seat)

    def chances(self, actions: tuple[int, ...], seeds: range, left: float) -> Chances:
        """What each of these actions brings the seats in each of so many worlds; the same seed is the same world.

        `left`: how much of the game is to be played, 1 to 0. `rollout.NO_ACTION` lets the game go on as it stands.
        """
        notes = self._worker.buffer
        notes["action"][0, : len(actions)] = actions
        notes["count"], notes["alive"][0, : len(actions)] = len(actions), 1
        points = np.empty((len(seeds), len(actions), self._seats))
        for n, seed in enumerate(seeds):
            self._worker.try_out(self._position, seed, 0)
            points[n] = notes["total"][0, : len(actions), : self._seats]
            points[n] += TIED * notes["share"][0, : len(actions), : self._seats]
        return chances_of(points, left)


def chances_of(points: Chances, left: float) -> Chances:
    """The chances of the seats by their points at the end, along the last axis."""
    spread = max(FINAL, SPREAD * math.sqrt(max(0.0, left)))
    weights: Chances = np.exp((points - points.max(axis=-1, keepdims=True)) / spread)
    return weights / weights.sum(axis=-1, keepdims=True)
