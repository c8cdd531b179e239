"""Levels for people, from easy to master: built-in bots, the weaker ones with a slip now and then.

Each level up to `expert` wins about four of five games against the one below (`docs/strength.md`).
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import ClassVar

from branchline.boards import Board
from branchline.bots.api.bot import Position
from branchline.bots.planner.fast import FastBot
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.search import Budget, SearchBot
from branchline.bots.simple.greedy import GreedyBot
from branchline.bots.simple.random import RandomBot
from branchline.copying import Copied
from branchline.rules.state import KEEP, KEEP_TICKETS, REFILL_FROM, STATION, TAKE, TURN

SMALL_BOARD = 2.0
"""This, divided by the pieces of a seat, is added to the share of turns with a slip: at most as much again."""

LARGE_BOARD = 45
"""Pieces of a seat. With fewer of them more is luck, and it takes more thought to win as often."""


class Erring(Copied):
    """A planner that slips in some of its turns: it takes any card, or claims any route.

    On a small board a slip costs less, because games are short and more is luck: there it slips more often.
    """

    name: str
    share: ClassVar[float]  # of its turns, on a board of any size

    def __init__(self, seed: int = 0) -> None:
        """Sit down, with chance beside."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._luck = random.Random(seed)
        self._planner = PlannerBot(seed)

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        more = min(self.share, SMALL_BOARD / _pieces(position.board))
        if position.question == TURN and self._luck.random() < self.share + more:
            cards = [action for action in position.legal if TAKE <= action < REFILL_FROM]
            claims = [action for action in position.legal if action < STATION]
            slips = [actions for actions in (cards, claims) if actions]
            if slips:
                return self._luck.choice(self._luck.choice(slips))
        return self._planner.choose(position)


def _pieces(board: Board) -> int:
    """Return with how many pieces a seat begins."""
    return board.pieces.fleet or sum(board.pieces.count)


class EasyBot(Erring):
    """Finishes its cheapest tickets, and slips in two turns of five."""

    name = "easy"
    share = 0.32

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if position.question == KEEP_TICKETS:
            return min(position.legal, key=lambda action: (_worth_kept(position, action), action))
        return super().choose(position)


def _worth_kept(position: Position, action: int) -> int:
    """Return the points of the tickets on offer that an action keeps."""
    kept, offer = action - KEEP, position.state.offer
    held = [int(offer[position.seat, n]) for n in range(kept.bit_length()) if kept >> n & 1]
    return sum(position.board.tickets[number].value for number in held)


class MediumBot(Erring):
    """Goes for its tickets, and slips in one turn of five."""

    name = "medium"
    share = 0.14


class HardBot(PlannerBot):
    """Plans well, and thinks no further."""

    name = "hard"


class Thinking(SearchBot):
    """A search that takes no longer for a turn than people wait, on boards of any size."""

    @classmethod
    def seconds_a_turn(cls) -> float:
        """Return what it thinks about two cards, at most."""
        return round((cls.budget.seconds or 0.0) * (1 + cls.later), 6)


class ExpertBot(Thinking):
    """Plays a hundred imagined games before each move, or more."""

    name = "expert"
    budget = Budget(rollouts=100, seconds=0.25)

    def budget_for(self, position: Position) -> Budget:
        """Return how much it thinks about a question."""
        budget = super().budget_for(position)
        return replace(budget, rollouts=budget.part(max(1.0, LARGE_BOARD / _pieces(position.board))).rollouts)


class MasterBot(Thinking):
    """Plays as many imagined games as a second allows.

    It thinks less about the second card of a turn, of which it has thought with the first.
    """

    name = "master"
    budget = Budget(rollouts=4500, seconds=0.96)
    later = 0.25


LEVELS = (EasyBot, MediumBot, HardBot, ExpertBot, MasterBot)
"""All levels, the easiest first."""

MADE_OF = (RandomBot, GreedyBot, FastBot, PlannerBot)
"""The compiled bots behind all levels, and behind what people measure others against."""
