"""Play a noted game on and on with undecided cards (`late_deal`), and back some turns wherever it cannot go on."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.rules.cards import deck_of
from branchline.tabletop.late_deal import LateDeal
from branchline.tabletop.late_market import DeadEndError
from branchline.tabletop.late_needs import Leanings
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.rules_judge import AnotherLuckError, played
from branchline.tabletop.undecided_cards import UNDECIDED, UndecidedCards

MOST_FAILURES = 100
"""So many dead ends at most before all is begun anew."""

PATIENCE = 4
"""So many dead ends at a turn later, the search goes back about one turn further."""

STUCK = 30
"""After so many dead ends it goes back as likely to an early one of the turns that took a card as to a late one."""

DIRECTLY = 0.5
"""How likely the search goes back to a turn that took the card that lacks."""

STEADILY = 0.5
"""How likely all of a try aims at one number of train cards in a market of two decks. That decides how soon a deck is
shuffled, and if it changes all the time, no try is much different from another.
"""

SWEPT_FIRST = 0.1
"""How likely the market was swept once before the first turn, which nobody can note."""


class LateSearch:
    """The search for one noted game; what it learned stays when it goes on."""

    def __init__(self, course: NotedCourse, luck: Random) -> None:
        """Begin before the first try."""
        self.course, self.luck = course, luck
        self.furthest = 0  # the first turn that no try has come behind
        self.lacking: Counter[tuple[int, int]] = Counter()  # by seat and kind, how often it could not be paid
        self.lacked_at: dict[tuple[int, int], int] = {}  # the same, and the turn at which it was so last
        self.hurry: Counter[int] = Counter()  # by turn, how often a wild card was not in the market in time

    def game(self, until: float) -> tuple[Game, tuple[str, ...]] | None:
        """Return the game as the rules play it, and what of it was imagined; None when the processor time `until` is
        used up.
        """
        while time.process_time() < until:
            deal = LateDeal(self.course, self.luck, self._leanings())
            deal.lacking, deal.lacked_at, deal.hurry = self.lacking, self.lacked_at, self.hurry
            with contextlib.suppress(DeadEndError, IllegalAction, BranchlineError, StopIteration):
                return self._judged(deal, until)
        return None

    def _judged(self, deal: LateDeal, until: float) -> tuple[Game, tuple[str, ...]]:
        """Return the game as the rules play a deal. Raise `DeadEndError` or what the rules refuse.

        Where no luck was found for a shuffle with which its cards come as laid out, the rules chose another one, and
        the search goes on from there with that.
        """
        deal.deal()
        states = [deal.cards.copy()]
        while time.process_time() < until:
            self._reach_the_end(deal, states, until)
            layout = deal.layout()
            try:
                return played(self.course, layout, self.luck)
            except AnotherLuckError:
                n = deal.settle(layout)
                del states[n + 1 :]
                deal.cards = states[n].copy()
        raise DeadEndError

    def _leanings(self) -> Leanings:
        choice = self.luck.choice
        return Leanings(
            openly=choice((0.0, 0.2, 0.5)),
            trains=choice((3, 2, 4, 5, 1)),
            eager=choice((0.4, 0.8, 1.0)),
            horizon=choice((3, 8, 20, 40)),
            wild_price=choice((0.0, 0.5, 1.0, 2.0)),
            spare_price=choice((-1.0, -0.3, 0.3)),
            extra=choice((0.0, 0.0, 0.1, 0.5)),
            hurried=choice((0, 0, 20, 60)),
            kept=choice((0, 0, 2, 4)),
            first_sweeps=int(self.luck.random() < SWEPT_FIRST),
            lying=choice((0, 0, 1, 2)),
            swept_more=choice((0, 0, 1, 2, 3)),
            noise=choice((0.3, 1.0)),
        )

    def _reach_the_end(self, deal: LateDeal, states: list[UndecidedCards], until: float) -> None:
        """Play turn after turn; from a dead end go back, the further the longer it stays the furthest point.

        `states` has the cards before each turn that was played. Raise `DeadEndError` when it is time to begin anew.
        """
        n, failures, best, since = len(states) - 1, 0, 0, 0
        steadily = self.luck.random() < STEADILY
        while n < len(self.course.deeds):
            try:
                deal.play(n)
            except DeadEndError as dead_end:
                failures, since = failures + 1, since + 1
                if dead_end.unpaid:
                    self.lacking[dead_end.seat, dead_end.kind] += 1
                    self.lacked_at[dead_end.seat, dead_end.kind] = n
                if failures > MOST_FAILURES or time.process_time() > until:
                    raise
                n = self._back_to(n, since, deal.cards, dead_end)
                del states[n + 1 :]
                leanings = self._leanings()
                if steadily:
                    leanings.trains = deal.leanings.trains
                deal.leanings, deal.cards = leanings, states[n].copy()
                continue
            n += 1
            states.append(deal.cards.copy())
            if n > best:
                best, since = n, 0
                self.furthest = max(n, self.furthest)

    def _back_to(self, n: int, since: int, cards: UndecidedCards, dead_end: DeadEndError) -> int:
        """Return the turn from which a search goes on that is stuck at turn `n` for the time `since`.

        That is one that gave away the last card of a kind that lacks now, one that laid a wild card of which there are
        too many, or one some turns before.
        """
        if (dead_end.kind != UNDECIDED or dead_end.turns) and self.luck.random() < DIRECTLY:
            turns = dead_end.turns or list(turns_that_took(cards, dead_end))
            if turns:
                tries = 2 if since < STUCK else 1
                return max(0, *(self.luck.choice(turns) for _ in range(tries)))
        return max(0, n - int(self.luck.expovariate(1 / (1 + since / PATIENCE))) - (since > 1))


def turns_that_took(cards: UndecidedCards, dead_end: DeadEndError) -> Iterator[int]:
    """Yield the turns that used a card which could have been the one that lacks, or made another one of its kind."""
    seat, kind, shuffles = dead_end.seat, dead_end.kind, {cards.current[0]}
    if dead_end.unpaid:
        shuffles = {cards.shuffle[card] for card in cards.hands[seat] if cards.kind[card] == UNDECIDED}
    for card, turn in cards.since.items():
        if cards.shuffle[card] in shuffles:
            if cards.kind[card] == kind:
                yield turn
        elif dead_end.unpaid and cards.holder[card] == seat and deck_of(cards.kind[card]) == deck_of(kind):
            yield turn
