"""Play a noted game on and on with undecided cards (`late_deal`), and back some turns wherever it cannot go on."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
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

AGAIN = 6
"""So often a turn with several sweeps is tried at once."""

DRAWING = 0.7
"""How likely it goes back by turns in which cards were drawn, and passes over those between."""

REMEMBERED = 4
"""Dead ends of earlier tries at the same turn count so many times less."""

DIRECTLY = 0.5
"""How likely the search goes back to a turn that took the card that lacks."""

STEADILY = 0.5
"""How likely all of a try aims at one number of train cards in a market of two decks. That decides how soon a deck is
shuffled, and if it changes all the time, no try is much different from another.
"""

SWEPT_FIRST = 0.1
"""How likely the market was swept once before the first turn, which nobody can note."""


@dataclass(frozen=True)
class Moment:
    """How it stood before a turn."""

    cards: UndecidedCards
    luck: tuple[object, ...]
    leanings: Leanings

    @classmethod
    def of(cls, deal: LateDeal) -> Moment:
        """Keep how it stands now."""
        return cls(deal.cards.copy(), deal.luck.getstate(), deal.leanings)


class LateSearch:
    """The search for one noted game; what it learned stays when it goes on."""

    def __init__(self, course: NotedCourse, luck: Random) -> None:
        """Begin before the first try."""
        self.course, self.luck = course, luck
        self.unfinished: tuple[LateDeal, list[Moment]] | None = None  # what time was too short for
        self.furthest = 0  # the first turn that no try has come behind
        self.lacking: Counter[tuple[int, int]] = Counter()  # by seat and kind, how often it could not be paid
        self.lacked_at: dict[tuple[int, int], int] = {}  # the same, and the turn at which it was so last
        self.failed: Counter[int] = Counter()  # by turn, how often it could not be
        self.scarce: Counter[tuple[int, int]] = Counter()  # by turn and deck, how often it had no card as noted
        self.flooded: Counter[int] = Counter()  # by turn, how often too many wild cards lay in the market
        self.hurry: Counter[int] = Counter()  # by turn, how often a wild card was not in the market in time

    def game(self, until: float) -> tuple[Game, tuple[str, ...]] | None:
        """Return the game as the rules play it, and what of it was imagined; None when the processor time `until` is
        used up.
        """
        while time.process_time() < until:
            with contextlib.suppress(DeadEndError, IllegalAction, BranchlineError, StopIteration):
                deal, states = self.unfinished or self._begun()
                self.unfinished = None
                return self._judged(deal, states, until)
        return None

    def _begun(self) -> tuple[LateDeal, list[Moment]]:
        """Return a new deal, and how it stands before the first turn."""
        deal = LateDeal(self.course, self.luck, self._leanings())
        deal.lacking, deal.lacked_at, deal.hurry = self.lacking, self.lacked_at, self.hurry
        deal.scarce, deal.flooded = self.scarce, self.flooded
        deal.deal()
        return deal, [Moment.of(deal)]

    def _judged(self, deal: LateDeal, moments: list[Moment], until: float) -> tuple[Game, tuple[str, ...]]:
        """Return the game as the rules play a deal. Raise `DeadEndError` or what the rules refuse.

        Where no luck was found for a shuffle with which its cards come as laid out, the rules chose another one, and
        the search goes on from there with that.
        """
        while time.process_time() < until:
            self._reach_the_end(deal, moments, until)
            layout = deal.layout()
            try:
                return played(self.course, layout, self.luck, until)
            except AnotherLuckError:
                n = deal.settle(layout)
                del moments[n + 1 :]
                moment = moments[n]
                deal.go_on_from(moment.cards)
                deal.leanings = moment.leanings
                self.luck.setstate(moment.luck)
        self.unfinished = deal, moments
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
            swept_later=choice((0.0, 0.0, 0.3, 0.8)),
            noise=choice((0.3, 1.0)),
        )

    def _reach_the_end(self, deal: LateDeal, moments: list[Moment], until: float) -> None:
        """Play turn after turn; from a dead end go back, the further the longer it stays the furthest point.

        `moments` has how it stood before each turn that was played. Raise `DeadEndError` when it is time to begin anew.
        """
        n, failures, best, since = len(moments) - 1, 0, 0, 0
        steadily = self.luck.random() < STEADILY
        while n < len(self.course.deeds):
            try:
                self._play(deal, n, moments[n])
            except DeadEndError as dead_end:
                failures, since = failures + 1, since + 1
                self.failed[n] += 1
                if dead_end.unpaid:
                    self.lacking[dead_end.seat, dead_end.kind] += 1
                    self.lacked_at[dead_end.seat, dead_end.kind] = n
                if failures > MOST_FAILURES or time.process_time() > until:
                    raise
                named = self._named(since, deal.cards, dead_end)
                deal.doubted = -1 if named is None else named
                n = self._turns_before(n, since, deal.cards) if named is None else named
                del moments[n + 1 :]
                leanings = self._leanings()
                if steadily:
                    leanings.trains = deal.leanings.trains
                deal.leanings, deal.cards = leanings, moments[n].cards.copy()
                continue
            n += 1
            moments.append(Moment.of(deal))
            if n > best:
                best, since = n, 0
                self.furthest = max(n, self.furthest)

    def _play(self, deal: LateDeal, n: int, before: Moment) -> None:
        """Play a turn; where the market is swept over and over, with other luck at once where it cannot be."""
        tries = AGAIN if sum(card.sweeps for card in self.course.deeds[n].turn.drawn) > 1 else 0
        while True:
            try:
                deal.play(n)
                return
            except DeadEndError:
                if not tries:
                    raise
            tries -= 1
            deal.leanings, deal.cards = self._leanings(), before.cards.copy()

    def _named(self, since: int, cards: UndecidedCards, dead_end: DeadEndError) -> int | None:
        """Return a turn that may be why there is a dead end, or None: then the search goes back some turns.

        That is one that gave away the last card of a kind that lacks now, or one that laid a wild card of which there
        are too many. `since`: so long the search has been stuck.
        """
        if (dead_end.kind == UNDECIDED and not dead_end.turns) or self.luck.random() >= DIRECTLY:
            return None
        turns = dead_end.turns or list(turns_that_took(cards, dead_end))
        if not turns:
            return None
        tries = 2 if since < STUCK else 1
        return max(0, *(self.luck.choice(turns) for _ in range(tries)))

    def _turns_before(self, n: int, since: int, cards: UndecidedCards) -> int:
        """Return a turn some turns before turn `n`, at which the search has been stuck for the time `since`."""
        back = int(self.luck.expovariate(1 / (1 + max(since, self.failed[n] / REMEMBERED) / PATIENCE))) + (since > 1)
        drawing = turns_that_drew(cards)
        if self.luck.random() < DRAWING and drawing:
            return drawing[max(0, len(drawing) - 1 - back)]
        return max(0, n - back)


def turns_that_drew(cards: UndecidedCards) -> list[int]:
    """Return the turns in which cards came from a deck."""
    acts = {step // 2 for step in cards.step if 0 <= step // 2 < len(cards.acts)}
    return sorted({cards.acts[act].deed for act in acts})


def turns_that_took(cards: UndecidedCards, dead_end: DeadEndError) -> Iterator[int]:
    """Yield the turns that used a card which could have been the one that lacks, made another one of its kind, or drew
    one into a hand that it may still be.
    """
    seat, kind, shuffles = dead_end.seat, dead_end.kind, {cards.current[0]}
    if dead_end.unpaid:
        shuffles = {cards.shuffle[card] for card in cards.hands[seat] if cards.kind[card] == UNDECIDED}
    for card, turn in cards.since.items():
        if cards.shuffle[card] in shuffles:
            if cards.kind[card] == kind:
                yield turn
        elif dead_end.unpaid and cards.holder[card] == seat and deck_of(cards.kind[card]) == deck_of(kind):
            yield turn
    if dead_end.unpaid:
        for card in chain.from_iterable(cards.hands):
            if cards.kind[card] == UNDECIDED and cards.pools[cards.shuffle[card]][kind]:
                yield cards.got[card][1]
