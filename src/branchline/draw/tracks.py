"""The curve of every route, and where each of its spaces lies.

Parallel routes share one curve and lie side by side along it. A curve is a cubic with two bends, one near each
end; all start straight and are bent, one after the other and again until nothing improves, to where their spaces
lie clear of places, names and other routes, are long enough to carry a symbol, and bend no more than needed.
Nothing is drawn by lot: the same board always gives the same curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, degrees, hypot

import numpy as np

from branchline.atlas.board import Board, Route
from branchline.draw.projection import Floats, Sheet
from branchline.draw.sizes import Sizes

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_STEPS = 33  # points that stand for a curve


@dataclass(frozen=True)
class Space:
    """One space of a route: its middle, its slope, its length and breadth."""

    x: float
    y: float
    angle: float  # degrees; 0 lies flat, 90 stands upright
    length: float
    breadth: float

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Its four corners, in order."""
        turn = np.radians(self.angle)
        along = (np.cos(turn) * self.length / 2, np.sin(turn) * self.length / 2)
        across = (-np.sin(turn) * self.breadth / 2, np.cos(turn) * self.breadth / 2)
        return (
            (self.x - along[0] - across[0], self.y - along[1] - across[1]),
            (self.x + along[0] - across[0], self.y + along[1] - across[1]),
            (self.x + along[0] + across[0], self.y + along[1] + across[1]),
            (self.x - along[0] + across[0], self.y - along[1] + across[1]),
        )


@dataclass(frozen=True)
class Track:
    """Where one route lies: its spaces from `a` to `b`, and the line (two, over the edge) they are threaded on."""

    route: int
    spaces: tuple[Space, ...]
    beds: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class EdgeSign:
    """Where routes leave the sheet, and the place they go to."""

    x: float
    y: float
    east: bool  # at the right edge
    place: int  # on the other side


@dataclass
class _Span:
    """Parallel routes, or the part of them at one edge of the sheet, that share a curve."""

    routes: tuple[int, ...]
    start: Point
    end: Point
    trims: tuple[float, float]  # from the middle of the place at each end to the first space
    count: int  # spaces of each route
    ends: tuple[int, ...]  # places at its ends
    round: bool = False  # one round space, whatever the length
    bend: tuple[float, float] = (0.0, 0.0)
    discs: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def chord(self) -> float:
        return max(hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]), 1.0)


def _edge_share(board: Board, route: Route, west_way: float, east_way: float) -> tuple[int, int, float | None]:
    """Spaces of a route over the edge at the west edge and at the east edge, and where it crosses, if given."""
    given = board.map.get("edges", {})
    for name in (f"{route.a.name}–{route.b.name}", f"{route.b.name}–{route.a.name}"):
        if name in given:
            share = given[name]
            return int(share[0]), int(share[1]), float(share[2]) if len(share) > 2 else None
    west = round(route.length * west_way / max(west_way + east_way, 1.0))
    return west, route.length - west, None


def _spans(board: Board, sheet: Sheet, sizes: Sizes) -> tuple[list[_Span], list[EdgeSign]]:
    """All curves of the board, straight as yet."""
    parallel: dict[int, list[Route]] = {}
    for route in board.routes:
        parallel.setdefault(route.parallel, []).append(route)
    spans: list[_Span] = []
    signs: list[EdgeSign] = []
    for routes in parallel.values():
        first = routes[0]
        indices = tuple(route.index for route in routes)
        start = sheet.at(*first.end_a) if first.end_a else sheet.places[first.a.index]
        end = sheet.at(*first.end_b) if first.end_b else sheet.places[first.b.index]
        near = sizes.ring * 0.75 + sizes.gap
        trims = (near if first.end_a else sizes.start, near if first.end_b else sizes.start)
        if not first.wraps:
            ends = (first.a.index, first.b.index)
            one_round = first.kind == "subway"
            spans.append(_Span(indices, start, end, trims, first.length, ends, one_round))
            continue
        rim = sizes.frame
        a_west = start[0] < end[0]
        west, east = (start, end) if a_west else (end, start)
        west_way, east_way = west[0] - rim, sheet.width - rim - east[0]
        west_count, east_count, height = _edge_share(board, first, west_way, east_way)
        if height is None:
            y = west[1] + (east[1] - west[1]) * west_way / max(west_way + east_way, 1.0)
        else:
            y = height * sheet.height
        at_west, at_east = (rim, y), (sheet.width - rim, y)
        free = sizes.gap
        if a_west:
            first_span = _Span(indices, start, at_west, (trims[0], free), west_count, (first.a.index,))
            other_span = _Span(indices, at_east, end, (free, trims[1]), east_count, (first.b.index,))
        else:
            first_span = _Span(indices, start, at_east, (trims[0], free), east_count, (first.a.index,))
            other_span = _Span(indices, at_west, end, (free, trims[1]), west_count, (first.b.index,))
        spans += [first_span, other_span]
        signs.append(EdgeSign(rim, y, False, first.b.index if a_west else first.a.index))
        signs.append(EdgeSign(sheet.width - rim, y, True, first.a.index if a_west else first.b.index))
    return spans, signs


def _curves(span: _Span, bends: Floats) -> tuple[Floats, Floats]:
    """For each pair of bends the points of the curve, and how far along it each lies."""
    start, end = np.array(span.start), np.array(span.end)
    along = end - start
    aside = np.array([-along[1], along[0]])
    first = start + along / 3 + bends[:, :1] * aside
    second = start + along * (2 / 3) + bends[:, 1:] * aside
    t = np.linspace(0.0, 1.0, _STEPS)[None, :, None]
    points = (
        (1 - t) ** 3 * start
        + 3 * (1 - t) ** 2 * t * first[:, None, :]
        + 3 * (1 - t) * t**2 * second[:, None, :]
        + t**3 * end
    )
    steps = np.hypot(np.diff(points[:, :, 0], axis=1), np.diff(points[:, :, 1], axis=1))
    far = np.hstack([np.zeros((len(bends), 1)), np.cumsum(steps, axis=1)])
    return points, far


def _walk(points: Floats, far: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """Positions and directions after walking `stops` px along one curve."""
    x = np.interp(stops, far, points[:, 0])
    y = np.interp(stops, far, points[:, 1])
    step = 0.02 * far[-1]
    ahead, behind = np.minimum(stops + step, far[-1]), np.maximum(stops - step, 0.0)
    dx = np.interp(ahead, far, points[:, 0]) - np.interp(behind, far, points[:, 0])
    dy = np.interp(ahead, far, points[:, 1]) - np.interp(behind, far, points[:, 1])
    long = np.maximum(np.hypot(dx, dy), 1e-9)
    return np.stack([x, y], axis=-1), np.stack([dx / long, dy / long], axis=-1)


def _offsets(span: _Span, sizes: Sizes) -> list[float]:
    """How far each line of the set lies to the side of the common curve."""
    aside = sizes.aside * (1.75 if span.round else 1.0)
    return [(line - (len(span.routes) - 1) / 2) * aside for line in range(len(span.routes))]


def round_size(sizes: Sizes) -> float:
    """Diameter of a subway's one round space."""
    return 1.85 * sizes.plank


def _plank_length(span: _Span, usable: float, sizes: Sizes) -> float:
    """Length of the spaces when so much of the curve is free for them."""
    if span.round:
        return round_size(sizes)
    fit = usable / max(span.count, 1) - sizes.gap
    return min(max(fit, 0.8 * sizes.plank), sizes.longest)


def _discs(span: _Span, points: Floats, far: Floats, sizes: Sizes) -> tuple[Floats, float]:
    """Middles of discs, a plank broad, that together cover the spaces; and the length of a space."""
    usable = far[-1] - sum(span.trims)
    length = _plank_length(span, usable, sizes)
    if span.count == 0:
        stops = np.linspace(span.trims[0], far[-1] - span.trims[1], 4)
    else:
        reach = max(length - sizes.plank, 0.0) / 2
        straight = _plank_length(span, span.chord - sum(span.trims), sizes)
        each = min(max(2, ceil(straight / sizes.plank)), 5)
        middles = span.trims[0] + (np.arange(span.count) + 0.5) * usable / span.count
        stops = (middles[:, None] + np.linspace(-reach, reach, each)[None, :]).ravel()
    where, way = _walk(points, far, stops)
    aside = np.stack([-way[:, 1], way[:, 0]], axis=-1)
    return np.concatenate([where + offset * aside for offset in _offsets(span, sizes)]), length


def _choices(span: _Span) -> Floats:
    """The bends tried first: straight, bows to either side, one-sided and double ones."""
    if span.count == 1 and not span.round and len(span.ends) == 2:
        bows = [0.1, 0.2]
        return np.array([(0.0, 0.0)] + [(sign * bow, sign * bow) for bow in bows for sign in (1, -1)])
    found = [(0.0, 0.0)]
    for sign in (1, -1):
        for bow in (0.08, 0.16, 0.25, 0.36, 0.5):
            found.append((sign * bow, sign * bow))
        for bow in (0.12, 0.24, 0.36):
            found += [(sign * bow, 0.0), (0.0, sign * bow)]
            found += [(sign * bow, sign * bow / 3), (sign * bow / 3, sign * bow)]
        for bow in (0.08, 0.16):
            found.append((sign * bow, -sign * bow))
    return np.array(found)


def _near(bend: tuple[float, float]) -> Floats:
    """Bends a little different from the one found so far."""
    steps = (-0.08, -0.04, 0.0, 0.04, 0.08)
    return np.array([(bend[0] + one, bend[1] + two) for one in steps for two in steps])


class _Bending:
    """What one bend of one curve costs while all the others stay."""

    def __init__(self, spans: list[_Span], sheet: Sheet, sizes: Sizes, boxes: Sequence[Box]) -> None:
        self.spans = spans
        self.sizes = sizes
        self.sheet = sheet
        self.places = np.array(sheet.places)
        # a country's exits are places too, drawn where their tracks end
        exits = [span.end for span in spans if len(span.ends) == 2 and span.trims[1] < sizes.start]
        exits += [span.start for span in spans if len(span.ends) == 2 and span.trims[0] < sizes.start]
        self.exits = np.array(exits).reshape(-1, 2)
        self.boxes = np.array(boxes).reshape(-1, 4)
        for span in spans:
            points, far = _curves(span, np.array([span.bend]))
            span.discs = _discs(span, points[0], far[0], sizes)[0]

    def costs(self, span: _Span, bends: Floats) -> tuple[Floats, list[Floats]]:
        """The cost of each bend, and the discs it would put down."""
        sizes = self.sizes
        unit = sizes.plank
        all_points, all_far = _curves(span, bends)
        found = [_discs(span, points, far, sizes) for points, far in zip(all_points, all_far, strict=True)]
        discs = np.stack([one[0] for one in found])
        lengths = np.array([one[1] for one in found])
        low, high = discs.min(axis=(0, 1)) - 1.5 * unit, discs.max(axis=(0, 1)) + 1.5 * unit
        others = np.concatenate([other.discs for other in self.spans if other is not span])
        others = others[((others > low) & (others < high)).all(axis=1)]
        breadth = 1.25 * unit * (1.3 if span.round else 1.0)
        cost = self._press(discs, others, breadth)
        lone = np.array([i for i in range(len(self.places)) if i not in span.ends], dtype=int)
        cost += 2.5 * self._press(discs, self.places[lone], sizes.ring + 0.85 * unit)
        own = np.array(span.ends, dtype=int)
        cost += 1.5 * self._press(discs, self.places[own], sizes.ring + 0.4 * unit)
        if len(self.exits):
            ends = np.array([span.start, span.end])
            apart = np.abs(self.exits[:, None, :] - ends[None, :, :]).max(axis=2).min(axis=1) > 1.0
            cost += 2.5 * self._press(discs, self.exits[apart], sizes.ring + 0.7 * unit)
        if len(self.boxes):
            cost += 0.8 * self._press_boxes(discs)
        short = np.maximum(sizes.wanted - lengths, 0.0) / unit
        cost += 5.0 * span.count * len(span.routes) * short**2
        rim = sizes.frame + 0.6 * unit if len(span.ends) == 2 else 0.0
        edge = np.array([self.sheet.width, self.sheet.height])
        beyond = np.maximum(rim - discs, 0.0) + np.maximum(discs - (edge - rim), 0.0)
        cost += (beyond**2).sum(axis=(1, 2)) / unit**2
        weight = span.chord / (6 * unit)
        cost += weight * (4.0 * (bends**2).sum(axis=1) + 6.0 * (bends[:, 0] - bends[:, 1]) ** 2)
        return cost, [one[0] for one in found]

    def _press(self, discs: Floats, others: Floats, breadth: float) -> Floats:
        """How hard the discs of each bend press against others that should stay `breadth` away."""
        if not len(others):
            return np.zeros(len(discs))
        apart = np.hypot(
            discs[:, :, None, 0] - others[None, None, :, 0], discs[:, :, None, 1] - others[None, None, :, 1]
        )
        pressed: Floats = (np.maximum(breadth - apart, 0.0) ** 2).sum(axis=(1, 2)) / self.sizes.plank**2
        return pressed

    def _press_boxes(self, discs: Floats) -> Floats:
        """The same against the boxes of the names."""
        x, y = discs[:, :, None, 0], discs[:, :, None, 1]
        left, top, right, bottom = (self.boxes[None, None, :, side] for side in range(4))
        apart = np.hypot(np.maximum(np.maximum(left - x, x - right), 0.0),
                         np.maximum(np.maximum(top - y, y - bottom), 0.0))  # fmt: skip
        breadth = 0.55 * self.sizes.plank
        pressed: Floats = (np.maximum(breadth - apart, 0.0) ** 2).sum(axis=(1, 2)) / self.sizes.plank**2
        return pressed


def _settle(bending: _Bending, sweeps: int, fine: int) -> None:
    """Bends curve after curve until nothing improves."""
    for sweep in range(sweeps + fine):
        moved = False
        for span in bending.spans:
            coarse = sweep < sweeps
            bends = _choices(span) if coarse else _near(span.bend)
            bends = np.concatenate([np.array([span.bend]), bends])
            cost, discs = bending.costs(span, bends)
            best = int(np.argmin(cost))
            if cost[best] < cost[0] - 1e-6:
                span.bend = (float(bends[best, 0]), float(bends[best, 1]))
                span.discs = discs[best]
                moved = True
        if not moved and sweep >= sweeps:
            break


def _laid(span: _Span, sizes: Sizes) -> list[tuple[int, tuple[Space, ...], tuple[Point, ...]]]:
    """The spaces and the bed of each route of a settled curve."""
    points, far = (found[0] for found in _curves(span, np.array([span.bend])))
    usable = far[-1] - sum(span.trims)
    length = round(_plank_length(span, usable, sizes), 1)
    breadth = round_size(sizes) if span.round else sizes.plank
    middles = span.trims[0] + (np.arange(span.count) + 0.5) * usable / max(span.count, 1)
    where, way = _walk(points, far, middles)
    bed_stops = np.linspace(0.0, far[-1], 13)
    bed, bed_way = _walk(points, far, bed_stops)
    laid = []
    for route, offset in zip(span.routes, _offsets(span, sizes), strict=True):
        spaces = tuple(
            Space(
                round(float(x - offset * dy), 1),
                round(float(y + offset * dx), 1),
                round(degrees(np.arctan2(dy, dx)), 1),
                length,
                round(breadth, 1),
            )
            for (x, y), (dx, dy) in zip(where, way, strict=True)
        )
        # lines of a set part only outside the places they start from
        share = np.clip(np.minimum(bed_stops, far[-1] - bed_stops) / (sizes.start + 0.2 * sizes.plank), 0.0, 1.0)
        if len(span.ends) == 1:  # at the edge of the sheet they stay apart
            from_place = bed_stops if span.trims[0] > span.trims[1] else far[-1] - bed_stops
            share = np.clip(from_place / (sizes.start + 0.2 * sizes.plank), 0.0, 1.0)
        line = tuple(
            (round(float(x - offset * part * dy), 1), round(float(y + offset * part * dx), 1))
            for (x, y), (dx, dy), part in zip(bed, bed_way, share, strict=True)
        )
        laid.append((route, spaces, line))
    return laid


def tracks_of(
    board: Board, sheet: Sheet, sizes: Sizes, boxes: Sequence[Box] = (), bends: Sequence[Point] = ()
) -> tuple[tuple[Track, ...], tuple[EdgeSign, ...], tuple[Point, ...]]:
    """Every route's track, the signs at the edges, and the bends found.

    `boxes` are names to keep clear of; `bends` found earlier are the start of the search.
    """
    spans, signs = _spans(board, sheet, sizes)
    for span, bend in zip(spans, bends, strict=False):
        span.bend = bend
    bending = _Bending(spans, sheet, sizes, boxes)
    if len(spans) > 1:
        _settle(bending, *((2, 2) if bends else (4, 4)))
    spaces: dict[int, tuple[Space, ...]] = {}
    beds: dict[int, tuple[tuple[Point, ...], ...]] = {}
    for span in spans:
        for route, found, line in _laid(span, sizes):
            spaces[route] = spaces.get(route, ()) + found
            beds[route] = (*beds.get(route, ()), line)
    tracks = tuple(Track(route.index, spaces[route.index], beds[route.index]) for route in board.routes)
    return tracks, tuple(signs), tuple(span.bend for span in spans)
