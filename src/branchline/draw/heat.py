"""Heat on a board: a share for each route, drawn in ten steps from cold to hot, and lines from place to place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from branchline.boards.board import Board
from branchline.draw.geometry import Sizes
from branchline.draw.palette import HEAT, Theme
from branchline.draw.spaces import number

if TYPE_CHECKING:
    from branchline.draw.geometry import Layout

STEPS = 10
BEND = 0.12  # how far a line swings out, of its length


@dataclass(frozen=True)
class Chord:
    """A line between places, for instance for a ticket."""

    places: tuple[int, ...]
    share: float  # 0 … 1: its colour
    weight: float  # 0 … 1: its breadth
    said: str  # shown when one points at it


@dataclass(frozen=True)
class Heat:
    """Shares to show on a board, from 0 to 1."""

    name: str  # tells several drawings of one board on a page apart: letters and digits
    routes: Mapping[int, float] = field(default_factory=dict)
    said: Mapping[int, str] = field(default_factory=dict)  # of routes, shown when one points at them
    chords: tuple[Chord, ...] = ()  # the last ones lie on top


def step_of(share: float) -> int:
    """Return the step of a share, 0 … 9."""
    return min(STEPS - 1, max(0, int(share * STEPS)))


def heat_rules(drawing: str, theme: Theme, sizes: Sizes) -> str:
    """Return the style rules for heat; every rule begins with the class `drawing`."""
    steps = HEAT.get(theme.name) or tuple(f"var(--heat-{step})" for step in range(STEPS))
    rules = [f".{drawing} .chord{{fill:none;stroke-linecap:round;stroke-linejoin:round}}"]
    thin = f"stroke:{theme.outline};stroke-width:{number(0.05 * sizes.plank)}"
    for step, colour in enumerate(steps):
        rules.append(f".{drawing} .route.heat{step} .s{{fill:{colour};{thin}}}.{drawing} .c{step}{{stroke:{colour}}}")
    rules.append(f".{drawing} .under{{stroke:{theme.outline}}}.{drawing} .quiet{{opacity:.3}}")
    return "".join(rules)


def chords(board: Board, heat: Heat, layout: Layout) -> str:
    """Return the lines, each on a darker one a little broader."""
    drawn = []
    for chord in heat.chords:
        points = [layout.sheet.places[place] for place in chord.places]
        path = _path(points)
        wide = layout.sizes.plank * (0.12 + 0.5 * chord.weight)
        drawn.append(
            f'<g role="img"><title>{escape(chord.said)}</title>'
            f'<path class="chord under" d="{path}" stroke-width="{number(wide + 1.6)}"/>'
            f'<path class="chord c{step_of(chord.share)}" d="{path}" stroke-width="{number(wide)}"/></g>'
        )
    return '<g class="chords">' + "".join(drawn) + "</g>" if drawn else ""


def _path(points: list[tuple[float, float]]) -> str:
    """Return a walk in gentle bends, all to the same side, so that parallel lines stay apart."""
    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for (x, y), (to_x, to_y) in pairwise(points):
        over_x, over_y = (x + to_x) / 2 - BEND * (to_y - y), (y + to_y) / 2 + BEND * (to_x - x)
        path += f"Q{number(over_x)} {number(over_y)} {number(to_x)} {number(to_y)}"
    return path
