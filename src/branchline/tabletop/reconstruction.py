"""From a game that was noted at a real table to a record of it that the rules accept from the first to the last action.

First the rules play what does not depend on cards (`noted_course`): what they refuse there certainly cannot have been.
Then a deal is searched for (`deal_search`), again and again with other thoughts about what was not noted, and judged by
the rules. That none is found proves nothing, and it is said so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from branchline.boards.wording import worded
from branchline.game.errors import NotationError
from branchline.game.game import Game
from branchline.game.record import Record
from branchline.tabletop.deal_search import DealSearch, NothingFoundError
from branchline.tabletop.notation import Notation
from branchline.tabletop.noted_course import Course

ATTEMPTS = 40
"""How often the search is begun anew with other luck, each time with every freedom."""

SECONDS = 8.0
"""Of processor time, after which the search is stopped."""

TRAINS = (5, 4, 6, 3, 2)
"""How many train cards lie in a market of two decks, as people fill it from either: of six, three are new ones."""

STEADILY = 0.6
"""How likely they stay as many, once each of these has been tried."""

FREEDOM = (0.06, 0.12, 0.25, 0.12, 0.5, 0.25, 1.0)
"""How many cards are left open that may have come from the market: the more, the slower."""


SWEPT_FIRST = 6
"""Every so many attempts the market is thought to have been swept once before the first turn."""


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


def reconstruct(
    notation: Notation, seed: int = 0, attempts: int = ATTEMPTS, seconds: float = SECONDS
) -> Reconstruction:
    """A legal record that agrees with everything noted; raises `NotationError` at the first turn that cannot be.

    The same notation and seed give the same record. After so many seconds of processor time the search is stopped.
    """
    began = time.process_time()
    until = began + seconds
    course = Course(notation, seed)
    furthest = 0
    for n in range(attempts * len(FREEDOM)):
        freedom, trains = FREEDOM[n % len(FREEDOM)], TRAINS[n % len(TRAINS)]
        steadily, swept = 1.0 if n < len(TRAINS) else STEADILY, int(n % SWEPT_FIRST == SWEPT_FIRST - 1)
        search = DealSearch(course, Random(f"{seed} {n}"), until, freedom, trains, steadily, swept)
        try:
            game, imagined = search.reconstruction()
            return Reconstruction(game.record(notation.names), game, imagined)
        except NothingFoundError as error:
            furthest = max(furthest, error.line)
        if time.process_time() > until:
            break
    raise NotationError(furthest, _not_found(notation, furthest, time.process_time() - began))


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
