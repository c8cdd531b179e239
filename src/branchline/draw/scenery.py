"""The quiet backdrop: land, borders, rivers, parks, and the net of degrees, as path data.

Read from the GeoJSON file the board's `[map]` table names; a board without one is drawn on plain paper.
A feature's `kind` says what it is: land, border, lake, river, stream, canal, park or street.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.boards.backdrop import AREAS
from branchline.boards.board import Board
from branchline.decoding import decoded
from branchline.draw.geometry import COAST, Scenery, Sheet
from branchline.draw.projection import Bent, Floats, Mercator, ProjectedSheet
from branchline.plain_data import JsonObject

WINDING = ("canal", "stream", "river", "park")


_CELL = 6.0  # px; coarse, but ships need no better chart


class Land:
    """Where on the sheet there is land, in small squares."""

    def __init__(self, rings: Sequence[Floats], sheet: Sheet) -> None:
        rows, columns = ceil(sheet.height / _CELL), ceil(sheet.width / _CELL)
        turns = np.zeros((rows, columns + 1), dtype=int)
        for ring in rings:
            np.add.at(turns, _crossings(ring, rows, columns), 1)
        # every edge turns over the cells to its right: what was turned an odd number of times is inside
        self._cells = turns[:, :-1].cumsum(axis=1) % 2 == 1

    def share(self, x: Floats, y: Floats) -> Floats:
        """Return for each row of points which part of them is on land."""
        rows = np.clip((y / _CELL).astype(int), 0, self._cells.shape[0] - 1)
        columns = np.clip((x / _CELL).astype(int), 0, self._cells.shape[1] - 1)
        part: Floats = self._cells[rows, columns].mean(axis=-1)
        return part


def _crossings(ring: Floats, rows: int, columns: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return row by row the first cells to the right of each edge; their middles count."""
    (x1, y1), (x2, y2) = ring.T, np.roll(ring, -1, axis=0).T
    first = np.maximum(np.ceil(np.minimum(y1, y2) / _CELL - 0.5), 0).astype(int)
    last = np.minimum(np.ceil(np.maximum(y1, y2) / _CELL - 0.5), rows).astype(int)
    counts = np.maximum(last - first, 0)
    edge = np.repeat(np.arange(len(ring)), counts)
    row = first[edge] + np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    x1, y1, x2, y2 = x1[edge], y1[edge], x2[edge], y2[edge]
    x = x1 + ((row + 0.5) * _CELL - y1) / (y2 - y1) * (x2 - x1)
    return row, np.searchsorted((np.arange(columns) + 0.5) * _CELL, x, side="right")


@lru_cache(maxsize=16)
def _features(file: Path, _changed: float) -> tuple[Any, ...]:
    """Return the features of a GeoJSON file."""
    return tuple(json.loads(decoded(file.read_bytes()).text)["features"])


def _rings(geometry: JsonObject) -> Iterator[Floats]:
    """Yield all rings or lines of a geometry, as rows of longitude and latitude."""
    depth = {"LineString": 0, "MultiLineString": 1, "Polygon": 1, "MultiPolygon": 2}.get(geometry["type"])
    if depth is None:
        return
    parts = [geometry["coordinates"]]
    for _ in range(depth):
        parts = [ring for part in parts for ring in part]
    for part in parts:
        yield np.array(part, dtype=float)[:, :2]


def _denser(ring: Floats, step: float) -> Floats:
    """Return the same line with points at least every `step` degrees, so that it can be bent."""
    ways = ring[1:] - ring[:-1]
    counts = np.maximum(np.ceil(np.abs(ways).max(axis=1) / step), 1).astype(int)
    pieces = np.repeat(np.arange(len(ways)), counts)
    steps = np.arange(len(pieces)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.concatenate([ring[:-1][pieces] + ways[pieces] * steps[:, None] / counts[pieces][:, None], ring[-1:]])


def _rounded(line: Floats) -> Floats:
    """Return the same line with its corners cut twice: water has none."""
    for _ in range(2):
        near, far = 0.75 * line[:-1] + 0.25 * line[1:], 0.25 * line[:-1] + 0.75 * line[1:]
        cut = np.stack([near, far], axis=1).reshape(-1, 2)
        line = np.concatenate([line[:1], cut, line[-1:]])
    return line


def _path(points: Floats, closed: bool, detail: float) -> str:
    """Return path data with steps no smaller than `detail` px, relative to save space."""
    first, *others = points.tolist()
    kept = [first]
    for point in others:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= detail:
            kept.append(point)
    if len(kept) < (3 if closed else 2):
        return ""
    whole = np.round(np.array(kept) * 10).astype(int)
    start, steps = whole[0].tolist(), np.diff(whole, axis=0).tolist()
    text = f"M{_tenth(start[0])} {_tenth(start[1])}l" + " ".join(f"{_tenth(x)} {_tenth(y)}" for x, y in steps)
    return text + ("z" if closed else "")


def _tenth(tenths: int) -> str:
    """Return a number given in tenths, as short as possible."""
    return f"{tenths / 10:g}"


def _visible(points: Floats, sheet: Sheet, margin: float) -> bool:
    low, high = points.min(axis=0), points.max(axis=0)
    return bool(
        high[0] > -margin and low[0] < sheet.width + margin and high[1] > -margin and low[1] < sheet.height + margin
    )


def scenery_of(board: Board, sheet: ProjectedSheet, coarse: float = 1.0) -> Scenery:
    """Return the backdrop of a board, in px of its sheet, drawn `coarse` times as coarsely for small pictures."""
    return scenery_and_land(board, sheet, coarse)[0]


def scenery_and_land(board: Board, sheet: ProjectedSheet, coarse: float = 1.0) -> tuple[Scenery, Land | None]:
    """Return the backdrop, and where on it there is land; None where there is no sea."""
    name = board.map.get("backdrop")
    if not name or board.folder is None or not (board.folder / str(name)).is_file():
        return Scenery({}, _net(sheet) if isinstance(sheet.projection, Bent) else ""), None
    file = board.folder / str(name)
    return drawn_features(_features(file, file.stat().st_mtime), sheet, float(board.map.get("seam", -180.0)), coarse)


def drawn_features(
    features: Sequence[Any], sheet: ProjectedSheet, seam: float = -180.0, coarse: float = 1.0
) -> tuple[Scenery, Land | None]:
    """Return the same for sound features (`boards.backdrop`) on any sheet.

    `seam`: where a round map is cut, in degrees.
    """
    bent = isinstance(sheet.projection, Bent)
    net = _net(sheet)
    paths: dict[str, list[str]] = {}
    land: list[Floats] = []
    for feature in features:
        kind = feature["properties"]["kind"]
        for ring in _rings(feature["geometry"]):
            line = _denser(ring, 2.0) if bent else _rounded(ring) if kind in WINDING else ring
            # a round map goes on beyond its seam, so its land is laid down once more on either side
            for shift in (0.0, -360.0, 360.0) if bent else (0.0,):
                points = sheet.projection.points(line[:, 0] + shift, line[:, 1])
                size = points.max(axis=0) - points.min(axis=0)
                if not _visible(points, sheet, 4.0) or (kind in AREAS and max(size) < 3.0 * coarse):
                    continue
                detail = coarse * (1.6 if bent else 1.2)
                paths.setdefault(kind, []).append(_path(points, kind in AREAS, detail))
                if kind == "land":
                    land.append(points)
                    # where the map is cut the land goes on: no coast there
                    cut = bent & (np.abs((line[:, 0] - seam + 180.0) % 360.0 - 180.0) < 0.12)
                    paths.setdefault(COAST, []).append(_open_path(points, cut, detail))
    scenery = Scenery({kind: "".join(pieces) for kind, pieces in paths.items()}, net if land else "")
    return scenery, Land(land, sheet) if land else None


def _open_path(points: Floats, cut: npt.NDArray[np.bool_], detail: float) -> str:
    """Return the ring without its steps from one point on the cut to another."""
    if not cut.any():
        return _path(points, True, detail)
    pieces, piece = [], [points[0]]
    for i in range(1, len(points)):
        if cut[i] and cut[i - 1]:
            pieces.append(piece)
            piece = []
        piece.append(points[i])
    return "".join(_path(np.array(piece), False, detail) for piece in [*pieces, piece] if len(piece) > 1)


def _net(sheet: ProjectedSheet) -> str:
    """Return meridians and parallels at a round number of degrees."""
    projection = sheet.projection
    if isinstance(projection, Mercator):
        west, south, east, north = projection.bounds
        rough = (east - west) / 8
        unit = 10.0 ** floor(log10(rough))
        step = next(unit * nice for nice in (1, 2, 5, 10) if unit * nice >= rough)
    else:
        west, south, east, north, step = -220.0, -78.0, 300.0, 84.0, 15.0
    lines = []
    for lon in np.arange(ceil(west / step) * step, east, step):
        lines.append(np.stack([np.full(33, lon), np.linspace(south, north, 33)], axis=-1))
    for lat in np.arange(ceil(south / step) * step, north, step):
        lines.append(np.stack([np.linspace(west, east, 65), np.full(65, lat)], axis=-1))
    lines_drawn = [projection.points(line[:, 0], line[:, 1]) for line in lines]
    return "".join(_path(points, False, 6.0) for points in lines_drawn if _visible(points, sheet, 0.0))
