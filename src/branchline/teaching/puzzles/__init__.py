"""Puzzles: positions from self-play in which one answer is clearly the best.

`making` finds them, `themes` says what each is about, `weaker_bots` how hard it is, `collection` is the file they are
kept in. Each edition comes with a file of them in this folder, written by `branchline puzzles make`.
"""

from branchline.teaching.puzzles.collection import Collection, Puzzle, PuzzleError, editions, of_edition, of_the_day
from branchline.teaching.puzzles.making import Confirmation, check, compared, make
from branchline.teaching.puzzles.themes import THEMES

__all__ = [
    "THEMES",
    "Collection",
    "Confirmation",
    "Puzzle",
    "PuzzleError",
    "check",
    "compared",
    "editions",
    "make",
    "of_edition",
    "of_the_day",
]
