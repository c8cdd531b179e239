"""What commands say of the weights with which bots played."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from branchline.boards import Board
from branchline.commands.screen import plain, say

if TYPE_CHECKING:
    from branchline.arena import Results


def say_weights(results: Results) -> None:
    """Print which weights the bots used, and which files of weights do not count."""
    if results.weights:
        say(f"Weights: {', '.join(plain(f'{name} {weights}') for name, weights in results.weights.items())}")
        say_notes(results.board)


def say_notes(board: Board) -> None:
    """Print what is wrong with files of weights to standard error."""
    for note in board.weights.notes:
        print(f"branchline: {plain(note)}", file=sys.stderr)
