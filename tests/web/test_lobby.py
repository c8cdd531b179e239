"""The lobby: one invitation for whichever seat is open, clocks that wait, links that carry what a receiver needs."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import httpx

from branchline.boards import load_board
from branchline.game import Game
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import clock
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from web.servers import Person, Server

CLOCK = Options(clock="turn", clock_seconds=60.0)
TWO = {"board": "berlin", "seats": "2", "kind0": "me", "kind1": "open", "name0": "Anna", "first": "0"}


def test_clocks_run_once_everybody_sits() -> None:
    game = Game(load_board("berlin"), 3, 1, first_seat=0)
    setups = [SeatSetup("person", "Anna", key="a"), SeatSetup("open"), SeatSetup("open")]
    room, _ = new_room("r", game, "berlin", setups, CLOCK, "a", 0.0)
    room = room.begun(1_000.0)
    assert room.row.due_at is None
    assert clock.left(CLOCK, room.seats, 0, room.row, 5_000.0) == 60.0
    half, change = room.taken(1, "Bert", "b", 2_000.0)
    half, _ = half.timed(room, change, 2_000.0)
    assert half.row.due_at is None and clock.left(CLOCK, half.seats, 0, half.row, 9_000.0) == 60.0
    full, change = half.taken(2, "Cleo", "c", 9_000.0)
    full, _ = full.timed(half, change, 9_000.0)
    assert full.row.due_at == 9_060.0
    assert clock.left(CLOCK, full.seats, 0, full.row, 9_010.0) == 50.0


def test_who_answers_before_the_others_came_loses_no_time() -> None:
    game = Game(load_board("berlin"), 2, 1, first_seat=0)
    options = replace(CLOCK, clock="game")
    room, _ = new_room("r", game, "berlin", [SeatSetup("person", key="a"), SeatSetup("open")], options, "a", 0.0)
    room = room.begun(0.0)
    after, change = room.played(0, game.legal[0].text, 500.0)
    after, _ = after.timed(room, change, 500.0)
    assert after.seats[0].time_left == 60.0


def invitation(page: httpx.Response) -> str:
    found = re.search(r'data-invite="([^"]+)"', page.text)
    assert found
    return found[1]


def test_one_invitation_seats_whoever_comes_until_all_seats_are_taken(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(**TWO | {"seats": "3", "kind2": "open"})
            path = f"/t/{room}"
            link = invitation(await anna.http.get(path))
            code = await anna.http.get(f"{path}/code.svg?at={server.url}")
            assert code.headers["content-type"] == "image/svg+xml"
            assert (await anna.http.get(link)).headers["location"] == path, "the host has a seat already"
            for name in ("Bert", "Cleo"):
                async with Person(server.url) as friend:
                    assert "Anna invites you to play." in (await friend.http.get(link)).text
                    assert (await friend.form(link, page=link, name=name)).headers["location"] == path
                    assert (await friend.http.get(f"{path}/code.svg?at={server.url}")).status_code == 404
            async with Person(server.url) as late:
                answer = await late.http.get(link)
                assert answer.status_code == 409 and "All seats at this table are taken" in answer.text
            assert 'id="invitation"' not in (await anna.http.get(path)).text

    asyncio.run(play())


def test_a_private_table_says_what_to_ask_for_and_not_whether_it_is_there(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as stranger:
            bodies = set()
            for room in (await anna.new(**TWO), "zzzzzzzzzzzz"):
                answer = await stranger.http.get(f"/t/{room}")
                assert answer.status_code == 404 and "ask them for the invitation" in answer.text
                bodies.add(re.sub(r'value="[^"]*"', "", answer.text).replace(room, ""))
            assert len(bodies) == 1

    asyncio.run(play())


SHARED = {
    "replay/3": "/replay/3",
    "replay": "/replay",
    "analysis": "/analysis",
    "record.json": "",
    "replay/3/../../x": "",
    "//elsewhere.example": "",
}


def test_the_link_for_watching_leads_to_what_was_shared_and_nowhere_else(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            path = f"/t/{await anna.new(**TWO | {'kind1': 'bot'})}"
            found = re.search(r'data-copy="([^"]*/w/[^"]+)"', (await anna.http.get(path)).text)
            assert found
            for to, arrives in SHARED.items():
                async with httpx.AsyncClient(base_url=server.url) as friend:
                    answer = await friend.get(found[1], params={"to": to, "perspective": "all"})
                    assert answer.status_code == 303, "a browser without a cookie is given one first"
                    answer = await friend.get(answer.headers["location"])
                    assert answer.headers["location"] == path + (f"{arrives}?perspective=all" if arrives else "")

    asyncio.run(play())
