"""What the JSON API answers: boards, events, positions and scores in words, as plain data."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping
from typing import Any

from branchline.boards import Board, Place, Route, Ticket
from branchline.game import Event, Scores, View
from branchline.plain_data import JsonObject
from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.rooms.room import ACTION, OVER, Room


def state_json(room: Room, viewer: Viewer, seen: int | None) -> JsonObject:
    """Return what a viewer of a room knows of its game, as one of their seats or, with None, as the public."""
    game, view = room.perspective(seen)
    return {
        "room": room.id,
        "version": room.version_for(viewer.mine),
        "seat": seen,
        "over": room.row.status == OVER,
        "view": view_json(view),
        "scores": scores_json(game.sheet()) if room.row.status == OVER else None,
        "bytes": base64.b64encode(game.state_bytes).decode(),
    }


def legal_json(room: Room, viewer: Viewer, seen: int | None, asked: bool) -> JsonObject:
    """Return the question and, if the seat is `asked`, the actions that answer it."""
    game, view = room.perspective(seen)
    return {
        "version": room.version_for(viewer.mine),
        "seat": seen,
        "question": view.question.kind,
        "actions": [{"number": int(action), "text": action.text} for action in (game.legal if asked else ())],
    }


def events_since(room: Room, viewer: Viewer, since: int) -> list[JsonObject]:
    """Return what a viewer saw after one of their versions."""
    own = frozenset(viewer.mine)
    version, late = 0, set()
    for row in room.log:
        version += not row.quiet or row.seat in own
        if version > since:
            late.add(row.n)
    counted = {step.row.n: step for step in room.steps}
    happened = []
    for row in room.log:
        if row.n not in late or (row.quiet and row.seat not in own):
            continue
        if row.n in counted:
            for event in counted[row.n].events:
                seen = event if event.seat in own else event.for_seat(None)
                happened.append(event_json(seen))
        elif row.kind != ACTION:
            happened.append({"kind": row.kind, "seat": row.seat, "text": row.kind})
    return happened


def event_json(event: Event) -> JsonObject:
    """Return an event as a JSON object without empty fields."""
    data: JsonObject = {"kind": event.kind, "seat": event.seat, "text": event.text}
    if event.route is not None:
        data["route"] = event.route.index
    if event.place is not None:
        data["place"] = event.place.name
    for name in ("cards", "count", "points", "word", "secret", "slots", "laid", "by_deck"):
        value = getattr(event, name)
        if value:
            data[name] = list(value) if isinstance(value, tuple) else value
    return data


def player_json(table: Mapping[str, Any]) -> JsonObject:
    """Return a player at a table as everybody sees them."""
    return {name: value for name, value in table.items() if name not in ("mine",)}


def board_json(board: Board) -> JsonObject:
    """Return places, routes and tickets of a board."""
    return {
        "id": board.id,
        "title": board.title,
        "seats": list(board.seats),
        "rules_version": board.rules_version,
        "digest": board.digest,
        "places": [
            {"name": place.name, "kind": place.kind, "lat": place.lat, "lon": place.lon} for place in board.places
        ],
        "routes": [_route_json(route) for route in board.routes],
        "tickets": [_ticket_json(ticket) for ticket in board.tickets],
    }


def _route_json(route: Route) -> JsonObject:
    names = ("index", "length", "price", "colour", "kind", "wilds", "pairs", "parallel")
    return {"a": route.a.name, "b": route.b.name} | {name: getattr(route, name) for name in names}


def _ticket_json(ticket: Ticket) -> JsonObject:
    return {
        "index": ticket.index,
        "name": ticket.name,
        "places": [place.name for place in ticket.places],
        "value": ticket.value,
        "deck": ticket.deck,
    }


def view_json(view: View) -> JsonObject:
    """Return a view as plain JSON: routes as their numbers, places as their names, tickets in full."""
    data: JsonObject = _json({field.name: getattr(view, field.name) for field in dataclasses.fields(view)})
    return data


def scores_json(scores: Scores) -> JsonObject:
    """Return the sheet as plain JSON."""
    data: JsonObject = _json(scores)
    return data


def _json(value: Any) -> Any:
    if isinstance(value, Route):
        return value.index
    if isinstance(value, Place):
        return value.name
    if isinstance(value, Ticket):
        return _ticket_json(value)
    if dataclasses.is_dataclass(value):
        return {field.name: _json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key.name if isinstance(key, Place) else str(key): _json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_json(item) for item in value]
    return value
