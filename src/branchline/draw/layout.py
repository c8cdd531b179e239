"""Everything about a board's drawing that does not depend on the position: computed once, then kept."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from branchline.atlas.board import Board
from branchline.draw.labels import Label, labels_of
from branchline.draw.projection import Sheet, sheet_of
from branchline.draw.scenery import Scenery, scenery_of
from branchline.draw.signs import Sign, signs_of
from branchline.draw.sizes import Sizes, sizes_of
from branchline.draw.tracks import Point, Track, tracks_of

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


_layouts: OrderedDict[object, Layout] = OrderedDict()


def layout_of(board: Board) -> Layout:
    """The layout of a board; computed at the first call, remembered for the next."""
    key = (board.places, board.routes, repr(board.map), _stamp(board.folder))
    if key in _layouts:
        _layouts.move_to_end(key)
        return _layouts[key]
    layout = _layouts[key] = _settled(board)
    while len(_layouts) > _KEPT:
        _layouts.popitem(last=False)
    return layout


def _stamp(folder: Path | None) -> str:
    return str(folder) if folder else ""


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
    tracks, edges, bends = tracks_of(board, sheet, sizes)
    labels = labels_of(board, sheet, sizes, tracks, ends)
    for _ in range(2):
        tracks, edges, bends = tracks_of(board, sheet, sizes, [label.box for label in labels], bends)
        labels = labels_of(board, sheet, sizes, tracks, ends)
    return Layout(
        sheet, sizes, tracks, labels, signs_of(board, sheet, sizes, edges), exits, scenery_of(board, sheet)
    )
