"""What a finished game is worth to its seats, and how environments are asked for wrongly."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from branchline.boards import Board, BranchlineError, load_board
from branchline.boards.arguments import whole_number
from branchline.boards.faults import shown
from branchline.game import IllegalAction, Scores


class EnvError(BranchlineError):
    """An environment that cannot be had like this."""


def win(scores: Scores) -> tuple[float, ...]:
    """1 for the winner, -1 / (seats - 1) for each other one, so that they add up to 0. Winners share."""
    return tuple(worth(share, len(scores)) for share in scores.shares)


def worth(share: Any, seats: int) -> Any:
    """What a share of the victory is worth as `win`; of one, or of an array of them."""
    return (share * seats - 1) / (seats - 1)


def margin(scores: Scores) -> tuple[float, ...]:
    """How many points more than the best of the others, in hundreds; negative for fewer."""
    totals = scores.totals
    return tuple((own - max(totals[:seat] + totals[seat + 1 :])) / 100 for seat, own in enumerate(totals))


REWARDS: dict[str, Callable[[Scores], tuple[float, ...]]] = {"win": win, "margin": margin}
"""The rewards by name. All are paid once, when the game is over."""


def reward_named(name: object) -> Callable[[Scores], tuple[float, ...]]:
    """The reward of this name; raises `EnvError`."""
    if not isinstance(name, str) or name not in REWARDS:
        raise EnvError(f"reward: expected {' or '.join(REWARDS)}, not {shown(name)}")
    return REWARDS[name]


MOST_SEED = (1 << 128) - 1
"""Of the luck that draws the games of an environment; more than that many NumPy does not tell apart."""


def seed_for(seed: object) -> int | None:
    """A seed for `reset`, or None; raises `EnvError`."""
    return None if seed is None else whole_number("seed", seed, 0, MOST_SEED, EnvError)


def action_number(action: Any) -> int:
    """The number of an action, from any type of whole number, arrays of one included; raises `IllegalAction`."""
    try:
        if isinstance(action, bool):
            raise TypeError
        return operator.index(action)
    except (TypeError, ValueError):
        raise IllegalAction(f"action: expected the number of an action, not {shown(action)}") from None


def board_for(board: Board | str, seats: object) -> tuple[Board, int]:
    """The board, and how many seats; raises `EnvError`, and whatever `load_board` does."""
    board = board if isinstance(board, Board) else load_board(board)
    return board, whole_number("seats", seats, *board.seats, EnvError)
