"""Table talk: who may say what, who hears it, what it looks like, how often, and that the game knows nothing of it."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.boards.letters import MARKS
from branchline.web.core.pages.talk import DRAWINGS, REFUSALS, reaction
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import TALK_KEPT, Refused, Room
from branchline.web.core.rooms.spectators import Spectators
from branchline.web.core.rooms.talk import LONGEST_LINE, Saying, clean_line, heard, said
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import REACTIONS
from branchline.web.core.store import backup
from branchline.web.core.store.database import Conflict, Store
from branchline.web.core.store.purge import purge
from branchline.web.core.visit import Visit
from branchline.web.table import page as table_page
from table import costly
from web.games import HOST, a_room
from web.servers import Bot, Person, Server, hear, say, serving

SIGNER = Signer(b"secret")
SECRET = "only for the seats"
SAID = "for everybody here"


def talking(*sayings: tuple[int, Saying], options: Options | None = None) -> Room:
    """A room of three people in which this was said."""
    room = a_room("berlin", 3, options=options)
    for n, (seat, saying) in enumerate(sayings):
        room, _ = said(room, seat, saying, 2000.0 + n)
    return room


def shown(room: Room, *mine: int, language: str = "en") -> Any:
    """The table as who holds these seats sees it."""
    viewer = Viewer(mine, mine[0] if mine else None, visit=Visit(language, csrf="csrf", nonce="nonce"))
    return table_context(room, viewer, SIGNER, 5000.0)


def refused(room: Room, saying: Saying) -> str:
    with pytest.raises(Refused) as refusal:
        said(room, 0, saying, 2000.0)
    return refusal.value.reason


# ---------------------------------------------------------------------------------------------------- what is said


def test_a_line_loses_what_cannot_be_seen_or_turns_others() -> None:
    assert clean_line("a\u202eb\u2066c\u200bd\u0000e\nf\u2028g\ue000h") == "abcde f gh"
    assert clean_line("  so \t much\u00a0room ") == "so much room"
    assert clean_line("<b>&amp;</b>") == "<b>&amp;</b>", "escaping is the page's business"
    assert (
        clean_line("Zażółć gęślą jaźń, Příliš žluťoučký, שלום 👍🏽") == "Zażółć gęślą jaźń, Příliš žluťoučký, שלום 👍🏽"
    )
    assert clean_line("\u200b\u202e \ud800") == ""


def test_towers_of_accents_are_cut_down() -> None:
    tower = "q" + "\u0323" * 60 + "x"
    assert clean_line(tower) == "q" + "\u0323" * MARKS + "x"


@given(st.text())
def test_any_text_becomes_a_line_that_can_be_shown(text: str) -> None:
    line = clean_line(text)
    assert line == line.strip() and all(letter.isprintable() for letter in line)
    assert clean_line(line) == line


def test_a_table_can_be_without_talk_or_with_reactions_alone() -> None:
    assert refused(talking(options=Options(talk="off")), Saying(reaction="thanks")) == "no_talk"
    quiet = talking(options=Options(talk="reactions"))
    assert refused(quiet, Saying("hello")) == "reactions_only"
    assert said(quiet, 0, Saying(reaction="thanks"), 2000.0)[1].text == "thanks"


def test_what_cannot_be_said_is_refused_in_words_of_every_language() -> None:
    room = talking()
    reasons = {
        refused(room, Saying("x" * (LONGEST_LINE + 1))),
        refused(room, Saying("\u200b")),
        refused(room, Saying(reaction="<script>")),
        refused(talking(options=Options(talk="off")), Saying("x")),
        refused(talking(options=Options(talk="reactions")), Saying("x")),
        "too_fast",
    }
    assert reasons == set(REFUSALS)
    for language in set(LANGUAGES) - {"en"}:
        assert all(translator_for(language)(one) != one for one in REFUSALS.values())


def test_nobody_to_talk_to_is_no_talk() -> None:
    alone = a_room("berlin", 3, people=1)
    assert not shown(alone, 0).talks and not shown(alone).talks
    assert refused(alone, Saying("hello")) == "no_talk"
    assert shown(talking(), 0).talks and shown(talking()).talks
    assert not shown(talking(), 0, 1, 2).talks, "all of them sit around one device"


def test_a_dozen_reactions_are_drawn_and_said_in_each_language() -> None:
    assert len(REACTIONS) == 12 and set(DRAWINGS) == set(REACTIONS)
    for language in LANGUAGES:
        told = [reaction(translator_for(language), code) for code in REACTIONS]
        assert len(set(told)) == 12
    room = talking((1, Saying(reaction="good_luck")))
    assert "Viel Glück!" in table_page.table(shown(room, 0, language="de"))
    assert "Powodzenia!" in table_page.table(shown(room, 0, language="pl"))


def test_a_line_is_escaped_isolated_and_no_link() -> None:
    room = talking((1, Saying('<img src=x onerror="alert(1)"> {0} https://example.org שלום', everybody=True)))
    for context in (shown(room, 0), shown(room)):
        for text in (table_page.table(context), table_page.fragments(context, None)["talk-lines"]):
            assert "<img" not in text and "&lt;img src=x onerror=&#34;" in text
            assert 'href="https://example.org' not in text
            assert 'class="line" dir="auto"' in text
            assert '<time datetime="1970-01-01T00:33:20Z">' in text


# ---------------------------------------------------------------------------------------------------- who hears it


def test_the_last_lines_are_kept_and_each_has_a_moment_of_its_own() -> None:
    room = talking(*((n % 3, Saying(f"line {n}")) for n in range(TALK_KEPT + 5)))
    assert len(room.talk) == TALK_KEPT and room.talk[-1].n == TALK_KEPT + 5
    back = a_room("berlin", 3)
    for n in range(4):
        back, _ = said(back, 0, Saying(f"{n}"), 2000.0 - n)  # clocks of servers go back at times
    moments = [one.at for one in back.talk]
    assert moments == sorted(set(moments))


def test_HIDE_no_byte_for_a_spectator_depends_on_what_is_said_to_the_seats() -> None:
    """The host without a seat is one of them."""
    secret = talking((0, Saying(SECRET)), (1, Saying(SAID, everybody=True)), (2, Saying(reaction="ouch")))
    line = next(one for one in secret.talk if one.everybody)
    silent = replace(secret, talk=(replace(line, n=1),))
    for host in (False, True):
        viewer = Viewer(host=host, visit=Visit(csrf="csrf", nonce="nonce"))
        one, other = (table_context(room, viewer, SIGNER, 5000.0) for room in (secret, silent))
        assert table_page.table(one) == table_page.table(other) and SAID in table_page.table(one)
        assert table_page.fragments(one, None) == table_page.fragments(other, None)
        assert heard(secret, ()) == heard(silent, ())


def test_spectators_are_sent_nothing_when_the_seats_talk_and_one_message_when_all_hear_it() -> None:
    from branchline.web.table.websocket import update

    before, spectators, made = talking((0, Saying(SAID, everybody=True))), Spectators(), []
    first = spectators.context(before, Viewer(), SIGNER, 2000.0)

    def make(one: Any, other: Any) -> str | None:
        made.append(other)
        return update(one, other)

    whispered, _ = said(before, 1, Saying(SECRET), 2100.0)
    second = spectators.context(whispered, Viewer(), SIGNER, 2000.0)
    assert spectators.message(first, second, False, lambda: make(first, second)) is None
    loud, _ = said(whispered, 1, Saying("hello, all", everybody=True), 2200.0)
    made.clear()
    third = spectators.context(loud, Viewer(), SIGNER, 2000.0)
    for _ in range(3):
        assert spectators.context(loud, Viewer(), SIGNER, 2000.0) is third
        text = spectators.message(first, third, False, lambda: make(first, third))
    assert text is not None and len(made) == 1
    assert list(json.loads(text)["fragments"]) == ["talk+"]
    assert "hello, all" in text and SECRET not in text and SAID not in text


def test_only_new_lines_travel_and_the_version_stays() -> None:
    before = talking((0, Saying("one")))
    after, _ = said(before, 1, Saying("two"), 2100.0)
    one, two = shown(before, 0), shown(after, 0)
    found = table_page.fragments(two, one)
    assert list(found) == ["talk+"] and "two" in found["talk+"] and "one" not in found["talk+"]
    assert one.version == two.version and one.fingerprint == two.fingerprint
    renamed, _ = after.named(1, "Berta", 2200.0)
    assert "Berta" in table_page.fragments(shown(renamed, 0), two)["talk-lines"]


def test_the_game_and_its_record_know_nothing_of_the_talk() -> None:
    room = talking((0, Saying(SECRET)), (1, Saying(SAID, everybody=True)))
    silent = replace(room, talk=())
    assert room.record() == silent.record() and room.log == silent.log
    assert room.game.state.tobytes() == silent.game.state.tobytes()
    asked = room.row.asked
    assert asked is not None
    played, change = room.played(asked, room.game.legal[0], 3000.0)
    assert played.talk == room.talk and SECRET not in repr(change)
    assert played.may_undo(asked) and played.undone(asked, 3001.0)[0].talk == room.talk


# ---------------------------------------------------------------------------------------------------- the store


@pytest.mark.parametrize("kind", costly(["sqlite", "postgres"]))
def test_talk_comes_back_with_its_room_goes_with_it_and_is_in_backups(
    request: pytest.FixtureRequest, kind: str, tmp_path: Path
) -> None:
    database = request.getfixturevalue("database" if kind == "sqlite" else "postgres")
    store = Store(database)
    room = a_room("berlin", 3)
    store.create(room.row, room.seats, room.states, [(HOST, 0)])
    known = room
    for n in range(TALK_KEPT + 3):
        room, row = said(room, n % 3, Saying(f"line {n}", everybody=n % 2 == 0), 2000.0 + n)
        store.say(room.row, row, TALK_KEPT)
        if n == 5:
            stored = store.load(room.id)
            assert stored is not None
            known = restored(stored)
            assert known.talk == room.talk and known.row.touched == room.row.touched
    with pytest.raises(Conflict):
        store.say(room.row, room.talk[-1], TALK_KEPT)
    stored = store.load(room.id, known.row.version, known.talk[-1].n)
    assert stored is not None and restored(stored, known).talk == room.talk
    whole = store.load(room.id)
    assert whole is not None and len(whole.talk) == TALK_KEPT
    copy = f"sqlite:///{tmp_path / 'copy.sqlite'}"
    backup.backup(database, tmp_path / "all.gz")
    backup.restore(copy, tmp_path / "all.gz")
    other = Store(copy)
    again = other.load(room.id)
    assert again is not None and again.talk == whole.talk
    other.close()
    purge(store, 1, 1)
    assert store.load(room.id) is None
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM talk").scalar() == 0
    store.close()


# ---------------------------------------------------------------------------------------------------- over the wire


async def table_of_two(anna: Person, ben: Person, **more: str) -> str:
    """A room with Anna at seat 0 and Ben at seat 1."""
    room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open", first="0", **more)
    link = re.findall(r'data-copy="(/j/[^"]*)"', (await anna.http.get(f"/t/{room}")).text)[0]
    assert (await ben.form(link, page=link, name="Ben")).status_code == 303
    return room


async def until(talk: Any, name: str) -> str:
    """The next fragment of this name."""
    while True:
        heard = await hear(talk)
        assert "error" not in heard, heard
        if name in heard.get("fragments", {}):
            return str(heard["fragments"][name])


def test_HIDE_private_lines_reach_the_seats_alone_by_socket_page_and_api(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben, Person(server.url) as willi:
            room = await table_of_two(anna, ben)
            link = (await anna.get(f"/rooms/{room}"))["watch"]
            assert (await willi.http.get(link)).status_code == 303
            async with anna.talk(room) as a, ben.talk(room) as b, willi.talk(room) as w:
                for talk in (a, b, w):
                    await say(talk, do="hello", version=0)
                    await until(talk, "talk-lines")
                await say(a, do="say", text=SECRET)
                for talk in (a, b):
                    assert SECRET in await until(talk, "talk-lines")
                await say(a, do="say", reaction="well_played", everybody=True)
                assert "Well played!" in await until(b, "talk+")
                seen = await until(w, "talk-lines")
                assert "Well played!" in seen and SECRET not in seen
                await say(w, do="say", text="let me speak")
                assert (await hear(w))["error"] == "not_yours"
                await say(w, do="hello")
                assert SECRET not in json.dumps(await hear(w))
            page = (await willi.http.get(f"/t/{room}")).text
            assert "Well played!" in page and SECRET not in page and 'name="text"' not in page
            assert SECRET in (await ben.http.get(f"/t/{room}")).text
            for path in ("", "/state", "/legal", "/events?since=0", "/talk"):
                answer = await willi.call("GET", f"/rooms/{room}{path}")
                assert answer.status_code == 200 and SECRET not in answer.text
            assert [one["text"] for one in await willi.get(f"/rooms/{room}/talk")] == ["well_played"]
            both = await ben.get(f"/rooms/{room}/talk")
            assert [(one["seat"], one["text"], one["everybody"]) for one in both] == [
                (0, SECRET, False),
                (0, "well_played", True),
            ]
            assert await ben.get(f"/rooms/{room}/talk", since=both[0]["at"]) == both[1:]
            assert (await willi.call("POST", f"/rooms/{room}/talk", json={"text": "x"})).status_code == 403
            async with Bot(server.url, "") as nobody:
                assert (await nobody.call("GET", f"/rooms/{room}/talk")).status_code == 404
                assert (await nobody.call("POST", f"/rooms/{room}/talk", json={"text": "x"})).status_code == 404

    asyncio.run(play())


def test_talk_is_not_in_record_replay_and_analysis(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await table_of_two(anna, ben, pace="0")
            assert (await anna.call("POST", f"/rooms/{room}/talk", json={"text": SAID})).status_code == 200
            for person in (anna, ben):
                assert (await person.call("POST", f"/rooms/{room}/resign", json={})).status_code == 200
            for _ in range(600):
                if (await anna.get(f"/rooms/{room}"))["status"] == "over":
                    break
                await asyncio.sleep(0.1)
            for path in (
                f"/t/{room}/record.json",
                f"/t/{room}/replay",
                f"/t/{room}/replay/3.json",
                f"/t/{room}/analysis",
            ):
                answer = await anna.http.get(path)
                assert answer.status_code == 200 and SAID not in answer.text, path
            record = await anna.get(f"/rooms/{room}/record")
            assert SAID not in json.dumps(record)
            assert SAID in (await anna.http.get(f"/t/{room}")).text, "people talk when the game is over, too"
            assert (await ben.call("POST", f"/rooms/{room}/talk", json={"reaction": "well_played"})).status_code == 200

    asyncio.run(play())


def test_talking_makes_no_action_stale(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await table_of_two(anna, ben)
            legal = await anna.get(f"/rooms/{room}/legal")
            said = await ben.call("POST", f"/rooms/{room}/talk", json={"text": "hurry"})
            assert said.status_code == 200 and said.json()["seat"] == 1
            action = {"action": legal["actions"][0]["text"], "version": legal["version"]}
            assert (await anna.call("POST", f"/rooms/{room}/actions", json=action)).status_code == 200

    asyncio.run(play())


def test_a_form_speaks_where_no_script_does(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await table_of_two(anna, ben)
            path = f"/t/{room}/talk"
            answer = await ben.form(path, page=f"/t/{room}", seat="1", text="by form", reaction="", everybody="")
            assert answer.status_code == 303 and answer.headers["location"] == f"/t/{room}#talk"
            assert "by form" in (await anna.http.get(f"/t/{room}")).text
            assert (await ben.form(path, page=f"/t/{room}", seat="0", text="as Anna")).status_code == 403
            assert (await ben.http.post(path, data={"seat": "1", "text": "forged"})).status_code == 403
            long = await ben.form(path, page=f"/t/{room}", seat="1", text="x" * 900)
            assert long.status_code == 409 and "This message is too long." in long.text

    asyncio.run(play())


@pytest.mark.parametrize(
    "message",
    [
        {"text": ["x"]},
        {"text": 7},
        {"text": "x" * 1001},
        {"reaction": {"a": 1}},
        {"reaction": "x" * 201},
    ],
)
def test_hostile_sayings_are_bad_messages(server: Server, message: dict[str, Any]) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await table_of_two(anna, ben)
            async with anna.talk(room) as talk:
                await say(talk, do="say", **message)
                assert (await hear(talk))["error"] == "bad_message"
            assert (await anna.call("POST", f"/rooms/{room}/talk", json=message)).status_code == 422
            assert await anna.get(f"/rooms/{room}/talk") == []

    asyncio.run(play())


@pytest.mark.long
def test_seats_and_addresses_speak_so_often_only(tmp_path: Path, database: str) -> None:
    async def play(url: str) -> None:
        async with Person(url) as anna, Person(url) as ben:
            room = await table_of_two(anna, ben)
            async with anna.talk(room) as a, ben.talk(room) as b:
                for n in range(12):
                    await say(a, do="say", text=f"line {n}")
                await say(a, do="ping")
                heard = [await hear(a)]
                while heard[-1].get("do") != "pong":
                    heard.append(await hear(a))
                assert [one["error"] for one in heard if "error" in one] == ["too_fast"] * 4
                await say(b, do="say", text="it is not my fault")
                await say(b, do="ping")
                assert (await hear(b)).get("do") == "pong"
            assert (await anna.call("POST", f"/rooms/{room}/talk", json={"text": "x"})).status_code == 429
            assert len(await ben.get(f"/rooms/{room}/talk")) == 9
            others = [await table_of_two(anna, ben) for _ in range(9)]  # other tables, the same address
            calls = [anna.call("POST", f"/rooms/{other}/talk", json={"reaction": "wow"}) for other in others * 7]
            codes = [answer.status_code for answer in await asyncio.gather(*calls)]  # at once, on a slow machine too
            assert codes.count(429) >= 5 and 200 in codes

    with serving(database, tmp_path, "--rates", "1") as usual:
        asyncio.run(play(usual.url))


@pytest.mark.long
def test_talk_reaches_other_processes_and_survives_a_restart(tmp_path: Path, database: str) -> None:
    async def play(one: str, other: str) -> str:
        async with Person(one) as anna, Person(one) as ben:
            room = await table_of_two(anna, ben)
            there = Person(other, ben.token)
            async with anna.talk(room) as a, there.talk(room) as b:
                for talk in (a, b):
                    await say(talk, do="hello")
                    await until(talk, "talk-lines")
                await say(a, do="say", text="from here")
                assert "from here" in await until(b, "talk-lines")
                await until(a, "talk-lines")
                both = [say(a, do="say", text="at once, here"), say(b, do="say", text="at once, there")]
                await asyncio.gather(*both)
                texts = ""
                while "here" not in texts or "there" not in texts:
                    texts += await until(a, "talk+")
            await there.http.aclose()
            said = [found["text"] for found in await anna.get(f"/rooms/{room}/talk")]
            assert said[0] == "from here" and sorted(said[1:]) == ["at once, here", "at once, there"]
            return f"{room} {anna.token}"

    async def again(url: str, room: str, key: str) -> None:
        async with Person(url, key) as anna:
            assert len(await anna.get(f"/rooms/{room}/talk")) == 3
            assert "from here" in (await anna.http.get(f"/t/{room}")).text

    with serving(database, tmp_path) as one, serving(database, tmp_path) as other:
        room, key = asyncio.run(play(one.url, other.url)).split()
        one.kill()
    with serving(database, tmp_path) as later:
        asyncio.run(again(later.url, room, key))


def test_the_form_of_a_new_game_chooses_the_talk(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            room = await table_of_two(anna, ben, talk="off")
            assert 'id="talk"' not in (await anna.http.get(f"/t/{room}")).text
            assert (await anna.call("POST", f"/rooms/{room}/talk", json={"reaction": "wow"})).status_code == 409
            room = await table_of_two(anna, ben, talk="reactions")
            page = (await anna.http.get(f"/t/{room}")).text
            assert 'name="reaction"' in page and 'name="text"' not in page
            assert (await anna.form("/new", board="berlin", talk="loud")).status_code == 400

    asyncio.run(play())


def test_a_listed_game_and_a_browser_that_wants_it_so_are_quiet(server: Server) -> None:
    async def play() -> None:
        async with Person(server.url) as anna, Person(server.url) as ben:
            private, listed = await table_of_two(anna, ben), await table_of_two(anna, ben, open="1")
            assert "data-quiet" not in (await anna.http.get(f"/t/{private}")).text
            assert "data-quiet" in (await anna.http.get(f"/t/{listed}")).text
            await anna.form("/settings", talk="off")
            assert "data-quiet" in (await anna.http.get(f"/t/{private}")).text

    asyncio.run(play())
