"""Where one seat's result comes from, in points of chance that add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

KINDS = ("deal", "cards", "tickets", "tunnels")
"""Of luck."""


@dataclass(frozen=True)
class Ledger:
    """Where one seat's result comes from. `even` and all parts add up to `result`, exactly."""

    seat: int
    even: float  # 1 in so many seats
    deal: float  # luck of the first cards, tickets and order of play
    cards: float  # and whatever else nobody could know
    tickets: float
    tunnels: float
    others: float  # what the others' mistakes did to it
    lost: float  # by its own mistakes; never above 0
    result: float  # 1 won, 0 lost, a part of it where a victory is shared
    accuracy: float  # 0 to 100
    real: int  # decisions in which there was something to decide
    small: int  # mistakes of this size
    medium: int
    large: int
    luck_error: float  # one standard error of `luck`
    deal_error: float
    cards_error: float
    tickets_error: float
    tunnels_error: float

    @property
    def luck(self) -> float:
        """The luck of the seat: deal, cards, tickets and tunnels."""
        return self.deal + self.cards + self.tickets + self.tunnels

    @property
    def luck_range(self) -> tuple[float, float]:
        """The 95 % interval of the luck."""
        return self.luck - NINETEEN_OF_20 * self.luck_error, self.luck + NINETEEN_OF_20 * self.luck_error

    @property
    def mistakes(self) -> int:
        """The number of mistakes."""
        return self.small + self.medium + self.large

    def sentence(self) -> tuple[int, int, int, int, int]:
        """Return start, luck, own and others' mistakes and end in whole points of chance; the first four add up."""
        end = round(100 * self.result)
        start, luck, lost, others = rounded((self.even, self.luck, self.lost, self.others), end)
        return start, luck, lost, others, end

    def kinds(self) -> dict[str, int]:
        """Return the luck of each kind in whole points, which add up to that of `sentence`."""
        values = [float(getattr(self, kind)) for kind in KINDS]
        return dict(zip(KINDS, rounded(values, self.sentence()[1]), strict=True))


NINETEEN_OF_20 = 1.96


def rounded(parts: Sequence[float], total: int) -> list[int]:
    """Return parts of 1 in whole points that add up to this total: those nearest to the next point are rounded up."""
    exact = [100 * part for part in parts]
    whole = [math.floor(part) for part in exact]
    order = sorted(range(len(exact)), key=lambda n: whole[n] - exact[n])
    missing = total - sum(whole)
    for n in range(abs(missing)):
        whole[order[n % len(order)] if missing > 0 else order[-1 - n % len(order)]] += 1 if missing > 0 else -1
    return whole
