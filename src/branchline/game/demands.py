"""Which card met which demand, where nobody saw the cards.

Whoever pays 3 red had three red cards; whoever took a blue one from the market found it there. Each such card is a
*demand*. It is met by a card of that hand, or of the market, that was there in time. A card of which nobody noted
the kind may meet any demand of its deck, as long as the box it was shuffled from has enough of that kind.

Nothing that was decided stays decided: a new demand may take the card, or the last one of a kind, from an older
demand, which then looks for another. Demands that are driven out often are driven out less readily, so the search does
not go round in circles (an ejection chain, as it is known from timetables and vehicle routing).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from branchline.atlas.tables import WILD_KIND
from branchline.rules.cards import deck_of

MARKET, IN_DECK, GONE = -1, -2, -3
"""Who holds a card, if no seat does."""

OPEN = -1
"""The shuffle of a card that was seen when it came to a hand: the box is not asked about it again."""

DRIVEN_OUT = 2000
"""So many demands may be driven out for the sake of a new one before that is given up."""


@dataclass(eq=False, slots=True)
class Card:
    """A card: where it comes from, where it is, and what it stands for."""

    kind: int
    deck: int
    dealing: int  # number of the shuffle it comes from, or OPEN
    holder: int  # a seat, or one of the above
    since: int = -1  # the step in which it came there
    row: int = 0  # in the market: the deck that fills its place when it was left empty
    known: bool = False  # the kind is certain
    meets: Demand | None = None


@dataclass(eq=False, slots=True)
class Demand:
    """One card of a kind that somebody had, or that lay in the market, at a step."""

    holder: int
    kind: int
    deck: int
    step: int
    row: int | None = None  # of the market
    only: Card | None = None  # no other card can meet it
    card: Card | None = None
    driven_out: int = 0
    swept: bool = False  # lay in a swept market: any kind but a wild will do, and it goes on to the next shuffle
    next_dealing: int | None = None  # number of that shuffle


@dataclass
class Demands:
    """All demands so far, and the cards that meet them."""

    luck: Random
    sweep_at: int  # so many wilds never lie in the market
    held: dict[int, list[Card]] = field(default_factory=dict)  # by holder: all the cards it ever had
    box: Counter[tuple[int, int]] = field(default_factory=Counter)  # by shuffle and kind
    used: Counter[tuple[int, int]] = field(default_factory=Counter)  # of these, those that are known or meet a demand
    users: dict[tuple[int, int], list[Demand]] = field(default_factory=dict)  # by shuffle and kind
    taken: list[Demand] = field(default_factory=list)

    def meet(self, wanted: Sequence[Demand], most: int = DRIVEN_OUT) -> bool:
        """Find a card for each of these, too; if that fails, everything stays as it was."""
        before = [(demand, demand.card, demand.kind) for demand in self.taken]
        kinds = [(card, card.kind) for cards in self.held.values() for card in cards]
        open_demands = list(wanted)
        while open_demands and most > 0:
            demand = open_demands.pop()
            found = self._cheapest(demand)
            if found is None:
                break
            card, driven_out = found
            for other in driven_out:
                open_demands += self._drive_out(other)
                most -= 1
            self._join(demand, card)
            if driven_out and self.luck.random() < 0.1:
                self.luck.shuffle(open_demands)
        else:
            if not open_demands and not any(count > self.box[which] for which, count in self.used.items()):
                self.taken += wanted
                return True
        for demand in wanted:
            self._part(demand)
        for demand, _, _ in before:
            self._part(demand)
        for demand, its_card, its_kind in before:
            assert its_card is not None
            demand.kind = its_kind
            self._join(demand, its_card)
        for card, its_kind in kinds:
            card.kind = its_kind
        return False

    def sweep(self, card: Card, step: int) -> Demand:
        """A card that is no wild lay in a market that was swept: a demand that any such card meets."""
        only = card if card.since == step else None
        demand = Demand(MARKET, card.kind, card.deck, step, card.row, only, swept=True)
        self._join(demand, card)
        self.taken.append(demand)
        return demand

    def shuffle_swept(self, deck: int, dealing: int) -> None:
        """What was swept is shuffled into a new deck, whose box has been counted."""
        for demand in self.taken:
            if demand.swept and demand.deck == deck and demand.next_dealing is None:
                demand.next_dealing = dealing

    def drop(self, demand: Demand) -> None:
        """It is no demand any more."""
        self._part(demand)
        self.taken.remove(demand)

    def know(self, card: Card) -> None:
        """The kind of a card is certain from now on."""
        if not card.known:
            card.known = True
            if card.meets is None:
                self.used[card.dealing, card.kind] += 1
            else:
                self.users[card.dealing, card.kind].remove(card.meets)

    def forget(self, card: Card) -> None:
        """It is not certain after all."""
        assert card.known and card.meets is None
        card.known = False
        self.used[card.dealing, card.kind] -= 1

    # -------------------------------------------------------------------------------------------- one demand

    def _cheapest(self, demand: Demand) -> tuple[Card, list[Demand]] | None:
        """The card that drives out the fewest other demands."""
        if demand.swept:
            return self._any_kind(demand)
        best: tuple[Card, list[Demand]] | None = None
        least = 1e9
        for card in self._fitting(demand):
            found = self._price(card, demand)
            if found is not None and found[0] < least:
                least, driven_out = found
                best = card, driven_out
        return best

    def _price(self, card: Card, demand: Demand) -> tuple[float, list[Demand]] | None:
        """What it costs that a card meets a demand, and the demands that are driven out; None: it cannot."""
        driven_out, price = [], self.luck.random()
        if card.meets is not None:
            if card.meets.swept and not self._is_free_to_change(card.meets):
                return None
            driven_out.append(card.meets)
            price += 1.0 + card.meets.driven_out
        if not card.known and not self._is_left(card, demand.kind):
            rival = self._rival(card, demand.kind)
            if rival is None:
                return None
            driven_out.append(rival)
            price += 1.0 + rival.driven_out
        return price, driven_out

    def _any_kind(self, demand: Demand) -> tuple[Card, list[Demand]] | None:
        """The same for a card that was swept: of whichever kind."""
        best: tuple[Card, list[Demand]] | None = None
        least, best_kind = 1e9, demand.kind
        for card in self._fitting(demand):
            for kind in self._plain_kinds(card):
                demand.kind = kind
                found = self._price(card, demand)
                if found is not None and found[0] < least:
                    (least, driven_out), best_kind = found, kind
                    best = card, driven_out
        demand.kind = best_kind
        return best

    def _plain_kinds(self, card: Card) -> list[int]:
        """All kinds but wild that a card may be of."""
        if card.known:
            return [card.kind] if card.kind != WILD_KIND else []
        return [
            kind
            for dealing, kind in self.box
            if dealing == card.dealing and kind != WILD_KIND and deck_of(kind) == card.deck
        ]

    def _drive_out(self, demand: Demand) -> list[Demand]:
        """Demands that are open again when one gives up its card."""
        kind = demand.kind
        self._part(demand)
        demand.driven_out += 1
        later = demand.next_dealing
        if demand.swept and later is not None and self.used[later, kind] > self.box[later, kind]:
            users = self.users.get((later, kind))
            if users:
                other = min(users, key=lambda one: (one.driven_out, self.luck.random()))
                return [demand, *self._drive_out(other)]
        return [demand]

    def _fitting(self, demand: Demand) -> Iterator[Card]:
        """The cards that may meet a demand."""
        if demand.only is not None:
            yield demand.only
            return
        for card in self.held.get(demand.holder, ()):
            if (
                card.deck == demand.deck
                and card.since < demand.step
                and (not card.known or demand.swept or card.kind == demand.kind)
                and (demand.row is None or demand.row == card.row)
                and (demand.holder != MARKET or demand.kind != WILD_KIND or self._may_lie(card, demand))
            ):
                yield card

    def _is_left(self, card: Card, kind: int) -> bool:
        """Whether the box has one more of a kind for this card, what it stands for now given back."""
        given_back = card.meets is not None and card.meets.kind == kind
        return self.used[card.dealing, kind] - given_back < self.box[card.dealing, kind]

    def _rival(self, card: Card, kind: int) -> Demand | None:
        """A demand that gives up its card of this kind, of the same shuffle."""
        others = [
            other
            for other in self.users.get((card.dealing, kind), ())
            if other is not card.meets and (self._is_free_to_change(other) if other.swept else other.only is None)
        ]
        return min(others, key=lambda other: (other.driven_out, self.luck.random())) if others else None

    def _is_free_to_change(self, swept: Demand) -> bool:
        """Whether the next shuffle can do without the kind that a swept card is of now."""
        if swept.next_dealing is None:
            return True
        later = swept.next_dealing, swept.kind
        return self.used[later] < self.box[later] or bool(self.users.get(later))

    def _join(self, demand: Demand, card: Card) -> None:
        assert card.meets is None
        demand.card, card.meets = card, demand
        if not card.known:
            card.kind = demand.kind
            self.used[card.dealing, card.kind] += 1
            self.users.setdefault((card.dealing, card.kind), []).append(demand)
        if demand.next_dealing is not None:
            self.box[demand.next_dealing, demand.kind] += 1

    def _part(self, demand: Demand) -> None:
        card = demand.card
        if card is None:
            return
        if not card.known:
            self.used[card.dealing, card.kind] -= 1
            self.users[card.dealing, card.kind].remove(demand)
        if demand.next_dealing is not None:
            self.box[demand.next_dealing, demand.kind] -= 1
        demand.card = card.meets = None

    # -------------------------------------------------------------------------------------------- wilds that lie open

    def _may_lie(self, card: Card, demand: Demand) -> bool:
        """Whether a card could have been a wild while it lay in the market, without a sweep."""
        stays = [
            (other.since, other.meets.step if other.meets is not None else demand.step)
            for other in self.held[MARKET]
            if other.kind == WILD_KIND and other is not card and (other.meets is not None or other.known)
        ]
        return most_at_once(stays, card.since, demand.step) + 1 < self.sweep_at


def most_at_once(stays: Sequence[tuple[int, int]], since: int, until: int) -> int:
    """How many of these stays overlap at most, between two steps; a stay begins behind its first step."""
    moments = {since + 1, *(first + 1 for first, _ in stays if since < first < until)}
    return max(sum(first < moment <= last for first, last in stays) for moment in moments)
