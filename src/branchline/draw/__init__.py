"""Draws a board and any position on it as SVG, with pure functions that return text.

It knows the boards and the view of a game, but no rules, no clock and no screen. The same board and position always
give the same text. `palette` holds all colours, including those of cards and pages.
"""

from branchline.draw.board import board_parts, board_style, board_svg
from branchline.draw.cut import cut_svg, cut_symbols
from branchline.draw.game import game_svg, position_of, position_of_view
from branchline.draw.heat import Chord, Heat
from branchline.draw.position import Position

__all__ = [
    "Chord",
    "Heat",
    "Position",
    "board_parts",
    "board_style",
    "board_svg",
    "cut_svg",
    "cut_symbols",
    "game_svg",
    "position_of",
    "position_of_view",
]
