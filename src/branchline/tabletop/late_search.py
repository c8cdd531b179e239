"""Play a noted game on and on with undecided cards (`late_deal`), and back some turns wherever it cannot go on."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.tabletop.late_deal import LateDeal
from branchline.tabletop.late_market import DeadEndError
from branchline.tabletop.late_needs import Leanings
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.rules_judge import played

MOST_FAILURES = 150
"""So many dead ends at most before all is begun anew."""

PATIENCE = 4
"""So many dead ends at a turn later, the search goes back about one turn further."""

SWEPT_FIRST = 0.1
"""How likely the market was swept once before the first turn, which nobody can note."""


class LateSearch:
    """The search for one noted game; what it learned stays when it goes on."""

    def __init__(self, course: NotedCourse, luck: Random) -> None:
        """Begin before the first try."""
        self.course, self.luck = course, luck
        self.furthest = 0  # the first turn that no try has come behind
        self.lacking: Counter[tuple[int, int]] = Counter()  # by seat and kind, how often it could not be paid
        self.hurry: Counter[int] = Counter()  # by turn, how often a wild card was not in the market in time

    def game(self, until: float) -> tuple[Game, tuple[str, ...]] | None:
        """Return the game as the rules play it, and what of it was imagined; None when the processor time `until` is
        used up.
        """
        while time.process_time() < until:
            deal = LateDeal(self.course, self.luck, self._leanings())
            deal.lacking, deal.hurry = self.lacking, self.hurry
            if self._reaches_the_end(deal, until):
                with contextlib.suppress(IllegalAction, BranchlineError, StopIteration):
                    return played(self.course, deal.layout(), self.luck)
        return None

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
            hurried=choice((False, False, True)),
            kept=choice((0, 0, 2, 4)),
            first_sweeps=int(self.luck.random() < SWEPT_FIRST),
            swept_more=choice((0, 0, 1, 2, 3)),
            noise=choice((0.3, 1.0)),
        )

    def _reaches_the_end(self, deal: LateDeal, until: float) -> bool:
        """Play turn after turn; from a dead end go back, the further the longer it stays the furthest point."""
        try:
            deal.deal()
        except DeadEndError:
            return False
        states = [deal.cards.copy()]
        n = failures = best = since = 0
        while n < len(self.course.deeds):
            try:
                deal.play(n)
            except DeadEndError as dead_end:
                failures, since = failures + 1, since + 1
                if dead_end.unpaid:
                    self.lacking[dead_end.seat, dead_end.kind] += 1
                if failures > MOST_FAILURES or time.process_time() > until:
                    return False
                n = max(0, n - int(self.luck.expovariate(1 / (1 + since / PATIENCE))) - (since > 1))
                del states[n + 1 :]
                deal.leanings, deal.cards = self._leanings(), states[n].copy()
                continue
            n += 1
            states.append(deal.cards.copy())
            if n > best:
                best, since = n, 0
                self.furthest = max(n, self.furthest)
        return True
