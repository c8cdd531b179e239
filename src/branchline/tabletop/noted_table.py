"""A noted game on the table, laid out turn by turn, as the notes have it.

A deal is laid out whether its kinds of cards agree with the notes or not. Where a deck has run out too early, the plan
of what was not noted (how many cards were paid, what a tunnel asked, which deck was drawn from) is at fault, and is
changed. That the deal is right in the end is not judged here but by the rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random

from branchline.boards.tables import WILD_KIND
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.turn import CARDS_A_TURN
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import Act, DealPlan, MiscountError, asking
from branchline.tabletop.demands import Exchange, Purchase, Turned
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_cards import NotedCards
from branchline.tabletop.noted_course import NotedCourse, NotedDeed
from branchline.tabletop.payment_ways import Cards, Size

MOST_WAYS = 120
"""So many ways to pay are thought of at once."""


class NotedTable(NotedCards):
    """One deal of a noted game, laid out from the first turn to the last. Raise `MiscountError`."""

    def __init__(self, course: NotedCourse, plan: DealPlan, luck: Random, settled: bool = False) -> None:
        """Begin a table that plays all of it; with `settled`, what was not noted is as planned."""
        self.settled = settled
        super().__init__(course, plan, luck)
        for n, deed in enumerate(course.deeds):
            self.deed, self.card = n, -1
            self._play(deed)
        self.demands.settled = set(plan.lucks)

    def _play(self, deed: NotedDeed) -> None:
        word = deed.turn.what
        if word == noted.DRAW:
            self._draw_cards(deed)
        elif word in (noted.CLAIM, noted.WITHDRAW, noted.STATION, noted.PORT):
            self._pay(deed)
        else:
            if word == noted.PASS and (self._open_decks() or (self.cards.market_lasts and any(self.market))):
                raise MiscountError(self.deed, ANY_DECK, False)
            self.acts += [Act(self.deed, number) for number in deed.numbers]
        if self.deed + 1 < len(self.course.deeds):
            self._fill_gaps()

    def _draw_cards(self, deed: NotedDeed) -> None:
        turn = deed.turn
        drawn = 0
        for n, card in enumerate(turn.drawn):
            if n == 0 and not self.cards.market_lasts and not self._open_decks():
                raise MiscountError(self.deed, ANY_DECK, True)
            drawn += 1
            self.card = n
            wild_alone = card == CardDrawn() and len(turn.drawn) == 1 and len(self._open_decks()) > 0
            if wild_alone and sum(map(self._left, self._open_decks())) > 1:
                card = CardDrawn(WILD_KIND, True)
            if card.openly and card.kind == WILD_KIND:
                drawn = CARDS_A_TURN
            if card.openly:
                self._take(turn.seat, n, card, ANY_DECK)
            else:
                self._unseen(turn.seat, n, card)
        if drawn < CARDS_A_TURN:
            if self._open_decks():
                raise MiscountError(self.deed, ANY_DECK, False)
            for lying in self.market:
                if lying is not None:
                    self.demands.must[lying] = True
            self.now += 1
            self.demands.only_wilds.append((self.period, self.now))

    def _unseen(self, seat: int, n: int, card: CardDrawn) -> None:
        decks = self._open_decks()
        wanted = self._deck(seat, n, card)
        if card.sweeps or wanted not in decks or self._openly(n, card, wanted):
            if not any(card is not None for card in self.market):
                raise MiscountError(self.deed, wanted, True)
            self._take(seat, n, card, wanted)
            return
        self.acts.append(Act(self.deed, at.BLIND + wanted))
        drawn = self._draw(wanted, seat)
        assert drawn is not None
        if card.kind is not None:
            self._known(seat, drawn, card.kind)
        elif not card.blind and self._is_free(n):
            look = self._seen(False)
            self.demands.exchanges.append(
                Exchange((self.deed, n), drawn, self.period, seat, self.now, self.now, False, look)
            )
            if len(decks) > 1 and card.refill == ANY_DECK:
                self._leave_deck_open(drawn, n, False)

    def _is_free(self, n: int) -> bool:
        """Return whether it is left open where a card came from."""
        return self.plan.free.get((self.deed, n), 1.0) < self.plan.freedom

    def _openly(self, n: int, card: CardDrawn, deck: int) -> bool:
        """Return whether a card whose origin nobody noted comes from the market, as planned."""
        if card.kind is not None or card.blind:
            return False
        if not self.settled:
            lying = [card for card in self.market if card is not None and deck_of(self.demands.kind[card]) == deck]
            return (self.deed, n) in self.plan.refills and len(self._open_decks()) == 2 and bool(lying)
        return (self.deed, n) in self.plan.taken

    def _known(self, seat: int, card: int, kind: int) -> None:
        """Note a card drawn blind whose kind was noted."""
        alone = self._new_holder()
        self.demands.holder[card] = alone
        self.hands[seat][self.demands.kind[card]] -= 1
        self.hands[seat][kind] += 1
        self.demands.ask(alone, kind, 1, self.now + 1, self.course.deeds[self.deed].turn.line)
        self.demands.given[seat, kind].append(self.now)

    def _deck(self, seat: int, n: int, card: CardDrawn) -> int:
        if not self.cards.two_decks:
            return 0
        if card.deck != ANY_DECK:
            return card.deck
        if (self.deed, n) not in self.plan.decks:
            self.plan.decks[self.deed, n] = self._likely_deck(seat)
        wanted = self.plan.decks[self.deed, n]
        return wanted if self._left(wanted) or not self._left(1 - wanted) else 1 - wanted

    def _likely_deck(self, seat: int) -> int:
        """Return the deck from which the seat lacks more for what it builds later."""
        lacks = [0.0, 0.0]
        for later in self.course.deeds[self.deed + 1 :]:
            if later.turn.seat == seat and later.price is not None:
                lacks[later.price.sea] += later.price.spaces * (0.7 if later.price.sea else 1.0)
                lacks[0] += 2 * later.price.pairs
        for deck in range(2):
            lacks[deck] -= self._held(seat, deck)
        return max(range(2), key=lacks.__getitem__)

    # -------------------------------------------------------------------------------------------- cards from the market

    def _take(self, seat: int, n: int, card: CardDrawn, deck: int) -> None:
        """Take a card from the market: of a noted kind, or any card of a deck that is not wild."""
        demands = self.demands
        slot = self._slot(seat, n, card, deck)
        kind = card.kind if card.openly else None
        taken = self.market[slot]
        assert taken is not None
        self.now += 1
        line = self.course.deeds[self.deed].turn.line
        if kind is None:
            came = demands.moment[taken]
            demands.exchanges.append(Exchange((self.deed, n), taken, self.period, seat, came, self.now, True))
            demands.holder[taken], demands.moment[taken] = seat, self.now
            demands.must[taken] = False
            self.hands[seat][demands.kind[taken]] += 1
        else:
            demands.ask(self.period, kind, 1, self.now, line)
            demands.given[seat, kind].append(self.now)
            self.hands[seat][kind] += 1
        self.market[slot] = None
        decks = self._open_decks()
        sweeps = card.sweeps if len(decks) < 2 else 0
        self.acts.append(Act(self.deed, at.TAKE + slot, sweeps=sweeps, kind=demands.kind[taken]))
        self.sweeping = card.sweeps
        if len(decks) == 2:
            refill = self._refill(n, card) if card.openly else self.plan.refills.get((self.deed, n), deck)
            self.acts.append(Act(self.deed, at.REFILL_FROM + refill, sweeps=card.sweeps))
            self._put(slot, refill)
            if card.refill == ANY_DECK:
                self._leave_deck_open(self.market[slot], n, True)
        elif decks:
            self._put(slot, decks[0])
        else:
            return
        self._sweep(card.sweeps)
        self.sweeping = 0

    def _leave_deck_open(self, card: int | None, n: int, openly: bool) -> None:
        """Leave open whether this card filled the place or one from the other deck; shuffles stay where they are."""
        if card is None or self.settled or card in self.demands.fixed:
            return
        shuffle = self.demands.shuffle[card]
        if shuffle not in self.demands.open_shuffles or card != self.order[shuffle][0]:
            self.demands.other[card] = self.current[1 - self.shuffle_deck[shuffle]]
            self.filled[card] = self.deed, n, openly

    def _refill(self, n: int, card: CardDrawn) -> int:
        if card.refill != ANY_DECK:
            return card.refill
        if (self.deed, n) in self.plan.refills:
            return self.plan.refills[self.deed, n]
        trains = sum(card is not None and deck_of(self.demands.kind[card]) == 0 for card in self.market)
        if trains < self.cards.market[0] and self._left(0):
            return 0
        return 1 if self._left(1) else 0

    def _slot(self, seat: int, n: int, card: CardDrawn, deck: int) -> int:
        kinds = [None if card is None else self.demands.kind[card] for card in self.market]
        wanted = card.kind if card.openly else self.plan.taken.get((self.deed, n))
        if wanted is not None:
            deck = deck_of(wanted)
            if wanted in kinds:
                return kinds.index(wanted)
        slots = [slot for slot, kind in enumerate(kinds) if kind is not None and deck in (deck_of(kind), ANY_DECK)]
        if not slots:
            raise MiscountError(self.deed, deck, True)
        lying = {kind: 0 for slot, kind in enumerate(kinds) if kind is not None and kind != WILD_KIND and slot in slots}
        needed = self._needed(seat, lying) if lying and not card.openly else None
        return min(slots, key=lambda slot: (kinds[slot] == WILD_KIND, kinds[slot] != needed, self.luck.random()))

    # -------------------------------------------------------------------------------------------- paying

    def _pay(self, deed: NotedDeed) -> None:
        seat, plan = deed.turn.seat, self.plan
        extra = deed.extra if deed.extra is not None else plan.extras.setdefault(self.deed, 0)
        kept = deed.turn.what == noted.WITHDRAW
        sizes = deed.sizes(self.course.ways, 0 if kept else extra)
        size = plan.sizes.get(self.deed)
        if size not in sizes:
            size = self._likely_size(seat, sizes)
            plan.sizes[self.deed] = size
        for deck in range(2):
            if self._held(seat, deck) < size[deck]:
                raise MiscountError(self.deed, deck, False, seat)
        ways = sizes[size]
        way = self._way(seat, ways)
        if not self.settled and len(sizes) > 1:
            chosen = ways[way]
            ways = self._most_likely([way for ways_of_size in sizes.values() for way in ways_of_size], ways)
            way = ways.index(chosen)
        purchase = Purchase(seat, 0, ways, way, line=deed.turn.line, kept=kept)
        if not self.settled and not deed.ways and deed.price is not None:
            purchase.price = replace(deed.price, spaces=deed.price.spaces + (0 if kept else extra))
        number = len(self.demands.purchases)
        self.demands.purchases.append(purchase)
        self.acts.append(Act(self.deed, deed.number, purchase.cards))
        if deed.tunnel:
            self._turn_cards(deed, purchase, extra)
            if extra or kept:
                self.answered = len(self.acts) - 1
        self.now += 1
        purchase.moment = self.now
        self.now += 1
        if not kept:
            self.hands[seat] -= Counter()  # keep what is negative: it is lacking
            for kind, count in purchase.cards:
                self.hands[seat][kind] -= count
            self._discard("purchase", number, Counter(dict(purchase.cards)))
        self.acts += [Act(self.deed, number) for number in deed.numbers]

    def _most_likely(self, ways: list[Cards], planned: tuple[Cards, ...]) -> tuple[Cards, ...]:
        """Return the likely ways to pay of every size: few wilds, and what is planned."""
        sorted_ways = sorted(
            ways, key=lambda way: (way not in planned, dict(way).get(WILD_KIND, 0), self.luck.random())
        )
        return tuple(sorted_ways[:MOST_WAYS])

    def _likely_size(self, seat: int, sizes: dict[Size, tuple[Cards, ...]]) -> Size:
        """Return the likely size: few wilds, and as many cards as the hand easily has."""
        held = [self._held(seat, deck) for deck in range(2)]
        fitting = [size for size in sizes if all(size[deck] <= held[deck] for deck in range(2))] or list(sizes)
        return min(
            fitting,
            key=lambda size: (
                min(dict(way).get(WILD_KIND, 0) for way in sizes[size]),
                sum(size) + 2 * self.luck.random(),
            ),
        )

    def _way(self, seat: int, ways: tuple[Cards, ...]) -> int:
        before = self.plan.paid.get(self.deed)
        if before in ways:
            return ways.index(before)
        hand = self.hands[seat]

        def lacking(n: int) -> tuple[float, float]:
            way = ways[n]
            lack = sum(max(0, count - max(0, hand[kind])) for kind, count in way)
            return lack + 0.4 * dict(way).get(WILD_KIND, 0), self.luck.random()

        return min(range(len(ways)), key=lacking)

    def _turn_cards(self, deed: NotedDeed, purchase: Purchase, extra: int) -> None:
        holder = self._new_holder()
        purchase.tunnel = holder
        self.demands.discarded.add(holder)
        drawn = []
        for n in range(self.board.tunnel_cards):
            self.to_turn = partial(self._turned_kind, deed, purchase, extra, n)
            drawn.append(self._draw(0, holder))
        cards = [card for card in drawn if card is not None]
        self._discard("holder", holder, Counter(self.demands.kind[card] for card in cards))
        turned = deed.turn.turned
        if turned is None:
            if len(cards) < extra:
                raise MiscountError(self.deed, 0, True)
            self.demands.turned[holder] = Turned(purchase, extra, deed.turn.what == noted.WITHDRAW)
        else:
            self.now += 1
            for kind, count in Counter(turned).items():
                self.demands.ask(holder, kind, count, self.now, deed.turn.line)

    def _turned_kind(self, deed: NotedDeed, purchase: Purchase, extra: int, n: int, left: dict[int, int]) -> int | None:
        if deed.turn.turned is not None:
            kind = deed.turn.turned[n] if n < len(deed.turn.turned) else None
            return kind if kind in left else None
        fitting = [kind for kind in left if asking(kind, purchase.cards) == (n < extra)]
        return self.luck.choice(fitting) if fitting else None
