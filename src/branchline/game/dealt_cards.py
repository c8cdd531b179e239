"""The cards of a game that is reconstructed: which lie where, and which of them nobody has seen yet.

Every card has a place in the order in which its deck is drawn. A card that nobody has seen may as well be any other
unseen card of the same deck: `exchange` makes it so, in the order and on the table alike. What the rules did to the
cards is read from their log; no rule is repeated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from branchline.atlas import Board
from branchline.atlas.tables import KINDS, WILD_KIND
from branchline.game.cards import card_name
from branchline.game.game import Game
from branchline.rules import log
from branchline.rules.cards import deck_of

IN_DECK, IN_MARKET, IN_HAND = "deck", "market", "hand"


ANY = -1
DEPTH = 4
"""How many earlier payments are changed for the sake of one card."""

BEFORE = -1
"""In place of the number of a step: before the first."""


@dataclass(frozen=True)
class Later:
    """What a seat is noted to do in a turn to come: the cards it draws, known or not, and those it pays."""

    known: tuple[int, ...] = ()
    blind: tuple[int, ...] = ()  # decks, or ANY
    paid: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Slot:
    """A card that a seat has, or will have from a moment on."""

    kind: int | None  # None: it is unseen, and may be any of its shuffle
    moment: int
    card: int | None  # None: it is yet to be drawn
    deck: int = ANY


class DealtCards:
    """All cards of a game. A card is a number; `kind[card]` is what it stands for as long as it is not `seen`."""

    def __init__(self, game: Game, luck: Random) -> None:
        """Of a game that has just been dealt."""
        self.game, self.board, self.luck = game, game.board, luck
        self.kind: list[int] = []
        self.seen: list[bool] = []
        self.dealing: list[int] = []  # number of the shuffle that a card comes from
        self.at: list[tuple[str, int] | None] = []  # where it is, and in which deck, slot or hand; None: discarded
        self.decks: list[list[int]] = [[], []]  # the top is the first
        self.market: list[int | None] = []
        self.shuffles: list[tuple[int, list[int]]] = []  # the step in which cards were shuffled, and the cards
        self.stays: list[tuple[int, int, int]] = []  # a card of the market, and the first and last action it lay there
        self.turned_up: dict[int, int] = {}
        self.drawn_in: dict[int, int] = {}  # cards that were drawn blind, and the step
        self.taken_soon: Counter[int] = Counter()  # kinds that are noted to be taken from the market before a shuffle
        self.paid_in: dict[int, tuple[int, int]] = {}  # of these, those that were paid: whose they were, and the step
        self._deal()

    def _deal(self) -> None:
        """Take up the cards in the order of the deal: hands, then the market; the rest is the deck."""
        state = self.game._plain
        order: list[list[int]] = [[], []]
        hands = {seat: [[], []] for seat in range(self.game.seats)}  # type: ignore[var-annotated]
        for seat, decks in hands.items():
            for kind in range(KINDS):
                for _ in range(int(state.hand[seat, kind])):
                    card = self._new(kind, 0, (IN_HAND, seat))
                    self.drawn_in[card] = BEFORE
                    decks[deck_of(kind)].append(card)
        for seat in hands:
            for deck in range(2):
                order[deck] += hands[seat][deck]
        for slot in range(self._slots):
            kind = int(state.market[slot])
            card = self._new(kind, 0, (IN_MARKET, slot))
            self.market.append(card)
            self.turned_up[card] = 0
            order[deck_of(kind)].append(card)
        for deck in range(2):
            self._take_up_deck(deck, 0)
            order[deck] += self.decks[deck]
        self.shuffles += [(BEFORE, order[0]), (BEFORE, order[1])]

    @property
    def _slots(self) -> int:
        return sum(self.board.cards.market)

    def _new(self, kind: int, dealing: int, at: tuple[str, int] | None, seen: bool = False) -> int:
        self.kind.append(kind)
        self.seen.append(seen)
        self.dealing.append(dealing)
        self.at.append(at)
        return len(self.kind) - 1

    def _take_up_deck(self, deck: int, dealing: int) -> None:
        """The deck as it lies in the state, as new cards."""
        state = self.game._plain
        kinds = [int(state.deck[deck, n]) for n in range(int(state.deck_size[deck]))]
        self.decks[deck] = [self._new(kind, dealing, (IN_DECK, deck)) for kind in reversed(kinds)]

    # -------------------------------------------------------------------------------------------- what happened

    def follow(self, rows: Iterable[Sequence[int]], step: int) -> None:
        """Move the cards as the rules' log of a step says."""
        shuffled: dict[int, int] = {}
        laid: list[tuple[int, int, int]] = []
        now = len(self.game.actions)
        for what, seat, first, second in rows:
            if what == log.RESHUFFLED:  # a tunnel's cards that were drawn before are noted after it
                shuffled[first] = max(self.dealing) + 1
            elif what == log.DREW:
                card = self._draw(first, second, (IN_HAND, seat), shuffled)
                if not self.seen[card]:
                    self.drawn_in[card] = step
            elif what == log.TURNED_UP:
                card = self._draw(deck_of(second), second, (IN_MARKET, first), shuffled)
                self.market[first], self.turned_up[card] = card, now
            elif what == log.TURNED:
                self.seen[self._draw(0, first, None, shuffled)] = True
            elif what in (log.TOOK, log.SWEPT):
                gone = self.market[first]
                assert gone is not None
                self.market[first], self.seen[gone] = None, True
                self.stays.append((gone, self.turned_up[gone], now))
                self.at[gone] = (IN_HAND, seat) if what == log.TOOK else None
            elif what == log.PAID:
                laid.append((seat, first, second))
            elif what in (log.TUNNELLED, log.WITHDREW):
                for payer, kind, count in laid:
                    self._show(payer, kind, count)
                laid = []
            elif what in (log.CLAIMED, log.BUILT_STATION, log.BUILT_PORT):
                for payer, kind, count in laid:
                    self._spend(payer, kind, count, step)
                laid = []
        for deck, dealing in shuffled.items():
            self._take_up_deck(deck, dealing)
            self.shuffles.append((step, list(self.decks[deck])))

    def _draw(self, deck: int, kind: int, to: tuple[str, int] | None, shuffled: dict[int, int]) -> int:
        """The next card of a deck; after a shuffle in the same action it is as the shuffle made it, for good."""
        if deck in shuffled and not self.decks[deck]:
            return self._new(kind, shuffled[deck], to, seen=True)
        card = self.decks[deck].pop(0)
        assert self.kind[card] == kind
        self.at[card] = to
        return card

    def _in_hand(self, seat: int, kind: int) -> list[int]:
        """The cards of a kind in a hand, those that were seen first."""
        found = [card for card in self.hand(seat) if self.kind[card] == kind]
        return sorted(found, key=lambda card: not self.seen[card])

    def _show(self, seat: int, kind: int, count: int) -> None:
        for card in self._in_hand(seat, kind)[:count]:
            self.seen[card] = True
            self.drawn_in.pop(card, None)

    def _spend(self, seat: int, kind: int, count: int, step: int) -> None:
        for card in self._in_hand(seat, kind)[:count]:
            self.seen[card], self.at[card] = True, None
            if card in self.drawn_in:
                self.paid_in[card] = (seat, step)

    # -------------------------------------------------------------------------------------------- looking

    def hand(self, seat: int) -> list[int]:
        """The cards of a seat."""
        return [card for card, at in enumerate(self.at) if at == (IN_HAND, seat)]

    def known(self, seat: int) -> Counter[int]:
        """By kind, the cards in a hand that were seen."""
        return Counter(self.kind[card] for card in self.hand(seat) if self.seen[card])

    def free(self, dealing: int, kind: int) -> list[int]:
        """The unseen cards of a shuffle that are of a kind."""
        return [
            card
            for card, at in enumerate(self.at)
            if at is not None and self.kind[card] == kind and self.dealing[card] == dealing and not self.seen[card]
        ]

    def possible(self, seat: int, kind: int) -> int:
        """How many cards of a kind a hand may hold, as far as that kind alone goes."""
        unseen = Counter(
            self.dealing[card]
            for card in self.hand(seat)
            if not self.seen[card] and deck_of(self.kind[card]) == deck_of(kind)
        )
        return self.known(seat)[kind] + sum(min(n, len(self.free(dealing, kind))) for dealing, n in unseen.items())

    # -------------------------------------------------------------------------------------------- choosing

    def exchange(self, one: int, other: int) -> None:
        """Two unseen cards of one shuffle and one deck stand for each other's kinds."""
        if self.kind[one] == self.kind[other]:
            return
        for card, kind, change in (
            (one, self.kind[one], -1),
            (other, self.kind[other], -1),
            (one, self.kind[other], 1),
            (other, self.kind[one], 1),
        ):
            self._put(card, kind, change)
        self.kind[one], self.kind[other] = self.kind[other], self.kind[one]
        self.game._legal = None

    def _put(self, card: int, kind: int, change: int) -> None:
        at = self.at[card]
        assert at is not None and not self.seen[card]
        state, (where, n) = self.game._plain, at
        if where == IN_HAND:
            state.hand[n, kind] += change
        elif change > 0 and where == IN_MARKET:
            state.market[n] = kind
        elif change > 0:
            size = int(state.deck_size[n])
            state.deck[n, size - 1 - self.decks[n].index(card)] = kind

    def turn_into(self, card: int, fits: Callable[[int], bool], but: Collection[int] = ()) -> bool:
        """Have an unseen card be of a kind that fits, if it can be; the kind of which most are unseen comes first.

        It is exchanged for none of the cards in `but`.
        """
        if fits(self.kind[card]):
            return True
        if self.seen[card]:
            return False
        others = [
            other
            for other, at in enumerate(self.at)
            if at is not None
            and not self.seen[other]
            and other not in but
            and self.dealing[other] == self.dealing[card]
            and deck_of(self.kind[other]) == deck_of(self.kind[card])
            and fits(self.kind[other])
            and self.may_become(other, self.kind[card])
            and self.may_become(card, self.kind[other])
        ]
        if not others:
            return False
        many = Counter(self.kind[other] for other in others)
        self.luck.shuffle(others)
        self.exchange(card, max(others, key=lambda other: many[self.kind[other]]))
        return True

    def may_become(self, card: int, kind: int) -> bool:
        """Whether a card could have been of this kind all the time: of a wild in the market, without a sweep."""
        at = self.at[card]
        if at is None or at[0] != IN_MARKET or kind != WILD_KIND or self.kind[card] == WILD_KIND:
            return True
        return self.most_wilds_since(self.turned_up[card]) + 1 < self.board.cards.sweep_at

    def most_wilds_since(self, action: int) -> int:
        """The most wilds that lay in the market at once since an action."""
        now = len(self.game.actions)
        stays = [(first, last) for card, first, last in self.stays if self.kind[card] == WILD_KIND and last > action]
        stays += [(self.turned_up[card], now + 1) for card in self.market if card is not None and self._wild(card)]
        moments = {action, *(first for first, _ in stays if first > action)}
        return max(sum(first <= moment < last for first, last in stays) for moment in moments)

    def _wild(self, card: int) -> bool:
        return self.kind[card] == WILD_KIND

    def arrange(self, cards: Sequence[int], fits: Sequence[Callable[[int], bool]]) -> int:
        """Have each of these cards be of a kind that fits, as far as possible; how many are."""
        done: list[int] = []
        found = 0
        for card, fit in zip(cards, fits, strict=False):
            found += self.turn_into(card, fit, done)
            done.append(card)
        return found

    def have(self, seat: int, wanted: Sequence[tuple[int, int]], later: Sequence[Later] = ()) -> bool:
        """Have a hand hold these cards, seen from now on; if it cannot, everything stays as it was.

        `later` is what the seat draws and pays afterwards, as far as it is known, so that cards from the shuffle that
        alone has what it will need are left to it.
        """
        kept = self.mark()
        mine = self.hand(seat)
        known = self.known(seat)
        needs = [(kind, 0) for kind, count in wanted for _ in range(max(0, count - known[kind]))]
        now = len(needs)
        slots = [Slot(None, 0, card) for card in mine if not self.seen[card]]
        for kind, count in (known - Counter(dict(wanted))).items():
            slots += [Slot(kind, 0, None)] * count
        for moment, one in enumerate(later, 1):
            slots += [Slot(kind, moment, None) for kind in one.known]
            slots += [Slot(None, moment, None, deck) for deck in one.blind]
            needs += [(kind, moment) for kind, count in one.paid for _ in range(count)]
        used = self._match(slots, needs, now)
        for kind, slot in used or ():
            card = slots[slot].card
            assert card is not None
            if self.turn_into(card, lambda one, kind=kind: one == kind, but=mine) or self.turn_into(  # type: ignore[misc]
                card,
                lambda one, kind=kind: one == kind,  # type: ignore[misc]
            ):
                self.seen[card] = True
            else:
                used = None
                break
        if used is not None:
            return True
        self.back_to(kept)
        return self._have_somehow(seat, wanted, kept)

    def _have_somehow(self, seat: int, wanted: Sequence[tuple[int, int]], kept: Any) -> bool:
        """The same, changing which cards earlier payments were made of, where that helps."""
        for kind, count in wanted:
            held = [card for card in self.hand(seat) if self.seen[card] and self.kind[card] == kind][:count]
            while len(held) < count:
                card = self._provided(seat, kind)
                if card is None:
                    self.back_to(kept)
                    return False
                self.seen[card] = True
                held.append(card)
        return True

    def _provided(self, seat: int, kind: int) -> int | None:
        """An unseen card of the hand that is now of this kind."""
        now = len(self.seen)  # later than any step
        for depth in range(DEPTH):
            for dealing in sorted(set(self.dealing), key=lambda _: self.luck.random()):
                mark = self.mark()
                card = self._slot(seat, dealing, deck_of(kind), now + 10**6, depth)
                if card is not None and self.frees(dealing, kind, depth):
                    cards = [card, *self._unseen(seat, dealing, deck_of(kind))]
                    found = next((one for one in cards if self.turn_into(one, lambda k: k == kind)), None)
                    if found is not None:
                        return found
                self.back_to(mark)
        return None

    def _unseen(self, seat: int, dealing: int, deck: int) -> list[int]:
        return [
            card
            for card in self.hand(seat)
            if not self.seen[card] and self.dealing[card] == dealing and deck_of(self.kind[card]) == deck
        ]

    def _slot(self, seat: int, dealing: int, deck: int, before: int, depth: int) -> int | None:
        """An unseen card of a hand that comes from this shuffle and was drawn before a step; made, if need be."""
        for card in self._unseen(seat, dealing, deck):
            if self.drawn_in.get(card, before) < before:
                return card
        if depth <= 0:
            return None
        for card, (payer, step) in list(self.paid_in.items()):
            fits = payer == seat and self.dealing[card] == dealing and deck_of(self.kind[card]) == deck
            if fits and self.drawn_in[card] < before and self._paid_otherwise(card, payer, step, depth - 1):
                return card
        return None

    def frees(self, dealing: int, kind: int, depth: int = 2) -> bool:
        """Have an unseen card of this shuffle be of this kind, if there is none."""
        if self.free(dealing, kind):
            return True
        if depth <= 0:
            return False
        for card, (payer, step) in list(self.paid_in.items()):
            fits = self.dealing[card] == dealing and self.kind[card] == kind
            if fits and self._paid_otherwise(card, payer, step, depth - 1):
                return True
        return False

    def _paid_otherwise(self, card: int, payer: int, step: int, depth: int) -> bool:
        """Have a payment been made with a card of another shuffle in place of this one, which is in the hand again."""
        kind = self.kind[card]
        for dealing in set(self.dealing) - {self.dealing[card]}:
            mark = self.mark()
            other = self._slot(payer, dealing, deck_of(kind), step, depth)
            found = other is not None and self.frees(dealing, kind, depth) and not self.seen[other]
            if found and other is not None and card in self.paid_in and self.turn_into(other, lambda one: one == kind):
                del self.paid_in[card]
                self.paid_in[other] = (payer, step)
                self.at[card], self.seen[card] = (IN_HAND, payer), False
                self.at[other], self.seen[other] = None, True
                return True
            self.back_to(mark)
        return False

    def _match(self, slots: Sequence[Slot], needs: Sequence[tuple[int, int]], now: int) -> list[tuple[int, int]] | None:
        """For each of the first `now` needs, a slot that meets it; later needs are met as far as possible.

        Augmenting paths: what was met stays met, if by another slot.
        """
        spare = self._spare(slots)
        by: dict[int, int] = {}  # slot to need

        def meets(slot: Slot, kind: int) -> float:
            if slot.kind is not None:
                return 9.0 if slot.kind == kind else 0.0
            if slot.card is None:
                return 1.0 if slot.deck in (ANY, deck_of(kind)) else 0.0
            if deck_of(self.kind[slot.card]) != deck_of(kind):
                return 0.0
            return spare.get((self.dealing[slot.card], kind), 0.0)

        def augment(need: int, tried: set[int]) -> bool:
            kind, moment = needs[need]
            fitting = [
                (meets(slot, kind), n) for n, slot in enumerate(slots) if slot.moment <= moment and n not in tried
            ]
            for value, n in sorted(fitting, reverse=True):
                if value <= 0 or n in tried:
                    continue
                tried.add(n)
                if n not in by or augment(by[n], tried):
                    by[n] = need
                    return True
            return False

        for need in range(len(needs)):
            if not augment(need, set()) and need < now:
                return None
        return [(needs[need][0], slot) for slot, need in by.items() if need < now]

    def _spare(self, slots: Sequence[Slot]) -> dict[tuple[int, int], float]:
        """By shuffle and kind, which share of the unseen cards is of that kind, more or less."""
        unseen = [card for card, at in enumerate(self.at) if at is not None and not self.seen[card]]
        counts = Counter((self.dealing[card], self.kind[card]) for card in unseen)
        whole = Counter((self.dealing[card], deck_of(self.kind[card])) for card in unseen)
        lying = [self.dealing[cards[0]] if cards else -1 for cards in self.decks]
        found = {}
        for (dealing, kind), count in counts.items():
            left = count - self.taken_soon[kind] if dealing == lying[deck_of(kind)] else count
            found[dealing, kind] = max(left, 0.1) / whole[dealing, deck_of(kind)] * self.luck.uniform(0.7, 1.3)
        return found

    # -------------------------------------------------------------------------------------------- trying

    def mark(self) -> Any:
        """All that `have` and `exchange` change, to go back to."""
        return list(self.kind), list(self.seen), list(self.at), dict(self.paid_in), self.game._buffer.tobytes()

    def back_to(self, mark: Any) -> None:
        """Undo what was exchanged since."""
        self.kind, self.seen, self.at, self.paid_in = list(mark[0]), list(mark[1]), list(mark[2]), dict(mark[3])
        self.restore(mark[4])

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
                found[step] = (*found.get(step, ()), *(card_name(self.kind[card]) for card in cards))
        return found


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
