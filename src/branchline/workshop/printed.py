"""A printed board beside an edition: what an owner of the box found on it, as a file, as a board, and as differences.

The file lists the routes, tickets and points that *are printed*, and of each whether somebody looked at it. It stands
on its own: it can still be compared when the edition has been mended since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from branchline.boards import BranchlineError, builtin_boards
from branchline.boards.board import COLOURS, GRAY, ROUTE_KINDS
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject
from branchline.workshop.draft import Cells, Draft, Rows

FORMAT = "branchline_printed"
VERSION = 1
MOST_LINES = 500  # of routes or tickets; as in a board
MOST_LETTERS = 500_000
LONGEST_NAME = 120  # letters of a place, or of all places of a tour
MOST_NUMBER = 99  # spaces, points
POINTS = ("points", "points_subway")

SAME, OTHER, MISSING, MORE = "same", "other", "missing", "more"
"""What a line of a comparison says of the second board: as the first, otherwise, not there, there only."""


class PrintedError(BranchlineError):
    """What was handed over is no list of what is printed; the text says why."""


@dataclass(frozen=True)
class PrintedLine:
    """A route, a ticket or the points of a length, as it is printed."""

    what: str  # "route", "ticket", "tour" or one of POINTS
    where: tuple[str, ...]  # the places it joins; of points: the length
    says: tuple[str, ...]  # a route: spaces, colour, kind; otherwise the points
    checked: bool = True  # somebody has looked at it


@dataclass(frozen=True)
class Printed:
    """A board as somebody read it off."""

    board: str  # the edition it was compared with
    lines: tuple[PrintedLine, ...]

    @property
    def checked(self) -> int:
        """How many lines somebody has looked at."""
        return sum(line.checked for line in self.lines)

    def as_json(self) -> JsonObject:
        """Return the file, as plain JSON."""
        return {
            FORMAT: VERSION,
            "board": self.board,
            "lines": [
                {"what": line.what, "where": list(line.where), "says": list(line.says), "checked": line.checked}
                for line in self.lines
            ],
        }


def is_printed(data: object) -> bool:
    """Return whether plain JSON claims to be such a file."""
    return isinstance(data, dict) and FORMAT in data


def read_printed(text: str) -> Printed:
    """Read a file of what is printed, wherever it comes from. Raise `PrintedError`."""
    if len(text) > MOST_LETTERS:
        raise PrintedError(worded("the file is too large"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise PrintedError(worded("the file is not JSON")) from None
    if not is_printed(data) or data[FORMAT] != VERSION:
        raise PrintedError(worded("the file is not one of “Is this my printed board?”"))
    board, lines = data.get("board"), data.get("lines")
    if board not in builtin_boards():
        raise PrintedError(worded("the file names no edition"))
    if not isinstance(lines, list) or len(lines) > 2 * MOST_LINES:
        raise PrintedError(worded("the file has no list of lines, or its list is too long"))
    return Printed(str(board), tuple(_line(number, line) for number, line in enumerate(lines, 1)))


def _line(number: int, data: object) -> PrintedLine:
    fields = data if isinstance(data, dict) else {}
    kind, where, says = fields.get("what"), fields.get("where"), fields.get("says")
    if isinstance(where, list) and isinstance(says, list):
        line = PrintedLine(str(kind), _texts(where), _texts(says), fields.get("checked") is not False)
        if _is_sound(line):
            return line
    raise PrintedError(worded("line {number} of the file cannot be read", number=number))


def _texts(parts: list[Any]) -> tuple[str, ...]:
    """Return the parts of a line as texts; empty where one is not a text, or too long."""
    good = len(parts) <= 12 and all(isinstance(part, str) and 0 < len(part) <= LONGEST_NAME for part in parts)
    return tuple(parts) if good and all(part.isprintable() and part == part.strip() for part in parts) else ()


def _is_sound(line: PrintedLine) -> bool:
    if not line.says or not _is_number(line.says[0]):
        return False
    if line.what == "route":
        ends = len(line.where) == 2 and line.where[0] != line.where[1]
        return ends and len(line.says) == 3 and line.says[1] in (*COLOURS, GRAY) and line.says[2] in ROUTE_KINDS
    if line.what in POINTS:
        return len(line.where) == len(line.says) == 1 and _is_number(line.where[0])
    return line.what in ("ticket", "tour") and len(line.says) == 1 and len(line.where) >= (2 + (line.what == "tour"))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 2 and int(text) <= MOST_NUMBER


# ------------------------------------------------------------------------------------------------ of a draft


def lines_of(draft: Draft) -> tuple[PrintedLine, ...]:
    """List what a board says of routes, tickets, tours and points."""
    routes = [
        PrintedLine(
            "route", _ends(cells), (cells.get("length", ""), cells.get("colour", ""), cells.get("kind") or "rail")
        )
        for cells in draft["routes"].values()
    ]
    tickets = [PrintedLine("ticket", _ends(cells), (cells.get("value", ""),)) for cells in draft["tickets"].values()]
    tours = [
        PrintedLine("tour", tuple(cells.get("cities", "").split(">")), (cells.get("value_in_order", ""),))
        for cells in draft["tours"].values()
    ]
    points = [
        PrintedLine(table, (str(length),), (str(value),))
        for table in POINTS
        for length, value in _section(draft, table).items()
    ]
    return (*routes, *tickets, *tours, *points)


def _ends(cells: Cells) -> tuple[str, ...]:
    return cells.get("city_a", ""), cells.get("city_b", "")


def _section(draft: Draft, name: str) -> Mapping[str, Any]:
    section = draft.settings.get(name)
    return section if isinstance(section, dict) else {}


def draft_of(printed: Printed, edition: Draft) -> Draft:
    """Make the board that is printed: the edition with these routes, tickets and points in place of its own."""
    tables = dict(edition.tables)
    routes = [line for line in printed.lines if line.what == "route"]
    tables["routes"] = _rows(edition["routes"], routes, _ends, _route_cells, "r")
    tickets = [line for line in printed.lines if line.what == "ticket"]
    tables["tickets"] = _rows(edition["tickets"], tickets, _ends, lambda line: {"value": line.says[0]}, "t")
    tours = [line for line in printed.lines if line.what == "tour"]
    tables["tours"] = _rows(
        edition["tours"],
        tours,
        lambda cells: tuple(cells.get("cities", "").split(">")),
        lambda line: {"value_in_order": line.says[0]},
        "o",
    )
    settings = dict(edition.settings)
    for table in POINTS:
        numbers = {line.where[0]: int(line.says[0]) for line in printed.lines if line.what == table}
        if numbers:
            settings[table] = numbers
    title = str(settings.get("title", printed.board))
    settings |= {"id": f"{printed.board}_printed", "title": title, "reconstructed": False, "notes": []}
    return replace(edition, settings=settings, tables=MappingProxyType(tables))


def _route_cells(line: PrintedLine) -> dict[str, str]:
    return dict(zip(("length", "colour", "kind"), line.says, strict=True))


def _rows(
    before: Rows,
    lines: list[PrintedLine],
    where: Callable[[Cells], tuple[str, ...]],
    cells: Callable[[PrintedLine], dict[str, str]],
    letter: str,
) -> Rows:
    """Return the rows of a table for these lines; a row between the same places keeps its other cells."""
    left = dict(before)
    kept: dict[int, str] = {}
    for exact in (True, False):
        for n, line in enumerate(lines):
            if n in kept:
                continue
            for row, was in left.items():
                alike = _joined("", where(was)) == _joined("", line.where)
                if alike and (not exact or all(was.get(key) == value for key, value in cells(line).items())):
                    kept[n] = row
                    del left[row]
                    break
    rows: dict[str, Cells] = {}
    free = (f"{letter}{number}" for number in range(1, 10 * MOST_LINES) if f"{letter}{number}" not in before)
    for n, line in enumerate(lines):
        ends = {} if n in kept else dict(zip(("city_a", "city_b"), line.where, strict=False))
        was = before[kept[n]] if n in kept else ends
        rows[kept.get(n) or next(free)] = {**was, **cells(line)}
    return MappingProxyType(rows)


# ------------------------------------------------------------------------------------------------ two boards


@dataclass(frozen=True)
class Difference:
    """A line of one board beside the other's; None: it is not there."""

    kind: str  # OTHER, MISSING or MORE
    ours: PrintedLine | None
    theirs: PrintedLine | None


def differences(ours: Iterable[PrintedLine], theirs: Iterable[PrintedLine]) -> list[Difference]:
    """Compare two boards line by line; parallel routes are matched in the way that leaves the fewest differences."""
    left: dict[tuple[str, ...], list[PrintedLine]] = {}
    for line in theirs:
        left.setdefault(_joined(line.what, line.where), []).append(line)
    open_, differing = [], []
    for line in ours:
        there = left.get(_joined(line.what, line.where), [])
        same = next((twin for twin in there if twin.says == line.says), None)
        if same is None:
            open_.append(line)
        else:
            there.remove(same)
    for line in open_:
        there = left.get(_joined(line.what, line.where), [])
        differing.append(Difference(OTHER, line, there.pop(0)) if there else Difference(MISSING, line, None))
    return differing + [Difference(MORE, None, line) for rest in left.values() for line in rest]


def _joined(kind: str, where: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a line is about: routes and tickets have no direction, tours have."""
    names = [name.casefold() for name in where]
    return (kind, *(sorted(names) if len(names) == 2 else names))
