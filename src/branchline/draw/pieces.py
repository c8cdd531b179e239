"""What is put on the board: wagons, ships, trams and subway cars, stations, ports.

All are drawn here from plain shapes, with the light at the upper left. The pieces of a route are one path, a short
line for each space, which is stroked again and again: a bright border that stands off from routes of any colour, rim,
edge, side, roof, mark. So a claimed route stays small, and the light falls the same way whichever way the route runs.
Ships have an outline besides their line.
"""

from __future__ import annotations

from math import cos, radians, sin

from branchline.boards.board import Route
from branchline.draw.geometry import Sizes, Space
from branchline.draw.palette import (
    ANCHOR,
    INK,
    PAPER,
    ROUTE_COLOURS,
    SEATS,
    Mark,
    Theme,
    mark_colour,
    mixed,
    symbol_colour,
)
from branchline.draw.spaces import number

# breadths of what is stroked, in breadths of a space: a wagon covers its space, and leaves a rim of the route's colour
_BORDER, _RIM, _EDGE, _SIDE, _ROOF = 1.46, 1.24, 1.14, 0.98, 0.76
_WINDOWS, _TRAM_ROOF = 0.88, 0.7  # a tram has windows all around
_CAR = 1.34  # a subway has one space, and its car is so much larger
_HULL, _HULL_SIDE, _HULL_EDGE, _HULL_RIM, _HULL_BORDER = 0.46, 0.14, 0.26, 0.36, 0.56  # a ship; its strokes
_DECK = 0.6
_LIFT, _FALL = 0.07, 0.15  # the roof lies so far towards the light, the shadow of a building so far away from it
_SHORTER = 0.08  # than its space, at either end
_RIDGE = 0.8  # half the length of the mark on what stands: stations and ports
_SHADE = 0.38  # how much darker a side is than the roof

_Corners = tuple[tuple[float, float], ...]


def seat_colour(seat: int) -> str:
    """Return the colour of a seat."""
    return SEATS[seat % len(SEATS)].colour


def piece_rules(theme: Theme, sizes: Sizes) -> dict[str, str]:
    """Return the style rules of all pieces: the widths of their strokes, and the shades of every seat."""
    unit = sizes.plank
    rules = {
        ".w": "fill:none;stroke-linecap:square;stroke-linejoin:round",
        ".tram .w,.subway .w": "stroke-linecap:round",
        ".wa": f"stroke:{theme.place}",
        ".wb,.wk": f"stroke:{theme.dark_outline}",
        ".wk": f"fill:none;stroke-width:{number(0.32 * unit)}",
        ".ba": "fill:#000;fill-opacity:.36",
        ".bb": f"stroke:{theme.dark_outline};stroke-width:{number(0.2 * unit)};stroke-linejoin:round;"
        "paint-order:stroke",
        ".bl": f"fill:none;stroke-width:{number(0.11 * unit)};stroke-linejoin:round",
        ".wn": f"fill:{PAPER};stroke:{theme.dark_outline};stroke-width:{number(0.08 * unit)}",
        ".wt": f"fill:{INK};font-size:{number(0.8 * unit)}px;font-weight:700;text-anchor:middle",
    }
    for part, breadth in (("a", _BORDER), ("r", _RIM), ("b", _EDGE), ("c", _SIDE), ("l", _ROOF), ("d", _ROOF)):
        rules[f".w{part}"] = rules.get(f".w{part}", "") + f";stroke-width:{number(breadth * unit)}"
        rules[f".subway .w{part}"] = f"stroke-width:{number(_CAR * breadth * unit)}"
    rules[".tram .wl"] = f"stroke-width:{number(_WINDOWS * unit)}"
    rules[".tram .wd"] = f"stroke-width:{number(_TRAM_ROOF * unit)}"
    for part, breadth in (("a", _HULL_BORDER), ("r", _HULL_RIM), ("b", _HULL_EDGE), ("c", _HULL_SIDE)):
        rules[f".sea .w{part}"] = f"stroke-width:{number(breadth * unit)}"
    for name, colour in ROUTE_COLOURS.items():
        rules[f".{name} .wr"] = f"stroke:{colour}"
    for seat, look in enumerate(SEATS):
        rules[f".seat{seat} .wc"] = f"stroke:{mixed(look.colour, '#000000', _SHADE)}"
        rules[f".seat{seat} .wd"] = f"stroke:{look.colour}"
        rules[f".sea.seat{seat} .wc"] = f"fill:{look.colour}"
        rules[f".seat{seat} .wl"] = f"stroke:{mixed(look.colour, '#ffffff', 0.5)}"
        rules[f".seat{seat} .bb"] = f"fill:{mixed(look.colour, '#000000', _SHADE)}"
        rules[f".seat{seat} .bf"] = f"fill:{look.colour}"
        rules[f".seat{seat} .bl"] = f"stroke:{mixed(look.colour, '#ffffff', 0.5)}"
        rules[f".seat{seat} .wm"] = f"fill:none;stroke:{mark_colour(look)}"
    return rules


def wagons(route: Route, spaces: tuple[Space, ...], seat: int, sizes: Sizes, prefix: str) -> str:
    """Return a piece of that seat on every space of a route."""
    if not spaces:
        return ""
    draw = _ships if route.kind == "sea" else _cars
    return draw(route, spaces, SEATS[seat % len(SEATS)].mark, sizes.plank, f"{prefix}w{route.index}") + _number(
        spaces[len(spaces) // 2].x, spaces[len(spaces) // 2].y, seat, sizes.plank
    )


def _cars(route: Route, spaces: tuple[Space, ...], mark: Mark, unit: float, name: str) -> str:
    """Return wagons, trams or the car of a subway, coupled to each other."""
    larger = _CAR if route.kind == "subway" else 1.0
    half = 0.36 * unit if route.kind == "subway" else spaces[0].length / 2 - (_SHORTER + _EDGE / 2) * unit
    lift, shift = (number(share * unit) for share in (_LIFT, 1.9 * _LIFT))
    chain = "L".join(f"{number(space.x)} {number(space.y)}" for space in spaces)
    return (
        # what is copied stands in <defs>, and takes on the looks of its `use`
        f'<defs><path id="{name}" d="{_lines(spaces, half)}"/></defs>'
        f'<path class="wk" d="M{chain}"/>'
        f'<use class="w wa" href="#{name}"/>'
        f'<use class="w wr" href="#{name}"/><use class="w wb" href="#{name}"/><use class="w wc" href="#{name}"/>'
        f'<use class="w wl" href="#{name}" x="-{shift}" y="-{shift}"/>'
        f'<use class="w wd" href="#{name}" x="-{lift}" y="-{lift}"/>'
        f'<use class="wm" {mark.stroke(2 * half, larger * _ROOF * unit)} href="#{name}" x="-{lift}" y="-{lift}"/>'
    )


def _ships(route: Route, spaces: tuple[Space, ...], mark: Mark, unit: float, name: str) -> str:
    """Return ships, all on the same course."""
    half = spaces[0].length / 2 - 0.75 * unit
    return (
        f'<defs><path id="{name}" d="{"".join(_hull(space, unit) for space in spaces)}"/></defs>'
        f'<use class="w wa" href="#{name}"/>'
        f'<use class="w wr" href="#{name}"/><use class="w wb" href="#{name}"/><use class="w wc" href="#{name}"/>'
        f'<path class="wm" {mark.stroke(2 * half, _DECK * unit)} d="{_lines(spaces, half, -0.22 * unit)}"/>'
    )


def _lines(spaces: tuple[Space, ...], half: float, ahead: float = 0.0) -> str:
    """Return a line along the middle of every space, `half` to either side, as path data."""
    lines = []
    for space in spaces:
        turn = radians((space.angle + 90) % 180 - 90)
        dx, dy = cos(turn), sin(turn)
        x, y = space.x + (ahead - half) * dx, space.y + (ahead - half) * dy
        lines.append(f"M{number(x)} {number(y)}l{number(2 * half * dx)} {number(2 * half * dy)}")
    return "".join(lines)


def _hull(space: Space, unit: float) -> str:
    """Return the outline of a ship seen from above, a bow at one end and a round stern, as path data."""
    x, y = space.length / 2 - (_SHORTER + 0.1) * unit, _HULL * unit
    bow = min(0.95 * unit, 0.9 * x)
    turn = radians((space.angle + 90) % 180 - 90)

    def at(along: float, across: float) -> str:
        east = space.x + along * cos(turn) - across * sin(turn)
        south = space.y + along * sin(turn) + across * cos(turn)
        return f"{number(east)} {number(south)}"

    return (
        f"M{at(x, 0)}Q{at(x - 0.4 * bow, y)} {at(x - bow, y)}L{at(-x + 0.3 * unit, y)}"
        f"Q{at(-x, 0.9 * y)} {at(-x, 0)} {at(-x, -0.9 * y)} {at(-x + 0.3 * unit, -y)}"
        f"L{at(x - bow, -y)}Q{at(x - 0.4 * bow, -y)} {at(x, 0)}Z"
    )


def _number(x: float, y: float, seat: int, unit: float) -> str:
    """Return the number of a seat in a round field."""
    return (
        f'<circle class="wn" cx="{number(x)}" cy="{number(y)}" r="{number(0.46 * unit)}"/>'
        f'<text class="wt" x="{number(x)}" y="{number(y + 0.27 * unit)}">{seat + 1}</text>'
    )


def station(x: float, y: float, seat: int, sizes: Sizes) -> str:
    """Return a station house: the seat's mark on its roof, the number on its wall."""
    unit = sizes.plank
    mark = SEATS[seat % len(SEATS)].mark.stroke(2 * _RIDGE * unit, 0.75 * unit)
    return _building(
        "station",
        x,
        y,
        seat,
        unit,
        outline=((-1.2, 0), (-0.95, -1.3), (0.95, -1.3), (1.2, 0), (0.95, 0), (0.95, 1.1), (-0.95, 1.1), (-0.95, 0)),
        face=((-1.2, 0), (-0.95, -1.3), (0.95, -1.3), (1.2, 0)),
        light=((-1.2, 0), (-0.95, -1.3), (0.95, -1.3)),
        upon=f'<path class="wm" {mark} d="M{_at(x, y, -_RIDGE, -0.65, unit)}h{number(2 * _RIDGE * unit)}"/>',
        field=0.54,
    )


def port(x: float, y: float, seat: int, sizes: Sizes) -> str:
    """Return a harbour: a quay with the seat's mark, an anchor below it on the water's side, and the number."""
    unit = sizes.plank
    mark = SEATS[seat % len(SEATS)].mark.stroke(2 * _RIDGE * unit, 0.7 * unit)
    anchor = (
        f'<path d="{ANCHOR}" fill="none" stroke="{symbol_colour(mixed(seat_colour(seat), "#000000", _SHADE))}" '
        f'stroke-width=".24" stroke-linecap="round" transform="translate({_at(x, y, -0.53, 0.5, unit)})'
        f'scale({0.5 * unit:.2f})"/>'
    )
    return _building(
        "port-built",
        x,
        y,
        seat,
        unit,
        outline=((-1.1, -1.3), (1.1, -1.3), (1.1, 0.75), (0.7, 1.2), (-0.7, 1.2), (-1.1, 0.75)),
        face=((-1.1, -1.3), (1.1, -1.3), (1.1, -0.2), (-1.1, -0.2)),
        light=((-1.1, -0.2), (-1.1, -1.3), (1.1, -1.3)),
        upon=f'<path class="wm" {mark} d="M{_at(x, y, -_RIDGE, -0.75, unit)}h{number(2 * _RIDGE * unit)}"/>{anchor}',
        field=0.5,
        aside=0.48,
    )


def _building(
    name: str,
    x: float,
    y: float,
    seat: int,
    unit: float,
    *,
    outline: _Corners,
    face: _Corners,
    light: _Corners,
    upon: str,
    field: float,
    aside: float = 0.0,
) -> str:
    """Return a solid building: its shadow, the shaded body, the face in the light, what is on it, the number.

    Corners are in breadths of a space, from the middle of the place; so are `field` and `aside`, where the number is.
    """
    whole, fall = _path(outline, x, y, unit), number(_FALL * unit)
    return (
        f'<g class="{name} seat{seat}"><path class="ba" transform="translate({fall} {fall})" d="{whole}Z"/>'
        f'<path class="bb" d="{whole}Z"/><path class="bf" d="{_path(face, x, y, unit)}Z"/>'
        f'<path class="bl" d="{_path(light, x, y, unit)}"/>{upon}'
        f"{_number(x + aside * unit, y + field * unit, seat, unit)}</g>"
    )


def _path(corners: _Corners, x: float, y: float, unit: float) -> str:
    """Return straight lines from corner to corner, as path data."""
    return "M" + "L".join(_at(x, y, across, down, unit) for across, down in corners)


def _at(x: float, y: float, across: float, down: float, unit: float) -> str:
    return f"{number(x + across * unit)} {number(y + down * unit)}"
