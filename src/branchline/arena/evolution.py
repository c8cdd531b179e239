"""A small evolution strategy: looks for the numbers that do best, where every try is noisy.

Each generation tries so many sets of numbers around a centre, in mirrored pairs; the centre moves to the weighted mean
of the better half, and the step of each number follows how far the better ones went. That is a diagonal CMA-ES
(N. Hansen, "The CMA evolution strategy: a tutorial", 2016) without its paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

TRIES = 24  # in a generation, an even number
FIRST_STEP = 0.12  # of a number
LEAST_STEP, MOST_STEP = 0.08, 0.6  # likewise
SMALL_STEPS = (3.0, 0.7, 6.0)  # the same three, at least: for numbers near 0
LEARNING = 0.1  # how fast steps change
COOLING = 0.985  # in each generation
LAST = 8  # centres whose mean is the answer

Numbers = np.ndarray[Any, np.dtype[Any]]


class Evolution:
    """Asks for tries and is told how good each was; `answer` is what came of it so far. No number is below 0."""

    def __init__(self, start: Sequence[float], seed: int) -> None:
        """Begin with `start` as the first centre."""
        self.centre: Numbers = np.array(start, dtype=float)
        self.generation = 0
        self._luck = np.random.default_rng(seed)
        self._step = np.maximum(np.abs(self.centre) * FIRST_STEP, SMALL_STEPS[0])
        self._centres: list[Numbers] = []

    def ask(self) -> list[Numbers]:
        """Return the tries of the next generation."""
        half = self._luck.standard_normal((TRIES // 2, len(self.centre)))
        self._tries = np.concatenate([half, -half])
        return [np.maximum(self.centre + self._step * step, 0) for step in self._tries]

    def tell(self, goodness: Sequence[float]) -> None:
        """Tell how good each try was, in their order."""
        best = TRIES // 2
        share = np.log(best + 0.5) - np.log(np.arange(1, best + 1))
        share /= share.sum()
        chosen = self._tries[sorted(range(TRIES), key=lambda n: -goodness[n])[:best]]
        self.centre = np.maximum(self.centre + self._step * (share @ chosen), 0)
        self._step = COOLING * self._step * np.exp(LEARNING * (share @ chosen**2 - 1))
        size = np.abs(self.centre)
        _, least, most = SMALL_STEPS
        self._step = np.clip(self._step, np.maximum(LEAST_STEP * size, least), np.maximum(MOST_STEP * size, most))
        self.generation += 1
        self._centres = [*self._centres, self.centre][-LAST:]

    @property
    def answer(self) -> Numbers:
        """The mean of the last centres: the noise of each generation is less in it."""
        answer_found: Numbers = np.mean(self._centres, axis=0) if self._centres else self.centre
        return answer_found
