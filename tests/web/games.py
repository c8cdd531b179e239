"""Rooms without a server: made, played and watched in memory."""

from __future__ import annotations

import random
from collections.abc import Iterator

from branchline.boards import load_board
from branchline.game import Game
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.new_rooms import new_room as room_of
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.tokens import token_hash

HOST = token_hash("host")


def a_room(
    edition: str,
    seats: int = 3,
    seed: int = 1,
    options: Options | None = None,
    people: int = 9,
    browsers: int = 9,
) -> Room:
    """A room in which a game has just been set up; the seats after the first `people` are bots'.

    The people sit at so many browsers at most.
    """
    game = Game(load_board(edition), seats, seed)
    sitting = [
        SeatSetup("person", f"Anna {n}", key=token_hash(f"key {n % browsers}"))
        if n < people
        else SeatSetup("bot", "greedy", "greedy")
        for n in range(seats)
    ]
    room, _ = room_of(new_room_id(), game, edition, sitting, options or Options(), HOST, 1000.0)
    return room


def walk(room: Room, seed: int, most: int = 10_000) -> Iterator[Room]:
    """The room after each of many random actions, ten seconds apart."""
    luck = random.Random(seed)
    for n in range(most):
        if room.game.over:
            return
        asked = room.game.question.seat
        assert asked is not None
        room, _ = room.played(asked, luck.choice(list(room.game.legal)), 1000.0 + 10 * (n + 1))
        yield room
