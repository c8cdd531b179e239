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
    return size_of(lost) if lost > DOUBT * error else ""


def size_of(lost: float) -> str:
    """The same of a chance given away beyond doubt."""
    return next((name for name, least in SIZES.items() if lost >= least), "")


def expected(measured: float, error: float) -> float:
    """What is to be expected that a decision gave away, in chance or points, if it is measured as this ± error.

    Nearly all of what is far beyond the noise, nothing of what lies within one standard error, in both directions:
    noise adds nothing on average, and what stands out is not taken for larger than it is.
    """
    return measured - error**2 / measured if abs(measured) > error else 0.0


def openness(chance: float) -> float:
    """How open a game is for whoever has this chance: 1 at 50 of 100, 0 where it is decided."""
    return 4.0 * chance * (1.0 - chance)


KEPT = 0.85  # of the accuracy, for each point of chance that a decision gives away on average


def accuracy(given_away: float, decisions: float) -> float:
    """0 to 100: 100 where nothing was given away; each point of chance a decision takes `KEPT` of it.

    `given_away`: the chance that the decisions together would have given away had the game been even then; 1 is the
    whole chance to win. Noise may leave it a little below 0. `decisions`: how many. In both, each counts by how
    open the game was.
    """
    return float(100.0 * KEPT ** (100.0 * max(0.0, given_away) / max(1.0, decisions)))
