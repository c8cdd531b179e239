"""Saying something at a table, by whatever way it comes: not too often, and then to the room."""

from __future__ import annotations

from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.room import Refused
from branchline.web.core.rooms.talk import Saying


async def say(server: ServerState, live_room: LiveRoom, seat: int, saying: Saying, address: str) -> None:
    """Say something from a seat. Raise `Refused`. Seats and addresses are counted, whether it is said or refused."""
    may = [server.rates.allow("lines", f"{live_room.id} {seat}"), server.rates.allow("talk", address)]
    if not all(may):
        raise Refused("too_fast", "not so fast; wait a few seconds")
    await server.live.say(live_room, seat, saying)
