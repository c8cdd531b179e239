"""The cards of a noted game on the table: which comes from which shuffle, and to whom, as the notes have it.

A deal is laid out turn by turn, whether its kinds of cards agree with the notes or not: what is asked of them is handed
to `demands`. How many cards lie where does not depend on their kinds; where a deck has run out too early, the plan
of what was not noted (how many cards were paid, what a tunnel asked, which deck was drawn from) is at fault, and is
changed.
That the deal is right in the end is not judged here but by the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from branchline.boards.tables import KINDS, MARKED, WILD_KIND
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.state import MOST_SWEEPS
from branchline.rules.tunnels import asks_more
from branchline.rules.turn import CARDS_A_TURN
from branchline.tabletop import notation as noted
from branchline.tabletop.demands import NEVER, Cards, Demands, Exchange, Look, Purchase, Turned
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_course import NotedCourse, NotedDeed
from branchline.tabletop.payment_ways import Size

MOST_WAYS = 120
"""So many ways to pay are thought of at once."""


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


class NotedTable:
    """One deal of a noted game, laid out from the first turn to the last. Raise `MiscountError`."""

    def __init__(self, course: NotedCourse, plan: DealPlan, luck: Random, settled: bool = False) -> None:
        """Begin a table that plays all of it; with `settled`, what was not noted is as planned."""
        self.settled = settled
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
        for n, deed in enumerate(course.deeds):
            self.deed, self.card = n, -1
            self._play(deed)
        self.demands.settled = set(plan.lucks)

    # -------------------------------------------------------------------------------------------- cards

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

    def _turned_kind(self, deed: NotedDeed, purchase: Purchase, extra: int, n: int, left: dict[int, int]) -> int | None:
        if deed.turn.turned is not None:
            kind = deed.turn.turned[n] if n < len(deed.turn.turned) else None
            return kind if kind in left else None
        fitting = [kind for kind in left if asking(kind, purchase.cards) == (n < extra)]
        return self.luck.choice(fitting) if fitting else None

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

    # -------------------------------------------------------------------------------------------- turns

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

    def _held(self, seat: int, deck: int) -> int:
        return sum(count for kind, count in self.hands[seat].items() if deck_of(kind) == deck)

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
