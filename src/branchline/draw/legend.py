"""The cartouche: the board's name and what routes are worth, set into the largest quiet corner of the map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from branchline.boards.board import Board
from branchline.draw.geometry import Label, Legend, Point, Sheet, Sizes, Table, Track
from branchline.draw.labels import space_discs
from branchline.draw.lettering import text_width
from branchline.draw.projection import Floats
from branchline.draw.scenery import Land


def _worth(board: Board) -> list[tuple[str, tuple[tuple[int, int], ...]]]:
    """Return the length and points of every route there is, by kind of piece: ordinary routes, and subways."""
    lengths = sorted({route.length for route in board.routes if route.kind != "subway"})
    prices = sorted({route.price for route in board.routes if route.kind == "subway"})
    tables = [("length", tuple((n, board.points[n]) for n in lengths if n < len(board.points)))]
    tables.append(("price", tuple((n, board.subway_points[n]) for n in prices if n < len(board.subway_points))))
    return [(kind, columns) for kind, columns in tables if columns]


def legend_of(
    board: Board,
    sheet: Sheet,
    sizes: Sizes,
    land: Land | None,
    tracks: Sequence[Track],
    labels: Sequence[Label],
    exits: Sequence[Point],
) -> Legend | None:
    """Return a place for the cartouche where it covers nothing, rather at sea than on land; None if there is no
    room.
    """
    worth = _worth(board)
    if not worth:
        return None
    for smaller in (1.0, 0.88, 0.76):
        size = 0.92 * smaller * sizes.font
        column, first = 1.6 * size, text_width("points", 0.8 * size) + 0.3 * size
        breadths = [first + len(columns) * column for _, columns in worth]
        for side_by_side in (False, True) if len(worth) > 1 else (False,):
            wide = sum(breadths) + 1.4 * size * (len(worth) - 1) if side_by_side else max(breadths)
            inner = max(wide, text_width(board.title, 1.5 * size) + size)
            high = (2.9 + 2.9 * (1 if side_by_side else len(worth))) * size
            corner = _quietest(sheet, sizes, land, (inner + 1.6 * size, high), tracks, labels, exits)
            if corner is None:
                continue
            left, top = corner
            tables = []
            x, y = left + 0.8 * size + (inner - wide) / 2, top + 3.6 * size
            for (kind, columns), breadth in zip(worth, breadths, strict=True):
                tables.append(Table(kind, columns, round(x, 1), round(y, 1)))
                x, y = (x + breadth + 1.4 * size, y) if side_by_side else (x, y + 2.9 * size)
            box = (round(left, 1), round(top, 1), round(left + inner + 1.6 * size, 1), round(top + high, 1))
            return Legend(box, round(size, 1), round(column, 1), round(first, 1), tuple(tables))
    return None


def _quietest(
    sheet: Sheet,
    sizes: Sizes,
    land: Land | None,
    extent: tuple[float, float],
    tracks: Sequence[Track],
    labels: Sequence[Label],
    exits: Sequence[Point],
) -> Point | None:
    """Return the best upper left corner for a box of that extent, from a grid of corners all over the sheet."""
    wide, high = extent
    rim = sizes.frame + 0.8 * sizes.plank
    x = np.arange(rim, sheet.width - rim - wide + 1, 16.0)
    y = np.arange(rim, sheet.height - rim - high + 1, 16.0)
    if not len(x) or not len(y):
        return None
    lefts, tops = (part.ravel() for part in np.meshgrid(x, y))  # row after row
    beds = np.array([point for track in tracks for bed in track.beds for point in bed]).reshape(-1, 2)
    points = np.concatenate([space_discs(tracks), beds, np.array([*sheet.places, *exits]).reshape(-1, 2)])
    free = np.ones(len(lefts), dtype=bool)
    cost = np.zeros(len(lefts))
    for points_near, near in ((points, 1.1 * sizes.plank), (points, 2.5 * sizes.plank)):
        inside = _counts(points_near, x - near, y - near, wide + 2 * near, high + 2 * near)
        if near < 2 * sizes.plank:
            free &= inside == 0
        else:
            cost += 0.2 * np.minimum(inside, 5)
    gap = 0.4 * sizes.plank
    for label in labels:
        left, top, right, bottom = label.box
        free &= (lefts + wide + gap < left) | (lefts - gap > right) | (tops + high + gap < top) | (tops - gap > bottom)
    if not free.any():
        return None
    if land is not None:
        net = np.stack(np.meshgrid(np.linspace(0, wide, 7), np.linspace(0, high, 5)), axis=-1).reshape(-1, 2)
        cost += 1.5 * land.share(lefts[:, None] + net[:, 0], tops[:, None] + net[:, 1])
    to_side = np.minimum(lefts - rim, sheet.width - rim - wide - lefts) / sheet.width
    to_edge = np.minimum(tops - rim, sheet.height - rim - high - tops) / sheet.height
    cost += 3.0 * to_side + 3.0 * to_edge
    cost[~free] = np.inf
    best = int(np.argmin(cost))
    return float(lefts[best]), float(tops[best])


def _counts(points: Floats, lefts: Floats, tops: Floats, wide: float, high: float) -> Floats:
    """Return how many points lie in each box of a grid, row after row."""
    x, y = points.T
    across = (x > lefts[:, None]) & (x < lefts[:, None] + wide)
    down = (y > tops[:, None]) & (y < tops[:, None] + high)
    counts: Floats = down.astype(np.float64) @ across.T.astype(np.float64)
    return counts.ravel()
