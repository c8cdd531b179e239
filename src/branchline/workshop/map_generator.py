"""Boards of simulatedScience's map generator: its text files both ways, and its saved projects as far as they go.

Facts about the format: https://github.com/simulatedScience/Ticket-to-Ride_Map-Generator, `doc/getting_started.md`
(section ".txt file workflow") and the project files it saves, April 2026. Three UTF-8 files, one thing on a line:

    locations.txt   place                              paths.txt   place ; place ; length ; colour
    tasks.txt       place ; place, and what else follows is not read; we write the value of the ticket there

`\\n` in a name stands for the end of a line. A project is JSON: nodes with a name and a position (y upwards), a record
for each space of an edge, tasks with points. It knows no rules, kinds of routes or degrees: the usual rules are
taken, and places lie where the gazetteer has them, else where the project has them, else as the lengths suggest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from branchline.atlas.board import COLOURS, GRAY
from branchline.atlas.faults import Fault, quoted
from branchline.atlas.wording import worded
from branchline.workshop.beginning import settings, with_region
from branchline.workshop.draft import Draft, DraftError
from branchline.workshop.globe import Bounds, Point
from branchline.workshop.placing import on_a_sheet, on_the_globe
from branchline.workshop.region import FARTHEST, SMALLEST
from branchline.workshop.tables import COLUMNS, LETTERS, MAX_CELL, MAX_ROWS
from branchline.workshop.ways import neighbours, shortest_ways

LOCATIONS, PATHS, TASKS = "locations.txt", "paths.txt", "tasks.txt"
SEPARATOR = " ; "
_OTHER_COLOURS = {"grey": GRAY, "neutral": GRAY, "any": GRAY, "pink": "purple", "violet": "purple"}
RATIO = 0.6  # height of a sheet for a width of 1
_AROUND = 0.08  # of the map's breadth and height that is shown around the places


@dataclass
class _Read:
    """What the files say, in the words of our tables."""

    cities: dict[str, Point | None] = field(default_factory=dict)  # name → position on the sheet
    routes: list[dict[str, str]] = field(default_factory=list)
    tickets: list[dict[str, str]] = field(default_factory=list)
    tours: list[dict[str, str]] = field(default_factory=list)
    reasons: list[Fault] = field(default_factory=list)

    def place(self, file: str, line: int, name: str) -> str:
        """A place that a path or a task names; one that is not in the list is added."""
        if name not in self.cities:
            self.reasons.append(
                Fault(file, line, worded("{name} is not in the list of locations; it was added", name=quoted(name)))
            )
            self.cities[name] = None
        return name


# ------------------------------------------------------------------------------------------------ reading


def is_one_of(name: str, text: str) -> str:
    """Which of its files this is: LOCATIONS, PATHS, TASKS or "project"; empty: none of them."""
    name = name.casefold()
    if name.endswith(".json") and '"particle_graph"' in text[:2000]:
        return "project"
    if not name.endswith(".txt"):
        return ""
    for kind, words in ((LOCATIONS, ("location", "node")), (PATHS, ("path", "edge")), (TASKS, ("task",))):
        if any(word in name for word in words):
            return kind
    most = max((line.count(";") for line in text.split("\n")[:50]), default=0)
    return PATHS if most >= 3 else TASKS if most else LOCATIONS


def read(files: Mapping[str, str], title: str = "") -> tuple[Draft, tuple[Fault, ...]]:
    """A draft of these files, by name, and what was left out or guessed: with file, line and what was expected.

    Takes up to two seconds where the map is large.
    """
    found = _Read()
    kinds = {name: is_one_of(name, text) for name, text in files.items()}
    for kind, reader in ((LOCATIONS, _locations), ("project", _project), (PATHS, _paths), (TASKS, _tasks)):
        for name, text in files.items():
            if kinds[name] == kind:
                reader(name, text, found)
    draft = _draft(found, title)
    return draft, tuple(found.reasons)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.strip():
            yield number, line.strip()


def _name(text: str) -> str:
    return " ".join(text.replace("\\n", " ").split())[:MAX_CELL]


def _locations(file: str, text: str, found: _Read) -> None:
    for line, name in _lines(text):
        if not _room(file, line, found.cities, found):
            return
        if _name(name) in found.cities:
            found.reasons.append(Fault(file, line, worded("{name} twice; it was left out", name=quoted(_name(name)))))
        found.cities.setdefault(_name(name), None)


def _paths(file: str, text: str, found: _Read) -> None:
    for line, content in _lines(text):
        if not _room(file, line, found.routes, found):
            return
        parts = [_name(part) for part in content.split(";")]
        if len(parts) != 4 or not parts[0] or not parts[1]:
            said = worded("left out: {content}, expected place; place; length; colour", content=quoted(content))
            found.reasons.append(Fault(file, line, said))
            continue
        a, b, length, colour = parts
        cells = {"city_a": found.place(file, line, a), "city_b": found.place(file, line, b), "length": length}
        found.routes.append(cells | {"colour": _colour(colour)})


def _tasks(file: str, text: str, found: _Read) -> None:
    for line, content in _lines(text):
        if not _room(file, line, found.tickets, found):
            return
        parts = [_name(part) for part in content.split(";")]
        if len(parts) < 2 or not parts[0] or not parts[1]:
            found.reasons.append(
                Fault(file, line, worded("left out: {content}, expected place; place", content=quoted(content)))
            )
            continue
        cells = {"city_a": found.place(file, line, parts[0]), "city_b": found.place(file, line, parts[1])}
        found.tickets.append(cells | {"value": parts[2] if len(parts) > 2 else ""})


def _room(file: str, line: int, rows: Mapping[str, object] | list[dict[str, str]], found: _Read) -> bool:
    if len(rows) < MAX_ROWS:
        return True
    found.reasons.append(Fault(file, line, worded("the rest is left out: at most {most} are kept", most=MAX_ROWS)))
    return False


def _colour(text: str) -> str:
    """Ours where we know it; else as it is, so that the check can name it."""
    word = text.casefold()
    return word if word in (*COLOURS, GRAY) else _OTHER_COLOURS.get(word, text)


# ------------------------------------------------------------------------------------------------ projects


def _project(file: str, text: str, found: _Read) -> None:
    try:
        graph = json.loads(text)["particle_graph"]
        particles, tasks = graph["particles"], graph.get("tasks") or []
        if not isinstance(particles, list) or not isinstance(tasks, list):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found.reasons.append(
            Fault(file, 0, worded('is no project: expected JSON with "particle_graph" and its "particles"'))
        )
        return
    nodes = [one for one in particles if isinstance(one, dict) and one.get("particle_type") == "Particle_Node"]
    edges = [one for one in particles if isinstance(one, dict) and one.get("particle_type") == "Particle_Edge"]
    for node in nodes[:MAX_ROWS]:
        name = node.get("location_name")
        if isinstance(name, str) and _name(name):
            found.cities[_name(name)] = _point(node.get("position"))
    spaces: dict[tuple[str, str, str], list[str]] = {}
    for edge in edges:
        a, b = edge.get("location_1_name"), edge.get("location_2_name")
        if isinstance(a, str) and isinstance(b, str) and _name(a) and _name(b):
            key = (_name(a), _name(b), str(edge.get("connection_index", 0))[:20])
            spaces.setdefault(key, []).append(str(edge.get("color", ""))[:40])
    for (a, b, _), colours in list(spaces.items())[:MAX_ROWS]:
        cells = {"city_a": found.place(file, 0, a), "city_b": found.place(file, 0, b), "length": str(len(colours))}
        found.routes.append(cells | {"colour": _colour(colours[0])})
    for task in tasks[:MAX_ROWS]:
        _project_task(file, task, found)


def _point(said: Any) -> Point | None:
    if isinstance(said, list) and len(said) == 2 and all(type(one) in (int, float) and abs(one) < 1e9 for one in said):
        return float(said[0]), float(said[1])
    return None


def _project_task(file: str, task: Any, found: _Read) -> None:
    places = task.get("node_names") if isinstance(task, dict) else None
    if (
        not isinstance(places, list)
        or len(places) < 2
        or not all(isinstance(one, str) and _name(one) for one in places)
    ):
        found.reasons.append(Fault(file, 0, worded('a task is left out: expected two or more "node_names"')))
        return
    names = [found.place(file, 0, _name(one)) for one in places[:20]]
    points, bonus, penalty = (_points(task.get(key)) for key in ("points", "points_bonus", "points_penalty"))
    if len(names) == 2:
        found.tickets.append({"city_a": names[0], "city_b": names[1], "value": str(points or "")})
        return
    values = {"value_in_order": str(points + bonus), "value_any_order": str(points), "penalty": str(abs(penalty))}
    found.tours.append({"cities": ">".join(names)} | values)


def _points(said: Any) -> int:
    return said if type(said) is int and abs(said) < 10_000 else 0


# ------------------------------------------------------------------------------------------------ the draft


def _draft(found: _Read, title: str) -> Draft:
    """The usual rules, the places where they lie, tickets without a value worth their shortest way."""
    tables: dict[str, dict[str, dict[str, str]]] = {table: {} for table in COLUMNS}
    tables["cities"] = _rows("cities", ({"name": name} for name in found.cities))
    tables["routes"] = _rows("routes", found.routes)
    draft = Draft(settings(title), tables)
    ways = shortest_ways(draft)
    for cells in found.tickets:
        cells["value"] = cells["value"] or str(ways[cells["city_a"]].get(cells["city_b"], ""))
    tables["tickets"], tables["tours"] = _rows("tickets", found.tickets), _rows("tours", found.tours)
    points, unknown = on_the_globe(neighbours(tables["routes"]), found.cities)
    for name in unknown:
        found.reasons.append(
            Fault(LOCATIONS, 0, worded("no town is called {name}: it lies amid its neighbours", name=quoted(name)))
        )
    if not points:
        laid, ratio = _given(found) or (on_a_sheet(ways), RATIO)
        tables["layout"] = _rows(
            "layout", ({"name": name, "x": f"{x:g}", "y": f"{y:g}"} for name, (x, y) in laid.items())
        )
        return Draft({**draft.settings, "map": {"ratio": ratio}}, tables)
    for row in tables["cities"].values():
        lat, lon = points[row["name"]]
        row |= {"lat": f"{lat:g}", "lon": f"{lon:g}"}
    bounds = _bounds(points.values())
    return with_region(draft, bounds) if bounds else draft


def _rows(table: str, cells: Iterable[Mapping[str, str]]) -> dict[str, dict[str, str]]:
    filled = ({column: text for column, text in one.items() if text} for one in cells)
    return {f"{LETTERS[table]}{number}": one for number, one in enumerate(filled, 1)}


def _given(found: _Read) -> tuple[dict[str, Point], float] | None:
    """The positions of a project, from the left and the top of a sheet around them, and its height for a width of 1."""
    given = {name: point for name, point in found.cities.items() if point is not None}
    if not given or len(given) < len(found.cities):
        return None
    xs, ys = zip(*given.values(), strict=True)
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    laid = {name: (_within((x - min(xs)) / wide), _within((max(ys) - y) / high)) for name, (x, y) in given.items()}
    return laid, round(min(max(high / wide, RATIO / 2), 2 * RATIO), 3)


def _within(share: float) -> float:
    return round(_AROUND + (1 - 2 * _AROUND) * share, 4)


def _bounds(points: Iterable[Point]) -> Bounds | None:
    """A window around the places, on whichever side of the earth; None where there is none worth a map."""
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


# ------------------------------------------------------------------------------------------------ writing


def write(draft: Draft) -> dict[str, str]:
    """The three text files of a draft; what the format does not know (kinds, rules, positions) is lost.

    Raises `DraftError` for a name with a semicolon, which the format cannot hold.
    """
    cities = [row.get("name", "") for row in draft["cities"].values()]
    for name in cities:
        if ";" in name:
            raise DraftError(
                worded("{name}: the text format has no way to write a semicolon in a name", name=quoted(name))
            )
    routes = [[row.get(column, "") for column in COLUMNS["routes"].needed] for row in draft["routes"].values()]
    tickets = [[row.get(column, "") for column in COLUMNS["tickets"].needed] for row in draft["tickets"].values()]
    return {
        LOCATIONS: "".join(f"{name}\n" for name in cities if name),
        PATHS: "".join(f"{SEPARATOR.join(parts)}\n" for parts in routes if all(parts)),
        TASKS: "".join(f"{SEPARATOR.join(part for part in parts if part)}\n" for parts in tickets if all(parts[:2])),
    }
