"""Boards of other programs as JSON: a list of places and a list of lines between them, whatever the keys are called.

And what a JSON file is, where it is no board at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from branchline.boards.backdrop import feature_fault
from branchline.boards.faults import quoted, shown
from branchline.boards.names import plain
from branchline.boards.wording import Message, worded
from branchline.workshop.globe import Point
from branchline.workshop.headings import cell_of, column_of
from branchline.workshop.outline import Outline, one_name

_PLACES = ("cities", "stops", "places", "locations", "stations", "towns", "nodes", "vertices")
_ROUTES = ("routes", "connections", "paths", "links", "edges", "tracks", "lines")
_TICKETS = ("tickets", "destinationtickets", "missions", "tasks", "destinations")
_INNER = ("data", "attributes", "properties")  # objects in which programs for graphs keep what is said of each
_DEPTH = 3  # objects in objects in which the lists are looked for
_SHAPES = ("FeatureCollection", "Feature", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString")

Table = Mapping[str, Any]


UNREADABLE = object()
"""In place of the value of a text that is not JSON; `null` is."""


def parsed(text: str) -> object:
    """Return the value of JSON text; `UNREADABLE` where it is none."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return UNREADABLE


def _refuse(word: str) -> None:
    raise ValueError(word)


def is_backdrop(value: object) -> bool:
    """Return whether it is GeoJSON of which something can be drawn beneath a board."""
    features = value.get("features") if isinstance(value, dict) else None
    return isinstance(features, list) and any(not feature_fault(one) for one in features)


def what_it_is(value: object) -> Message:
    """Return what a JSON file is that is no board, to follow its name, and what to do with it where that is known."""
    if value is UNREADABLE:
        return worded("is not JSON")
    if not isinstance(value, dict):
        return worded(
            "holds only {value}: expected an object with a list of places, as in {places}, and a list of routes, as in "
            "{routes}",
            value="null" if value is None else shown(value),
            places=quoted("cities"),
            routes=quoted("routes"),
        )
    if "branchline_record" in value:
        return worded("is a recorded game, not a board; see `branchline replay`")
    if "edition" in value and ("seats" in value or "players" in value):
        return worded("is a position, not a board; see `branchline score`")
    if value.get("type") == "Topology":
        return worded("is TopoJSON; convert it to GeoJSON")
    if value.get("type") in _SHAPES or isinstance(value.get("features"), list):
        return worded(
            'is GeoJSON without a feature that can be drawn: each needs a "kind" in its "properties", such as land'
        )
    if "positions" in value:
        return worded("holds positions of places, but no routes")
    return worded(
        "is a different kind of JSON: expected a list of places, as in {places}, and a list of routes, as in {routes}",
        places=quoted("cities"),
        routes=quoted("routes"),
    )


def is_board(value: object) -> bool:
    """Return whether it holds a list of places and one of the routes between them."""
    return bool(_board_in(value))


def _board_in(value: object, depth: int = 0) -> Table:
    """Return the object with both lists, wherever it is."""
    if not isinstance(value, dict) or depth > _DEPTH:
        return {}
    if _list(value, _PLACES) and _list(value, _ROUTES):
        return value
    return next((found for one in list(value.values())[:50] if (found := _board_in(one, depth + 1))), {})


def _list(table: Table, names: tuple[str, ...]) -> list[Any]:
    """Return the list under one of these keys; an object of objects is a list of these with their keys as ids and
    names.
    """
    by_key = {plain(key): one for key, one in table.items()}
    for name in names:
        found = by_key.get(name)
        if isinstance(found, dict):
            found = [{"id": key, "name": key, **one} for key, one in found.items() if isinstance(one, dict)]
        if isinstance(found, list) and found and all(isinstance(one, dict | str) for one in found):
            return found
    return []


def read(file: str, value: object) -> tuple[Outline, str]:
    """Return the board of another program, as far as it goes, and its title."""
    board = _board_in(value)
    found = Outline(upwards=False, drawn=True)
    names: dict[str, str] = {}  # id or name → name
    degrees = nameless = named = unread = 0
    for one in _list(board, _PLACES):
        table: Table = one if isinstance(one, dict) else {"name": one}
        cells = _cells("cities", table)
        name = one_name(cells.get("name", "") or cells.get("id", ""))
        nameless += not name
        named += "name" in cells
        if not name or not found.room(file, 0, found.cities):
            continue
        if name in found.cities:
            found.say(file, 0, worded("{name} twice; it was left out", name=quoted(name)))
            continue
        for key in (cells.get("id", ""), name):
            if key:
                names.setdefault(key, name)
        degrees += "lat" in cells and "lon" in cells
        found.cities[name] = _point(table, cells)
        if cells.get("kind") in ("waypoint", "country"):
            found.kinds[name] = cells["kind"]
    found.upwards = degrees == len(found.cities)  # x is the longitude then, and y the latitude
    found.say_nameless(file, nameless)
    if found.cities and not named:
        found.say(file, 0, worded("no names of places are found; their ids are used"))
    for one in _list(board, _ROUTES):
        unread += not isinstance(one, dict)
        for cells in _lines(one, names):
            if _ends(file, "routes", cells, names, found) and found.room(file, 0, found.routes):
                found.routes.append(cells)
    for one in _list(board, _TICKETS):
        unread += not isinstance(one, dict)
        if not isinstance(one, dict):
            continue
        cells = _cells("tickets", one)
        cells = {column: cells[column] for column in ("city_a", "city_b", "value") if column in cells}
        if _ends(file, "tickets", cells, names, found) and found.room(file, 0, found.tickets):
            found.tickets.append(cells)
    if unread:
        said = worded("routes and tickets that are not objects with their own keys are left out: {count}", count=unread)
        found.say(file, 0, said)
    titles = [board.get(key) for key in ("title", "name") if isinstance(board.get(key), str)]
    return found, str(titles[0]) if titles else ""


def _cells(table: str, said: Table) -> dict[str, str]:
    """Return an object as a row of a table."""
    cells: dict[str, str] = {}
    inner = [one for key in _INNER if isinstance(one := said.get(key), dict)]
    pairs = [pair for one in (said, *inner) for pair in list(one.items())[:60]]
    source = next((one["source"] for one in (said, *inner) if "source" in one and "target" in one), None)
    if source is not None:
        pairs = [("from", source), *pairs]
    for key, value in pairs:
        column = "id" if plain(key) in ("id", "key") else column_of(table, key)
        if column in ("city_a", "city_b") and isinstance(value, list | tuple) and len(value) == 2:
            cells |= {"city_a": _word(value[0]), "city_b": _word(value[1])}
        elif column and (text := _word(value)):
            cells.setdefault(column, cell_of(table, column, text))
    return cells


def _word(value: object) -> str:
    """Return a plain value as text, or an object's id or name."""
    if isinstance(value, dict):
        return next((_word(value[key]) for key in ("id", "name") if key in value), "")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return one_name(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _point(table: Table, cells: Mapping[str, str]) -> Point | None:
    """Return the position of a place: longitude and latitude, or x and y, beside its name or in an object or list of
    their own.
    """
    for where in (cells, *(_cells("cities", one) for one in table.values() if isinstance(one, dict))):
        for x, y in (("lon", "lat"), ("x", "y")):
            try:
                return float(where[x]), float(where[y])
            except (KeyError, ValueError):
                continue
    for key in ("position", "pos", "coordinates", "coords", "xy"):
        said = table.get(key)
        if isinstance(said, list) and len(said) == 2 and all(type(one) in (int, float) for one in said):
            return float(said[0]), float(said[1])
    return None


def _lines(one: object, names: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the routes that an object stands for: one for each colour in a list of colours."""
    if not isinstance(one, dict):
        return
    cells = _cells("routes", one)
    kept: dict[str, str] = {
        column: cells[column] for column in ("city_a", "city_b", "length", "kind", "wilds") if column in cells
    }
    if kept.get("wilds") == "0":
        del kept["wilds"]
    if kept.get("kind") not in ("tunnel", "ferry", "sea", "tram", "subway"):
        kept.pop("kind", None)
    many = next((value for key, value in one.items() if plain(key) in ("colours", "colors")), None)
    colours = [_word(colour) for colour in many] if isinstance(many, list) else [cells.get("colour", "")]
    for colour in colours:
        yield {**kept, "colour": cell_of("routes", "colour", colour or "gray")}


def _ends(file: str, table: str, cells: dict[str, str], names: Mapping[str, str], found: Outline) -> bool:
    """Put the names of the places for what the object has; say so where one is not there."""
    for column in ("city_a", "city_b"):
        name = names.get(cells.get(column, ""))
        if name is None:
            said = quoted(cells.get(column, ""))
            route = worded("a route is left out: there is no place {name}", name=said)
            ticket = worded("a ticket is left out: there is no place {name}", name=said)
            found.say(file, 0, ticket if table == "tickets" else route)
            return False
        cells[column] = name
    return True
