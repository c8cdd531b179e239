"""Which lessons a browser has done."""

from __future__ import annotations

import sqlalchemy as sa

from branchline.web.core.store.database import Store
from branchline.web.core.store.tables import lessons_done


def keep(store: Store, key: str, lesson: str, now: float) -> None:
    """Note that a key's browser has done a lesson; nothing happens where it has before."""
    store.insert_new(lessons_done, key=key, lesson=lesson, at=now)


def done(store: Store, key: str) -> frozenset[str]:
    """Return the names of the lessons done in a key's browser."""
    with store.engine.connect() as connection:
        return frozenset(
            connection.execute(sa.select(lessons_done.c.lesson).where(lessons_done.c.key == key)).scalars()
        )
