"""Levels for people, from easy to master: built-in bots, the weaker ones with a slip now and then.

Each level wins about four of five games against the one below (`docs/strength.md`).
"""

from __future__ import annotations

import random
from typing import ClassVar

from branchline.bots.api.bot import CompiledBot, Position
from branchline.bots.planner.fast import FastBot
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.search import Budget, SearchBot
from branchline.bots.simple.greedy import GreedyBot
from branchline.bots.simple.random import RandomBot
from branchline.bots.simple.styles import OneStepBot
from branchline.copying import Copied
from branchline.rules.state import KEEP, KEEP_TICKETS, REFILL_FROM, STATION, TAKE, TURN

SMALL_BOARD = 2.0
"""This, divided by the pieces of a seat, is added to the share of turns with a slip: at most as much again."""


class Erring(Copied):
    """A bot that slips in some of its turns: it takes any card, or claims any route.

    On a small board a slip costs less, because games are short and more is luck: there it slips more often.
    """

    name: str
    share: ClassVar[float]  # of its turns, on a board of any size
    sense: ClassVar[type[CompiledBot]] = PlannerBot  # how it plays when it does not slip
    claims_by_chance: ClassVar[bool] = True
    cheapest_tickets: ClassVar[bool] = False  # are all that it keeps

    def __init__(self, seed: int = 0) -> None:
        """Sit down, with chance beside."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._luck = random.Random(seed)
        self._sensible = self.sense(seed)

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if position.question == KEEP_TICKETS and self.cheapest_tickets:
            return min(position.legal, key=lambda action: (_worth_kept(position, action), action))
        more = min(self.share, SMALL_BOARD / position.board.pieces.of_a_seat)
        if position.question == TURN and self._luck.random() < self.share + more:
            cards = [action for action in position.legal if TAKE <= action < REFILL_FROM]
            claims = [action for action in position.legal if action < STATION] if self.claims_by_chance else []
            slips = [actions for actions in (cards, claims) if actions]
            if slips:
                return self._luck.choice(self._luck.choice(slips))
        return self._sensible.choose(position)


def _worth_kept(position: Position, action: int) -> int:
    """Return the points of the tickets on offer that an action keeps."""
    kept, offer = action - KEEP, position.state.offer
    held = [int(offer[position.seat, n]) for n in range(kept.bit_length()) if kept >> n & 1]
    return sum(position.board.tickets[number].value for number in held)


class EasyBot(Erring):
    """Builds for short tickets, but draws any card in most turns."""

    name = "easy"
    share = 0.62
    sense = OneStepBot
    claims_by_chance = False
    cheapest_tickets = True


class MediumBot(Erring):
    """Plans for its cheapest tickets, and slips in one turn of three."""

    name = "medium"
    share = 0.31
    cheapest_tickets = True


class HardBot(Erring):
    """Plans for all that pays, and slips in one turn of seven."""

    name = "hard"
    share = 0.14


class ExpertBot(PlannerBot):
    """Plans well, and thinks no further."""

    name = "expert"


class MasterBot(SearchBot):
    """Plays as many imagined games as a second allows.

    It thinks less about the second card of a turn, of which it has thought with the first.
    """

    name = "master"
    budget = Budget(rollouts=4500, seconds=0.96)
    later = 0.25

    @classmethod
    def seconds_a_turn(cls) -> float:
        """Return what it thinks about two cards, at most."""
        return round((cls.budget.seconds or 0.0) * (1 + cls.later), 6)


LEVELS = (EasyBot, MediumBot, HardBot, ExpertBot, MasterBot)
"""All levels, the easiest first."""

MADE_OF = (RandomBot, GreedyBot, OneStepBot, FastBot, PlannerBot)
"""The compiled bots behind all levels, and behind what people measure others against."""
