"""Purging: rooms that nobody has touched for long are deleted, with all that belongs to them."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from branchline.web.core.store import tables
from branchline.web.core.store.database import Store
from branchline.web.core.store.tables import keys, mail_addresses, notice_choices

DAY = 86_400.0
GUIDED_DAYS = 3.0  # after which rooms with a guide are deleted: a lesson is quickly begun anew
BATCH = 50  # rooms that are deleted in one transaction: others want to write as well


@dataclass(frozen=True)
class Purged:
    """How many rooms were deleted, or would be."""

    finished: int = 0
    unfinished: int = 0

    @property
    def rooms(self) -> int:
        """All of them."""
        return self.finished + self.unfinished


def purge(
    store: Store,
    finished_days: float | None,
    unfinished_days: float | None,
    *,
    dry_run: bool = False,
    spare: Collection[str] = (),
) -> Purged:
    """Delete the rooms that were last touched so many days ago; None: none of that kind. `spare`: but not these."""
    now, counts = time.time(), []
    playing = tables.rooms.c.status == "playing"
    for kind, days in ((sa.not_(playing), finished_days), (playing, unfinished_days)):
        if days is None:
            counts.append(0)
            continue
        old = sa.and_(kind, tables.rooms.c.touched < now - days * DAY)
        with store.engine.connect() as connection:
            ids = connection.execute(sa.select(tables.rooms.c.id).where(old).order_by(tables.rooms.c.id)).scalars()
            deletable = [room for room in ids if room not in spare]
        counts.append(len(deletable) if dry_run else _delete(store, deletable, old))
    asked_for = [days for days in (finished_days, unfinished_days) if days is not None]
    if asked_for and not dry_run:
        forget_strangers(store, now - max(asked_for) * DAY)
    return Purged(*counts)


def purge_guided(store: Store, spare: Collection[str] = ()) -> int:
    """Delete the rooms with a guide that nobody has touched for a few days; how many they were."""
    old = sa.and_(tables.rooms.c.guide != "", tables.rooms.c.touched < time.time() - GUIDED_DAYS * DAY)
    with store.engine.connect() as connection:
        guided = list(connection.execute(sa.select(tables.rooms.c.id).where(old)).scalars())
    return _delete(store, [room for room in guided if room not in spare], old)


def _delete(store: Store, rooms: list[str], old: sa.ColumnElement[bool]) -> int:
    """Delete these rooms, but those that somebody has touched since; how many they were."""
    deleted = 0
    for first in range(0, len(rooms), BATCH):
        batch = tables.rooms.c.id.in_(rooms[first : first + BATCH])
        with store.engine.begin() as connection:
            deleted += connection.execute(tables.rooms.delete().where(batch, old)).rowcount
    return deleted


def forget_strangers(store: Store, before: float) -> None:
    """Delete what browsers have chosen, and addresses they named, that have had no seat anywhere for long."""
    seated = sa.select(keys.c.hash)
    old_choices = notice_choices.c.key.not_in(seated), notice_choices.c.changed < before
    old_addresses = mail_addresses.c.key.not_in(seated), mail_addresses.c.asked_at < before
    with store.engine.begin() as connection:
        connection.execute(notice_choices.delete().where(*old_choices))
        connection.execute(mail_addresses.delete().where(*old_addresses))
