"""A board of another program while it is read: places, routes, tickets and positions, and how a draft is made of them.

Other programs know no rules and seldom degrees: the board gets the usual rules. Its places lie where they were drawn,
or where the gazetteer has towns of their names, or as the lengths of the routes suggest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from branchline.boards.columns import TABLES
from branchline.boards.faults import Fault, quoted
from branchline.boards.letters import without_unseen
from branchline.boards.places import FILE as CITIES
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject
from branchline.workshop.beginning import settings, with_region
from branchline.workshop.draft import Draft
from branchline.workshop.gazetteer import named
from branchline.workshop.globe import Bounds, Point
from branchline.workshop.placing import on_a_sheet, on_the_globe
from branchline.workshop.region import FARTHEST, SMALLEST
from branchline.workshop.tables import LETTERS, MAX_CELL, MAX_ROWS
from branchline.workshop.ways import neighbours, shortest_ways

RATIO = 0.6  # height of a sheet for a width of 1
_AROUND = 0.08  # of the map's breadth and height that is shown around the places
_NEAR = 1.5  # degrees between a town and where a file has it
_LONG, _REGULAR = "long", "regular"
_SEATS = 5  # that the usual rules have

Tables = dict[str, dict[str, dict[str, str]]]


@dataclass
class Outline:
    """What files say, in the words of our tables."""

    cities: dict[str, Point | None] = field(default_factory=dict)  # name → position: to the right, and up or down
    kinds: dict[str, str] = field(default_factory=dict)  # name → kind of place, where it is said
    routes: list[dict[str, str]] = field(default_factory=list)
    tickets: list[dict[str, str]] = field(default_factory=list)
    tours: list[dict[str, str]] = field(default_factory=list)
    reasons: list[Fault] = field(default_factory=list)
    upwards: bool = True  # y grows upwards
    drawn: bool = False  # somebody has put the places there: better than what the gazetteer says
    _said: set[Fault] = field(default_factory=set)

    def say(self, file: str, line: int, message: str) -> None:
        """Note what was left out or guessed, once."""
        reason = Fault(file, line, message)
        if reason not in self._said:
            self._said.add(reason)
            self.reasons.append(reason)

    def say_nameless(self, file: str, count: int) -> None:
        """Note how many places were left out because they have no name."""
        if count:
            self.say(file, 0, worded("places without a name are left out: {count}", count=count))

    def place(self, file: str, line: int, name: str) -> str:
        """Return the name of a place that a route or a ticket names; one that is not in the list is added."""
        if name not in self.cities:
            self.say(file, line, worded("{name} is not in the list of locations; it was added", name=quoted(name)))
            self.cities[name] = None
        return name

    def room(self, file: str, line: int, rows: Mapping[str, object] | list[dict[str, str]]) -> bool:
        """Return whether one more row can be kept, and say so where it cannot."""
        if len(rows) < MAX_ROWS:
            return True
        self.say(file, line, worded("the rest is left out: at most {most} are kept", most=MAX_ROWS))
        return False

    def draft(self, title: str, file: str) -> Draft:
        """Return the board with the usual rules; what was guessed of the places in `file` becomes a reason."""
        tables: Tables = {table: {} for table in TABLES}
        tables["cities"] = _rows("cities", ({"name": name, "kind": self.kinds.get(name, "")} for name in self.cities))
        tables["routes"] = _rows("routes", self.routes)
        tables["tickets"], tables["tours"] = _rows("tickets", self.tickets), _rows("tours", self.tours)
        return laid_out(Draft(settings(title), tables), self, file)


def one_name(text: str) -> str:
    """Return a name on one line, without what nobody sees."""
    return " ".join(without_unseen(text).replace("\\n", " ").split())[:MAX_CELL].strip()


def completed(draft: Draft, title: str, reasons: list[Fault]) -> Draft:
    """Return a draft of tables alone with the usual rules, and with positions where its places have none."""
    tables = {table: {row: dict(cells) for row, cells in rows.items()} for table, rows in draft.tables.items()}
    outline = Outline(upwards=False, drawn=True)
    unread = []
    for cells in tables["cities"].values():
        x, y = cells.pop("x", ""), cells.pop("y", "")
        name = cells.get("name", "")
        outline.cities[name] = _point(x, y)
        if outline.cities[name] is None and (x or y):
            unread.append(name)
    if unread:
        message = worded(
            "x and y are no numbers for {count} places, such as {name}", count=len(unread), name=quoted(unread[0])
        )
        reasons.append(Fault(CITIES, 0, message))
    usual = settings(title)
    usual["tickets"] = _decks(tables["tickets"], usual["tickets"], reasons)
    if any(cells.get("kind") == "tunnel" for cells in tables["routes"].values()):
        usual["tunnels"] = {"cards_turned": 3}
        reasons.append(Fault("routes.csv", 0, worded("there are tunnels: the usual rule of three cards is added")))
    completed_draft = Draft(usual, tables, draft.backdrop, draft.others)
    placed = any("lat" in cells or "lon" in cells for cells in tables["cities"].values()) or tables["layout"]
    if not placed:
        outline.cities.pop("", None)
        completed_draft = laid_out(completed_draft, outline, CITIES)
        reasons += outline.reasons
    elif not tables["layout"]:
        points = [point for cells in tables["cities"].values() if (point := _point(cells.get("lat"), cells.get("lon")))]
        completed_draft = _with_map(completed_draft, points)
    if draft.backdrop is not None:
        section: Mapping[str, Any] = completed_draft.settings.get("map", {})
        completed_draft = Draft(
            {**completed_draft.settings, "map": {**section, "backdrop": draft.backdrop_file}},
            completed_draft.tables,
            draft.backdrop,
        )
    return completed_draft


def _point(x: str | None, y: str | None) -> Point | None:
    try:
        point = float(x or ""), float(y or "")
    except ValueError:
        return None
    return point if all(abs(number) < 1e9 for number in point) else None


def _decks(rows: Mapping[str, dict[str, str]], usual: Mapping[str, Any], reasons: list[Fault]) -> JsonObject:
    """Return the section of tickets: one deck, or the long ones apart, following what the tickets say of decks."""
    named_decks = {cells.pop("deck", "") for cells in rows.values()} - {""}
    long = [cells for cells in rows.values() if cells.get("long") == "yes"]
    for cells in rows.values():
        cells.pop("long", None)
    if len(named_decks) > 1:
        names = tuple(quoted(deck) for deck in sorted(named_decks)[:3])
        reasons.append(Fault("tickets.csv", 0, worded("the decks {names} are merged", names=names)))
    if long and (len(long) < _SEATS or len(rows) - len(long) < 3 * _SEATS):
        reasons.append(
            Fault("tickets.csv", 0, worded("too few long tickets for a deck of their own: all tickets form one deck"))
        )
        return dict(usual)
    if not long:
        return dict(usual)
    for cells in rows.values():
        cells["deck"] = _LONG if any(cells is ticket for ticket in long) else _REGULAR
    reasons.append(Fault("tickets.csv", 0, worded("the long tickets form their own deck: each player gets one")))
    first = {**usual["first"], "deal": {_LONG: 1, _REGULAR: 3}}
    return {"decks": [_LONG, _REGULAR], "first": first, "later": {**usual["later"], "deal": {_REGULAR: 3}}}


def laid_out(draft: Draft, outline: Outline, file: str) -> Draft:
    """Return a draft whose places have positions and whose tickets have values; what was guessed becomes a reason."""
    tables = {table: {row: dict(cells) for row, cells in rows.items()} for table, rows in draft.tables.items()}
    draft = Draft(draft.settings, tables, draft.backdrop, draft.others)
    ways = shortest_ways(draft)
    for cells in tables["tickets"].values():
        if not cells.get("value"):
            far = ways.get(cells.get("city_a", ""), {}).get(cells.get("city_b", ""))
            cells |= {"value": str(far)} if far is not None else {}
    positions = _given(outline.cities)
    if positions and not outline.upwards and _are_degrees(positions):
        outline.say(
            file, 0, worded("x and y are read as degrees east and north, because towns of these names are there")
        )
        return _on_the_globe(draft, {name: (y, x) for name, (x, y) in positions.items()})
    points, unknown = (
        ({}, []) if positions and outline.drawn else on_the_globe(neighbours(tables["routes"]), outline.cities)
    )
    if points:
        for name in unknown:
            outline.say(
                file, 0, worded("no town called {name} is known: it is placed among its neighbours", name=quoted(name))
            )
        if any(point is not None for point in outline.cities.values()):
            outline.say(
                file, 0, worded("the places are set where towns of these names are, not where the file puts them")
            )
        return _on_the_globe(draft, points)
    laid, ratio = _on_a_sheet(positions, outline.upwards) if positions else (on_a_sheet(ways), RATIO)
    if not positions and any(point is not None for point in outline.cities.values()):
        outline.say(file, 0, worded("only some places have a position: all are placed by the lengths of their routes"))
    tables["layout"] = _rows("layout", ({"name": name, "x": f"{x:g}", "y": f"{y:g}"} for name, (x, y) in laid.items()))
    return Draft({**draft.settings, "map": {"ratio": ratio}}, tables, draft.backdrop, draft.others)


def _rows(table: str, cells: Iterable[Mapping[str, str]]) -> dict[str, dict[str, str]]:
    filled = ({column: text for column, text in row.items() if text} for row in cells)
    return {f"{LETTERS[table]}{number}": row for number, row in enumerate(filled, 1)}


def _on_the_globe(draft: Draft, points: Mapping[str, Point]) -> Draft:
    for row in draft.tables["cities"].values():
        if row.get("name", "") in points:
            lat, lon = points[row["name"]]
            assert isinstance(row, dict)  # `laid_out` has just copied it
            row |= {"lat": f"{lat:g}", "lon": f"{lon:g}"}
    return _with_map(draft, list(points.values()))


def _with_map(draft: Draft, points: list[Point]) -> Draft:
    sound = [point for point in points if abs(point[0]) <= 90 and abs(point[1]) <= 360]
    bounds = _bounds(sound) if sound and draft.backdrop is None else None
    return with_region(draft, bounds) if bounds else draft


def _given(cities: Mapping[str, Point | None]) -> dict[str, Point]:
    """Return the positions if every place has one, and not all the same."""
    positions = {name: point for name, point in cities.items() if point is not None}
    return positions if len(positions) == len(cities) and len(set(positions.values())) > 1 else {}


def _are_degrees(positions: Mapping[str, Point]) -> bool:
    """Return whether most places with the name of a town lie where such a town is, x east and y north."""
    if any(abs(x) > 180 or abs(y) > 90 for x, y in positions.values()):
        return False
    known = [(towns, point) for name, point in positions.items() if (towns := named(name))]
    near = [
        any(abs(town.lat - y) < _NEAR and abs(town.lon - x) < 2 * _NEAR for town in towns) for towns, (x, y) in known
    ]
    return len(known) >= 2 and 2 * sum(near) > len(known)


def _on_a_sheet(positions: Mapping[str, Point], upwards: bool) -> tuple[dict[str, Point], float]:
    """Return the same positions from the left and the top of a sheet around them, and its height for a width of 1."""
    if not upwards and all(0 <= number <= 1 for point in positions.values() for number in point):
        return dict(positions), RATIO
    xs, ys = zip(*positions.values(), strict=True)
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    laid = {
        name: (_within((x - min(xs)) / wide), _within((max(ys) - y if upwards else y - min(ys)) / high))
        for name, (x, y) in positions.items()
    }
    return laid, round(min(max(high / wide, RATIO / 2), 2 * RATIO), 3)


def _within(share: float) -> float:
    return round(_AROUND + (1 - 2 * _AROUND) * share, 4)


def _bounds(points: Iterable[Point]) -> Bounds | None:
    """Return a window around the places, on whichever side of the earth, or None if it would be useless."""
    lats, lons = zip(*points, strict=True)
    rest = sorted({lon % 360 for lon in lons})
    gaps = [(after - before, after) for before, after in zip(rest, [*rest[1:], rest[0] + 360], strict=True)]
    gap, west = max(gaps)  # the map begins east of the widest gap
    west, wide = (west + 180) % 360 - 180, 360 - gap
    high = max(lats) - min(lats)
    side, above = _AROUND * max(wide, 0.6 * high, 1.0), _AROUND * max(high, 0.4 * wide, 1.0)
    bounds = (
        max(west - side, -180.0),
        max(min(lats) - above, -FARTHEST),
        west + wide + side,
        min(max(lats) + above, FARTHEST),
    )
    fits = bounds[2] - bounds[0] <= 360 and bounds[2] <= 360 and bounds[3] - bounds[1] > SMALLEST
    return bounds if fits else None
