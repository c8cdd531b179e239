"""What the store keeps for a person: read for the file, and written from one, all of it or nothing."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from branchline.plain_data import JsonObject
from branchline.web.core.rooms import seats as seating
from branchline.web.core.rooms.ids import LENGTH, LETTERS
from branchline.web.core.rooms.own_games import OwnGame, course
from branchline.web.core.store import tables
from branchline.web.core.store.database import Store
from branchline.web.core.store.evenings import EveningRow
from branchline.web.core.store.rows import (
    Attempt,
    LogRow,
    Mistake,
    PuzzleRating,
    RoomRow,
    SeatRow,
    Snapshot,
)


@dataclass(frozen=True)
class OwnThings:
    """All that the store keeps for a person, without the drafts of the workshop, which belong to their links."""

    games: tuple[OwnGame, ...]
    boards: Mapping[str, Mapping[str, str]]  # what rooms call a board that is no edition → its files
    mistakes: Mapping[str, tuple[Mistake, ...]]  # by room, those that were answered
    evenings: tuple[EveningRow, ...]
    lessons: Mapping[str, float]  # name → when it was done
    attempts: tuple[Attempt, ...]
    rating: PuzzleRating | None


# ---------------------------------------------------------------------------------------------------- reading


def games_of(store: Store, key: str) -> tuple[OwnGame, ...]:
    """Return the games of a person, the oldest first."""
    with store.engine.connect() as connection:
        return _games_of(connection, key)


def _games_of(connection: Connection, key: str) -> tuple[OwnGame, ...]:
    rooms, keys, log = tables.rooms, tables.keys, tables.actions
    held = sa.select(keys.c.room).where(keys.c.hash == key)
    mine = rooms.c.guide == "", rooms.c.id.in_(held)
    opened: dict[str, list[int]] = {}
    for room, seat in connection.execute(sa.select(keys.c.room, keys.c.seat).where(keys.c.hash == key)):
        opened.setdefault(room, []).append(seat)
    found = [RoomRow(**row._mapping) for row in connection.execute(sa.select(rooms).where(*mine))]
    own = {row.id: row for row in found if row.host == key or max(opened[row.id]) >= 0}
    sitting: dict[str, list[SeatRow]] = {room: [] for room in own}
    played: dict[str, list[LogRow]] = {room: [] for room in own}
    names = list(own)
    for first in range(0, len(names), 200):
        batch = names[first : first + 200]
        seats = sa.select(tables.seats).where(tables.seats.c.room.in_(batch)).order_by(tables.seats.c.seat)
        for row in connection.execute(seats):
            sitting[row.room].append(SeatRow(**_without(row, "room")))
        for row in connection.execute(sa.select(log).where(log.c.room.in_(batch)).order_by(log.c.n)):
            played[row.room].append(LogRow(**_without(row, "room")))
    games = (
        OwnGame(row, tuple(sitting[room]), tuple(played[room]), tuple(n for n in sorted(opened[room]) if n >= 0))
        for room, row in own.items()
    )
    return tuple(sorted(games, key=lambda game: (game.row.created, game.row.id)))


def things_of(store: Store, key: str) -> OwnThings:
    """Return all that is kept of a person, with the games that may be taken along."""
    mistakes, lessons, attempts, ratings = (
        tables.mistakes, tables.lessons_done, tables.puzzle_attempts, tables.puzzle_ratings,
    )  # fmt: skip
    answered: dict[str, list[Mistake]] = {}
    with store.engine.connect() as connection, connection.begin():
        games = tuple(game for game in _games_of(connection, key) if game.portable)
        practised = sa.select(mistakes).where(mistakes.c.key == key, mistakes.c.answered > 0)
        for row in connection.execute(practised.order_by(mistakes.c.room, mistakes.c.step)):
            answered.setdefault(row.room, []).append(Mistake(**_without(row, "key", "room", "answers")))
        kept = sa.select(tables.evenings).where(tables.evenings.c.key == key)
        evenings = [EveningRow(*row) for row in connection.execute(kept.order_by(tables.evenings.c.at))]
        done = connection.execute(sa.select(lessons.c.lesson, lessons.c.at).where(lessons.c.key == key)).all()
        tried = connection.execute(sa.select(attempts).where(attempts.c.key == key).order_by(attempts.c.at)).all()
        rating = connection.execute(sa.select(ratings).where(ratings.c.of == key)).one_or_none()
        boards = _boards(connection, games)
    return OwnThings(
        games,
        boards,
        {room: tuple(rows) for room, rows in answered.items()},
        tuple(evenings),
        {row.lesson: row.at for row in done},
        tuple(Attempt(**_without(row, "key")) for row in tried),
        None if rating is None else PuzzleRating(**_without(rating, "of")),
    )


def draft(store: Store, id_: str) -> tuple[str, JsonObject] | None:
    """Return the title and the content of a board of the workshop."""
    of = tables.drafts.c
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(of.title, of.content).where(of.id == id_)).one_or_none()
    return None if row is None else (row.title, json.loads(row.content))


def _boards(connection: Connection, games: Iterable[OwnGame]) -> dict[str, dict[str, str]]:
    """Return the files of the boards that were kept, by what rooms call them."""
    found: dict[str, dict[str, str]] = {}
    for row in {(game.row.board, game.row.digest): game.row for game in games}.values():
        _, mark, files = row.board.rpartition("@")
        key = f"{row.digest}@{files}" if mark else row.digest
        text = connection.execute(sa.select(tables.boards.c.files).where(tables.boards.c.digest == key)).scalar()
        if text is not None:
            found[row.board] = json.loads(text)
    return found


def _without(row: sa.Row[tuple[object, ...]], *names: str) -> JsonObject:
    return {name: value for name, value in row._mapping.items() if name not in names}


# ---------------------------------------------------------------------------------------------------- writing


@dataclass(frozen=True)
class NewGame:
    """A game from a file, as it will be written."""

    called: str  # its id in the file
    own: OwnGame
    state: Snapshot
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True)
class NewDraft:
    """A board of the workshop from a file."""

    title: str
    content: str


@dataclass(frozen=True)
class NewThings:
    """All that a file brings, checked."""

    games: tuple[NewGame, ...] = ()
    here: Mapping[str, str] = field(default_factory=dict)  # games that are here already: id in the file → room
    boards: Mapping[str, str] = field(default_factory=dict)  # key of `boards` → files
    drafts: tuple[NewDraft, ...] = ()
    drafts_here: int = 0
    evenings: tuple[EveningRow, ...] = ()  # `room` is an id in the file
    lessons: Mapping[str, float] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    rating: PuzzleRating | None = None


@dataclass(frozen=True)
class Tally:
    """How many things of a kind came with a file."""

    new: int = 0
    here: int = 0  # there was nothing to do: they are here already


@dataclass(frozen=True)
class Added:
    """What became of a file."""

    games: Tally
    drafts: Tally
    evenings: Tally
    exercises: Tally  # lessons and puzzles
    new_drafts: tuple[tuple[str, str], ...] = ()  # id and title
    rooms: Mapping[str, str] = field(default_factory=dict)  # of games: id in the file → room


def add(store: Store, key: str, things: NewThings, now: float) -> Added:
    """Write what a file brings, all of it or nothing; what is here stays as it is.

    Raise `Conflict` if something was written meanwhile that was not known when the file was read.
    """
    with store.writing() as connection:
        _write_first(connection)
        for board, files in things.boards.items():
            if not _exists(connection, tables.boards.c.digest == board):
                connection.execute(tables.boards.insert().values(digest=board, files=files))
        rooms = dict(things.here)
        new = sum(_add_game(connection, key, game, rooms) for game in things.games)
        drafts = [_add_draft(connection, key, draft, now) for draft in things.drafts]
        evenings = [_add_evening(connection, key, evening, rooms) for evening in things.evenings]
        learned = [_add_lesson(connection, key, *lesson) for lesson in things.lessons.items()]
        learned += [_add_attempt(connection, key, attempt) for attempt in things.attempts]
        if things.rating and not _exists(connection, tables.puzzle_ratings.c.of == key):
            connection.execute(tables.puzzle_ratings.insert().values(of=key, **vars(things.rating)))
    return Added(
        games=Tally(new, len(things.here) + len(things.games) - new),
        drafts=_tally([*(id_ is not None for id_ in drafts), *[False] * things.drafts_here]),
        evenings=_tally(evenings),
        exercises=_tally(learned),
        new_drafts=tuple((id_, draft.title) for id_, draft in zip(drafts, things.drafts, strict=True) if id_),
        rooms=rooms,
    )


def _tally(new: Sequence[bool]) -> Tally:
    return Tally(sum(new), len(new) - sum(new))


def _write_first(connection: Connection) -> None:
    """Write something that changes nothing: who reads first in SQLite may find that another has written meanwhile."""
    secret = tables.shared_values.c.name == "secret"
    connection.execute(tables.shared_values.update().where(secret).values(value=tables.shared_values.c.value))


def _exists(connection: Connection, *where: sa.ColumnElement[bool]) -> bool:
    return connection.execute(sa.select(sa.literal(1)).where(*where).limit(1)).scalar() is not None


def _names(key: str, kind: str, content: str) -> Iterator[str]:
    """Yield ids for something from a file: for the same person and content the same ones, which nobody else guesses."""
    for n in itertools.count():
        drawn = hmac.new(key.encode(), f"{kind} {n} {content}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(drawn)
        yield "".join(LETTERS[number // len(LETTERS) ** at % len(LETTERS)] for at in range(LENGTH))


def _add_game(connection: Connection, key: str, game: NewGame, rooms: dict[str, str]) -> bool:
    """Write a game, unless it is here; note its room."""
    own, actions = game.own, game.own.actions
    for room in _names(key, "game", repr((own.set_up, actions))):
        if not _exists(connection, tables.rooms.c.id == room):
            break
        if course(_log(connection, room))[: len(actions)] == actions:
            rooms[game.called] = room
            return False
    rooms[game.called] = room
    connection.execute(tables.rooms.insert().values(**vars(own.row) | {"id": room}))
    _insert(connection, tables.seats, ({"room": room, **vars(seat)} for seat in own.seats))
    _insert(connection, tables.snapshots, [{"room": room, **vars(game.state)}])
    _insert(connection, tables.actions, ({"room": room, **vars(row)} for row in own.log))
    rights = own.mine or (seating.WATCH,)
    _insert(connection, tables.keys, ({"hash": key, "room": room, "seat": seat} for seat in rights))
    _insert(connection, tables.mistakes, ({"key": key, "room": room, "answers": "", **vars(m)} for m in game.mistakes))
    return True


def _log(connection: Connection, room: str) -> Iterator[LogRow]:
    log = tables.actions
    for row in connection.execute(sa.select(log).where(log.c.room == room).order_by(log.c.n)):
        yield LogRow(**_without(row, "room"))


def _insert(connection: Connection, table: sa.Table, rows: Iterable[JsonObject]) -> None:
    values = list(rows)
    if values:
        connection.execute(table.insert(), values)


def _add_draft(connection: Connection, key: str, draft: NewDraft, now: float) -> str | None:
    """Write a board of the workshop under an id of its own, or None if that is here already."""
    id_ = next(_names(key, "draft", draft.content))
    if _exists(connection, tables.drafts.c.id == id_):
        return None
    values = {"id": id_, "version": 0, "public": False, "created": now, "touched": now, **vars(draft)}
    connection.execute(tables.drafts.insert().values(values))
    return id_


def _add_evening(connection: Connection, key: str, evening: EveningRow, rooms: Mapping[str, str]) -> bool:
    """Write an evening; beside another one that has its name, under another name."""
    of, row = tables.evenings, replace(evening, key=key, room=rooms.get(evening.room, ""))
    for name in itertools.chain([row.id], _names(key, "evening", row.position)):
        query = sa.select(of.c.position).where(of.c.key == key, of.c.id == name)
        position = connection.execute(query).scalar()
        if position is None:
            connection.execute(of.insert().values(**vars(row) | {"id": name}))
            return True
        if json.loads(position) == json.loads(row.position):
            return False
    raise AssertionError  # there is no end of names


def _add_lesson(connection: Connection, key: str, lesson: str, at: float) -> bool:
    of = tables.lessons_done
    if _exists(connection, of.c.key == key, of.c.lesson == lesson):
        return False
    connection.execute(of.insert().values(key=key, lesson=lesson, at=at))
    return True


def _add_attempt(connection: Connection, key: str, attempt: Attempt) -> bool:
    """Note a puzzle as tried; one that was tried here keeps its first answer, and may have been solved there."""
    of = tables.puzzle_attempts
    here = of.c.key == key, of.c.puzzle == attempt.puzzle
    if not _exists(connection, *here):
        connection.execute(of.insert().values(key=key, **vars(attempt)))
        return True
    newly = attempt.solved and _exists(connection, *here, ~of.c.solved)
    if newly:
        connection.execute(of.update().where(*here).values(solved=True))
    return newly
