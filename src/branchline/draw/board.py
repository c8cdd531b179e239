"""The whole drawing: a board and a position in, SVG text out."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import cos, pi, sin

from branchline.atlas.board import GRAY, Board, Place, Route
from branchline.draw.labels import FIGURES, LINE, Label
from branchline.draw.layout import Layout, layout_of
from branchline.draw.lettering import NAMES, TITLES
from branchline.draw.palette import (
    CARD_COLOURS,
    GRAY as GRAY_COLOUR,
    PAPER,
    SYMBOLS,
    THEMES,
    Theme,
    symbol_colour,
    wheel,
)
from branchline.draw.pieces import patterns, port, station, wagons
from branchline.draw.position import Position
from branchline.draw.sizes import Sizes
from branchline.draw.spaces import bed_path, number, plank, print_on
from branchline.draw.wording import ENGLISH, say

_EMPTY = Position()


def board_svg(
    board: Board,
    position: Position | None = None,
    *,
    theme: str = "light",
    labels: bool = True,
    title: str | None = None,
    interactive: bool = False,
    words: Mapping[str, str] = ENGLISH,
) -> str:
    """A board, and what lies on it, as SVG text.

    Every route is a group with `data-route`, every place one with `data-place`, so that a page can address them;
    with `interactive` they can also be reached with the keyboard. `words` replaces the English of the texts that
    are only heard. Raises `ValueError` for an unknown theme.
    """
    if theme not in THEMES:
        raise ValueError(f"unknown theme {theme!r}; there are {', '.join(THEMES)}")
    sketch = _Sketch(board, position or _EMPTY, THEMES[theme], labels, interactive, words)
    return sketch.svg(title if title is not None else board.title)


class _Sketch:
    """One drawing in the making."""

    def __init__(
        self,
        board: Board,
        position: Position,
        theme: Theme,
        labels: bool,
        interactive: bool,
        words: Mapping[str, str],
    ) -> None:
        self.board = board
        self.position = position
        self.theme = theme
        self.labels = labels
        self.interactive = interactive
        self.words = words
        self.layout: Layout = layout_of(board)
        self.sizes: Sizes = self.layout.sizes
        safe = "".join(letter if letter.isalnum() else "-" for letter in board.id)
        # pages may show several drawings at once, and ids and class rules are shared by a whole page
        self.name = f"bl-{safe}-{theme.name}"
        self.prefix = f"{self.name}-"

    def svg(self, title: str) -> str:
        """The finished text."""
        sheet = self.layout.sheet
        wide, high = number(sheet.width), number(sheet.height)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="branchline {self.name}" viewBox="0 0 {wide} {high}" '
            f'role="group" aria-labelledby="{self.prefix}title {self.prefix}desc" font-family="{NAMES}">',
            f'<title id="{self.prefix}title">{escape(title)}</title>',
            f'<desc id="{self.prefix}desc">{escape(self._description())}</desc>',
            f"<style>{self._style()}</style>",
            f"<defs>{self._definitions()}</defs>",
            self._scenery(),
            '<g class="routes">' + "".join(self._route(route) for route in self.board.routes) + "</g>",
            self._countries(),
            self._legend(),
            '<g class="places">' + "".join(self._place(place) for place in self.board.places) + "</g>",
            self._frame(),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part)

    # What is heard

    def _say(self, key: str, **fields: object) -> str:
        return say(self.words, key, **fields)

    def _description(self) -> str:
        text = self._say("board", places=len(self.board.places), routes=len(self.board.routes))
        if self.position.owners:
            text += " " + self._say("board.owned", owned=len(self.position.owners))
        return text

    def _route_text(self, route: Route) -> str:
        colour = self._say(f"colour.{route.colour}")
        if route.kind == "subway":
            spaces = self._say("subway", price=route.price, colour=colour)
            points = self.board.subway_points
        else:
            which = "spaces.one" if route.length == 1 else "spaces.many"
            spaces = self._say(which, count=route.length, colour=colour)
            points = self.board.points
        said = [self._say("route", name=route.name, spaces=spaces)]
        if route.kind not in ("rail", "subway"):
            said.append(self._say(f"kind.{route.kind}"))
        if route.wilds:
            said.append(self._say("wilds", count=route.wilds))
        if route.pairs:
            said.append(self._say("pairs", count=route.pairs))
        if route.price < len(points):
            said.append(self._say("points", points=points[route.price]))
        if route.index in self.position.owners:
            said.append(self._say("owner", seat=self.position.owners[route.index] + 1))
        elif route.index in self.position.closed:
            said.append(self._say("closed"))
        return ", ".join(said)

    def _place_text(self, place: Place) -> str:
        said = [place.name if place.kind != "waypoint" else self._say("waypoint")]
        if place.kind == "country":
            said.append(self._say("country"))
        if place.index in self.position.stations:
            said.append(self._say("station", seat=self.position.stations[place.index] + 1))
        if place.index in self.position.ports:
            said.append(self._say("port", seat=self.position.ports[place.index] + 1))
        elif place.port:
            said.append(self._say("may_port"))
        standing = self._standing(place)
        if standing and standing[0]:
            named = ", ".join(self._say(f"colour.{colour}") for colour in standing)
            said.append(self._say("passengers.of", colours=named))
        elif standing:
            said.append(self._say("passengers", count=len(standing)))
        return ", ".join(said)

    # What is shared

    def _style(self) -> str:
        theme, unit = self.theme, self.sizes.plank
        thin = number(max(0.075 * unit * theme.line, 0.7))
        rules = {
            ".s": f"stroke:{theme.outline};stroke-width:{thin}",
            ".black .s,.blue .s": f"stroke:{theme.dark_outline}",
            ".t": f"fill:{theme.bed};stroke:{theme.outline if theme.name != 'dark' else '#cbbd9c'};"
            f"stroke-width:{number(0.2 * unit)};stroke-dasharray:{number(0.13 * unit)} {number(0.13 * unit)}",
            ".bed": f"fill:none;stroke:{theme.bed};stroke-width:{number(0.13 * unit)};stroke-linecap:round",
            ".n": f"font-size:{number(0.95 * unit)}px;font-weight:700",
            ".w": f"stroke:{PAPER};stroke-width:{number(0.07 * unit)}",
            ".h": f"stroke:{PAPER};stroke-width:{number(0.13 * unit)};stroke-linejoin:round",
            ".wn": f"fill:{PAPER}",
            ".wt": f"font-size:{number(0.56 * unit)}px;font-weight:700;text-anchor:middle;fill:#1d1b18",
            ".glow": f"fill:none;stroke:{theme.accent};stroke-width:{number(1.75 * unit)};stroke-linecap:round;"
            "stroke-linejoin:round;opacity:.75",
            ".closed .s,.closed .t": "opacity:.25",
            ".closed .bed": "opacity:.4",
            ".p": f"fill:{theme.place};stroke:{theme.place_ring};stroke-width:{number(0.15 * unit)}",
            ".d": f"fill:{theme.place_dot}",
            ".port .p": f"stroke:{theme.port_ring}",
            ".port .d": f"fill:{theme.port_ring}",
            ".inland .p": f"stroke:{theme.inland_ring}",
            ".inland .d": f"fill:{theme.inland_ring}",
            ".mark": f"fill:none;stroke:{theme.accent};stroke-width:{number(0.3 * unit)}",
            ".l": f"fill:{theme.ink};stroke:{theme.halo};stroke-width:{number(0.2 * self.sizes.font)};"
            "stroke-linejoin:round;paint-order:stroke;font-weight:600;pointer-events:none",
            ".country .l": f"font-family:{TITLES};font-style:italic",
            ".tie": f"fill:none;stroke:{theme.soft_ink};stroke-width:{number(0.12 * unit)};stroke-linecap:round;"
            f"stroke-dasharray:0 {number(0.32 * unit)}",
            ".fig": f"stroke:{theme.outline};stroke-width:.06;stroke-linejoin:round",
            ".hit": f"fill:none;stroke:#000;stroke-opacity:0;stroke-width:{number(1.9 * unit)};"
            "stroke-linecap:round;pointer-events:stroke",
            ".button": "cursor:pointer;outline:none",
            ".button:focus-visible .focus": f"stroke:{theme.accent};stroke-opacity:1",
            ".focus": f"fill:none;stroke:{theme.accent};stroke-opacity:0;stroke-width:{number(1.75 * unit)};"
            "stroke-linecap:round;pointer-events:none",
            ".sign": f"fill:{theme.soft_ink};font-weight:600",
        }
        for name, colour in {**CARD_COLOURS, GRAY: GRAY_COLOUR}.items():
            rules[f".{name} .s"] = f"fill:{colour}"
            rules[f".{name} .n"] = f"fill:{symbol_colour(colour)}"
        return "".join(
            ",".join(f".{self.name} {one}" for one in rule.split(",")) + "{" + body.strip(";") + "}"
            for rule, body in rules.items()
        )

    def _definitions(self) -> str:
        unit = self.sizes.plank
        found = [
            f'<path id="{self.prefix}{name}" d="{path}" fill="{symbol_colour(CARD_COLOURS[name])}" '
            f'transform="scale({0.31 * unit:.2f})"/>'
            for name, path in SYMBOLS.items()
        ]
        kinds = {route.kind for route in self.board.routes}
        if "subway" in kinds:
            found += [
                f'<path id="{self.prefix}{name}-s" d="{path}" fill="{symbol_colour(CARD_COLOURS[name])}" '
                f'transform="scale({0.24 * unit:.2f})"/>'
                for name, path in SYMBOLS.items()
            ]
        if any(route.wilds for route in self.board.routes):
            found.append(f'<g id="{self.prefix}wheel" transform="scale({0.42 * unit:.2f})">{wheel()}</g>')
        if any(route.pairs for route in self.board.routes):
            found.append(self._pair())
        if self.position.owners:
            found.append(patterns(self.sizes, self.prefix))
        if any(place.passengers for place in self.board.places):
            found.append(
                f'<path id="{self.prefix}figure" d="M-.34.5C-.34.1-.2 0-.14-.07A.23.23 0 1 1 .14-.07'
                f'C.2 0 .34.1.34.5Z"/>'
            )
        if self.theme.lamp:
            found.append(
                f'<radialGradient id="{self.prefix}lamp"><stop offset="0" stop-color="{self.theme.lamp}" '
                f'stop-opacity=".34"/><stop offset="1" stop-color="{self.theme.lamp}" stop-opacity="0"/>'
                "</radialGradient>"
            )
        return "".join(found)

    def _pair(self) -> str:
        """The double chevron of difficult terrain, at the right end of its space."""
        unit = self.sizes.plank
        rise = 0.27 * unit
        chevrons = "".join(
            f"M{number(x * unit)} {number(-rise)}l{number(rise)} {number(rise)} {number(-rise)} {number(rise)}"
            for x in (-0.34, -0.02)
        )
        return (
            f'<path id="{self.prefix}pair" d="{chevrons}" fill="none" stroke="{symbol_colour(GRAY_COLOUR)}" '
            f'stroke-width="{number(0.15 * unit)}" stroke-linejoin="round" stroke-linecap="round"/>'
        )

    # What lies beneath

    def _scenery(self) -> str:
        theme, sheet, scenery = self.theme, self.layout.sheet, self.layout.scenery
        ground = theme.sea if scenery.sea else theme.land
        drawn = [f'<rect width="{number(sheet.width)}" height="{number(sheet.height)}" fill="{ground}"/>']
        if scenery.net:
            drawn.append(f'<path d="{scenery.net}" fill="none" stroke="{theme.net}"/>')
        if scenery.sea:
            land = f"{self.prefix}land"
            drawn.append(f'<defs><path id="{land}" d="{scenery.paths["land"]}" fill-rule="evenodd"/></defs>')
            for width, colour in zip((26, 15, 6), theme.shallows, strict=True):
                drawn.append(
                    f'<use href="#{land}" fill="none" stroke="{colour}" stroke-width="{width}" '
                    'stroke-linejoin="round"/>'
                )
            drawn.append(f'<use href="#{land}" fill="{theme.land}" stroke="{theme.land}"/>')
            drawn.append(
                f'<path d="{scenery.paths["coast"]}" fill="none" stroke="{theme.coast}" stroke-linejoin="round"/>'
            )
        looks = {
            "park": f'fill="{theme.park}"',
            "street": f'fill="none" stroke="{theme.street}" stroke-width="7" stroke-linecap="round" '
            'stroke-linejoin="round"',
            "border": f'fill="none" stroke="{theme.border}" stroke-width="1.6" stroke-dasharray="7 3 1.5 3" '
            'stroke-linejoin="round"',
            "canal": f'fill="none" stroke="{theme.water}" stroke-width="8" stroke-linejoin="round" '
            'stroke-linecap="round"',
            "river": f'fill="none" stroke="{theme.water}" stroke-width="15" stroke-linejoin="round" '
            'stroke-linecap="round"',
            "lake": f'fill="{theme.water}"',
        }
        for kind, look in looks.items():
            if scenery.paths.get(kind):
                drawn.append(f'<path d="{scenery.paths[kind]}" {look}/>')
        if theme.lamp:
            for x, y in sheet.places:
                drawn.append(
                    f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(5.2 * self.sizes.plank)}" '
                    f'fill="url(#{self.prefix}lamp)"/>'
                )
        return '<g class="scenery" aria-hidden="true">' + "".join(drawn) + "</g>"

    def _frame(self) -> str:
        """The double line around the map, and the signs of tracks that run over its edge."""
        theme, sheet, frame = self.theme, self.layout.sheet, self.sizes.frame
        paper = theme.halo
        wide, high = sheet.width, sheet.height
        drawn = [
            f'<path d="M0 0H{number(wide)}V{number(high)}H0ZM{number(frame)} {number(frame)}V{number(high - frame)}'
            f'H{number(wide - frame)}V{number(frame)}Z" fill="{paper}"/>',
            f'<rect x="{number(frame)}" y="{number(frame)}" width="{number(wide - 2 * frame)}" '
            f'height="{number(high - 2 * frame)}" fill="none" stroke="{theme.soft_ink}" stroke-width="1.2"/>',
            f'<rect x="3" y="3" width="{number(wide - 6)}" height="{number(high - 6)}" fill="none" '
            f'stroke="{theme.soft_ink}" stroke-width="2.4"/>',
        ]
        for sign in self.layout.signs:
            middle = wide - frame / 2 if sign.east else frame / 2
            point = 0.3 * frame * (1 if sign.east else -1)
            drawn += [
                f'<path class="sign" d="M{number(middle + point)} {number(y)}'
                f'L{number(middle - point)} {number(y - 0.36 * frame)}V{number(y + 0.36 * frame)}Z"/>'
                for y in sign.arrows
            ]
            turn = 90 if sign.east else -90
            shift = -0.36 * sign.size if sign.east else 0.36 * sign.size
            drawn.append(
                f'<text class="sign" transform="translate({number(middle + shift)} {number(sign.y)})'
                f'rotate({turn})" font-size="{number(sign.size)}" text-anchor="middle">'
                f"{escape(self.board.places[sign.place].name)}</text>"
            )
        return '<g class="frame" aria-hidden="true">' + "".join(drawn) + "</g>"

    def _legend(self) -> str:
        """The cartouche: the board's name, and a table of points for every length there is."""
        legend = self.layout.legend
        if legend is None or not self.labels:
            return ""
        theme, size = self.theme, legend.size
        left, top, right, bottom = legend.box
        middle = (left + right) / 2
        drawn = [
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" fill="{theme.halo}" stroke="{theme.soft_ink}" stroke-width="1.2"/>',
            f'<rect x="{number(left + 3)}" y="{number(top + 3)}" width="{number(right - left - 6)}" '
            f'height="{number(bottom - top - 6)}" fill="none" stroke="{theme.soft_ink}" stroke-width=".6"/>',
            f'<text x="{number(middle)}" y="{number(top + 1.85 * size)}" font-size="{number(1.5 * size)}" '
            f'font-family="{TITLES}" letter-spacing="{number(0.12 * size)}" text-anchor="middle" '
            f'fill="{theme.ink}">{escape(self.board.title)}</text>',
        ]
        for table in legend.tables:
            line, end = table.y + 0.36 * size, table.x + legend.first + len(table.columns) * legend.column
            drawn.append(
                f'<path d="M{number(table.x)} {number(line)}H{number(end)}" stroke="{theme.soft_ink}" '
                'stroke-width=".8"/>'
            )
            for what, baseline in ((table.what, table.y), ("worth", table.y + 1.35 * size)):
                drawn.append(
                    f'<text x="{number(table.x)}" y="{number(baseline)}" font-size="{number(0.8 * size)}" '
                    f'fill="{theme.soft_ink}">{escape(self._say(what))}</text>'
                )
            for index, (length, points) in enumerate(table.columns):
                x = table.x + legend.first + (index + 0.5) * legend.column
                for value, baseline, weight in ((length, table.y, 400), (points, table.y + 1.35 * size, 700)):
                    drawn.append(
                        f'<text x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}" '
                        f'font-weight="{weight}" text-anchor="middle" fill="{theme.ink}">{value}</text>'
                    )
        return '<g class="legend" aria-hidden="true">' + "".join(drawn) + "</g>"

    # Routes

    def _route(self, route: Route) -> str:
        track = self.layout.tracks[route.index]
        owner = self.position.owners.get(route.index)
        closed = owner is None and route.index in self.position.closed
        classes = ["route", route.kind, route.colour]
        if owner is not None:
            classes += ["owned", f"seat{owner}"]
        elif closed:
            classes.append("closed")
        else:
            classes.append("free")
        bed = bed_path(track)
        drawn = []
        if route.index in self.position.highlight:
            drawn.append(f'<path class="glow" d="{bed}"/>')
        drawn.append(f'<path class="bed" d="{bed}"/>')
        if self.interactive:
            drawn.append(f'<path class="focus" d="{bed}"/>')
        drawn += [plank(route, space, self.sizes) for space in track.spaces]
        if owner is not None:
            drawn.append(wagons(route, track.spaces, owner, self.sizes, self.prefix))
        elif not closed:
            drawn += [
                print_on(route, index, space, self.sizes, self.prefix) for index, space in enumerate(track.spaces)
            ]
        if self.interactive:
            drawn.append(f'<path class="hit" d="{bed}"/>')
        role = 'role="button" tabindex="0"' if self.interactive else 'role="img"'
        if self.interactive:
            classes.append("button")
        return (
            f'<g class="{" ".join(classes)}" data-route="{route.index}" {role}>'
            f"<title>{escape(self._route_text(route))}</title>{''.join(drawn)}</g>"
        )

    # Places

    def _countries(self) -> str:
        """Dots from a country's name to each of its entries, and a mark at each: they are one destination."""
        drawn = []
        side = 0.5 * self.sizes.plank
        for country, (x, y) in self.layout.exits:
            home = self.layout.sheet.places[country]
            drawn.append(
                f'<path class="tie" d="M{number(home[0])} {number(home[1])}L{number(x)} {number(y)}"/>'
                f'<rect class="p" x="{number(x - side)}" y="{number(y - side)}" width="{number(2 * side)}" '
                f'height="{number(2 * side)}" rx="{number(0.3 * side)}"/>'
                f'<circle class="d" cx="{number(x)}" cy="{number(y)}" r="{number(0.36 * side)}"/>'
            )
        return '<g class="exits" aria-hidden="true">' + "".join(drawn) + "</g>" if drawn else ""

    def _standing(self, place: Place) -> tuple[str, ...]:
        """Passengers at a place: their colours, or empty texts where the colours are not given."""
        if self.position.passengers is None:
            return ("",) * place.passengers
        return self.position.passengers.get(place.index, ())

    def _place(self, place: Place) -> str:
        x, y = self.layout.sheet.places[place.index]
        classes = ["place", place.kind]
        if any(other.port for other in self.board.places):
            classes.append("port" if place.port else "inland")
        drawn = []
        if place.index in self.position.marked_places:
            drawn.append(
                f'<circle class="mark" cx="{number(x)}" cy="{number(y)}" r="{number(self.sizes.ring * 1.5)}"/>'
            )
        drawn.append(self._marker(place, x, y))
        if place.index in self.position.stations:
            drawn.append(station(x, y, self.position.stations[place.index], self.sizes))
        if place.index in self.position.ports:
            drawn.append(port(x, y, self.position.ports[place.index], self.sizes))
        label = next((found for found in self.layout.labels if found.place == place.index), None)
        if label is not None:
            if self.labels:
                drawn.append(self._label(label))
            drawn.append(self._figures(label, self._standing(place)))
        role = 'role="button" tabindex="0"' if self.interactive else 'role="img"'
        if self.interactive:
            classes.append("button")
            reach = number(self.sizes.ring * 1.5)
            drawn.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{reach}" fill-opacity="0"/>')
        return (
            f'<g class="{" ".join(classes)}" data-place="{place.index}" {role}>'
            f"<title>{escape(self._place_text(place))}</title>{''.join(drawn)}</g>"
        )

    def _marker(self, place: Place, x: float, y: float) -> str:
        ring = self.sizes.ring
        if place.kind == "waypoint":
            tips = []
            for step in range(16):
                reach = ring * ((1.5 if step % 4 == 0 else 1.0) if step % 2 == 0 else 0.42)
                turn = step * pi / 8
                tips.append(f"{number(x + reach * sin(turn))} {number(y - reach * cos(turn))}")
            return f'<path class="p" d="M{"L".join(tips)}Z"/>'
        if place.kind == "country":
            side = 1.15 * ring
            return (
                f'<rect class="p" x="{number(x - side)}" y="{number(y - side)}" width="{number(2 * side)}" '
                f'height="{number(2 * side)}" rx="{number(0.3 * side)}"/>'
                f'<circle class="d" cx="{number(x)}" cy="{number(y)}" r="{number(0.42 * side)}"/>'
            )
        return (
            f'<circle class="p" cx="{number(x)}" cy="{number(y)}" r="{number(ring)}"/>'
            f'<circle class="d" cx="{number(x)}" cy="{number(y)}" r="{number(0.42 * ring)}"/>'
        )

    def _label(self, label: Label) -> str:
        anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
        return "".join(
            f'<text class="l" x="{number(label.x)}" y="{number(label.y + line * LINE * label.size)}" '
            f'font-size="{number(label.size)}"{anchor}>{escape(text)}</text>'
            for line, text in enumerate(label.lines)
        )

    def _figures(self, label: Label, standing: tuple[str, ...]) -> str:
        """The row of passengers under a name."""
        if label.figures is None or not standing:
            return ""
        left, top, step = label.figures
        size = FIGURES * label.size * 0.92
        drawn = []
        for index, colour in enumerate(standing):
            x, y = left + (index + 0.5) * step, top + 0.5 * FIGURES * label.size
            fill = CARD_COLOURS.get(colour, self.theme.place)
            drawn.append(
                f'<use class="fig" href="#{self.prefix}figure" fill="{fill}" '
                f'transform="translate({number(x)} {number(y)})scale({number(size)})"/>'
            )
            if colour in SYMBOLS:
                drawn.append(
                    f'<path d="{SYMBOLS[colour]}" fill="{symbol_colour(fill)}" '
                    f'transform="translate({number(x)} {number(y + 0.24 * size)})scale({0.15 * size:.2f})"/>'
                )
        return '<g class="figures">' + "".join(drawn) + "</g>"
