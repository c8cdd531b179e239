"""Random games of all editions and seat counts, walked with the rules themselves: every state on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import branchline as bl
from branchline.rules import kernel, playout, turn
from branchline.rules.state import OVER, SCRATCH, STATE

LONGEST = 6000  # actions of a game


def random_walk(on: bl.Board, seats: int, seed: int) -> tuple[Any, Any]:
    """All states of a random game, and the actions between them."""
    buffer, scratch_buffer, path = (
        kernel.new_buffer(STATE),
        kernel.new_buffer(SCRATCH),
        kernel.new_buffer(STATE, LONGEST),
    )
    board, state, scratch = kernel.record_in(on.tables), kernel.record_in(buffer), kernel.record_in(scratch_buffer)
    playout.new_game(board, state, seats, seed)
    path[0] = buffer[0]
    actions = []
    while state.question != OVER:
        turn.legal(board, state, scratch)
        actions.append(playout.random_action(state, scratch))
        turn.apply(board, state, actions[-1])
        path[len(actions)] = buffer[0]
    return path[: len(actions) + 1], actions


def at_state(on: bl.Board, buffer: Any) -> bl.Game:
    """A `Game` that stands at this state (an array of one)."""
    game = bl.Game(on, int(buffer[0].seats), 0)
    game._buffer[:] = buffer
    game._legal = None
    return game


def random_game(on: bl.Board, seats: int, seed: int, luck: Any) -> Iterator[bl.Game]:
    """The same `Game` before every action of a random game, and when it is over."""
    game = bl.Game(on, seats, seed)
    yield game
    while not game.over:
        game.play(luck.choice(game.legal))
        yield game
