"""How big everything is on one board; all follow from the breadth of a space."""

from __future__ import annotations

from math import hypot, sqrt

from branchline.boards.board import Board
from branchline.draw.geometry import Sheet, Sizes


def sizes_of(board: Board, sheet: Sheet) -> Sizes:
    """Return sizes that let most spaces of the board be three times as long as broad."""
    plank = board.map.get("plank")
    if plank is None:
        pitches = sorted(
            hypot(
                sheet.places[route.a.index][0] - sheet.places[route.b.index][0],
                sheet.places[route.a.index][1] - sheet.places[route.b.index][1],
            )
            / route.length
            for route in board.routes
            if not route.wraps
        )
        usual = pitches[len(pitches) // 5] if pitches else 60.0
        plank = min(max(0.28 * usual, 7.0), 0.021 * sqrt(sheet.width * sheet.height))
    plank = float(plank)
    ring = 0.62 * plank
    return Sizes(
        plank=plank,
        longest=3.9 * plank,
        wanted=2.1 * plank,
        gap=0.17 * plank,
        widest_gap=0.75 * plank,
        aside=1.2 * plank,
        ring=ring,
        start=ring + 0.3 * plank,
        font=float(board.map.get("font", 1.25 * plank)),
        frame=20.0 if any(route.wraps for route in board.routes) else 14.0,
    )
