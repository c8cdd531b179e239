"""The drafts of the workshop in the store. Every save has a number; whoever comes second with one gets `Conflict`."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from branchline.web.core.store import tables
from branchline.web.core.store.database import Conflict, Store

KEPT = 1_000  # saves of a draft that are kept; who is further behind is given the whole draft
KEPT_LETTERS = 6_000_000  # of all these together: a step may hold a whole backdrop
DAY = 86_400.0
LISTED = 60  # public drafts on the page


@dataclass(frozen=True)
class DraftRow:
    """One row of `drafts`."""

    id: str
    version: int
    title: str
    content: str
    public: bool
    created: float
    touched: float


@dataclass(frozen=True)
class SaveRow:
    """One row of `draft_saves`, without its draft."""

    n: int
    mark: str
    step: str
    at: float


def create(store: Store, row: DraftRow) -> None:
    """Write a new draft."""
    with store.engine.begin() as connection:
        connection.execute(tables.drafts.insert().values(**vars(row)))


def load(store: Store, draft: str) -> DraftRow | None:
    """Return a draft as it was saved last."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(tables.drafts).where(tables.drafts.c.id == draft)).one_or_none()
    return None if row is None else DraftRow(**row._mapping)


def save(store: Store, before: DraftRow, after: DraftRow, saves: list[SaveRow]) -> None:
    """Write the next versions of a draft. Raise `Conflict` if somebody has saved it since it was loaded."""
    same = tables.drafts.c.id == before.id, tables.drafts.c.version == before.version
    values = {"version": after.version, "title": after.title, "content": after.content, "touched": after.touched}
    rows = [{"draft": before.id, **vars(save)} for save in saves]
    with store.engine.begin() as connection:
        if connection.execute(tables.drafts.update().where(*same).values(**values)).rowcount != 1:
            raise Conflict("the draft was saved by somebody else")
        connection.execute(tables.draft_saves.insert(), rows)
        _forget(connection, before.id)


def _forget(connection: Connection, draft: str) -> None:
    """Delete the saves that are too many, or with which it would be too much."""
    saves = tables.draft_saves
    sizes = sa.select(saves.c.n, sa.func.length(saves.c.step)).where(saves.c.draft == draft).order_by(saves.c.n.desc())
    letters = 0
    for number, (n, length) in enumerate(connection.execute(sizes).all(), 1):
        letters += length
        if number > KEPT or letters > KEPT_LETTERS:
            connection.execute(saves.delete().where(saves.c.draft == draft, saves.c.n <= n))
            return


def touch(store: Store, row: DraftRow, now: float) -> None:
    """Note that a draft was opened, if that is news by a day."""
    if row.touched < now - DAY:
        with store.engine.begin() as connection:
            connection.execute(tables.drafts.update().where(tables.drafts.c.id == row.id).values(touched=now))


def purge(store: Store, days: float) -> int:
    """Delete the drafts that nobody has opened or saved for so many days; how many they were."""
    old = tables.drafts.c.touched < time.time() - days * DAY
    with store.engine.begin() as connection:
        return connection.execute(tables.drafts.delete().where(old)).rowcount


def saves_since(store: Store, draft: str, n: int) -> list[SaveRow]:
    """Return the saves after this number, as far as they are kept."""
    saves = tables.draft_saves
    query = sa.select(saves.c.n, saves.c.mark, saves.c.step, saves.c.at).where(saves.c.draft == draft, saves.c.n > n)
    with store.engine.connect() as connection:
        return [SaveRow(**row._mapping) for row in connection.execute(query.order_by(saves.c.n))]


def publish(store: Store, draft: str, public: bool) -> None:
    """List a draft, or no longer."""
    with store.engine.begin() as connection:
        connection.execute(tables.drafts.update().where(tables.drafts.c.id == draft).values(public=public))


def public_drafts(store: Store) -> list[DraftRow]:
    """Return the drafts that their makers have made public, the latest first, without their content."""
    columns = [column for column in tables.drafts.c if column.name != "content"]
    query = sa.select(*columns, sa.literal("").label("content")).where(tables.drafts.c.public)
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(tables.drafts.c.touched.desc()).limit(LISTED))
        return [DraftRow(**row._mapping) for row in rows]
