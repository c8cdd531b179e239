"""Whole games over the wire: by the JSON API alone, and in a browser's way over the WebSocket."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest

from branchline.game import Record
from table import EDITIONS
from web.servers import Bot, Person, Server, hear, say

BOT, ME, OPEN = {"kind": "bot", "bot": "greedy"}, {"kind": "me"}, {"kind": "open"}


EACH = [pytest.param(one, marks=[pytest.mark.long] if one != "berlin" else []) for one in EDITIONS]


@pytest.mark.long
@pytest.mark.parametrize("edition", EACH)
def test_a_remote_bot_creates_a_game_and_plays_it_to_the_end(server: Server, edition: str) -> None:
    async def play() -> None:
        async with Bot(server.url) as bot:
            made = await bot.create(edition, [ME, BOT], pace=0)
            await bot.play(made["room"], random.Random(1).choice)
            record = Record.from_json((await bot.call("GET", f"/rooms/{made['room']}/record")).text)
            game = record.replay()
            state = await bot.get(f"/rooms/{made['room']}/state")
            assert state["over"]
            assert [one["total"] for one in state["scores"]["seats"]] == list(game.scores.totals)

    asyncio.run(play())


@pytest.mark.long
def test_two_remote_bots_play_by_invitation(server: Server) -> None:
    async def play() -> None:
        async with Bot(server.url) as host, Bot(server.url) as guest:
            made = await host.create("berlin", [ME, OPEN])
            invite = made["players"][1]["invite"].split("/")[-1]
            answer = await guest.call("POST", f"/rooms/{made['room']}/join", json={"invite": invite, "seat": 1})
            assert answer.status_code == 200, answer.text
            guest.token = answer.json()["token"]
            luck = random.Random(2)
            await asyncio.gather(host.play(made["room"], luck.choice), guest.play(made["room"], luck.choice))
            over = await host.get(f"/rooms/{made['room']}")
            assert over["status"] == "over"

    asyncio.run(play())


async def play_by_socket(person: Person, room: str, luck: random.Random, most: int = 10_000) -> list[dict[str, Any]]:
    """Play over the WebSocket until the game is over; all that was heard."""
    heard = []
    async with person.talk(room) as talk:
        await say(talk, do="hello", version=0)
        for _ in range(most):
            message = await hear(talk)
            heard.append(message)
            assert "error" not in message or message["error"] == "stale", message
            if message.get("sound") == "over":
                break
            legal = await person.get(f"/rooms/{room}/legal")
            if legal["actions"] and legal["version"] == message["version"]:
                await say(talk, do="play", version=message["version"], action=luck.choice(legal["actions"])["text"])
    return heard


@pytest.mark.parametrize("edition", EACH)
def test_a_person_plays_bots_over_the_socket(server: Server, edition: str) -> None:
    async def play() -> None:
        async with Person(server.url) as person:
            room = await person.new(board=edition, seats="3", bot="greedy", pace="0")
            heard = await play_by_socket(person, room, random.Random(3))
            versions = [message["version"] for message in heard]
            assert versions == sorted(versions)
            assert (await person.get(f"/rooms/{room}"))["status"] == "over"
            replay = await person.http.get(f"/t/{room}/replay/5.json", params={"perspective": "all"})
            assert replay.status_code == 200, replay.text[:300]
            assert replay.json()["n"] == 5
            older = await person.http.get(f"/t/{room}/replay/5.json", params={"eyes": "all"})
            assert older.json() == replay.json(), "links made before the parameter had its name go on working"
            step = await person.http.get(f"/t/{room}/replay/5.json", params={"perspective": "all", "since": "4"})
            pieces = {name for name in step.json()["fragments"] if re.fullmatch(r"(route|place)-\d+", name)}
            assert set(step.json()["fragments"]) - pieces < set(replay.json()["fragments"])
            assert "board" in replay.json()["fragments"]
            assert "board" not in step.json()["fragments"]
            assert len(step.content) < len(replay.content) / 4
            for hostile in ("-1", "99999", "x", "4" * 5000):
                answer = await person.http.get(
                    f"/t/{room}/replay/5.json", params={"perspective": "all", "since": hostile}
                )
                assert answer.status_code in (200, 400, 404, 414), answer.text[:300]

    asyncio.run(play())


def test_a_double_click_plays_once(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as person:
            room = await person.new(board="europe", seats="2", kind0="me", kind1="here")
            async with person.talk(room) as talk:
                await say(talk, do="hello")
                version = (await hear(talk))["version"]
                seat = (await person.get(f"/rooms/{room}/legal"))["seat"]
                await say(talk, do="sit", seat=seat)
                legal = (await person.get(f"/rooms/{room}/legal"))["actions"]
                for _ in range(3):
                    await say(talk, do="play", version=version, action=legal[0]["text"])
                await say(talk, do="ping")
                answers = []
                while not answers or answers[-1].get("do") != "pong":
                    answers.append(await hear(talk))
                assert [one["error"] for one in answers if "error" in one] == ["stale", "stale"]
                assert (await person.get(f"/rooms/{room}/legal"))["version"] == version + 1

    asyncio.run(play())
