"""The curve of every route, and where each of its spaces lies.

Parallel routes share one curve and lie side by side along it. A curve is a cubic with two bends, one near each
end, and its spaces may begin a little further from a crowded place. All start straight and are shaped, one after
the other and again until nothing improves, to where their spaces lie clear of places, names and other routes, are
long enough to carry a symbol, and bend no more than needed. Nothing is drawn by lot: the same board always gives
the same curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan2, ceil, degrees, hypot

import numpy as np

from branchline.atlas.board import Board, Route
from branchline.draw.projection import Floats, Sheet
from branchline.draw.scenery import Land
from branchline.draw.sizes import Sizes

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Shape = tuple[float, float, float, float]
"""The bend near each end, in lengths of the straight line; and how much later, in px, the spaces begin and end."""

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
    afloat: float = 0.0  # how much land is to be kept off: ships cannot cross it, ferries may begin inland
    shape: Shape = (0.0, 0.0, 0.0, 0.0)
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
            afloat = {"sea": 1.1, "ferry": 0.45}.get(first.kind, 0.0)
            spans.append(_Span(indices, start, end, trims, first.length, ends, one_round, afloat))
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
        free = 2 * sizes.gap
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


def _curves(span: _Span, shapes: Floats) -> tuple[Floats, Floats]:
    """For each shape the points of the curve, and how far along it each lies."""
    start, end = np.array(span.start), np.array(span.end)
    along = end - start
    aside = np.array([-along[1], along[0]])
    first = start + along / 3 + shapes[:, 0:1] * aside
    second = start + along * (2 / 3) + shapes[:, 1:2] * aside
    t = np.linspace(0.0, 1.0, _STEPS)[None, :, None]
    points = (
        (1 - t) ** 3 * start
        + 3 * (1 - t) ** 2 * t * first[:, None, :]
        + 3 * (1 - t) * t**2 * second[:, None, :]
        + t**3 * end
    )
    steps = np.hypot(np.diff(points[:, :, 0], axis=1), np.diff(points[:, :, 1], axis=1))
    far = np.hstack([np.zeros((len(shapes), 1)), np.cumsum(steps, axis=1)])
    return points, far


def _walk(points: Floats, far: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """Positions and directions after walking `stops` px along each curve."""
    ways = np.gradient(points, axis=1)
    ways /= np.maximum(np.hypot(ways[..., 0], ways[..., 1]), 1e-9)[..., None]
    before = np.clip((far[:, None, :] <= stops[:, :, None]).sum(axis=2) - 1, 0, far.shape[1] - 2)
    start, end = np.take_along_axis(far, before, axis=1), np.take_along_axis(far, before + 1, axis=1)
    part = np.clip((stops - start) / np.maximum(end - start, 1e-9), 0.0, 1.0)[..., None]
    here, there = before[..., None], before[..., None] + 1
    found = []
    for line in (points, ways):
        found.append(
            np.take_along_axis(line, here, axis=1) * (1 - part) + np.take_along_axis(line, there, axis=1) * part
        )
    where, way = found
    return where, way / np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-9)[..., None]


def _offsets(span: _Span, sizes: Sizes) -> list[float]:
    """How far each line of the set lies to the side of the common curve."""
    return [(line - (len(span.routes) - 1) / 2) * sizes.aside for line in range(len(span.routes))]


def round_size(sizes: Sizes) -> float:
    """Diameter of a subway's one round space."""
    return 1.85 * sizes.plank


def _plank_lengths(span: _Span, usable: Floats, sizes: Sizes) -> Floats:
    """Length of the spaces when so much of the curve is free for them."""
    if span.round:
        return np.full_like(usable, round_size(sizes))
    fit = usable / max(span.count, 1) - sizes.gap
    return np.clip(fit, 0.8 * sizes.plank, sizes.longest)


def _stops(span: _Span, begin: Floats, finish: Floats, sizes: Sizes) -> list[Floats]:
    """For each line of the set the middles of its spaces, in px along each curve.

    Where the places lie far apart the spaces stay together in the middle, so that they are seen as one route.
    """
    middle, count = (begin + finish) / 2, max(span.count, 1)
    pitch = np.minimum((finish - begin) / count, _plank_lengths(span, finish - begin, sizes) + sizes.widest_gap)
    stops = middle[:, None] + (np.arange(span.count) - (count - 1) / 2) * pitch[:, None]
    if not span.round:
        return [stops] * len(span.routes)
    half = (len(span.routes) - 1) / 2  # round spaces are broader than their lines are apart: one after the other
    return [stops + (line - half) * 1.12 * round_size(sizes) for line in range(len(span.routes))]


def _ends_of_spaces(span: _Span, far: Floats, shapes: Floats) -> tuple[Floats, Floats]:
    """Where, in px along each curve, its spaces begin and end."""
    return span.trims[0] + shapes[:, 2], far[:, -1] - span.trims[1] - shapes[:, 3]


def _discs(span: _Span, shapes: Floats, sizes: Sizes) -> tuple[Floats, Floats]:
    """For each shape the middles of discs, a plank broad, that cover the spaces; and the length of a space."""
    points, far = _curves(span, shapes)
    begin, finish = _ends_of_spaces(span, far, shapes)
    lengths = _plank_lengths(span, finish - begin, sizes)
    offsets = _offsets(span, sizes)
    if span.round:  # the thin lines are kept clear of others too
        points_on_line = min(max(4, ceil(span.chord / (1.2 * sizes.plank))), 40)
        line = np.linspace(begin + sizes.plank, finish - sizes.plank, points_on_line, axis=1)
        stops = [np.hstack([line, own]) for own in _stops(span, begin, finish, sizes)]
    elif span.count == 0:
        stops = [np.linspace(begin, finish, 4, axis=1)] * len(offsets)
    else:
        straight = float(_plank_lengths(span, np.array([span.chord - sum(span.trims)]), sizes)[0])
        each = np.linspace(-0.5, 0.5, min(max(2, ceil(straight / sizes.plank)), 5))
        reach = np.maximum(lengths - 0.8 * sizes.plank, 0.0)[:, None] * each
        stops = [
            (own[:, :, None] + reach[:, None, :]).reshape(len(shapes), -1) for own in _stops(span, begin, finish, sizes)
        ]
    where, way = _walk(points, far, np.hstack(stops))
    aside = np.repeat(np.array(offsets), [own.shape[1] for own in stops])[None, :, None]
    return where + aside * np.stack([-way[..., 1], way[..., 0]], axis=-1), lengths


def _choices(span: _Span, sizes: Sizes) -> Floats:
    """The bends tried first: straight, bows to either side, one-sided and double ones."""
    if span.count == 1 and not span.round and len(span.ends) == 2:
        return np.array([(0.0, 0.0)] + [(sign * bow, sign * bow) for bow in (0.1, 0.2) for sign in (1, -1)])
    bows = [0.08, 0.16, 0.25, 0.36, 0.5]
    too_near = span.chord - sum(span.trims) < span.count * (sizes.wanted + sizes.gap)
    if too_near or (span.afloat and span.chord < 10 * sizes.plank):  # or a cape lies between
        bows += [0.7, 0.95, 1.2, 1.5]
    found = [(0.0, 0.0)]
    for sign in (1, -1):
        found += [(sign * bow, sign * bow) for bow in bows]
        for bow in (0.12, 0.24, 0.36):
            found += [(sign * bow, 0.0), (0.0, sign * bow)]
            found += [(sign * bow, sign * bow / 3), (sign * bow / 3, sign * bow)]
        found += [(sign * bow, -sign * bow) for bow in (0.08, 0.16)]
    return np.array(found)


def _same_bends(span: _Span, later: Floats) -> Floats:
    """The bends as they are, with every pair of later beginnings."""
    bends = np.tile(np.array(span.shape[:2]), (len(later), 1))
    return np.hstack([bends, later])


def _later(span: _Span, sizes: Sizes) -> Floats:
    """How much further from the places at its ends the spaces may begin."""
    steps = [0.0] if span.count == 1 and span.chord < 5 * sizes.plank else [0.0, 0.45, 0.9, 1.5, 2.2]
    first = steps if span.trims[0] >= sizes.start else [0.0]
    last = steps if span.trims[1] >= sizes.start else [0.0]
    return np.array([(one * sizes.plank, two * sizes.plank) for one in first for two in last])


def _near(span: _Span, step: float) -> Floats:
    """Bends a little different from the one found so far."""
    one, two, begin, finish = span.shape
    steps = (-2 * step, -step, 0.0, step, 2 * step)
    return np.array([(one + more, two + also, begin, finish) for more in steps for also in steps])


class _Bending:
    """What one shape of one curve costs while all the others stay."""

    def __init__(self, spans: list[_Span], sheet: Sheet, sizes: Sizes, boxes: Sequence[Box], land: Land | None) -> None:
        self.spans = spans
        self.land = land
        self.sizes = sizes
        self.sheet = sheet
        self.places = np.array(sheet.places)
        # a country's exits are places too, drawn where their tracks end
        exits = [span.end for span in spans if len(span.ends) == 2 and span.trims[1] < sizes.start]
        exits += [span.start for span in spans if len(span.ends) == 2 and span.trims[0] < sizes.start]
        self.exits = np.array(exits).reshape(-1, 2)
        self.boxes = np.array(boxes).reshape(-1, 4)
        for span in spans:
            span.discs = _discs(span, np.array([span.shape]), sizes)[0][0]

    def costs(self, span: _Span, shapes: Floats) -> tuple[Floats, Floats]:
        """The cost of each shape, and the discs it would put down."""
        sizes = self.sizes
        unit = sizes.plank
        discs, lengths = _discs(span, shapes, sizes)
        others = np.concatenate([other.discs for other in self.spans if other is not span])
        cost = self._press(discs, others, 1.3 * unit)
        lone = np.array([i for i in range(len(self.places)) if i not in span.ends], dtype=int)
        cost += 2.5 * self._press(discs, self.places[lone], sizes.ring + 0.85 * unit)
        own = np.array(span.ends, dtype=int)
        cost += 1.5 * self._press(discs, self.places[own], sizes.ring + 0.4 * unit)
        if len(self.exits):
            ends = np.array([span.start, span.end])
            apart = np.abs(self.exits[:, None, :] - ends[None, :, :]).max(axis=2).min(axis=1) > 1.0
            cost += 2.5 * self._press(discs, self.exits[apart], sizes.ring + 0.7 * unit)
        if len(self.boxes):
            cost += 1.2 * self._press_boxes(discs)
        if span.afloat and self.land is not None:
            cost += span.afloat * self.land.share(discs) * discs.shape[1]
        short = np.maximum(sizes.wanted - lengths, 0.0) / unit
        cost += 5.0 * span.count * len(span.routes) * short**2
        rim = sizes.frame + (1.1 if span.round else 0.6) * unit if len(span.ends) == 2 else 0.0
        edge = np.array([self.sheet.width, self.sheet.height])
        beyond = np.maximum(rim - discs, 0.0) + np.maximum(discs - (edge - rim), 0.0)
        cost += 4.0 * (beyond**2).sum(axis=(1, 2)) / unit**2
        weight = min(span.chord / (6 * unit), 4.0)
        bows = np.abs(shapes[:, :2])
        bent = np.where(bows < 0.5, bows**2, 0.25 + 0.15 * (bows - 0.5))  # a far way round is no worse twice over
        cost += weight * (4.0 * bent.sum(axis=1) + 6.0 * (shapes[:, 0] - shapes[:, 1]) ** 2)
        cost += 0.12 * shapes[:, 2:].sum(axis=1) / unit
        return cost, discs

    def _press(self, discs: Floats, others: Floats, breadth: float) -> Floats:
        """How hard the discs of each shape press against others that should stay `breadth` away."""
        low, high = discs.min(axis=(0, 1)) - breadth, discs.max(axis=(0, 1)) + breadth
        others = others[((others > low) & (others < high)).all(axis=1)]
        if not len(others):
            return np.zeros(len(discs))
        squared = (discs[:, :, None, 0] - others[:, 0]) ** 2
        squared += (discs[:, :, None, 1] - others[:, 1]) ** 2
        near = np.nonzero(squared < breadth**2)  # few are, so the roots are drawn for those alone
        pressed = (breadth - np.sqrt(squared[near])) ** 2 / self.sizes.plank**2
        return np.bincount(near[0], weights=pressed, minlength=len(discs)).astype(np.float64)

    def _press_boxes(self, discs: Floats) -> Floats:
        """The same against the boxes of the names."""
        breadth = 0.55 * self.sizes.plank
        low, high = discs.min(axis=(0, 1)) - breadth, discs.max(axis=(0, 1)) + breadth
        boxes = self.boxes[((self.boxes[:, :2] < high) & (self.boxes[:, 2:] > low)).all(axis=1)]
        x, y = discs[:, :, None, 0], discs[:, :, None, 1]
        aside = np.maximum(np.maximum(boxes[:, 0] - x, x - boxes[:, 2]), 0.0)
        above = np.maximum(np.maximum(boxes[:, 1] - y, y - boxes[:, 3]), 0.0)
        pressed = np.maximum(breadth - np.hypot(aside, above), 0.0) ** 2
        result: Floats = pressed.sum(axis=(1, 2)) / self.sizes.plank**2
        return result


def _settle(bending: _Bending, coarse: int, fine: int) -> None:
    """Shapes curve after curve until nothing improves."""
    sizes = bending.sizes
    for sweep in range(coarse + fine):
        moved = False
        for span in bending.spans:
            if sweep < coarse:
                bends = _choices(span, sizes)
                tried = np.hstack([bends, np.tile(np.array(span.shape[2:]), (len(bends), 1))])
            else:
                tried = _near(span, 0.05 if sweep % 2 == 0 else 0.02)
            for shapes in (tried, None):
                if shapes is None:  # with the bends chosen, see where the spaces should begin
                    shapes = _same_bends(span, _later(span, sizes))
                shapes = np.concatenate([np.array([span.shape]), shapes])
                cost, discs = bending.costs(span, shapes)
                best = int(np.argmin(cost))
                if cost[best] < cost[0] - 1e-6:
                    one, two, begin, finish = (float(part) for part in shapes[best])
                    span.shape = (one, two, begin, finish)
                    span.discs = discs[best]
                    moved = True
        if not moved and sweep >= coarse:
            break


def _laid(span: _Span, sizes: Sizes) -> list[tuple[int, tuple[Space, ...], tuple[Point, ...]]]:
    """The spaces and the bed of each route of a settled curve."""
    shape = np.array([span.shape])
    points, far = _curves(span, shape)
    begin, finish = _ends_of_spaces(span, far, shape)
    length = round(float(_plank_lengths(span, finish - begin, sizes)[0]), 1)
    breadth = round(round_size(sizes) if span.round else sizes.plank, 1)
    whole = float(far[0, -1])
    bed_stops = np.linspace(0.0, whole, 41 if span.round else 13)
    bed, bed_way = (found[0] for found in _walk(points, far, bed_stops[None, :]))
    # lines of a set part on their way out of a place; at the edge of the sheet they stay apart
    from_place = np.minimum(bed_stops, whole - bed_stops)
    if len(span.ends) == 1:
        from_place = bed_stops if span.trims[0] > span.trims[1] else whole - bed_stops
    share = np.clip(from_place / (sizes.start + (1.0 if span.round else 0.3) * sizes.plank), 0.0, 1.0)
    share = share * share * (3 - 2 * share)
    laid = []
    every_stop = _stops(span, begin, finish, sizes)
    for route, offset, stops in zip(span.routes, _offsets(span, sizes), every_stop, strict=True):
        where, way = (found[0] for found in _walk(points, far, stops))
        spaces = tuple(
            Space(
                round(float(x - offset * dy), 1),
                round(float(y + offset * dx), 1),
                round(degrees(atan2(dy, dx)), 1),
                length,
                breadth,
            )
            for (x, y), (dx, dy) in zip(where, way, strict=True)
        )
        line = tuple(
            (round(float(x - offset * part * dy), 1), round(float(y + offset * part * dx), 1))
            for (x, y), (dx, dy), part in zip(bed, bed_way, share, strict=True)
        )
        laid.append((route, spaces, line))
    return laid


def tracks_of(
    board: Board,
    sheet: Sheet,
    sizes: Sizes,
    land: Land | None = None,
    boxes: Sequence[Box] = (),
    shapes: Sequence[Shape] = (),
) -> tuple[tuple[Track, ...], tuple[EdgeSign, ...], tuple[Shape, ...]]:
    """Every route's track, the signs at the edges, and the shapes found.

    `boxes` are names to keep clear of; `shapes` found earlier are the start of the search. Ships go around `land`
    where they can.
    """
    spans, signs = _spans(board, sheet, sizes)
    for span, shape in zip(spans, shapes, strict=False):
        span.shape = shape
    bending = _Bending(spans, sheet, sizes, boxes, land)
    if len(spans) > 1:
        _settle(bending, *((2, 2) if shapes else (4, 4)))
    spaces: dict[int, tuple[Space, ...]] = {}
    beds: dict[int, tuple[tuple[Point, ...], ...]] = {}
    for span in spans:
        for route, found, line in _laid(span, sizes):
            spaces[route] = spaces.get(route, ()) + found
            beds[route] = (*beds.get(route, ()), line)
    tracks = tuple(Track(route.index, spaces[route.index], beds[route.index]) for route in board.routes)
    return tracks, tuple(signs), tuple(span.shape for span in spans)
