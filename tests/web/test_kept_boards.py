"""A board that is edited, renamed or deleted while a game is played: the game goes on on the board as it was."""

from __future__ import annotations

import asyncio
import gc
import inspect
import shutil
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from branchline.boards import Board
from branchline.boards.catalogue import BUILTIN
from branchline.web.app import notifier_for
from branchline.web.core.rooms import creation, kept_boards
from branchline.web.core.rooms.boards import board_by_name
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.room import Room
from branchline.web.core.settings import Settings
from branchline.web.core.store import tables
from branchline.web.core.store.database import Store
from web.games import HOST


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board of one's own."""
    made = tmp_path / "boards" / "mine"
    shutil.copytree(BUILTIN / "berlin", made)
    board = (made / "board.toml").read_text(encoding="utf-8")
    (made / "board.toml").write_text(board.replace('id = "berlin"', 'id = "mine"'), encoding="utf-8")
    monkeypatch.setenv("BRANCHLINE_BOARDS", str(made.parent))
    return made


def swap_routes(folder: Path) -> None:
    """Put the first route last: every other one gets another number."""
    head, first, *others = (folder / "routes.csv").read_text(encoding="utf-8").splitlines()
    (folder / "routes.csv").write_text("\n".join((head, *others, first)) + "\n", encoding="utf-8")


def owned(room: Room) -> list[tuple[str, str, str]]:
    """Who owns what, by the names of the places."""
    players = room.game.view(None).seats
    return sorted((route.a.name, route.b.name, str(one.seat)) for one in players for route in one.routes)


async def served(database: str, room: str = "", most: int = 0) -> Room:
    """A room, or a new one, in a process that has just started, after some more actions."""
    settings = Settings(database=database)
    store = Store(database)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    try:
        if room:
            found = await live.get(room)
        else:
            sitting = tuple(SeatSetup("person", f"Anna {n}", key=HOST) for n in range(2))
            found = await creation.create(live, creation.RoomSetup("mine", sitting, seed=1), HOST)
        assert found is not None
        for _ in range(most):
            await claim_or_draw(live, found)
        return found.room
    finally:
        live.bot_executor.close()
        store.close()


async def claim_or_draw(live: LiveRooms, live_room: LiveRoom) -> None:
    legal, asked = live_room.room.game.legal, live_room.room.row.asked
    assert asked is not None
    wanted = next((action for action in legal if str(action).startswith("claim")), legal[0])
    await live.change(live_room, lambda now: now.played(asked, wanted, 5.0))


@pytest.mark.long
def test_claims_stay_where_they_are_when_the_board_is_edited(database: str, folder: Path) -> None:
    before = asyncio.run(served(database, most=40))
    assert len(owned(before)) > 3
    swap_routes(folder)
    assert board_by_name("mine").digest != before.board.digest
    after = asyncio.run(served(database, before.id))
    assert owned(after) == owned(before) and after.board.digest == before.board.digest
    further = asyncio.run(served(database, before.id, most=6))
    assert set(owned(further)) >= set(owned(before)) and further.row.version == before.row.version + 6
    new = asyncio.run(served(database))
    assert new.board.digest == board_by_name("mine").digest, "new rooms are played on the board of today"


@pytest.mark.long
def test_a_game_goes_on_when_its_board_is_gone_or_broken(database: str, folder: Path) -> None:
    before = asyncio.run(served(database, most=40))
    (folder / "routes.csv").write_text("nonsense\n", encoding="utf-8")
    assert asyncio.run(served(database, before.id, most=2)).row.version == before.row.version + 2
    shutil.rmtree(folder)
    after = asyncio.run(served(database, before.id, most=2))
    assert set(owned(after)) >= set(owned(before)) and after.row.version == before.row.version + 4


@pytest.mark.long
def test_the_backdrop_is_kept_too(database: str, folder: Path) -> None:
    shutil.rmtree(folder)
    shutil.copytree(BUILTIN / "europe", folder)
    text = (folder / "board.toml").read_text(encoding="utf-8")
    (folder / "board.toml").write_text(text.replace('id = "europe"', 'id = "mine"'), encoding="utf-8")
    before = asyncio.run(served(database))
    drawn = before.board.map["backdrop"]
    shutil.rmtree(folder)
    after = asyncio.run(served(database, before.id))
    assert after.board.folder is not None
    assert (after.board.folder / str(drawn)).read_bytes() == (BUILTIN / "europe" / str(drawn)).read_bytes()


@pytest.mark.long
def test_a_room_of_before_boards_were_kept_is_played_on_and_its_board_kept_from_then_on(
    database: str, folder: Path
) -> None:
    before = asyncio.run(served(database, most=40))
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(tables.boards.delete())
    store.close()
    assert owned(asyncio.run(served(database, before.id))) == owned(before)
    swap_routes(folder)
    assert owned(asyncio.run(served(database, before.id))) == owned(before)


@pytest.mark.long
def test_a_board_is_kept_once_for_all_rooms(database: str, folder: Path) -> None:
    for _ in range(3):
        asyncio.run(served(database))
    swap_routes(folder)
    asyncio.run(served(database))
    store = Store(database)
    with store.engine.connect() as connection:
        assert len(connection.execute(sa.select(tables.boards.c.digest)).all()) == 2
    store.close()


def backdrop_of(board: Board) -> Path:
    assert board.folder is not None
    return board.folder / "map.geojson"


def test_the_folder_of_a_board_is_there_as_long_as_the_board() -> None:
    files = {file.name: file.read_text("utf-8") for file in (BUILTIN / "berlin").iterdir() if file.is_file()}
    made = kept_boards.made_of(files, "map.geojson")
    read: Any = inspect.unwrap(kept_boards._kept)  # without the cache, which lets go of boards when it likes
    boards = [read(made.key, made.name, made.files) for _ in range(2)]
    backdrops = [backdrop_of(board) for board in boards]
    assert all(file.is_file() for file in (*backdrops, backdrop_of(kept_boards.here(made))))
    boards.clear()
    gc.collect()
    assert not any(file.exists() for file in backdrops)
    assert backdrop_of(kept_boards.here(made)).is_file()
