"""One route drawn while it is free: the line it is threaded on, its spaces by kind, and what is printed on them."""

from __future__ import annotations

from branchline.boards.board import GRAY, Route
from branchline.draw.geometry import Sizes, Space, Track

SLOT = 0.84  # how much of the breadth of a space is coloured while it is free


def number(value: float) -> str:
    """Return a number with at most one decimal, as short as possible."""
    return f"{round(value, 1):g}"


def place_at(space: Space) -> str:
    """Return the transform that places something on a space, turned with it but never upside down."""
    angle = (space.angle + 90) % 180 - 90
    turned = f"rotate({number(angle)})" if abs(angle) >= 0.05 else ""
    return f"translate({number(space.x)} {number(space.y)}){turned}"


def bed_path(track: Track) -> str:
    """Return the line or lines a route is threaded on, as path data."""
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in bed) for bed in track.beds if len(bed) > 1)


def _rounding(route: Route, sizes: Sizes) -> float:
    """Return how round the corners of a space are: those of sea and ferry spaces are half circles."""
    if route.kind in ("sea", "ferry"):
        return SLOT * sizes.plank / 2
    if route.kind == "tram":
        return sizes.plank * 0.36
    return sizes.plank * 0.17


def plank(route: Route, space: Space, sizes: Sizes) -> str:
    """Return the bare space, in the route's colour."""
    if route.kind == "subway":
        return f'<circle class="s" cx="{number(space.x)}" cy="{number(space.y)}" r="{number(space.breadth / 2)}"/>'
    wide, high = space.length, SLOT * space.breadth
    box = f'x="{number(-wide / 2)}" y="{number(-high / 2)}" width="{number(wide)}" height="{number(high)}"'
    where = place_at(space)
    drawn = f'<rect class="s" {box} rx="{number(_rounding(route, sizes))}" transform="{where}"/>'
    if route.kind == "tunnel":
        return _tunnel(space, sizes, where) + drawn
    return drawn


def _tunnel(space: Space, sizes: Sizes, where: str) -> str:
    """Return the dark edge around a tunnel's space: two rails, and the sleepers they lie on."""
    out = 0.15 * sizes.plank
    wide, high = space.length + 0.3 * out, SLOT * space.breadth + 2 * out
    return (
        f'<rect class="t" x="{number(-wide / 2)}" y="{number(-high / 2)}" '
        f'width="{number(wide)}" height="{number(high)}" transform="{where}"/>'
    )


def ferry_wheels(route: Route) -> range:
    """Return which spaces of a ferry show a wheel: the middle ones."""
    first = (route.length - route.wilds) // 2
    return range(first, first + route.wilds)


def print_on(route: Route, index: int, space: Space, sizes: Sizes, prefix: str) -> str:
    """Return what is printed on a free space: the colour's symbol, a wheel, a chevron, a price."""
    x, y = number(space.x), number(space.y)
    if route.kind == "subway":
        lift = 0.0 if route.colour == GRAY else 0.25 * sizes.plank
        price = (
            f'<text class="n" x="{x}" y="{number(space.y - lift + 0.3 * sizes.plank)}" '
            f'text-anchor="middle">{route.price}</text>'
        )
        if route.colour == GRAY:
            return price
        return price + f'<use href="#{prefix}{route.colour}-s" x="{x}" y="{number(space.y + 0.5 * sizes.plank)}"/>'
    if index in ferry_wheels(route):
        return f'<use href="#{prefix}wheel" x="{x}" y="{y}"/>'
    drawn = "" if route.colour == GRAY else f'<use href="#{prefix}{route.colour}" x="{x}" y="{y}"/>'
    if index < route.pairs:
        drawn += f'<use href="#{prefix}pair" transform="{place_at(space)}"/>'
    return drawn
