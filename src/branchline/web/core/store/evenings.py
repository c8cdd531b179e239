"""Games of real tables that browsers keep: what was counted, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from branchline.web.core.store.database import Store
from branchline.web.core.store.tables import evenings, rooms

MOST = 1000  # of a browser; then the oldest goes


@dataclass(frozen=True)
class EveningRow:
    """One row of `evenings`; see `tables`."""

    key: str
    id: str
    board: str
    at: float
    position: str
    result: str
    room: str = ""


def keep(store: Store, row: EveningRow) -> None:
    """Keep an evening, in place of what is kept of the same one: it comes again if the browser heard no answer."""
    own = evenings.c.key == row.key
    with store.engine.begin() as connection:
        same = (own, evenings.c.id == row.id)
        room = row.room or connection.execute(sa.select(evenings.c.room).where(*same)).scalar() or ""
        connection.execute(evenings.delete().where(*same))
        connection.execute(evenings.insert().values(**vars(row) | {"room": room}))
        older = sa.select(evenings.c.id).where(own).order_by(evenings.c.at.desc()).offset(MOST).limit(MOST)
        outdated = list(connection.execute(older).scalars())
        connection.execute(evenings.delete().where(own, evenings.c.id.in_(outdated)))


def of_key(store: Store, key: str) -> list[EveningRow]:
    """Return the evenings of a browser, the latest first."""
    query = sa.select(evenings).where(evenings.c.key == key).order_by(evenings.c.at.desc(), evenings.c.id)
    with store.engine.connect() as connection:
        return [EveningRow(*row) for row in connection.execute(query)]


def rooms_left(store: Store, wanted: Iterable[str]) -> frozenset[str]:
    """Return which of these rooms still exist."""
    query = sa.select(rooms.c.id).where(rooms.c.id.in_(list(wanted)))
    with store.engine.connect() as connection:
        return frozenset(connection.execute(query).scalars())


def forget(store: Store, key: str, evening: str = "") -> None:
    """Delete one evening of a browser, or all."""
    which = [evenings.c.key == key, *([evenings.c.id == evening] if evening else [])]
    with store.engine.begin() as connection:
        connection.execute(evenings.delete().where(*which))
