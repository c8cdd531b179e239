"""What is put on the board: wagons, ships, trams and subway cars, stations, ports and passengers.

All are drawn here from plain shapes. A piece leaves a rim of its space to be seen, so the route's own colour stays.
"""

from __future__ import annotations

from branchline.atlas.board import Route
from branchline.draw.geometry import Sizes, Space
from branchline.draw.palette import ANCHOR, INK, PAPER, SEATS, symbol_colour
from branchline.draw.spaces import number, place_at


def seat_colour(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)].colour


def _body(route: Route, space: Space, sizes: Sizes) -> str:
    """The outline of a piece seen from above, as path data around the middle of its space."""
    unit = sizes.plank
    x, y = space.length / 2 - 0.16 * unit, 0.35 * unit
    if route.kind == "sea":  # a bow to the right, a round stern
        bow = min(0.62 * unit, x)
        return (
            f"M{number(x)} 0Q{number(x - bow * 0.45)} {number(y)} {number(x - bow)} {number(y)}"
            f"H{number(-x + y)}A{number(y)} {number(y)} 0 0 1 {number(-x + y)} {number(-y)}"
            f"H{number(x - bow)}Q{number(x - bow * 0.45)} {number(-y)} {number(x)} 0Z"
        )
    corner = {"subway": 0.24, "tram": 0.28}.get(route.kind, 0.1) * unit
    if route.kind == "subway":
        x, y = 0.62 * unit, 0.47 * unit
    return (
        f"M{number(-x + corner)} {number(-y)}H{number(x - corner)}"
        f"Q{number(x)} {number(-y)} {number(x)} {number(-y + corner)}V{number(y - corner)}"
        f"Q{number(x)} {number(y)} {number(x - corner)} {number(y)}H{number(-x + corner)}"
        f"Q{number(-x)} {number(y)} {number(-x)} {number(y - corner)}V{number(-y + corner)}"
        f"Q{number(-x)} {number(-y)} {number(-x + corner)} {number(-y)}Z"
    )


def wagons(route: Route, spaces: tuple[Space, ...], seat: int, sizes: Sizes, prefix: str) -> str:
    """A piece of that seat on every space of a route: drawn once, then set down on each."""
    if not spaces:
        return ""
    body = _body(route, spaces[0], sizes)
    name = f"{prefix}w{route.index}"
    # looks are written out, not left to a class: browsers match no rules of the page inside a copy
    piece = (
        f'<path d="{body}" fill="{seat_colour(seat)}" stroke="{PAPER}" stroke-width="{number(0.07 * sizes.plank)}"/>'
        f'<path d="{body}" fill="url(#{prefix}seat{seat % len(SEATS)})"/>'
        f"{_badge(0.0, 0.0, seat, 0.3 * sizes.plank)}"
    )
    # the definition sits in <defs> so that every space, the first included, is an equal copy
    copies = "".join(f'<use href="#{name}" transform="{place_at(space)}"/>' for space in spaces)
    return f'<defs><g id="{name}">{piece}</g></defs>{copies}'


def _badge(x: float, y: float, seat: int, radius: float) -> str:
    """The number of a seat in a small round field."""
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{PAPER}"/>'
        f'<text x="{number(x)}" y="{number(y + 0.66 * radius)}" font-size="{number(1.85 * radius)}" '
        f'font-weight="700" text-anchor="middle" fill="{INK}">{seat + 1}</text>'
    )


def patterns(sizes: Sizes, prefix: str) -> str:
    """The patterns of the seats, as SVG definitions."""
    tile = 0.5 * sizes.plank
    found = []
    for seat, look in enumerate(SEATS):
        ink = symbol_colour(look.colour)
        found.append(
            f'<pattern id="{prefix}seat{seat}" width="1" height="1" patternUnits="userSpaceOnUse" '
            f'patternTransform="scale({number(tile)})"><g fill="{ink}" stroke="{ink}" stroke-width="0" '
            f'opacity=".42">{look.pattern}</g></pattern>'
        )
    return "".join(found)


def station(x: float, y: float, seat: int, sizes: Sizes) -> str:
    """A station house with the seat's number."""
    unit = 1.12 * sizes.plank
    roof = (
        f"M{number(x - 0.85 * unit)} {number(y - 0.12 * unit)}L{number(x)} {number(y - 0.95 * unit)}"
        f"L{number(x + 0.85 * unit)} {number(y - 0.12 * unit)}H{number(x + 0.66 * unit)}V{number(y + 0.72 * unit)}"
        f"H{number(x - 0.66 * unit)}V{number(y - 0.12 * unit)}Z"
    )
    return _stamped(roof, x, y + 0.12 * unit, seat, sizes, "station")


def port(x: float, y: float, seat: int, sizes: Sizes) -> str:
    """A harbour's shield with an anchor and the seat's number."""
    unit = 1.12 * sizes.plank
    shield = (
        f"M{number(x - 0.8 * unit)} {number(y - 0.95 * unit)}h{number(1.6 * unit)}v{number(1.15 * unit)}"
        f"c0 {number(0.55 * unit)} {number(-0.5 * unit)} {number(0.85 * unit)} {number(-0.8 * unit)} "
        f"{number(0.95 * unit)}c{number(-0.3 * unit)} {number(-0.1 * unit)} {number(-0.8 * unit)} "
        f"{number(-0.4 * unit)} {number(-0.8 * unit)} {number(-0.95 * unit)}Z"
    )
    anchor = (
        f'<path d="{ANCHOR}" fill="none" stroke="{symbol_colour(seat_colour(seat))}" stroke-width=".2" '
        f'stroke-linecap="round" transform="translate({number(x)} {number(y - 0.42 * unit)})'
        f'scale({0.44 * unit:.2f})"/>'
    )
    return _stamped(shield, x, y + 0.5 * unit, seat, sizes, "port-built", anchor)


def _stamped(shape: str, x: float, y: float, seat: int, sizes: Sizes, name: str, over: str = "") -> str:
    return (
        f'<g class="{name} seat{seat}"><path class="h" d="{shape}" fill="{seat_colour(seat)}"/>{over}'
        f"{_badge(x, y, seat, 0.36 * sizes.plank)}</g>"
    )
