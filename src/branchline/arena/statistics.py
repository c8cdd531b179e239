"""Means and shares with 95 % intervals, by drawing whole blocks of games again.

Games of one block share their seed, so they are not independent of each other; blocks are. The block bootstrap
draws as many blocks as there were, with replacement, `RESAMPLES` times over, always with the same luck, and looks
between which values the middle 95 % of the results lie. With few blocks that comes out too narrow; the limits are
moved outwards until they would be Student's for a mean (the expanded percentile interval of T. Hesterberg, "What
Teachers Should Know About the Bootstrap", The American Statistician 69, 2015).

What has hardly ever happened the bootstrap cannot judge. A share of which fewer than `FEW` blocks show the one or
the other side gets Wilson's interval instead, its number of games corrected by what the blocks show (Kish's design
effect); where they show nothing, as when a bot wins every game, blocks count as games.
"""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np

NORMAL = 1.959964  # 97.5 % of a normal distribution lie below
RESAMPLES = 2000
GROUPS = 1000  # from so many blocks on, neighbouring ones are drawn together
FEW = 10
METHOD = "95 %; block bootstrap, blocks of one seed; shares near 0 and 1: Wilson, corrected for blocks (Kish)"

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Estimate:
    """A number and the interval in which the truth lies, 19 times out of 20."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """Return the estimate as data for JSON."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def mean(values: Numbers, blocks: Numbers) -> Estimate:
    """Return the mean of some values; `blocks` says which belong together."""
    if len(values) == 0:
        return Estimate(0.0, 0.0, 0.0)
    centre = float(np.mean(values))
    groups = grouped(blocks)
    count = int(groups.max()) + 1
    if count < 2:
        return Estimate(centre, centre, centre)
    drawn = resamples(count)
    means = (drawn @ np.bincount(groups, weights=values)) / (drawn @ np.bincount(groups))
    low, high = limits(means, count)
    return Estimate(centre, float(low), float(high))


def share(parts: Numbers, blocks: Numbers) -> Estimate:
    """Return a share of games, each counting from 0 to 1; a shared victory counts in part."""
    if len(parts) == 0:
        return Estimate(0.0, 0.0, 1.0)
    of_blocks = block_means(parts, blocks)
    if min((of_blocks > 0).sum(), (of_blocks < 1).sum()) < FEW or np.ptp(of_blocks) < 1e-9:
        return wilson(parts, of_blocks)
    return mean(parts, blocks)


# ------------------------------------------------------------------------------------------------ the bootstrap


def grouped(blocks: Numbers) -> Numbers:
    """Return for each game the number of its group, from 0 on: its block, or several neighbouring ones if there are
    many.
    """
    known, place = np.unique(blocks, return_inverse=True)
    return np.asarray(place * min(GROUPS, len(known)) // max(1, len(known)))


@functools.lru_cache(maxsize=4)
def resamples(count: int) -> Numbers:
    """Return how often each of `count` groups is drawn, in `RESAMPLES` rounds of `count` draws; always the same."""
    luck = np.random.default_rng(count)
    return luck.multinomial(count, np.full(count, 1 / count), size=RESAMPLES).astype(float)


def limits(resampled: Numbers, count: int) -> Numbers:
    """Return the limits that contain 95 % of the resamples, for `count` groups: two rows, low and high."""
    tail = 0.5 * erfc(sqrt(count / (count - 1)) * student(count - 1) / sqrt(2))
    answer: Numbers = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return answer


# ------------------------------------------------------------------------------------------------ near 0 and 1


def wilson(parts: Numbers, of_blocks: Numbers) -> Estimate:
    """Return Wilson's interval of a share, for as many games as these are worth."""
    centre = float(np.mean(parts))
    games = effective_games(centre, len(parts), of_blocks)
    stretch = NORMAL**2 / games
    middle = (centre + stretch / 2) / (1 + stretch)
    reach = NORMAL * sqrt(max(0.0, centre * (1 - centre)) / games + stretch / (4 * games)) / (1 + stretch)
    return Estimate(centre, max(0.0, middle - reach), min(1.0, middle + reach))


def effective_games(centre: float, games: int, of_blocks: Numbers) -> float:
    """Return how many independent games carry as much information as these."""
    if len(of_blocks) == games:
        return float(games)
    spread = float(np.var(of_blocks, ddof=1)) / len(of_blocks) if len(of_blocks) > 1 else 0.0
    if spread <= 0.0 or not 0.0 < centre < 1.0:
        return float(len(of_blocks))
    return min(4.0 * games, max(1.0, centre * (1 - centre) / spread))


def block_means(values: Numbers, blocks: Numbers) -> Numbers:
    """Return the mean of each block."""
    _, place = np.unique(blocks, return_inverse=True)
    answer: Numbers = np.bincount(place, weights=values) / np.bincount(place)
    return answer


def student(freedom: int) -> float:
    """Return the value below which 97.5 % of Student's distribution lie.

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
