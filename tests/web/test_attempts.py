"""A deed that another process was quicker with is tried again, on what that process has written."""

from __future__ import annotations

import asyncio

import pytest

from branchline.web.core.rooms.attempts import ATTEMPTS, until_written
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.database import Conflict


class Table:
    """A table on which other processes are quicker `conflicts` times."""

    def __init__(self, conflicts: int) -> None:
        self.conflicts, self.reloads = conflicts, 0

    async def write(self) -> str:
        if self.reloads < self.conflicts:
            raise Conflict
        return f"written after {self.reloads}"

    async def reload(self) -> None:
        self.reloads += 1


def test_what_conflicts_is_written_after_the_next_look() -> None:
    table = Table(conflicts=ATTEMPTS - 1)
    assert asyncio.run(until_written(table.write, table.reload)) == f"written after {ATTEMPTS - 1}"


def test_where_others_are_always_quicker_the_deed_is_refused() -> None:
    table = Table(conflicts=ATTEMPTS)
    with pytest.raises(Refused, match="too busy"):
        asyncio.run(until_written(table.write, table.reload))
    assert table.reloads == ATTEMPTS


def test_what_is_not_allowed_is_not_tried_again() -> None:
    table = Table(conflicts=0)

    async def refuse() -> str:
        raise Refused("stale", "somebody else was quicker")

    with pytest.raises(Refused, match="quicker"):
        asyncio.run(until_written(refuse, table.reload))
    assert table.reloads == 0
