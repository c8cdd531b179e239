"""What all parts of one drawing share: its style rules, and the symbols it repeats.

Only plain class rules and attributes, which rsvg-convert knows as well as browsers do. What is copied by `use`
carries its looks in attributes: browsers match no rules of the page inside a copy.
"""

from __future__ import annotations

from branchline.boards.board import GRAY, Board
from branchline.draw.geometry import Sizes
from branchline.draw.lettering import TITLES
from branchline.draw.palette import CARD_COLOURS, ROUTE_COLOURS, SYMBOLS, Theme, symbol_colour, wheel
from branchline.draw.pieces import piece_rules
from branchline.draw.spaces import number

_FIGURE = "M-.34.5C-.34.1-.2 0-.14-.07A.23.23 0 1 1 .14-.07C.2 0 .34.1.34.5Z"


def style_rules(drawing: str, theme: Theme, sizes: Sizes) -> str:
    """Return the style sheet of a drawing; every rule begins with the class `drawing`, so that it affects no other."""
    unit = sizes.plank
    thin = number(max(0.075 * unit * theme.line, 0.7))
    rules = {
        ".s": f"stroke:{theme.outline};stroke-width:{thin};stroke-opacity:{0.55 if theme.name != 'contrast' else 1}",
        ".black .s,.blue .s": f"stroke:{theme.dark_outline};stroke-opacity:1",
        ".t": f"fill:{theme.bed};stroke:{theme.outline if theme.name != 'dark' else '#cbbd9c'};"
        f"stroke-width:{number(0.2 * unit)};stroke-dasharray:{number(0.13 * unit)} {number(0.13 * unit)}",
        ".bed": f"fill:none;stroke:{theme.bed};stroke-width:{number(0.13 * unit)};stroke-linecap:round",
        ".n": f"font-size:{number(0.95 * unit)}px;font-weight:700",
        ".glow": f"fill:none;stroke:{theme.accent};stroke-width:{number(1.6 * unit)};stroke-linecap:round;"
        "stroke-linejoin:round;opacity:.7",
        ".closed .s,.closed .t": "opacity:.25",
        ".bed.closed": "opacity:.4",
        ".p": f"fill:{theme.place};stroke:{theme.place_ring};stroke-width:{number(0.15 * unit)}",
        ".d": f"fill:{theme.place_dot}",
        ".port .p": f"stroke:{theme.port_ring}",
        ".port .d": f"fill:{theme.port_ring}",
        ".inland .p": f"stroke:{theme.inland_ring}",
        ".inland .d": f"fill:{theme.inland_ring}",
        ".mark": f"fill:none;stroke:{theme.accent};stroke-width:{number(0.3 * unit)}",
        ".l": f"fill:{theme.ink};stroke:{theme.halo};stroke-width:{number(0.2 * sizes.font)};"
        "stroke-linejoin:round;paint-order:stroke;font-weight:600;pointer-events:none",
        ".country .l": f"font-family:{TITLES};font-style:italic",
        ".tie": f"fill:none;stroke:{theme.soft_ink};stroke-width:{number(0.12 * unit)};stroke-linecap:round;"
        f"stroke-dasharray:0 {number(0.32 * unit)}",
        ".fig": f"stroke:{theme.dark_outline};stroke-width:.06;stroke-linejoin:round",
        ".hit": f"fill:none;stroke:#000;stroke-opacity:0;stroke-width:{number(1.9 * unit)};"
        "stroke-linecap:round;pointer-events:stroke",
        ".button": "cursor:pointer;outline:none",
        ".button:focus-visible .focus": f"stroke:{theme.accent};stroke-opacity:1",
        ".button:focus-visible .p": f"stroke:{theme.accent};stroke-width:{number(0.32 * unit)}",
        ".focus": f"fill:none;stroke:{theme.accent};stroke-opacity:0;stroke-width:{number(1.75 * unit)};"
        "stroke-linecap:round;pointer-events:none",
        ".sign": f"fill:{theme.soft_ink};font-weight:600",
        **piece_rules(theme, sizes),
    }
    for name, colour in ROUTE_COLOURS.items():
        rules[f".{name} .s"] = f"fill:{colour}"
        rules[f".{name} .n"] = f"fill:{symbol_colour(colour)}"
    return "".join(
        ",".join(f".{drawing} {selector}" for selector in rule.split(",")) + "{" + body.strip(";") + "}"
        for rule, body in rules.items()
    )


def definitions(board: Board, theme: Theme, sizes: Sizes, prefix: str) -> str:
    """Return the symbols that are drawn once and copied; their ids begin with `prefix`."""
    unit = sizes.plank
    symbols = [
        f'<path id="{prefix}{name}" d="{path}" fill="{symbol_colour(CARD_COLOURS[name])}" '
        f'transform="scale({0.31 * unit:.2f})"/>'
        for name, path in SYMBOLS.items()
    ]
    kinds = {route.kind for route in board.routes}
    if "subway" in kinds:
        symbols += [
            f'<path id="{prefix}{name}-s" d="{path}" fill="{symbol_colour(CARD_COLOURS[name])}" '
            f'transform="scale({0.24 * unit:.2f})"/>'
            for name, path in SYMBOLS.items()
        ]
    if any(route.wilds for route in board.routes):
        symbols.append(f'<g id="{prefix}wheel" transform="scale({0.42 * unit:.2f})">{wheel()}</g>')
    if any(route.pairs for route in board.routes):
        symbols.append(_pair(sizes, prefix))
    if any(place.passengers for place in board.places):
        symbols.append(
            # it takes its colour and edge from its copies
            f'<g id="{prefix}figure"><path d="{_FIGURE}" fill="#000" fill-opacity=".36" stroke="none" '
            f'transform="translate(.09 .07)"/><path d="{_FIGURE}"/><path d="M-.24.42C-.24.12-.15.06-.05-.02'
            f'M-.13-.2A.13.13 0 0 1 .02-.35" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width=".07" '
            f'stroke-linecap="round"/></g>'
        )
    if theme.lamp:
        symbols.append(
            f'<radialGradient id="{prefix}lamp"><stop offset="0" stop-color="{theme.lamp}" '
            f'stop-opacity=".34"/><stop offset="1" stop-color="{theme.lamp}" stop-opacity="0"/>'
            "</radialGradient>"
        )
    return "".join(symbols)


def _pair(sizes: Sizes, prefix: str) -> str:
    """Return the double chevron of difficult terrain, at the right end of its space."""
    unit = sizes.plank
    rise = 0.27 * unit
    chevrons = "".join(
        f"M{number(x * unit)} {number(-rise)}l{number(rise)} {number(rise)} {number(-rise)} {number(rise)}"
        for x in (-0.34, -0.02)
    )
    return (
        f'<path id="{prefix}pair" d="{chevrons}" fill="none" stroke="{symbol_colour(ROUTE_COLOURS[GRAY])}" '
        f'stroke-width="{number(0.15 * unit)}" stroke-linejoin="round" stroke-linecap="round"/>'
    )
