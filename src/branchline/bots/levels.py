"""Levels for people, from easy to expert: bots of the house, the weaker ones with a mistake now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from branchline.bots.bot import Bot, Position
from branchline.bots.fast import FastBot
from branchline.bots.greedy import GreedyBot
from branchline.bots.planner import PlannerBot
from branchline.bots.random import RandomBot
from branchline.rules.state import TURN


@dataclass(frozen=True)
class Mixture:
    """One bot, whose turns are sometimes another's."""

    name: str
    bot: type
    other: type
    share: float  # of the turns that are the other's


LEVELS = (
    Mixture("easy", GreedyBot, RandomBot, 0.25),
    Mixture("medium", FastBot, RandomBot, 0.1),
    Mixture("hard", PlannerBot, FastBot, 0.5),
    Mixture("expert", PlannerBot, PlannerBot, 0.0),
)
"""All levels, the easiest first."""


class LevelBot:
    """Plays a mixture: decides at each turn whose it is; the questions that follow are the first one's."""

    name: str
    mixture: ClassVar[Mixture]

    def __init__(self, seed: int = 0) -> None:
        """Sit both down."""
        self._luck = random.Random(seed)
        self._bot: Bot = self.mixture.bot(seed)
        self._other: Bot = self.mixture.other(seed)

    def choose(self, position: Position) -> int:
        """One of `position.legal`."""
        if position.question == TURN and self._luck.random() < self.mixture.share:
            return self._other.choose(position)
        return self._bot.choose(position)


class EasyBot(LevelBot):
    """Takes what it can get, and errs in one turn of four."""

    name = "easy"
    mixture = LEVELS[0]


class MediumBot(LevelBot):
    """Goes for its tickets, and errs in one turn of ten."""

    name = "medium"
    mixture = LEVELS[1]


class HardBot(LevelBot):
    """Plans well half of the time, and quickly else."""

    name = "hard"
    mixture = LEVELS[2]


class ExpertBot(LevelBot):
    """Plans as well as it can."""

    name = "expert"
    mixture = LEVELS[3]
