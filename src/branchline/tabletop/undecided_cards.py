"""Cards of which the kind is decided as late as can be.

A card drawn unseen is of no kind yet: it is one of the cards of its shuffle of which nobody has shown the kind. A
shuffle keeps the kinds that are still to be given (its *pool*): any card of it can become any of these, as long as the
wild ones have room among the cards that may be wild.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.tabletop.deal_plan import Act

UNDECIDED = -1
NO_CARD = -1


@dataclass
class UndecidedCards:
    """All cards at one moment."""

    hands: list[list[int]]
    market: list[int]
    kind: list[int] = field(default_factory=list)  # by card that was drawn
    shuffle: list[int] = field(default_factory=list)
    holder: list[int] = field(default_factory=list)
    plain: list[bool] = field(default_factory=list)  # certainly not wild
    step: list[int] = field(default_factory=list)  # the action that drew it
    place: dict[int, tuple[int, int]] = field(default_factory=dict)
    pools: list[list[int]] = field(default_factory=list)  # by shuffle and kind
    in_deck: list[int] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)  # by shuffle, drawn cards that may be wild
    order: list[list[int]] = field(default_factory=list)
    shuffle_deck: list[int] = field(default_factory=list)
    shuffle_step: list[int] = field(default_factory=list)
    current: list[int] = field(default_factory=lambda: [0, 0])
    discards: list[list[int]] = field(default_factory=lambda: [[0] * KINDS, [0] * KINDS])
    acts: list[Act] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)  # by act, the card that it takes from the market
    answered: int = -1
    period: int = 0
    turn: int = -1
    since: dict[int, int] = field(default_factory=dict)  # by card of which the kind is decided, the turn that did it
    settled: set[int] = field(default_factory=set)  # shuffles whose luck is known
    got: dict[int, tuple[int, int]] = field(default_factory=dict)  # by card: the seat whose hand it came to, and when
    paid: dict[int, int] = field(default_factory=dict)  # by card that was decided by a payment, the turn that paid it
    gave: dict[int, tuple[int, int]] = field(default_factory=dict)  # by turn that paid, the shuffles of the decks then
    thrown: dict[int, int] = field(default_factory=dict)  # by card decided by a sweep, the shuffle its deck had then
    crowd: dict[int, int] = field(default_factory=dict)  # by card in the market, the most wild cards that lay with it

    def copy(self) -> UndecidedCards:
        """Return a copy of these cards."""
        return UndecidedCards(
            [list(hand) for hand in self.hands],
            list(self.market),
            list(self.kind),
            list(self.shuffle),
            list(self.holder),
            list(self.plain),
            list(self.step),
            dict(self.place),
            [list(pool) for pool in self.pools],
            list(self.in_deck),
            list(self.loose),
            [list(cards) for cards in self.order],
            list(self.shuffle_deck),
            list(self.shuffle_step),
            list(self.current),
            [list(pile) for pile in self.discards],
            list(self.acts),
            dict(self.taken),
            self.answered,
            self.period,
            self.turn,
            dict(self.since),
            set(self.settled),
            dict(self.got),
            dict(self.paid),
            dict(self.gave),
            dict(self.thrown),
            dict(self.crowd),
        )

    # ---------------------------------------------------------------------------------------- deciding

    def room(self, shuffle: int) -> int:
        """Return how many cards of a shuffle that may be wild need not be."""
        return self.in_deck[shuffle] + self.loose[shuffle] - self.pools[shuffle][WILD_KIND]

    def may_be(self, card: int, kind: int) -> bool:
        """Return whether a card is of a kind, or may be decided to be."""
        if self.kind[card] != UNDECIDED:
            return self.kind[card] == kind
        shuffle = self.shuffle[card]
        if not self.pools[shuffle][kind]:
            return False
        if kind == WILD_KIND:
            return not self.plain[card]
        return self.plain[card] or self.room(shuffle) > 0

    def decide(self, card: int, kind: int) -> None:
        """Say of which kind a card is."""
        if self.kind[card] == kind:
            return
        shuffle = self.shuffle[card]
        self.kind[card], self.since[card] = kind, self.turn
        self.pools[shuffle][kind] -= 1
        self.loose[shuffle] -= not self.plain[card]

    def leave_open(self, card: int) -> None:
        """Take back of which kind a card is."""
        shuffle = self.shuffle[card]
        self.pools[shuffle][self.kind[card]] += 1
        self.loose[shuffle] += not self.plain[card]
        self.kind[card] = UNDECIDED
        del self.since[card]

    def make_plain(self, card: int) -> None:
        """Say that a card is not wild."""
        if self.kind[card] == UNDECIDED and not self.plain[card]:
            self.plain[card] = True
            self.loose[self.shuffle[card]] -= 1
