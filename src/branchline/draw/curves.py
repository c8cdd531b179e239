"""Curves from place to place, and where along them the spaces lie.

A curve is a cubic with two bends, one near each end. Many shapes of one curve are worked out at once: arrays of points
have x and y first, then one row for each shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot

import numpy as np

from branchline.draw.geometry import Point, Sizes
from branchline.draw.projection import Floats

Shape = tuple[float, float, float, float]
"""The bend near each end, in lengths of the straight line; and how much later, in px, the spaces begin and end."""

STRAIGHT: Shape = (0.0, 0.0, 0.0, 0.0)

_STEPS = 33  # points that stand for a curve
_T = np.linspace(0.0, 1.0, _STEPS)
_SHARES = ((1 - _T) ** 3, 3 * (1 - _T) ** 2 * _T, 3 * (1 - _T) * _T**2, _T**3)  # of start, first, second bend, end


@dataclass(frozen=True)
class Span:
    """Parallel routes, or the part of them at one edge of the sheet, that share a curve."""

    routes: tuple[int, ...]
    start: Point
    end: Point
    trims: tuple[float, float]  # from the middle of the place at each end to the first space
    count: int  # spaces of each route
    ends: tuple[int, ...]  # places at its ends
    round: bool = False  # one round space, whatever the length
    afloat: float = 0.0  # how much land is to be kept off: ships cannot cross it, ferries may begin inland

    @property
    def chord(self) -> float:
        """Length of the straight line, in px; never 0."""
        return max(hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]), 1.0)

    def offsets(self, sizes: Sizes) -> list[float]:
        """Return how far each line of the set lies to the side of the common curve."""
        return [(line - (len(self.routes) - 1) / 2) * sizes.aside for line in range(len(self.routes))]


def curves(span: Span, shapes: Floats) -> tuple[Floats, Floats]:
    """Return for each shape the points of the curve, and how far along it each lies."""
    start, end = np.array(span.start)[:, None], np.array(span.end)[:, None]
    along = end - start
    aside = np.array([-along[1], along[0]])
    first = start + along / 3 + shapes[:, 0] * aside
    second = start + along * (2 / 3) + shapes[:, 1] * aside
    corners = (start, first, second, end)
    parts = [share * corner[:, :, None] for share, corner in zip(_SHARES, corners, strict=True)]
    points = parts[0] + parts[1] + parts[2] + parts[3]
    steps = points[:, :, 1:] - points[:, :, :-1]
    far = np.zeros((len(shapes), _STEPS))
    np.cumsum(np.hypot(steps[0], steps[1]), axis=1, out=far[:, 1:])
    return points, far


def _directions(points: Floats) -> Floats:
    """Return which way each curve goes at each of its points, as steps of length 1."""
    ways = np.empty_like(points)
    ways[..., 1:-1] = (points[..., 2:] - points[..., :-2]) / 2
    ways[..., 0] = points[..., 1] - points[..., 0]
    ways[..., -1] = points[..., -1] - points[..., -2]
    return _of_length_1(ways)


def _of_length_1(ways: Floats) -> Floats:
    result: Floats = ways / np.maximum(np.hypot(ways[0], ways[1]), 1e-9)
    return result


def _between(lines: Floats, far: Floats, stops: Floats) -> Floats:
    """Return what each line of numbers is after `stops` px along its curve, with `far` as each number's place along
    it.
    """
    passed = (far.T[:, :, None] <= stops).view(np.int8).sum(axis=0, dtype=np.int8)
    here = np.minimum(np.maximum(passed - 1, 0), _STEPS - 2) + _STEPS * np.arange(len(far))[:, None]
    start, end = far.ravel().take(here), far.ravel().take(here + 1)
    part = np.minimum(np.maximum((stops - start) / np.maximum(end - start, 1e-9), 0.0), 1.0)
    flat = lines.reshape(len(lines), -1)
    points: Floats = flat.take(here, axis=1) * (1 - part) + flat.take(here + 1, axis=1) * part
    return points


def walk(points: Floats, far: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """Return positions and directions after walking `stops` px along each curve."""
    walked = _between(np.concatenate([points, _directions(points)]), far, stops)
    return walked[:2], _of_length_1(walked[2:])


def round_size(sizes: Sizes) -> float:
    """Return the diameter of a subway's one round space."""
    return 1.85 * sizes.plank


def plank_lengths(span: Span, usable: Floats, sizes: Sizes) -> Floats:
    """Return the length of the spaces when `usable` px of the curve are free for them."""
    if span.round:
        return np.full_like(usable, round_size(sizes))
    fit = usable / max(span.count, 1) - sizes.gap
    return np.minimum(np.maximum(fit, 0.8 * sizes.plank), sizes.longest)


def stops_of(span: Span, begin: Floats, finish: Floats, sizes: Sizes) -> list[Floats]:
    """Return for each line of the set the middles of its spaces, in px along each curve.

    Where the places lie far apart the spaces stay together in the middle, so that they are seen as one route.
    """
    middle, count = (begin + finish) / 2, max(span.count, 1)
    pitch = np.minimum((finish - begin) / count, plank_lengths(span, finish - begin, sizes) + sizes.widest_gap)
    stops = middle[:, None] + (np.arange(span.count) - (count - 1) / 2) * pitch[:, None]
    if not span.round:
        return [stops] * len(span.routes)
    half = (len(span.routes) - 1) / 2  # round spaces are broader than their lines are apart: one after the other
    return [stops + (line - half) * 1.12 * round_size(sizes) for line in range(len(span.routes))]


def ends_of_spaces(span: Span, far: Floats, shapes: Floats) -> tuple[Floats, Floats]:
    """Return where, in px along each curve, its spaces begin and end."""
    return span.trims[0] + shapes[:, 2], far[:, -1] - span.trims[1] - shapes[:, 3]


def discs_of(span: Span, shapes: Floats, sizes: Sizes) -> tuple[Floats, Floats]:
    """Return for each shape the middles of discs, a plank broad, that cover the spaces; and the length of a space.

    How many discs a span has does not depend on its shape.
    """
    one_curve = (shapes[:, :2] == shapes[0, :2]).all()  # and only the spaces begin elsewhere
    points, far = curves(span, shapes[:1] if one_curve else shapes)
    begin, finish = ends_of_spaces(span, far, shapes)
    lengths = plank_lengths(span, finish - begin, sizes)
    stops = _disc_stops(span, begin, finish, lengths, sizes)
    if len(stops) == 1:  # it lies on the curve itself, so nobody asks which way that goes
        return _between(points, far, stops[0]), lengths
    where, way = walk(points, far, np.concatenate(stops, axis=1))
    aside = np.repeat(np.array(span.offsets(sizes)), [own.shape[1] for own in stops])
    where[0] -= aside * way[1]
    where[1] += aside * way[0]
    return where, lengths


def _disc_stops(span: Span, begin: Floats, finish: Floats, lengths: Floats, sizes: Sizes) -> Sequence[Floats]:
    """Return for each line of the set the middles of its discs, in px along each curve."""
    if span.round:  # the thin lines are kept clear of others too
        points_on_line = min(max(4, ceil(span.chord / (1.2 * sizes.plank))), 40)
        line = np.linspace(begin + sizes.plank, finish - sizes.plank, points_on_line, axis=1)
        return [np.hstack([line, own]) for own in stops_of(span, begin, finish, sizes)]
    if span.count == 0:
        return [np.linspace(begin, finish, 4, axis=1)] * len(span.routes)
    straight = plank_lengths(span, np.array([span.chord - sum(span.trims)]), sizes).item()
    each = np.linspace(-0.5, 0.5, min(max(2, ceil(straight / sizes.plank)), 5))
    reach = np.maximum(lengths - 0.8 * sizes.plank, 0.0)[:, None] * each
    middles = stops_of(span, begin, finish, sizes)[0]
    return [(middles[:, :, None] + reach[:, None, :]).reshape(len(begin), -1)] * len(span.routes)
