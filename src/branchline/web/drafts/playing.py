"""A table on the board of a draft."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.web.rooms import creation, kept_boards
from branchline.web.rooms.live import LiveRoom, LiveRooms
from branchline.web.store.database import Store
from branchline.workshop import Draft


async def play(live: LiveRooms, draft: Draft, fields: Mapping[str, str], key: str) -> LiveRoom:
    """A room on the board of a draft as it is now. Raises `BoardError`, and `SetupError` for a form that is none."""
    setup = await live.write(_set_up, live.store, draft, fields, key)
    return await creation.create(live, setup, key)


def _set_up(store: Store, draft: Draft, fields: Mapping[str, str], key: str) -> creation.RoomSetup:
    made = kept_boards.keep_files(store, draft.files(), draft.backdrop_file)
    return creation.read_form({**fields, **_kinds(fields, made[1].seats[1])}, key, made)


def _kinds(fields: Mapping[str, str], most: int) -> dict[str, str]:
    """Who sits where: whoever presses, then so many friends, and bots at the other seats."""
    friends = fields.get("friends", "")
    open_seats = int(friends) if friends in tuple("01234") else 0
    return {f"kind{n}": "me" if n == 0 else "open" if n <= open_seats else "bot" for n in range(most)}
