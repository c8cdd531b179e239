"""Who plays the other seats of an environment: bots by name, by class or as objects, or a function for self-play."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from branchline.boards.faults import shown
from branchline.bots import Bot, BotError, BotMaker, Position, bot_maker, make_bot
from branchline.envs.encoding import observe_position
from branchline.envs.layout import Layout
from branchline.envs.rewards import EnvError
from branchline.rules.state import ACTIONS

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], int]
"""From an observation `(layout.size,)` and a mask `(ACTIONS,)`, as agents get them, to the number of an action."""

Opponent = str | BotMaker | Bot | Policy
"""The name of a bot; a class of bots, or another function from a seed to a bot; a bot; or a policy."""

EXPECTED = "the name of a bot, a class of bots, a bot, or a function (observation, mask) -> action"


class PolicyBot:
    """Asks a policy in place of a bot."""

    name = "policy"

    def __init__(self, layout: Layout, policy: Policy) -> None:
        """Of a policy that observes by this layout."""
        self._layout, self._policy = layout, policy

    def choose(self, position: Position) -> int:
        """What the policy answers."""
        mask = np.zeros(ACTIONS, dtype=np.int8)
        mask[list(position.legal)] = 1
        return self._policy(observe_position(self._layout, position), mask)


def opponents_for(opponents: object, seats: int) -> tuple[Opponent, ...]:
    """One opponent for each seat but one; raises `EnvError` for what is none, `BotError` for names nobody has."""
    if not isinstance(opponents, (list, tuple)):
        opponents = (_checked(opponents, f"{EXPECTED}, or a list of {seats - 1} of these"),) * (seats - 1)
    if len(opponents) != seats - 1:
        raise EnvError(f"opponents: expected {seats - 1} for {seats} seats, not {len(opponents)}")
    return tuple(_checked(one, EXPECTED) for one in opponents)


def seated(opponent: Opponent, seed: int, layout: Layout) -> Bot:
    """The opponent for one game. An object that has `begin(seed)` is told that another game begins."""
    if isinstance(opponent, str):
        return make_bot(opponent, seed)
    if isinstance(opponent, Bot) and not isinstance(opponent, type):
        if hasattr(opponent, "begin"):
            opponent.begin(seed)
        return opponent
    if not isinstance(opponent, type) and _takes(opponent, 2):
        return PolicyBot(layout, cast("Policy", opponent))
    made = cast("BotMaker", opponent)(seed)
    if not isinstance(made, Bot):
        raise EnvError(f"opponents: {_called(opponent)} makes no bot: it has no name or no choose(position)")
    return made


def answer(bot: Bot, position: Position) -> int:
    """What an opponent does; raises `BotError` where that is not legal."""
    action = bot.choose(position)
    if not isinstance(action, (int, np.integer)) or action not in position.legal:
        raise BotError(f"opponent {shown(bot.name)} answers {shown(action)}, which is not legal for it now")
    return int(action)


def _checked(opponent: object, expected: str) -> Opponent:
    if isinstance(opponent, str):
        bot_maker(opponent)
    elif isinstance(opponent, type):
        if not (callable(getattr(opponent, "choose", None)) and _takes(opponent, 1)):
            raise EnvError(f"opponents: {_called(opponent)} is no class of bots: it needs a name and choose(position)")
    elif not isinstance(opponent, Bot) and not (callable(opponent) and (_takes(opponent, 2) or _takes(opponent, 1))):
        raise EnvError(f"opponents: expected {expected}, not {shown(opponent)}")
    return cast("Opponent", opponent)


def _takes(function: Any, arguments: int) -> bool:
    """Whether a function can be called with so many arguments; of one that does not tell it is believed."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:  # written in C, it may say nothing of itself
        return True
    return True


def _called(opponent: object) -> str:
    return getattr(opponent, "__qualname__", None) or shown(opponent)
