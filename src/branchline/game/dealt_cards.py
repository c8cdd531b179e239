"""The cards of a game that is reconstructed: which lie where, and which of them nobody has seen yet.

Every card has a place in the order in which its deck is drawn. A card that nobody has seen may as well be any other
such card of the same shuffle, in the order and on the table alike. Which one it was is settled anew whenever
something that was noted asks for it (`demands`). What the rules did to the cards is read from their log; no rule is
repeated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from math import perm
from random import Random

from branchline.atlas import Board
from branchline.atlas.tables import KINDS, WILD_KIND
from branchline.game.cards import card_name
from branchline.game.demands import DRIVEN_OUT, GONE, IN_DECK, MARKET, OPEN, Card, Demand, Demands, most_at_once
from branchline.game.game import Game
from branchline.rules import log
from branchline.rules.cards import deck_of

BEFORE = -1
"""In place of the number of a step: before the first."""

MOST_ORDERS = 1000  # of the cards drawn in the moment of a shuffle, for which luck is looked for afterwards
FEW_DRAWN = 2  # or so few cards

Fits = Callable[[int], bool]
"""Whether a kind of card will do."""


class DealtCards:
    """All cards of a game."""

    def __init__(self, game: Game, luck: Random) -> None:
        """Of a game that has just been dealt."""
        self.game, self.board, self.luck = game, game.board, luck
        self.demands = Demands(luck, game.board.cards.sweep_at)
        self.pending: list[Demand] = []  # what the next action pays or takes
        self.all: list[Card] = []  # but those of which the kind is plain
        self.decks: list[list[Card]] = [[], []]  # the top is the first
        self.market: list[Card | None] = []
        self.first_market: tuple[Card | None, ...] = ()
        self.thrown: list[Demand] = []  # what was swept and is not shuffled yet: it is open of which kinds it was
        self.thrown_as: list[int] = []  # their kinds as the state has them
        self.swept: list[tuple[int, int]] = []  # the steps between which wilds lay that were swept
        self.shuffles: list[tuple[int, list[Card]]] = []  # the step in which cards were shuffled, and the cards
        self.moved: dict[int, list[Card]] = {}  # by step, the cards that came from the decks
        self.taken: dict[int, Demand] = {}  # by step, what was taken from the market
        self.dealings = 1
        self.step = 0
        self._deal()

    def _deal(self) -> None:
        """Take up the cards in the order of the deal: hands, then the market; the rest is the deck."""
        state = self.game._plain
        order: list[list[Card]] = [[], []]
        for seat in range(self.game.seats):
            for kind in range(KINDS):
                for _ in range(int(state.hand[seat, kind])):
                    order[deck_of(kind)].append(self._new(kind, 0, seat, BEFORE))
        for slot in range(sum(self.board.cards.market)):
            card = self._new(int(state.market[slot]), 0, MARKET, BEFORE, self._row(slot))
            self.market.append(card)
            order[card.deck].append(card)
        self.first_market = tuple(self.market)
        for deck in range(2):
            self._take_up_deck(deck, 0)
            order[deck] += self.decks[deck]
        self.shuffles += [(BEFORE, order[0]), (BEFORE, order[1])]

    def _row(self, slot: int) -> int:
        return 0 if slot < self.board.cards.market[0] else 1

    def _new(self, kind: int, dealing: int, holder: int, since: int, row: int = 0) -> Card:
        card = Card(kind, deck_of(kind), dealing, holder, since, row)
        self.all.append(card)
        self.demands.box[dealing, kind] += 1
        self.demands.held.setdefault(holder, []).append(card)
        return card

    def _take_up_deck(self, deck: int, dealing: int) -> None:
        """The deck as it lies in the state, as new cards."""
        state = self.game._plain
        kinds = [int(state.deck[deck, n]) for n in range(int(state.deck_size[deck]))]
        self.decks[deck] = [self._new(kind, dealing, IN_DECK, self.step) for kind in reversed(kinds)]

    # -------------------------------------------------------------------------------------------- what happened

    def follow(self, rows: Iterable[Sequence[int]]) -> None:
        """Move the cards as the rules' log of the next step says."""
        shuffled: dict[int, int] = {}
        fresh: list[Card] = []
        moved = self.moved[self.step] = []
        for what, seat, first, second in rows:
            if what == log.RESHUFFLED:  # a tunnel's cards that were drawn before are noted after it
                shuffled[first], self.dealings = self.dealings, self.dealings + 1
                self.demands.shuffle_swept(first, shuffled[first])
                self.thrown = [one for one in self.thrown if one.deck != first]
                self.thrown_as = [one.kind for one in self.thrown]
            elif what in (log.DREW, log.TURNED_UP, log.TURNED):
                kind = first if what == log.TURNED else second
                holder = {log.DREW: seat, log.TURNED_UP: MARKET}.get(what, GONE)
                row = self._row(first) if what == log.TURNED_UP else 0
                card = self._draw(kind, holder, row, shuffled, fresh)
                moved.append(card)
                if what == log.TURNED_UP:
                    self.market[first] = card
                elif what == log.TURNED:
                    self.demands.know(card)
            elif what == log.TOOK:
                self._take(seat, first, second)
            elif what == log.SWEPT:
                self._sweep(first)
            elif what == log.TUNNELLED and second:
                self._show(seat)
            elif what in (log.CLAIMED, log.BUILT_STATION, log.BUILT_PORT):
                self.pending = []
        for deck, dealing in shuffled.items():
            self._take_up_deck(deck, dealing)
            self.shuffles.append((self.step, list(self.decks[deck])))
        size = sum(len(self.decks[deck]) for deck in shuffled) + len(fresh)
        if len(fresh) > FEW_DRAWN and perm(size, len(fresh)) > MOST_ORDERS:
            for card in fresh:
                self.demands.know(card)
        self.step += 1

    def _draw(self, kind: int, holder: int, row: int, shuffled: dict[int, int], fresh: list[Card]) -> Card:
        """The next card of a deck; after a shuffle in the same action, one that the shuffle brought to the top."""
        deck = deck_of(kind)
        if deck in shuffled and not self.decks[deck]:
            card = self._new(kind, shuffled[deck], holder, self.step, row)
            fresh.append(card)
            return card
        card = self.decks[deck].pop(0)
        assert card.kind == kind
        self.demands.held[IN_DECK].remove(card)
        self.demands.held.setdefault(holder, []).append(card)
        card.holder, card.since, card.row = holder, self.step, row
        return card

    def _open(self, seat: int, kind: int) -> None:
        """A card in a hand that was seen: which one of the box it is, something else says."""
        card = Card(kind, deck_of(kind), OPEN, seat, self.step, known=True)
        self.demands.held.setdefault(seat, []).append(card)

    def _take(self, seat: int, slot: int, kind: int) -> None:
        (demand,) = self.pending
        assert self.market[slot] is demand.card and demand.kind == kind
        demand.row = self._row(slot)
        self.taken[self.step] = demand
        self.market[slot] = None
        self.pending = []
        self._open(seat, kind)

    def _sweep(self, slot: int) -> None:
        card = self.market[slot]
        assert card is not None
        self.market[slot] = None
        if card.kind == WILD_KIND:
            self.demands.know(card)
            self.demands.held[MARKET].remove(card)
            card.holder = GONE
            self.swept.append((card.since, self.step))
        else:
            self.thrown.append(self.demands.sweep(card, self.step))
            self.thrown_as.append(card.kind)

    def _show(self, seat: int) -> None:
        """The cards laid for a tunnel that asks more are seen, and in the hand until all is paid."""
        for demand in self.pending:
            self._open(seat, demand.kind)
        self.pending = []

    # -------------------------------------------------------------------------------------------- looking

    def hand(self, seat: int) -> list[Card]:
        """The cards of a seat."""
        held = self.demands.held.get(seat, ())
        return [card for card in held if card.meets is None or card.meets in self.pending]

    def known(self, seat: int) -> Counter[int]:
        """By kind, the cards in a hand that were seen."""
        return Counter(card.kind for card in self.hand(seat) if card.known)

    def possible(self, seat: int, kind: int) -> int:
        """How many cards of a kind a hand may hold at most, as far as that kind alone goes."""
        deck, box = deck_of(kind), self.demands.box
        mine = [card for card in self.demands.held.get(seat, ()) if card.deck == deck]
        open_cards = sum(card.known and card.kind == kind for card in mine)
        unseen = Counter(card.dealing for card in mine if not card.known)
        paid = sum(card.meets is not None and card.meets not in self.pending and card.kind == kind for card in mine)
        held = int(self.game._plain.hand_size[seat, deck])
        return min(held, open_cards + sum(min(n, box[dealing, kind]) for dealing, n in unseen.items()) - paid)

    # -------------------------------------------------------------------------------------------- choosing

    def have(self, seat: int, wanted: Sequence[tuple[int, int]], most: int = DRIVEN_OUT) -> bool:
        """Have a hand hold these cards, which it pays next; if it cannot, everything stays as it was."""
        return self._meet(
            [Demand(seat, kind, deck_of(kind), self.step) for kind, count in wanted for _ in range(count)], most
        )

    def lay_open(self, kind: int) -> bool:
        """Have a card of a kind lie in the market, which is taken next; whether that can be."""
        return self._meet([Demand(MARKET, kind, deck_of(kind), self.step)])

    @property
    def slot_to_take(self) -> int:
        """Where the card lies that is taken next."""
        (demand,) = self.pending
        return self.market.index(demand.card)

    @property
    def lying(self) -> list[Card]:
        """The cards of the market, but for the one that is taken next."""
        return [card for card in self.market if card is not None and card.meets is None]

    def _meet(self, wanted: list[Demand], most: int = DRIVEN_OUT) -> bool:
        if not self.demands.meet(wanted, most):
            return False
        self.pending = wanted
        self._settle()
        return True

    def turn_into(self, card: Card, fits: Fits, but: Collection[Card] = ()) -> bool:
        """Have an unseen card be of a kind that fits, if it can be; the kind of which most are unseen comes first.

        It is exchanged for none of the cards in `but`.
        """
        if fits(card.kind):
            return True
        if card.known:
            return False
        others = [
            other
            for other in self._free(card.dealing, card.deck)
            if other not in but
            and fits(other.kind)
            and self._may_be(other, card.kind)
            and self._may_be(card, other.kind)
        ]
        if others:
            many = Counter(other.kind for other in others)
            self.luck.shuffle(others)
            other = max(others, key=lambda one: many[one.kind])
            card.kind, other.kind = other.kind, card.kind
            self._write()
            return True
        kinds = [kind for dealing, kind in self.demands.box if dealing == card.dealing and deck_of(kind) == card.deck]
        return any(fits(kind) and self._may_be(card, kind) and self._become(card, kind) for kind in kinds)

    def _become(self, card: Card, kind: int) -> bool:
        """Have a card be of a kind of which all others are in use."""
        demand = Demand(GONE, kind, card.deck, self.step, only=card)
        if not self.demands.meet([demand]):
            return False
        self._settle()
        self.demands.drop(demand)
        return True

    def arrange(self, cards: Sequence[Card], fits: Fits, most: int | None = None) -> None:
        """Have each of these cards be of a kind that fits, as far as possible, or so many of them."""
        held = []
        found = 0
        for card in cards:
            if found == most:
                break
            if self.turn_into(card, fits):
                found += 1
                if not card.known:
                    self.demands.know(card)
                    held.append(card)
        for card in held:
            self.demands.forget(card)

    def deal(self, wanted: Sequence[tuple[Card, int]]) -> bool:
        """Have these cards be of these kinds, for certain; whether they can be."""
        for card, kind in wanted:
            if not self.turn_into(card, lambda one, kind=kind: one == kind):  # type: ignore[misc]
                return False
            self.demands.know(card)
        return True

    def _free(self, dealing: int, deck: int) -> list[Card]:
        """The cards of a shuffle that may still be anything."""
        return [
            card
            for card in self.all
            if card.dealing == dealing and card.deck == deck and card.meets is None and not card.known
        ]

    def _may_be(self, card: Card, kind: int) -> bool:
        """Whether a card could have been of this kind all the time: a wild in the market, without a sweep."""
        if card.holder != MARKET or kind != WILD_KIND or card.kind == WILD_KIND:
            return True
        return most_at_once(self._wild_stays(card), card.since, self.step) + 1 < self.board.cards.sweep_at

    def _wild_stays(self, but: Card) -> list[tuple[int, int]]:
        """The steps between which wilds lay in the market."""
        return self.swept + [
            (card.since, card.meets.step if card.meets is not None else self.step)
            for card in self.demands.held[MARKET]
            if card.kind == WILD_KIND and card is not but
        ]

    # -------------------------------------------------------------------------------------------- settling

    def _settle(self) -> None:
        """What meets no demand takes the kinds that are left, with as few changes as possible."""
        left = self.demands.box - self.demands.used
        without: list[Card] = []
        for card in self.all:
            if card.meets is None and not card.known:
                if left[card.dealing, card.kind] > 0:
                    left[card.dealing, card.kind] -= 1
                else:
                    without.append(card)
        without.sort(key=lambda card: card.holder != MARKET)
        for card in without:
            kinds = [
                kind
                for (dealing, kind), count in left.items()
                if count > 0 and dealing == card.dealing and deck_of(kind) == card.deck
            ]
            plain = [kind for kind in kinds if kind != WILD_KIND]
            card.kind = self.luck.choice(plain if card.holder == MARKET and plain else kinds)
            left[card.dealing, card.kind] -= 1
        self._avoid_sweeps()
        self._lay_out()
        self._write()

    def _avoid_sweeps(self) -> None:
        """Wilds that nobody took lie elsewhere, if with them there were too many in the market at once."""
        limit = self.board.cards.sweep_at
        for card in self.demands.held[MARKET]:
            free = card.kind == WILD_KIND and card.meets is None and not card.known
            if free and most_at_once(self._wild_stays(card), card.since, self.step) + 1 >= limit:
                others = [
                    other
                    for other in self._free(card.dealing, card.deck)
                    if other.holder != MARKET and other.kind != WILD_KIND
                ]
                if others:
                    other = self.luck.choice(others)
                    card.kind, other.kind = other.kind, card.kind

    def _lay_out(self) -> None:
        """Another card than before may have been taken from the market: what lies there now takes its place."""
        lying = [
            card
            for card in self.demands.held[MARKET]
            if card.meets is None or card.meets in self.pending or (card.meets.only and not card.meets.swept)
        ]
        arrived = [card for card in lying if card not in self.market]
        for slot, card in enumerate(self.market):
            if card is not None and card not in lying:
                new = next(one for one in arrived if one.row == self._row(slot))
                arrived.remove(new)
                self.market[slot] = new

    def _write(self) -> None:
        """The state as these cards make it."""
        state = self.game._plain
        for seat in range(self.game.seats):
            hand = Counter(card.kind for card in self.hand(seat))
            for kind in range(KINDS):
                state.hand[seat, kind] = hand[kind]
        for slot, card in enumerate(self.market):
            if card is not None:
                state.market[slot] = card.kind
        for n, demand in enumerate(self.thrown):
            state.discards[self.thrown_as[n]] -= 1
            state.discards[demand.kind] += 1
            self.thrown_as[n] = demand.kind
        for deck, cards in enumerate(self.decks):
            for n, card in enumerate(reversed(cards)):
                state.deck[deck, n] = card.kind
        self.game._legal = None

    def restore(self, content: bytes) -> None:
        """The state as it was."""
        self.game._buffer.view("u1")[:] = bytearray(content)
        self.game._legal = None

    # -------------------------------------------------------------------------------------------- what came out

    def stacked(self) -> dict[int, tuple[str, ...]]:
        """By step, the order of the cards that were shuffled in it."""
        found: dict[int, tuple[str, ...]] = {}
        for step, cards in self.shuffles:
            if cards:
                found[step] = (*found.get(step, ()), *(card_name(card.kind) for card in cards))
        return found


class MarketAgain:
    """The market when the same actions are done once more, with what has been settled since."""

    def __init__(self, cards: DealtCards) -> None:
        """Before the first step."""
        self.cards = cards
        self.market = list(cards.first_market)

    def slot_of(self, step: int) -> int:
        """Where the card lies that is taken in this step."""
        return self.market.index(self.cards.taken[step].card)

    def follow(self, rows: Iterable[Sequence[int]], step: int) -> None:
        """Move the cards as the rules' log of a step says."""
        moved = iter(self.cards.moved[step])
        for what, _, first, _ in rows:
            if what in (log.TOOK, log.SWEPT):
                self.market[first] = None
            elif what in (log.DREW, log.TURNED, log.TURNED_UP):
                card = next(moved)
                if what == log.TURNED_UP:
                    self.market[first] = card


def drawn_kinds(rows: Iterable[Sequence[int]]) -> list[int]:
    """The kinds of the cards that came from the decks."""
    return [
        row[2] if row[0] == log.TURNED else row[3] for row in rows if row[0] in (log.DREW, log.TURNED, log.TURNED_UP)
    ]


def first_cards(board: Board, seats: int, luck: Random) -> tuple[str, ...]:
    """A shuffled box in which no wild comes to the first market."""
    copies = board.tables[0].copies
    kinds = [kind for kind in range(KINDS) for _ in range(int(copies[kind]))]
    luck.shuffle(kinds)
    trains = [kind for kind in kinds if deck_of(kind) == 0]
    dealt = seats * board.cards.hand[0]
    market = range(dealt, dealt + board.cards.market[0])
    plain = [n for n in range(market.stop, len(trains)) if trains[n] != WILD_KIND]
    for n in market:
        if trains[n] == WILD_KIND and plain:
            other = plain.pop()
            trains[n], trains[other] = trains[other], trains[n]
    return tuple(card_name(kind) for kind in (*trains, *(kind for kind in kinds if deck_of(kind) == 1)))
