"""What a deal that was laid out asks of the kinds of its cards, for the solver.

Every card belongs to one shuffle and came to one *holder* at one moment: a hand, the market between two sweeps, or the
cards turned at a tunnel. A holder must have had what it gave up: a payment of 3 red, a blue card taken from the market.
Which card that was does not matter; it suffices that by then so many of the kind had come to it. The kinds of the
cards of a shuffle are those of the discards it was made from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from branchline.tabletop.payment_ways import Cards, Price

NEVER = -1
"""In place of a shuffle: these cards were not shuffled again. In place of a holder: never drawn."""


@dataclass(eq=False)
class Purchase:
    """Something paid: by whom, when, how it may have been paid, and what becomes of the cards."""

    holder: int
    moment: int
    ways: Sequence[Cards]
    way: int
    to: tuple[int, int] = (NEVER, NEVER)  # by deck, the shuffle its cards go into
    line: int = 0
    kept: bool = False  # taken back, at a tunnel
    tunnel: int = NEVER  # the holder of the cards turned for it
    price: Price | None = None  # if nothing was noted: any way to pay it, a tunnel's extra cards included

    @property
    def cards(self) -> Cards:
        """How it is paid."""
        return self.ways[self.way]


@dataclass
class Turned:
    """How many of a tunnel's cards ask for more."""

    purchase: Purchase
    extra: int
    at_least: bool = False


@dataclass
class Look:
    """The market is looked at: whether too many wilds lie there."""

    moment: int
    swept: bool
    trains: int  # that are in no hand
    places: int  # filled by trains at least


@dataclass
class Exchange:
    """A card of which nobody saw whether it came from the deck or from the market, where the deck's card lies then."""

    where: tuple[int, int]  # the deed, and which card of it
    card: int  # that came to the market, now or before; to the hand, if the kinds are the same
    period: int  # the holder that the market is
    seat: int
    came: int
    moment: int
    openly: bool  # certainly from the market
    look: Look | None = None  # at the market then
    taken: int | None = None  # of this kind


@dataclass
class Demands:
    """All cards, and all that is asked of them."""

    luck: Random
    sweep_at: int
    asks_more: Callable[[int, Cards], bool]  # whether a turned card asks more for a payment
    kind: list[int] = field(default_factory=list)
    shuffle: list[int] = field(default_factory=list)
    holder: list[int] = field(default_factory=list)
    moment: list[int] = field(default_factory=list)
    fixed: set[int] = field(default_factory=set)  # cards that stay what they are
    must: dict[int, bool] = field(default_factory=dict)  # cards that must be wild, or must not
    members: dict[int, list[int]] = field(default_factory=dict)  # of a shuffle
    open_shuffles: set[int] = field(default_factory=set)  # made from discards
    to: dict[int, tuple[int, int]] = field(default_factory=dict)  # by holder: the shuffle its cards go into
    given: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))  # seen to come to it
    asked: dict[tuple[int, int], list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    wilds: dict[int, list[tuple[int, bool]]] = field(default_factory=lambda: defaultdict(list))  # moments; swept then
    discarded: set[int] = field(
        default_factory=set
    )  # holders that show what they are asked and keep it till the shuffle
    turned: dict[int, Turned] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    looks: dict[int, list[Look]] = field(default_factory=lambda: defaultdict(list))  # by holder
    settled: set[int] = field(default_factory=set)  # shuffles of which the cards are known
    rest: dict[int, list[int]] = field(default_factory=dict)  # by shuffle, the kinds of cards nobody drew, if otherwise
    other: dict[int, int] = field(default_factory=dict)  # by card that filled a place: from this shuffle, perhaps
    only_wilds: list[tuple[int, int]] = field(default_factory=list)  # holders and moments: nothing else lies there
    purchases: list[Purchase] = field(default_factory=list)

    def ask(self, holder: int, kind: int, count: int, moment: int, line: int) -> None:
        """Ask a holder to give up `count` cards of a kind."""
        self.asked[holder, kind].append((moment, count, line))

    def begin(self) -> None:
        """Take down what was asked so far: it is what was noted."""
        self.noted = {which: sorted(asked) for which, asked in self.asked.items()}
