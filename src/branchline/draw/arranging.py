"""Works out where everything lies on the sheet of a board. It takes about a second: ask `layout.layout_of` instead."""

from __future__ import annotations

from branchline.boards.board import Board
from branchline.draw.bending import Bending
from branchline.draw.geometry import Layout, Sheet
from branchline.draw.labels import labels_of, names_of
from branchline.draw.legend import legend_of
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_and_land
from branchline.draw.signs import signs_of
from branchline.draw.sizes import sizes_of
from branchline.draw.tracks import spans_of, tracks_of


def arrange(board: Board) -> Layout:
    """Lay out tracks first, then names, then the tracks once more around the names."""
    sheet = sheet_of(board)
    sizes = sizes_of(board, sheet)
    exits = tuple(
        (place.index, sheet.at(*end))
        for route in board.routes
        for place, end in ((route.a, route.end_a), (route.b, route.end_b))
        if end is not None
    )
    ends = [point for _, point in exits]
    scenery, land = scenery_and_land(board, sheet)
    spans, edges = spans_of(board, sheet, sizes)
    names = names_of(board, sheet, sizes, ends)
    bending = Bending(spans, sheet, sizes, land)
    bending.settle(4, 4)
    tracks = tracks_of(board, spans, bending.shapes, sizes)
    labels = labels_of(board, names, sizes, tracks)
    for _ in range(2):
        bending.keep_clear([label.box for label in labels])
        bending.settle(2, 2)
        tracks = tracks_of(board, spans, bending.shapes, sizes)
        labels = labels_of(board, names, sizes, tracks)
    signs = signs_of(board, sheet, sizes, edges)
    legend = legend_of(board, sheet, sizes, land, tracks, labels, ends)
    paper = Sheet(sheet.width, sheet.height, sheet.places)
    return Layout(paper, sizes, tracks, labels, signs, exits, scenery, legend)
