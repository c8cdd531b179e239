"""One deal of a noted game, played from the first turn to the last; cards become of a kind as late as can be.

A card drawn unseen is of no kind yet: it is one of the cards of its shuffle of which nobody has shown the kind. Only
what shows it decides: a payment, a card known to be taken, a tunnel, a sweep, and whether a card in the market is wild.
A shuffle keeps the kinds that are still to be given (its *pool*), so that the rest of the deal stays possible whatever
is decided: any card of it can be any kind of its pool, as long as the wild ones have room among cards not seen.

What stays to be chosen is chosen by what is needed next, and by luck; where a turn then cannot be, the game goes on
from some turns before with other luck (`late_search`).
"""

from __future__ import annotations

from dataclasses import replace

from branchline.boards.tables import KINDS, WILD_KIND
from branchline.rules.cards import deck_of
from branchline.tabletop import notation as noted
from branchline.tabletop.deal_plan import Act
from branchline.tabletop.demands import NEVER
from branchline.tabletop.late_drawing import Drawing
from branchline.tabletop.late_market import DeadEndError
from branchline.tabletop.late_needs import KnownLuck
from branchline.tabletop.late_paying import Paying
from branchline.tabletop.rules_judge import DealLayout
from branchline.tabletop.undecided_cards import NO_CARD, UNDECIDED, UndecidedCards


class LateDeal(Drawing, Paying):
    """A noted game that is played on with undecided cards."""

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
        self.deed, self.card, self.cards.turn = n, -1, n
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
        cards = self.cards.copy()
        left = self._decide_the_rest(cards)
        kinds, holders, shuffles = list(cards.kind), list(cards.holder), list(cards.shuffle)
        order = {}
        for shuffle, drawn in enumerate(cards.order):
            first = len(kinds)
            kinds += left[shuffle]
            order[shuffle] = drawn + list(range(first, len(kinds)))
            holders += [NEVER] * len(left[shuffle])
            shuffles += [shuffle] * len(left[shuffle])
        acts = [
            replace(act, kind=kinds[taken]) if (taken := cards.taken.get(n)) is not None else act
            for n, act in enumerate(cards.acts)
        ]
        steps = dict(enumerate(cards.step))
        lucks = {shuffle: (self.lucks[shuffle].seed, self.lucks[shuffle].kinds) for shuffle in cards.settled}
        return DealLayout(
            acts, kinds, holders, shuffles, order, cards.shuffle_deck, cards.shuffle_step, steps, dict(cards.place),
            lucks,
        )  # fmt: skip

    def settle(self, layout: DealLayout) -> int:
        """Keep the luck that the rules chose for shuffles of a layout, and return the turn that shuffles first."""
        chosen = sorted(layout.lucks.keys() - self.cards.settled)
        for shuffle in chosen:
            seed, kinds = layout.lucks[shuffle]
            self.lucks[shuffle] = KnownLuck(seed, kinds, layout.boxes[shuffle])
        return layout.acts[layout.shuffle_step[chosen[0]] // 2].deed

    def go_on_from(self, before: UndecidedCards) -> None:
        """Take back all turns since then; what sweeps showed before stays as it was thought of last."""
        now, self.cards = self.cards, before.copy()
        self._forget()
        for card in before.thrown:
            if now.kind[card] != before.kind[card]:
                self._throw(card, now.kind[card])

    def _decide_the_rest(self, cards: UndecidedCards) -> list[list[int]]:
        """Decide what is undecided, and return the kinds that stay in each shuffle's deck."""
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
