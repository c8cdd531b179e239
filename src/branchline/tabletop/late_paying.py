"""The payments of a noted game: with which cards, so that later payments stay possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from branchline.boards.tables import WILD_KIND
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import Act, asking
from branchline.tabletop.late_market import DeadEndError, DecksAndMarket
from branchline.tabletop.noted_course import NotedDeed
from branchline.tabletop.payment_ways import Cards, size_of
from branchline.tabletop.undecided_cards import UNDECIDED

TRIES = 6
"""So often cards for one payment are looked for, with other luck."""


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
            cards.decide(card, kind)
        cards.acts.append(Act(self.deed, deed.number, way))
        if deed.tunnel:
            self._turn_cards(deed, way, extra)
            if extra or withdrawn:
                cards.answered = len(cards.acts) - 1
        if not withdrawn:
            for card, _ in chosen:
                cards.hands[seat].remove(card)
                self._discard(card)
        cards.acts += [Act(self.deed, number) for number in deed.numbers]

    def _way(self, deed: NotedDeed, seat: int, extra: int) -> tuple[Cards, list[tuple[int, int]]]:
        """Return how it is paid, and with which cards."""
        unpaid = UNDECIDED
        decided = Counter(self.cards.kind[card] for card in self.cards.hands[seat])
        undecided = decided.pop(UNDECIDED, 0)
        for way in deed.ways or self._cheapest_first(deed, seat, extra):
            if not self._leaves_enough(deed, seat, way):
                continue
            missing = [kind for kind, count in way for _ in range(count - decided[kind])]
            if len(missing) > undecided:
                unpaid = self.luck.choice(missing) if unpaid == UNDECIDED else unpaid
                continue
            for _ in range(TRIES):
                chosen, lacking = self._chosen(seat, way)
                if chosen is not None:
                    return way, chosen
                unpaid = lacking if unpaid == UNDECIDED else unpaid
        raise DeadEndError(seat, unpaid)

    def _cheapest_first(self, deed: NotedDeed, seat: int, extra: int) -> list[Cards]:
        """Return every way to pay, the one first that costs others and the market least."""
        assert deed.price is not None
        ways = [way for ways_of_size in self.course.ways(deed.price, extra).values() for way in ways_of_size]
        if deed.turn.what == noted.WITHDRAW:  # these cards are shown and kept: best those that are paid next
            return sorted(ways, key=self._unlike(self._soon(seat)))
        others: Counter[int] = Counter()
        for other in range(self.seats):
            others += self._soon(other) if other != seat else Counter()
        return sorted(ways, key=self._dear(others, self._spare_wilds(seat)))

    def _leaves_enough(self, deed: NotedDeed, seat: int, way: Cards) -> bool:
        """Return whether a hand has that many cards of each deck, and keeps as many as it must."""
        decks = [self.cards.shuffle_deck[self.cards.shuffle[card]] for card in self.cards.hands[seat]]
        trains, ships = (0, 0) if deed.turn.what == noted.WITHDRAW else size_of(way)
        left = decks.count(0) - trains, decks.count(1) - ships
        return any(left[0] >= least[0] and left[1] >= least[1] for least in self.must_keep[self.deed])

    def _dear(self, others: Counter[int], spare: int) -> Callable[[Cards], float]:
        copies, price = self.board.tables[0].copies, self.leanings.wild_price
        shuffle = self.cards.current[0]
        if self.cards.pools[shuffle][WILD_KIND] <= self._market_wants(shuffle):
            price += 2
        elif 2 * self.cards.room(shuffle) < self.cards.in_deck[shuffle]:  # the deck is nearly all wild
            price = min(price, -1.0)

        def weigh(way: Cards) -> float:
            price_of_way = self.luck.random() * self.leanings.noise
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

    def _chosen(self, seat: int, way: Cards) -> tuple[list[tuple[int, int]] | None, int]:
        """Return the cards of a hand that are, or can become, what is paid; otherwise the kind that is lacking."""
        cards = self.cards
        used: list[tuple[int, int]] = []
        free = set(cards.hands[seat])
        pools: Counter[tuple[int, int]] = Counter()  # taken from a pool
        unwild: Counter[int] = Counter()  # loose cards of a shuffle that are not wild
        lacking: list[tuple[int, int]] = []
        for kind, count in way:
            have = [card for card in cards.hands[seat] if cards.kind[card] == kind][:count]
            used += [(card, kind) for card in have]
            free.difference_update(have)
            if count > len(have):
                lacking.append((kind, count - len(have)))
        open_cards = [card for card in free if cards.kind[card] == UNDECIDED]
        lacking.sort(
            key=lambda option: sum(cards.may_be(card, option[0]) for card in open_cards) + self.luck.random() * 3
        )
        scores: dict[tuple[int, int], float] = {}
        for kind, count in lacking:
            for _ in range(count):
                best = None
                for card in open_cards:
                    shuffle = cards.shuffle[card]
                    if cards.pools[shuffle][kind] <= pools[shuffle, kind]:
                        continue
                    if kind == WILD_KIND:
                        if cards.plain[card]:
                            continue
                    elif not cards.plain[card] and cards.room(shuffle) <= unwild[shuffle]:
                        continue
                    if (shuffle, kind) not in scores:
                        scores[shuffle, kind] = self._surplus(seat, shuffle, kind)
                    score = scores[shuffle, kind] + 0.4 * cards.plain[card] - pools[shuffle, kind]
                    if best is None or score > best[0]:
                        best = score, card
                if best is None:
                    return None, kind
                card = best[1]
                open_cards.remove(card)
                used.append((card, kind))
                pools[cards.shuffle[card], kind] += 1
                if kind != WILD_KIND and not cards.plain[card]:
                    unwild[cards.shuffle[card]] += 1
        return used, UNDECIDED

    def _surplus(self, seat: int, shuffle: int, kind: int) -> float:
        """Return how many more cards of a kind a shuffle has than the holders of its cards want."""
        cards, surplus = self.cards, float(self.cards.pools[shuffle][kind])
        for other in range(self.seats):
            wanted = self._soon(other)[kind]
            if wanted and other != seat:
                own = sum(
                    cards.kind[card] == UNDECIDED and cards.shuffle[card] == shuffle for card in cards.hands[other]
                )
                surplus -= min(own, wanted) * (1 + self.lacking[other, kind])
        if kind == WILD_KIND:
            surplus -= self._market_wants(shuffle)
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
