"""Links that give something away: made anew they are useless, and once opened they are in no address any more."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from web.servers import Bot, Person, Server, hear, say


async def links_at(person: Person, room: str) -> dict[str, str]:
    """The links that somebody at the table may copy, by their kind."""
    page = (await person.http.get(f"/t/{room}")).text
    return {link.split("/")[1]: link for link in re.findall(r'data-copy="([^"]*)"', page)}


async def opens(url: str, link: str) -> bool:
    """Whether a stranger who opens a link is let in."""
    async with Person(url) as stranger:
        answer = await stranger.http.get(link)
        assert answer.status_code in (200, 303, 404), answer.text
        return answer.status_code != 404


def test_the_host_makes_new_links_and_the_old_ones_are_useless(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open", first="0")
            old = await links_at(anna, room)
            assert sorted(old) == ["d", "j", "w"] and all([await opens(server.url, link) for link in old.values()])
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                version = (await hear(talk))["version"]
                await say(talk, do="links")
                heard = [await hear(talk), await hear(talk)]
                assert {"said": "links"} in heard
                [told] = [one for one in heard if "fragments" in one]
                assert told["version"] == version
                shown = told["fragments"]["seats"] + told["fragments"]["tools"]
            new = await links_at(anna, room)
            assert all(f'data-copy="{link}"' in shown for link in new.values())
            assert not set(old.values()) & set(new.values())
            assert not any([await opens(server.url, link) for link in old.values()])
            assert all([await opens(server.url, link) for link in new.values()])
            async with Person(server.url) as ben:
                assert (await ben.form(old["j"], page=new["j"], name="Ben")).status_code == 404
                assert (await ben.form(old["d"], page=new["d"])).status_code == 404
                invite = old["j"].rpartition("/")[2]
                joined = await Bot(server.url).call("POST", f"/rooms/{room}/join", json={"invite": invite, "seat": 1})
                assert joined.status_code == 404
                assert (await ben.form(new["j"], page=new["j"], name="Ben")).status_code == 303

    asyncio.run(play())


def test_a_guest_renews_the_links_to_its_own_seat_only(server: Server) -> None:
    async def play() -> None:
        async with Bot(server.url) as host, Bot(server.url) as guest, Bot(server.url) as stranger:
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
            made = await host.create("berlin", seats)
            room, invite = made["room"], made["players"][1]["invite"].rpartition("/")[2]
            joined = await guest.call("POST", f"/rooms/{room}/join", json={"invite": invite, "seat": 1})
            guest.token = joined.json()["token"]
            before = await guest.get(f"/rooms/{room}")
            after = (await guest.call("POST", f"/rooms/{room}/links")).json()
            assert after["device"] != before["device"] and after["watch"] == before["watch"]
            now = await host.get(f"/rooms/{room}")
            assert now["device"] == made["device"] and now["players"][2]["invite"] == made["players"][2]["invite"]
            assert (await stranger.call("POST", f"/rooms/{room}/links")).status_code == 404
            assert not await opens(server.url, before["device"]) and await opens(server.url, after["device"])

    asyncio.run(play())


@pytest.mark.parametrize("wrong", ["9-x", "99-x", "0123456789-x", "-x", "²-x", "0"])
def test_a_device_link_to_a_seat_that_is_not_there_is_not_there(server: Server, wrong: str) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot")
            assert not await opens(server.url, f"/d/{room}/{wrong}")

    asyncio.run(play())


def test_an_opened_link_leaves_no_key_in_an_address(server: Server) -> None:
    """What the browser shows, keeps and tells other sites is an address without a key."""

    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open", first="0")
            links = await links_at(anna, room)
            answers = [
                await ben.http.get(links["w"]),
                await ben.form(links["j"], page=links["j"], name="Ben"),
                await ben.form(links["d"], page=links["d"]),
            ]
            assert [answer.headers["location"] for answer in answers] == [f"/t/{room}"] * 3
            shown = await httpx.AsyncClient(base_url=server.url).get(links["j"])
            for answer in (*answers, shown):
                assert answer.headers["referrer-policy"] == "same-origin"
                assert answer.headers["cache-control"] == "no-store"

    asyncio.run(play())
