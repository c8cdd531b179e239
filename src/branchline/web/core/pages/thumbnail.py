"""A board as a thumbnail: its land, its places, and straight lines for routes."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from branchline.boards import Board, Place, Route
from branchline.draw.palette import ROUTE_COLOURS
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_of
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts

SHIPPED = Path(__file__).parent / "thumbnails"
"""Where a site, whose Python is slow, has those of the editions."""
AROUND = 320.0  # what a cut-out shows beyond the thing it is about, in units of the sheet
COARSE = 6.0  # times; a thumbnail shows no more of a coast
GROUND = ("land", "park", "street", "canal", "river", "lake")  # from below
DARK = ("black", "blue")  # routes that need a rim on dark ground, as on the map


@kept_texts("thumbnails", 4 * MEGABYTE, beside=BOARD)
def thumbnail(board: Board) -> Markup:
    """Return the picture, hidden from screen readers. It does not wait for the layout that the real drawing takes."""
    ready = SHIPPED / f"{board.digest}.thumbnail"
    return Markup(ready.read_text("utf-8")) if ready.is_file() else drawn(board)


def drawn(board: Board) -> Markup:
    """Return the picture, made now."""
    sheet = sheet_of(board)
    scenery = scenery_of(board, sheet, COARSE)
    ground = [f'<path class="{kind}" d="{scenery.paths[kind]}"/>' for kind in GROUND if kind in scenery.paths]
    rims, routes = "", []
    for route in board.routes:
        if route.line == 0 and not route.wraps:
            (x, y), (to_x, to_y) = sheet.places[route.a.index], sheet.places[route.b.index]
            line = f"M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}"
            rims += line if route.colour in DARK else ""
            routes.append(f'<path d="{line}" stroke="{ROUTE_COLOURS[route.colour]}"/>')
    places = [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="15"/>' for x, y in sheet.places]
    look = ("" if scenery.sea else " inland") + (" tall" if sheet.height > sheet.width else "")
    return Markup(
        f'<svg class="thumbnail{look}" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}" '
        'preserveAspectRatio="xMidYMid meet" aria-hidden="true" focusable="false">'
        f'<rect class="sheet" width="{sheet.width:.0f}" height="{sheet.height:.0f}"/>'
        f'{"".join(ground)}<path class="rims" d="{rims}"/>'
        f'<g class="routes">{"".join(routes)}</g>{"".join(places)}</svg>'
    )


def whole(board: Board) -> Markup:
    """Return the picture to cut pieces out of: it is on the page once, and not seen itself."""
    drawing = thumbnail(board).partition(">")[2].removesuffix("</svg>")
    return Markup(
        '<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f'<g id="map-{board.digest}" class="thumbnail">{drawing}</g></defs></svg>'
    )


def cut_out(board: Board, about: Route | Place | None) -> Markup:
    """Return the part of `whole` around a route or a place, which is marked; everything where it is about neither."""
    sheet = sheet_of(board)
    left, top, wide, high, mark = 0.0, 0.0, sheet.width, sheet.height, ""
    if about is not None:
        ends = (about.a, about.b) if isinstance(about, Route) else (about, about)
        (x, y), (to_x, to_y) = (sheet.places[place.index] for place in ends)
        left, top = min(x, to_x) - AROUND, min(y, to_y) - AROUND
        wide, high = abs(x - to_x) + 2 * AROUND, abs(y - to_y) + 2 * AROUND
        mark = f'<path class="spot" d="M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}"/>'
    return Markup(
        f'<svg class="thumbnail cut-out{"" if scenery_of(board, sheet, COARSE).sea else " inland"}" '
        f'viewBox="{left:.0f} {top:.0f} {wide:.0f} {high:.0f}" aria-hidden="true" focusable="false">'
        f'<use href="#map-{board.digest}"/>{mark}</svg>'
    )
