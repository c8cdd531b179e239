"""How strong somebody plays, by results against others: Glicko-2 (M. Glickman, "Example of the Glicko-2 system", 2012).

Whoever plays is a rating, how uncertain it is, and how much it moves about. A game at a table of more than two is one
result against each of the others. The arithmetic is that of `glicko2-py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

UNCERTAIN = 110.0  # a deviation from which on a rating says little yet
BOTS = {"easy": 1090.0, "medium": 1320.0, "hard": 1550.0, "expert": 1750.0, "master": 1980.0}
"""Ratings of the levels, from games between them (docs/strength.md); those of finished games stay."""
BOT_DEVIATION = 60.0  # levels are not as strong on every board and at every table


@dataclass(frozen=True)
class Rating:
    """What is known of somebody's strength; somebody new by default."""

    rating: float = 1500.0
    deviation: float = 350.0  # one standard error
    volatility: float = 0.06

    @property
    def settled(self) -> bool:
        """Whether it says something."""
        return self.deviation < UNCERTAIN


def of_bot(level: str) -> Rating | None:
    """Return a level's rating; None for a bot that was never measured."""
    return Rating(BOTS[level], BOT_DEVIATION) if level in BOTS else None


def updated(before: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return the rating after results against others: 1 ahead, 0.5 level, 0 behind. Raise `ValueError` beyond these."""
    if not results:
        return before
    others = [(rating_to_mu(other.rating), rd_to_phi(other.deviation), score) for other, score in results]
    after = update_rating(rating_to_mu(before.rating), rd_to_phi(before.deviation), before.volatility, others)
    return Rating(mu_to_rating(after.mu), phi_to_rd(after.phi), after.sigma)
