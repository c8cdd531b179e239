"""What a finished game is worth to its seats, and how environments are asked for wrongly."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from branchline.boards import Board, BranchlineError
from branchline.boards.arguments import whole_number
from branchline.boards.catalogue import as_board
from branchline.boards.faults import listed, shown
from branchline.envs.paying import SHAPED
from branchline.game import Game, IllegalAction, Scores


class EnvError(BranchlineError):
    """An environment that cannot be had like this."""


def win(scores: Scores) -> tuple[float, ...]:
    """Return 1 for the winner and -1 / (seats - 1) for each other seat, so that they add up to 0. Winners share."""
    return tuple(worth(share, len(scores)) for share in scores.shares)


def worth(share: Any, seats: int) -> Any:
    """Return the worth of a share of the victory as in `win`; of one, or of an array of them."""
    return (share * seats - 1) / (seats - 1)


def margin(scores: Scores) -> tuple[float, ...]:
    """Return the margin over the best of the others, in hundreds of points; negative for fewer."""
    totals = scores.totals
    return tuple((own - max(totals[:seat] + totals[seat + 1 :])) / 100 for seat, own in enumerate(totals))


def points(scores: Scores) -> tuple[float, ...]:
    """Return the points, in hundreds."""
    return tuple(total / 100 for total in scores.totals)


REWARDS: dict[str, Callable[[Scores], tuple[float, ...]]] = {
    "win": win,
    "margin": margin,
    "points": points,
    "shaped": margin,
}
"""The rewards by name. All but `shaped` are paid once, when the game is over. `shaped` adds up to `margin`, and is paid
as soon as the points change that everybody sees; what was hidden is paid at the end."""


def reward_number(name: object) -> int:
    """Return the number of the reward of this name. Raise `EnvError`."""
    if not isinstance(name, str) or name not in REWARDS:
        raise EnvError(f"reward: expected {listed(tuple(REWARDS))}, not {shown(name)}")
    return list(REWARDS).index(name)


class Payments:
    """What a game pays its seats, as it goes on."""

    def __init__(self, reward: object) -> None:
        """Begin payments by the reward of this name. Raise `EnvError`."""
        self._number = reward_number(reward)
        self._worth = list(REWARDS.values())[self._number]
        self._paid: tuple[float, ...] = ()

    def begin(self, seats: int) -> None:
        """Begin to count for another game."""
        self._paid = (0.0,) * seats

    def due(self, game: Game) -> tuple[float, ...]:
        """Return what has become due to each seat since this was last asked."""
        if not game.over and self._number != SHAPED:
            return (0.0,) * game.seats
        worth_now, paid = self._worth(game.scores), self._paid
        self._paid = worth_now
        return tuple(now - before for now, before in zip(worth_now, paid, strict=True))


MOST_SEED = (1 << 128) - 1
"""Of the luck that draws the games of an environment; more than that many NumPy does not tell apart."""


def seed_for(seed: object) -> int | None:
    """Return a seed for `reset`, or None. Raise `EnvError`."""
    return None if seed is None else whole_number("seed", seed, 0, MOST_SEED, EnvError)


def action_number(action: Any) -> int:
    """Return the number of an action, from any type of whole number, arrays of one included. Raise `IllegalAction`."""
    try:
        if isinstance(action, bool):
            raise TypeError
        return operator.index(action)
    except (TypeError, ValueError):
        raise IllegalAction(f"action: expected the number of an action, not {shown(action)}") from None


def board_for(board: Board | str, seats: object) -> tuple[Board, int]:
    """Return the board and the number of seats. Raise `EnvError`, and whatever `load_board` does."""
    board = as_board(board)
    return board, whole_number("seats", seats, *board.seats, EnvError)
