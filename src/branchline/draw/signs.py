"""Signs in the frame where tracks run over the edge: an arrow, and the name of the place on the other side."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.boards.board import Board
from branchline.draw.geometry import Sheet, Sign, Sizes
from branchline.draw.lettering import text_width
from branchline.draw.tracks import EdgeSign


def signs_of(board: Board, sheet: Sheet, sizes: Sizes, edges: Sequence[EdgeSign]) -> tuple[Sign, ...]:
    """Return the signs for all crossings; neighbours that lead to the same place share a name between their arrows."""
    size = round(0.62 * sizes.frame, 1)
    signs: list[Sign] = []
    for east in (False, True):
        at_edge = sorted((edge for edge in edges if edge.east == east), key=lambda edge: (edge.y, edge.place))
        arrow = 0.5 * sizes.frame
        taken = [(edge.y - arrow, edge.y + arrow) for edge in at_edge]
        while at_edge:
            edge = at_edge.pop(0)
            long = text_width(board.places[edge.place].name, size)
            if at_edge and at_edge[0].place == edge.place and at_edge[0].y - edge.y < 2.5 * long:
                other = at_edge.pop(0)
                middle = (edge.y + other.y) / 2
                signs.append(Sign(edge.place, east, (round(edge.y, 1), round(other.y, 1)), round(middle, 1), size))
            else:
                away = arrow + long / 2
                steps = range(0, round(sheet.height), 4)
                middles = [edge.y + way * (away + step) for step in steps for way in (1, -1)]
                middle = next((y for y in middles if _free(y, long, taken, sizes.frame, sheet.height)), middles[0])
                signs.append(Sign(edge.place, east, (round(edge.y, 1),), round(middle, 1), size))
            taken.append((middle - long / 2, middle + long / 2))
    return tuple(signs)


def _free(y: float, long: float, taken: Sequence[tuple[float, float]], frame: float, height: float) -> bool:
    """Return whether a name of that length may stand around `y`."""
    first, last = y - long / 2, y + long / 2
    inside = first > frame and last < height - frame
    return inside and all(last <= other[0] or first >= other[1] for other in taken)
