"""The ground that a draft is drawn on: the sheet with its backdrop, for any draft, however unfinished."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from branchline.boards import Place
from branchline.boards.backdrop import feature_fault
from branchline.draw.projection import WIDTH, Bent, Mercator, ProjectedSheet
from branchline.draw.scenery import drawn_features
from branchline.plain_data import JsonObject
from branchline.workshop.draft import Draft

Bounds = tuple[float, float, float, float]
"""West, south, east, north in degrees."""

WHOLE_EARTH: Bounds = (-170.0, -56.0, 190.0, 74.0)
FARTHEST = 84.0  # degrees north and south
SMALLEST = 0.005  # degrees
AIR = 0.12  # of the width, around the places of a draft that has no bounds
FEWEST = 4  # places on a sheet that the backdrop can be bent by


@dataclass(frozen=True)
class Ground:
    """The sheet of a draft in px, and what lies on it."""

    width: float
    height: float
    bounds: Bounds | None  # of a Mercator map; None: places lie where `layout.csv` has them
    paths: dict[str, str]  # kind of a feature → path data

    def as_json(self) -> JsonObject:
        """Return the ground as plain JSON."""
        return {"width": self.width, "height": self.height, "bounds": self.bounds, "paths": self.paths}


def ground_of(draft: Draft, coarse: float = 1.0) -> Ground:
    """Return the ground of a draft; `coarse` times coarser for small pictures."""
    section = draft.settings.get("map")
    rules = section if isinstance(section, dict) else {}
    features = _sound_features(draft)
    if draft["layout"]:
        height = sheet_height(draft)
        places = _laid_out(draft)
        if len(places) < FEWEST:
            return Ground(WIDTH, height, None, {})
        seam = _between(rules.get("seam"), -180.0, 180.0, -180.0)
        sheet = ProjectedSheet(WIDTH, height, (), Bent(places, height, seam))
        return Ground(WIDTH, height, None, drawn_features(features, sheet, seam, coarse)[0].paths)
    bounds = bounds_of(draft)
    projection = Mercator(bounds)
    sheet = ProjectedSheet(WIDTH, projection.height, (), projection)
    return Ground(WIDTH, projection.height, bounds, drawn_features(features, sheet, coarse=coarse)[0].paths)


def bounds_of(draft: Draft) -> Bounds:
    """Return the bounds of a map without layout: those in board.toml, else a window around the places, else the
    earth.
    """
    section = draft.settings.get("map")
    bounds = section.get("bounds") if isinstance(section, dict) else None
    if isinstance(bounds, list) and len(bounds) == 4 and all(type(bound) in (int, float) for bound in bounds):
        west, south, east, north = (float(bound) for bound in bounds)
        if west + SMALLEST < east <= west + 360 and -FARTHEST <= south < north - SMALLEST and north <= FARTHEST:
            return west, south, east, north
    points = [point for point in map(point_of, draft["cities"].values()) if point is not None]
    if not points:
        return WHOLE_EARTH
    lats, lons = [lat for lat, _ in points], [lon for _, lon in points]
    air = max(AIR * (max(lons) - min(lons)), AIR * (max(lats) - min(lats)), 20 * SMALLEST)
    return (
        min(lons) - air,
        max(min(lats) - air, -FARTHEST),
        min(max(lons) + air, min(lons) - air + 360),
        min(max(lats) + air, FARTHEST),
    )


def _sound_features(draft: Draft) -> list[object]:
    features = draft.backdrop.get("features") if draft.backdrop else None
    return [feature for feature in features if not feature_fault(feature)] if isinstance(features, list) else []


def sheet_height(draft: Draft) -> float:
    """Return the height in px of a drawn sheet (`layout.csv`)."""
    section = draft.settings.get("map")
    return float(round(WIDTH * _between(section.get("ratio") if isinstance(section, dict) else None, 0.2, 3.0, 0.6)))


def sheet_points(draft: Draft) -> dict[str, tuple[float, float]]:
    """Place → where it lies on a drawn sheet, 0 to 1 from the left and the top, where both are such numbers."""
    points: dict[str, tuple[float, float]] = {}
    for cells in draft["layout"].values():
        x, y = _number(cells.get("x")), _number(cells.get("y"))
        if x is not None and y is not None and 0 <= x <= 1 and 0 <= y <= 1 and "name" in cells:
            points[cells["name"]] = (x, y)
    return points


def _laid_out(draft: Draft) -> list[Place]:
    """Return the places that have degrees and lie on the sheet: by these the backdrop is bent."""
    sheet = sheet_points(draft)
    by_point: dict[tuple[float, float], Place] = {}
    for cells in draft["cities"].values():
        point, name = point_of(cells), cells.get("name", "")
        if point is not None and name in sheet:
            by_point.setdefault(point, Place(len(by_point), name, "city", *point, sheet=sheet[name]))
    return list(by_point.values())


def point_of(cells: Any) -> tuple[float, float] | None:
    """Return latitude and longitude of a place, where both are numbers."""
    lat, lon = _number(cells.get("lat")), _number(cells.get("lon"))
    known = lat is not None and lon is not None and abs(lat) <= FARTHEST and abs(lon) <= 180
    return (lat, lon) if known and lat is not None and lon is not None else None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _between(value: Any, low: float, high: float, default: float) -> float:
    return float(value) if type(value) in (int, float) and low <= value <= high else default
