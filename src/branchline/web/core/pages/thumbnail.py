"""A board as a thumbnail: its land, its places, and straight lines for routes."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from branchline.boards import Board
from branchline.draw.palette import ROUTE_COLOURS
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_of
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts

SHIPPED = Path(__file__).parent / "thumbnails"
"""Where a site, whose Python is slow, has those of the editions."""
COARSE = 6.0  # times; a thumbnail shows no more of a coast
GROUND = ("land", "park", "street", "canal", "river", "lake")  # from below


@kept_texts("thumbnails", 4 * MEGABYTE, beside=BOARD)
def thumbnail(board: Board) -> Markup:
    """The picture, silent. It does not wait for the layout that the real drawing takes."""
    ready = SHIPPED / f"{board.digest}.thumbnail"
    return Markup(ready.read_text("utf-8")) if ready.is_file() else drawn(board)


def drawn(board: Board) -> Markup:
    """The picture, made now."""
    sheet = sheet_of(board)
    scenery = scenery_of(board, sheet, COARSE)
    ground = [f'<path class="{kind}" d="{scenery.paths[kind]}"/>' for kind in GROUND if kind in scenery.paths]
    routes = []
    for route in board.routes:
        if route.line == 0 and not route.wraps:
            (x, y), (to_x, to_y) = sheet.places[route.a.index], sheet.places[route.b.index]
            routes.append(f'<path d="M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}" stroke="{ROUTE_COLOURS[route.colour]}"/>')
    places = [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="15"/>' for x, y in sheet.places]
    return Markup(
        f'<svg class="thumbnail{"" if scenery.sea else " inland"}" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}" '
        'preserveAspectRatio="xMidYMid meet" aria-hidden="true" focusable="false">'
        f'{"".join(ground)}<g class="routes">{"".join(routes)}</g>{"".join(places)}</svg>'
    )
