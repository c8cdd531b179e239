"""Everything about a board's drawing that does not depend on the position: computed once, then kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from branchline.atlas.board import Board
from branchline.draw.bending import Bending
from branchline.draw.labels import Label, labels_of, names_of
from branchline.draw.legend import Legend, legend_of
from branchline.draw.projection import Sheet, sheet_of
from branchline.draw.scenery import Scenery, scenery_of
from branchline.draw.signs import Sign, signs_of
from branchline.draw.sizes import Sizes, sizes_of
from branchline.draw.curves import Point
from branchline.draw.tracks import Track, spans_of, tracks_of

_KEPT = 12  # layouts remembered; a server shows a handful of boards


@dataclass(frozen=True)
class Layout:
    """Where everything lies on the sheet."""

    sheet: Sheet
    sizes: Sizes
    tracks: tuple[Track, ...]
    labels: tuple[Label, ...]
    signs: tuple[Sign, ...]
    exits: tuple[tuple[int, Point], ...]  # country and point, for tracks that end outside its own point
    scenery: Scenery
    legend: Legend | None


_layouts: OrderedDict[object, Layout] = OrderedDict()


def layout_of(board: Board) -> Layout:
    """The layout of a board; computed at the first call, remembered for the next."""
    key = _key(board)
    if key not in _layouts:
        remember(board, _settled(board))
    _layouts.move_to_end(key)
    return _layouts[key]


def remember(board: Board, layout: Layout) -> None:
    """Take over a layout that was computed elsewhere, in another process say."""
    _layouts[_key(board)] = layout
    while len(_layouts) > _KEPT:
        _layouts.popitem(last=False)


def _key(board: Board) -> object:
    drawn = (board.places, board.routes, repr(board.map), board.points, board.subway_points, board.title)
    return (*drawn, str(board.folder))


def _settled(board: Board) -> Layout:
    """Tracks first, then names, then the tracks once more around the names."""
    sheet = sheet_of(board)
    sizes = sizes_of(board, sheet)
    exits = tuple(
        (place.index, sheet.at(*end))
        for route in board.routes
        for place, end in ((route.a, route.end_a), (route.b, route.end_b))
        if end is not None
    )
    ends = [point for _, point in exits]
    scenery = scenery_of(board, sheet)
    spans, edges = spans_of(board, sheet, sizes)
    names = names_of(board, sheet, sizes, ends)
    bending = Bending(spans, sheet, sizes, scenery.shore)
    bending.settle(4, 4)
    tracks = tracks_of(board, spans, bending.shapes, sizes)
    labels = labels_of(board, names, sizes, tracks)
    for _ in range(2):
        bending.keep_clear([label.box for label in labels])
        bending.settle(2, 2)
        tracks = tracks_of(board, spans, bending.shapes, sizes)
        labels = labels_of(board, names, sizes, tracks)
    signs = signs_of(board, sheet, sizes, edges)
    legend = legend_of(board, sheet, sizes, scenery, tracks, labels, ends)
    return Layout(sheet, sizes, tracks, labels, signs, exits, scenery, legend)
