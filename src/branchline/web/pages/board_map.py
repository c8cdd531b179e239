"""The map on a page: drawn whole once, then kept up to date route by route and place by place."""

from __future__ import annotations

import functools
from dataclasses import replace

from markupsafe import Markup

from branchline.atlas import Board
from branchline.draw import Position, board_parts, board_style, board_svg, position_of_view
from branchline.draw.projection import sheet_of
from branchline.draw.sizes import sizes_of
from branchline.game import View
from branchline.web.pages.labels import map_words
from branchline.web.pages.palette import PAGE

_LIT = ":is(.can,.lit,.pinned,.asked,.telling)"
_WANTED = ":is(.can.wanted,.held)"
_SUIT = ".suit"


def whole(board: Board, view: View, language: str) -> Markup:
    """The element `board`: the drawing of a position."""
    return Markup('<div id="board">{}</div>').format(Markup(drawing(board, _position(board, view), language)))


def drawing(board: Board, position: Position, language: str) -> str:
    """The map as SVG, to be pressed; its style rules are apart."""
    drawn = board_svg(
        board, position, theme=PAGE, interactive=True, style=False, words=map_words(language), language=language
    )
    return one_stop(drawn)


@functools.lru_cache(maxsize=16)
def style(board: Board) -> Markup:
    """The style rules of a board's drawing; lights are thin enough for parallel routes to stay apart."""
    plank = sizes_of(board, sheet_of(board)).plank
    rules = [board_style(board, PAGE)]
    for marks, breadth in ((_LIT, 1.36), (_WANTED, 1.8), (_SUIT, 1.36)):
        rules.append(f".stage .branchline .route{marks} .focus{{stroke-width:{breadth * plank:.1f}}}")
        rules.append(f".stage .branchline .subway{marks} .focus{{stroke-width:{0.4 * breadth * plank:.1f}}}")
    rules.append(f".stage .branchline {_SUIT} .focus{{stroke-dasharray:{0.2 * plank:.1f} {1.5 * plank:.1f}}}")
    return Markup("".join(rules))


@functools.lru_cache(maxsize=16)
def is_tall(board: Board) -> bool:
    """Whether the map is higher than wide."""
    sheet = sheet_of(board)
    return sheet.height > sheet.width


def changed(board: Board, before: View, now: View, language: str) -> dict[str, str]:
    """The routes and places that look otherwise than before, drawn anew."""
    old, new = _position(board, before), _position(board, now)
    if old == new:
        return {}
    routes = [route.index for route in board.routes if _route(old, route.index) != _route(new, route.index)]
    places = [place.index for place in board.places if _place(old, place.index) != _place(new, place.index)]
    parts = board_parts(board, new, routes, places, theme=PAGE, words=map_words(language), language=language)
    return {key: one_stop(part) for key, part in parts.items()}


def _position(board: Board, view: View) -> Position:
    """What lies on the board. The places of tickets are marked by the page, which knows when they are done."""
    return replace(position_of_view(board, view), marked_places=frozenset())


def _route(position: Position, index: int) -> tuple[int | None, bool]:
    return position.owners.get(index), index in position.closed


def _place(position: Position, index: int) -> tuple[object, ...]:
    standing = position.passengers.get(index) if position.passengers else None
    return position.stations.get(index), position.ports.get(index), standing


def one_stop(drawing: str) -> str:
    """Inside the map one moves with the arrow keys (see `keyboard.js`): it is a single stop for the Tab key."""
    return drawing.replace('tabindex="0"', 'tabindex="-1"')
