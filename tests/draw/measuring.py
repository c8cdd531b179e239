"""What the tests of the drawings measure with: how deep two turned rectangles lie in each other, and whose."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from branchline.draw.geometry import Point, Space
from branchline.draw.layout import Layout

Corners = tuple[Point, Point, Point, Point]


def depth(one: Corners, two: Corners) -> float:
    """How far one rectangle would have to move so that they no longer overlap; 0 if they do not."""
    least = float("inf")
    for corners in (one, two):
        for i in (0, 1):
            dx, dy = corners[i + 1][0] - corners[i][0], corners[i + 1][1] - corners[i][1]
            size = hypot(dx, dy) or 1.0
            axis = (-dy / size, dx / size)
            first = [x * axis[0] + y * axis[1] for x, y in one]
            second = [x * axis[0] + y * axis[1] for x, y in two]
            shared = min(max(first), max(second)) - max(min(first), min(second))
            if shared <= 0:
                return 0.0
            least = min(least, shared)
    return least


def overlapping_spaces(layout: Layout, round_routes: set[int]) -> Iterator[tuple[float, int, int]]:
    """Spaces of different routes that lie in each other: depth in breadths of a space, and the two routes."""
    unit = layout.sizes.plank
    spaces = [(track.route, space) for track in layout.tracks for space in track.spaces]
    for i, (one, first) in enumerate(spaces):
        for two, second in spaces[i + 1 :]:
            if one == two:
                continue
            reach = (first.length + first.breadth + second.length + second.breadth) / 2
            if abs(first.x - second.x) > reach or abs(first.y - second.y) > reach:
                continue
            if one in round_routes and two in round_routes:
                found = max((first.breadth + second.breadth) / 2 - hypot(first.x - second.x, first.y - second.y), 0)
            else:
                found = depth(first.corners(), second.corners())
            if found:
                yield found / unit, one, two


def spaces_on_places(layout: Layout) -> Iterator[tuple[float, int, int]]:
    """Spaces that reach into a place: depth in breadths of a space, the route and the place."""
    ring = layout.sizes.ring
    for track in layout.tracks:
        for space in track.spaces:
            for place, (x, y) in enumerate(layout.sheet.places):
                gap = gap_to(space, (x, y)) - ring
                if gap < 0:
                    yield -gap / layout.sizes.plank, track.route, place


def gap_to(space: Space, point: Point) -> float:
    """From a point to the nearest part of a space."""
    from math import cos, radians, sin

    turn = radians(space.angle)
    dx, dy = point[0] - space.x, point[1] - space.y
    along, across = dx * cos(turn) + dy * sin(turn), dy * cos(turn) - dx * sin(turn)
    return hypot(max(abs(along) - space.length / 2, 0.0), max(abs(across) - space.breadth / 2, 0.0))


def names_on_spaces(layout: Layout) -> Iterator[tuple[float, int, int]]:
    """Names that cover a space: depth in breadths of a space, the place and the route."""
    for label in layout.labels:
        left, top, right, bottom = label.box
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        for track in layout.tracks:
            for space in track.spaces:
                found = depth(corners, space.corners())
                if found:
                    yield found / layout.sizes.plank, label.place, track.route
