"""`routes.csv` and `exits.csv`: the lines between the places, parallel ones put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from branchline.boards.board import GRAY, Place, Route
from branchline.boards.columns import Exits, Routes
from branchline.boards.faults import FaultList
from branchline.boards.limits import MAX_LINES, MAX_ROUTES
from branchline.boards.places import known_place
from branchline.boards.rows import Row, read_table
from branchline.boards.wording import Term, worded

FILE = "routes.csv"
EXITS = "exits.csv"

Lines = dict[frozenset[str], list[tuple[Row, Route]]]  # the routes between two places, by these


def read_routes(
    folder: Path, places: Mapping[str, Place] | None, faults: FaultList, kinds_apart: bool = False
) -> list[tuple[Row, Route]]:
    """Return the routes with the rows they were read from. Without places only the other columns are checked.

    `kinds_apart`: lines of different kinds between two places are no parallel set.
    """
    rows = read_table(folder, FILE, Routes, MAX_ROUTES, faults)
    routes: list[tuple[Row, Route]] = []
    for row in rows or ():
        ends = _ends(row, places)
        route = _route(row, len(routes), ends)
        if row.sound and route is not None:
            routes.append((row, route))
    complete = all(row.sound for row in rows or ())
    return _with_exits(folder, _with_lines(routes, kinds_apart), places, faults, complete)


def _ends(row: Row, places: Mapping[str, Place] | None) -> tuple[Place, Place] | None:
    if places is None:
        return None
    a, b = (known_place(row, column, places) for column in ("city_a", "city_b"))
    if a is None or b is None:
        return None
    if a == b:
        row.wrong(worded("a route from {a} to itself", a=a))
    if places[a].kind == places[b].kind == "country":
        row.wrong(
            worded(
                "{a} and {b} are both countries; connections cannot pass through a country, so no route may join two",
                a=a,
                b=b,
            )
        )
    return places[a], places[b]


def _route(row: Row, index: int, ends: tuple[Place, Place] | None) -> Route | None:
    kind = Routes.kind.read(row)
    printed = Routes.length.read(row)
    length = 1 if kind == "subway" else printed
    wilds, pairs = Routes.wilds.read(row, up_to=printed), Routes.pairs.read(row, up_to=printed)
    if wilds and pairs:
        row.wrong(worded("has both wilds (a ferry) and pairs (difficult terrain), which cannot be combined"))
    elif wilds and kind != "ferry":
        row.wrong(worded("wilds belong to a ferry, this is a {kind} route", kind=Term(kind)))
    elif kind == "ferry" and not wilds and row.sound:
        row.wrong(worded("a ferry needs at least 1 in the column wilds"))
    elif pairs and kind != "rail":
        row.wrong(worded("pairs (difficult terrain) belong to a rail route, this is a {kind} route", kind=Term(kind)))
    route_colour = Routes.colour.read(row)
    wraps = Routes.wraps.read(row)
    if ends is None:
        return None
    return Route(index, *ends, length, printed + pairs, route_colour, kind, wilds, pairs, wraps=wraps)


def _with_lines(routes: list[tuple[Row, Route]], kinds_apart: bool) -> list[tuple[Row, Route]]:
    """Number the lines between two places and the parallel sets, and see that the lines of a set agree."""
    joining: Lines = {}
    for row, route in routes:
        joining.setdefault(frozenset((route.a.name, route.b.name)), []).append((row, route))
    sets: dict[tuple[frozenset[str], str], int] = {}
    numbered: dict[int, Route] = {}
    for ends, lines in joining.items():
        for line, (row, route) in enumerate(lines):
            _check_line(row, route, lines[:line], kinds_apart)
            number = sets.setdefault((ends, route.kind if kinds_apart else ""), len(sets))
            numbered[route.index] = replace(route, parallel=number, line=line, lines=len(lines))
    return [(row, numbered[route.index]) for row, route in routes]


def _check_line(row: Row, route: Route, before: list[tuple[Row, Route]], kinds_apart: bool) -> None:
    if len(before) >= MAX_LINES:
        row.wrong(worded("{name} has more than {most} parallel routes", name=route.name, most=MAX_LINES))
    parallel = [(other_row, other) for other_row, other in before if not kinds_apart or other.kind == route.kind]
    for field in ("kind", "points_row", "wilds", "pairs") if parallel else ():
        first_row, first = parallel[0]
        mine, theirs = getattr(route, field), getattr(first, field)
        if mine != theirs:
            column = "length" if field == "points_row" else field
            message = worded(
                "is parallel to line {line}, but its {column} is {mine} instead of {theirs}",
                line=first_row.line,
                column=Term(column),
                mine=_term(mine),
                theirs=_term(theirs),
            )
            row.wrong(message)
    for other_row, other in before:
        if route.colour == other.colour != GRAY:
            row.wrong(
                worded(
                    "{name} in {colour} twice, see line {line}",
                    name=route.name,
                    colour=Term(route.colour),
                    line=other_row.line,
                )
            )


def _term(value: str | int) -> str | int:
    return Term(value) if isinstance(value, str) else value


def _with_exits(
    folder: Path,
    routes: list[tuple[Row, Route]],
    places: Mapping[str, Place] | None,
    faults: FaultList,
    complete: bool,
) -> list[tuple[Row, Route]]:
    """Return the routes with the points on the map at which each of a country's routes may end."""
    rows = read_table(folder, EXITS, Exits, MAX_ROUTES, faults, optional=True)
    points: dict[tuple[str, str], tuple[float, float]] = {}
    for row in rows or ():
        point = Exits.lat.read(row), Exits.lon.read(row)
        names = [known_place(row, column, places) for column in ("country", "city")] if places is not None else []
        if places is None or None in names:
            continue
        country, city = str(names[0]), str(names[1])
        if places[country].kind != "country":
            row.wrong(
                worded("{country} is a {kind}, expected a country", country=country, kind=Term(places[country].kind))
            )
        elif (country, city) in points:
            row.wrong(worded("the exit {country}, {city} twice", country=country, city=city))
        elif complete and not any({route.a.name, route.b.name} == {country, city} for _, route in routes):
            row.wrong(worded("no route joins {country} and {city}", country=country, city=city))
        points[country, city] = point
    return [(row, _ending_at(route, points)) for row, route in routes]


def _ending_at(route: Route, points: Mapping[tuple[str, str], tuple[float, float]]) -> Route:
    a, b = route.a.name, route.b.name
    return replace(route, end_a=points.get((a, b)), end_b=points.get((b, a)))
