"""Sheets of paper and what is printed on them, in mm: tiles of a poster with their marks, and rows of cards to cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil

from branchline.plain_data import JsonObject

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}
"""Width and height of a sheet that stands upright."""

MARGIN = 12.0  # that a printer may leave free, with the marks in it
FOOT = 18.0  # the same below, with the line that says what the sheet is
FLAP = 10.0  # printed once more on two sheets that join, for the glue
NEAR = (0.85, 1.1)  # times the width that is wanted: a poster may be so narrow and so wide
INK = "#33302a"
FAINT = "#7b7364"
_MARK = 6.0  # length of a mark for cutting
_FREE = 1.5  # between what is cut and the marks
_HAIR = 0.12  # breadth of the marks
_BAR = 50.0  # length of the bar by which the size is checked
_NOTE = 22.0  # of the words beside it


@dataclass(frozen=True)
class Mark:
    """Anything printed, at a place in mm from the left and the top of the sheet."""

    x: float
    y: float

    def as_json(self) -> JsonObject:
        """Return the mark as the template reads it."""
        return {"kind": type(self).__name__.casefold(), **asdict(self)}


@dataclass(frozen=True)
class Picture(Mark):
    """An SVG file at full size, of which only a window is shown."""

    file: str
    wide: float
    high: float
    left: float  # of the window
    top: float
    width: float
    height: float
    alt: str = ""


@dataclass(frozen=True)
class Line(Mark):
    """A straight line."""

    to_x: float
    to_y: float
    thick: float = _HAIR
    colour: str = INK
    dashed: bool = False


@dataclass(frozen=True)
class Ring(Mark):
    """A circle around a place, filled where a colour is given."""

    radius: float
    thick: float = _HAIR
    colour: str = INK
    fill: str = ""


@dataclass(frozen=True)
class Panel(Mark):
    """A filled rectangle."""

    width: float
    height: float
    fill: str


@dataclass(frozen=True)
class Words(Mark):
    """One line of text, in the middle of a box."""

    width: float
    height: float
    text: str
    size: float
    align: str = "center"
    weight: int = 400
    colour: str = INK


@dataclass
class Page:
    """A sheet with what is on it."""

    width: float
    height: float
    what: str  # what it shows, for the line at its foot
    marks: list[Mark] = field(default_factory=list)
    is_back: bool = False  # the other side of the page before it

    def as_json(self) -> JsonObject:
        """Return the page as the template reads it."""
        return {"width": self.width, "height": self.height, "marks": [mark.as_json() for mark in self.marks]}


# ------------------------------------------------------------------------------------------------ the map


@dataclass(frozen=True)
class Tiling:
    """How a map is shared out among sheets: so many, each with so much of it besides its flaps."""

    page: tuple[float, float]
    columns: int
    rows: int
    width: float
    height: float

    @property
    def count(self) -> int:
        """The number of sheets."""
        return self.columns * self.rows


def room(page: tuple[float, float]) -> tuple[float, float]:
    """Return the room between a sheet's margins."""
    return page[0] - 2 * MARGIN, page[1] - MARGIN - FOOT


def turned(paper: str) -> list[tuple[float, float]]:
    """Return the sheet lying and standing."""
    wide, high = PAPERS[paper]
    return [(high, wide), (wide, high)]


def fitted(paper: str, ratio: float) -> float:
    """Return the width of the widest map of that ratio (height for a width of 1) that fits on one sheet."""
    return max(min(wide, high / ratio) for wide, high in map(room, turned(paper)))


def tiled(paper: str, width: float, height: float) -> Tiling:
    """Return the tiling with the fewest sheets; a single sheet needs no flaps."""
    tilings = []
    for page in turned(paper):
        wide, high = room(page)
        if width <= wide + 1e-6 and height <= high + 1e-6:
            tilings.append(Tiling(page, 1, 1, width, height))
            continue
        wide, high = wide - FLAP, high - FLAP
        tilings.append(Tiling(page, ceil(width / wide - 1e-9), ceil(height / high - 1e-9), wide, high))
    return min(tilings, key=lambda tiling: tiling.count)


def poster_width(paper: str, ratio: float, wanted: float) -> float:
    """Return the width near the wanted one with which the map fills its sheets best."""
    sheets_by_width: dict[float, int] = {}
    for page in turned(paper):
        wide, high = (side - FLAP for side in room(page))
        for columns in range(1, ceil(NEAR[1] * wanted / wide) + 1):
            for rows in range(1, ceil(NEAR[1] * wanted * ratio / high) + 1):
                width = min(columns * wide, rows * high / ratio)
                if NEAR[0] * wanted <= width <= NEAR[1] * wanted:
                    sheets_by_width[width] = min(columns * rows, sheets_by_width.get(width, columns * rows))
    return max(sheets_by_width, key=lambda width: width * width / sheets_by_width[width], default=wanted)


def map_pages(
    tiling: Tiling, file: str, width: float, height: float, title_of_sheets: str, title: str
) -> Iterator[Page]:
    """Yield the sheets of a map, row by row.

    Each but the last of a row or column continues under its neighbour: its flap.
    """
    for number in range(tiling.count):
        row, column = divmod(number, tiling.columns)
        page = Page(*tiling.page, title_of_sheets)
        wide, high = room(tiling.page)
        alone = tiling.count == 1
        x = MARGIN + (wide - width) / 2 if alone else MARGIN
        y = MARGIN + (high - height) / 2 if alone else MARGIN
        seen_x, seen_y = column * tiling.width, row * tiling.height
        own_x, own_y = min(tiling.width, width - seen_x), min(tiling.height, height - seen_y)
        more_x, more_y = min(FLAP, width - seen_x - own_x), min(FLAP, height - seen_y - own_y)
        page.marks.append(
            Picture(x - seen_x, y - seen_y, file, width, height, x, y, own_x + more_x, own_y + more_y, title)
        )
        joins = (column > 0, row > 0, column < tiling.columns - 1, row < tiling.rows - 1)
        page.marks += cutting_marks((x, x + own_x), (y, y + own_y), (x, y, x + own_x + more_x, y + own_y + more_y))
        page.marks += _joining_marks(joins, (x, y, x + own_x, y + own_y), (more_x, more_y))
        yield page


def cutting_marks(
    xs: Sequence[float], ys: Sequence[float], printed: tuple[float, float, float, float]
) -> Iterator[Line]:
    """Yield short lines in the margin, at each line along which the sheet is cut."""
    left, top, right, bottom = printed
    for x in xs:
        yield Line(x, top - _FREE - _MARK, x, top - _FREE)
        yield Line(x, bottom + _FREE, x, bottom + _FREE + _MARK)
    for y in ys:
        yield Line(left - _FREE - _MARK, y, left - _FREE, y)
        yield Line(right + _FREE, y, right + _FREE + _MARK, y)


def _joining_marks(
    joins: tuple[bool, bool, bool, bool], cut: tuple[float, float, float, float], flaps: tuple[float, float]
) -> Iterator[Mark]:
    """Yield a circle at each end of an edge where two sheets join: half of it on the one comes to lie on the other."""
    left, top, right, bottom = cut
    away = _FREE + _MARK / 2
    for join, x in zip(joins[::2], (left, right), strict=True):
        if join:
            yield Ring(x, top - away, 2.0)
            yield Ring(x, bottom + flaps[1] + away, 2.0)
    for join, y in zip(joins[1::2], (top, bottom), strict=True):
        if join:
            yield Ring(left - away, y, 2.0)
            yield Ring(right + flaps[0] + away, y, 2.0)


# ------------------------------------------------------------------------------------------------ cards


@dataclass(frozen=True)
class Face:
    """The two sides of a card: their marks, from the upper left corner of the card."""

    marks: tuple[Mark, ...]
    back: tuple[Mark, ...] = ()


def moved(mark: Mark, x: float, y: float) -> Mark:
    """Return the same mark elsewhere on the sheet."""
    shifts = {"x": x, "to_x": x, "left": x, "y": y, "to_y": y, "top": y}
    fields = asdict(mark)
    return type(mark)(**{name: value + shifts[name] if name in shifts else value for name, value in fields.items()})


def card_pages(
    paper: str, size: tuple[float, float], faces: Sequence[Face], what: str, *, backs: bool = False
) -> Iterator[Page]:
    """Yield sheets full of cards without gaps, so that one cut parts two of them; marks show where to cut.

    With `backs` each sheet is followed by its other side: every back lies where its card comes to lie when the sheet
    is turned over like the page of a book, about its left edge.
    """
    page, columns, rows = max(
        ((page, int(room(page)[0] // size[0]), int(room(page)[1] // size[1])) for page in turned(paper)),
        key=lambda grid: grid[1] * grid[2],
    )
    left = (page[0] - columns * size[0]) / 2
    for start in range(0, len(faces), columns * rows):
        on_sheet = faces[start : start + columns * rows]
        sheet = Page(*page, what)
        for number, face in enumerate(on_sheet):
            row, column = divmod(number, columns)
            sheet.marks += [moved(mark, left + column * size[0], MARGIN + row * size[1]) for mark in face.marks]
        used_rows, used_columns = ceil(len(on_sheet) / columns), min(columns, len(on_sheet))
        xs = [left + number * size[0] for number in range(used_columns + 1)]
        ys = [MARGIN + number * size[1] for number in range(used_rows + 1)]
        sheet.marks += cutting_marks(xs, ys, (xs[0], ys[0], xs[-1], ys[-1]))
        yield sheet
        if backs:
            other = Page(*page, what, is_back=True)
            for number, face in enumerate(on_sheet):
                row, column = divmod(number, columns)
                x = page[0] - left - (column + 1) * size[0]
                other.marks += [moved(mark, x, MARGIN + row * size[1]) for mark in face.back]
            # what runs over the edge of a card lies below its neighbours
            other.marks.sort(key=lambda mark: not isinstance(mark, Panel))
            yield other


# ------------------------------------------------------------------------------------------------ the foot


def foot(page: Page, text: str, size_note: str) -> None:
    """Add the line at the foot of a sheet, and the bar that is 50 mm long if printed in true size."""
    y = page.height - 8.0
    end = page.width - MARGIN
    note = end - _BAR - _NOTE
    page.marks += [
        Words(MARGIN, y - 2.6, note - MARGIN, 5.2, text, 2.4, "left", colour=FAINT),
        Words(note, y - 2.6, _NOTE - 1, 5.2, size_note, 2.4, "right", colour=FAINT),
        Line(end - _BAR, y, end, y, 0.3, FAINT),
        *(Line(end - _BAR + step, y - 1.2, end - _BAR + step, y + 1.2, 0.2, FAINT) for step in (0.0, _BAR / 2, _BAR)),
    ]
