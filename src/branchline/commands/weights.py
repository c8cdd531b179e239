"""What commands say of the weights with which bots played."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from branchline.boards import Board
from branchline.commands.screen import plain, say

if TYPE_CHECKING:
    from branchline.arena import Results


def say_weights(results: Results) -> None:
    """Which weights the bots used, and what must be said of files that do not count."""
    if results.weights:
        say(f"Weights: {', '.join(plain(f'{name} {weights}') for name, weights in results.weights.items())}")
        say_notes(results.board)


def say_notes(board: Board) -> None:
    """What must be said of files of weights, where errors go."""
    for note in board.weights.notes:
        print(f"branchline: {plain(note)}", file=sys.stderr)
