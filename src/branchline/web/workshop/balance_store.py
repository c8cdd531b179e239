"""How boards of the workshop play, in the store: a row for each draft, which all processes see.

The process that plays says every second that it goes on. Games of which nothing was heard for `SILENT` have ended with
their process, and somebody else may begin anew.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import sqlalchemy as sa

from branchline.web.core.store import tables
from branchline.web.core.store.database import Store

SILENT = 20.0  # seconds


@dataclass(frozen=True)
class BalanceRow:
    """One row of `balances`."""

    draft: str
    mark: str  # of these games: others on the same draft have another
    version: int  # of the draft
    content: str  # JSON: workshop.Draft, as it was played
    address: str  # of whoever asked for them
    beat: float  # when the process that plays was heard of last
    running: bool = True
    improving: bool = False  # the suggested changes are being tried
    failed: bool = False
    stopped: bool = False  # somebody asks for the end
    played: int = 0
    asked: int = 0
    looks: int = 0
    found: str | None = None  # JSON: `drafts.kept_figures`


def load(store: Store, draft: str) -> BalanceRow | None:
    """Return the games on a draft. Those that ended with their process are no longer running."""
    with store.engine.connect() as connection:
        row = connection.execute(sa.select(tables.balances).where(tables.balances.c.draft == draft)).one_or_none()
    if row is None:
        return None
    games = BalanceRow(**row._mapping)
    if games.running and games.beat < time.time() - SILENT:
        return replace(games, running=False, improving=False, failed=games.found is None)
    return games


def waiting(store: Store) -> list[str]:
    """Return the addresses for which games are being played, or waiting, in whatever process."""
    with store.engine.connect() as connection:
        return list(connection.execute(sa.select(tables.balances.c.address).where(_alive())).scalars())


def begin(store: Store, row: BalanceRow) -> bool:
    """Put games on a draft in the place of older ones; whether none are being played on it now."""
    values = vars(row)
    with store.engine.begin() as connection:
        there = tables.balances.c.draft == row.draft
        if connection.execute(tables.balances.update().where(there, ~_alive()).values(**values)).rowcount:
            return True
        if connection.execute(sa.select(tables.balances.c.draft).where(there)).scalar() is not None:
            return False
    return store.insert_new(tables.balances, **values)


def go_on(store: Store, draft: str, mark: str, **values: object) -> bool:
    """Note how far games are; whether they are to go on: nobody has stopped them, begun others or deleted the draft."""
    own = tables.balances.c.draft == draft, tables.balances.c.mark == mark
    with store.engine.begin() as connection:
        connection.execute(tables.balances.update().where(*own).values(beat=time.time(), **values))
        return connection.execute(sa.select(tables.balances.c.stopped).where(*own)).scalar() is False


def stop(store: Store, draft: str) -> None:
    """Ask the process that plays to end the games with what there is."""
    with store.engine.begin() as connection:
        connection.execute(tables.balances.update().where(tables.balances.c.draft == draft).values(stopped=True))


def _alive() -> sa.ColumnElement[bool]:
    return sa.and_(tables.balances.c.running, tables.balances.c.beat >= time.time() - SILENT)
