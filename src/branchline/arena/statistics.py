"""Means and shares with 95 % intervals.

Games of one block share their seed, so they are not independent of each other; blocks are. Means get Student's
interval over the means of the blocks. Shares get Wilson's interval, its number of games corrected by what the
blocks show (Kish's design effect); where they show nothing, as when a bot wins every game, blocks count as games.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

NORMAL = 1.959964  # 97.5 % of a normal distribution lie below
METHOD = "95 %; means: Student's t over blocks of one seed; shares: Wilson, sample size corrected for blocks (Kish)"

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Estimate:
    """A number and the interval in which the truth lies, 19 times out of 20."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def mean(values: Numbers, blocks: Numbers) -> Estimate:
    """The mean of some values; `blocks` says which belong together."""
    if len(values) == 0:
        return Estimate(0.0, 0.0, 0.0)
    centre = float(np.mean(values))
    of_blocks = block_means(values, blocks)
    if len(of_blocks) < 2:
        return Estimate(centre, centre, centre)
    reach = student(len(of_blocks) - 1) * float(np.std(of_blocks, ddof=1)) / sqrt(len(of_blocks))
    return Estimate(centre, centre - reach, centre + reach)


def share(parts: Numbers, blocks: Numbers) -> Estimate:
    """A share of games, each counting from 0 to 1; a shared victory counts in part."""
    if len(parts) == 0:
        return Estimate(0.0, 0.0, 1.0)
    centre = float(np.mean(parts))
    of_blocks = block_means(parts, blocks)
    games = effective_games(centre, len(parts), of_blocks)
    stretch = NORMAL**2 / games
    middle = (centre + stretch / 2) / (1 + stretch)
    reach = NORMAL * sqrt(max(0.0, centre * (1 - centre)) / games + stretch / (4 * games)) / (1 + stretch)
    return Estimate(centre, max(0.0, middle - reach), min(1.0, middle + reach))


def effective_games(centre: float, games: int, of_blocks: Numbers) -> float:
    """How many independent games tell as much as these."""
    if len(of_blocks) == games:
        return float(games)
    spread = float(np.var(of_blocks, ddof=1)) / len(of_blocks) if len(of_blocks) > 1 else 0.0
    if spread <= 0.0 or not 0.0 < centre < 1.0:
        return float(len(of_blocks))
    return min(4.0 * games, max(1.0, centre * (1 - centre) / spread))


def block_means(values: Numbers, blocks: Numbers) -> Numbers:
    """The mean of each block."""
    _, place = np.unique(blocks, return_inverse=True)
    answer: Numbers = np.bincount(place, weights=values) / np.bincount(place)
    return answer


def student(freedom: int) -> float:
    """97.5 % of Student's distribution lie below.

    Abramowitz and Stegun 26.7.5, right to half a per cent from 3 degrees of freedom on.
    """
    if freedom < 3:
        return (12.7062, 4.3027)[freedom - 1]
    z, n = NORMAL, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
