"""The faces of transport cards as SVG, and of tickets as marks on a small map. No words: every language reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import hypot

from branchline.atlas import Board, Ticket
from branchline.draw.geometry import Layout
from branchline.draw.ground import ground
from branchline.draw.lettering import text_width
from branchline.draw.palette import ANCHOR, CARD_COLOURS, PAPER, SYMBOLS, THEMES, symbol_colour, wheel
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_of
from branchline.workshop.sheets import Face, Line, Mark, Panel, Picture, Ring, Words

WIDE, HIGH = 68.0, 44.0  # mm, the small cards of the printed games
SMALL_MAP = "small.svg"
THEME = THEMES["light"]

_SHIP = "M-1 .15H1L.65.75H-.65ZM-.35.05V-.45H.35V.05ZM-.1-.55V-.9H.2V-.55Z"
_COARSE = 8.0  # times, for coasts on the small map
_BAND = 8.0  # mm, of the names
_DOT = 1.5  # mm
_RED = "#a8402e"
_VALUE = 6.0  # mm, radius of the circle with the points


# ------------------------------------------------------------------------------------------------ transport cards


def card_files(board: Board) -> dict[str, tuple[str, int]]:
    """File → its SVG and how many of this card there are, in the order of the rulebook."""
    cards = board.cards
    found: dict[str, tuple[str, int]] = {}
    for colour in cards.colours:
        kinds = {
            "": cards.train - cards.train_port_marked,
            "port": cards.train_port_marked,
            "ship": cards.ship_single,
            "ships": cards.ship_double,
        }
        for kind, count in kinds.items():
            found[f"card-{colour}-{kind}.svg"] = (_card(colour, kind), count)
    found["card-wild.svg"] = (_wild(), cards.wild)
    return {file: (svg, count) for file, (svg, count) in found.items() if count}


def card_faces(board: Board) -> list[Face]:
    """A face for each card in the box."""
    return [
        Face((Picture(0, 0, file, WIDE, HIGH, 0, 0, WIDE, HIGH),))
        for file, (_, count) in card_files(board).items()
        for _ in range(count)
    ]


def _svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {HIGH:g}">{inside}</svg>'


def _frame(fill: str, line: str) -> str:
    return (
        f'<rect width="{WIDE:g}" height="{HIGH:g}" fill="{fill}"/>'
        f'<rect x="2" y="2" width="{WIDE - 4:g}" height="{HIGH - 4:g}" rx="2.5" fill="none" stroke="{line}" '
        'stroke-width=".5" stroke-opacity=".6"/>'
    )


def _at(x: float, y: float, scale: float, inside: str) -> str:
    return f'<g transform="translate({x:g} {y:g})scale({scale:g})">{inside}</g>'


def _card(colour: str, kind: str) -> str:
    """A card of a colour: its symbol, ships where it covers them, an anchor where it pays for a port."""
    fill = CARD_COLOURS[colour]
    on = symbol_colour(fill)
    symbol = f'<path d="{SYMBOLS[colour]}" fill="{on}"/>'
    ship = f'<path d="{_SHIP}" fill="{on}"/>'
    drawn = [_frame(fill, on), *(_at(x, y, 2.6, symbol) for x, y in ((7, 7), (61, 7), (7, 37), (61, 37)))]
    ships = {"ship": 1, "ships": 2}.get(kind, 0)
    drawn.append(_at(WIDE / 2, 14 if ships else HIGH / 2, 6 if ships else 11, symbol))
    for number in range(ships):
        drawn.append(_at(WIDE / 2 + (number - (ships - 1) / 2) * 21, 30, 8.5, ship))
    if kind in ("port", "ship"):
        anchor = f'<path d="{ANCHOR}" fill="none" stroke="{on}" stroke-width=".26" stroke-linecap="round"/>'
        drawn.append(_at(WIDE / 2, 38.4, 2.6, anchor) if kind == "port" else _at(13.5, 30, 3.2, anchor))
    return _svg("".join(drawn))


def _wild() -> str:
    """The card that stands for any colour."""
    small = (_at(x, y, 2.8, wheel()) for x, y in ((7, 7), (61, 7), (7, 37), (61, 37)))
    return _svg("".join((_frame(PAPER, symbol_colour(PAPER)), *small, _at(WIDE / 2, HIGH / 2, 13, wheel()))))


# ------------------------------------------------------------------------------------------------ tickets


def small_map(board: Board, layout: Layout) -> str:
    """The map behind the tickets: land, water and thin lines for the routes."""
    sheet = layout.sheet
    coarse = replace(layout, scenery=scenery_of(board, sheet_of(board), _COARSE))
    lines = []
    for route in board.routes:
        (x, y), (to_x, to_y) = sheet.places[route.a.index], sheet.places[route.b.index]
        if route.line == 0 and not route.wraps:
            lines.append(f"M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width:g} {sheet.height:g}">'
        f'{ground(coarse, THEME, "small-")}<path d="{"".join(lines)}" fill="none" stroke="{THEME.bed}" '
        'stroke-width="5" stroke-opacity=".55"/></svg>'
    )


def ticket_faces(board: Board, layout: Layout) -> list[Face]:
    """A face for each ticket: its places on the small map, names, points, and its deck if there are two."""
    return [Face(tuple(_ticket(board, layout, ticket))) for ticket in board.tickets]


def _ticket(board: Board, layout: Layout, ticket: Ticket) -> Iterator[Mark]:
    sheet = layout.sheet
    scale = min((WIDE - 4) / sheet.width, (HIGH - _BAND - 4) / sheet.height)
    wide, high = scale * sheet.width, scale * sheet.height
    x, y = (WIDE - wide) / 2, _BAND + 2 + (HIGH - _BAND - 4 - high) / 2
    yield Panel(0, 0, WIDE, HIGH, THEME.halo)
    yield Picture(x, y, SMALL_MAP, wide, high, x, y, wide, high)
    points = [(x + scale * px, y + scale * py) for px, py in (sheet.places[place.index] for place in ticket.places)]
    for (here_x, here_y), (to_x, to_y) in pairwise(points):
        yield Line(here_x, here_y, to_x, to_y, 0.6, _RED, dashed=True)
    for here_x, here_y in points:
        yield Ring(here_x, here_y, _DOT, 0.5, THEME.ink, _RED)
    yield from _names(ticket)
    x, y = _corner(points)
    yield from _worth(ticket, x, y)
    if len(board.ticket_rules.decks) > 1:
        deck = board.ticket_rules.decks[ticket.deck]
        yield Words(3, HIGH - 4.5, WIDE - 6, 4, deck, 2.6, "right" if x < WIDE / 2 else "left", colour=THEME.soft_ink)


def _names(ticket: Ticket) -> Iterator[Mark]:
    """The names in one line, or in two where they are long."""
    joined = " – ".join(place.name for place in ticket.places)
    size = 4.4
    if text_width(joined, 3.4) <= WIDE - 6:
        size = min(size, (WIDE - 6) / text_width(joined, 1.0))
        yield Words(2, 1.2, WIDE - 4, _BAND, joined, size, weight=600)
        return
    half = (len(ticket.places) + 1) // 2
    for line, part in enumerate((ticket.places[:half], ticket.places[half:])):
        text = " – ".join(place.name for place in part)
        fitting = min(3.4, (WIDE - 6) / text_width(text, 1.0))
        yield Words(2, 0.8 + line * 4.1, WIDE - 4, 4.1, text, fitting, weight=600)


def _corner(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The middle of the corner that is farthest from the places: below if it is clear of them, else under the names."""
    clear = _VALUE + _DOT + 1
    corners = [(x, y) for y in (HIGH - _VALUE - 2, _BAND + _VALUE + 2) for x in (WIDE - _VALUE - 2, _VALUE + 2)]
    free = {(x, y): min(hypot(x - px, y - py) for px, py in points) for x, y in corners}
    below = max(corners[:2], key=free.__getitem__)
    return below if free[below] > clear else max(corners, key=free.__getitem__)


def _worth(ticket: Ticket, x: float, y: float) -> Iterator[Mark]:
    """The points, in a circle with this middle; of a tour all its values, in a panel there."""
    if ticket.tour:
        text = f"{ticket.value} · {ticket.any_order} · −{ticket.penalty}"
        wide = 0.62 * text_width(text, 5.0) + 6
        left = WIDE - wide - 2 if x > WIDE / 2 else 2
        yield Panel(left, y - 3.5, wide, 7, THEME.halo)
        yield Words(left, y - 3.5, wide, 7, text, 4.2, weight=700)
        return
    yield Ring(x, y, _VALUE, 0.4, THEME.ink, THEME.place)
    yield Words(x - _VALUE, y - _VALUE, 2 * _VALUE, 2 * _VALUE, str(ticket.value), 6.0, weight=700)
