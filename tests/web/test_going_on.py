"""A game without others goes on in its browser and comes back: nothing is lost, and nothing in it is believed."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from branchline.boards import load_board
from branchline.game import Game, Record
from branchline.plain_data import JsonObject
from branchline.site.bridge import Bridge
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from branchline.web.core.rooms.own_games import copy_of
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import Settings
from branchline.web.my_games import results
from web.running_here import running_here
from web.servers import NO_TLS, Person

pytestmark = pytest.mark.long
COPY = re.compile(
    r'<script type="application/json" id="copy" data-version="(\d+)" data-csrf="[^"]+">(.*?)</script>', re.DOTALL
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    folder = tmp_path_factory.mktemp("offline")
    with running_here(Settings(f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False, copies=True)) as found:
        yield found


class Table:
    """A table of one person and a bot at a server, and what the person's browser has of it."""

    def __init__(self, url: str, server: Any, seed: int = 3, steps: int = 8) -> None:
        self.anna, self.server = Person(url), server
        self.key = token_hash(self.anna.token)
        self.id = self.keep(seed, steps)

    def keep(self, seed: int, steps: int) -> str:
        """A new room of this person, some steps old, in which the person is asked."""
        game = Game(load_board("berlin"), 2, seed)
        sitting = [SeatSetup("person", "Anna", key=self.key), SeatSetup("bot", "easy", "easy")]
        room, keys = new_room(new_room_id(), game, "berlin", sitting, Options(), self.key, time.time())
        room = on(room, seed, steps)
        self.server.store.create(room.row, room.seats, room.states, keys, room.log)
        return room.id

    async def copy(self) -> tuple[str, JsonObject]:
        """What the page holds: the version of the room, and the game."""
        found = COPY.search((await self.anna.http.get(f"/t/{self.id}")).text)
        assert found
        return found[1], json.loads(unescape(found[2]))

    async def bring(self, version: str, data: JsonObject | str, room: str = "") -> Any:
        """The answer to a course."""
        text = data if isinstance(data, str) else json.dumps(data)
        return await self.anna.form(f"/t/{room or self.id}/course", version=version, file=text)

    def room(self, room: str = "") -> Room:
        """The room as it is stored."""
        stored = self.server.store.load(room or self.id)
        assert stored is not None
        return restored(stored)

    def actions(self, room: str = "") -> list[str]:
        """What counts there."""
        return list(self.room(room).record().actions)


def on(room: Room, seed: int, steps: int) -> Room:
    """A room after some random steps, and more until its person is asked."""
    luck = random.Random(seed)
    while not room.game.over and (steps > 0 or room.question.seat != 0):
        seat = room.question.seat
        assert seat is not None
        room, _ = room.played(seat, luck.choice(list(room.game.legal)), time.time())
        steps -= 1
    return room


def played_on(data: JsonObject, seed: int, steps: int = 6) -> JsonObject:
    """The game as it is when its browser has gone on with it."""
    record = Record.from_json(json.dumps(data["games"][0]["record"]))
    game, luck = record.replay(load_board("berlin")), random.Random(seed)
    while not game.over and (steps > 0 or game.question.seat != 0):
        game.play(luck.choice(list(game.legal)))
        steps -= 1
    return with_actions(data, list(game.actions))


def with_actions(data: JsonObject, actions: list[str]) -> JsonObject:
    changed: JsonObject = json.loads(json.dumps(data))
    changed["games"][0]["record"]["actions"] = actions
    return changed


def course(data: JsonObject) -> list[str]:
    return list(data["games"][0]["record"]["actions"])


def test_what_was_played_offline_is_at_the_table_and_counts_for_no_rating(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        assert course(data) == table.actions()
        later = played_on(data, 5)
        answer = await table.bring(version, later)
        assert answer.json()["done"] == "taken" and answer.json()["said"]
        assert table.actions() == course(later)
        assert not results.counts_for_rating(table.room(), frozenset())
        before = table.room().row.version

        again = await table.bring(version, later)  # the answer was lost
        assert again.json()["done"] == "here"
        assert table.room().row.version == before

    asyncio.run(play())


def test_where_both_went_on_the_second_course_gets_a_table_of_its_own_once(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        later = played_on(data, 5)
        change_here(table, lambda room: room.played(0, next(iter(room.game.legal)), time.time()))
        there = table.actions()
        answers = [(await table.bring(version, later)).json() for _ in range(2)]
        assert [answer["done"] for answer in answers] == ["beside", "beside"] and answers[0]["to"] == answers[1]["to"]
        assert table.actions()[: len(there)] == there
        assert table.actions(answers[0]["to"].removeprefix("/t/")) == course(later)
        assert (await table.anna.http.get(answers[0]["to"])).status_code == 200

    asyncio.run(play())


def change_here(table: Table, act: Callable[[Room], Any]) -> None:
    """Something is done at the server by another process: this one hears of it when it looks."""
    room = table.room()
    _, change = act(room)
    table.server.store.write(change, room.row.version)


def test_a_press_for_the_table_as_it_was_before_the_course_came_is_refused(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        seen, question = table.room().version_for((0,)), next(iter(table.room().game.legal))
        later = played_on(data, 5)
        await table.bring(version, later)
        async with table.anna.talk(table.id) as talk:
            await talk.send(json.dumps({"do": "play", "version": seen, "action": question.text}))
            while "error" not in (heard := json.loads(await asyncio.wait_for(talk.recv(), 20))):
                pass
            assert heard["error"] == "stale"
        assert table.actions() == course(later)

    asyncio.run(play())


def test_what_only_bots_have_played_meanwhile_gives_way(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        ahead = on(table.room(), 9, 1)  # a step of the person, then of the bot until the person is asked
        bots = len(ahead.steps) - next(n for n, step in enumerate(reversed(ahead.steps)) if step.row.seat == 0)
        handed = with_actions(data, [line for step in ahead.steps[:bots] for line in step.lines])
        for step in ahead.steps[len(table.room().steps) :]:
            change_here(table, lambda room, step=step: room.played(step.row.seat, step.row.text, time.time()))
            if len(table.room().steps) == bots:
                version = str(table.room().row.version)
        other = played_on(handed, 77)
        assert (await table.bring(version, other)).json()["done"] == "taken"
        assert table.actions() == course(other)

    asyncio.run(play())


def test_a_press_that_the_server_had_heard_without_the_browser_knowing_is_in_no_ones_way(
    running: tuple[str, Any],
) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        later = played_on(data, 5)
        first = course(later)[len(course(data))]
        change_here(table, lambda room: room.played(0, first.partition(" ")[2], time.time()))
        assert (await table.bring(version, later)).json()["done"] == "taken"
        assert table.actions() == course(later)

    asyncio.run(play())


def test_what_was_taken_back_offline_is_taken_back(running: tuple[str, Any]) -> None:
    table = Table(*running, steps=14)

    async def play() -> None:
        version, data = await table.copy()
        mine = [n for n, line in enumerate(course(data)) if line.startswith("0 ")]
        shorter = with_actions(data, course(data)[: mine[-1]])
        assert (await table.bring(version, shorter)).json()["done"] == "taken"
        assert table.actions()[: mine[-1]] == course(shorter)
        assert len(table.actions()) <= len(course(data))
        assert (await table.bring(version, shorter)).json()["done"] == "here"

    asyncio.run(play())


@pytest.mark.parametrize("meanwhile", ("finished", "taken back"))
def test_a_course_is_kept_beside_a_game_that_went_another_way(running: tuple[str, Any], meanwhile: str) -> None:
    table = Table(*running, steps=14)

    async def play() -> None:
        version, data = await table.copy()
        if meanwhile == "finished":
            luck = random.Random(1)
            while not table_over(table):
                change_here(
                    table,
                    lambda room: room.played(room.question.seat, luck.choice(list(room.game.legal)), time.time()),
                )
        else:
            change_here(table, lambda room: room.undone(0, time.time()))
        there = table.actions()
        later = played_on(data, 5)
        answer = (await table.bring(version, later)).json()
        assert answer["done"] == "beside"
        assert table.actions()[: len(there)] == there
        assert table.actions(answer["to"].removeprefix("/t/")) == course(later)

    asyncio.run(play())


def table_over(table: Table) -> bool:
    return table.room().game.over


SPOILT: dict[str, Callable[[JsonObject], object]] = {
    "another order": lambda data: course_of(data).reverse(),
    "another seed": lambda data: data["games"][0]["record"].update(seed=4),
    "another board": lambda data: data["games"][0].update(board="europe"),
    "another's seat": lambda data: data["games"][0].update(mine=[1]),
    "two games": lambda data: data["games"].append(data["games"][0] | {"record": 5}),
    "no game": lambda data: data["games"].clear(),
    "a line that is none": lambda data: course_of(data).append("0 rob the bank"),
}


def course_of(data: JsonObject) -> list[str]:
    found: list[str] = data["games"][0]["record"]["actions"]
    return found


def test_nothing_in_a_course_is_believed(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        version, data = await table.copy()
        before = table.actions()
        for kind, spoil in SPOILT.items():
            later = played_on(data, 5)
            spoil(later)
            answer = await table.bring(version, later)
            assert answer.status_code == 400 and answer.json()["why"], kind
        assert (await table.bring(version, "[" * 15_000)).status_code == 400
        assert (await table.bring(version, "x" * 62_000)).status_code == 400
        assert (await table.bring(version, "x" * 70_000)).status_code == 413
        assert table.actions() == before

    asyncio.run(play())


def test_a_course_of_another_table_or_for_another_s_is_refused(running: tuple[str, Any]) -> None:
    table, other = Table(*running), Table(*running, seed=4)

    async def play() -> None:
        version, data = await table.copy()
        later = played_on(data, 5)
        assert (await other.bring(version, later)).status_code == 400
        assert (await other.bring(version, later, table.id)).status_code == 404
        own = table.keep(6, 3)
        assert (await table.bring(version, later, own)).status_code == 400

    asyncio.run(play())


def test_only_a_game_without_others_that_a_browser_can_go_on_with_is_handed_over(running: tuple[str, Any]) -> None:
    table = Table(*running)
    room = table.room()
    assert copy_of(room, (0,)) is not None
    assert copy_of(room, ()) is None  # a spectator
    assert copy_of(replace(room, seats=(room.seats[0], replace(room.seats[1], bot="random"))), (0,)) is None
    assert copy_of(replace(room, seats=(room.seats[0], replace(room.seats[1], kind="person", bot=""))), (0,)) is None
    assert copy_of(replace(room, options=Options(clock="turn", clock_seconds=60.0)), (0,)) is None
    over = on(room, 1, 10_000)
    assert copy_of(over, (0,)) is None and copy_of(over, (0,), finished=True) is not None


def test_a_server_that_does_not_offer_it_hands_nothing_over(tmp_path: Path) -> None:
    with running_here(Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)) as (url, server):
        table = Table(url, server)
        page = asyncio.run(table.anna.http.get(f"/t/{table.id}")).text
        assert '<script type="application/json" id="copy"></script>' in page


# ---------------------------------------------------------------------------------------------------- on the site


def test_on_the_site_a_table_goes_on_under_its_name_and_follows_what_the_server_hands_over_next(tmp_path: Path) -> None:
    game = Game(load_board("berlin"), 2, 3)
    sitting = [SeatSetup("person", "Anna", key="k"), SeatSetup("bot", "easy", "easy")]
    room, _ = new_room(new_room_id(), game, "berlin", sitting, Options(), "k", time.time())
    room = on(room, 3, 8)
    handed = copy_of(room, (0,))
    assert handed is not None
    data = json.loads(handed.text)

    async def visit() -> None:
        settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", path="/here", alone=True, copies=True)
        bridge = Bridge(replace(settings, webhooks="off", warm_up=False), "localhost", "https")
        await bridge.open()

        async def take_on(game: JsonObject) -> int:
            headers = [("origin", "https://localhost"), ("content-type", "application/x-www-form-urlencoded")]
            form = urlencode({"file": json.dumps(game)}).encode()
            return (await bridge.request("POST", "/here/along/on", headers, form))[0]

        async def here() -> list[str]:
            status, _, body = await bridge.request("GET", f"/here/t/{room.id}", [], b"")
            found = COPY.search(body.decode())
            assert status == 200 and found
            return course(json.loads(unescape(found[2])))

        try:
            assert await take_on(data) == 200 and await here() == course(data)
            for later in (played_on(data, 5), played_on(data, 6), data):
                assert await take_on(later) == 200
                assert (await here())[: len(course(later))] == course(later)
            assert await take_on({**data, "games": []}) == 400
        finally:
            await bridge.close()

    asyncio.run(visit())


def test_a_server_takes_no_tables_on(running: tuple[str, Any]) -> None:
    table = Table(*running)

    async def play() -> None:
        _, data = await table.copy()
        answer = await table.anna.http.post("/along/on", data={"file": json.dumps(data)})
        assert answer.status_code == 404

    asyncio.run(play())


def test_the_files_of_the_site_come_from_its_folder_only_with_a_frame_for_all_its_pages(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "site").mkdir(parents=True)
    (folder / "index.html").write_text("the frame")
    (folder / "site" / "program.packed").write_bytes(b"packed" * 1000)
    (tmp_path / "secret.txt").write_text("no page")
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, copies=True, site=str(folder))
    with running_here(settings) as (url, _), httpx.Client(base_url=url, verify=NO_TLS) as client:
        page = {"accept": "text/html"}
        for path in ("/here/", "/here/t/abc", "/here/index.html"):
            answer = client.get(path, headers=page)
            assert answer.text == "the frame" and "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        packed = client.get("/here/site/program.packed", headers={"accept-encoding": "gzip"})
        assert packed.content == b"packed" * 1000 and packed.headers["content-encoding"] == "identity"
        assert client.get("/here/site/none.js").status_code == 404
        for path in ("/here/../secret.txt", "/here/%2e%2e/secret.txt", "/here/..%2fsecret.txt"):
            assert "no page" not in client.get(path, headers=page).text
