"""Where the spaces of every route lie, and the line they are threaded on.

Parallel routes share one curve and lie side by side along it. Nothing is drawn by lot: the same board always gives
the same tracks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees

import numpy as np

from branchline.boards.board import Board, Route
from branchline.draw.curves import (
    Shape,
    Span,
    curves,
    ends_of_spaces,
    plank_lengths,
    round_size,
    stops_of,
    walk,
)
from branchline.draw.geometry import Point, Sizes, Space, Track
from branchline.draw.projection import ProjectedSheet


@dataclass(frozen=True)
class EdgeSign:
    """Where routes leave the sheet, and the place they go to."""

    x: float
    y: float
    east: bool  # at the right edge
    place: int  # on the other side


def _edge_share(board: Board, route: Route, west_way: float, east_way: float) -> tuple[int, int, float | None]:
    """Return the spaces of a route at the west edge and at the east edge, and where it crosses, if given."""
    crossings = board.map.get("edges", {})
    for name in (f"{route.a.name}–{route.b.name}", f"{route.b.name}–{route.a.name}"):
        if name in crossings:
            share = crossings[name]
            return int(share[0]), int(share[1]), float(share[2]) if len(share) > 2 else None
    west = round(route.length * west_way / max(west_way + east_way, 1.0))
    return west, route.length - west, None


def spans_of(board: Board, sheet: ProjectedSheet, sizes: Sizes) -> tuple[list[Span], list[EdgeSign]]:
    """Return all curves of the board, still straight, and the signs where they leave the sheet."""
    parallel: dict[int, list[Route]] = {}
    for route in board.routes:
        parallel.setdefault(route.parallel, []).append(route)
    spans: list[Span] = []
    signs: list[EdgeSign] = []
    shun_land = float(board.map.get("shun_land", 1.0))
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
            afloat = shun_land * {"sea": 1.1, "ferry": 0.45}.get(first.kind, 0.0)
            spans.append(Span(indices, start, end, trims, first.length, ends, one_round, afloat))
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
            first_span = Span(indices, start, at_west, (trims[0], free), west_count, (first.a.index,))
            other_span = Span(indices, at_east, end, (free, trims[1]), east_count, (first.b.index,))
        else:
            first_span = Span(indices, start, at_east, (trims[0], free), east_count, (first.a.index,))
            other_span = Span(indices, at_west, end, (free, trims[1]), west_count, (first.b.index,))
        spans += [first_span, other_span]
        signs.append(EdgeSign(rim, y, False, first.b.index if a_west else first.a.index))
        signs.append(EdgeSign(sheet.width - rim, y, True, first.a.index if a_west else first.b.index))
    return spans, signs


def _laid(span: Span, shape: Shape, sizes: Sizes) -> list[tuple[int, tuple[Space, ...], tuple[Point, ...]]]:
    """Return the spaces and the bed of each route along a curve of that shape."""
    row = np.array([shape])
    points, far = curves(span, row)
    begin, finish = ends_of_spaces(span, far, row)
    length = round(float(plank_lengths(span, finish - begin, sizes)[0]), 1)
    breadth = round(round_size(sizes) if span.round else sizes.plank, 1)
    whole = float(far[0, -1])
    bed_stops = np.linspace(0.0, whole, 41 if span.round else 13)
    every_stop = stops_of(span, begin, finish, sizes)
    walked = walk(points, far, np.concatenate([bed_stops[None, :], *every_stop], axis=1))
    where, way = (line_points[:, 0].T.tolist() for line_points in walked)
    beds = len(bed_stops)
    # lines of a set part on their way out of a place; at the edge of the sheet they stay apart
    from_place = np.minimum(bed_stops, whole - bed_stops)
    if len(span.ends) == 1:
        from_place = bed_stops if span.trims[0] > span.trims[1] else whole - bed_stops
    part = np.clip(from_place / (sizes.start + (1.0 if span.round else 0.3) * sizes.plank), 0.0, 1.0)
    shares = (part * part * (3 - 2 * part)).tolist()
    laid = []
    for index, (route, offset) in enumerate(zip(span.routes, span.offsets(sizes), strict=True)):
        own = slice(beds + index * span.count, beds + (index + 1) * span.count)
        spaces = tuple(
            Space(
                round(x - offset * dy, 1),
                round(y + offset * dx, 1),
                round(degrees(atan2(dy, dx)), 1),
                length,
                breadth,
            )
            for (x, y), (dx, dy) in zip(where[own], way[own], strict=True)
        )
        line = tuple(
            (round(x - offset * share * dy, 1), round(y + offset * share * dx, 1))
            for (x, y), (dx, dy), share in zip(where[:beds], way[:beds], shares, strict=True)
        )
        laid.append((route, spaces, line))
    return laid


def tracks_of(board: Board, spans: Sequence[Span], shapes: Sequence[Shape], sizes: Sizes) -> tuple[Track, ...]:
    """Return every route's track, along curves of these shapes."""
    spaces: dict[int, tuple[Space, ...]] = {}
    beds: dict[int, tuple[tuple[Point, ...], ...]] = {}
    for span, shape in zip(spans, shapes, strict=True):
        for route, laid, line in _laid(span, shape, sizes):
            spaces[route] = spaces.get(route, ()) + laid
            beds[route] = (*beds.get(route, ()), line)
    return tuple(Track(route.index, spaces[route.index], beds[route.index]) for route in board.routes)
