"""What the process has loaded from which those that work are forked: its import is all that it does.

The rules are called once here, so that the engine is loaded. No fork takes threads along: nothing may start one that is
not begun anew there, as the engine's clock is.
"""

from __future__ import annotations

import logging

from branchline.boards import load_board
from branchline.bots import Position, make_bot
from branchline.game import Game
from branchline.web.core.rooms import analyses, creation
from branchline.web.exercises import tables as exercises
from branchline.web.notate import noted_games
from branchline.web.table import page as table_page
from branchline.web.table.coach import coaching
from branchline.web.workshop import working_out

__all__ = ["analyses", "coaching", "creation", "exercises", "noted_games", "table_page", "working_out"]

TURNS = 60


def _load_rules() -> None:
    """Play some turns, so that the engine and the bots' numbers are loaded."""
    game = Game(load_board("berlin"), 2, seed=1)
    bots = [make_bot("fast", seat) for seat in range(game.seats)]
    for _ in range(TURNS):
        if game.over:
            return
        asked = game.question.seat
        assert asked is not None
        game.play(bots[asked].choose(Position.of(game)))


try:
    _load_rules()
except Exception:  # whoever needs them will load them, or be told what is wrong
    logging.getLogger("branchline.server").exception("the rules could not be loaded before they are needed")
