"""The draws of a noted game: which cards come unseen, and which from the market."""

from __future__ import annotations

from branchline.boards.tables import WILD_KIND
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.turn import CARDS_A_TURN
from branchline.tabletop.deal_plan import Act
from branchline.tabletop.late_market import DeadEndError, DecksAndMarket
from branchline.tabletop.late_needs import IN_SIGHT
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_course import NotedDeed
from branchline.tabletop.undecided_cards import NO_CARD

OTHERWISE = 0.5
"""How likely a card comes from the market in a turn that may be why something lacked later, whatever seems better."""

UNSEEN = 0.5
"""How likely a card comes from the deck where later too many wild cards lay in the market, or too few others: hands may
hold the wild ones.
"""


class Drawing(DecksAndMarket):
    """Draws as they were noted, of the cards that are needed next."""

    def _slot(self, seat: int, kind: int | None, deck: int) -> int:
        cards = self.cards
        slots = []
        for slot, card in enumerate(cards.market):
            if card == NO_CARD or deck not in (ANY_DECK, cards.shuffle_deck[cards.shuffle[card]]):
                continue
            if cards.may_be(card, kind) if kind is not None else cards.kind[card] != WILD_KIND:
                slots.append(slot)
        if not slots and kind == WILD_KIND:
            self._lay_wilds(1)
            slots = [slot for slot, card in enumerate(cards.market) if card != NO_CARD and cards.kind[card] == kind]
        if not slots:
            if kind == WILD_KIND:
                self.hurry[self.deed] += 1
                raise DeadEndError(kind=WILD_KIND)
            self.scarce[self.deed, max(0, deck)] += 1
            raise DeadEndError(turns=self._laid_wild())
        if kind is not None:
            return max(slots, key=lambda slot: (cards.kind[cards.market[slot]] == kind, self.luck.random()))
        uses = {shuffle: self._use(seat, shuffle) for shuffle in {cards.shuffle[cards.market[slot]] for slot in slots}}
        return max(slots, key=lambda slot: uses[cards.shuffle[cards.market[slot]]] + self.luck.random())

    def _take(self, seat: int, n: int, card: CardDrawn, deck: int) -> None:
        """Take a card of the market: of a noted kind, or any that is not wild."""
        cards = self.cards
        kind = card.kind if card.openly else None
        slot = self._slot(seat, kind, deck)
        taken = cards.market[slot]
        if kind is not None:
            cards.decide(taken, kind)
        cards.hands[seat].append(taken)
        cards.got[taken] = seat, self.deed
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
        lying = {
            cards.shuffle[card]
            for card in cards.market
            if card != NO_CARD and cards.kind[card] != WILD_KIND and cards.shuffle_deck[cards.shuffle[card]] == deck
        }
        if not lying or (self.rules.two_decks and self._plain_lie(deck) <= self._must_lie()[deck]):
            return False
        if self.deed == self.doubted:
            return self.luck.random() < OTHERWISE
        if deck and self._wilds_run_short():
            return True
        wilds = cards.pools[cards.current[0]][WILD_KIND]
        if deck == 0 and wilds and self._flooded_soon(IN_SIGHT) and self.luck.random() < UNSEEN:
            return False
        if deck == 0 and wilds and self._scarce_soon(deck, IN_SIGHT) and self.luck.random() < UNSEEN:
            return False
        if wilds and self._wants_wild() and self._is_spare(cards.current[0], wilds):
            if self.luck.random() < self.leanings.eager:
                return True
        elif wilds and deck == 0 and self._lacks_wilds(seat):
            return False
        use = max(self._use(seat, shuffle) for shuffle in lying) - self._use(seat, cards.current[deck])
        return use > 0 or self.luck.random() < self.leanings.openly / (1 - 2 * use)
