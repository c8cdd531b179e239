"""The decks and the market of a noted game that is played on with undecided cards."""

from __future__ import annotations

from dataclasses import replace

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.rules.cards import deck_of
from branchline.rules.state import MOST_SWEEPS
from branchline.tabletop.late_exchange import Exchanges
from branchline.tabletop.late_needs import NEVER_ENDS
from branchline.tabletop.undecided_cards import NO_CARD, UNDECIDED


class DeadEndError(Exception):
    """A turn cannot be as noted with the cards as they were dealt."""

    def __init__(self, seat: int = -1, kind: int = UNDECIDED, turns: list[int] | None = None) -> None:
        """Make the error; `seat` and `kind` say who could not pay for lack of which card, and `turns` in which ones
        too many were laid, where that is the reason.
        """
        super().__init__(seat, kind)
        self.seat, self.kind, self.unpaid, self.turns = seat, kind, seat >= 0, turns or []


class DecksAndMarket(Exchanges):
    """Decks that are shuffled anew when they run out, and a market in which a wild card lies when one is needed."""

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
        known, shuffle = self.lucks.get(cards.current[deck]), cards.current[deck]
        if known is not None and known.box == box:
            cards.settled.add(shuffle)

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
            cards.got[card] = holder, self.deed
        if deck:
            cards.make_plain(card)
        if shuffle in cards.settled and len(cards.order[shuffle]) <= len(self.lucks[shuffle].kinds):
            cards.decide(card, self.lucks[shuffle].kinds[len(cards.order[shuffle]) - 1])
        return card

    def _discard(self, card: int) -> None:
        kind = self.cards.kind[card]
        self.cards.discards[deck_of(kind)][kind] += 1

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
        if cards.shuffle_deck[shuffle] or cards.kind[card] != UNDECIDED:
            return
        wilds = cards.pools[shuffle][WILD_KIND]
        if not cards.room(shuffle) and not self.sweeping and self._wilds_lie() >= self.rules.sweep_at - 1:
            self._room_made(shuffle)
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
        return wilds > self._reserved(shuffle, event) + self.leanings.kept

    def _row(self, slot: int) -> int:
        return 0 if slot < self.rules.market[0] else 1

    def _lay_out(self) -> None:
        for slot in range(len(self.cards.market)):
            self.cards.market[slot] = NO_CARD
        for slot in range(len(self.cards.market)):
            self._put(slot, self._row(slot))

    def _wants_wild(self) -> bool:
        """Return whether a wild card should come to the market now."""
        lie, most = self._wilds_lie(), self.rules.sweep_at - 1
        if self.sweeping == 1 and self._is_small_deck():
            return True  # so that fewer come in the market that stays
        if self.sweeping:
            return lie <= most + self.more
        return lie < min(most, max(self.leanings.lying, self._wilds_needed()))

    def _is_small_deck(self) -> bool:
        """Return whether the next market comes from the rest of the same shuffle, and has little choice."""
        places = sum(self.rules.market)
        return places <= self.cards.in_deck[self.cards.current[0]] <= 2 * places

    def _sweep(self, times: int) -> None:
        """Sweep the market as often as noted, and no more."""
        for n in range(times):
            self._lay_wilds(self.rules.sweep_at)
            if self._wilds_lie() < self.rules.sweep_at or not self._another_is_possible(True):
                self.hurry[self.deed] += 1
                raise DeadEndError(kind=WILD_KIND)
            self._clear()
            self.sweeping = times - n - 1
            self.more = self.luck.choice((0, 0, 1, 2, 3))
            if n + 1 == MOST_SWEEPS and self._next_sweeps():  # the rules leave the wild ones until the next card
                self.sweeping = 1
            self._lay_out()
        self._settle_market(times)

    def _clear(self) -> None:
        """Discard the market."""
        cards = self.cards
        for card in cards.market:
            if card != NO_CARD:
                if cards.kind[card] == UNDECIDED:
                    cards.decide(card, self._least_needed(card))
                    cards.thrown[card] = cards.current[deck_of(cards.kind[card])]
                self._discard(card)
        cards.period += 1

    def _settle_market(self, times: int) -> None:
        """Leave the market as it lies after so many sweeps; nothing may force another one."""
        cards = self.cards
        self.sweeping = 0
        if times < MOST_SWEEPS and self._wilds_lie() >= self.rules.sweep_at and self._another_is_possible(False):
            self.flooded[self.deed] += 1
            raise DeadEndError(turns=self._laid_wild())
        lie = self._wilds_lie()
        for card in cards.market:
            if card != NO_CARD:
                cards.crowd[card] = max(lie, cards.crowd.get(card, 0))

    def _laid_wild(self) -> list[int]:
        """Return the turns that laid the wild cards which lie in the market."""
        return [self.cards.since[card] for card in self._lying_wilds()]

    def _lay_wilds(self, count: int) -> None:
        """Let so many cards of the market be wild, as far as they can have been all the time that they lay there."""
        cards = self.cards
        lying = sorted((card for card in cards.market if card != NO_CARD), key=lambda card: -cards.crowd.get(card, -1))
        for card in lying:
            if self._wilds_lie() >= count:
                return
            shuffle = cards.shuffle[card]
            if (
                cards.kind[card] == UNDECIDED
                and not cards.shuffle_deck[shuffle]
                and cards.crowd.get(card, -1) + 1 < self.rules.sweep_at
                and not self._is_coming(shuffle)
                and (cards.pools[shuffle][WILD_KIND] or self._wild_freed(shuffle))
            ):
                cards.plain[card] = False
                cards.loose[shuffle] += 1
                cards.decide(card, WILD_KIND)
                if card in cards.crowd:
                    for other in lying:
                        if other in cards.crowd:
                            cards.crowd[other] += 1

    def _next_sweeps(self) -> bool:
        """Return whether the market is swept with the next card that is drawn."""
        cards = (
            (n, m, card)
            for n in range(self.deed, len(self.course.deeds))
            for m, card in enumerate(self.course.deeds[n].turn.drawn)
        )
        return next((card.sweeps > 0 for n, m, card in cards if (n, m) > (self.deed, self.card)), False)

    def _another_is_possible(self, wanted: bool) -> bool:
        """Return whether a market with fewer wilds is possible. Where hands decide it, they become as wanted, and the
        more wild cards they hold, the more is possible.
        """
        cards = self.cards
        lying = [cards.shuffle_deck[cards.shuffle[card]] for card in cards.market if card != NO_CARD]
        trains, ships = (self._left(deck) + lying.count(deck) if deck in self.decks else 0 for deck in range(2))
        places = self.rules.market
        from_ships = min(ships, places[1])
        from_trains = min(trains, places[0] if from_ships == places[1] else sum(places) - from_ships)
        box = int(self.board.tables[0].copies[WILD_KIND])

        def possible(in_hands: int) -> bool:
            return from_trains - (trains - (box - in_hands)) < self.rules.sweep_at

        least, most = self._wilds_in_hands()
        if possible(least) == possible(most):
            return possible(least)
        lacking = {seat for seat in range(self.seats) if self._wilds_to_come(seat)}
        held = [
            card for hand in cards.hands for card in hand if cards.kind[card] == UNDECIDED and not cards.plain[card]
        ]
        held.sort(key=lambda card: ((cards.holder[card] in lacking) == wanted, self.luck.random()))
        while possible(least) != possible(most):
            card = held.pop()
            if cards.may_be(card, WILD_KIND) and (wanted or not cards.room(cards.shuffle[card])):
                cards.decide(card, WILD_KIND)
            else:
                cards.make_plain(card)
            least, most = self._wilds_in_hands()
        return possible(least)

    def _wilds_in_hands(self) -> tuple[int, int]:
        """Return how many wild cards hands hold at least and at most, as far as it is decided."""
        cards = self.cards
        kinds = [cards.kind[card] for hand in cards.hands for card in hand]
        certain, left = kinds.count(WILD_KIND), [pool[WILD_KIND] for pool in cards.pools]
        forced = sum(max(0, wilds - deck) for wilds, deck in zip(left, cards.in_deck, strict=True))
        return certain + forced, certain + sum(map(min, left, cards.loose))

    def _fill_gaps(self) -> None:
        """Fill places that stayed empty, after a payment; nobody can note that the market is swept then."""
        filled, times = False, 0
        self.sweeping = int(NO_CARD in self.cards.market and self.luck.random() < self.leanings.swept_later)
        for slot, card in enumerate(self.cards.market):
            if card == NO_CARD and self._open_decks():
                self._put(slot, self._row(slot))
                filled = True
        while filled and times < MOST_SWEEPS:
            if self.sweeping:
                self._lay_wilds(self.rules.sweep_at)
            if self._wilds_lie() < self.rules.sweep_at or not self._another_is_possible(self.sweeping > 0):
                break
            times += 1
            self._clear()
            self.sweeping = int(self.luck.random() < self.leanings.swept_later)
            self._lay_out()
        if times:
            self.cards.acts[-1] = replace(self.cards.acts[-1], sweeps=times)
        if filled:
            self._settle_market(times)

    def _only_wilds_left(self) -> bool:
        """Return whether the next train card is certainly wild."""
        cards, shuffle = self.cards, self.cards.current[0]
        if cards.in_deck[shuffle]:
            return cards.pools[shuffle][WILD_KIND] > 0 and not cards.room(shuffle)
        return cards.discards[0][WILD_KIND] == sum(cards.discards[0])

    def _plain_lie(self, deck: int) -> int:
        """Return how many cards of a deck lie in the market that are not wild."""
        cards = self.cards
        return sum(
            card != NO_CARD and cards.kind[card] != WILD_KIND and cards.shuffle_deck[cards.shuffle[card]] == deck
            for card in cards.market
        )

    def _refill(self, taken: int) -> int:
        """Return the deck from which a place is filled."""
        cards = self.cards
        wanted = self._wants_wild()
        if not self.sweeping:
            if self._wilds_lie() >= self.rules.sweep_at - 1 and self._only_wilds_left():
                return 1
            must_lie = self._must_lie()
            lacking = [deck for deck in self._open_decks() if self._plain_lie(deck) < must_lie[deck]]
            if lacking:
                return self.luck.choice(lacking + [0] * wanted)
            if self.deed == self.doubted:
                return self.luck.choice((0, 1))
        if wanted or self._wilds_run_short():
            return 0
        lie = sum(card != NO_CARD and not cards.shuffle_deck[cards.shuffle[card]] for card in cards.market)
        target = self.leanings.trains
        if lie == target or (lie == target - 1 and taken == 0):
            return taken if self.luck.random() > 0.1 else 1 - taken
        return 0 if lie < target else 1
