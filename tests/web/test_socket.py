"""The WebSocket: hello, versions, hot-seat, undo, people who go and come back, and messages nobody should send."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
import websockets
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from branchline.boards import load_board
from branchline.web.core.http.connection import SocketConnection
from branchline.web.core.http.protocol import DOINGS, BadMessage, SocketMessage, read_message
from branchline.web.core.rooms.ids import new_room_id
from web.servers import Person, Server, hear, say, serving


def run(play: Any) -> None:
    asyncio.run(play())


async def until_pong(talk: Any) -> list[dict[str, Any]]:
    """All that is heard until the answer to a ping."""
    await say(talk, do="ping")
    heard: list[dict[str, Any]] = []
    while not heard or heard[-1].get("do") != "pong":
        heard.append(await hear(talk))
    return heard[:-1]


async def alone(person: Person, **more: str) -> str:
    """A room in which nobody but this person acts: both seats are on its device."""
    return await person.new(board="europe", seats="2", kind0="me", kind1="here", first="0", **more)


class Shown(SocketConnection):
    """Has one thing to show."""

    where = "a test"

    async def arrive(self) -> None:
        self._greeted = True
        self.changed()

    async def leave(self) -> None: ...

    async def answer(self, message: SocketMessage) -> None: ...

    async def update(self) -> None:
        await self.send({"news": 1})

    async def complain(self, error: str, why: str) -> None:
        await self.send({"error": error, "why": why})


def test_a_connection_ends_where_its_last_message_is_taken_in_the_moment_in_which_it_goes() -> None:
    """Otherwise it would be counted as watching, for ever."""

    async def play() -> None:
        sends, taken, gone = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def receive() -> dict[str, str]:
            await gone.wait()
            return {"type": "websocket.disconnect"}

        async def send(_: Any) -> None:
            sends.set()
            await taken.wait()

        socket = WebSocket({"type": "websocket", "client": ("127.0.0.1", 1), "headers": []}, receive, send)
        socket.client_state = socket.application_state = WebSocketState.CONNECTED
        server: Any = None  # it is asked about messages only, and there is none
        connection = asyncio.create_task(Shown(socket, server).hold())
        await sends.wait()
        taken.set()
        gone.set()
        done, _ = await asyncio.wait({connection}, timeout=5.0)
        assert done

    run(play)


def test_a_browser_that_left_without_a_word_is_no_fault_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    """What it said before it went is still read; the answers find nobody."""

    async def play() -> None:
        said = ["not JSON", "not JSON either"]

        async def receive() -> dict[str, str]:
            return {"type": "websocket.receive", "text": said.pop(0)} if said else {"type": "websocket.disconnect"}

        async def send(_: Any) -> None:
            raise OSError("the browser is gone")

        socket = WebSocket({"type": "websocket", "client": ("127.0.0.1", 1), "headers": []}, receive, send)
        socket.client_state = socket.application_state = WebSocketState.CONNECTED
        allows_all = SimpleNamespace(allow=lambda *_: True)
        server: Any = SimpleNamespace(rates=allows_all, settings=SimpleNamespace(limits=SimpleNamespace(headers=5.0)))
        connection = Shown(socket, server)
        with contextlib.suppress(WebSocketDisconnect):
            await connection.send({"news": 0})
        await asyncio.wait_for(connection.hold(), 5.0)

    run(play)
    assert not caplog.records


def test_hello_is_answered_with_everything_each_time(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                first = await hear(talk)
                await say(talk, do="hello", version=first["version"] + 7)
                again = await hear(talk)
                assert first["version"] == again["version"]
                assert "board" in first["fragments"]
                assert set(first["fragments"]) == set(again["fragments"])

    run(play)


def test_the_map_is_not_sent_again_to_who_has_drawn_it_at_this_version(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                first = await hear(talk)
                await say(talk, do="hello", version=first["version"])
                again = await hear(talk)
                assert set(first["fragments"]) - set(again["fragments"]) == {"board"}

    run(play)


async def page_of(person: Person, room: str) -> tuple[str, int]:
    """What the server calls a page that it makes, and its version."""
    text = (await person.http.get(f"/t/{room}")).text
    nonce, version = (re.search(pattern, text) for pattern in (r'<style nonce="([^"]+)"', r'data-version="(\d+)"'))
    assert nonce and version
    return nonce[1], int(version[1])


def test_a_page_that_has_just_been_made_is_told_only_what_is_new_and_only_once(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as other:  # so that nobody comes or goes
                await until_pong(other)
                page, version = await page_of(anna, room)
                async with anna.talk(room) as talk:
                    await say(talk, do="hello", version=version, page=page)
                    first = await hear(talk)
                    assert first["version"] == version and first["title"]
                    assert not first["fragments"]
                    await say(talk, do="hello", version=version, page=page)
                    assert "hand" in (await hear(talk))["fragments"]

    run(play)


def test_what_happens_between_page_and_hello_is_shown(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as other:
                page, version = await page_of(anna, room)
                await say(other, do="sit", seat=0)
                await say(other, do="hello")
                await hear(other)
                action = (await anna.get(f"/rooms/{room}/legal"))["actions"][0]["text"]
                await say(other, do="play", version=version, action=action)
                while (await hear(other)).get("version") == version:
                    pass
                async with anna.talk(room) as talk:
                    await say(talk, do="hello", version=version, page=page)
                    heard = await hear(talk)
                    assert heard["version"] > version and heard["events"]
                    assert {"players", "log+"} & set(heard["fragments"])

    run(play)


@pytest.mark.parametrize("page", ["", "x", "another's", "unknown" * 20])
def test_a_page_that_nobody_knows_is_told_everything(server: Server, page: str) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await anna.new(board="europe", seats="2", kind0="me", kind1="open", open="1", first="0")
            nonce, version = await page_of(anna, room)
            async with ben.talk(room) as talk:
                await say(talk, do="hello", version=version, page=nonce if page == "another's" else page)
                assert "question" in (await hear(talk))["fragments"]

    run(play)


def test_nothing_is_said_before_hello(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as talk:
                assert await until_pong(talk) == []

    run(play)


def without_notes(text: str) -> str:
    """A page without what the board says of itself to everybody: its notes name a few tickets."""
    text = html.unescape(text)
    for note in load_board("europe").notes:
        text = text.replace(note, "")
    return text


def test_hot_seat_cards_are_covered_until_the_device_is_handed_over(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            state = await anna.get(f"/rooms/{room}/state", seat=0)
            ticket = state["view"]["offer"][0]["name"]
            ends = list(state["view"]["offer"][0]["places"])
            page = (await anna.http.get(f"/t/{room}")).text
            assert ticket not in without_notes(page)
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                covered = json.dumps(await hear(talk), ensure_ascii=False)
                assert ticket not in without_notes(covered)
                action = (await anna.get(f"/rooms/{room}/legal"))["actions"][0]["text"]
                version = (await anna.get(f"/rooms/{room}/legal"))["version"]
                await say(talk, do="play", version=version, action=action)
                assert (await hear(talk))["error"] == "not_yours"
                await say(talk, do="sit", seat=0)
                shown = json.dumps(await hear(talk), ensure_ascii=False)
                assert all(place in shown for place in ends)
                await say(talk, do="sit", seat=5)
                assert (await hear(talk))["error"] == "not_yours"

    run(play)


def test_a_step_is_taken_back_while_nothing_was_revealed(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await hear(talk)
                await say(talk, do="sit", seat=0)
                legal = await anna.get(f"/rooms/{room}/legal")
                await say(talk, do="play", version=legal["version"], action=legal["actions"][0]["text"])
                await until_pong(talk)
                kept = (await anna.get(f"/rooms/{room}/state", seat=0))["view"]
                assert kept["tickets"]
                await say(talk, do="undo", version=legal["version"] + 1)
                await until_pong(talk)
                back = await anna.get(f"/rooms/{room}/legal")
                assert back["seat"] == 0 and back["actions"] == legal["actions"]
                assert back["version"] == legal["version"] + 2
                await say(talk, do="undo", version=back["version"])
                assert [one["error"] for one in await until_pong(talk) if "error" in one] == ["nothing_to_undo"]

    run(play)


def test_alone_one_decision_after_the_other_is_taken_back_though_the_bots_have_gone_on(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(
                board="europe", seats="2", kind0="me", kind1="bot", bot1="random", first="0", pace="0"
            )
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await hear(talk)
                asked: list[dict[str, Any]] = []  # what was to be decided, decision by decision

                async def decision() -> dict[str, Any]:
                    while not (legal := await anna.get(f"/rooms/{room}/legal"))["actions"]:
                        await hear(talk)  # the bot goes on
                    return legal

                for _ in range(6):
                    asked.append(await decision())
                    action = asked[-1]["actions"][-1]["text"]
                    await say(talk, do="play", version=asked[-1]["version"], action=action)
                    await until_pong(talk)
                now = await decision()
                assert now["version"] > len(asked) + 2, "the bot has had its turns"
                for before in reversed(asked):
                    await say(talk, do="undo", version=now["version"])
                    assert not [one["error"] for one in await until_pong(talk) if "error" in one]
                    now = await decision()
                    assert now["actions"] == before["actions"]
                await say(talk, do="undo", version=now["version"])
                assert [one["error"] for one in await until_pong(talk) if "error" in one] == ["nothing_to_undo"]

    run(play)


def test_only_who_has_a_key_is_let_in(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as eve:
            room = await alone(anna)
            assert (await eve.http.get(f"/t/{room}")).status_code == 404
            for stranger, where, origin, code in (
                (eve, room, server.url, 4404),
                (anna, new_room_id(), server.url, 4404),
                (anna, "nowhere", server.url, 4404),
                (anna, room, "https://evil.example", 4403),
                (anna, room, None, 4403),
            ):
                async with stranger.talk(where, origin=origin) as talk:
                    with pytest.raises(websockets.ConnectionClosed) as closed:
                        await hear(talk)
                    assert closed.value.rcvd is not None and closed.value.rcvd.code == code

    run(play)


def test_a_spectator_sees_and_does_nothing(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as willi:
            room = await alone(anna)
            link = (await anna.get(f"/rooms/{room}"))["watch"]
            assert (await willi.http.get(link[:-1] + "x")).status_code == 404
            assert (await willi.http.get(link)).headers["location"] == f"/t/{room}"
            async with willi.talk(room) as talk:
                await say(talk, do="hello")
                version = (await hear(talk))["version"]
                for message in (
                    {"do": "play", "version": version, "action": "blind"},
                    {"do": "undo", "version": version},
                    {"do": "resign", "seat": 0},
                    {"do": "sit", "seat": 0},
                ):
                    await say(talk, **message)
                    assert (await hear(talk))["error"] == "not_yours"

    run(play)


NASTY = [
    "",
    "null",
    "[]",
    "{}",
    '{"do": "dance"}',
    '{"do": "play", "version": "17", "action": "blind"}',
    '{"do": "play", "version": 1e400}',
    '{"do": "play", "version": NaN}',
    '{"do": "play", "version": true, "action": "blind"}',
    '{"do": "play", "version": 0, "action": {"a": 1}}',
    '{"do": "play", "version": 0, "action": "' + "x" * 5000 + '"}',
    '{"do": "play", "version": 0, "action": "\\ud800"}',
    '{"do": "sit", "seat": -5}',
    '{"do": "sit", "seat": 99999999999999999999999}',
    "[" * 10_000,
]


def test_what_the_rules_do_not_allow_is_refused_in_the_language_of_the_page(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open", first="0")
            for language, why in (("de", "unbekannte Aktion"), ("en", "unknown action")):
                async with anna.talk(room, language) as talk:
                    await say(talk, do="hello")
                    version = (await hear(talk))["version"]
                    await say(talk, do="play", version=version, action="whistle")
                    refused = [one for one in await until_pong(talk) if "error" in one]  # who is there is told as well
                    assert [one["error"] for one in refused] == ["illegal"] and why in refused[0]["why"], refused

    run(play)


def test_hostile_messages_are_refused_and_harm_nobody(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as good:
                await say(good, do="hello")
                await hear(good)
                for nasty in NASTY:
                    async with anna.talk(room) as talk:
                        await talk.send(nasty)
                        assert (await hear(talk))["error"] == "bad_message", nasty
                async with anna.talk(room) as talk:
                    await talk.send(b"\x00\xff")
                    assert (await hear(talk))["error"] == "bad_message"
                async with anna.talk(room) as talk:
                    await talk.send("x" * 1_000_000)
                    with pytest.raises(websockets.ConnectionClosed):
                        await hear(talk)
                async with anna.talk(room) as talk:
                    with pytest.raises(websockets.ConnectionClosed) as closed:
                        for _ in range(100):
                            await talk.send("{")
                            await hear(talk)
                    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4400
                await say(good, do="show", what="<script>alert(1)</script>")
                panel = json.dumps(await hear(good))
                assert "<script>" not in panel
                assert "error" not in json.dumps(await until_pong(good))
        assert "Traceback" not in server.log.read_text()

    run(play)


@given(st.text() | st.binary())
def test_any_message_is_read_or_refused(content: str | bytes) -> None:
    with contextlib.suppress(BadMessage):
        read_message(content)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(
    st.fixed_dictionaries(
        {"do": st.sampled_from(sorted(DOINGS)) | _JSON},
        optional=dict.fromkeys(["version", "action", "seat", "what"], _JSON),
    )
)
def test_any_fields_are_read_or_refused(table: dict[str, Any]) -> None:
    try:
        message = read_message(json.dumps(table))
    except (BadMessage, ValueError):
        return
    assert isinstance(message, SocketMessage) and isinstance(message.version, int) and isinstance(message.action, str)


@pytest.mark.long
def test_who_asks_too_fast_is_told_so_and_then_let_go(tmp_path: Any) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna:
            room = await alone(anna)
            async with anna.talk(room) as talk:
                for _ in range(200):
                    await say(talk, do="ping")
                heard = [await hear(talk) for _ in range(165)]
                assert any(one.get("error") == "too_fast" for one in heard)

    with serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path, "--rates", "1") as usual:
        asyncio.run(play(usual.url))


@pytest.mark.long
def test_who_dials_too_often_is_turned_away_before_anything_is_read_for_it(tmp_path: Any) -> None:
    async def dial(url: str) -> list[int]:
        async with Person(url) as anna:
            room = await alone(anna)
            found = []
            for _ in range(200):
                try:
                    async with anna.talk(room):
                        found.append(101)
                except websockets.InvalidStatus as refusal:
                    found.append(refusal.response.status_code)
                    break
            return found

    with serving(f"sqlite:///{tmp_path / 'rooms.sqlite'}", tmp_path, "--rates", "0.1") as usual:
        *let_in, last = asyncio.run(dial(usual.url))
        assert set(let_in) == {101} and len(let_in) > 20
        assert last == 403


@pytest.mark.long
def test_a_bot_stands_in_for_somebody_who_stays_away_and_gives_the_seat_back(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", takeover="1", pace="0", first="0")
            players = (await anna.get(f"/rooms/{room}"))["players"]
            while not players[0]["away"]:
                await asyncio.sleep(0.25)
                players = (await anna.get(f"/rooms/{room}"))["players"]
            assert players[0]["away"] and players[0]["bot"]
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await hear(talk)
                players = (await anna.get(f"/rooms/{room}"))["players"]
                assert not players[0]["away"] and players[0]["connected"] and not players[0]["bot"]

    run(play)


@pytest.mark.long
def test_who_resigns_leaves_the_game_to_a_bot_and_a_rematch_is_one_for_all(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", pace="0", first="0")
            assert (await anna.form(f"/t/{room}/rematch", page="/new")).status_code == 409
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await hear(talk)
                await say(talk, do="resign")
                while (await hear(talk)).get("sound") != "over":
                    pass
                answers = [await anna.form(f"/t/{room}/rematch", page="/new") for _ in range(2)]
                assert answers[0].headers["location"] == answers[1].headers["location"]
                again = answers[0].headers["location"].removeprefix("/t/")
                assert (await anna.get(f"/rooms/{again}"))["seats"] == [0]
                assert (await anna.get(f"/rooms/{again}/state", seat=0))["view"]["first_seat"] == 1
                assert (await anna.get(f"/rooms/{room}"))["rematch"] == again

    run(play)


@pytest.mark.long
def test_a_turn_that_takes_too_long_is_played_by_a_bot(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna:
            room = await anna.new(
                board="berlin", seats="2", kind0="me", kind1="bot", clock="turn 5", pace="0", first="0"
            )
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await hear(talk)
                while "ran out of time." not in (await hear(talk)).get("fragments", {}).get("log+", ""):
                    pass
                await say(talk, do="back")
                while "is back." not in (await hear(talk)).get("fragments", {}).get("log+", ""):
                    pass

    run(play)
