"""Draws a board, and any position on it, as SVG: pure functions, text in, text out.

It knows the atlas, and of a game what its view shows: no rules, no clock, no screen. The same board and position
always give the same text. The colours of everything, cards and pages included, are in `palette`.
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
