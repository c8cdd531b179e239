"""Random games of all editions and seat counts, walked with the rules themselves: every state on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import branchline as bl
from branchline.rules import kernel, playout, turn
from branchline.rules.kernel import rule
from branchline.rules.state import OVER, SLATE, STATE

LONGEST = 6000  # actions of a game


@rule
def walk(board: Any, states: Any, slate: Any, seats: int, seed: int, path: Any, actions: Any) -> int:
    """Play a game at random, leaving every state in `path` and every action in `actions`; how many actions."""
    state = states[0]
    playout.new_game(board, state, seats, seed)
    path[0] = state
    count = 0
    while state.question != OVER:
        turn.legal(board, state, slate)
        action = playout.random_action(state, slate)
        turn.apply(board, state, action)
        actions[count] = action
        count += 1
        path[count] = state
    return count


def random_walk(on: bl.Board, seats: int, seed: int) -> tuple[Any, Any]:
    """All states of a random game, and the actions between them."""
    path, actions = kernel.fresh(STATE, LONGEST), np.zeros(LONGEST, dtype=np.int64)
    count = walk(on.tables[0], kernel.fresh(STATE), kernel.fresh(SLATE)[0], seats, seed, path, actions)
    return path[: count + 1], actions[:count]


def at_state(on: bl.Board, box: Any) -> bl.Game:
    """A `Game` that stands at this state (an array of one)."""
    game = bl.Game(on, int(box[0].seats), 0)
    game._box[:] = box
    game._legal = None
    return game


def random_game(on: bl.Board, seats: int, seed: int, luck: Any) -> Iterator[bl.Game]:
    """The same `Game` before every action of a random game, and when it is over."""
    game = bl.Game(on, seats, seed)
    yield game
    while not game.over:
        game.play(luck.choice(game.legal))
        yield game
