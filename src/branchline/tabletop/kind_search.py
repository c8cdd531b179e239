"""Which card is of which kind, where nobody saw the cards: a search for kinds with which all noted can have been.

Every card belongs to one shuffle and came to one *holder* at one moment: a hand, the market between two sweeps, or the
cards turned at a tunnel. A holder must have had what it gave up: a payment of 3 red, a blue card taken from the market.
Which card that was does not matter; it suffices that by then so many of the kind had come to it. The kinds of the
cards of a shuffle are those of the discards it was made from.

The search begins with any kinds and repairs what is violated, one exchange of two cards (or one other payment, where
none was noted) after the other: the least harmful first, and none that was undone a moment ago (tabu search). Nothing
that was decided stays decided.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from branchline.boards.tables import WILD_KIND
from branchline.rules.cards import deck_of

if TYPE_CHECKING:
    from branchline.tabletop.payment_ways import Price

Cards = tuple[tuple[int, int], ...]
"""Kinds and numbers."""

NEVER = -1
"""In place of a shuffle: these cards were not shuffled again. In place of a holder: never drawn."""

FORGOTTEN = 6
"""So many repairs later a card may be changed back."""

SAMPLE = 8
"""So many cards of a holder are thought of for an exchange."""

HEAVIER = 0.15
"""So much heavier weighs what was violated when it was looked at."""

Change = tuple[tuple[str, int, int], ...]
"""What a repair does: cards that become of a kind, purchases that are paid in another way."""


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
        """A holder gives up so many cards of a kind."""
        self.asked[holder, kind].append((moment, count, line))

    def begin(self) -> None:
        """Count what there is; what was added by then is all there is."""
        self.noted = {which: sorted(asked) for which, asked in self.asked.items()}
        self.came: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.of: dict[int, list[int]] = defaultdict(list)
        for which, moments in self.given.items():
            self.came[which] += moments
        self.surplus: dict[int, Counter[int]] = defaultdict(Counter)
        for card, holder in enumerate(self.holder):
            self.surplus[self.shuffle[card]][self.kind[card]] += 1
            if holder != NEVER:
                self.came[holder, self.kind[card]].append(self.moment[card])
                self.of[holder].append(card)
                self._flow(holder, self.kind[card], 1)
        for (holder, kind), asked in self.asked.items():
            asked.sort()
            if holder not in self.discarded:
                self._flow(holder, kind, -sum(one[1] for one in asked))
        for purchase in self.purchases:
            self._book(purchase, 1)
        for moments in self.came.values():
            moments.sort()
        self.tabu: dict[int, int] = {}
        self.weight: dict[tuple[int, int], float] = defaultdict(lambda: 1.0)
        self.now = 0
        self.price: dict[tuple[int, int], int] = {}
        for which in {*self.asked, *((holder, WILD_KIND) for holder in self.wilds)}:
            self._reprice(which)

    def _flow(self, holder: int, kind: int, count: int) -> None:
        """Cards of a holder that are shuffled again."""
        to = self.to.get(holder)
        if to is not None and to[deck_of(kind)] != NEVER:
            self.surplus[to[deck_of(kind)]][kind] -= count

    def _book(self, purchase: Purchase, sign: int) -> None:
        for kind, count in purchase.cards:
            entry = purchase.moment, count, purchase.line
            asked = self.asked[purchase.holder, kind]
            insort(asked, entry) if sign > 0 else asked.remove(entry)
            if purchase.kept:
                came = self.came[purchase.holder, kind]
                for _ in range(count):
                    insort(came, purchase.moment + 1) if sign > 0 else came.remove(purchase.moment + 1)
            elif purchase.to[deck_of(kind)] != NEVER:
                self.surplus[purchase.to[deck_of(kind)]][kind] -= sign * count

    # -------------------------------------------------------------------------------------------- what is violated

    def cost(self, holder: int, kind: int, more: int = -1, less: int = -1) -> int:
        """How many cards of a kind a holder lacks, if one more came to it at a moment, or one less."""
        came, found, spent = self.came[holder, kind], 0, 0
        asked = self.asked.get((holder, kind), ())
        for moment, count, _ in asked:
            spent += count
            lack = spent - bisect_left(came, moment) - (0 <= more < moment) + (0 <= less < moment)
            if lack > found:
                found = lack
        if kind == WILD_KIND and holder in self.wilds:
            found += self._wilds_off(holder, came, asked, more, less)
        return found

    def _wilds_off(
        self, holder: int, came: list[int], asked: Sequence[tuple[int, int, int]], more: int, less: int
    ) -> int:
        """How many wilds too many lie in the market at the worst moment, and how many too few when it is swept."""
        many = few = n = spent = 0
        for moment, swept in self.wilds[holder]:
            while n < len(asked) and asked[n][0] < moment:
                spent += asked[n][1]
                n += 1
            lie = bisect_left(came, moment) + (0 <= more < moment) - (0 <= less < moment) - spent
            if swept:
                few = max(few, self.sweep_at - lie)
            elif lie - self.sweep_at >= many:
                many = lie - self.sweep_at + 1
        return many + few

    def _reprice(self, which: tuple[int, int]) -> None:
        cost = self.cost(*which)
        if cost:
            self.price[which] = cost
        else:
            self.price.pop(which, None)

    def _off(self, holder: int) -> int:
        """How far the cards turned at a tunnel are from asking what was asked."""
        one = self.turned[holder]
        cards = one.purchase.cards
        asking = sum(self.asks_more(self.kind[card], cards) for card in self.of[holder])
        return max(0, one.extra - asking) if one.at_least else abs(asking - one.extra)

    def violations(self) -> list[tuple[str, int, int]]:
        """What cannot be, as the cards are now."""
        found = [("lack", *which) for which in self.price]
        found += [("turned", holder, 0) for holder in self.turned if self._off(holder)]
        found += [("must", card, 0) for card, wild in self.must.items() if (self.kind[card] == WILD_KIND) != wild]
        for shuffle in self.open_shuffles:
            found += [("shuffle", shuffle, kind) for kind, count in self.surplus[shuffle].items() if count > 0]
        return found

    def total(self) -> int:
        """How much is violated."""
        found = sum(self.price.values()) + sum(map(self._off, self.turned))
        found += sum((self.kind[card] == WILD_KIND) != wild for card, wild in self.must.items())
        return found + sum(
            count for shuffle in self.open_shuffles for count in self.surplus[shuffle].values() if count > 0
        )

    def first_line(self) -> int:
        """The first line at which somebody lacks cards; 0: none."""
        lines = [self._short_of(holder, kind)[1] for holder, kind in self.price]
        return min((line for line in lines if line), default=0)

    def _short_of(self, holder: int, kind: int) -> tuple[int, int]:
        """Return the moment from which somebody lacks cards of a kind, and its line; far off and 0: never."""
        came, spent = self.came[holder, kind], 0
        for moment, count, line in self.asked.get((holder, kind), ()):
            spent += count
            if spent > bisect_left(came, moment):
                return moment, line
        return 1 << 30, 0

    # -------------------------------------------------------------------------------------------- repairing

    def repair(self, most: int, until: float) -> bool:
        """Look for kinds with which nothing is violated: so many repairs at most, until so much time is used."""
        total = best = self.total()
        for _ in range(most):
            if not total:
                return True
            if time.process_time() > until:
                return False
            self.now += 1
            what = self.luck.choice(self.violations())
            if what[0] == "lack":
                self.weight[what[1], what[2]] += HEAVIER
            changes = self._changes(*what)
            if not changes:
                continue
            kept: tuple[float, Change] | None = None
            for change in changes:
                delta = self._delta(change) + self.luck.random() * 0.5
                barred = any(self.tabu.get(self._key(one), 0) > self.now for one in change)
                if barred and total + delta >= best:
                    continue
                if kept is None or delta < kept[0]:
                    kept = delta, change
            if kept is None:
                continue
            for one in kept[1]:
                self.tabu[self._key(one)] = self.now + FORGOTTEN + self.luck.randrange(FORGOTTEN)
                self._apply(one)
            total = self.total()
            best = min(best, total)
        return not total

    def _key(self, one: tuple[str, int, int]) -> int:
        return one[1] if one[0] == "card" else -1 - one[1]

    def _apply(self, one: tuple[str, int, int]) -> None:
        what, n, new = one
        if what == "card":
            self._become(n, new)
            return
        purchase = self.purchases[n]
        kinds = {kind for kind, _ in purchase.cards}
        self._book(purchase, -1)
        purchase.way = new
        self._book(purchase, 1)
        for kind in kinds | {kind for kind, _ in purchase.cards}:
            self._reprice((purchase.holder, kind))

    def _become(self, card: int, kind: int) -> None:
        old, holder, moment = self.kind[card], self.holder[card], self.moment[card]
        self.kind[card] = kind
        self.surplus[self.shuffle[card]][old] -= 1
        self.surplus[self.shuffle[card]][kind] += 1
        if holder == NEVER:
            return
        self.came[holder, old].remove(moment)
        insort(self.came[holder, kind], moment)
        self._flow(holder, old, -1)
        self._flow(holder, kind, 1)
        self._reprice((holder, old))
        self._reprice((holder, kind))

    def _delta(self, change: Change) -> float:
        """What a change makes worse; exact for one card, near enough for two of one holder."""
        found = 0.0
        moved: Counter[tuple[int, int]] = Counter()  # by shuffle and kind, the surplus
        for what, n, new in change:
            if what == "card":
                found += self._card_delta(n, new, moved)
            else:
                found += self._purchase_delta(self.purchases[n], new, moved)
        for (shuffle, kind), count in moved.items():
            if count and shuffle in self.open_shuffles:
                now = self.surplus[shuffle][kind]
                found += max(0, now + count) - max(0, now)
        return found

    def _card_delta(self, card: int, new: int, moved: Counter[tuple[int, int]]) -> float:
        old, holder, moment, shuffle = self.kind[card], self.holder[card], self.moment[card], self.shuffle[card]
        moved[shuffle, old] -= 1
        moved[shuffle, new] += 1
        found = 0.0
        if card in self.must:
            found += ((new == WILD_KIND) != self.must[card]) - ((old == WILD_KIND) != self.must[card])
        if holder == NEVER:
            return found
        weight = self.weight
        found += weight[holder, old] * (self.cost(holder, old, less=moment) - self.price.get((holder, old), 0))
        found += weight[holder, new] * (self.cost(holder, new, more=moment) - self.price.get((holder, new), 0))
        if holder in self.turned:
            before = self._off(holder)
            self.kind[card] = new
            found += self._off(holder) - before
            self.kind[card] = old
        to = self.to.get(holder)
        if to is not None and to[deck_of(old)] != NEVER:
            moved[to[deck_of(old)], old] += 1
            moved[to[deck_of(old)], new] -= 1
        return found

    def _purchase_delta(self, purchase: Purchase, new: int, moved: Counter[tuple[int, int]]) -> float:
        before = Counter(dict(purchase.cards))
        after = Counter(dict(purchase.ways[new]))
        found = 0.0
        for kind in before | after:
            which = purchase.holder, kind
            asked = self.asked[which]
            old, entry = self.price.get(which, 0), (purchase.moment, before[kind], purchase.line)
            fresh = purchase.moment, after[kind], purchase.line
            if before[kind]:
                asked.remove(entry)
            if after[kind]:
                insort(asked, fresh)
            found += self.weight[which] * (self.cost(*which) - old)
            if after[kind]:
                asked.remove(fresh)
            if before[kind]:
                insort(asked, entry)
            to = purchase.to[deck_of(kind)]
            if to != NEVER and not purchase.kept:
                moved[to, kind] += before[kind] - after[kind]
        if purchase.tunnel != NEVER and purchase.tunnel in self.turned:
            off, way = self._off(purchase.tunnel), purchase.way
            purchase.way = new
            found += self._off(purchase.tunnel) - off
            purchase.way = way
        return found

    # -------------------------------------------------------------------------------------------- what may be done

    def _changes(self, what: str, which: int, kind: int) -> list[Change]:
        if what == "lack":
            return self._lacking(which, kind)
        if what == "must":
            return self._exchanges(which, lambda one: (one == WILD_KIND) == self.must[which])
        if what == "turned":
            found = [one for card in self.of[which] for one in self._exchanges(card, lambda _: True)]
            return found + self._other_ways(self.turned[which].purchase)
        return self._unlike(which, kind)

    def _lacking(self, holder: int, kind: int) -> list[Change]:
        """Another card of a holder becomes of a kind it lacks, or it pays otherwise."""
        if kind == WILD_KIND and holder in self.wilds and not self._short_of(holder, kind)[1]:
            return self._too_many_or_few(holder)
        until = self._short_of(holder, kind)[0]
        cards = [
            card
            for card in self.of[holder]
            if self.moment[card] < until and self.kind[card] != kind and deck_of(self.kind[card]) == deck_of(kind)
        ]
        found: list[Change] = []
        for card in self._cheapest(cards):
            found += self._exchanges(card, lambda one: one == kind)
        for n, purchase in enumerate(self.purchases):
            spends = purchase.holder == holder and any(one == kind for one, _ in purchase.cards)
            if spends and purchase.moment <= until and len(purchase.ways) > 1:
                ways = range(len(purchase.ways))
                found += [
                    (("way", n, way),)
                    for way in (ways if len(ways) < 40 else self.luck.sample(ways, 40))
                    if way != purchase.way
                ]
        return found

    def _too_many_or_few(self, holder: int) -> list[Change]:
        found: list[Change] = []
        asked = self.asked.get((holder, WILD_KIND), ())
        for moment, swept in self.wilds[holder]:
            lie = bisect_left(self.came[holder, WILD_KIND], moment) - sum(one[1] for one in asked if one[0] < moment)
            if (lie < self.sweep_at) == swept:
                cards = [card for card in self.of[holder] if self.moment[card] < moment]
                cards = [card for card in cards if (self.kind[card] == WILD_KIND) != swept]
                for card in self._cheapest([card for card in cards if deck_of(self.kind[card]) == 0]):
                    found += self._exchanges(card, lambda one, swept=swept: (one == WILD_KIND) == swept)  # type: ignore[misc]
        return found

    def _cheapest(self, cards: list[int]) -> list[int]:
        """A few of these, of which the holder needs the kind least."""
        if len(cards) <= SAMPLE:
            return cards

        def loss(card: int) -> float:
            holder, kind = self.holder[card], self.kind[card]
            lost = self.cost(holder, kind, less=self.moment[card]) - self.price.get((holder, kind), 0)
            return lost + 3 * (self.tabu.get(card, 0) > self.now) + self.luck.random()

        return sorted(cards, key=loss)[:SAMPLE]

    def _exchanges(self, card: int, fits: Callable[[int], bool]) -> list[Change]:
        """A card becomes of a kind that fits, in exchange for another of its shuffle."""
        if card in self.fixed:
            return []
        mine, shuffle = self.kind[card], self.shuffle[card]
        found: list[Change] = []
        for other in self.members[shuffle]:
            kind = self.kind[other]
            if kind != mine and other not in self.fixed and fits(kind):
                found.append((("card", card, kind), ("card", other, mine)))
        if len(found) > 24:
            found = self.luck.sample(found, 24)
        if shuffle in self.open_shuffles:
            kinds = [kind for kind, count in self.surplus[shuffle].items() if count < 0 and kind != mine and fits(kind)]
            found += [(("card", card, kind),) for kind in kinds if deck_of(kind) == deck_of(mine)]
        return found

    def _unlike(self, shuffle: int, kind: int) -> list[Change]:
        """The cards of a shuffle are not those it was made from: there is one too many of a kind."""
        lacks = [other for other, count in self.surplus[shuffle].items() if count < 0]
        found: list[Change] = []
        for card in self.members[shuffle]:
            if self.kind[card] == kind and card not in self.fixed:
                found += [(("card", card, other),) for other in lacks]
        for n, purchase in enumerate(self.purchases):
            if shuffle in purchase.to and len(purchase.ways) > 1 and not purchase.kept:
                before = dict(purchase.cards)
                for way, cards in enumerate(purchase.ways):
                    after = dict(cards)
                    if way != purchase.way and after.get(kind, 0) > before.get(kind, 0):
                        found.append((("way", n, way),))
        for holder, to in self.to.items():
            if shuffle in to:
                for card in self.of[holder]:
                    if self.kind[card] in lacks:
                        found += self._exchanges(card, lambda one: one == kind)
        return self.luck.sample(found, 60) if len(found) > 60 else found

    def _other_ways(self, purchase: Purchase) -> list[Change]:
        n = self.purchases.index(purchase)
        found: list[Change] = [(("way", n, way),) for way in range(len(purchase.ways)) if way != purchase.way]
        return found[:40]
