"""A table on the board of a draft."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from branchline.web.core.rooms import creation, kept_boards
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom


async def play(live: LiveRooms, made_board: kept_boards.MadeBoard, fields: Mapping[str, str], key: str) -> LiveRoom:
    """Return a room on the board of a draft as it was made. Raise `SetupError` for an invalid form."""
    filled = {**fields, **_kinds(fields, made_board.board.seats[1])}
    setup = await asyncio.to_thread(creation.read_form, filled, key, (made_board.name, made_board.board))
    await live.write(kept_boards.keep_made, live.store, made_board)
    return await creation.create(live, setup, key)


def _kinds(fields: Mapping[str, str], most: int) -> dict[str, str]:
    """Return who sits where: the sender of the form, then the friends, and bots at the other seats."""
    friends = fields.get("friends", "")
    open_seats = int(friends) if friends in tuple("01234") else 0
    return {f"kind{n}": "me" if n == 0 else "open" if n <= open_seats else "bot" for n in range(most)}
