"""Who plays the other seats of an environment: bots by name, by class or as objects, functions and networks for
self-play, and pools of them for leagues."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from branchline.arena.play import SEED_BITS, game_seed
from branchline.boards.faults import shown
from branchline.bots import Bot, BotError, BotMaker, Position, bot_maker, make_bot
from branchline.envs.encoding import observe_position
from branchline.envs.layout import Layout
from branchline.envs.rewards import EnvError
from branchline.rules.state import ACTIONS

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], int]
"""From an observation `(layout.size,)` and a mask `(ACTIONS,)`, as agents get them, to the number of an action."""

BatchedPolicy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.ArrayLike]
"""From many observations `(games, layout.size)` and masks `(games, ACTIONS)` to the numbers of as many actions."""


@dataclass(frozen=True)
class Batched:
    """A policy that answers many games in one call, as a network does."""

    policy: BatchedPolicy

    def __call__(self, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
        """Return the answer for one game alone."""
        return int(np.asarray(self.policy(observation[None], mask[None])).reshape(-1)[0])


@dataclass(frozen=True)
class Pool:
    """Several opponents, of whom one is drawn for each game: for mixtures, and for leagues of older networks.

    `weights`: how likely each of them is; None: all alike.
    """

    opponents: Sequence[Opponent]
    weights: Sequence[float] | None = None


Opponent = str | BotMaker | Bot | Policy | Batched | Pool
"""The name of a bot; a class of bots, or another function from a seed to a bot; a bot; a policy; or one of a pool."""

EXPECTED = "the name of a bot, a class of bots, a bot, a function (observation, mask) -> action, or a `Pool`"


def chances_in(pool: Pool) -> npt.NDArray[np.float64]:
    """Return how likely each opponent of a pool is to play. Raise `EnvError`."""
    if not isinstance(pool.opponents, (list, tuple)) or not pool.opponents:
        raise EnvError(f"opponents: a pool is a list of at least one opponent, not {shown(pool.opponents)}")
    try:
        weights = np.ones(len(pool.opponents)) if pool.weights is None else np.array(pool.weights, np.float64)
        if weights.shape != (len(pool.opponents),) or not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
            raise ValueError
    except (TypeError, ValueError):
        raise EnvError(
            f"opponents: weights of a pool are {len(pool.opponents)} numbers from 0 on, not {shown(pool.weights)}"
        ) from None
    return np.asarray(weights / weights.sum())


def drawn_from(pool: Pool, seed: int) -> Opponent:
    """Return the opponent of a pool that plays the game with this seed."""
    share = int(game_seed(seed, 0) & SEED_BITS) / (SEED_BITS + 1)
    last = int(np.searchsorted(np.cumsum(chances_in(pool)), share, side="right"))
    return pool.opponents[min(last, len(pool.opponents) - 1)]


class PolicyBot:
    """Asks a policy in place of a bot."""

    name = "policy"

    def __init__(self, layout: Layout, policy: Policy) -> None:
        """Make a bot of a policy that observes by this layout."""
        self._layout, self._policy = layout, policy

    def choose(self, position: Position) -> int:
        """Return what the policy answers."""
        mask = np.zeros(ACTIONS, dtype=np.int8)
        mask[list(position.legal)] = 1
        return self._policy(observe_position(self._layout, position), mask)


def opponents_for(opponents: object, seats: int) -> tuple[Opponent, ...]:
    """Return one opponent for each seat but one. Raise `EnvError` for what is none, `BotError` for an unknown name."""
    if not isinstance(opponents, (list, tuple)):
        opponents = (_checked(opponents, f"{EXPECTED}, or a list of {seats - 1} of these"),) * (seats - 1)
    if len(opponents) != seats - 1:
        raise EnvError(f"opponents: expected {seats - 1} for {seats} seats, not {len(opponents)}")
    return tuple(_checked(opponent, EXPECTED) for opponent in opponents)


def seated(opponent: Opponent, seed: int, layout: Layout) -> Bot:
    """Return the opponent for one game. An object that has `begin(seed)` is told that another game begins."""
    if isinstance(opponent, Pool):
        opponent = drawn_from(opponent, seed)
    if isinstance(opponent, str):
        return make_bot(opponent, seed)
    if isinstance(opponent, Bot) and not isinstance(opponent, type):
        if hasattr(opponent, "begin"):
            opponent.begin(seed)
        return opponent
    if not isinstance(opponent, type) and _takes(opponent, 2):
        return PolicyBot(layout, cast("Policy", opponent))
    bot = cast("BotMaker", opponent)(seed)
    if not isinstance(bot, Bot):
        raise EnvError(f"opponents: {called(opponent)} makes no bot: it has no name or no choose(position)")
    return bot


def answer(bot: Bot, position: Position) -> int:
    """Return an opponent's action. Raise `BotError` if it is not legal."""
    action = bot.choose(position)
    if not isinstance(action, (int, np.integer)) or action not in position.legal:
        raise BotError(f"opponent {shown(bot.name)} answers {shown(action)}, which is not legal for it now")
    return int(action)


def _checked(opponent: object, expected: str) -> Opponent:
    if isinstance(opponent, str):
        bot_maker(opponent)
    elif isinstance(opponent, Pool):
        chances_in(opponent)
        for member in opponent.opponents:
            if isinstance(member, Pool):
                raise EnvError("opponents: a pool cannot hold another pool; name all of its opponents, with weights")
            _checked(member, EXPECTED)
    elif isinstance(opponent, type):
        if not (callable(getattr(opponent, "choose", None)) and _takes(opponent, 1)):
            raise EnvError(f"opponents: {called(opponent)} is no class of bots: it needs a name and choose(position)")
    elif not isinstance(opponent, Bot) and not (callable(opponent) and (_takes(opponent, 2) or _takes(opponent, 1))):
        raise EnvError(f"opponents: expected {expected}, not {shown(opponent)}")
    return cast("Opponent", opponent)


def _takes(function: Any, arguments: int) -> bool:
    """Return whether a function can be called with this number of arguments; one that does not tell is trusted."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:  # written in C, it may say nothing of itself
        return True
    return True


def called(opponent: object) -> str:
    """Return an opponent's name, for messages."""
    if isinstance(opponent, Pool):
        return " or ".join(map(called, opponent.opponents))
    if isinstance(opponent, str):
        return opponent
    return str(getattr(opponent, "name", "") or getattr(opponent, "__qualname__", "") or shown(opponent))
