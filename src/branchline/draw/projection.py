"""From degrees to the sheet: where a place, a coast or a river is drawn.

Two projections are enough. A board whose places carry positions on the printed sheet (`Place.sheet`) is drawn
by these, and everything known only by its degrees is bent to agree with them; any other board is a Mercator map.
All lengths are px of a sheet 1,600 px wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from branchline.boards.board import Board, Place
from branchline.draw.geometry import Sheet

WIDTH = 1600.0
"""Every sheet is this wide; nudges in the boards' data are measured on it."""

Floats = npt.NDArray[np.float64]


class Projection(Protocol):
    """Turns degrees into px of the sheet."""

    height: float

    def points(self, lon: Floats, lat: Floats) -> Floats:
        """Return the px of many points at once, one row each."""
        ...

    def counted(self, lon: Floats) -> Floats:
        """Return longitudes of places as this map counts them: beyond 180 where it crosses the antimeridian."""
        ...


def _mercator(lat: Floats) -> Floats:
    """Return the height of a latitude on a Mercator map of radius 1."""
    clipped: Floats = np.radians(np.clip(lat, -84.0, 84.0))
    return np.arcsinh(np.tan(clipped))


class Mercator:
    """A plain Mercator map of a window of the earth."""

    def __init__(self, bounds: tuple[float, float, float, float]) -> None:
        self.bounds = bounds
        west, south, east, north = bounds
        self.west = west
        self.top = float(_mercator(np.array([north]))[0])
        bottom = float(_mercator(np.array([south]))[0])
        self.scale = WIDTH / np.radians(east - west)
        self.height = float(round((self.top - bottom) * self.scale))

    def points(self, lon: Floats, lat: Floats) -> Floats:
        """Return the px of many points at once, one row each."""
        x = np.radians(lon - self.west) * self.scale
        y = (self.top - _mercator(lat)) * self.scale
        return np.stack([x, y], axis=-1)

    def counted(self, lon: Floats) -> Floats:
        """Return the longitude that is nearest to the middle of the map."""
        west, _, east, _ = self.bounds
        turns: Floats = np.round(((west + east) / 2 - lon) / 360.0)
        return lon + 360.0 * turns


class Bent:
    """A map bent like a sheet of rubber so that every place lands where the printed sheet has it.

    A thin-plate spline: of all surfaces through the given points, the one that bends least, so coasts between
    the places stay smooth. `stiffness` above 0 lets it miss the points a little rather than fold.
    """

    def __init__(self, places: Sequence[Place], height: float, seam: float, stiffness: float = 0.0) -> None:
        self.height = height
        lon = np.array([place.lon if place.lon >= seam else place.lon + 360.0 for place in places])
        known = self._plane(lon, np.array([place.lat for place in places]))
        target = np.array([sheet_point(place, height) for place in places])
        count = len(places)
        system = np.zeros((count + 3, count + 3))
        system[:count, :count] = self._bending(known, known) + stiffness * np.eye(count)
        system[:count, count:] = np.hstack([np.ones((count, 1)), known])
        system[count:, :count] = system[:count, count:].T
        right = np.zeros((count + 3, 2))
        right[:count] = target
        self._known = known
        # least squares, because three places on one line would leave the system without a single answer
        self._weights: Floats = np.linalg.lstsq(system, right, rcond=None)[0].astype(np.float64)

    @staticmethod
    def _plane(lon: Floats, lat: Floats) -> Floats:
        """Return degrees on a flat map as in school atlases: the north drawn in a little, the empty south a lot."""
        drawn = np.where(lat < -36.0, -36.0 + 0.22 * (lat + 36.0), lat)
        return np.stack([lon / 90.0, 0.5 * (np.radians(drawn) + 0.5 * _mercator(drawn))], axis=-1)

    @staticmethod
    def _bending(points: Floats, known: Floats) -> Floats:
        squared = ((points[:, None, :] - known[None, :, :]) ** 2).sum(axis=-1)
        bending: Floats = 0.5 * squared * np.log(np.maximum(squared, 1e-12))
        return bending

    def points(self, lon: Floats, lat: Floats) -> Floats:
        """Return the px of many points at once, one row each; longitudes are taken as they are, also beyond the
        seam.
        """
        plane = self._plane(lon, lat)
        basis = np.hstack([self._bending(plane, self._known), np.ones((len(plane), 1)), plane])
        result: Floats = basis @ self._weights
        return result

    def counted(self, lon: Floats) -> Floats:
        """Return the longitudes as they are: this map is round."""
        return lon


@dataclass(frozen=True)
class ProjectedSheet(Sheet):
    """A sheet with its projection."""

    projection: Projection

    def at(self, lat: float, lon: float) -> tuple[float, float]:
        """Return where one point of the earth is drawn."""
        x, y = self.projection.points(self.projection.counted(np.array([lon])), np.array([lat]))[0]
        return float(x), float(y)


def sheet_point(place: Place, height: float) -> tuple[float, float]:
    """Return a place's position given on the printed sheet, in px."""
    assert place.sheet is not None
    return place.sheet[0] * WIDTH, place.sheet[1] * height


def _default_bounds(board: Board) -> tuple[float, float, float, float]:
    """Return a window around all places, with room for the names at its edges."""
    lons = [place.lon for place in board.places]
    lats = [place.lat for place in board.places]
    wide = max(max(lons) - min(lons), 1e-3)
    high = max(max(lats) - min(lats), 1e-3)
    side = 0.07 * max(wide, 0.6 * high)
    above = 0.07 * max(high, 0.4 * wide)
    return min(lons) - side, min(lats) - above, max(lons) + side, max(lats) + above


def sheet_of(board: Board) -> ProjectedSheet:
    """Return the sheet of a board, from its places and the `[map]` table of its board.toml."""
    projection: Projection
    if board.places and all(place.sheet is not None for place in board.places):
        height = float(round(WIDTH * float(board.map.get("ratio", 0.6))))
        projection = Bent(board.places, height, float(board.map.get("seam", -180.0)))
        points = [sheet_point(place, height) for place in board.places]
    else:
        given = board.map.get("bounds")
        bounds = (
            (float(given[0]), float(given[1]), float(given[2]), float(given[3])) if given else _default_bounds(board)
        )
        projection = Mercator(bounds)
        height = projection.height
        lon, lat = (np.array([getattr(place, name) for place in board.places]) for name in ("lon", "lat"))
        points_at = projection.points(projection.counted(lon), lat)
        points = [(float(x), float(y)) for x, y in points_at]
    nudged = tuple(
        (round(x + place.nudge[0], 1), round(y + place.nudge[1], 1))
        for place, (x, y) in zip(board.places, points, strict=True)
    )
    return ProjectedSheet(WIDTH, height, nudged, projection)
