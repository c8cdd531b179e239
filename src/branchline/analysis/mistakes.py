"""What a mistake is: one scale for reviews, exercises and warnings."""

from __future__ import annotations

SMALL, MEDIUM, LARGE = 0.02, 0.05, 0.10  # of chance given away, at least
SIZES = {"large": LARGE, "medium": MEDIUM, "small": SMALL}
"""The sizes and what they give away at least, the largest first."""
DOUBT = 2.0  # standard errors; what gives away no more than that is within the noise


def size(lost: float, error: float) -> str:
    """How large a mistake it is to give `lost` of one's chance away: small, medium or large; "" is none.

    Both are parts of 1; `error` is one standard error of `lost`.
    """
    if lost <= DOUBT * error:
        return ""
    return next((name for name, least in SIZES.items() if lost >= least), "")


def expected(behind: float, error: float) -> float:
    """What is to be expected that a decision gave away, if it is measured as `behind` give or take `error`.

    Nearly all of what is far beyond the noise, and little of what lies within it, in both directions: noise adds
    nothing on average.
    """
    return behind**3 / (behind**2 + (DOUBT * error) ** 2) if behind else 0.0


KEPT = 0.85  # of the accuracy, for each point of chance that a decision gives away on average


def accuracy(given_away: float, decisions: int) -> float:
    """0 to 100: 100 where nothing was given away; each point of chance a decision takes `KEPT` of it.

    `given_away`: expected of all the decisions; 1 is the whole chance to win. Noise may leave it a little below 0.
    """
    return float(100.0 * KEPT ** (100.0 * max(0.0, given_away) / max(1, decisions)))
