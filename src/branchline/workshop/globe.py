"""Points and windows on the globe, and distances."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt

RADIUS = 6371.0  # km

Point = tuple[float, float]
"""Degrees north and east."""
Bounds = tuple[float, float, float, float]
"""West, south, east, north in degrees; east of a map over the antimeridian is more than 180."""


def kilometres(a: Point, b: Point) -> float:
    """Return the shortest distance over the earth, in km."""
    (north_a, east_a), (north_b, east_b) = a, b
    rise, turn = radians(north_b - north_a) / 2, radians(east_b - east_a) / 2
    part = sin(rise) ** 2 + cos(radians(north_a)) * cos(radians(north_b)) * sin(turn) ** 2
    return 2 * RADIUS * asin(min(1.0, sqrt(part)))
