"""Transport cards and their backs as SVG, tickets as marks on a small map. No words: every language reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from branchline.boards import Board, Ticket
from branchline.draw.geometry import Layout
from branchline.draw.ground import ground
from branchline.draw.lettering import text_width
from branchline.draw.palette import ANCHOR, CARD_COLOURS, INK, PAPER, SYMBOLS, THEMES, symbol_colour, wheel
from branchline.draw.projection import sheet_of
from branchline.draw.scenery import scenery_of
from branchline.workshop.sheets import Face, Line, Mark, Panel, Picture, Ring, Words

WIDE, HIGH = 68.0, 44.0  # mm, the small cards of the printed games
SMALL_MAP = "small.svg"
THEME = THEMES["light"]

_SHIP = "M-1 .15H1L.65.75H-.65ZM-.35.05V-.45H.35V.05ZM-.1-.55V-.9H.2V-.55Z"
_WAGON = (
    "M-1-.5H1V.3H-1ZM-.82-.32V-.02H-.46V-.32ZM-.28-.32V-.02H.28V-.32ZM.46-.32V-.02H.82V-.32Z"
    "M-.75.36H-.35A.2.2 0 0 1-.75.36ZM.35.36H.75A.2.2 0 0 1 .35.36Z"
)
_BACKS = ("#31463e", "#2c4763", "#6b3530", "#4a3a5e", "#5b4a2a", "#3c4a52")
"""The grounds of the decks: trains, ships, and from `_TICKETS` on the decks of tickets by turns."""
_TICKETS = 2
_BLEED = 1.4  # mm that a back runs over the edge of its card
_COARSE = 8.0  # times, for coasts on the small map
_BAND = 8.0  # mm, of the names
_DOT = 1.5  # mm
_RED = "#a8402e"
_VALUE = 6.0  # mm, radius of the circle with the points


# ------------------------------------------------------------------------------------------------ transport cards


def card_files(board: Board) -> dict[str, tuple[str, int]]:
    """Return file → its SVG and how many of this card there are, in the order of the rulebook."""
    cards = board.cards
    files: dict[str, tuple[str, int]] = {}
    for colour in cards.colours:
        kinds = {
            "": cards.train - cards.train_port_marked,
            "port": cards.train_port_marked,
            "ship": cards.ship_single,
            "ships": cards.ship_double,
        }
        for kind, count in kinds.items():
            files[f"card-{colour}-{kind}.svg"] = (_card(colour, kind), count)
    files["card-wild.svg"] = (_wild(), cards.wild)
    return {file: (svg, count) for file, (svg, count) in files.items() if count}


def card_faces(board: Board) -> list[Face]:
    """Return a face for each card in the box; with two decks those of the trains first, each with the back of its
    deck.
    """
    files = card_files(board)
    if board.cards.two_decks:
        files = dict(sorted(files.items(), key=lambda entry: _deck_of(entry[0])))
    return [
        Face((Picture(0, 0, file, WIDE, HIGH, 0, 0, WIDE, HIGH),), _back(_deck_of(file)))
        for file, (_, count) in files.items()
        for _ in range(count)
    ]


def _deck_of(file: str) -> int:
    """Return 0 for the trains, with the wilds, and 1 for the ships."""
    return int(file.endswith(("-ship.svg", "-ships.svg")))


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
    """Return a card of a colour: its symbol, ships where it covers them, an anchor where it pays for a port."""
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
    """Return the card that stands for any colour."""
    small = (_at(x, y, 2.8, wheel()) for x, y in ((7, 7), (61, 7), (7, 37), (61, 37)))
    return _svg("".join((_frame(PAPER, symbol_colour(PAPER)), *small, _at(WIDE / 2, HIGH / 2, 13, wheel()))))


# ------------------------------------------------------------------------------------------------ backs


def back_files(board: Board) -> dict[str, str]:
    """Return file → SVG of the backs of all decks."""
    trains = {_back_file(0): _back_svg(0, _at(WIDE / 2, HIGH / 2, 11, f'<path d="{_WAGON}" fill="{PAPER}"/>'))}
    if board.cards.two_decks:
        trains[_back_file(1)] = _back_svg(1, _at(WIDE / 2, HIGH / 2, 11, f'<path d="{_SHIP}" fill="{PAPER}"/>'))
    return trains | {
        _back_file(_TICKETS + deck): _back_svg(_TICKETS + deck, _stops(deck + 2))
        for deck in range(len(board.ticket_rules.decks))
    }


def _back_file(number: int) -> str:
    return f"back-{number}.svg"


def _back(number: int, name: str = "") -> tuple[Mark, ...]:
    """Return the back of a card, with the name of its deck.

    Its ground runs over the edge, since printers miss a little.
    """
    ground = Panel(-_BLEED, -_BLEED, WIDE + 2 * _BLEED, HIGH + 2 * _BLEED, _ground_of(number))
    drawn = Picture(0, 0, _back_file(number), WIDE, HIGH, 0, 0, WIDE, HIGH)
    if not name:
        return ground, drawn
    size = min(3.4, (WIDE - 20) / text_width(name, 1.0))
    return ground, drawn, Words(8, HIGH - 13, WIDE - 16, 6, name, size, colour=PAPER, weight=600)


def _ground_of(number: int) -> str:
    return _BACKS[number] if number < len(_BACKS) else _BACKS[_TICKETS + (number - _TICKETS) % (len(_BACKS) - _TICKETS)]


def _back_svg(number: int, sign: str) -> str:
    """Return rails along all four sides around a sign."""
    ground = _ground_of(number)
    sleepers = "".join(
        f'<rect x="{inset:g}" y="{inset:g}" width="{WIDE - 2 * inset:g}" height="{HIGH - 2 * inset:g}" rx="2.5" '
        f'fill="none" stroke="{PAPER}" {stroke}/>'
        for inset, stroke in (
            (5.0, 'stroke-width="3.4" stroke-dasharray=".9 1.6" stroke-opacity=".45"'),
            (4.1, 'stroke-width=".5"'),
            (5.9, 'stroke-width=".5"'),
        )
    )
    return _svg(f'<rect width="{WIDE:g}" height="{HIGH:g}" fill="{ground}"/>{sleepers}{sign}')


def _stops(count: int) -> str:
    """Return a line with `count` stops: more of them for the later decks of tickets."""
    step = min(14.0, 42.0 / (count - 1))
    xs = [WIDE / 2 + (number - (count - 1) / 2) * step for number in range(count)]
    y = HIGH / 2 - 2
    line = f'<path d="M{xs[0]:g} {y:g}H{xs[-1]:g}" stroke="{PAPER}" stroke-width="1.4" stroke-dasharray="3 .8"/>'
    return line + "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="2.8" fill="{PAPER}" stroke="{INK}" stroke-width=".6"/>' for x in xs
    )


# ------------------------------------------------------------------------------------------------ tickets


def small_map(board: Board, layout: Layout) -> str:
    """Return the map behind the tickets: land, water and thin lines for the routes."""
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


def ticket_faces(board: Board, layout: Layout, decks: Sequence[str]) -> list[Face]:
    """Return a face for each ticket: its places on the small map, names, points, and if there are two `decks`, its
    own.
    """
    names = decks if len(decks) > 1 else ("",)
    return [
        Face(tuple(_ticket(layout, ticket, names[ticket.deck])), _back(_TICKETS + ticket.deck, names[ticket.deck]))
        for ticket in board.tickets
    ]


def _ticket(layout: Layout, ticket: Ticket, deck: str) -> Iterator[Mark]:
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
    if deck:
        yield Words(3, HIGH - 4.5, WIDE - 6, 4, deck, 2.6, "right" if x < WIDE / 2 else "left", colour=THEME.soft_ink)


def _names(ticket: Ticket) -> Iterator[Mark]:
    """Yield the names in one line, or in two where they are long."""
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
    """Return the middle of the corner that is farthest from the places: below if it is clear of them, else under the
    names.
    """
    clear = _VALUE + _DOT + 1
    corners = [(x, y) for y in (HIGH - _VALUE - 2, _BAND + _VALUE + 2) for x in (WIDE - _VALUE - 2, _VALUE + 2)]
    free = {(x, y): min(hypot(x - px, y - py) for px, py in points) for x, y in corners}
    below = max(corners[:2], key=free.__getitem__)
    return below if free[below] > clear else max(corners, key=free.__getitem__)


def _worth(ticket: Ticket, x: float, y: float) -> Iterator[Mark]:
    """Yield the points, in a circle with this middle; for a tour all its values, in a panel there."""
    if ticket.tour:
        text = f"{ticket.value} · {ticket.any_order} · −{ticket.penalty}"
        wide = 0.62 * text_width(text, 5.0) + 6
        left = WIDE - wide - 2 if x > WIDE / 2 else 2
        yield Panel(left, y - 3.5, wide, 7, THEME.halo)
        yield Words(left, y - 3.5, wide, 7, text, 4.2, weight=700)
        return
    yield Ring(x, y, _VALUE, 0.4, THEME.ink, THEME.place)
    yield Words(x - _VALUE, y - _VALUE, 2 * _VALUE, 2 * _VALUE, str(ticket.value), 6.0, weight=700)
