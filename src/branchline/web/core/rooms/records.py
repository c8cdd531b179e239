"""The records of all finished games of a store."""

from __future__ import annotations

from collections.abc import Iterator

from branchline.boards import BranchlineError
from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.store.database import Store
from branchline.web.core.store.listing import finished


def finished_records(store: Store) -> Iterator[tuple[str, dict[str, object] | None]]:
    """Yield the id of each finished room, and its record as plain data or None if it is no longer readable."""
    for room in finished(store):
        stored = store.load(room)
        if stored is None:  # it was deleted meanwhile
            continue
        try:
            board = kept_boards.board_of(store, stored.room)
            yield room, restored(stored, board=board).record().to_table()
        except BranchlineError:
            yield room, None
