"""Events as they are kept in the log: short JSON, read back on the same board."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields

from branchline.boards import Board
from branchline.game import Event
from branchline.plain_data import JsonObject

_PLAIN = {field.name: field.default for field in fields(Event) if field.name not in ("kind", "seat", "route", "place")}


def write_events(events: Iterable[Event]) -> str:
    """Return events as JSON text without fields at their defaults."""
    return json.dumps([_table(event) for event in events], ensure_ascii=False, separators=(",", ":"))


def read_events(board: Board, text: str) -> tuple[Event, ...]:
    """Return the same events."""
    return tuple(_event(board, table) for table in json.loads(text))


def _table(event: Event) -> JsonObject:
    table: JsonObject = {"kind": event.kind, "seat": event.seat}
    if event.route is not None:
        table["route"] = event.route.index
    if event.place is not None:
        table["place"] = event.place.index
    for name, default in _PLAIN.items():
        value = getattr(event, name)
        if value != default:
            table[name] = value
    return table


def _event(board: Board, table: JsonObject) -> Event:
    route, place = table.get("route"), table.get("place")
    plain: JsonObject = {name: table.get(name, default) for name, default in _PLAIN.items()}
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    plain["route"] = None if route is None else board.routes[route]
    plain["place"] = None if place is None else board.places[place]
    return Event(table["kind"], table["seat"], **plain)
