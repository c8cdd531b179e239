"""Where the places of a draft are drawn, as far as it says where they lie."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from branchline.draw.projection import WIDTH, Mercator
from branchline.workshop.draft import Draft
from branchline.workshop.ground import bounds_of, point_of, sheet_height, sheet_points

Point = tuple[float, float]


def positions(draft: Draft) -> dict[str, Point]:
    """Place → px from the left and the top of a sheet 1,600 px wide; places without a position are missing."""
    if draft["layout"]:
        height = sheet_height(draft)
        return {name: (x * WIDTH, y * height) for name, (x, y) in sheet_points(draft).items()}
    known = {
        name: point
        for cells in draft["cities"].values()
        if (name := cells.get("name", "")) and (point := point_of(cells)) is not None
    }
    if not known:
        return {}
    projection = Mercator(bounds_of(draft))
    lat, lon = np.array(list(known.values())).T
    points = projection.points(projection.counted(lon), lat).tolist()
    return {name: (x, y) for name, (x, y) in zip(known, points, strict=True)}


def breadth(draft: Draft) -> float:
    """Return the mean of the sheet's width and height (the root of its area), in px."""
    height = sheet_height(draft) if draft["layout"] else Mercator(bounds_of(draft)).height
    return sqrt(WIDTH * height)


def far(first: Point, other: Point) -> float:
    """Return the distance from point to point, in px."""
    return hypot(first[0] - other[0], first[1] - other[1])
