"""Which rooms there are, for those who run a server."""

from __future__ import annotations

import sqlalchemy as sa

from branchline.plain_data import JsonObject
from branchline.web.core.store import tables
from branchline.web.core.store.database import Store

_SHOWN = ("board", "status", "seats", "turns", "created", "touched", "open")


def latest(store: Store, at_most: int) -> list[JsonObject]:
    """Return rooms, with those first that were touched last; those with a guide (lessons, exercises) left out."""
    columns = [tables.rooms.c.id.label("room"), *(tables.rooms.c[name] for name in _SHOWN)]
    query = sa.select(*columns).where(tables.rooms.c.guide == "").order_by(tables.rooms.c.touched.desc()).limit(at_most)
    with store.engine.connect() as connection:
        return [dict(row._mapping) for row in connection.execute(query)]


def finished(store: Store) -> list[str]:
    """Return the ids of all rooms whose game is over, oldest first; those with a guide left out."""
    games = tables.rooms.c.status == "over", tables.rooms.c.guide == ""
    query = sa.select(tables.rooms.c.id).where(*games).order_by(tables.rooms.c.created)
    with store.engine.connect() as connection:
        return list(connection.execute(query).scalars())
