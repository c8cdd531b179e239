"""What all spectators of a room share, and that it is what each of them would be shown alone."""

from __future__ import annotations

import time
from dataclasses import replace

import branchline as bl
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import Room
from branchline.web.core.rooms.spectators import Spectators, shares
from branchline.web.core.security.signing import Signer
from branchline.web.core.visit import Visit
from branchline.web.table.websocket import update

NOW = 5000.0

SIGNER = Signer(b"secret")


def room_with(kinds: tuple[str, ...], *, listed: bool = False) -> Room:
    game = bl.Game(bl.load_board("berlin"), len(kinds), 4)
    sitting = [SeatSetup(kind, f"P{n}") for n, kind in enumerate(kinds)]
    return new_room("room", game, "berlin", sitting, Options(open=listed), "host", time.time())[0]


def test_only_those_without_a_seat_who_are_not_the_host_share() -> None:
    assert shares(Viewer())
    assert not shares(Viewer((0,), 0))
    assert not shares(Viewer(host=True))


def test_spectators_share_one_context_and_one_message() -> None:
    room, spectators = room_with(("person", "person")), Spectators()
    one = spectators.context(room, Viewer(visit=Visit(csrf="a", nonce="1")), SIGNER, NOW)
    assert spectators.context(room, Viewer(visit=Visit(csrf="b", nonce="2")), SIGNER, NOW) is one
    assert one.visit == Visit()
    after, _ = room.played(room.row.asked or 0, room.game.legal[0], time.time())
    two = spectators.context(after, Viewer(visit=Visit(csrf="c")), SIGNER, NOW)
    made: list[int] = []

    def make() -> str | None:
        made.append(1)
        return update(one, two)

    texts = {spectators.message(one, two, False, make) for _ in range(5)}
    assert len(made) == 1
    alone = table_context(after, Viewer(), SIGNER, two.now)
    assert texts == {update(table_context(room, Viewer(), SIGNER, one.now), alone)}


def test_what_differs_between_spectators_is_not_shared() -> None:
    room, spectators = room_with(("person", "open"), listed=True), Spectators()
    english = spectators.context(room, Viewer(visit=Visit(csrf="a")), SIGNER, NOW)
    assert spectators.context(room, Viewer(visit=Visit(csrf="b")), SIGNER, NOW).visit.csrf == "b"
    assert spectators.context(room, Viewer(visit=Visit(csrf="a", language="pl")), SIGNER, NOW).visit.language == "pl"
    later = replace(room, rematch="another")
    assert spectators.context(later, Viewer(visit=Visit(csrf="a")), SIGNER, NOW) is not english
