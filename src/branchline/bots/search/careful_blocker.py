"""`careful-blocker`: a planner that takes a few short routes that others most likely need."""

from __future__ import annotations

import numpy as np

from branchline.bots.api.bot import Position
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.search import Search
from branchline.rules.state import CLAIM, STATION, TURN

MOST_BLOCKS = 3  # in a game
SHORT = 3  # spaces
SURE = 0.75  # of the imagined worlds have another seat plan the route


class CarefulBlockerBot(PlannerBot):
    """Plans, but takes a few short routes that others need."""

    name = "careful-blocker"

    def begin(self, seed: int) -> None:
        """Begin another game, with all blocks still to make."""
        super().begin(seed)
        self._luck = np.random.default_rng(seed)
        self._search = Search()
        self._blocks = 0

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if position.question == TURN and self._blocks < MOST_BLOCKS:
            block = self._block(position)
            if block is not None:
                self._blocks += 1
                return block
        return super().choose(position)

    def _block(self, position: Position) -> int | None:
        """Return the claim that others seem to need most, if they surely do."""
        self._search.begin(position, self.memory, int(self._luck.integers(1 << 60)))
        claims = [
            action
            for action in position.legal
            if CLAIM <= action < STATION and position.board.routes[action - CLAIM].length <= SHORT
        ]
        sure = [action for action in claims if self._search.contested(action - CLAIM) >= SURE]
        return max(sure, key=lambda action: (self._search.contested(action - CLAIM), -action), default=None)
