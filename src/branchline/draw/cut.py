"""Cuts of a board: small pictures of a few routes and places, with what lies there. A page may show many of them.

What all of them share, the ground above all, stands in the page once (`cut_symbols`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from branchline.boards.board import Board, Place, Route
from branchline.draw.board import Sketch
from branchline.draw.geometry import Box
from branchline.draw.ground import frame, ground
from branchline.draw.lettering import NAMES
from branchline.draw.looks import definitions
from branchline.draw.palette import Theme
from branchline.draw.position import Position
from branchline.draw.spaces import bed_path, number
from branchline.draw.wording import ENGLISH

RATIO = 1.6  # breadth to height of every cut
_LEAST = 20.0  # its breadth at least, in breadths of a space: not so near that nothing else is seen
_MARGIN = 1.6  # around what is shown, in breadths of a space


def cut_symbols(board: Board, theme: Theme) -> str:
    """Return the background and symbols that all cuts of a board share, as an invisible SVG."""
    sketch = Sketch(board, Position(), theme, True, False, ENGLISH)
    symbols = definitions(board, theme, sketch.sizes, sketch.prefix)
    return (
        f'<svg class="sprite branchline {sketch.name}" width="0" height="0" aria-hidden="true" focusable="false">'
        f'<defs>{symbols}<g id="{sketch.prefix}ground">'
        f"{ground(sketch.layout, theme, sketch.prefix)}</g></defs></svg>"
    )


def cut_svg(
    board: Board,
    position: Position,
    routes: Sequence[Route],
    places: Sequence[Place],
    *,
    number_in_page: int,
    theme: Theme,
    words: Mapping[str, str] = ENGLISH,
    language: str = "",
) -> str:
    """Draw these routes and places with their surroundings. The picture has no text alternative: the page describes it.

    `number_in_page` must differ for each cut on a page. Of a route across the edge, the end at `a` is shown.
    """
    sketch = Sketch(board, position, theme, True, False, words, language)
    sketch.own = f"{sketch.prefix}cut{number_in_page}-"
    bare = Sketch(board, position, theme, False, False, words, language)
    layout = sketch.layout
    box = _box(sketch, routes, places)
    left, top, right, bottom = box
    drawn_routes = [
        route
        for route in board.routes
        if any(left <= x <= right and top <= y <= bottom for bed in layout.tracks[route.index].beds for x, y in bed)
    ]
    names = {label.place for label in layout.labels if _inside(label.box, box)}
    named = (
        {place.index for place in places} | {place.index for route in routes for place in (route.a, route.b)} | names
    )
    glow = "".join(
        f'<path class="glow" d="{bed_path(layout.tracks[route.index])}"/>'
        for route in drawn_routes
        if route.index in position.highlight
    )
    beds = "".join(
        f'<path class="bed{" closed" if route.index in position.closed else ""}" '
        f'd="{bed_path(layout.tracks[route.index])}"/>'
        for route in drawn_routes
    )
    sheet, band = layout.sheet, sketch.sizes.frame
    at_edge = left < band or top < band or right > sheet.width - band or bottom > sheet.height - band
    drawn_places = "".join(
        (sketch if place.index in named else bare).place(place)
        for place in board.places
        if _reaches(sheet.places[place.index], box, 2 * sketch.sizes.ring) or place.index in names
    )
    return (
        f'<svg class="branchline {sketch.name}" viewBox="{number(left)} {number(top)} {number(right - left)} '
        f'{number(bottom - top)}" aria-hidden="true" focusable="false" font-family="{NAMES}">'
        f'<use href="#{sketch.prefix}ground"/><g class="beds">{glow}{beds}</g>'
        f'<g class="routes">{"".join(sketch.route(route) for route in drawn_routes)}</g>{sketch.countries()}'
        f'<g class="places">{drawn_places}</g>{frame(board, layout, theme) if at_edge else ""}</svg>'
    )


def _box(sketch: Sketch, routes: Sequence[Route], places: Sequence[Place]) -> Box:
    """Return what is shown, with a margin, in the ratio of all cuts and inside the sheet."""
    layout, unit = sketch.layout, sketch.sizes.plank
    points = [layout.sheet.places[place.index] for place in places if place.kind != "country"]
    ends: set[int] = {place.index for place in places if place.kind != "country"}
    for route in routes:
        spaces = layout.tracks[route.index].spaces
        if route.wraps:  # the part at one edge of the sheet
            home = layout.sheet.places[route.a.index]
            half = layout.sheet.width / 2
            spaces = tuple(space for space in spaces if abs(space.x - home[0]) < half)
            points.append(home)
            for sign in layout.signs:
                if sign.place == route.b.index and sign.east == (home[0] > half):
                    reach = 0.3 * sign.size * len(route.b.name)
                    edge = layout.sheet.width if sign.east else 0.0
                    points += [(edge, sign.y - reach), (edge, sign.y + reach)]
        else:
            ends |= {place.index for place in (route.a, route.b) if place.kind != "country"}
            points += [layout.sheet.places[place.index] for place in (route.a, route.b) if place.kind != "country"]
        points += [corner for space in spaces for corner in space.corners()]
    for label in layout.labels:
        if label.place in ends:
            points += [(label.box[0], label.box[1]), (label.box[2], label.box[3])]
    wide, high = layout.sheet.width, layout.sheet.height
    left, right = min(x for x, _ in points) - _MARGIN * unit, max(x for x, _ in points) + _MARGIN * unit
    top, bottom = min(y for _, y in points) - _MARGIN * unit, max(y for _, y in points) + _MARGIN * unit
    breadth = min(max(right - left, RATIO * (bottom - top), _LEAST * unit), wide, RATIO * high)
    height = breadth / RATIO
    x = min(max((left + right - breadth) / 2, 0.0), wide - breadth)
    y = min(max((top + bottom - height) / 2, 0.0), high - height)
    return x, y, x + breadth, y + height


def _inside(box: Box, other: Box) -> bool:
    return box[0] >= other[0] and box[1] >= other[1] and box[2] <= other[2] and box[3] <= other[3]


def _reaches(point: tuple[float, float], box: Box, far: float) -> bool:
    return box[0] - far <= point[0] <= box[2] + far and box[1] - far <= point[1] <= box[3] + far
