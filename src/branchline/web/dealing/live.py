"""The dealt tables that somebody looks at in this process: one lock for each, and who is told of a change.

As with rooms (`rooms.open_rooms`), a deed is written first, then it is put in the old one's place, and only then shown.
The notices between processes and the looks that make up for lost ones are those of the rooms.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.attempts import until_written
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.room import Refused
from branchline.web.dealing import store as dealings
from branchline.web.dealing.store import DeedRow
from branchline.web.dealing.table import DealingTable, restored

Acting = Callable[[DealingTable], tuple[DealingTable, DeedRow]]


class TableWatcher(Protocol):
    """Somebody who wants to know when a table has changed."""

    def changed(self) -> None:
        """Notice that the table has changed."""


class LiveTable:
    """A table in memory."""

    def __init__(self, table: DealingTable) -> None:
        """Begin with the table as the store has it."""
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[TableWatcher] = set()

    def changed(self) -> None:
        """Tell all who watch."""
        for watcher in tuple(self.watchers):
            watcher.changed()


class LiveTables:
    """All tables of this process that somebody looks at; the others are read when they are asked for."""

    def __init__(self, live: LiveRooms) -> None:
        """Begin with the threads, notices and looks of `live`, which are shared."""
        self.live = live
        self.tables: dict[str, LiveTable] = {}
        live.when_noticed.append(self._noticed)

    async def add(self, table: DealingTable) -> None:
        """Write a new table."""
        await self.live.write(kept_boards.keep, self.live.store, table.board, table.row.board)
        await self.live.write(dealings.create, self.live.store, table.row)

    async def get(self, dealing: str) -> LiveTable | None:
        """Return a table that is not older than the store's, or None if there is none."""
        here = self.tables.get(dealing)
        if here is not None:
            await self._refresh(here)
            return here
        table = await self._read(dealing)
        return None if table is None else LiveTable(table)

    async def change(self, dealing: str, act: Acting) -> DealingTable:
        """Do something at a table: written, then shown. Raises what `act` raises: `Refused`."""
        here = self.tables.get(dealing) or await self.get(dealing)
        if here is None:
            raise Refused("not_found", "there is no such table")

        async def attempt() -> DealingTable:
            table, deed = await asyncio.to_thread(act, here.table)
            await self.live.write(dealings.write, self.live.store, table.row, deed)
            return table

        async def reload() -> None:
            here.table = await self._read(dealing) or here.table

        async with here.lock:
            here.table = await until_written(attempt, reload)
        here.changed()
        await self.live.notifier.publish(dealing)
        return here.table

    def watch(self, here: LiveTable, watcher: TableWatcher) -> LiveTable:
        """Add a watcher, and return the table that is in memory from now on."""
        kept = self.tables.setdefault(here.table.row.id, here)
        kept.watchers.add(watcher)
        return kept

    def leave(self, here: LiveTable, watcher: TableWatcher) -> None:
        """Remove a watcher who has gone."""
        here.watchers.discard(watcher)
        if not here.watchers and self.tables.get(here.table.row.id) is here:
            del self.tables[here.table.row.id]

    async def _read(self, dealing: str) -> DealingTable | None:
        stored = await self.live.read(dealings.load, self.live.store, dealing)
        if stored is None:
            return None
        row, deeds = stored
        board = await self.live.read(kept_boards.board_of, self.live.store, row)
        return None if board is None else await asyncio.to_thread(restored, board, row, deeds)

    async def _refresh(self, here: LiveTable) -> None:
        dealing = here.table.row.id
        there = (await self.live.read(dealings.versions, self.live.store, [dealing])).get(dealing)
        if there is None or there == here.table.row.version:
            return
        async with here.lock:
            table = await self._read(dealing)
            if table is None or table.row.version <= here.table.row.version:
                return
            here.table = table
        here.changed()

    async def _noticed(self, dealing: str | None) -> None:
        """Notice that another process has written; with None it may have, so look at all tables."""
        if dealing is not None:
            if dealing in self.tables:
                await self._refresh(self.tables[dealing])
            return
        if self.tables:
            there = await self.live.read(dealings.versions, self.live.store, list(self.tables))
            for here in [
                live_table
                for name, live_table in self.tables.items()
                if there.get(name) != live_table.table.row.version
            ]:
                await self._refresh(here)
