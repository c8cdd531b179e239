"""Who owns what is seen at a glance: on a map as wide as a phone, by everybody, and in grey."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise
from math import cos, radians, sin
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from branchline.boards import Board, load_board
from branchline.draw import Position, board_svg
from branchline.draw.colour_vision import VISION, distance, seen_as
from branchline.draw.geometry import Layout
from branchline.draw.layout import layout_of
from branchline.draw.palette import SEATS, THEMES
from needs import missing
from table import EDITIONS, costly

PHONE = 390  # px a phone is wide
SHARP = 2  # px of the screen for each of them
STEPS = 13  # so often a piece is looked at along its middle
BESIDE = (-0.5, -0.24, 0.0, 0.24, 0.5)  # and beside it, in breadths of a space; free ones are narrower
ROOF = slice(STEPS, -STEPS)  # the rows of a piece without its edges

# measured on the four editions in three themes, at least: 14.2, 5.1, 5.8; 14.9, 8.5
SEATS_APART = 13.0
PIECES_FROM_SPACES = 4.5
LIGHTNESS_APART = 5.0  # of 100 steps
PICTURES_APART = 13.5  # of Lab, on average over all spots
PICTURES_APART_IN_GREY = 7.5

Floats = npt.NDArray[np.float64]
Seen = list[tuple[int, int, int]]
"""What is seen of a route: red, green and blue, 0 … 255, row by row."""

LOOK = """async (asked) => {
  const [drawing, wide, spots] = JSON.parse(asked);
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(drawing);
  await image.decode();
  const scale = wide / image.width, board = document.createElement("canvas");
  board.width = wide;
  board.height = Math.round(image.height * scale);
  const pen = board.getContext("2d");
  pen.drawImage(image, 0, 0, board.width, board.height);
  const seen = pen.getImageData(0, 0, board.width, board.height).data;
  return JSON.stringify(spots.map(([x, y]) => {
    const at = 4 * (Math.floor(y * scale) * board.width + Math.floor(x * scale));
    return [seen[at], seen[at + 1], seen[at + 2]];
  }));
}"""


IN_THEMES = [pytest.param(one, marks=[] if one == "light" else pytest.mark.long) for one in THEMES]


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    if not chromium:
        missing("Chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox", "--disable-gpu"])
        yield browser.new_page()
        browser.close()


def _spots(layout: Layout, route: int) -> list[tuple[float, float]]:
    """Where a route is looked at: its first space, row by row, from end to end; there the number never stands."""
    space = layout.tracks[route].spaces[0]
    turn = radians((space.angle + 90) % 180 - 90)
    spots = []
    for row in BESIDE:
        for step in range(STEPS):
            along, across = (step / (STEPS - 1) - 0.5) * 0.86 * space.length, row * layout.sizes.plank
            spots.append(
                (
                    space.x + along * cos(turn) - across * sin(turn),
                    space.y + along * sin(turn) + across * cos(turn),
                )
            )
    return spots


@pytest.fixture
def look(page: Any, board: Board, layout: Layout) -> Callable[..., dict[int, Seen]]:
    """Draws a position as a phone shows it, and looks at all routes of more than one space."""

    def look(position: Position, theme: str) -> dict[int, Seen]:
        drawing = _sized(board_svg(board, position, theme=theme), layout)
        routes = [route.index for route in board.routes if len(layout.tracks[route.index].spaces) > 1]
        spots = [spot for route in routes for spot in _spots(layout, route)]
        colours = _colours(page, drawing, spots)
        many = len(colours) // len(routes)
        return {route: colours[n * many : (n + 1) * many] for n, route in enumerate(routes)}

    return look


def _colours(page: Any, drawing: str, spots: list[tuple[float, float]]) -> Seen:
    """What the browser shows at these spots; they travel as one text, since the driver looks at each number."""
    return [tuple(colour) for colour in json.loads(page.evaluate(LOOK, json.dumps([drawing, PHONE * SHARP, spots])))]


def _from_afar(seen: list[Seen]) -> str:
    """All roofs, mixed as light mixes: the colour `#rrggbb` from across the room."""
    every = [colour for one in seen for colour in one[ROOF]]
    parts = []
    for channel in range(3):
        light = sum((colour[channel] / 255) ** 2.2 for colour in every) / len(every)
        parts.append(round(255 * light ** (1 / 2.2)))
    return "#" + "".join(f"{part:02x}" for part in parts)


@cache
def _seen_as(colour: tuple[int, int, int], vision: str) -> tuple[float, float, float]:
    return seen_as("#" + "".join(f"{part:02x}" for part in colour), vision)


def _picture(seen: Seen, vision: str) -> Floats:
    """What one kind of eye makes of it, spot by spot; `grey` sees lightness only."""
    found = np.array([_seen_as(colour, "full" if vision == "grey" else vision) for colour in seen])
    return found[:, :1] if vision == "grey" else found


@pytest.mark.parametrize("board", costly(("berlin", *(one for one in EDITIONS if one != "berlin"))), indirect=True)
@pytest.mark.parametrize("theme", IN_THEMES)
def test_who_owns_what_is_seen_on_a_phone(board: Board, look: Callable[..., dict[int, Seen]], theme: str) -> None:
    free = look(Position(), theme)
    seats = [look(Position(len(SEATS), dict.fromkeys(free, seat)), theme) for seat in range(len(SEATS))]

    # from across the room: one colour for all wagons of a seat
    named: dict[str, list[Seen]] = {}
    for route, seen in free.items():
        named.setdefault(board.routes[route].colour, []).append(seen)
    pieces, spaces = [_from_afar([*seen.values()]) for seen in seats], [_from_afar(seen) for seen in named.values()]
    for vision in VISION:
        assert min(distance(one, two, vision) for one, two in combinations(pieces, 2)) >= SEATS_APART, vision
        assert min(distance(one, two, vision) for one in pieces for two in spaces) >= PIECES_FROM_SPACES, vision
    lightness = [seen_as(one, "full")[0] for one in pieces]
    assert min(after - before for before, after in pairwise(lightness)) >= LIGHTNESS_APART

    # with the phone in the hand: on every single route all seats look different, and not like the free route
    for vision in (*VISION, "grey"):
        for route in free:
            looks = [_picture(one[route], vision) for one in seats]
            between = min(_apart(one[ROOF], two[ROOF]) for one, two in combinations(looks, 2))
            claimed = min(_apart(_picture(free[route], vision), one) for one in looks)
            least = PICTURES_APART_IN_GREY if vision == "grey" else PICTURES_APART
            assert min(between, claimed) >= least, (vision, board.routes[route].name, between, claimed)


@pytest.mark.parametrize("theme", IN_THEMES)
@pytest.mark.parametrize("built", ["stations", pytest.param("ports", marks=pytest.mark.long)])
def test_whose_station_or_port_it_is_is_seen_on_a_phone(page: Any, built: str, theme: str) -> None:
    board = load_board({"stations": "europe", "ports": "world"}[built])
    places = [one.index for one in board.places if (one.port if built == "ports" else one.kind == "city")]
    layout = layout_of(board)
    unit, numbers = layout.sizes.plank, [layout.sheet.places[place] for place in places]
    # the upper half of the piece, where the mark is and neither the number nor a name
    spots = [
        (x + across / 10 * unit, y + down / 10 * unit)
        for x, y in numbers
        for down in range(-12, -1, 2)
        for across in range(-9, 10, 2)
    ]

    def looks(**pieces: dict[int, int]) -> list[Seen]:
        """Place after place."""
        drawn = _sized(board_svg(board, Position(5, **pieces), theme=theme, labels=False), layout)
        colours = _colours(page, drawn, spots)
        many = len(colours) // len(places)
        return [colours[n * many : (n + 1) * many] for n in range(len(places))]

    free = looks()
    seats = [looks(**{built: dict.fromkeys(places, seat)}) for seat in range(len(SEATS))]
    far = [_from_afar(seen) for seen in seats]
    for vision in VISION:
        assert min(distance(one, two, vision) for one, two in combinations(far, 2)) >= SEATS_APART, vision
    for vision in (*VISION, "grey"):
        least = PICTURES_APART_IN_GREY if vision == "grey" else PICTURES_APART
        for n, place in enumerate(places):
            pictures = [_picture(one[n], vision) for one in seats]
            between = min(_apart(one, two) for one, two in combinations(pictures, 2))
            there = min(_apart(_picture(free[n], vision), one) for one in pictures)
            assert min(between, there) >= least, (vision, board.places[place].name, between, there)


def _sized(drawing: str, layout: Layout) -> str:
    return drawing.replace("<svg ", f'<svg width="{layout.sheet.width}" height="{layout.sheet.height}" ', 1)


def _apart(one: Floats, two: Floats) -> float:
    """How different two pictures are, on average over all spots."""
    return float(np.sqrt(((one - two) ** 2).sum(axis=1).mean()))
