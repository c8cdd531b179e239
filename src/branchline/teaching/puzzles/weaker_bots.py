"""How hard a puzzle is: the share of weaker bots that miss it."""

from __future__ import annotations

import functools

import numpy as np

from branchline.boards import Board
from branchline.bots import Bot, BotMaker, Position, bot_maker
from branchline.bots.api import weights as names
from branchline.bots.api.tuned_weights import Weights, limits
from branchline.bots.planner.planner import PlannerBot
from branchline.teaching.looking import meaning

BY_NAME = ("greedy", "hungry", "fast", "route-focused")
ODD = 6  # planners with odd weights
SEEDS = 2  # of each bot
FACTOR = 4.0  # by which an odd weight is larger or smaller, at most


class OddPlannerBot(PlannerBot):
    """A planner whose weights are off, each by a factor of its own."""

    name = "odd planner"
    number = 0  # which one

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights:
        """Return the general weights, changed at random."""
        luck = np.random.default_rng(cls.number)
        off = FACTOR ** luck.uniform(-1, 1, len(names.NAMES))
        numbers = []
        for name, number, factor in zip(names.NAMES, board.weights.general(seats).numbers, off, strict=True):
            least, most = limits(name)
            numbers.append(int(np.clip(round(number * factor), least, most)))
        return Weights(tuple(numbers), "odd")


@functools.cache
def _makers() -> tuple[BotMaker, ...]:
    odd = [type(f"OddPlanner{n}", (OddPlannerBot,), {"number": n}) for n in range(1, ODD + 1)]
    return (*(bot_maker(name) for name in BY_NAME), *odd)


def weaker_bots() -> list[Bot]:
    """Return all weaker bots, without a memory of the game."""
    return [maker(seed) for maker in _makers() for seed in range(SEEDS)]


def choices(position: Position) -> list[int]:
    """Return what each of the bots would do."""
    return [bot.choose(position) for bot in weaker_bots()]


def missed(position: Position, chosen: list[int], best: int) -> float:
    """Return the share of these choices that mean something other than the best one."""
    right = meaning(position, best)
    return sum(meaning(position, choice) != right for choice in chosen) / len(chosen)
