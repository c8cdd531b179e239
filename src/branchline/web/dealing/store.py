"""Tables whose board is real, in the store. Every deed has a number; whoever comes second with one gets `Conflict`."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from branchline.web.core.store import tables
from branchline.web.core.store.database import Conflict, Store

DAY = 86_400.0


@dataclass(frozen=True)
class DealingRow:
    """One row of `dealings`; see `tables`."""

    id: str
    board: str
    digest: str
    seed: int
    version: int
    desk: str
    state: bytes
    before: bytes | None
    created: float
    touched: float


@dataclass(frozen=True)
class DeedRow:
    """One row of `deeds`, without its table."""

    n: int
    seat: int
    deed: str
    facts: str
    at: float


def create(store: Store, row: DealingRow) -> None:
    """Write a new table."""
    with store.engine.begin() as connection:
        connection.execute(tables.dealings.insert().values(**vars(row)))


def load(store: Store, dealing: str) -> tuple[DealingRow, tuple[DeedRow, ...]] | None:
    """Return a table, and all that was done there."""
    deeds = tables.deeds
    columns = deeds.c.n, deeds.c.seat, deeds.c.deed, deeds.c.facts, deeds.c.at
    with store.engine.connect() as connection, connection.begin():
        row = connection.execute(sa.select(tables.dealings).where(tables.dealings.c.id == dealing)).one_or_none()
        if row is None:
            return None
        done = connection.execute(sa.select(*columns).where(deeds.c.dealing == dealing).order_by(deeds.c.n))
        return DealingRow(**row._mapping), tuple(DeedRow(*deed) for deed in done)


def versions(store: Store, ids: Collection[str]) -> dict[str, int]:
    """Return the versions of these tables."""
    query = sa.select(tables.dealings.c.id, tables.dealings.c.version).where(tables.dealings.c.id.in_(ids))
    with store.engine.connect() as connection:
        return {row.id: row.version for row in connection.execute(query)}


def write(store: Store, row: DealingRow, deed: DeedRow) -> None:
    """Write one deed, completely or not at all. Raise `Conflict` when the table is further than that."""
    changing = {name: getattr(row, name) for name in ("version", "desk", "state", "before", "touched")}
    same = tables.dealings.c.id == row.id, tables.dealings.c.version == row.version - 1
    with store.engine.begin() as connection:
        if connection.execute(tables.dealings.update().where(*same).values(**changing)).rowcount != 1:
            raise Conflict(row.id)
        connection.execute(tables.deeds.insert().values(dealing=row.id, **vars(deed)))
        store.notify(connection, row.id)


def purge(store: Store, days: float) -> int:
    """Delete the tables at which nobody has done anything for so many days; how many they were."""
    old = tables.dealings.c.touched < time.time() - days * DAY
    with store.engine.begin() as connection:
        return connection.execute(tables.dealings.delete().where(old)).rowcount
