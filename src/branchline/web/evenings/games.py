"""Evenings: games of real tables taken together, with a rating of those who played, by their names.

A browser keeps them; names are as people typed them, and one who is written alike is one person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean

from branchline.csv_table import Cell, for_people
from branchline.teaching import rating
from branchline.teaching.rating import Rating
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.store import evenings
from branchline.web.core.store.database import Store
from branchline.web.core.store.evenings import EveningRow
from branchline.web.core.visit import Visit
from branchline.web.evenings.page import Evening, EveningsContext, EveningSeat, Person

# ---------------------------------------------------------------------------------------------------- reading


def context_of(store: Store, visit: Visit, key: str) -> EveningsContext:
    """Return all evenings of a browser, and the results of those who played."""
    rows = evenings.of_key(store, key)
    left = evenings.rooms_left(store, {row.room for row in rows if row.room})
    kept = [replace(evening, room=evening.room if evening.room in left else "") for evening in map(_evening, rows)]
    return EveningsContext(visit, {board.id: board for board in offered_boards()}, tuple(kept), people(kept))


def _evening(row: EveningRow) -> Evening:
    seats = [EveningSeat(**seat) for seat in json.loads(row.result)]
    return Evening(row.id, row.board, row.at, tuple(seats), row.room)


def people(every: Sequence[Evening]) -> tuple[Person, ...]:
    """Return who played, with the best rated first. An evening is one result against each of the others."""
    known: dict[str, Rating] = {}
    played: dict[str, list[EveningSeat]] = {}
    for evening in sorted(every, key=lambda evening: evening.at):
        before = {_person(seat.name): known.get(_person(seat.name), Rating()) for seat in evening.seats}
        for seat in evening.seats:
            played.setdefault(_person(seat.name), []).append(seat)
            others = [
                (
                    before[_person(opponent.name)],
                    0.5 if seat.place == opponent.place else float(seat.place < opponent.place),
                )
                for opponent in evening.seats
                if _person(opponent.name) != _person(seat.name)
            ]
            known[_person(seat.name)] = rating.updated(before[_person(seat.name)], others)
    persons = [_of_person(seats, known[name]) for name, seats in played.items()]
    return tuple(sorted(persons, key=lambda person: (-person.rating, person.name)))


def _person(name: str) -> str:
    return " ".join(name.casefold().split())


def _of_person(seats: Sequence[EveningSeat], now: Rating) -> Person:
    won, points = sum(seat.won for seat in seats), fmean(seat.total for seat in seats)
    return Person(seats[-1].name, len(seats), won, points, max(seat.total for seat in seats), now.rating, now.deviation)


# ---------------------------------------------------------------------------------------------------- files


def as_json(store: Store, key: str) -> str:
    """Return all evenings as JSON: positions as `branchline score` reads them, and results."""
    rows = evenings.of_key(store, key)
    games = [
        {"at": _moment(row.at), "position": json.loads(row.position), "result": json.loads(row.result)} for row in rows
    ]
    return json.dumps({"branchline_evenings": 1, "evenings": games}, ensure_ascii=False, indent=1)


def as_csv(store: Store, key: str, language: str) -> str:
    """Return all evenings as a table, with a line for each player and a column for each source of points.

    `language`: the reader's, see `csv_table`.
    """
    kept = [_evening(row) for row in evenings.of_key(store, key)]
    sources = sorted({source for evening in kept for seat in evening.seats for source in seat.points})
    return for_people(language, ["at", "board", "name", "place", "won", "total", *sources], _lines(kept, sources))


def _lines(evenings_kept: Iterable[Evening], sources: Sequence[str]) -> Iterable[list[Cell]]:
    for evening in evenings_kept:
        for seat in evening.seats:
            points = [seat.points.get(source, 0) for source in sources]
            yield [_moment(evening.at), evening.board, seat.name, seat.place, seat.won, seat.total, *points]


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
