"""From a game that was noted at a real table to a record of it that the rules accept from the first to the last action.

First the rules play what does not depend on cards (`noted_course`): what they refuse there certainly cannot have been.
Then a deal is searched for: with cards that are decided late (`late_search`), by a solver where it is installed
(`deal_search`), and again with late decisions; where the market was noted the solver has most of the time. The rules
judge what was found. That none is found proves nothing, and it is said so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from branchline.boards.wording import worded
from branchline.game.errors import NotationError
from branchline.game.game import Game
from branchline.game.record import Record
from branchline.tabletop.deal_search import solved_game
from branchline.tabletop.kind_solver import is_installed
from branchline.tabletop.late_search import LateSearch
from branchline.tabletop.notation import Notation
from branchline.tabletop.noted_course import NotedCourse

SOLVING = (0.45, 0.65)
"""Between these parts of the time the solver is asked, if it is installed."""

SOLVING_NOTED = (0.05, 0.9)
"""The same where it was noted which cards lay in the market: what is left to choose is what the solver is best at."""

SECONDS = 9.0
"""Of processor time, after which the search is stopped."""


@dataclass(frozen=True)
class Reconstruction:
    """A record of a noted game, and how it ended."""

    record: Record
    game: Game  # at its end
    imagined: tuple[str, ...]  # what was not noted

    @property
    def over(self) -> bool:
        """Whether the notation reaches the end of the game."""
        return self.game.over


def reconstruct(notation: Notation, seed: int = 0, seconds: float = SECONDS) -> Reconstruction:
    """Return a legal record that agrees with everything noted.

    Raise `NotationError` at the first turn that is impossible.

    The same notation and seed give the same record. After so many seconds of processor time the search is stopped.
    """
    began = time.process_time()
    course = NotedCourse(notation, seed)
    late = LateSearch(course, Random(f"{seed} late"))
    asked, answered = solving(notation) if is_installed() else SOLVING
    outcome = late.game(began + seconds * asked)
    if outcome is None and is_installed():
        outcome = solved_game(course, seed, began + seconds * answered)
    furthest = late.furthest
    if outcome is None:
        if late.unfinished is None:  # what it learned may have led it astray
            late = LateSearch(course, Random(f"{seed} later"))
        outcome = late.game(began + seconds)
    if outcome is None:
        line = notation.turns[min(max(furthest, late.furthest), len(notation.turns) - 1)].line
        raise NotationError(line, _not_found(notation, line, time.process_time() - began))
    game, imagined = outcome
    return Reconstruction(game.record(notation.names), game, imagined)


def solving(notation: Notation) -> tuple[float, float]:
    """Return between which parts of the time the solver is asked."""
    market_noted = [card.blind or card.openly for turn in notation.turns for card in turn.drawn]
    return SOLVING_NOTED if 2 * sum(market_noted) > len(market_noted) else SOLVING


def _not_found(notation: Notation, line: int, seconds: float) -> str:
    turn = next((turn for turn in notation.turns if turn.line == line), None)
    if turn is None:
        return worded(
            "no deal that fits the whole record was found in {seconds} seconds of processor time; one may still exist",
            seconds=round(seconds),
        )
    return worded(
        "{who}: no deal that fits this turn and all others was found in {seconds} seconds of processor time; "
        "one may still exist",
        who=notation.names[turn.seat],
        seconds=round(seconds),
    )
