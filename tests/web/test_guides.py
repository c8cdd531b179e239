"""Rooms with a guide: they begin from a position, refuse what the guide refuses, and are nobody else's business."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from branchline.boards import load_board
from branchline.game import Game, IllegalAction
from branchline.web.app import notifier_for
from branchline.web.core.rooms import creation, guided
from branchline.web.core.rooms.guide import ANSWER, Guide
from branchline.web.core.rooms.guides import KINDS
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import GuideView
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.listing import finished, latest
from branchline.web.core.store.purge import DAY, GUIDED_DAYS, purge_guided
from branchline.web.core.store.tables import rooms
from branchline.web.core.visit import Visit
from branchline.web.table import page as table_page

KEY = "a" * 64


class Blind:
    """A guide that wants cards to be drawn blind."""

    noticed: list[bool]

    def __init__(self) -> None:
        self.noticed = []

    def view(self, room: Room, guide: Guide, language: str) -> GuideView:
        return GuideView(f"Draw ({language})", ("Take <one> blind.",), marks=("deck-train",), answer=guide.notes)

    def judge(self, before: Room, after: Room, guide: Guide, language: str) -> str | None:
        if after.steps[-1].row.text != "blind":
            raise Refused(ANSWER, "Blind, please.")
        return f"{len(after.steps) - guide.given} drawn"

    def reply(self, room: Room, guide: Guide) -> str | None:
        return "blind"

    async def noted(self, live: LiveRooms, live_room: LiveRoom, guide: Guide, refused: bool) -> None:
        self.noticed.append(refused)


@pytest.fixture
def kind() -> Iterator[Blind]:
    KINDS["blind"] = Blind()
    yield KINDS["blind"]  # type: ignore[misc]
    del KINDS["blind"]


@pytest.fixture
def live(database: str) -> Iterator[LiveRooms]:
    settings = Settings(database=database)
    store = Store(database)
    made = LiveRooms(store, notifier_for(settings, store), settings)
    yield made
    made.bot_executor.close()
    store.close()


async def guided_room(live: LiveRooms) -> LiveRoom:
    """Berlin after both have chosen their tickets and the first player has drawn two cards."""
    game = Game(load_board("berlin"), 2, 4, first_seat=1)
    for _ in range(2):
        game.play(game.legal[-1])
    game.play("blind")
    game.play("blind")
    sitting = [SeatSetup("person", "Ada", key=KEY), SeatSetup("bot", "Bo", "easy")]
    return await creation.from_position(live, game.record(), len(game.actions), sitting, Guide("blind", "two cards"))


async def play(live: LiveRooms, room: LiveRoom, action: str) -> None:
    now = time.time()
    await guided.change(live, room, lambda before: before.played(0, action, now), "pl", now)


def test_a_guide_refuses_what_it_does_not_want_and_nothing_is_played(live: LiveRooms, kind: Blind) -> None:
    async def learn() -> None:
        room = await guided_room(live)
        before = room.room
        assert before.guide == Guide("blind", "two cards", given=4) and before.row.asked == 0
        with pytest.raises(Refused, match=r"^Blind, please\.$") as refusal:
            await play(live, room, "tickets")
        assert refusal.value.reason == ANSWER and room.room.game.fingerprint == before.game.fingerprint
        with pytest.raises(IllegalAction):  # what the rules do not allow is told by the rules
            await play(live, room, "withdraw")
        await play(live, room, "blind")
        assert room.room.guide == replace(before.guide, notes="1 drawn")
        assert kind.noticed == [True, False]

    asyncio.run(learn())


def test_the_bots_of_a_guided_room_do_what_the_guide_says(live: LiveRooms, kind: Blind) -> None:
    async def learn() -> None:
        room = await guided_room(live)
        await play(live, room, "blind")
        await play(live, room, "blind")
        assert room.driver is not None
        await room.driver
        drawn = [step.row.text for step in room.room.steps if step.row.seat == 1]
        assert drawn[-2:] == ["blind", "blind"] and room.room.row.asked == 0
        stored = live.store.load(room.id)
        assert stored is not None and restored(stored).guide == room.room.guide

    asyncio.run(learn())


def test_a_guided_room_is_in_no_list_and_soon_deleted(live: LiveRooms, kind: Blind) -> None:
    async def learn() -> None:
        room, watched = await guided_room(live), await guided_room(live)
        assert live.store.rooms_of(KEY) == [] and live.store.open_rooms() == []
        assert finished(live.store) == [] and latest(live.store, 9) == []
        assert live.store.rights(room.id, KEY) == (0,) and live.store.rights(room.id, "b" * 64) == ()
        assert purge_guided(live.store) == 0
        with live.store.engine.begin() as connection:
            connection.execute(rooms.update().values(touched=time.time() - (GUIDED_DAYS + 1) * DAY))
        assert purge_guided(live.store, spare=[watched.id]) == 1
        assert live.store.load(room.id) is None and live.store.load(watched.id) is not None

    asyncio.run(learn())


def test_what_the_guide_says_stands_beside_the_table_in_the_viewers_language(live: LiveRooms, kind: Blind) -> None:
    async def learn() -> None:
        room = await guided_room(live)
        viewer = Viewer(mine=(0,), host=True, visit=Visit("de"))
        context = table_context(room.room, viewer, Signer(b"secret"))
        page = table_page.table(context)
        assert "Draw (de)" in page and "Take &lt;one&gt; blind." in page and 'data-marks="deck-train"' in page
        assert context.spectator_link == context.device_link == "" and 'data-do="resign"' not in page
        await play(live, room, "blind")
        after = table_context(room.room, viewer, Signer(b"secret"))
        assert "1 drawn" in table_page.fragments(after, context)["guide"]

    asyncio.run(learn())
