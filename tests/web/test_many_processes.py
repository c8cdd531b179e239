"""Two real server processes on one PostgreSQL serve the same game: by its own notices, and by Redis."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.game import Record
from web.phones import Phone, made
from web.servers import Bot, Person, Server, hear, say, serving

BOT = {"kind": "bot", "bot": "greedy"}

pytestmark = pytest.mark.long


@pytest.fixture(params=["postgres", "postgres+redis", "sqlite"])
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    else:
        database = request.getfixturevalue("postgres")
    options = ["--redis", request.getfixturevalue("redis")] if "redis" in request.param else []
    with serving(database, tmp_path, *options) as one, serving(database, tmp_path, *options) as other:
        yield one, other


def test_two_people_on_two_servers_and_two_bots_play_one_game(two: tuple[Server, Server]) -> None:
    async def play() -> None:
        async with Bot(two[0].url) as here, Bot(two[1].url) as there:
            made = await here.create("berlin", [{"kind": "me"}, BOT, {"kind": "open"}, BOT], pace=0)
            room, invite = made["room"], made["players"][2]["invite"].split("/")[-1]
            joined = await there.call("POST", f"/rooms/{room}/join", json={"invite": invite, "seat": 2})
            assert joined.status_code == 200, joined.text
            there.token = joined.json()["token"]
            luck = random.Random(5)
            await asyncio.gather(here.play(room, luck.choice), there.play(room, luck.choice))
            records = [(await one.call("GET", f"/rooms/{room}/record")).text for one in (here, there)]
            assert records[0] == records[1]
            assert Record.from_json(records[0]).replay().over

    asyncio.run(play())


def test_what_is_done_on_one_server_is_seen_on_the_other(two: tuple[Server, Server]) -> None:
    async def play() -> None:
        async with Person(two[0].url) as anna:
            room = await anna.new(board="europe", seats="2", kind0="me", kind1="here", first="0")
            elsewhere = Person(two[1].url, key=anna.token)  # her other device
            async with anna.talk(room) as talk, elsewhere.talk(room) as other:
                await say(talk, do="hello")
                version = (await hear(talk))["version"]
                await say(other, do="hello")
                await hear(other)
                await say(talk, do="sit", seat=0)
                legal = (await anna.get(f"/rooms/{room}/legal"))["actions"]
                await say(talk, do="play", version=version, action=legal[0]["text"])
                while (await hear(other))["version"] == version:
                    pass
            await elsewhere.http.aclose()

    asyncio.run(play())


def test_two_devices_play_the_same_action_at_once_and_one_of_them_wins(two: tuple[Server, Server]) -> None:
    async def play() -> None:
        async with Bot(two[0].url) as here:
            made = await here.create("europe", [{"kind": "me"}, {"kind": "me"}])
            async with Bot(two[1].url, here.token) as there:
                room = made["room"]
                for _ in range(12):
                    legal = await here.get(f"/rooms/{room}/legal")
                    action = legal["actions"][0]["text"]
                    doing = {"action": action, "version": legal["version"]}
                    answers = await asyncio.gather(
                        *(one.call("POST", f"/rooms/{room}/actions", json=doing) for one in (here, there))
                    )
                    assert sorted(answer.status_code for answer in answers) == [200, 409], [a.text for a in answers]
                    assert (await there.get(f"/rooms/{room}/legal"))["version"] == legal["version"] + 1

    asyncio.run(play())


def test_a_server_goes_on_with_the_games_of_one_that_was_killed(two: tuple[Server, Server]) -> None:
    async def play() -> None:
        async with Bot(two[0].url) as host:
            made = await host.create("berlin", [{"kind": "me"}, BOT, BOT], pace=1500, first_seat=1)
            async with Bot(two[1].url, host.token) as survivor, Bot(two[0].url, host.token) as watching:
                waiting = asyncio.create_task(watching.call("GET", f"/rooms/{made['room']}/events?since=50&wait=20"))
                await asyncio.sleep(0.3)
                two[0].kill()
                await asyncio.gather(waiting, return_exceptions=True)
                done = await asyncio.wait_for(survivor.play(made["room"], random.Random(1).choice, most=2), 60)
                assert done == 2

    asyncio.run(play())


@pytest.mark.parametrize("two", ["postgres", "sqlite"], indirect=True)  # it is read there, and nobody is told of it
def test_what_one_server_has_analysed_all_show(two: tuple[Server, Server]) -> None:
    async def play() -> None:
        async with Person(two[0].url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", bot1="easy", pace="0", open="1")
            await anna.play(room, random.Random(3).choice)
            asked = await anna.form(f"/t/{room}/analysis", f"/t/{room}/analysis")
            assert asked.status_code == 303, asked.text
            while (here := await anna.http.get(f"/t/{room}/analysis.json")).status_code == 404:
                await asyncio.sleep(0.5)
            assert here.status_code == 200, here.text
            two[0].kill()
            elsewhere = Person(two[1].url, key=anna.token)
            there = await elsewhere.http.get(f"/t/{room}/analysis.json")
            assert there.json() == here.json()
            assert 'class="curve"' in (await elsewhere.http.get(f"/t/{room}/replay/3")).text
            await elsewhere.http.aclose()

    asyncio.run(play())


def test_phones_on_two_servers_deal_from_the_same_decks_and_a_killed_server_takes_nothing_along(
    two: tuple[Server, Server],
) -> None:
    _, _, [anna, ben], screen = made(two[0].url, board="great_lakes")

    async def evening() -> None:
        async with Phone(two[1].url, ben) as hers, Phone(two[1].url, screen) as all_see:
            async with Phone(two[0].url, anna) as his:
                await asyncio.gather(his.keep(), hers.keep())
                for phone in (his, hers):  # until it is told that both have chosen
                    await phone.until(lambda phone=phone: "hidden" in phone.parts["choice"][:200])
                    await phone.until(lambda phone=phone: 'data-deed="next"' in phone.parts["acts"])
                for n in range(6):  # each draws while the other does
                    before = hers.version
                    await asyncio.gather(his.play("draw train"), hers.play("draw ship"))
                    await his.until(lambda n=n: his.version == n + 2)
                    await hers.until(lambda before=before: hers.version == before + 1)
                assert not his.errors + hers.errors
                taken = re.search(r'data-pick="(take 1 [a-z ]+)"', his.parts["market"])
                assert taken
                await his.play(f"{taken[1]} from train")
                await his.until(lambda: his.version == 8)
                for phone in (hers, all_see):
                    await phone.until(lambda phone=phone: "Anna takes " in " ".join(phone.said))
                held = his.parts["hand"]
                two[0].kill()
            await hers.play("draw train")
            await hers.until(lambda: hers.version == 8)
            async with Phone(two[1].url, anna) as again:  # his phone finds the other server
                assert again.parts["hand"] == held and again.version == 8
                assert "draws a card face down (train deck)." in again.parts["log"]

    asyncio.run(evening())
