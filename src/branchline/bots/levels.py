"""Levels for people, from easy to master: built-in bots, the weaker ones with a mistake now and then."""

from __future__ import annotations

import random
from typing import ClassVar

from branchline.bots.api.bot import Bot, Position
from branchline.bots.planner.fast import FastBot
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.search import Budget, SearchBot
from branchline.bots.simple.greedy import GreedyBot
from branchline.bots.simple.random import RandomBot
from branchline.copying import Copied
from branchline.rules.state import KEEP, KEEP_TICKETS, REFILL_FROM, STATION, TAKE, TURN


class Erring(Copied):
    """A bot that leaves some of its turns to chance; the questions that follow are its own again."""

    name: str
    bot: ClassVar[type]
    share: ClassVar[float]  # of its turns

    def __init__(self, seed: int = 0) -> None:
        """Sit down, with chance beside."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._luck = random.Random(seed)
        self._bot: Bot = self.bot(seed)
        self._chance = RandomBot(seed)

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if position.question == TURN and self._luck.random() < self.share:
            return self._err(position)
        return self._bot.choose(position)

    def _err(self, position: Position) -> int:
        """Return what chance does with the turn."""
        return self._chance.choose(position)


class EasyBot(Erring):
    """Finishes its cheapest tickets, and errs in three turns of ten."""

    name = "easy"
    bot = FastBot
    share = 0.3

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if position.question == KEEP_TICKETS:
            return min(position.legal, key=lambda action: (_worth_kept(position, action), action))
        return super().choose(position)

    def _err(self, position: Position) -> int:
        """Return a card or a route by chance; nobody draws tickets or swaps pieces by a slip."""
        slips = [action for action in position.legal if action < STATION or TAKE <= action < REFILL_FROM]
        return self._luck.choice(slips or position.legal)


def _worth_kept(position: Position, action: int) -> int:
    """Return the points of the tickets on offer that an action keeps."""
    kept, offer = action - KEEP, position.state.offer
    held = [int(offer[position.seat, n]) for n in range(kept.bit_length()) if kept >> n & 1]
    return sum(position.board.tickets[number].value for number in held)


class MediumBot(Erring):
    """Goes for its tickets, and errs in one turn of ten."""

    name = "medium"
    bot = FastBot
    share = 0.1


class HardBot(PlannerBot):
    """Plans well, and thinks no further."""

    name = "hard"


class Thinking(SearchBot):
    """A search that thinks less about the second card of a turn, of which it has thought with the first."""

    later = 0.25

    @classmethod
    def seconds_a_turn(cls) -> float:
        """Return what it thinks about two cards, at most."""
        return round((cls.budget.seconds or 0.0) * (1 + cls.later), 6)


class ExpertBot(Thinking):
    """Plays what is promising out before it decides."""

    name = "expert"
    budget = Budget(rollouts=1500, seconds=0.4)


class MasterBot(Thinking):
    """Thinks more than twice as long as the expert."""

    name = "master"
    budget = Budget(rollouts=4500, seconds=0.96)


LEVELS = (EasyBot, MediumBot, HardBot, ExpertBot, MasterBot)
"""All levels, the easiest first."""

MADE_OF = (RandomBot, GreedyBot, FastBot, PlannerBot)
"""The compiled bots behind all levels, and behind what people measure others against."""
