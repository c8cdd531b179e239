"""The payments of a noted game: with which cards, so that later payments stay possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from branchline.boards.tables import WILD_KIND
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import Act, asking
from branchline.tabletop.late_market import DeadEndError, DecksAndMarket
from branchline.tabletop.noted_course import NotedDeed
from branchline.tabletop.payment_ways import Cards, Size, size_of
from branchline.tabletop.undecided_cards import UNDECIDED, UndecidedCards

TRIES = 6
"""So often cards for one payment are looked for, with other luck."""

MOST_WAYS = 6
"""So many ways to pay are tried with cards that were paid before."""

SCARCE_FOR = 40
"""So many turns before a deck once had no card that was noted, payments rather bring more cards back to it."""

HELD_BACK = 0.7
"""How likely few wild cards are paid where too many lay in the market later."""

KEPT_FOR = 4
"""So much it counts at most that a card could also become one that the same seat lacked later."""


class _Hand:
    """A hand, by what its cards are and may become."""

    def __init__(self, cards: UndecidedCards, seat: int) -> None:
        """Sort the cards of a hand: by kind those decided, and the others by what decides what they may become."""
        self.cards = cards
        self.decided: dict[int, list[int]] = {}
        self.alike: dict[tuple[int, bool], list[int]] = {}  # by shuffle, and whether they are certainly not wild
        self._open: dict[int, int] = {}
        self._most: dict[int, int] = {}
        for card in cards.hands[seat]:
            if cards.kind[card] != UNDECIDED:
                self.decided.setdefault(cards.kind[card], []).append(card)
            else:
                self.alike.setdefault((cards.shuffle[card], cards.plain[card]), []).append(card)

    def decided_for(self, way: Cards) -> list[tuple[int, int]]:
        """Return the cards that are already what is paid."""
        return [(card, kind) for kind, count in way for card in self.decided.get(kind, [])[:count]]

    def lacking(self, way: Cards) -> list[tuple[int, int]]:
        """Return the kinds of a payment that undecided cards must become, and how many of each."""
        missing = ((kind, count - len(self.decided.get(kind, []))) for kind, count in way)
        return [(kind, count) for kind, count in missing if count > 0]

    def short_of(self, way: Cards) -> list[int]:
        """Return the kinds of a payment of which there are certainly too few cards."""
        return [kind for kind, count in way if count > (self._most[kind] if kind in self._most else self._count(kind))]

    def shortage(self, way: Cards) -> int:
        """Return how many cards of a payment certainly lack."""
        self.short_of(way)
        return sum(max(0, count - self._most[kind]) for kind, count in way)

    def open_to(self, kind: int) -> int:
        """Return how many undecided cards may become of a kind, if each is asked alone."""
        if kind not in self._open:
            self._open[kind] = sum(len(theirs) for theirs in self.alike.values() if self.cards.may_be(theirs[0], kind))
        return self._open[kind]

    def _count(self, kind: int) -> int:
        """Return how many cards are of a kind or may become so together."""
        supply: Counter[int] = Counter()
        for (shuffle, plain), theirs in self.alike.items():
            if kind == WILD_KIND:
                supply[shuffle] += 0 if plain else len(theirs)
            else:
                supply[shuffle] += len(theirs) if plain else min(len(theirs), self.cards.room(shuffle))
        self._most[kind] = len(self.decided.get(kind, [])) + sum(
            min(count, self.cards.pools[shuffle][kind]) for shuffle, count in supply.items()
        )
        return self._most[kind]


class Paying(DecksAndMarket):
    """Payments as they were noted, with the cards that are needed least."""

    def _pay(self, deed: NotedDeed) -> None:
        seat, cards = deed.turn.seat, self.cards
        withdrawn = deed.turn.what == noted.WITHDRAW
        extra = deed.extra
        if extra is None:
            extra = int(withdrawn)  # for something it was taken back
            while extra < self.board.tunnel_cards and self.luck.random() < self.leanings.extra:
                extra += 1
        way, chosen = self._way(deed, seat, 0 if withdrawn else extra)
        for card, kind in chosen:
            if cards.kind[card] == UNDECIDED and not withdrawn:
                cards.paid[card] = self.deed
            cards.decide(card, kind)
        cards.acts.append(Act(self.deed, deed.number, way))
        if deed.tunnel:
            self._turn_cards(deed, way, extra)
            if extra or withdrawn:
                cards.answered = len(cards.acts) - 1
        if not withdrawn:
            cards.gave[self.deed] = cards.current[0], cards.current[1]
            for card, _ in chosen:
                if card in cards.hands[seat]:
                    cards.hands[seat].remove(card)
                self._discard(card)
        cards.acts += [Act(self.deed, number) for number in deed.numbers]

    def _way(self, deed: NotedDeed, seat: int, extra: int) -> tuple[Cards, list[tuple[int, int]]]:
        """Return how it is paid, and with which cards."""
        hand = _Hand(self.cards, seat)
        enough = self._leaving_enough(deed, seat, extra)
        payable = [way for way in enough if not hand.short_of(way)]
        unpaid = UNDECIDED
        if not deed.ways:
            dear = self._dearness(deed, seat)
            payable.sort(key=dear)
            if enough and not payable:
                enough.sort(key=lambda way: (hand.shortage(way), dear(way)))
        if enough and not payable:
            unpaid = self.luck.choice(hand.short_of(enough[0]))
        for way in payable:
            lacking = hand.lacking(way)
            for _ in range(TRIES):
                chosen, kind = self._chosen(seat, hand, lacking)
                if chosen is not None:
                    return way, hand.decided_for(way) + chosen
                unpaid = kind if unpaid == UNDECIDED else unpaid
        if deed.turn.what != noted.WITHDRAW:
            for way in (payable + [way for way in enough if way not in payable])[:MOST_WAYS]:
                served = self._exchanged(seat, hand, way)
                if served is not None:
                    return way, served
        raise DeadEndError(seat, unpaid)

    def _exchanged(self, seat: int, hand: _Hand, way: Cards) -> list[tuple[int, int]] | None:
        """Pay with cards of which some were paid before, where others can stand in for them."""
        cards = self.cards
        self._forget()
        for kind, count in hand.lacking(way):
            for _ in range(count):
                if not self._payable(seat, kind):
                    self._take_back(0)
                    return None
        return hand.decided_for(way) + [
            (card, cards.kind[card]) for card, turn in cards.paid.items() if turn == self.deed
        ]

    def _leaving_enough(self, deed: NotedDeed, seat: int, extra: int) -> list[Cards]:
        """Return the ways to pay for which a hand has enough cards of each deck, and keeps as many as it must."""
        decks = [self.cards.shuffle_deck[self.cards.shuffle[card]] for card in self.cards.hands[seat]]
        held = decks.count(0), decks.count(1)
        withdrawn = deed.turn.what == noted.WITHDRAW
        needs = self.must_keep[self.deed]

        def is_enough(size: Size) -> bool:
            left = held if withdrawn else (held[0] - size[0], held[1] - size[1])
            return any(left[0] >= least[0] and left[1] >= least[1] for least in needs)

        if deed.ways:  # the likeliest first
            return [way for way in deed.ways if is_enough(size_of(way))]
        assert deed.price is not None
        of_size = self.course.ways(deed.price, extra)
        return [way for size in of_size if is_enough(size) for way in of_size[size]]

    def _dearness(self, deed: NotedDeed, seat: int) -> Callable[[Cards], float]:
        """Return how much a way to pay costs others and the market."""
        if deed.turn.what == noted.WITHDRAW:  # these cards are shown and kept: best those that are paid next
            return self._unlike(self._soon(seat))
        others: Counter[int] = Counter()
        for other in range(self.seats):
            others += self._soon(other) if other != seat else Counter()
        return self._dear(others, self._spare_wilds(seat))

    def _dear(self, others: Counter[int], spare: int) -> Callable[[Cards], float]:
        copies, price = self.board.tables[0].copies, self.leanings.wild_price
        shuffle = self.cards.current[0]
        if self._flooded_soon(SCARCE_FOR) and self.luck.random() < HELD_BACK:
            price += 3
        elif self.cards.pools[shuffle][WILD_KIND] <= self._market_wants(shuffle):
            price += 2
        elif 2 * self.cards.room(shuffle) < self.cards.in_deck[shuffle]:  # the deck is nearly all wild
            price = min(price, -1.0)

        scarce = [self._scarce_soon(deck, SCARCE_FOR) for deck in range(2)]

        def weigh(way: Cards) -> float:
            price_of_way = self.luck.random() * self.leanings.noise
            for deck, count in enumerate(size_of(way)):
                price_of_way -= scarce[deck] * count
            for kind, count in way:
                price_of_way += count * others[kind] / max(1, int(copies[kind]))
                if kind == WILD_KIND:
                    price_of_way += min(count, spare) * self.leanings.spare_price + max(0, count - spare) * price
            return price_of_way

        return weigh

    def _spare_wilds(self, seat: int) -> int:
        """Return how many wild cards a seat took openly and certainly need not keep."""
        held = sum(self.cards.kind[card] == WILD_KIND for card in self.cards.hands[seat])
        later = sum(-change for n, change, _ in self.wild_flow[seat] if n > self.deed and change < 0)
        return max(0, held - later)

    def _unlike(self, soon: Counter[int]) -> Callable[[Cards], float]:
        def weigh(way: Cards) -> float:
            return (soon - Counter(dict(way))).total() + self.luck.random() * self.leanings.noise

        return weigh

    def _chosen(
        self, seat: int, hand: _Hand, lacking: list[tuple[int, int]]
    ) -> tuple[list[tuple[int, int]] | None, int]:
        """Return undecided cards of a hand that can become what it lacks; otherwise the kind that no card can become.

        `lacking` has kinds, and how many cards of each.
        """
        cards, alike, random = self.cards, hand.alike, self.luck.random
        used: list[tuple[int, int]] = []
        if len(lacking) > 1:
            lacking = sorted(lacking, key=lambda option: hand.open_to(option[0]) + random() * 3)
        pools: Counter[tuple[int, int]] = Counter()  # taken from a pool
        unwild: Counter[int] = Counter()  # loose cards of a shuffle that are not wild
        taken: Counter[tuple[int, bool]] = Counter()
        scores: dict[tuple[int, int], float] = {}
        for kind, count in lacking:
            for _ in range(count):
                best = None
                for group, theirs in alike.items():
                    shuffle, plain = group
                    if taken[group] >= len(theirs) or cards.pools[shuffle][kind] <= pools[shuffle, kind]:
                        continue
                    if kind == WILD_KIND:
                        if plain:
                            continue
                    elif not plain and cards.room(shuffle) <= unwild[shuffle]:
                        continue
                    if (shuffle, kind) not in scores:
                        scores[shuffle, kind] = self._surplus(seat, shuffle, kind)
                    score = scores[shuffle, kind] + 0.4 * plain - pools[shuffle, kind]
                    if best is None or score > best[0]:
                        best = score, group
                if best is None:
                    return None, kind
                group = best[1]
                used.append((alike[group][taken[group]], kind))
                taken[group] += 1
                pools[group[0], kind] += 1
                if kind != WILD_KIND and not group[1]:
                    unwild[group[0]] += 1
        return used, UNDECIDED

    def _surplus(self, seat: int, shuffle: int, kind: int) -> float:
        """Return how many more cards of a kind a shuffle has than the holders of its cards want."""
        cards, surplus = self.cards, float(self.cards.pools[shuffle][kind])
        for other in range(self.seats):
            wanted = self._wishes(other)[kind] if other != seat else 0
            if wanted:
                own = sum(
                    cards.kind[card] == UNDECIDED and cards.shuffle[card] == shuffle for card in cards.hands[other]
                )
                surplus -= min(own, wanted) * (1 + self.lacking[other, kind])
        if kind == WILD_KIND:
            surplus -= self._market_wants(shuffle)
        for (other, lacked), deed in self.lacked_at.items():  # what else the seat itself needs these cards for
            if other == seat and lacked != kind and deed > self.deed and cards.pools[shuffle][lacked]:
                surplus -= min(KEPT_FOR, self.lacking[seat, lacked])
        return surplus + self.luck.random() * 2 * self.leanings.noise

    def _turn_cards(self, deed: NotedDeed, way: Cards, extra: int) -> None:
        """Turn the cards of a tunnel: those noted, or some that ask as much as was paid."""
        cards, turned = self.cards, deed.turn.turned
        withdrawn = deed.turn.what == noted.WITHDRAW
        drawn = [self._draw(0, self.seats + 10_000 + self.deed) for _ in range(self.board.tunnel_cards)]
        known = [card for card in drawn if card is not None]
        asked = list(turned) if turned is not None else []
        if turned is not None and len(asked) != len(known):
            raise DeadEndError
        asks = 0
        for n, card in enumerate(known):
            if turned is not None:
                fitting = [kind for kind in asked if cards.may_be(card, kind)][:1]
                asked = [kind for k, kind in enumerate(asked) if k != (asked.index(fitting[0]) if fitting else -1)]
            else:
                pool = cards.pools[cards.shuffle[card]]
                fitting = [
                    kind
                    for kind, count in enumerate(pool)
                    if count and cards.may_be(card, kind) and asking(kind, way) == (n < extra)
                ]
            if not fitting:
                raise DeadEndError
            wanted = self._wanted(cards.shuffle[card])
            pool = cards.pools[cards.shuffle[card]]
            kind = max(fitting, key=lambda kind: pool[kind] - wanted[kind] + self.luck.random())
            cards.decide(card, kind)
            asks += asking(kind, way)
        for card in known:
            self._discard(card)
        if (asks < 1) if withdrawn else (asks != extra):
            raise DeadEndError
