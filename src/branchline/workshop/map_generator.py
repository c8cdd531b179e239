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
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import Any

from branchline.boards.columns import TABLES
from branchline.boards.faults import Fault, quoted
from branchline.boards.wording import Term, worded
from branchline.workshop.draft import Draft, DraftError
from branchline.workshop.globe import Point
from branchline.workshop.headings import colour_of
from branchline.workshop.outline import Outline, one_name
from branchline.workshop.tables import MAX_ROWS

LOCATIONS, PATHS, TASKS, PROJECT, POSITIONS = "locations.txt", "paths.txt", "tasks.txt", "project", "positions.json"
SEPARATOR = " ; "
_NAMED = (
    (LOCATIONS, ("locations", "nodes")),
    (PATHS, ("paths", "edges")),
    (TASKS, ("tasks",)),
)


# ------------------------------------------------------------------------------------------------ reading


def kinds_of(files: Mapping[str, str]) -> dict[str, str]:
    """Return which of its files these are, by name: LOCATIONS, PATHS, TASKS, PROJECT or POSITIONS; others are left out.

    A text file with another name than the usual ones is one of them only if every line of it fits.
    """
    kinds = {name: kind for name, text in files.items() if (kind := _kind_of(name, text))}
    ends = {end for name, kind in kinds.items() if kind == PATHS for end in _ends(files[name])}
    for name, text in files.items():
        if ends and name not in kinds and name.casefold().endswith(".txt"):
            lines = [one_name(line) for _, line in _lines(text)]
            if lines and 2 * sum(line in ends for line in lines) > len(lines):
                kinds[name] = LOCATIONS
    if PROJECT not in kinds.values() and not {LOCATIONS, PATHS} & set(kinds.values()):
        kinds = {name: kind for name, kind in kinds.items() if kind != POSITIONS}
    return kinds


def _kind_of(name: str, text: str) -> str:
    name = name.casefold()
    if name.endswith(".json"):
        if '"particle_graph"' in text:
            return PROJECT
        return POSITIONS if name == POSITIONS or '"positions"' in text[:2000] else ""
    if not name.endswith(".txt"):
        return ""
    stem = name.removesuffix(".txt")
    lines = [[part.strip() for part in line.split(";")] for _, line in _lines(text)]
    for kind, words in _NAMED:
        usual = stem in words or any(re.search(rf"(^|[^a-z]){word}?($|[^a-z])", stem) for word in words)
        counts = {len(parts) for parts in lines}
        fits = kind != LOCATIONS or counts <= {1}
        if stem in words or (usual and fits and lines):
            return kind
    if lines and all(len(parts) == 4 and parts[2].isdecimal() and all(parts[:2]) for parts in lines):
        return PATHS
    return TASKS if lines and all(len(parts) in (2, 3) and all(parts[:2]) for parts in lines) else ""


def _ends(text: str) -> Iterator[str]:
    for _, line in _lines(text):
        yield from (one_name(part) for part in line.split(";")[:2])


def read(files: Mapping[str, str], title: str = "") -> tuple[Draft, tuple[Fault, ...]]:
    """Return a draft of these files, by name, and what was left out or guessed: with file, line and what was expected.

    Takes up to two seconds where the map is large.
    """
    outline = Outline()
    kinds = kinds_of(files)
    readers = (
        (LOCATIONS, _locations),
        (PROJECT, _project),
        (PATHS, _paths),
        (TASKS, _tasks),
        (POSITIONS, _positions),
    )
    for kind, reader in readers:
        names = [name for name in files if kinds.get(name) == kind]
        if kind == PROJECT:  # each is a board of its own
            for other in names[1:]:
                outline.say(other, 0, worded("is left out: {file} is also there", file=names[0]))
            names = names[:1]
        for name in names:
            reader(name, files[name], outline)
    home = next((name for name, kind in kinds.items() if kind in (PROJECT, LOCATIONS)), LOCATIONS)
    draft = outline.draft(title, home)
    return draft, tuple(outline.reasons)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.strip():
            yield number, line.strip()


def _locations(file: str, text: str, outline: Outline) -> None:
    for line, content in _lines(text):
        if not outline.room(file, line, outline.cities):
            return
        name, mark, rest = content.partition(";")
        if mark and not one_name(name):
            outline.say(file, line, worded("left out: {content}, expected a place", content=quoted(content)))
            continue
        if mark and rest.strip():
            outline.say(file, line, worded("only the place is read, not {content}", content=quoted(rest.strip())))
        _add_place(file, line, one_name(name), None, outline)


def _add_place(file: str, line: int, name: str, point: Point | None, outline: Outline) -> None:
    if name in outline.cities:
        outline.say(file, line, worded("{name} twice; it was left out", name=quoted(name)))
    outline.cities.setdefault(name, point)


def _paths(file: str, text: str, outline: Outline) -> None:
    for line, content in _lines(text):
        if not outline.room(file, line, outline.routes):
            return
        parts = [one_name(part) for part in content.split(";")]
        if len(parts) != 4 or not parts[0] or not parts[1]:
            message = worded("left out: {content}, expected place; place; length; colour", content=quoted(content))
            outline.reasons.append(Fault(file, line, message))
            continue
        a, b, length, colour = parts
        cells = {"city_a": outline.place(file, line, a), "city_b": outline.place(file, line, b), "length": length}
        outline.routes.append(cells | {"colour": colour_of(colour)})


def _tasks(file: str, text: str, outline: Outline) -> None:
    for line, content in _lines(text):
        if not outline.room(file, line, outline.tickets):
            return
        parts = [one_name(part) for part in content.split(";")]
        if len(parts) < 2 or not parts[0] or not parts[1]:
            outline.reasons.append(
                Fault(file, line, worded("left out: {content}, expected place; place", content=quoted(content)))
            )
            continue
        cells = {"city_a": outline.place(file, line, parts[0]), "city_b": outline.place(file, line, parts[1])}
        outline.tickets.append(cells | {"value": parts[2] if len(parts) > 2 else ""})


# ------------------------------------------------------------------------------------------------ projects


def _project(file: str, text: str, outline: Outline) -> None:
    try:
        graph = json.loads(text)["particle_graph"]
        particles, tasks = graph["particles"], graph.get("tasks") or []
        if not isinstance(particles, list) or not isinstance(tasks, list):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        outline.reasons.append(
            Fault(file, 0, worded('is not a project: expected JSON with "particle_graph" and its "particles"'))
        )
        return
    nameless = endless = others = 0
    lines: dict[frozenset[str], list[_Space]] = {}
    for particle in particles:
        kind = particle.get("particle_type") if isinstance(particle, dict) else None
        if kind == "Particle_Node":
            name = one_name(particle["location_name"]) if isinstance(particle.get("location_name"), str) else ""
            nameless += not name
            if name and outline.room(file, 0, outline.cities):
                _add_place(file, 0, name, _point(particle.get("position")), outline)
        elif kind == "Particle_Edge":
            space = _space(particle)
            endless += space is None
            if space is not None:
                lines.setdefault(frozenset((space.a, space.b)), []).append(space)
        elif kind != "Particle_Label":  # what is written beside a place
            others += 1
    for spaces in lines.values():
        for length, colour in _routes_of(file, spaces, outline):
            if outline.room(file, 0, outline.routes):
                a, b = (outline.place(file, 0, end) for end in (spaces[0].a, spaces[0].b))
                outline.routes.append({"city_a": a, "city_b": b, "length": str(length), "colour": colour})
    outline.say_nameless(file, nameless)
    if endless:
        outline.say(file, 0, worded("spaces of routes without two places are left out: {count}", count=endless))
    if others:
        outline.say(
            file, 0, worded("entries that are neither places nor spaces of routes are left out: {count}", count=others)
        )
    for task in tasks:
        _project_task(file, task, outline)


@dataclass(frozen=True)
class _Space:
    """A space of a line between two places."""

    a: str
    b: str
    index: int | None  # along its line, from either end, if the project says so
    connection: str  # which of several lines, if the project says so
    colour: str
    point: Point | None


def _space(edge: Mapping[str, object]) -> _Space | None:
    a, b = edge.get("location_1_name"), edge.get("location_2_name")
    if not (isinstance(a, str) and isinstance(b, str) and one_name(a) and one_name(b)):
        return None
    index = _whole(edge.get("path_index"))
    colour = str(edge.get("color", ""))[:40]
    return _Space(
        one_name(a),
        one_name(b),
        index if index is not None and 0 <= index < MAX_ROWS else None,
        str(edge.get("connection_index", 0))[:20],
        colour,
        _point(edge.get("position")),
    )


def _routes_of(file: str, spaces: Sequence[_Space], outline: Outline) -> list[tuple[int, str]]:
    """Return length and colour of every line between two places, from all spaces between them.

    Neither the order of the ends nor the number of the connection can be relied on: some versions give two lines one
    number, and turn the ends of a line round from its second space on. Lines differ by colour; of one colour there are
    as many as spaces have the same place along the line.
    """
    name = "–".join((spaces[0].a, spaces[0].b))
    if any(space.index is None for space in spaces):
        outline.say(
            file, 0, worded("{name}: spaces without a place along the line are put one after the other", name=name)
        )
        spaces = _numbered(spaces)
    colours = dict.fromkeys(space.colour for space in spaces)
    groups = [[space for space in spaces if space.colour == colour] for colour in colours]
    places = sorted(space.index or 0 for space in spaces)
    if len(groups) > 1 and places == list(range(len(spaces))):  # one line in several colours
        most = Counter(space.colour for space in spaces).most_common(1)[0][0]
        message = worded(
            "{name} has spaces of several colours; it is read as one line of {count}", name=name, count=len(spaces)
        )
        outline.say(file, 0, message)
        return [(len(spaces), _told_colour(file, name, most, outline))]
    routes: list[tuple[int, str]] = []
    for group in groups:
        colour = _told_colour(file, name, group[0].colour, outline)
        routes += [(length, colour) for length in _lengths(group)]
        if not _is_plain(group, outline.cities):
            lengths = tuple(str(length) for length in _lengths(group))
            message = worded(
                "{name}: the spaces of one colour can be read in several ways; they are read as lines of {lengths}",
                name=name,
                lengths=lengths,
            )
            outline.say(file, 0, message)
    if len({length for length, _ in routes}) > 1:
        lengths = tuple(str(length) for length, _ in routes)
        outline.say(file, 0, worded("{name} has lines of different lengths: {lengths}", name=name, lengths=lengths))
    return routes


def _numbered(spaces: Sequence[_Space]) -> list[_Space]:
    """Return the spaces with places along their lines: those that have none one after the other."""
    counts: Counter[tuple[str, str]] = Counter()
    numbered = []
    for space in spaces:
        line = space.connection, space.colour
        numbered.append(space if space.index is not None else replace(space, index=counts[line]))
        counts[line] += 1
    return numbered


def _lengths(group: Sequence[_Space]) -> list[int]:
    """Return the lengths of the lines of one colour: those that the project numbers, else as many as share a place."""
    lengths = []
    for connection in dict.fromkeys(space.connection for space in group):
        counts = Counter(space.index for space in group if space.connection == connection)
        lengths += [sum(count > line for count in counts.values()) for line in range(max(counts.values()))]
    return lengths


def _is_plain(group: Sequence[_Space], cities: Mapping[str, Point | None]) -> bool:
    """Return whether every line has a space at each of its places, and the drawing does not show another number of
    lines.
    """
    lengths = _lengths(group)
    counts = Counter(space.index for space in group)
    if len(set(lengths)) > 1 or set(counts) != set(range(lengths[0])):
        return False
    a, b = cities.get(group[0].a), cities.get(group[0].b)
    points = [space.point for space in group]
    if a is None or b is None or None in points or len(group) == 1 or a == b:
        return True
    far = hypot(b[0] - a[0], b[1] - a[1])
    along = sorted(((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / far**2 for x, y in filter(None, points))
    step = (along[-1] - along[0]) / max(lengths[0] - 1, 1)
    if lengths[0] == 1:  # lines of one space lie side by side, not one after the other
        return step < 0.5
    ranks = 1 + sum(after - before > step / 2 for before, after in pairwise(along))
    return len(lengths) == 1 or ranks == lengths[0]


def _told_colour(file: str, name: str, text: str, outline: Outline) -> str:
    """Return a colour in our words; for one that is given by its parts, what it is taken for."""
    colour = colour_of(text)
    if text.startswith("#"):
        outline.say(
            file,
            0,
            worded("{name}: the colour {text} is read as {colour}", name=name, text=text, colour=Term(colour)),
        )
    return colour


def _positions(file: str, text: str, outline: Outline) -> None:
    """Set where the places are, as another editor writes it beside the text files: upwards, as in the map generator."""
    try:
        positions = json.loads(text)["positions"].items()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        outline.say(file, 0, worded('is left out: expected JSON with "positions", a place and its x and y'))
        return
    for name, where in positions:
        point, place = _point(where), one_name(name)
        if place in outline.cities and point is not None:
            outline.cities[place] = point
            outline.drawn = True
        else:
            outline.say(file, 0, worded("the position of {name} is left out", name=quoted(place)))


def _point(value: object) -> Point | None:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(number) in (int, float) and abs(number) < 1e9 for number in value)
    ):
        return float(value[0]), float(value[1])
    return None


def _project_task(file: str, task: Any, outline: Outline) -> None:
    places = task.get("node_names") if isinstance(task, dict) else None
    if (
        not isinstance(places, list)
        or len(places) < 2
        or not all(isinstance(name, str) and one_name(name) for name in places)
    ):
        outline.reasons.append(Fault(file, 0, worded('a task is left out: expected two or more "node_names"')))
        return
    if not outline.room(file, 0, outline.tickets if len(places) == 2 else outline.tours):
        return
    names = [outline.place(file, 0, one_name(name)) for name in places[:20]]
    way = "–".join(names)
    points, bonus, penalty = (
        _points(file, way, task.get(key), outline) for key in ("points", "points_bonus", "points_penalty")
    )
    if len(names) == 2:
        outline.tickets.append({"city_a": names[0], "city_b": names[1], "value": str(points or "")})
        return
    values = {"value_in_order": str(points + bonus), "value_any_order": str(points), "penalty": str(abs(penalty))}
    outline.tours.append({"cities": ">".join(names)} | values)


def _points(file: str, way: str, value: object, outline: Outline) -> int:
    """Return the points of a task; report what is not a whole number, and count it as none."""
    points = _whole(value)
    if points is None or abs(points) >= 10_000:
        if value is not None:
            message = worded(
                "{name}: points that are not whole numbers are left out: {text}", name=way, text=quoted(str(value))
            )
            outline.say(file, 0, message)
        return 0
    return points


def _whole(value: object) -> int | None:
    """Return a whole number, even if written as text or with a decimal point, or None."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}(\.0+)?\s*", value):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


# ------------------------------------------------------------------------------------------------ writing


def write(draft: Draft) -> dict[str, str]:
    """Return the three text files of a draft; what the format does not know (kinds, rules, positions) is lost.

    Raise `DraftError` for a name with a semicolon, which the format cannot hold.
    """
    cities = [row.get("name", "") for row in draft["cities"].values()]
    for name in cities:
        if ";" in name:
            raise DraftError(
                worded("{name}: the text format has no way to write a semicolon in a name", name=quoted(name))
            )
    routes = [[row.get(column, "") for column in TABLES["routes"].needed] for row in draft["routes"].values()]
    tickets = [[row.get(column, "") for column in TABLES["tickets"].needed] for row in draft["tickets"].values()]
    return {
        LOCATIONS: "".join(f"{name}\n" for name in cities if name),
        PATHS: "".join(f"{SEPARATOR.join(parts)}\n" for parts in routes if all(parts)),
        TASKS: "".join(f"{SEPARATOR.join(part for part in parts if part)}\n" for parts in tickets if all(parts[:2])),
    }
