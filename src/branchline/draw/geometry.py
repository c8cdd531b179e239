"""What lies where on the sheet of a drawn board: plain records, all lengths in px of a sheet 1,600 px wide.

`arranging` makes them, `stored` keeps them between starts, and the drawing reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

COAST = "coast"

LINE = 1.06  # from line to line of a name, in letter sizes
FIGURES = 1.25  # height of a row of passengers, in letter sizes


@dataclass(frozen=True)
class Sheet:
    """The paper: its size, and where each place lies."""

    width: float
    height: float
    places: tuple[Point, ...]


@dataclass(frozen=True)
class Sizes:
    """Lengths in px of the sheet."""

    plank: float  # breadth of a space
    longest: float  # no space is longer; on longer ways the gaps grow
    wanted: float  # shorter spaces than this are worth a curve
    gap: float  # between two spaces of one route
    widest_gap: float  # between them where the places lie far apart
    aside: float  # between the middles of two parallel routes
    ring: float  # radius of a place
    start: float  # from the middle of a place to its first space
    font: float  # of the names
    frame: float  # breadth of the frame around the map


@dataclass(frozen=True)
class Space:
    """One space of a route: its middle, its slope, its length and breadth."""

    x: float
    y: float
    angle: float  # degrees; 0 lies flat, 90 stands upright
    length: float
    breadth: float

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Return the four corners, in order."""
        turn = radians(self.angle)
        along = (cos(turn) * self.length / 2, sin(turn) * self.length / 2)
        across = (-sin(turn) * self.breadth / 2, cos(turn) * self.breadth / 2)
        return (
            (self.x - along[0] - across[0], self.y - along[1] - across[1]),
            (self.x + along[0] - across[0], self.y + along[1] - across[1]),
            (self.x + along[0] + across[0], self.y + along[1] + across[1]),
            (self.x - along[0] + across[0], self.y - along[1] + across[1]),
        )


@dataclass(frozen=True)
class Track:
    """Where one route lies: its spaces from `a` to `b`, and the line (two, over the edge) they are threaded on."""

    route: int
    spaces: tuple[Space, ...]
    beds: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class Label:
    """A place's name, in one or more lines, and the row of passengers under it."""

    place: int
    lines: tuple[str, ...]
    x: float  # where the lines are anchored
    y: float  # baseline of the first line
    anchor: str  # start, middle or end
    size: float
    box: Box
    figures: tuple[float, float, float] | None = None  # left, top and step of the row of passengers


@dataclass(frozen=True)
class Sign:
    """One name that runs along the frame, and the arrows it stands beside."""

    place: int
    east: bool
    arrows: tuple[float, ...]  # their heights
    y: float  # middle of the name
    size: float  # of the letters


@dataclass(frozen=True)
class Scenery:
    """SVG path data by kind; kinds that the board does not have are missing."""

    paths: dict[str, str]
    net: str  # meridians and parallels

    @property
    def sea(self) -> bool:
        """Whether there is any; otherwise the whole sheet is land."""
        return "land" in self.paths


@dataclass(frozen=True)
class Table:
    """One table of the cartouche: its upper left corner, and what is in it."""

    what: str  # key of the word for its first row
    columns: tuple[tuple[int, int], ...]  # length (or price) and points
    x: float
    y: float


@dataclass(frozen=True)
class Legend:
    """Where the cartouche stands, and its measures."""

    box: Box
    size: float  # of its letters
    column: float  # breadth of a column of a table
    first: float  # breadth of the column that says what the rows are
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Layout:
    """Where everything lies on the sheet."""

    sheet: Sheet
    sizes: Sizes
    tracks: tuple[Track, ...]
    labels: tuple[Label, ...]
    signs: tuple[Sign, ...]
    exits: tuple[tuple[int, Point], ...]  # country and point, for tracks that end outside its own point
    scenery: Scenery
    legend: Legend | None
