"""What a mistake is: one scale for reviews, exercises and warnings."""

from __future__ import annotations

import math

SMALL, MEDIUM, LARGE = 0.02, 0.05, 0.10  # of chance given away, at least
SIZES = {"large": LARGE, "medium": MEDIUM, "small": SMALL}
"""The sizes and what they give away at least, the largest first."""
DOUBT = 2.0  # standard errors; what gives away no more than that is within the noise


def size(lost: float, error: float) -> str:
    """Return how large a mistake it is to give away `lost` of the chance: small, medium or large; "" for none.

    Both are parts of 1; `error` is one standard error of `lost`.
    """
    return size_of(lost) if lost > DOUBT * error else ""


def size_of(lost: float) -> str:
    """Return the same for a chance certainly given away."""
    return next((name for name, least in SIZES.items() if lost >= least), "")


def expected(measured: float, error: float) -> float:
    """Return the expected loss of a decision, in chance or points, if it is measured as this ± error.

    Nearly all of what is far beyond the noise, nothing of what lies within one standard error, in both directions:
    noise adds nothing on average, and what stands out is not taken for larger than it is.
    """
    return measured - error**2 / measured if abs(measured) > error else 0.0


def openness(chance: float) -> float:
    """Return how open a game is at this chance: 1 at 50 of 100, 0 where it is decided."""
    return 4.0 * chance * (1.0 - chance)


OVERLOOKED = 0.25  # for how much it counts what the planner would have given away as well


def charged(lead: float, planned: float) -> float:
    """Return the points of lead that count against a decision, 0 or more.

    `lead`: by how much the best there was would have been ahead; `planned`: by how much the planner's choice would
    have been; each is 0 where nothing is known of it.
    """
    return OVERLOOKED * max(lead, planned) + (1.0 - OVERLOOKED) * planned


GRAVE = 10.0  # points of lead; with so many, a decision is at fault for 63 of 100


def fault(points: float) -> float:
    """Return how wrong a decision is that gave away these points of lead: 0 to 1, ever less for each further point.

    So one large mistake cannot outweigh a whole game.
    """
    return 1.0 - math.exp(-points / GRAVE)


def slope(points: float) -> float:
    """Return by how much one more point adds to `fault`."""
    return math.exp(-points / GRAVE) / GRAVE


KEPT = 0.97  # of the accuracy, for each hundredth at which a decision is at fault on average


def accuracy(faults: float, decisions: float) -> float:
    """Return the accuracy, 0 to 100: 100 where nothing was given away; each hundredth of fault a decision leaves `KEPT`
    of it.

    `faults`: of all decisions together; `decisions`: how many. In both, each counts by how open the game was.
    """
    return float(100.0 * KEPT ** (100.0 * faults / max(1.0, decisions)))
