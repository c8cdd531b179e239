"""What a deal of a noted game is laid out by: what was not noted, as it is thought of now, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.boards.tables import MARKED, WILD_KIND
from branchline.rules import state as at
from branchline.rules.tunnels import asks_more
from branchline.tabletop.payment_ways import Cards, Size


@dataclass
class DealPlan:
    """What was not noted, as it is thought of now; by the number of the deed."""

    sizes: dict[int, Size] = field(default_factory=dict)  # cards of each deck that are paid
    extras: dict[int, int] = field(default_factory=dict)  # cards that a tunnel asked more
    decks: dict[tuple[int, int], int] = field(default_factory=dict)  # from which a card was drawn
    paid: dict[int, Cards] = field(default_factory=dict)
    deals: dict[int, list[int]] = field(default_factory=dict)  # by shuffle, the kinds in the order they are drawn
    taken: dict[tuple[int, int], int] = field(default_factory=dict)  # the kind of a card from the market, if settled
    refills: dict[tuple[int, int], int] = field(default_factory=dict)  # a card from the market, filled up from a deck
    freedom: float = 1.0  # so many of the cards that may have come from the market are left open
    free: dict[tuple[int, int], float] = field(default_factory=dict)
    first_sweeps: int = 0  # of the market before the first turn
    lucks: dict[int, tuple[int, list[int]]] = field(default_factory=dict)  # of a shuffle, and the cards it brings first

    def copy(self) -> DealPlan:
        """Return a copy of the plan."""
        return DealPlan(
            dict(self.sizes),
            dict(self.extras),
            dict(self.decks),
            dict(self.paid),
            dict(self.deals),
            {},
            dict(self.refills),
            self.freedom,
            dict(self.free),
            self.first_sweeps,
        )


class MiscountError(Exception):
    """The numbers of cards do not agree with the notes at a deed."""

    def __init__(self, deed: int, deck: int, more: bool, seat: int = -1) -> None:
        """Make the error: `more` cards of `deck` (ANY_DECK: of any) should have come back to it; `seat` lacks them
        in its hand.
        """
        super().__init__(deed)
        self.deed, self.deck, self.more, self.seat = deed, deck, more, seat


@dataclass(frozen=True)
class Act:
    """An action, paid for with these cards."""

    deed: int
    number: int
    cards: Cards | None = None
    sweeps: int = 0  # of the market that it brings about
    kind: int | None = None  # of the card that is taken


def asking(kind: int, cards: Cards) -> bool:
    """Return whether a turned card asks more for a payment."""
    colour = next((kind % MARKED for kind, _ in cards if kind != WILD_KIND), at.ALL_WILD)
    return bool(asks_more(kind, colour))
