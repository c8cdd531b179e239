"""When to stop: a sequential test of whether one bot is stronger than another.

Two claims stand against each other: the first bot is `elo0` stronger (or weaker) than the second, or `elo1`. After
every block of games, one seed with the bots in all their seats, the logarithm of the likelihood ratio is compared
with A. Wald's bounds ("Sequential Tests of Statistical Hypotheses", 1945); the first to be crossed decides. Wrongly
accepting `elo1` has the probability `alpha`, wrongly accepting `elo0` has `beta`, approximately.

The likelihood is that of the *block's* score, which needs no model of draws or of how seats depend on each other:
the distribution over all scores a block can have is taken as observed, bent as little as it takes to give it the
mean of either claim (M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a
Distribution", 2020). With two seats a block has five scores; the test is then the "pentanomial" one that chess
programs are tested with. With more seats a score is the share of the pairs of seats in which the first bot came
before the second.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import log

import numpy as np

from branchline.arena.statistics import Numbers
from branchline.boards import BranchlineError
from branchline.boards.arguments import number
from branchline.boards.faults import shown
from branchline.plain_data import JsonObject

UNSEEN = 1e-3  # blocks given to every score beforehand: none is thought impossible
FEWEST = 8  # blocks before which nothing is decided
ELO_LIMIT = 1000.0
GOES_ON, FIRST_CLAIM, SECOND_CLAIM = "goes on", "elo0", "elo1"


class SprtError(BranchlineError):
    """A test that cannot be made."""


@dataclass(frozen=True)
class Sprt:
    """What is to be decided, and how certainly."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            number(name, getattr(self, name), -ELO_LIMIT, ELO_LIMIT, SprtError)
        if not -ELO_LIMIT <= self.elo0 < self.elo1 <= ELO_LIMIT:
            raise SprtError(f"elo0 must lie below elo1, both within ±{ELO_LIMIT:g}; not {self.elo0:g}, {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0001 <= value <= 0.4:
                raise SprtError(f"{name}: expected a probability from 0.0001 to 0.4, not {value:g}")

    @property
    def lower(self) -> float:
        """Where `elo0` is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Where `elo1` is accepted."""
        return log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Numbers) -> float:
        """Return the logarithm of the likelihood ratio for this number of blocks of each score, from 0 to 1 in equal
        steps.
        """
        if not isinstance(counts, np.ndarray) or counts.ndim != 1 or counts.dtype.kind not in "iuf" or not len(counts):
            raise SprtError(f"counts: expected an array of numbers, one for each score, not {shown(counts)}")
        scores = np.linspace(0.0, 1.0, len(counts))
        seen = counts + UNSEEN
        odds = [bent(seen / seen.sum(), scores - expected_score(elo)) for elo in (self.elo1, self.elo0)]
        return float((seen * np.log(odds[0] / odds[1])).sum())

    def verdict(self, ratio: float) -> str:
        """Return the decision at this ratio."""
        number("ratio", ratio, -sys.float_info.max, sys.float_info.max, SprtError)
        return SECOND_CLAIM if ratio >= self.upper else FIRST_CLAIM if ratio <= self.lower else GOES_ON


def expected_score(elo: float) -> float:
    """Return the share of pairs that a player of this advantage in Elo wins."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def bent(odds: Numbers, off: Numbers) -> Numbers:
    """Return the distribution nearest to `odds` under which the mean of `off` is 0: odds / (1 + t · off), t by
    bisection.
    """
    low, high = -1 / off[-1], -1 / off[0]  # beyond, some odds would be negative
    t = 0.0
    for _ in range(100):
        weight = off / (1 + t * off)
        value = float((odds * weight).sum())
        low, high = (t, high) if value > 0 else (low, t)
        step = value / float((odds * weight * weight).sum())
        aim = t + step  # Newton's, where that stays between the bounds
        aim = aim if low < aim < high else (low + high) / 2
        if abs(aim - t) < 1e-12:
            break
        t = aim
    answer: Numbers = odds / (1 + t * off)
    return answer


@dataclass(frozen=True)
class Trial:
    """How far a test has come."""

    sprt: Sprt
    bots: tuple[str, str]  # the claims are about the first, against the second
    counts: tuple[int, ...]  # blocks by score, from 0 to 1 in equal steps
    ratio: float = 0.0  # logarithm of the likelihood ratio
    verdict: str = GOES_ON

    def after(self, score: float) -> Trial:
        """Return the test after one more block."""
        counts = list(self.counts)
        counts[round(score * (len(counts) - 1))] += 1
        ratio = self.sprt.ratio(np.array(counts, dtype=float))
        verdict = self.sprt.verdict(ratio) if sum(counts) >= FEWEST else GOES_ON
        return Trial(self.sprt, self.bots, tuple(counts), ratio, verdict)

    @property
    def blocks(self) -> int:
        """How many blocks were seen."""
        return sum(self.counts)

    @property
    def why(self) -> str:
        """Where the test stands and why it stopped, in one line."""
        first, second = self.bots
        low, high = f"{self.sprt.elo0:g}", f"{self.sprt.elo1:g}"
        bounds = f"{self.ratio:+.2f} of {self.sprt.lower:+.2f} … {self.sprt.upper:+.2f}"
        if self.verdict == SECOND_CLAIM:
            decision = f"decided: {first} is stronger than {second}, by {high} Elo rather than {low}"
        elif self.verdict == FIRST_CLAIM:
            decision = f"decided: {first} is not {high} Elo stronger than {second}; {low} fits better"
        else:
            decision = f"undecided between {low} and {high} Elo for {first} over {second}"
        return f"{decision} (log-likelihood ratio {bounds}, {self.blocks:,} blocks)"

    def as_dict(self) -> JsonObject:
        """Return the trial as data for JSON."""
        return {
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "bots": list(self.bots),
            "blocks": self.blocks,
            "counts": list(self.counts),
            "llr": round(self.ratio, 6),
            "lower": round(self.sprt.lower, 6),
            "upper": round(self.sprt.upper, 6),
            "verdict": self.verdict,
            "why": self.why,
        }
