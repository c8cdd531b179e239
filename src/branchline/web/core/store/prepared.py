"""Statements that are worked out once for a database: each step of a game writes the same, with other values.

They go to the database through its driver alone: SQLAlchemy takes about ten times as long over a statement as SQLite
does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import DBAPICursor

from branchline.web.core.store import tables

Values = Mapping[str, Any]

FIXED = frozenset({"id", "board", "digest", "seats", "seed", "first_seat", "stacked", "created", "host", "rematch_of"})
"""The columns of a room that stay as they were when it was made."""


@contextmanager
def transaction(engine: Engine) -> Iterator[DBAPICursor]:
    """Begin a transaction of SQLAlchemy's, and commit it at the end. What goes wrong is raised as SQLAlchemy does."""
    driver = engine.dialect.loaded_dbapi
    try:
        with engine.begin() as connection:
            yield connection.connection.cursor()
    except driver.Error as error:
        raise sa.exc.DBAPIError.instance(None, None, error, driver.Error) from error


class Prepared:
    """A statement in the words of one database. It takes plain values, as the driver does."""

    def __init__(self, engine: Engine, statement: sa.sql.expression.Executable) -> None:
        """Begin with a statement whose parameters have names."""
        compiled = statement.compile(dialect=engine.dialect)  # type: ignore[attr-defined]
        self._text = str(compiled)
        self._order: Sequence[str] | None = compiled.positiontup
        self._names = frozenset(compiled.params)

    def run(self, cursor: DBAPICursor, rows: Sequence[Values]) -> int:
        """Execute it with each of these values, and return how many rows it touched.

        Values without a parameter are left out.
        """
        if not rows:
            return 0
        parameters: list[tuple[object, ...]] | list[dict[str, object]]
        if self._order is None:
            parameters = [{name: values[name] for name in self._names} for values in rows]
        else:
            order = self._order
            parameters = [tuple([values[name] for name in order]) for values in rows]
        if len(parameters) > 1:
            cursor.executemany(self._text, parameters)
        else:
            cursor.execute(self._text, parameters[0])
        return cursor.rowcount


class StepStatements:
    """What one step of a room writes. Parameters are named as the columns; `of` is the room, `at` a number in it."""

    def __init__(self, engine: Engine) -> None:
        """Begin with the statements in the words of this database."""
        of: sa.BindParameter[object] = sa.bindparam("of")
        at: sa.BindParameter[object] = sa.bindparam("at_number")
        rooms, seats, snapshots = tables.rooms, tables.seats, tables.snapshots
        changing: dict[str, object] = {
            column.name: sa.bindparam(column.name) for column in rooms.c if column.name not in FIXED
        }
        sitting: dict[str, object] = {
            column.name: sa.bindparam(column.name) for column in seats.c if column.name not in ("room", "seat")
        }
        here = snapshots.c.room == of
        self.insert_action = Prepared(engine, tables.actions.insert())
        self.insert_snapshot = Prepared(engine, snapshots.insert())
        self.forget_before = Prepared(engine, snapshots.delete().where(here, snapshots.c.n < at))
        self.forget_from = Prepared(engine, snapshots.delete().where(here, snapshots.c.n >= at))
        self.update_room = Prepared(
            engine,
            rooms.update().where(rooms.c.id == of, rooms.c.version == at).values(changing),
        )
        self.update_seat = Prepared(
            engine, seats.update().where(seats.c.room == of, seats.c.seat == at).values(sitting)
        )
        self.insert_key = Prepared(engine, tables.keys.insert())
        told: list[sa.BindParameter[str]] = [
            sa.bindparam("channel", type_=sa.Text),
            sa.bindparam("told", type_=sa.Text),
        ]
        self.notify = Prepared(engine, sa.select(sa.func.pg_notify(*told)))
