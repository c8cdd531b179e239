"""The backdrop of any region of the world: land, lakes, rivers and borders, cut out and as coarse as the map is.

The map of the world is Natural Earth 1:50m (https://www.naturalearthdata.com, public domain; borders as of 2017),
packed into `data/world.json.gz` by `tools/pack_natural_earth.py`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import accumulate, groupby, pairwise
from math import hypot, isfinite
from typing import Any

from branchline.boards.faults import BranchlineError
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject
from branchline.workshop.globe import Bounds

Point = tuple[float, float]
Points = list[Point]
Line = tuple[Points, Bounds]
"""Points, and the smallest bounds around them."""

FARTHEST = 84.0  # degrees north or south: a Mercator map has no poles
SMALLEST = 0.1  # degrees from edge to edge; the data know nothing smaller
SHEET = 1600.0  # px, the width of a drawn board
MARGIN = 0.03  # of the width: what is cut there is cut out of sight, with the light along the coasts
FINEST = 0.6  # px; corners that stand out less are left away
SHORTEST = 24.0  # px; shorter rivers are left away
TINIEST = 3.0  # px; smaller islands and lakes are left away


class RegionError(BranchlineError):
    """Bounds of which there is no map."""


def backdrop(bounds: Bounds, *, provinces: bool = False) -> JsonObject:
    """Return the backdrop of a board with these `bounds`, as GeoJSON (`docs/board_format.md`): a feature for each kind.

    Longitudes go on beyond 180 over the antimeridian, as those of the bounds do. With `provinces` the states and
    provinces of the largest countries have borders, too. Raise `RegionError` for bounds that are none.
    """
    west, south, east, north = checked(bounds)
    pixel = (east - west) / SHEET
    aside = MARGIN * (east - west)
    window = (west - aside, south - aside, east + aside, north + aside)
    world = _world()
    features = []
    for kind, layer in (("land", "land"), ("lake", "lake")):
        areas = [area for shape in world.areas[layer] for area in _cut_area(shape, window, pixel)]
        features.append(_feature(kind, "MultiPolygon", areas))
    borders = [*world.lines["border"], *(world.lines["province"] if provinces else ())]
    for kind, lines, shortest in (("stream", world.lines["river"], SHORTEST * pixel), ("border", borders, 0.0)):
        cut = [part for line in lines for part in _cut_line(line, window, pixel, shortest)]
        features.append(_feature(kind, "MultiLineString", cut))
    return {
        "type": "FeatureCollection",
        "features": [feature for feature in features if feature["geometry"]["coordinates"]],
    }


def checked(bounds: Bounds) -> Bounds:
    """Return the same bounds if there is a map of them. Raise `RegionError` with what was expected."""
    if len(bounds) != 4 or not all(isfinite(number) for number in bounds):
        raise RegionError("expected the bounds of a region: west, south, east, north in degrees")
    west, south, east, north = bounds
    if not -180 <= west < 180:
        raise RegionError(worded("west is {west:g}, expected a longitude from -180 to 180", west=west))
    if not -FARTHEST <= south < north <= FARTHEST:
        raise RegionError(worded("expected latitudes from -{most:g} to {most:g}, south and then north", most=FARTHEST))
    if not west < east <= min(west + 360, 360):
        beyond = worded("; over the antimeridian it is {east:g}", east=east + 360) if east <= west else ""
        raise RegionError(
            worded(
                "east is {east:g}, expected a longitude east of {west:g}{beyond}", east=east, west=west, beyond=beyond
            )
        )
    if min(east - west, north - south) < SMALLEST:
        raise RegionError(
            worded("the region is smaller than {low:g} degrees, too small for our world map", low=SMALLEST)
        )
    return west, south, east, north


class _World:
    """The packed map, all in degrees."""

    def __init__(self) -> None:
        packed = json.loads(gzip.decompress((files(__package__) / "data" / "world.json.gz").read_bytes()))
        self.areas = {name: [[_line(ring) for ring in area] for area in packed[name]] for name in ("land", "lake")}
        self.lines = {name: [_line(line) for line in packed[name]] for name in ("river", "border", "province")}


@cache
def _world() -> _World:
    return _World()


def _line(steps: list[int]) -> Line:
    """Return a line from steps of hundredths of a degree."""
    points = [(x / 100, y / 100) for x, y in zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True)]
    return points, _around(points)


def _around(points: Points) -> Bounds:
    """Return the smallest bounds around points."""
    longitudes, latitudes = [x for x, _ in points], [y for _, y in points]
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def _shifted(points: Points, shift: float) -> Points:
    """Return points as many degrees further east."""
    return [(x + shift, y) for x, y in points] if shift else points


def _meets(box: Bounds, window: Bounds, shift: float) -> bool:
    return box[0] + shift < window[2] and box[2] + shift > window[0] and box[1] < window[3] and box[3] > window[1]


_SHIFTS = (-360.0, 0.0, 360.0)  # the earth is round: the same land lies east and west

# ------------------------------------------------------------------------------------------------ areas


def _cut_area(area: list[Line], window: Bounds, pixel: float) -> list[list[list[list[float]]]]:
    """Return the part of an area inside of the window, as rings, once for each time that it comes around."""
    rings_found = []
    for shift in _SHIFTS:
        if not _meets(area[0][1], window, shift):
            continue
        rings = [_cut_ring(_shifted(points, shift), window) for points, around in area if _meets(around, window, shift)]
        rings = [_coarser(ring, FINEST * pixel) for ring in rings if len(ring) > 3 and _size(ring) >= TINIEST * pixel]
        coarse = [_numbers(ring, pixel) for ring in rings if len(ring) > 3]
        if coarse:
            rings_found.append(coarse)
    return rings_found


def _size(points: Points) -> float:
    west, south, east, north = _around(points)
    return max(east - west, north - south)


def _cut_ring(ring: Points, window: Bounds) -> Points:
    """Return what of a closed ring is inside (Sutherland and Hodgman): cut along one edge after the other.

    Parts that leave the window and come back stay joined along its edge, which is out of sight.
    """
    for axis, limit, sign in ((0, window[0], 1), (0, window[2], -1), (1, window[1], 1), (1, window[3], -1)):
        inside = [sign * (point[axis] - limit) >= 0 for point in ring]
        if all(inside):
            continue
        if not any(inside):
            return []
        kept: Points = []
        for index in range(len(ring) - 1):
            if inside[index]:
                kept.append(ring[index])
            if inside[index] != inside[index + 1]:
                kept.append(_crossing(ring[index], ring[index + 1], axis, limit))
        ring = [*kept, kept[0]]
    return ring


def _crossing(a: Point, b: Point, axis: int, limit: float) -> Point:
    """Return where the way from a to b meets a meridian (axis 0) or a parallel (axis 1)."""
    other = 1 - axis
    at = a[other] + (limit - a[axis]) / (b[axis] - a[axis]) * (b[other] - a[other])
    return (limit, at) if axis == 0 else (at, limit)


# ------------------------------------------------------------------------------------------------ lines


def _cut_line(line: Line, window: Bounds, pixel: float, shortest: float) -> list[list[list[float]]]:
    """Return the parts of a line that lie inside of the window or lead into it."""
    points, around = line
    parts = []
    for shift in _SHIFTS:
        if not _meets(around, window, shift):
            continue
        moved = _shifted(points, shift)
        for start, end in _runs(_is_seen(a, b, window) for a, b in pairwise(moved)):
            part = moved[start : end + 1]
            if _length(part) >= shortest:
                parts.append(_numbers(_coarser(part, FINEST * pixel), pixel))
    return parts


def _is_seen(a: Point, b: Point, window: Bounds) -> bool:
    """Return whether the bounds of a short line touch the window."""
    return (
        max(a[0], b[0]) >= window[0]
        and max(a[1], b[1]) >= window[1]
        and min(a[0], b[0]) <= window[2]
        and min(a[1], b[1]) <= window[3]
    )


def _runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Begin and end (excluded) of each run of true ones."""
    start = 0
    for flag, run in groupby(flags):
        end = start + sum(1 for _ in run)
        if flag:
            yield start, end
        start = end


def _length(points: Points) -> float:
    return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(points))


# ------------------------------------------------------------------------------------------------ detail


def _coarser(points: Points, finest: float) -> Points:
    """Return the points without the corners that stand out less than `finest` (Ramer, Douglas and Peucker)."""
    kept = {0, len(points) - 1}
    open_parts = [(0, len(points) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        if last - first < 2:
            continue
        middle, off = _farthest(points, first, last)
        if off > finest:
            kept.add(middle)
            open_parts += [(first, middle), (middle, last)]
    return [points[index] for index in sorted(kept)]


def _farthest(points: Points, first: int, last: int) -> tuple[int, float]:
    """Return which point between two others is farthest from the line that joins these, and how far it is."""
    x, y = points[first]
    along_x, along_y = points[last][0] - x, points[last][1] - y
    squared = along_x * along_x + along_y * along_y
    worst, most = first + 1, -1.0
    for index in range(first + 1, last):
        off_x, off_y = points[index][0] - x, points[index][1] - y
        share = min(1.0, max(0.0, (off_x * along_x + off_y * along_y) / squared)) if squared else 0.0
        off = hypot(off_x - share * along_x, off_y - share * along_y)
        if off > most:
            worst, most = index, off
    return worst, most


def _numbers(points: Points, pixel: float) -> list[list[float]]:
    """Return the points with as many decimals as a tenth of a pixel needs."""
    decimals = next(count for count in range(1, 6) if 10.0**-count <= max(pixel / 4, 1e-5))
    return [[round(x, decimals), round(y, decimals)] for x, y in points]


def _feature(kind: str, shape: str, coordinates: list[Any]) -> JsonObject:
    return {"type": "Feature", "properties": {"kind": kind}, "geometry": {"type": shape, "coordinates": coordinates}}
