"""Signs in the frame where tracks run over the edge: an arrow, and the name of the place on the other side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from branchline.atlas.board import Board
from branchline.draw.lettering import text_width
from branchline.draw.projection import Sheet
from branchline.draw.sizes import Sizes
from branchline.draw.tracks import EdgeSign


@dataclass(frozen=True)
class Sign:
    """One arrow with a name that runs along the frame, above or below it."""

    place: int
    east: bool
    y: float  # of the arrow
    text_y: float  # middle of the name
    size: float  # of the letters


def signs_of(board: Board, sheet: Sheet, sizes: Sizes, edges: Sequence[EdgeSign]) -> tuple[Sign, ...]:
    """Signs for all crossings, the names moved along the frame until none touch."""
    size = round(0.78 * sizes.frame, 1)
    signs: list[Sign] = []
    for east in (False, True):
        at_edge = sorted((edge for edge in edges if edge.east == east), key=lambda edge: (edge.y, edge.place))
        taken = [(edge.y - 0.6 * sizes.frame, edge.y + 0.6 * sizes.frame) for edge in at_edge]
        for edge in at_edge:
            long = text_width(board.places[edge.place].name, size)
            away = 0.7 * sizes.frame + long / 2
            choices = [edge.y + away, edge.y - away]
            choices += [edge.y + way * (away + more) for more in range(10, 200, 10) for way in (1, -1)]
            for middle in choices:
                span = (middle - long / 2, middle + long / 2)
                inside = span[0] > sizes.frame and span[1] < sheet.height - sizes.frame
                if inside and all(span[1] < other[0] or span[0] > other[1] for other in taken):
                    break
            taken.append(span)
            signs.append(Sign(edge.place, east, round(edge.y, 1), round(middle, 1), size))
    return tuple(signs)
