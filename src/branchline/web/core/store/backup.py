"""Backups: all tables of a database in one file, which can be restored into SQLite and PostgreSQL alike.

The file is gzipped text: a line of JSON that says what it is, one for each row, and one that says how many there were.
It holds the secret that signs links, so only its owner may read it. It is taken in one transaction, as of one
moment, while the server runs. It is restored in one transaction too, into tables of the version it was taken from,
which are then brought up to date.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import os
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from branchline.web.core.store import schema
from branchline.web.core.store.database import first_line, open_engine
from branchline.web.core.store.schema import StoreError

FORMAT = 1
BATCH = 500  # rows that are read or written at once
LONGEST = 64_000_000  # letters of a row


def existing(url: str) -> Engine:
    """Return an existing database. Raise `StoreError`. (SQLite would create an empty one.)"""
    engine = open_engine(url)
    file = engine.url.database
    if engine.dialect.name == "sqlite" and (not file or not Path(file).is_file()):
        raise StoreError(f"there is no database {file or ''}".rstrip())
    return engine


@contextlib.contextmanager
def explained(engine: Engine) -> Iterator[None]:
    """Turn what a database complains of into one line, and let its connections go."""
    try:
        yield
    except (sa.exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(f"the database {engine.url!r} cannot be used: {first_line(error)}") from None
    finally:
        engine.dispose()


# ---------------------------------------------------------------------------------------------------- backup


def backup(url: str, target: Path) -> int:
    """Write all rows into a new file; how many there were. The file is there whole, or not at all."""
    if target.exists():
        raise StoreError(f"{target}: is there already")
    engine = existing(url)
    part = None
    try:
        with explained(engine), engine.connect() as connection:
            if engine.dialect.name == "postgresql":  # all that follows as of one moment
                connection = connection.execution_options(isolation_level="REPEATABLE READ", stream_results=True)
            with connection.begin():
                revision = schema.revision_of(connection)
                if revision == schema.NOTHING:
                    raise StoreError(f"the database {engine.url!r} has no tables of branchline")
                number, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # its owner's only
                with os.fdopen(number, "wb") as raw:
                    with gzip.GzipFile(fileobj=raw, mode="wb", filename="", compresslevel=6) as file:
                        rows = _write(connection, revision, file)
                    raw.flush()
                    os.fsync(raw.fileno())
        os.link(part, target)  # unlike renaming, this does not overwrite
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        if part is not None:
            Path(part).unlink(missing_ok=True)
    return rows


def _write(connection: Connection, revision: str, file: gzip.GzipFile) -> int:
    def line(value: object) -> None:
        file.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    ordered = _tables(connection)
    line({"branchline": "backup", "format": FORMAT, "tables": revision, "made": time.time()})
    rows = 0
    for table in ordered:
        for row in connection.execute(sa.select(table)).yield_per(BATCH):
            line([table.name, {name: _told(value) for name, value in row._mapping.items()}])
            rows += 1
    line({"rows": rows})
    return rows


def _tables(connection: Connection) -> list[sa.Table]:
    """Return the tables as the database has them, with those first to which others refer."""
    metadata = sa.MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


def _told(value: object) -> object:
    return {"base64": base64.b64encode(bytes(value)).decode()} if isinstance(value, bytes | memoryview) else value


# ---------------------------------------------------------------------------------------------------- restoring


def restore(url: str, source: Path, *, replace: bool = False) -> int:
    """Fill a database from a backup, whole or not at all; how many rows there were.

    Raise `StoreError` for a file that is no backup or is damaged, and for a database with rooms, unless told to
    `replace` them.
    """
    try:
        with gzip.open(source, "rt", encoding="utf-8") as file:
            revision = _revision(file, source)
            engine = open_engine(url)
            with explained(engine), engine.begin() as connection:
                before = schema.revision_of(connection)
                if not replace and _rooms(connection):
                    raise StoreError(f"the database {engine.url!r} has rooms already; --replace throws them away")
                if before != schema.NOTHING:
                    schema.check_known(connection)
                    schema.move(connection, schema.NOTHING)
                schema.move(connection, revision)
                rows = _fill(connection, file, source)
                schema.move(connection, schema.LATEST)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise StoreError(f"{source}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return rows


def _rooms(connection: Connection) -> bool:
    """Return whether there is anything that could be lost."""
    if not sa.inspect(connection).has_table("rooms"):
        return False
    return connection.execute(sa.text("SELECT 1 FROM rooms LIMIT 1")).scalar() is not None


def _revision(file: IO[str], source: Path) -> str:
    """Return the version of the tables that a backup was taken from."""
    head = _line(file.readline(10_000), source, 1)
    if not isinstance(head, dict) or head.get("branchline") != "backup":
        raise StoreError(f"{source}: is no backup of branchline")
    revision = head.get("tables")
    if head.get("format") != FORMAT or not isinstance(revision, str) or not schema.is_known(revision):
        raise StoreError(f"{source}: comes from a later version of branchline; install that version first")
    return revision


def _fill(connection: Connection, file: IO[str], source: Path) -> int:
    """Insert the rows of a backup; each must fit a table, and none may be missing."""
    by_name = {table.name: table for table in _tables(connection)}
    waiting: list[dict[str, object]] = []
    current, rows, number = "", 0, 1

    def insert() -> None:
        if waiting:
            connection.execute(by_name[current].insert(), waiting)
            waiting.clear()

    while text := file.readline(LONGEST):
        number += 1
        match _line(text, source, number):
            case {"rows": int(count)} if count == rows:
                insert()
                return rows
            case [str(name), dict(row)] if name in by_name and set(row) == set(by_name[name].columns.keys()):
                if name != current or len(waiting) >= BATCH:
                    insert()
                    current = name
                waiting.append({column: _read(value, source, number) for column, value in row.items()})
                rows += 1
            case _:
                raise StoreError(f"{source}:{number}: is damaged: expected a row of a table")
    raise StoreError(f"{source}: is damaged: it ends after {rows:,} rows, before its last line")


def _line(text: str, source: Path, number: int) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise StoreError(f"{source}:{number}: is damaged: expected JSON") from None


def _read(value: object, source: Path, number: int) -> object:
    if not isinstance(value, dict):
        return value
    try:
        return base64.b64decode(value["base64"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise StoreError(f"{source}:{number}: is damaged: expected bytes") from None
