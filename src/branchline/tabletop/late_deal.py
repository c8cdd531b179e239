"""One deal of a noted game, played from the first turn to the last; cards become of a kind as late as can be.

A card drawn unseen is of no kind yet: it is one of the cards of its shuffle of which nobody has shown the kind. Only
what shows it decides: a payment, a card known to be taken, a tunnel, a sweep, and whether a card in the market is wild.
A shuffle keeps the kinds that are still to be given (its *pool*), so that the rest of the deal stays possible whatever
is decided: any card of it can be any kind of its pool, as long as the wild ones have room among cards not seen.

What stays to be chosen is chosen by what is needed next, and by luck; where a turn then cannot be, the game goes on
from some turns before with other luck (`late_search`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from branchline.boards.tables import KINDS, MARKED, WILD_KIND
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.state import MOST_SWEEPS
from branchline.rules.turn import CARDS_A_TURN
from branchline.tabletop import notation as noted
from branchline.tabletop.demands import NEVER, Cards
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_course import NotedCourse, NotedDeed
from branchline.tabletop.noted_table import Act, asking
from branchline.tabletop.payment_ways import Size, size_of
from branchline.tabletop.rules_judge import DealLayout
from branchline.tabletop.undecided_cards import NO_CARD, UNDECIDED, UndecidedCards

NEVER_ENDS = 1 << 30
"""A turn that no game has."""

TRIES = 6
"""So often cards for one payment are looked for, with other luck."""


class DeadEndError(Exception):
    """A turn cannot be as noted with the cards as they were dealt."""

    def __init__(self, seat: int = -1, kind: int = UNDECIDED) -> None:
        """Make the error; `seat` and `kind` say who could not pay for lack of which card, where that is the reason."""
        super().__init__(seat, kind)
        self.seat, self.kind, self.unpaid = seat, kind, seat >= 0


@dataclass
class Leanings:
    """How what nobody noted is chosen, where nothing speaks against it."""

    openly: float = 0.3  # how likely a card comes from the market
    trains: int = 3  # so many train cards shall lie in a market of two decks
    eager: float = 1.0  # how likely a card comes from the market so that a wild one can come there
    horizon: int = 20  # so many turns ahead wild cards are laid ready
    wild_price: float = 1.0  # how dear it is to pay with a wild card
    spare_price: float = -0.3  # the same with one that was taken openly
    extra: float = 0.1  # how likely a tunnel asks one card more
    first_sweeps: int = 0
    noise: float = 1.0


class LateDeal:
    """A noted game that is played on with undecided cards."""

    def __init__(self, course: NotedCourse, luck: Random, leanings: Leanings) -> None:
        """Begin before the first card is dealt."""
        self.course, self.luck, self.leanings = course, luck, leanings
        self.board, self.rules = course.board, course.board.cards
        self.decks = range(1 + self.rules.two_decks)
        self.seats = len(course.notation.names)
        self.lacking: Counter[tuple[int, int]] = Counter()  # by seat and kind, how often it could not be paid
        self.hurry: Counter[int] = Counter()  # by deed, how often a wild card was lacking in the market
        self.asked = [_asked(deed) for deed in course.deeds]
        self.theirs = [[n for n in self._paying() if course.deeds[n].turn.seat == seat] for seat in range(self.seats)]
        self.next_payments: dict[tuple[int, int], Counter[int]] = {}
        self.wild_events = [
            (n, m, card.sweeps)
            for n, deed in enumerate(course.deeds)
            for m, card in enumerate(_cards_of(deed))
            if card.sweeps or (card.openly and card.kind == WILD_KIND)
        ]
        self.wild_flow = [_wild_flow(course, seat) for seat in range(self.seats)]
        self.must_keep = {n: needs for seat in range(self.seats) for n, needs in self._must_keep(seat).items()}
        self.deed = self.card = -1
        self.sweeping = 0
        self.cards = UndecidedCards([[] for _ in range(self.seats)], [NO_CARD] * sum(self.rules.market))

    def _paying(self) -> list[int]:
        return [n for n, deed in enumerate(self.course.deeds) if deed.number >= 0]

    def _must_keep(self, seat: int) -> dict[int, list[Size]]:
        """Return by purchase the numbers of cards of each deck, any of which must stay in the hand for all that is
        paid later.
        """
        needs_by_deed: dict[int, list[Size]] = {}
        needs: list[Size] = [(0, 0)]
        for n in range(len(self.course.deeds) - 1, -1, -1):
            deed = self.course.deeds[n]
            if deed.turn.seat != seat:
                continue
            for card in deed.turn.drawn:
                deck = card.deck if card.kind is None else deck_of(card.kind)
                needs = [(max(0, a - (deck != 1)), max(0, b - (deck != 0))) for a, b in needs]
            if deed.number >= 0:
                needs_by_deed[n] = needs
                sizes = deed.sizes(self.course.ways, 0 if deed.turn.what == noted.WITHDRAW else deed.extra or 0)
                if deed.turn.what == noted.WITHDRAW:
                    needs = [(max(a, c), max(b, d)) for a, b in needs for c, d in sizes]
                else:
                    needs = [(a + c, b + d) for a, b in needs for c, d in sizes]
            needs = _least(needs)
        return needs_by_deed

    # ---------------------------------------------------------------------------------------- the course

    def deal(self) -> None:
        """Deal the first cards."""
        copies = self.board.tables[0].copies
        self.deed = self.card = -1
        self.cards = UndecidedCards([[] for _ in range(self.seats)], [NO_CARD] * sum(self.rules.market))
        for deck in self.decks:
            box = [int(copies[kind]) * (deck_of(kind) == deck) for kind in range(KINDS)]
            self._shuffle(deck, box)
        for seat in range(self.seats):
            for deck in self.decks:
                for _ in range(self.rules.hand[deck]):
                    self._draw(deck, seat)
        self.cards.period = self.seats
        self.sweeping = self.leanings.first_sweeps
        self._lay_out()
        self._sweep(self.leanings.first_sweeps)

    def play(self, n: int) -> None:
        """Do what was noted of a turn. Raise `DeadEndError`."""
        deed = self.course.deeds[n]
        self.deed, self.card = n, -1
        word = deed.turn.what
        if word == noted.DRAW:
            self._draw_cards(deed)
        elif word in (noted.CLAIM, noted.WITHDRAW, noted.STATION, noted.PORT):
            self._pay(deed)
        else:
            if word == noted.PASS and (
                self._open_decks() or (self.rules.market_lasts and any(c != NO_CARD for c in self.cards.market))
            ):
                raise DeadEndError
            self.cards.acts += [Act(n, number) for number in deed.numbers]
        if n + 1 < len(self.course.deeds):
            self._fill_gaps()

    def layout(self) -> DealLayout:
        """Return the whole layout, deciding now what was still undecided."""
        cards = self.cards
        left = self._decide_the_rest()
        kinds, holders, shuffles = list(cards.kind), list(cards.holder), list(cards.shuffle)
        order = {}
        for shuffle, drawn in enumerate(cards.order):
            first = len(kinds)
            kinds += left[shuffle]
            order[shuffle] = drawn + list(range(first, len(kinds)))
            holders += [NEVER] * len(left[shuffle])
            shuffles += [shuffle] * len(left[shuffle])
        acts = [
            replace(act, kind=kinds[taken]) if (taken := self.cards.taken.get(n)) is not None else act
            for n, act in enumerate(cards.acts)
        ]
        steps = dict(enumerate(cards.step))
        return DealLayout(
            acts, kinds, holders, shuffles, order, cards.shuffle_deck, cards.shuffle_step, steps, dict(cards.place)
        )

    def _decide_the_rest(self) -> list[list[int]]:
        """Decide what is undecided; the kinds that stay in each shuffle's deck."""
        cards = self.cards
        undecided: list[list[int]] = [[] for _ in cards.pools]
        for card, kind in enumerate(cards.kind):
            if kind == UNDECIDED:
                undecided[cards.shuffle[card]].append(card)
        left = []
        for pool, cards_of_pool in zip(cards.pools, undecided, strict=True):
            kinds = [kind for kind, count in enumerate(pool) for _ in range(count)]
            self.luck.shuffle(kinds)
            kinds.sort(key=lambda kind: kind == WILD_KIND)  # those that are certainly not wild come first
            cards_of_pool.sort(key=lambda card: not cards.plain[card])
            plain = sum(cards.plain[card] for card in cards_of_pool)
            others = kinds[plain:]
            self.luck.shuffle(others)
            kinds[plain:] = others
            for card, kind in zip(cards_of_pool, kinds, strict=False):
                cards.kind[card] = kind
            left.append(kinds[len(cards_of_pool) :])
        return left

    # ---------------------------------------------------------------------------------------- decks

    def _step(self) -> int:
        n = len(self.cards.acts) - 1
        return 2 * n + (n == self.cards.answered)

    def _shuffle(self, deck: int, box: list[int]) -> None:
        cards = self.cards
        cards.current[deck] = len(cards.pools)
        cards.pools.append(box)
        cards.in_deck.append(sum(box))
        cards.loose.append(0)
        cards.order.append([])
        cards.shuffle_deck.append(deck)
        cards.shuffle_step.append(self._step())

    def _left(self, deck: int) -> int:
        return self.cards.in_deck[self.cards.current[deck]] + sum(self.cards.discards[deck])

    def _open_decks(self) -> list[int]:
        return [deck for deck in self.decks if self._left(deck)]

    def _draw(self, deck: int, holder: int) -> int | None:
        """Draw the top card of a deck, undecided; of nothing, None."""
        cards = self.cards
        if not cards.in_deck[cards.current[deck]]:
            if not sum(cards.discards[deck]):
                return None
            self._shuffle(deck, cards.discards[deck])
            cards.discards[deck] = [0] * KINDS
        shuffle, card = cards.current[deck], len(cards.kind)
        cards.in_deck[shuffle] -= 1
        cards.loose[shuffle] += 1
        cards.order[shuffle].append(card)
        cards.kind.append(UNDECIDED)
        cards.shuffle.append(shuffle)
        cards.holder.append(holder)
        cards.plain.append(False)
        cards.step.append(self._step())
        if holder < self.seats:
            cards.hands[holder].append(card)
        if deck:
            cards.make_plain(card)
        return card

    def _discard(self, card: int) -> None:
        kind = self.cards.kind[card]
        self.cards.discards[deck_of(kind)][kind] += 1

    # ---------------------------------------------------------------------------------------- the market

    def _put(self, slot: int, deck: int) -> None:
        cards = self.cards
        card = self._draw(deck, cards.period)
        if card is None and self.rules.two_decks:
            card = self._draw(1 - deck, cards.period)
        if card is None:
            cards.market[slot] = NO_CARD
            return
        cards.market[slot] = card
        cards.place[card] = cards.period, self._row(slot)
        shuffle = cards.shuffle[card]
        if cards.shuffle_deck[shuffle]:
            return
        wilds = cards.pools[shuffle][WILD_KIND]
        if wilds and (not cards.room(shuffle) or (self._wants_wild() and self._is_spare(shuffle, wilds))):
            cards.decide(card, WILD_KIND)
        else:
            cards.make_plain(card)

    def _is_spare(self, shuffle: int, wilds: int) -> bool:
        """Return whether hands do not need the wild cards of a shuffle before the market does."""
        if self.sweeping:
            return True
        lie, event = self._wilds_lie(), NEVER_ENDS
        for n, m, sweeps in self.wild_events:
            if (n, m) > (self.deed, self.card):
                event = n
                if sweeps or not lie:
                    break
                lie -= 1  # this one serves that
        return wilds > self._reserved(shuffle, event)

    def _row(self, slot: int) -> int:
        return 0 if slot < self.rules.market[0] else 1

    def _lay_out(self) -> None:
        for slot in range(len(self.cards.market)):
            self.cards.market[slot] = NO_CARD
        for slot in range(len(self.cards.market)):
            self._put(slot, self._row(slot))

    def _wilds_lie(self) -> int:
        cards = self.cards
        return sum(card != NO_CARD and cards.kind[card] == WILD_KIND for card in cards.market)

    def _wants_wild(self) -> bool:
        """Return whether a wild card should come to the market now."""
        lie, most = self._wilds_lie(), self.rules.sweep_at - 1
        if self.sweeping:
            return lie <= most
        return lie < min(most, self._wilds_needed())

    def _wilds_needed(self) -> int:
        """Return how many wild cards must lie in the market soon."""
        needed = 0
        for n, m, sweeps in self.wild_events:
            if (n, m) <= (self.deed, self.card):
                continue
            if n > self.deed + self.leanings.horizon + 4 * self.hurry[n]:
                break
            needed += self.rules.sweep_at - 1 if sweeps else 1
            if sweeps or needed >= self.rules.sweep_at:
                break
        return needed

    def _sweep(self, times: int) -> None:
        """Sweep the market as often as noted, and no more."""
        cards = self.cards
        for n in range(times):
            if self._wilds_lie() < self.rules.sweep_at or not self._another_is_possible(True):
                self.hurry[self.deed] += 1
                raise DeadEndError
            for card in cards.market:
                if card != NO_CARD:
                    if cards.kind[card] == UNDECIDED:
                        cards.decide(card, self._least_needed(card))
                    self._discard(card)
            cards.period += 1
            self.sweeping = times - n - 1
            self._lay_out()
        self.sweeping = 0
        if times < MOST_SWEEPS and self._wilds_lie() >= self.rules.sweep_at and self._another_is_possible(False):
            raise DeadEndError

    def _another_is_possible(self, wanted: bool) -> bool:
        """Return whether a market with fewer wilds is possible. Where hands decide it, they become as wanted."""
        cards = self.cards
        lying = [cards.shuffle_deck[cards.shuffle[card]] for card in cards.market if card != NO_CARD]
        trains, ships = (self._left(deck) + lying.count(deck) if deck in self.decks else 0 for deck in range(2))
        places = self.rules.market
        from_ships = min(ships, places[1])
        from_trains = min(trains, places[0] if from_ships == places[1] else sum(places) - from_ships)
        box = int(self.board.tables[0].copies[WILD_KIND])
        held = [card for hand in cards.hands for card in hand]
        certain = sum(cards.kind[card] == WILD_KIND for card in held)

        def possible(count: int) -> bool:
            return from_trains - (trains - (box - count)) < self.rules.sweep_at

        maybe = [card for card in held if cards.kind[card] == UNDECIDED and not cards.plain[card]]
        if possible(certain) == wanted and (not maybe or possible(certain + len(maybe)) == wanted):
            return wanted
        if possible(certain) != wanted and possible(certain + len(maybe)) != wanted:
            return not wanted
        self.luck.shuffle(maybe)
        for card in maybe:
            if wanted and cards.room(cards.shuffle[card]) > 0:
                cards.make_plain(card)
            elif cards.pools[cards.shuffle[card]][WILD_KIND]:
                cards.decide(card, WILD_KIND)
                certain += 1
            else:
                cards.make_plain(card)
        return possible(certain)

    def _fill_gaps(self) -> None:
        filled = False
        for slot, card in enumerate(self.cards.market):
            if card == NO_CARD and self._open_decks():
                self._put(slot, self._row(slot))
                filled = True
        if filled:
            self._sweep(0)

    def _take(self, seat: int, n: int, card: CardDrawn, deck: int) -> None:
        """Take a card of the market: of a noted kind, or any that is not wild."""
        cards = self.cards
        kind = card.kind if card.openly else None
        slot = self._slot(seat, kind, deck)
        taken = cards.market[slot]
        if kind is not None:
            cards.decide(taken, kind)
        cards.hands[seat].append(taken)
        deck_taken = cards.shuffle_deck[cards.shuffle[taken]]
        cards.market[slot] = NO_CARD
        decks = self._open_decks()
        act = Act(
            self.deed,
            at.TAKE + slot,
            sweeps=card.sweeps if len(decks) < 2 else 0,
        )
        cards.taken[len(cards.acts)] = taken
        cards.acts.append(act)
        self.sweeping = card.sweeps
        if len(decks) == 2:
            refill = card.refill if card.refill != ANY_DECK else self._refill(deck_taken)
            cards.acts.append(Act(self.deed, at.REFILL_FROM + refill, sweeps=card.sweeps))
            self._put(slot, refill)
        elif decks:
            self._put(slot, decks[0])
        else:
            self.sweeping = 0
            if card.sweeps:
                raise DeadEndError
            return
        self._sweep(card.sweeps)

    def _refill(self, taken: int) -> int:
        """Return the deck from which a place is filled."""
        cards = self.cards
        if self._wants_wild():
            return 0
        lie = sum(card != NO_CARD and not cards.shuffle_deck[cards.shuffle[card]] for card in cards.market)
        target = self.leanings.trains
        if lie == target or (lie == target - 1 and taken == 0):
            return taken if self.luck.random() > 0.1 else 1 - taken
        return 0 if lie < target else 1

    def _slot(self, seat: int, kind: int | None, deck: int) -> int:
        cards = self.cards
        slots = []
        for slot, card in enumerate(cards.market):
            if card == NO_CARD or deck not in (ANY_DECK, cards.shuffle_deck[cards.shuffle[card]]):
                continue
            if cards.may_be(card, kind) if kind is not None else cards.kind[card] != WILD_KIND:
                slots.append(slot)
        if not slots:
            if kind == WILD_KIND:
                self.hurry[self.deed] += 1
            raise DeadEndError
        if kind is not None:
            return max(slots, key=lambda slot: (cards.kind[cards.market[slot]] == kind, self.luck.random()))
        return max(slots, key=lambda slot: self._use(seat, cards.shuffle[cards.market[slot]]) + self.luck.random())

    # ---------------------------------------------------------------------------------------- drawing

    def _draw_cards(self, deed: NotedDeed) -> None:
        turn, drawn = deed.turn, 0
        for m, card in enumerate(turn.drawn):
            if m == 0 and not self.rules.market_lasts and not self._open_decks():
                raise DeadEndError
            drawn += 1
            self.card = m
            alone = card == CardDrawn() and len(turn.drawn) == 1
            if alone and sum(map(self._left, self.decks)) > 1:
                card = CardDrawn(WILD_KIND, True)
            if card.openly and card.kind == WILD_KIND:
                drawn = CARDS_A_TURN
            if card.openly:
                self._take(turn.seat, m, card, ANY_DECK)
            else:
                self._unseen(turn.seat, m, card)
        if drawn < CARDS_A_TURN:
            if self._open_decks():
                raise DeadEndError
            for lying in self.cards.market:
                if lying != NO_CARD and self.cards.kind[lying] != WILD_KIND:
                    raise DeadEndError

    def _unseen(self, seat: int, m: int, card: CardDrawn) -> None:
        """Place a card of which nobody noted whether it came from the deck or from the market."""
        decks = self._open_decks()
        deck = card.deck if card.deck != ANY_DECK else self._deck(seat)
        if card.sweeps or deck not in decks:
            self._take(seat, m, card, deck)
            return
        if card.kind is None and not card.blind and self._prefers_market(seat, deck):
            self._take(seat, m, card, deck)
            return
        self.cards.acts.append(Act(self.deed, at.BLIND + deck))
        drawn = self._draw(deck, seat)
        assert drawn is not None
        if card.kind is not None:
            if not self.cards.may_be(drawn, card.kind):
                raise DeadEndError
            self.cards.decide(drawn, card.kind)

    def _deck(self, seat: int) -> int:
        """Return the deck from which a card comes where nobody noted it."""
        decks = [deck for deck in self.decks if self._left(deck)] or [
            self.cards.shuffle_deck[self.cards.shuffle[card]] for card in self.cards.market if card != NO_CARD
        ]
        if not decks:
            raise DeadEndError
        wanted = self._soon(seat)
        needs = [sum(count for kind, count in wanted.items() if deck_of(kind) == deck) for deck in range(2)]
        for card in self.cards.hands[seat]:
            needs[self.cards.shuffle_deck[self.cards.shuffle[card]]] -= 1
        return max(decks, key=lambda deck: needs[deck] + 3 * self.luck.random())

    def _prefers_market(self, seat: int, deck: int) -> bool:
        cards = self.cards
        lying = [
            cards.shuffle[card]
            for card in cards.market
            if card != NO_CARD and cards.kind[card] != WILD_KIND and cards.shuffle_deck[cards.shuffle[card]] == deck
        ]
        if not lying:
            return False
        wilds = cards.pools[cards.current[0]][WILD_KIND]
        if wilds and self._wants_wild() and self._is_spare(cards.current[0], wilds):
            if self.luck.random() < self.leanings.eager:
                return True
        elif wilds and deck == 0 and self._lacks_wilds(seat):
            return False
        use = max(self._use(seat, shuffle) for shuffle in lying) - self._use(seat, cards.current[deck])
        return use > 0 or (use == 0 and self.luck.random() < self.leanings.openly)

    def _lacks_wilds(self, seat: int) -> bool:
        """Return whether a seat must still draw wild cards unseen for what it pays later."""
        cards = self.cards
        lacking = self._wilds_to_come(seat)
        if not lacking:
            return False
        loose = Counter(
            cards.shuffle[card] for card in cards.hands[seat] if cards.kind[card] == UNDECIDED and not cards.plain[card]
        )
        return sum(min(count, cards.pools[shuffle][WILD_KIND]) for shuffle, count in loose.items()) < lacking

    def _wilds_to_come(self, seat: int, before: int = NEVER_ENDS) -> int:
        """Return how many wild cards a seat pays before a deed, beyond those it has and those it takes openly."""
        held = sum(self.cards.kind[card] == WILD_KIND for card in self.cards.hands[seat])
        lacking = 0
        for n, change, kept in self.wild_flow[seat]:
            if n >= before:
                break
            if n >= self.deed:
                lacking = max(lacking, -(held + change))
                held += 0 if kept else change
        return lacking

    def _reserved(self, shuffle: int, before: int) -> int:
        """Return how many wild cards of a shuffle hands need before a deed."""
        cards, reserved = self.cards, 0
        for seat in range(self.seats):
            lacking = self._wilds_to_come(seat, before)
            if lacking:
                loose = sum(
                    cards.shuffle[card] == shuffle and cards.kind[card] == UNDECIDED and not cards.plain[card]
                    for card in cards.hands[seat]
                )
                reserved += min(lacking, loose)
        return reserved

    def _use(self, seat: int, shuffle: int) -> int:
        """Return how many more cards of a shuffle a seat could use for what it pays next."""
        cards = self.cards
        own = sum(cards.kind[card] == UNDECIDED and cards.shuffle[card] == shuffle for card in cards.hands[seat])
        pool = cards.pools[shuffle]
        held = Counter(cards.kind[card] for card in cards.hands[seat])
        return max(
            0, sum(min(max(0, count - held[kind]), pool[kind]) for kind, count in self._soon(seat).items()) - own
        )

    def _soon(self, seat: int) -> Counter[int]:
        """Return what a seat pays next, as far as it is known."""
        which = bisect_left(self.theirs[seat], self.deed)
        if (seat, which) not in self.next_payments:
            wanted: Counter[int] = Counter()
            for n in self.theirs[seat][which : which + 3]:
                wanted += self.asked[n]
            self.next_payments[seat, which] = wanted
        return self.next_payments[seat, which]

    # ---------------------------------------------------------------------------------------- paying

    def _least_needed(self, card: int) -> int:
        """Return a kind that is not wild for a card that is thrown away."""
        cards = self.cards
        pool = cards.pools[cards.shuffle[card]]
        wanted = self._wanted(cards.shuffle[card])
        kinds = [kind for kind, count in enumerate(pool) if count and cards.may_be(card, kind) and kind != WILD_KIND]
        return max(kinds, key=lambda kind: pool[kind] - wanted[kind] + self.luck.random() * self.leanings.noise)

    def _wanted(self, shuffle: int) -> Counter[int]:
        """Return how many cards of each kind the holders of undecided cards of a shuffle want it to give."""
        cards, wishes = self.cards, Counter[int]()
        for seat in range(self.seats):
            own = sum(cards.kind[card] == UNDECIDED and cards.shuffle[card] == shuffle for card in cards.hands[seat])
            if own:
                for kind, count in self._soon(seat).items():
                    wishes[kind] += min(own, count) * (1 + self.lacking[seat, kind])
        return wishes

    def _pay(self, deed: NotedDeed) -> None:
        seat, cards = deed.turn.seat, self.cards
        withdrawn = deed.turn.what == noted.WITHDRAW
        extra = deed.extra
        if extra is None:
            extra = 0
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

    def _market_wants(self, shuffle: int) -> int:
        """Return about how many wild cards of a shuffle must come to the market before its deck runs out."""
        cards, wanted = self.cards, 0
        if shuffle != cards.current[0]:
            return 0
        last = self.deed + cards.in_deck[shuffle] * 2 // 3
        for n, m, sweeps in self.wild_events:
            if n > last:
                break
            if (n, m) > (self.deed, self.card):
                wanted += self.rules.sweep_at * sweeps or 1
        return max(0, wanted - self._wilds_lie())

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
            kind = max(fitting, key=lambda kind: cards.pools[cards.shuffle[card]][kind] + self.luck.random())
            cards.decide(card, kind)
            asks += asking(kind, way)
        for card in known:
            self._discard(card)
        if (asks < 1) if withdrawn else (asks != extra):
            raise DeadEndError


def _least(sizes: list[Size]) -> list[Size]:
    """Return the sizes of which no other asks as much or less of both decks."""
    least: list[Size] = []
    for size in sorted(set(sizes)):
        if not least or size[1] < least[-1][1]:
            least.append(size)
    return least


def _cards_of(deed: NotedDeed) -> list[CardDrawn]:
    drawn = deed.turn.drawn
    return list(drawn)


def _asked(deed: NotedDeed) -> Counter[int]:
    """Return what a payment certainly takes, or most likely takes."""
    if deed.ways:
        return Counter(dict(deed.ways[0]))
    price = deed.price
    if deed.number < 0 or price is None:
        return Counter()
    if price.colour is None or price.sea:
        return +Counter({WILD_KIND: price.wilds})
    return +Counter({price.colour % MARKED: price.spaces - price.wilds, WILD_KIND: price.wilds})


def _wild_flow(course: NotedCourse, seat: int) -> list[tuple[int, int, bool]]:
    """Return the wild cards that a seat certainly takes openly, and pays: the deed, how many more, whether they are
    kept.
    """
    flow = []
    for n, deed in enumerate(course.deeds):
        if deed.turn.seat != seat:
            continue
        taken = sum(card.kind == WILD_KIND for card in deed.turn.drawn)
        if taken:
            flow.append((n, taken, False))
        paid = min((dict(way).get(WILD_KIND, 0) for way in deed.ways), default=deed.price.wilds if deed.price else 0)
        if paid:
            flow.append((n, -paid, deed.turn.what == noted.WITHDRAW))
    return flow
