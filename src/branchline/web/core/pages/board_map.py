"""The map on a page: drawn whole once, then kept up to date route by route and place by place."""

from __future__ import annotations

import functools

from markupsafe import Markup

from branchline.boards import Board
from branchline.draw import Position, board_parts, board_style, board_svg, position_of_view
from branchline.draw.layout import Layout, layout_of
from branchline.draw.projection import sheet_of
from branchline.draw.sizes import sizes_of
from branchline.game import View
from branchline.web.core.caches import BOARD, MEGABYTE, Cache, bytes_of, kept_texts
from branchline.web.core.pages.labels import map_words
from branchline.web.core.pages.palette import PAGE

_LIT = ":is(.can,.lit,.pinned,.asked,.telling)"
_WANTED = ":is(.can.wanted,.held)"
_SUIT = ".suit"
_LATELY = ".lately:not(.lit,.pinned,.asked)"


_MAPS: Cache[tuple[object, ...], tuple[Layout, Markup]] = Cache("maps", 12 * MEGABYTE)


def whole(board: Board, view: View, language: str) -> Markup:
    """Return the element `board`: the drawing of what everybody sees of a position, made once for all viewers."""
    position = _position(board, view)
    layout = layout_of(board)  # one object for boards that look the same; kept, so that no other has its identity
    key = id(layout), board.digest, board.titles, language, _lying(position)
    entry = _MAPS.get(key)
    if entry is None:
        entry = layout, Markup('<div id="board">{}</div>').format(Markup(drawing(board, position, language)))
        _MAPS.put(key, entry, bytes_of(entry[1]))
    return entry[1]


def _lying(position: Position) -> tuple[object, ...]:
    """Return what lies on the board, as a key."""
    contents = (position.owners, position.stations, position.ports, position.passengers or {})
    return position.seats, position.closed, *(tuple(sorted(there.items())) for there in contents)


def drawing(board: Board, position: Position, language: str) -> str:
    """Return the map as SVG whose parts can be pressed; its style rules are apart."""
    drawn = board_svg(
        board, position, theme=PAGE, interactive=True, style=False, words=map_words(language), language=language
    )
    return one_stop(drawn)


@kept_texts("styles", 4 * MEGABYTE, beside=BOARD)
def style(board: Board) -> Markup:
    """Return the style rules of a board's drawing; lights are thin enough for parallel routes to stay apart."""
    plank = sizes_of(board, sheet_of(board)).plank
    rules = [board_style(board, PAGE)]
    for marks, breadth in ((_LIT, 1.36), (_WANTED, 1.8), (_SUIT, 1.36), (_LATELY, 2.2)):
        rules.append(f".stage .branchline .route{marks} .focus{{stroke-width:{breadth * plank:.1f}}}")
        rules.append(f".stage .branchline .subway{marks} .focus{{stroke-width:{0.4 * breadth * plank:.1f}}}")
    rules.append(f".stage .branchline {_SUIT} .focus{{stroke-dasharray:{0.2 * plank:.1f} {1.5 * plank:.1f}}}")
    # light tells what tickets want by its pattern, too: where colours look alike, and in grey
    rules.append(
        f".stage .branchline .route.can.wanted:not(.lit,.pinned,.asked,.guided) .focus"
        f"{{stroke-linecap:butt;stroke-dasharray:{1.1 * plank:.1f} {0.4 * plank:.1f}}}"
    )
    return Markup("".join(rules))


@functools.lru_cache(maxsize=16)
def is_tall(board: Board) -> bool:
    """Return whether the map is higher than wide."""
    sheet = sheet_of(board)
    return sheet.height > sheet.width


def changed(board: Board, before: View, now: View, language: str) -> dict[str, str]:
    """Return the routes and places that look different from before, drawn again."""
    if _contents(before) == _contents(now):
        return {}
    old, new = _position(board, before), _position(board, now)
    routes = {index for index, _ in old.owners.items() ^ new.owners.items()} | (old.closed ^ new.closed)
    places = {index for index, _ in old.stations.items() ^ new.stations.items()}
    places |= {index for index, _ in old.ports.items() ^ new.ports.items()}
    places |= {index for index, _ in (old.passengers or {}).items() ^ (new.passengers or {}).items()}
    if not routes and not places:
        return {}
    parts = {f"route-{index}": _route(board, index, *_lies_on(new, index), language) for index in sorted(routes)}
    if not places:
        return parts
    drawn = board_parts(board, new, (), sorted(places), theme=PAGE, words=map_words(language), language=language)
    return parts | {key: one_stop(part) for key, part in drawn.items()}


def _contents(view: View) -> tuple[object, ...]:
    """Return what lies on the board, quick to compare: routes and places are the same objects in all views of it."""
    return [(seat.routes, seat.stations, seat.ports) for seat in view.seats], view.closed, view.passengers


def _lies_on(position: Position, route: int) -> tuple[int | None, bool]:
    """Return the owner of a route, and whether it is closed: all that decides its look."""
    return position.owners.get(route), route in position.closed


_ROUTES: Cache[tuple[object, ...], tuple[Layout, str]] = Cache("maps", 4 * MEGABYTE)


def _route(board: Board, index: int, owner: int | None, closed: bool, language: str) -> str:
    """Return a route, drawn once for all who see it the same."""
    layout = layout_of(board)  # see `whole`
    key = id(layout), board.digest, language, index, owner, closed
    entry = _ROUTES.get(key)
    if entry is None:
        lies = Position(owners={} if owner is None else {index: owner}, closed=frozenset({index} if closed else ()))
        words = map_words(language)
        drawn = board_parts(board, lies, (index,), (), theme=PAGE, words=words, language=language)
        entry = layout, one_stop(drawn[f"route-{index}"])
        _ROUTES.put(key, entry, bytes_of(entry[1]))
    return entry[1]


def _position(board: Board, view: View) -> Position:
    """Return what lies on the board, kept with the view.

    The page marks the places of tickets: it knows when they are done.
    """
    kept = vars(view)
    if "_position" not in kept:
        kept["_position"] = position_of_view(board, view, marks=False)
    position: Position = kept["_position"]
    return position


def one_stop(drawing: str) -> str:
    """Return a drawing that is a single stop for the Tab key: the arrow keys move inside the map (see
    `keyboard.js`).
    """
    return drawing.replace('tabindex="0"', 'tabindex="-1"')
