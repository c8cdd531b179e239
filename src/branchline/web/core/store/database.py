"""The store: every action is written here before anybody is shown it.

Rooms are kept as a log that only grows (`actions`), with the state itself beside the last steps (`snapshots`), so that
a server that is killed comes back to exactly where it was, whatever rules it is started with next. Two writers are
safe because the log has each number once: the second one gets `Conflict`, reloads and looks again. All functions here
block; `live` calls them in threads.
"""

from __future__ import annotations

import secrets
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPICursor

from branchline.plain_data import JsonObject
from branchline.web.core import metrics
from branchline.web.core.store import schema, tables
from branchline.web.core.store.prepared import StepStatements, transaction
from branchline.web.core.store.rows import Change, LogRow, RoomRow, SeatRow, Snapshot, Stored, TalkRow
from branchline.web.core.store.schema import StoreError

CHANNEL = "branchline_rooms"  # of PostgreSQL's notices
PATIENCE = {"connect_timeout": 5, "tcp_user_timeout": 10_000}  # with PostgreSQL that does not answer: s and ms
AWAY = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError)
"""What a database that is away raises; the last one: no connection was free."""

JOURNAL_SIZE = 1 << 20  # bytes that the journal keeps between transactions in a browser
# WAL wants memory that processes share, which browsers do not have. A journal that stays has room when all is full.
LASTING_JOURNAL = ("journal_mode=PERSIST", f"journal_size_limit={JOURNAL_SIZE}")
JOURNAL = LASTING_JOURNAL if sys.platform == "emscripten" else ("journal_mode=WAL",)
_CLOCK = "clock"  # name of the shared value
_MIGRATING = 0x6272616E  # PostgreSQL's lock while the tables are being made


class Conflict(Exception):  # noqa: N818  it is no error: somebody else was quicker
    """Somebody else has written to this room since it was read."""


class Store:
    """One database."""

    def __init__(self, url: str, connections: int = 4, *, upgrade: bool = True) -> None:
        """Open it, and bring its tables up to date; without `upgrade`, raise `StoreError` unless they are."""
        self.process = secrets.token_hex(8)  # who we are among the processes that share it
        self.engine = open_engine(url, connections)
        self.postgres = self.engine.dialect.name == "postgresql"
        self._step = StepStatements(self.engine)
        self.shared = True  # other processes may write to it too
        try:
            self._migrate() if upgrade else self._check()
        except (sa.exc.SQLAlchemyError, sqlite3.Error) as error:
            raise StoreError(f"the database {self.engine.url!r} cannot be used: {first_line(error)}") from None

    def _migrate(self) -> None:
        with self.engine.begin() as connection:
            if self.postgres:
                connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
            if schema.revision_of(connection) != schema.latest_revision():
                schema.check_known(connection)
                schema.move(connection, schema.LATEST)

    def _check(self) -> None:
        with self.engine.connect() as connection:
            schema.check_known(connection)
            if schema.revision_of(connection) != schema.latest_revision():
                raise StoreError(
                    f"the tables of the database {self.engine.url!r} are not up to date; "
                    "`branchline serve` brings them up to date"
                )

    def close(self) -> None:
        """Let all connections go."""
        self.engine.dispose()

    # ------------------------------------------------------------------------------------------------ reading

    def secret(self) -> bytes:
        """Return the secret that all processes share; create it if there is none."""
        return bytes.fromhex(self.shared_value("secret", secrets.token_hex(32)))

    def shared_value(self, name: str, otherwise: str) -> str:
        """Return a word that all processes share; `otherwise` becomes it if there is none yet."""
        query = sa.select(tables.shared_values.c.value).where(tables.shared_values.c.name == name)
        with self.engine.begin() as connection:
            value = connection.execute(query).scalar()
        if value is not None:
            return str(value)
        if self.insert_new(tables.shared_values, name=name, value=otherwise):
            return otherwise
        return self.shared_value(name, otherwise)

    def set_shared_value(self, name: str, value: str) -> None:
        """Give all processes another word."""
        self.shared_value(name, value)  # from now on there is one
        of = tables.shared_values
        with self.engine.begin() as connection:
            connection.execute(of.update().where(of.c.name == name).values(value=value))

    def kept_clock(self) -> float | None:
        """Return what the clock of the tables showed when a process noted it last, or None if none ever did."""
        with self.engine.connect() as connection:
            value = connection.execute(_kept_clock()).scalar()
        return None if value is None else float(value)

    def keep_clock(self, shown: float) -> float:
        """Note how far the clock of the tables is in this process; how far it is in the one that is furthest."""
        self.shared_value(_CLOCK, f"{shown:.3f}")  # from now on there is one, whoever was first
        of = tables.shared_values.c
        further = sa.case((sa.cast(of.value, sa.Double) < shown, f"{shown:.3f}"), else_=of.value)
        with self.engine.begin() as connection:
            connection.execute(tables.shared_values.update().where(of.name == _CLOCK).values(value=further))
            return float(connection.execute(_kept_clock()).scalar_one())

    def load(self, room: str, after: int = 0, heard: int = 0) -> Stored | None:
        """Return a room with the log after a row, the talk after another, and the snapshots that are kept.

        None: there is no such room.
        """
        with self.engine.connect() as connection:
            if self.postgres:  # all that follows as of one moment
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                row = connection.execute(sa.select(tables.rooms).where(tables.rooms.c.id == room)).one_or_none()
                if row is None:
                    return None
                seats = connection.execute(_of(tables.seats, room).order_by(tables.seats.c.seat)).all()
                log = connection.execute(
                    _of(tables.actions, room).where(tables.actions.c.n > after).order_by(tables.actions.c.n)
                ).all()
                states = connection.execute(_of(tables.snapshots, room).order_by(tables.snapshots.c.n)).all()
                talk = connection.execute(
                    _of(tables.talk, room).where(tables.talk.c.n > heard).order_by(tables.talk.c.n)
                ).all()
                again = connection.execute(sa.select(tables.rooms.c.id).where(tables.rooms.c.rematch_of == room))
                rematch = again.scalar() or ""
        return Stored(
            RoomRow(**row._mapping),
            tuple(SeatRow(**_without_room(row)) for row in seats),
            tuple(LogRow(**_without_room(row)) for row in log),
            tuple(Snapshot(**_without_room(row)) for row in states),
            rematch,
            tuple(TalkRow(**_without_room(row)) for row in talk),
        )

    def versions(self, ids: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Return for these rooms the version and when each was last touched."""
        columns = (tables.rooms.c.id, tables.rooms.c.version, tables.rooms.c.touched)
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(*columns).where(tables.rooms.c.id.in_(ids))).all()
        return {row.id: (row.version, row.touched) for row in rows}

    def due(self, now: float, at_most: int = 100) -> list[str]:
        """Return rooms in which something should have happened by now, with those that wait longest first."""
        query = sa.select(tables.rooms.c.id).where(tables.rooms.c.due_at <= now, tables.rooms.c.status == "playing")
        with self.engine.connect() as connection:
            return list(connection.execute(query.order_by(tables.rooms.c.due_at).limit(at_most)).scalars())

    def rights(self, room: str, key: str) -> tuple[int, ...]:
        """Return the seats that a key's hash opens in a room; -1 among them: it may watch."""
        query = sa.select(tables.keys.c.seat).where(tables.keys.c.room == room, tables.keys.c.hash == key)
        with self.engine.connect() as connection:
            return tuple(sorted(connection.execute(query).scalars()))

    def is_known(self, key: str) -> bool:
        """Return whether a key's hash opens anything."""
        keys = sa.select(tables.keys.c.room).where(tables.keys.c.hash == key)
        rooms = sa.select(tables.rooms.c.id).where(tables.rooms.c.host == key)
        with self.engine.connect() as connection:
            return any(connection.execute(query.limit(1)).scalar() is not None for query in (keys, rooms))

    def keys_of(self, room: str) -> list[tuple[str, int]]:
        """Return all keys of a room, as hash and seat."""
        query = sa.select(tables.keys.c.hash, tables.keys.c.seat).where(tables.keys.c.room == room)
        with self.engine.connect() as connection:
            return [(row.hash, row.seat) for row in connection.execute(query)]

    def analysis(self, room: str) -> str | None:
        """Return the analysis of a room's game, as JSON, or None."""
        with self.engine.connect() as connection:
            return connection.execute(sa.select(tables.analyses.c.found).where(tables.analyses.c.room == room)).scalar()

    def board(self, digest: str) -> str | None:
        """Return the files of a board that is played on, as JSON, or None if they are not kept."""
        query = sa.select(tables.boards.c.files).where(tables.boards.c.digest == digest)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def rematch_of(self, room: str) -> str:
        """Return the id of a room's rematch, or an empty text."""
        with self.engine.connect() as connection:
            id_ = connection.execute(sa.select(tables.rooms.c.id).where(tables.rooms.c.rematch_of == room))
            return str(id_.scalar() or "")

    def rooms_of(self, key: str, at_most: int = 50) -> list[tuple[RoomRow, tuple[SeatRow, ...], tuple[int, ...]]]:
        """Return the rooms in which a key opens a seat, with the seats, and which of them it opens; none with a
        guide.
        """
        mine = sa.select(tables.keys.c.room).where(tables.keys.c.hash == key, tables.keys.c.seat >= 0)
        rooms = sa.select(tables.rooms).where(tables.rooms.c.id.in_(mine), tables.rooms.c.guide == "")
        with self.engine.connect() as connection:
            rows = connection.execute(rooms.order_by(tables.rooms.c.touched.desc()).limit(at_most)).all()
            opened: dict[str, list[int]] = {}
            for room, seat in connection.execute(
                sa.select(tables.keys.c.room, tables.keys.c.seat).where(tables.keys.c.hash == key)
            ):
                opened.setdefault(room, []).append(seat)
            found = _with_seats(connection, rows)
        return [(room, seats, tuple(sorted(opened.get(room.id, ())))) for room, seats in found]

    def open_rooms(self, at_most: int = 30) -> list[tuple[RoomRow, tuple[SeatRow, ...]]]:
        """Return rooms that anybody may enter, the latest first."""
        query = sa.select(tables.rooms).where(tables.rooms.c.open, tables.rooms.c.status == "playing")
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(tables.rooms.c.touched.desc()).limit(at_most)).all()
            return _with_seats(connection, rows)

    # ------------------------------------------------------------------------------------------------ writing

    def create(
        self,
        room: RoomRow,
        seats: Iterable[SeatRow],
        snapshots: Iterable[Snapshot],
        keys: Iterable[tuple[str, int]],
        log: Iterable[LogRow] = (),
    ) -> None:
        """Create a new room. Raise `Conflict` if it is a rematch that exists already."""
        with self.writing() as connection:
            connection.execute(tables.rooms.insert().values(**_fields(room)))
            connection.execute(tables.seats.insert(), [{"room": room.id, **_fields(seat)} for seat in seats])
            connection.execute(
                tables.snapshots.insert(), [{"room": room.id, **_fields(snapshot)} for snapshot in snapshots]
            )
            held = [{"room": room.id, "hash": key, "seat": seat} for key, seat in keys]
            if held:
                connection.execute(tables.keys.insert(), held)
            rows = [{"room": room.id, **_fields(row)} for row in log]
            if rows:
                connection.execute(tables.actions.insert(), rows)

    def write(self, change: Change, expected: int) -> None:
        """Write one step of a room, completely or not at all.

        Raise `Conflict` when the room is no longer at `expected`.
        """
        self._write_together([(change, expected)])

    def write_all(self, steps: Sequence[tuple[Change, int]]) -> list[Exception | None]:
        """Write steps of different rooms in one transaction; return what went wrong with each, such as a `Conflict`.

        Each is whole or not at all. Where one cannot be written they are written one by one, so that it is in nobody
        else's way. A database that is away is an exception.
        """
        if len(steps) > 1:
            try:
                self._write_together(steps)
                return [None] * len(steps)
            except AWAY:
                raise
            except Exception:  # whatever it was, it comes again with the step that it belongs to
                pass
        return [self._error(change, expected) for change, expected in steps]

    def _error(self, change: Change, expected: int) -> Exception | None:
        try:
            self.write(change, expected)
        except AWAY:
            raise
        except Exception as error:
            return error
        return None

    def _write_together(self, steps: Sequence[tuple[Change, int]]) -> None:
        """Write each kind of row of all steps with one statement: it is worked out, and the thread changed, once."""
        step, changes = self._step, [change for change, _ in steps]
        with _conflicts(), transaction(self.engine) as cursor:
            rows = [{"room": change.room.id, **vars(row)} for change in changes for row in change.rows]
            step.insert_action.run(cursor, rows)
            rooms = [{**vars(change.room), "of": change.room.id, "at_number": expected} for change, expected in steps]
            if step.update_room.run(cursor, rooms) != len(rooms):
                raise Conflict(", ".join(change.room.id for change in changes))
            step.update_seat.run(
                cursor,
                [
                    {**vars(seat), "of": change.room.id, "at_number": seat.seat}
                    for change in changes
                    for seat in change.seats
                ],
            )
            self._snapshots(cursor, changes)
            step.insert_key.run(
                cursor,
                [
                    {"hash": key, "room": change.room.id, "seat": number}
                    for change in changes
                    for key, number in change.keys
                ],
            )
            if self.postgres:
                step.notify.run(
                    cursor, [{"channel": CHANNEL, "told": self._notice(change.room.id)} for change in changes]
                )
        metrics.ACTIONS.inc(sum(row["kind"] == "action" for row in rows))

    def _snapshots(self, cursor: DBAPICursor, changes: Sequence[Change]) -> None:
        step = self._step
        undone = [(change.room.id, change.forget_from) for change in changes if change.forget_from is not None]
        step.forget_from.run(cursor, [{"of": room, "at_number": number} for room, number in undone])
        passed = [(change.room.id, change.forget_before) for change in changes if change.forget_before is not None]
        step.forget_before.run(cursor, [{"of": room, "at_number": number} for room, number in passed])
        states = [(change.room.id, change.snapshot) for change in changes if change.snapshot is not None]
        step.insert_snapshot.run(cursor, [{"room": room, **vars(state)} for room, state in states])

    def check_writing(self) -> None:
        """Write something; raises what the database complains of."""
        moment, value = tables.shared_values.c.name == "checked", f"{time.time():.0f}"
        with self.engine.begin() as connection:
            changed = connection.execute(tables.shared_values.update().where(moment).values(value=value))
            if not changed.rowcount:
                connection.execute(tables.shared_values.insert().values(name="checked", value=value))

    def keep_board(self, digest: str, files: str) -> None:
        """Keep the files of a board; nothing happens when they are kept already."""
        if self.board(digest) is not None:
            return
        self.insert_new(tables.boards, digest=digest, files=files)

    def allow(self, room: str, key: str, seats: Iterable[int]) -> None:
        """Let a key open seats (-1: watch); nothing happens where it does already."""
        for seat in seats:
            self.insert_new(tables.keys, hash=key, room=room, seat=seat)

    def keep_analysis(self, room: str, text: str) -> None:
        """Keep the analysis of a room's game, in the place of an older one. Raise `Conflict` with another process."""
        with self.writing() as connection:
            connection.execute(tables.analyses.delete().where(tables.analyses.c.room == room))
            connection.execute(tables.analyses.insert().values(room=room, found=text))
            connection.execute(tables.results.update().where(tables.results.c.room == room).values(analysed=False))

    def say(self, room: RoomRow, row: TalkRow, kept: int) -> None:
        """Note what was said in a room, of which the last `kept` rows stay. Raise `Conflict` with another process."""
        with self.writing() as connection:
            connection.execute(tables.talk.insert().values(room=room.id, **_fields(row)))
            old = tables.talk.c.room == room.id, tables.talk.c.n <= row.n - kept
            connection.execute(tables.talk.delete().where(*old))
            here = tables.rooms.update().where(tables.rooms.c.id == room.id)
            connection.execute(here.values(touched=room.touched))
            self.notify(connection, room.id)

    def seen(self, room: RoomRow, until: dict[int, float]) -> None:
        """Note until when the people at these seats are known to be there, and when the room was touched."""
        number, version = tables.rooms.c.id, tables.rooms.c.version
        due_at = sa.case(
            (version == room.version, sa.bindparam("due", room.due_at, sa.Float)), else_=tables.rooms.c.due_at
        )
        with self.engine.begin() as connection:
            for seat, moment in until.items():
                here = tables.seats.c.room == room.id, tables.seats.c.seat == seat
                connection.execute(tables.seats.update().where(*here).values(seen_until=moment))
            touched = tables.rooms.update().where(number == room.id)
            connection.execute(touched.values(touched=room.touched, due_at=due_at))
            self.notify(connection, room.id)

    def insert_new(self, table: sa.Table, **values: object) -> bool:
        """Insert a row unless it is there already, or what it refers to is gone; return whether it was inserted."""
        try:
            with self.engine.begin() as connection:
                connection.execute(table.insert().values(**values))
        except sa.exc.IntegrityError:  # another process was quicker
            return False
        return True

    def notify(self, connection: Connection, room: str) -> None:
        """Tell the other processes, with the commit, that something was written in a room."""
        if self.postgres:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, self._notice(room))))

    def _notice(self, room: str) -> str:
        return f"{room} {self.process}"

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Begin a transaction in which a number or name that exists already is a `Conflict`."""
        with _conflicts(), self.engine.begin() as connection:
            yield connection


@contextmanager
def _conflicts() -> Iterator[None]:
    """Make a `Conflict` of a number or name that exists already."""
    try:
        yield
    except sa.exc.IntegrityError as error:
        raise Conflict(first_line(error)) from None


def open_engine(url: str, connections: int = 1) -> Engine:
    """Return the database behind a URL, without looking at its tables. Raise `StoreError`."""
    try:
        parsed = make_url(url)
    except sa.exc.ArgumentError:  # which is not repeated: a password may stand in it
        raise StoreError(
            "the database: expected an address such as sqlite:///games.sqlite or postgresql://user:password@host/name"
        ) from None
    try:
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite":
            if parsed.database and parsed.database != ":memory:":
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = sa.create_engine(parsed, connect_args={"timeout": 30})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        patience = {name: value for name, value in PATIENCE.items() if name not in parsed.query}
        return sa.create_engine(
            parsed, pool_size=connections, max_overflow=2, pool_pre_ping=True, connect_args=patience
        )
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError, OSError) as error:
        raise StoreError(f"the database cannot be opened: {first_line(error)}") from None


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Set up SQLite so that readers do not wait for the writer, and committed data survive the death of the process."""
    for setting in (*JOURNAL, "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {setting}")
    connection.isolation_level = None  # we say ourselves where a transaction begins


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction at once, so that all that is read is of one moment: Python's driver begins at the first
    write.
    """
    connection.exec_driver_sql("BEGIN")


def _kept_clock() -> Any:
    return sa.select(tables.shared_values.c.value).where(tables.shared_values.c.name == _CLOCK)


def _of(table: sa.Table, room: str) -> Any:
    return sa.select(table).where(table.c.room == room)


def _without_room(row: Any) -> JsonObject:
    return {name: value for name, value in row._mapping.items() if name != "room"}


def _fields(row: object) -> dict[str, object]:
    """Return the fields of a row; `dataclasses.asdict` would copy what cannot change."""
    return dict(vars(row))


def _with_seats(connection: Connection, rows: Sequence[Any]) -> list[tuple[RoomRow, tuple[SeatRow, ...]]]:
    rooms = [RoomRow(**row._mapping) for row in rows]
    query = sa.select(tables.seats).where(tables.seats.c.room.in_([room.id for room in rooms]))
    at: dict[str, list[SeatRow]] = {room.id: [] for room in rooms}
    for row in connection.execute(query.order_by(tables.seats.c.seat)):
        at[row.room].append(SeatRow(**_without_room(row)))
    return [(room, tuple(at[room.id])) for room in rooms]


def first_line(error: BaseException) -> str:
    """Return the first line of an error."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def is_full(error: BaseException) -> bool:
    """Return whether SQLite had no room to write."""
    return getattr(getattr(error, "orig", None), "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
