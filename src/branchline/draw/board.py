"""The whole drawing: a board and a position in, SVG text out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import cos, pi, sin

from branchline.boards.arguments import instance
from branchline.boards.board import Board, Place, Route
from branchline.boards.faults import BranchlineError, shown
from branchline.draw.cartouche import cartouche
from branchline.draw.geometry import FIGURES, LINE, Label, Layout, Legend, Sizes
from branchline.draw.ground import frame, ground
from branchline.draw.heat import Heat, chords, heat_rules, step_of
from branchline.draw.layout import layout_of
from branchline.draw.lettering import NAMES
from branchline.draw.looks import definitions, style_rules
from branchline.draw.palette import (
    CARD_COLOURS,
    SYMBOLS,
    THEMES,
    Theme,
    symbol_colour,
)
from branchline.draw.pieces import port, station, wagons
from branchline.draw.position import Position
from branchline.draw.spaces import bed_path, number, plank, print_on
from branchline.draw.wording import ENGLISH, say, say_number

_EMPTY = Position()


class DrawingError(BranchlineError, ValueError):
    """A wrong argument for a drawing."""


def board_svg(
    board: Board,
    position: Position | None = None,
    *,
    theme: str | Theme = "light",
    labels: bool = True,
    title: str | None = None,
    interactive: bool = False,
    style: bool = True,
    words: Mapping[str, str] = ENGLISH,
    language: str = "",
    heat: Heat | None = None,
) -> str:
    """Draw a board with its pieces and return SVG text.

    Every route is a group with `data-route` and every place one with `data-place`, so that a page can address them;
    with `interactive` they can also be reached with the keyboard. `words` replaces the English texts for screen
    readers. With a `language` the title is in that language, and places include their names in it. Without `style`
    the drawing has no style rules; a page gets them from `board_style`. `heat` shows shares instead of the print on
    the routes. Raise `DrawingError` if an argument is wrong.
    """
    instance("board", board, Board, "a board, as `load_board` returns it", DrawingError)
    for name, value, kind, expected in (
        ("position", position, Position, "a position, as `position_of` returns it"),
        ("title", title, str, "a text"),
        ("language", language, str, "the code of a language"),
        ("words", words, Mapping, "a table of phrases"),
        ("heat", heat, Heat, "a `Heat`"),
    ):
        if value is not None:
            instance(name, value, kind, expected, DrawingError)
    for name, flag in (("labels", labels), ("interactive", interactive), ("style", style)):
        instance(name, flag, int, "true or false", DrawingError)
    words = ENGLISH if words is None else words
    sketch = Sketch(board, position or _EMPTY, _theme(theme), labels, interactive, words, language, heat)
    return sketch.svg(title if title is not None else board.title_in(language), style)


def board_style(board: Board, theme: str | Theme = "light", *, heat: bool = False) -> str:
    """Return the style rules of a board's drawings in this theme; with `heat`, also those for heat."""
    sketch = Sketch(board, _EMPTY, _theme(theme), True, True, ENGLISH)
    rules = style_rules(sketch.name, sketch.theme, sketch.sizes)
    return rules + heat_rules(sketch.name, sketch.theme, sketch.sizes) if heat else rules


def board_parts(
    board: Board,
    position: Position,
    routes: Iterable[int],
    places: Iterable[int],
    *,
    theme: str | Theme = "light",
    words: Mapping[str, str] = ENGLISH,
    language: str = "",
) -> dict[str, str]:
    """Draw some routes and places of an interactive drawing, and return their groups.

    The keys are `route-7` and `place-3`, so a page can update a drawing without drawing all of it again.
    """
    sketch = Sketch(board, position, _theme(theme), True, True, words, language)
    parts = {f"route-{index}": sketch.route(board.routes[index]) for index in routes}
    return parts | {f"place-{index}": sketch.place(board.places[index]) for index in places}


def _theme(theme: str | Theme) -> Theme:
    if isinstance(theme, Theme):
        return theme
    if not isinstance(theme, str) or theme not in THEMES:
        raise DrawingError(f"unknown theme {shown(theme)}; there are {', '.join(THEMES)}")
    return THEMES[theme]


class Sketch:
    """One drawing in the making: of the whole board, or of a cut (see `cut`)."""

    def __init__(
        self,
        board: Board,
        position: Position,
        theme: Theme,
        labels: bool,
        interactive: bool,
        words: Mapping[str, str],
        language: str = "",
        heat: Heat | None = None,
    ) -> None:
        self.board = board
        self.position = position
        self.theme = theme
        self.labels = labels
        self.interactive = interactive
        self.words = words
        self.language = language
        self.heat = heat
        self.layout: Layout = layout_of(board)
        self.sizes: Sizes = self.layout.sizes
        safe = "".join(letter if letter.isalnum() else "-" for letter in board.id)
        # pages may show several drawings at once, and ids and class rules are shared by a whole page
        self.name = f"bl-{safe}-{theme.name}"
        self.prefix = f"{self.name}-{heat.name}-" if heat else f"{self.name}-"
        self.own = self.prefix  # of ids that no other drawing of the page has

    def svg(self, title: str, style: bool) -> str:
        """Return the finished text."""
        sheet = self.layout.sheet
        wide, high = number(sheet.width), number(sheet.height)
        legend = self.layout.legend
        symbols = definitions(self.board, self.theme, self.sizes, self.prefix)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="branchline {self.name}" viewBox="0 0 {wide} {high}" '
            f'role="group" aria-labelledby="{self.prefix}title {self.prefix}desc" font-family="{NAMES}">',
            f'<title id="{self.prefix}title">{escape(title)}</title>',
            f'<desc id="{self.prefix}desc">{escape(self._description())}</desc>',
            f"<style>{self._rules()}</style>" if style else "",
            f"<defs>{symbols}</defs>",
            ground(self.layout, self.theme, self.prefix),
            self._beds(),
            f'<g class="{self._routes()}">' + "".join(self.route(route) for route in self.board.routes) + "</g>",
            self.countries(),
            chords(self.board, self.heat, self.layout) if self.heat else "",
            self._cartouche(legend) if legend and self.labels and not self.heat else "",
            '<g class="places">' + "".join(self.place(place) for place in self.board.places) + "</g>",
            frame(self.board, self.layout, self.theme),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part)

    def _cartouche(self, legend: Legend) -> str:
        return cartouche(self.board.title_in(self.language), legend, self.theme, self.words)

    def _routes(self) -> str:
        """Return the class of all routes; they step back where the heat is in the lines."""
        return "routes quiet" if self.heat and not self.heat.routes else "routes"

    def _rules(self) -> str:
        rules = style_rules(self.name, self.theme, self.sizes)
        return rules + heat_rules(self.name, self.theme, self.sizes) if self.heat else rules

    # What is heard

    def _say(self, key: str, **fields: object) -> str:
        return say(self.words, key, **fields)

    def _say_number(self, key: str, count: int, **fields: object) -> str:
        return say_number(self.words, key, count, **fields)

    def _description(self) -> str:
        text = self._say("board", places=len(self.board.places), routes=len(self.board.routes))
        if self.position.owners:
            text += " " + self._say_number("owned", len(self.position.owners))
        return text

    def _route_text(self, route: Route) -> str:
        colour = self._say(f"colour.{route.colour}")
        if route.kind == "subway":
            spaces = self._say("subway", price=route.price, colour=colour)
            points = self.board.subway_points
        else:
            spaces = self._say_number("spaces", route.length, colour=colour)
            points = self.board.points
        parts = [self._say("route", name=route.name, spaces=spaces)]
        if route.kind not in ("rail", "subway"):
            parts.append(self._say(f"kind.{route.kind}"))
        if route.wilds:
            parts.append(self._say_number("wilds", route.wilds))
        if route.pairs:
            parts.append(self._say_number("pairs", route.pairs))
        if route.points_row < len(points):
            parts.append(self._say_number("points", points[route.points_row]))
        if route.index in self.position.owners:
            parts.append(self._say("owner", seat=self.position.owners[route.index] + 1))
        elif route.index in self.position.closed:
            parts.append(self._say("closed"))
        if self.heat and route.index in self.heat.said:
            parts.append(self.heat.said[route.index])
        return ", ".join(parts)

    def _place_text(self, place: Place) -> str:
        parts = [place.name_in(self.language) if place.kind != "waypoint" else self._say("waypoint")]
        if place.kind == "country":
            parts.append(self._say("country"))
        if place.index in self.position.stations:
            parts.append(self._say("station", seat=self.position.stations[place.index] + 1))
        if place.index in self.position.ports:
            parts.append(self._say("port", seat=self.position.ports[place.index] + 1))
        elif place.port:
            parts.append(self._say("may_port"))
        standing = self._standing(place)
        if standing and standing[0]:
            named = ", ".join(self._say(f"colour.{colour}") for colour in standing)
            parts.append(self._say("passengers.of", colours=named))
        elif standing:
            parts.append(self._say_number("passengers", len(standing)))
        return ", ".join(parts)

    # Routes

    def _beds(self) -> str:
        """Return the lines that routes are threaded on, under every space; below them the light of those that glow."""
        drawn = []
        beds = [bed_path(track) for track in self.layout.tracks]
        for route in self.board.routes:
            if route.index in self.position.highlight:
                drawn.append(f'<path class="glow" d="{beds[route.index]}"/>')
        for route in self.board.routes:
            closed = " closed" if self._state(route) == "closed" else ""
            drawn.append(f'<path class="bed{closed}" d="{beds[route.index]}"/>')
        return '<g class="beds" aria-hidden="true">' + "".join(drawn) + "</g>"

    def _state(self, route: Route) -> str:
        """Return a route's state: free, owned or closed."""
        if route.index in self.position.owners:
            return "owned"
        return "closed" if route.index in self.position.closed else "free"

    def route(self, route: Route) -> str:
        """Return one route: its spaces, and what lies on them."""
        track = self.layout.tracks[route.index]
        state = self._state(route)
        classes = ["route", route.kind, route.colour, state]
        drawn = [plank(route, space, self.sizes) for space in track.spaces if state != "owned"]
        if state == "owned":
            owner = self.position.owners[route.index]
            classes.append(f"seat{owner}")
            drawn.append(wagons(route, track.spaces, owner, self.sizes, self.own))
        elif self.heat:
            classes.append(f"heat{step_of(self.heat.routes.get(route.index, 0.0))}")
        elif state == "free":
            drawn += [
                print_on(route, index, space, self.sizes, self.prefix) for index, space in enumerate(track.spaces)
            ]
        role = 'role="img"'
        if self.interactive:
            role = 'role="button" tabindex="0"'
            classes.append("button")
            bed = bed_path(track)
            drawn = [f'<path class="focus" d="{bed}"/>', *drawn, f'<path class="hit" d="{bed}"/>']
        return (
            f'<g class="{" ".join(classes)}" data-route="{route.index}" {role}>'
            f"<title>{escape(self._route_text(route))}</title>{''.join(drawn)}</g>"
        )

    # Places

    def countries(self) -> str:
        """Return dots from a country's name to each of its entries, with a mark at each: they are one destination."""
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
        """Return passengers at a place: their colours, or empty texts where the colours are not given."""
        if self.position.passengers is None:
            return ("",) * place.passengers
        return self.position.passengers.get(place.index, ())

    def place(self, place: Place) -> str:
        """Return one place: its mark and name, and what stands there."""
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
        label = next((candidate for candidate in self.layout.labels if candidate.place == place.index), None)
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
        """Return the row of passengers under a name."""
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
