"""The cards of a noted game: which comes from which shuffle, where it lies, and what is asked of its kind.

How many cards lie where does not depend on their kinds; what is asked of these is handed to `demands`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.rules.cards import deck_of
from branchline.rules.state import MOST_SWEEPS
from branchline.tabletop.deal_plan import Act, DealPlan, asking
from branchline.tabletop.demands import NEVER, Demands, Look
from branchline.tabletop.noted_course import NotedCourse, NotedDeed
from branchline.tabletop.payment_ways import Cards


class NotedCards:
    """Decks, discards, market and hands, as one deal has them."""

    def __init__(self, course: NotedCourse, plan: DealPlan, luck: Random) -> None:
        """Begin with the cards dealt and laid out."""
        self.course, self.plan, self.luck = course, plan, luck
        self.board, self.cards = course.board, course.board.cards
        self.seats = len(course.notation.names)
        self.demands = Demands(luck, self.cards.sweep_at, asking)
        self.decks: list[list[int]] = [[], []]  # the top is the last
        self.discards: list[Counter[int]] = [Counter(), Counter()]
        self.waiting: list[list[tuple[str, int]]] = [[], []]  # whose cards the discards are
        self.market: list[int | None] = [None] * sum(self.cards.market)
        self.hands = [Counter[int]() for _ in range(self.seats)]
        self.acts: list[Act] = []
        self.order: dict[int, list[int]] = {}  # by shuffle, its cards as they are drawn
        self.shuffle_deck: list[int] = []
        self.shuffle_step: list[int] = []  # by shuffle, when it is, see `_step`
        self.drawn_step: dict[int, int] = {}  # by card
        self.drawn_at: dict[int, int] = {}  # by card
        self.filled: dict[int, tuple[int, int, bool]] = {}  # by such a card: deed, card of it, certainly openly
        self.current = [0, 0]  # by deck, the shuffle it is of
        self.answered = -1  # the number of the last act that was a tunnel's answer, too
        self.place: dict[int, tuple[int, int]] = {}  # by card, the market and its row to which it came
        self.now = self.deed = 0
        self.holders = self.seats
        self.card, self.sweeping = -1, 0  # which card of the turn; whether it brings about a sweep
        self.to_turn: Callable[[dict[int, int]], int | None] = self._plain
        self._deal()

    def _new_holder(self) -> int:
        self.holders += 1
        return self.holders - 1

    def _deal(self) -> None:
        copies = self.board.tables[0].copies
        for deck in range(1 + self.cards.two_decks):
            box = Counter({kind: int(copies[kind]) for kind in range(KINDS) if copies[kind] and deck_of(kind) == deck})
            self._shuffle(deck, box, False)
        self.period = self._new_holder()
        for seat in range(self.seats):
            for deck in range(1 + self.cards.two_decks):
                for _ in range(self.cards.hand[deck]):
                    self._draw(deck, seat)
        self._lay_out()
        self._sweep(self.plan.first_sweeps)
        self.sweeping = 0

    def _shuffle(self, deck: int, box: Counter[int], again: bool) -> None:
        shuffle = len(self.shuffle_deck)
        self.shuffle_deck.append(deck)
        self.shuffle_step.append(self._step())
        kinds = self.plan.deals.get(shuffle)
        if kinds is None or Counter(kinds) != +box:
            kinds = list((+box).elements())
            self.luck.shuffle(kinds)
        demands = self.demands
        fresh = self.plan.lucks.get(shuffle, (0, []))[1]
        for n, kind in enumerate(fresh):
            if kind in kinds[n:]:
                other = kinds.index(kind, n)
                kinds[n], kinds[other] = kinds[other], kinds[n]
        first = len(demands.kind)
        cards = list(range(first, first + len(kinds)))
        demands.kind += kinds
        demands.shuffle += [shuffle] * len(kinds)
        demands.holder += [NEVER] * len(kinds)
        demands.moment += [0] * len(kinds)
        demands.members[shuffle] = cards
        self.current[deck] = shuffle
        demands.fixed.update(cards[: len(fresh)])
        self.order[shuffle] = cards
        self.decks[deck] = cards[::-1]
        if again:
            demands.open_shuffles.add(shuffle)
            for role, n in self.waiting[deck]:
                if role == "holder":
                    to = list(demands.to.get(n, (NEVER, NEVER)))
                    to[deck] = shuffle
                    demands.to[n] = (to[0], to[1])
                else:
                    both = list(demands.purchases[n].to)
                    both[deck] = shuffle
                    demands.purchases[n].to = (both[0], both[1])
            self.waiting[deck] = []
            self.discards[deck] = Counter()

    def _step(self) -> int:
        """Return the number of the action, as far as actions draw cards: two for each act, the second one answers a
        tunnel.
        """
        n = len(self.acts) - 1
        return 2 * n + (n == self.answered)

    def _left(self, deck: int) -> int:
        return len(self.decks[deck]) + self.discards[deck].total()

    def _open_decks(self) -> list[int]:
        return [deck for deck in range(1 + self.cards.two_decks) if self._left(deck)]

    def _held(self, seat: int, deck: int) -> int:
        return sum(count for kind, count in self.hands[seat].items() if deck_of(kind) == deck)

    def _draw(self, deck: int, holder: int) -> int | None:
        if not self.decks[deck]:
            if not self.discards[deck].total():
                return None
            self._shuffle(deck, self.discards[deck], True)
        card = self.decks[deck].pop()
        self._wish(card, deck, holder)
        self.now += 1
        self.drawn_step[card], self.drawn_at[card] = self._step(), self.now
        self.demands.holder[card], self.demands.moment[card] = holder, self.now
        if holder < self.seats:
            self.hands[holder][self.demands.kind[card]] += 1
        return card

    def _wish(self, card: int, deck: int, holder: int) -> None:
        """Bring to the top, in a new deal, a card that is needed next where it goes."""
        kinds, rest = self.demands.kind, self.decks[deck]
        if self.demands.shuffle[card] in self.plan.deals or not rest or card in self.demands.fixed:
            return
        left = {kinds[other]: other for other in rest if other not in self.demands.fixed}
        left[kinds[card]] = card
        if holder < self.seats:
            wanted = self._needed(holder, left)
        elif holder == self.period:
            wanted = self._to_lie(left)
        else:
            wanted = self.to_turn(left)
        if wanted is not None and wanted != kinds[card]:
            other = left[wanted]
            kinds[card], kinds[other] = kinds[other], kinds[card]

    def _needed(self, seat: int, left: dict[int, int]) -> int | None:
        """Return the kind that a seat lacks first for what it pays later."""
        running = Counter(self.hands[seat])
        for n, deed in enumerate(self.course.deeds[self.deed :], self.deed):
            if deed.turn.seat != seat or (n == self.deed and deed.number < 0):
                continue
            for card in deed.turn.drawn:
                if card.kind is not None:
                    running[card.kind] += 1
            for kind, count in self._asked(n, deed):
                running[kind] -= count
                if running[kind] < 0 and kind in left:
                    return kind
        plain = [kind for kind in left if kind != WILD_KIND]
        return self.luck.choice(plain) if plain else None

    def _asked(self, n: int, deed: NotedDeed) -> Cards:
        if n in self.plan.paid:
            return self.plan.paid[n]
        if deed.ways:
            return deed.ways[0]
        price = deed.price
        if price is None or price.colour is None or price.sea or price.pairs:
            return ()
        wilds = ((WILD_KIND, price.wilds),) if price.wilds else ()
        return ((price.colour, price.spaces - price.wilds), *wilds)

    def _to_lie(self, left: dict[int, int]) -> int | None:
        """Return the kind that must be in the market first and is not."""
        lying = Counter(self.demands.kind[card] for card in self.market if card is not None)
        most = self.cards.sweep_at - 1 + self.sweeping
        for n, deed in enumerate(self.course.deeds[self.deed :], self.deed):
            for m, card in enumerate(deed.turn.drawn):
                if (n, m) <= (self.deed, self.card):
                    continue
                if card.openly and card.kind is not None:
                    lying[card.kind] -= 1
                    fits = card.kind != WILD_KIND or self._wilds_lie() < most
                    if lying[card.kind] < 0 and card.kind in left and fits:
                        return card.kind
                if card.sweeps and not self.sweeping:
                    if lying[WILD_KIND] < self.cards.sweep_at - 1 and WILD_KIND in left and self._wilds_lie() < most:
                        return WILD_KIND
                    return self._plain(left)
            if self.sweeping:
                return WILD_KIND if WILD_KIND in left else None
        return self._plain(left)

    def _wilds_lie(self) -> int:
        return sum(card is not None and self.demands.kind[card] == WILD_KIND for card in self.market)

    def _plain(self, left: dict[int, int]) -> int | None:
        plain = [kind for kind in left if kind != WILD_KIND]
        return self.luck.choice(plain) if plain else None

    def _discard(self, role: str, n: int, cards: Counter[int]) -> None:
        for deck in range(2):
            cards_of_deck = Counter(
                {kind: count for kind, count in cards.items() if count > 0 and deck_of(kind) == deck}
            )
            self.discards[deck] += cards_of_deck
            if (cards_of_deck or role == "purchase") and (role, n) not in self.waiting[
                deck
            ]:  # it may be paid otherwise
                self.waiting[deck].append((role, n))

    # -------------------------------------------------------------------------------------------- the market

    def _put(self, slot: int, deck: int) -> None:
        card = self._draw(deck, self.period)
        if card is None and self.cards.two_decks:
            card = self._draw(1 - deck, self.period)
        self.market[slot] = card
        if card is not None:
            self.place[card] = self.period, self._row(slot)

    def _row(self, slot: int) -> int:
        return 0 if slot < self.cards.market[0] else 1

    def _lay_out(self) -> None:
        for slot in range(len(self.market)):
            self._put(slot, self._row(slot))

    def _seen(self, swept: bool) -> Look:
        lying = [deck_of(self.demands.kind[card]) for card in self.market if card is not None]
        trains, ships = (self._left(deck) + lying.count(deck) for deck in range(2))
        places = self.cards.market
        from_ships = min(ships, places[1])
        from_trains = min(trains, places[0] if from_ships == places[1] else sum(places) - from_ships)
        return Look(self.now, swept, trains, from_trains)

    def _look(self, swept: bool) -> None:
        """Check that too many wilds are in the market now, or are not, unless no better market is possible."""
        self.now += 1
        look = self._seen(swept)
        self.demands.looks[self.period].append(look)
        wilds = int(self.board.tables[0].copies[WILD_KIND]) - sum(max(0, hand[WILD_KIND]) for hand in self.hands)
        if swept or look.places - (look.trains - wilds) < self.cards.sweep_at:
            self.demands.wilds[self.period].append((self.now, swept))

    def _sweep(self, times: int) -> None:
        for n in range(times):
            self._look(True)
            swept = Counter(self.demands.kind[card] for card in self.market if card is not None)
            old, self.period = self.period, self._new_holder()
            self.market = [None] * len(self.market)
            self.sweeping = times - n - 1
            self._discard("holder", old, swept)
            self._lay_out()
            if n + 1 == times < MOST_SWEEPS:
                self._look(False)
        if not times:
            self._look(False)

    def _fill_gaps(self) -> None:
        filled = False
        for slot, card in enumerate(self.market):
            if card is None and self._open_decks():
                self._put(slot, self._row(slot))
                filled = True
        if filled:
            self._look(False)
