"""What each answer to a question is worth: all of them tried in the same imagined worlds.

A world deals what the seat cannot see, and planners play the game to its end in it (`bots.search.rollout`). All answers
meet the same worlds and the same luck, so what differs between two of them is what they do; the errors here are those
of such differences. Answers drop out when they are behind beyond doubt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.analysis import playouts
from branchline.bots import Position
from branchline.bots.api import memory as memories
from branchline.bots.planner import candidates, planner
from branchline.bots.search.search import SUMS, SURPRISE, Worker
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.rules.catalogue import PARTS, SCORE_PARTS

SHEET = tuple(part.name for part in SCORE_PARTS)
"""Parts of a score sheet, as the rules name them."""

COLUMNS = ("won", "value", "chance", "others", "turns", *SHEET)
"""Of each world: the share of the victory, what `search` maximises, the chance as analyses reckon it, the best total of
the others, turns until the end, and the parts of the seat's own score sheet."""

FIRST_WORLDS = 8  # in which every answer is tried
OUT = 3.0  # standard errors behind the best with which an answer drops out


def meaning(position: Position, action: int) -> tuple[object, ...]:
    """Return what an answer amounts to: cards of one kind are alike wherever they lie, and so are parallel lines."""
    if at.CLAIM <= action < at.STATION:
        return ("claim", position.board.routes[action - at.CLAIM].parallel)
    if at.TAKE <= action < at.BLIND:
        return ("take", int(position.state.market[action - at.TAKE]))
    return ("action", action)


def thought_of(position: Position) -> list[int]:
    """Return one action for each meaning among what `search` would try, the planner's own first."""
    memory = kernel.record_in(memories.new_memory())
    worker = Worker()
    planner.PlannerBot.weights_on(position.board, int(position.state.seats)).put_in(memory)
    board = kernel.record_in(position.board.tables)
    count = candidates.listed(board, position.state, worker.scratch, memory, position.seat, worker.notes.action)
    return _one_each(position, [int(action) for action in worker.buffer["action"][0, :count]])


def answers(position: Position) -> list[int]:
    """Return one action for each meaning among all legal ones, those that bots consider first."""
    return _one_each(position, [*thought_of(position), *position.legal])


def _one_each(position: Position, actions: Iterable[int]) -> list[int]:
    """Return the first action of each meaning."""
    first_of: dict[tuple[Any, ...], int] = {}
    for action in actions:
        first_of.setdefault(meaning(position, action), action)
    return list(first_of.values())


@dataclass(frozen=True)
class Lead:
    """By how much one answer is better than another, in the worlds in which both were tried."""

    mean: float
    error: float  # one standard error
    worlds: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where it lies, with 95 %."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error

    def beyond(self, errors: float) -> bool:
        """Return whether it is better by more than `errors` standard errors."""
        return self.mean > errors * self.error


class Looking:
    """Tries the answers to one question out."""

    def __init__(
        self, position: Position, seed: int, worker: Worker | None = None, *, left: float | None = None
    ) -> None:
        """Begin with the `seed` of the worlds. `worker` is used again for other positions, by the same thread.

        `left`: how much of the game is to be played, 1 to 0: then answers are compared by the chance as analyses
        reckon it (`analysis.playouts`). None: by games won.
        """
        self.position, self.seed, self._left = position, seed, left
        self.said, self.ranked = ("won", "value") if left is None else ("chance", "chance")
        self._worker = worker or Worker()
        self._rows: dict[int, list[tuple[float, ...]]] = {}
        self._worker.look(position)
        self._worker.buffer["count"] = 1
        self._worker.buffer["alive"][0, 0] = 1

    def try_out(self, action: int, worlds: int) -> None:
        """Try an answer in the worlds up to this number."""
        rows = self._rows.setdefault(action, [])
        worker, seat, buffer = self._worker, self.position.seat, self._worker.buffer
        turns, seats = int(self.position.state.turns), int(self.position.state.seats)
        others = [other for other in range(seats) if other != seat]
        buffer["action"][0, 0] = action
        for number in range(len(rows), worlds):
            for name in SUMS:
                buffer[name][0, 0] = 0
            worker.try_out(self.position, self.seed, number)
            sheet, game = worker.scratch, worker.game
            points = buffer["total"][0, 0, :seats] + playouts.TIED * buffer["share"][0, 0, :seats]
            rows.append(
                (
                    float(buffer["won"][0, 0]),
                    float(buffer["value"][0, 0]),
                    float(playouts.chances_of(points, self._left or 0.0)[seat]),
                    max(float(points[other]) for other in others),
                    float(game.turns) - turns,
                    *(float(sheet.parts[part, seat]) for part in range(PARTS)),
                )
            )

    def worlds(self, action: int) -> int:
        """Return in how many worlds an answer was tried."""
        return len(self._rows.get(action, ()))

    def mean(self, action: int, column: str = "") -> float:
        """Return the mean of one of `COLUMNS` over the worlds in which an answer was tried; "" for its value."""
        return float(np.mean([row[COLUMNS.index(column or self.said)] for row in self._rows[action]]))

    def lead(self, action: int, other: int, column: str = "") -> Lead:
        """Return by how much an answer is ahead of another one."""
        column = column or self.said
        count, place = min(self.worlds(action), self.worlds(other)), COLUMNS.index(column)
        first, second = (np.array([row[place] for row in self._rows[choice][:count]]) for choice in (action, other))
        apart = first - second
        surprise = SURPRISE if column in ("won", "value", "chance") else 0.0
        return Lead(float(apart.mean()), math.sqrt((apart.var() + surprise / count) / count), count)

    def best(self, tried: Iterable[int]) -> int:
        """Return the answer that ranks highest."""
        return max(tried, key=lambda action: self.mean(action, self.ranked))

    def left_of(
        self, tried: Sequence[int], worlds: int, goes_on: Callable[[list[int], int], bool] | None = None
    ) -> list[int]:
        """Try answers in up to so many worlds; those that are not behind beyond doubt, the best first.

        `goes_on` hears who is left, the best first, and in how many worlds each was tried; False ends it early.
        """
        left, done = list(tried), 0
        while left and done < worlds and (len(left) > 1 or done == 0):
            done = min(worlds, max(FIRST_WORLDS, 2 * done))
            for action in left:
                self.try_out(action, done)
            best = self.best(left)
            left = [action for action in left if action == best or not self.lead(best, action, self.ranked).beyond(OUT)]
            left.sort(key=lambda action: -self.mean(action, self.ranked))
            if goes_on is not None and not goes_on(left, done):
                break
        return left
