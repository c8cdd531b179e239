"""Who is not at the table is told of their turn, once: by a real mail server and a real HTTP server on this machine."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from branchline.boards import load_board
from branchline.game import Game
from branchline.web.app import notifier_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room
from branchline.web.core.rooms.presence import PRESENT
from branchline.web.core.rooms.table_clock import TableClock
from branchline.web.core.security.signing import Signer
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import MailServer, Settings
from branchline.web.core.store import backup, tables
from branchline.web.core.store.database import Store
from branchline.web.core.store.purge import purge
from branchline.web.core.store.rows import NoticeChoice
from branchline.web.notices import store as notices
from branchline.web.notices.service import TurnNotices
from branchline.web.notices.timing import AFTER_A_LOOK
from table import costly
from web.receivers import Mailbox, Receiver, certificate, html_of, mailbox, receiver, text_of
from web.servers import free_port

ANNA, BEN = token_hash("Anna"), token_hash("Ben")
ROOT = Path(__file__).parents[2]
URL = "https://play.example.org"
BEGUN = 1_790_000_000.0  # 2026-09-21 16:13 in Warsaw
MINUTE, HOUR = 60.0, 3600.0

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as running:
        yield running


class Clock:
    """What time it is."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> float:
        return self.now


class NeverStopped(TableClock):
    """The clock of tables whose server has run all the time."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(date=clock)
        self._date = clock

    def now(self) -> float:
        return self._date()


@asynccontextmanager
async def process_on(
    database: str, clock: Clock, mail: MailServer | None = None, **more: Any
) -> AsyncIterator[TurnNotices]:
    """What a server process has: a store of its own, live rooms, and notices; it looks when it is told to."""
    settings = Settings(database=database, url=URL, mail=mail, **{"webhooks": "any", **more})
    store = Store(database)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    live.clock = NeverStopped(clock)
    service = TurnNotices(live, Signer(store.secret()), settings, clock)
    try:
        yield service
    finally:
        await service.close()
        await live.close()
        store.close()


async def new_game(service: TurnNotices, *, names: tuple[str, str] = ("Anna", "Ben")) -> LiveRoom:
    """Of Anna, whose turn it is, and Ben; nobody is there."""
    game = Game(load_board("berlin"), 2, 1, first_seat=0)
    sitting = [SeatSetup("person", name, key=token_hash(name)) for name in ("Anna", "Ben")]
    sitting = [replace(one, name=name) for one, name in zip(sitting, names, strict=True)]
    room, keys = new_room(new_room_id(), game, "berlin", sitting, Options(), "host", BEGUN)
    return await service.live.add(room, keys)


def chosen(service: TurnNotices, key: str = ANNA, room: str | None = None, **more: Any) -> NoticeChoice:
    """A choice that is kept; its mail address has agreed."""
    choice = NoticeChoice(key, room, **{"wait": 0.0, "zone": "Europe/Warsaw", "changed": BEGUN - 1, **more})
    notices.choose(service.store, choice)
    if choice.email:
        asked = notices.ask_address(service.store, key, choice.email, choice.language, BEGUN)
        notices.confirm_address(service.store, asked.id, BEGUN)
    return choice


async def looked(*services: TurnNotices) -> None:
    """All processes look at the same time, and what they begin is ended."""
    await asyncio.gather(*(service.look() for service in services))
    for service in services:
        await service.settled()


async def plays(service: TurnNotices, live_room: LiveRoom, at: float) -> None:
    """Whoever is asked does something."""
    seat = live_room.room.game.question.seat
    assert seat is not None
    await service.live.change(live_room, lambda room: room.played(seat, int(room.game.legal[0]), at))


async def plays_until(service: TurnNotices, live_room: LiveRoom, asked: int | None, at: float) -> None:
    """At least one action, and on until a seat is asked."""
    await plays(service, live_room, at)
    while live_room.room.row.asked != asked and live_room.room.row.status != "over":
        await plays(service, live_room, at)


def states(store: Store, **wanted: Any) -> list[tuple[str, str, str]]:
    with store.engine.connect() as connection:
        rows = connection.execute(sa.select(tables.notices).order_by(tables.notices.c.channel)).all()
    return [
        (row.channel, row.state, row.reason)
        for row in rows
        if all(getattr(row, name) == value for name, value in wanted.items())
    ]


# ---------------------------------------------------------------------------------------------------- once


@pytest.mark.parametrize("kind", costly(["sqlite", "postgres"]))
def test_one_notice_a_turn_whatever_number_of_processes_looks_and_starts_again(
    kind: str, tmp_path: Path, hook: Receiver, box: Mailbox, request: pytest.FixtureRequest
) -> None:
    database = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock, box.settings) as one, process_on(database, clock, box.settings) as other:
            live_room = await new_game(one)
            chosen(one, email="anna@example.net", webhook=f"{hook.url}/anna")
            chosen(one, BEN, webhook=f"{hook.url}/ben")
            for _ in range(3):
                await looked(one, other, one, other)
                clock.now += HOUR
            assert [post.path for post in hook.posts] == ["/anna"] and len(box.to("anna@example.net")) == 1
        async with process_on(database, clock, box.settings) as again:  # after a restart
            await looked(again)
            assert len(hook.posts) == len(box.mails) == 1
            there = await again.live.get(live_room.id)
            assert there is not None
            await plays_until(again, there, 1, clock.now)
            await looked(again, again)
            assert [post.path for post in hook.posts] == ["/anna", "/ben"]
            await plays_until(again, there, 0, clock.now)
            await looked(again)
            assert [post.path for post in hook.posts] == ["/anna", "/ben", "/anna"] and len(box.mails) == 2

    asyncio.run(meet())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_many_who_claim_a_notice_at_the_same_moment_one_gets_it(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = f"sqlite:///{tmp_path / 'rooms.sqlite'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    clock = Clock()

    async def meet() -> list[Any]:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, room=live_room.id, webhook="https://hooks.example.org/")
            found = notices.occasions(service.store, lambda one: one.room == live_room.id, ("webhook",))
            stores = [Store(database) for _ in range(6)]
            claims = [asyncio.to_thread(notices.claim, store, found[0], "webhook", clock.now) for store in stores]
            rows = await asyncio.gather(*claims)
            for store in stores:
                store.close()
            return rows

    assert sum(row is not None for row in asyncio.run(meet())) == 1


def test_a_turn_that_is_taken_back_and_comes_again_is_told_once(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, BEN, webhook=hook.url)
            for _ in range(2):
                await plays_until(service, live_room, 1, clock.now)
                await looked(service)
                assert len(hook.posts) == 1
                if live_room.room.may_undo(0):
                    await service.live.change(live_room, lambda room: room.undone(0, clock.now))

    asyncio.run(meet())


def test_two_browsers_with_the_same_address_are_told_once(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            service.store.allow(live_room.id, BEN, [0])  # the same seat on another device
            chosen(service, ANNA, webhook=hook.url)
            chosen(service, BEN, webhook=hook.url)
            await looked(service)
            await looked(service)
            assert len(hook.posts) == 1
            assert sorted(state for _, state, _ in states(service.store)) == ["left out", "sent"]

    asyncio.run(meet())


def test_a_notice_whose_process_was_killed_on_the_way_is_not_sent_again(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            [occasion] = notices.occasions(service.store, lambda _: True, ("webhook",))
            assert notices.claim(service.store, occasion, "webhook", clock.now) is not None  # and then: the power fails
        clock.now += HOUR
        async with process_on(database, clock) as service:
            await looked(service)
            assert hook.posts == []
            [report] = service.reports(notices.latest(service.store, ANNA, live_room.id))
            assert (report.channel, report.outcome) == ("webhook", "interrupted")

    asyncio.run(meet())


@pytest.mark.long
def test_the_end_of_a_game_is_told_once_to_those_who_have_not_seen_it(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            await plays_until(service, live_room, None, clock.now)
            assert live_room.room.row.status == "over"
            await service.live.touch(live_room, {1: clock.now + 10})  # Ben is there
            chosen(service, webhook=f"{hook.url}/anna")
            chosen(service, BEN, webhook=f"{hook.url}/ben")
            clock.now += HOUR
            await looked(service)
            await looked(service)
            assert [post.path for post in hook.posts] == ["/anna"]
            told = json.loads(hook.posts[0].body)
            assert told["kind"] == "over" and told["url"] == f"{URL}/t/{live_room.id}"

    asyncio.run(meet())


@pytest.mark.long
def test_games_that_ended_before_the_choice_was_made_are_not_told(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            await plays_until(service, live_room, None, clock.now)
            chosen(service, webhook=hook.url, changed=clock.now + 1)
            clock.now += HOUR
            await looked(service)
            assert hook.posts == []

    asyncio.run(meet())


# ---------------------------------------------------------------------------------------------------- when


def test_whoever_is_at_the_table_is_told_nothing_and_whoever_has_left_is_given_time(
    database: str, hook: Receiver
) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            for _ in range(10):
                await service.live.touch(live_room, {0: clock.now + PRESENT})
                await looked(service)
                clock.now += MINUTE
            await service.live.touch(live_room, {0: clock.now})  # she closes the page
            clock.now += AFTER_A_LOOK - 1
            await looked(service)
            assert hook.posts == []
            clock.now += 1
            await looked(service)
            assert len(hook.posts) == 1

    asyncio.run(meet())


def test_a_notice_waits_as_long_as_was_chosen(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            await new_game(service)
            chosen(service, webhook=hook.url, wait=HOUR)
            clock.now += HOUR - 1
            await looked(service)
            assert hook.posts == []
            clock.now += 1
            await looked(service)
            assert len(hook.posts) == 1

    asyncio.run(meet())


@pytest.mark.parametrize("still", [True, False])
def test_quiet_hours_hold_a_notice_back_until_their_end_if_it_is_still_ones_turn(
    still: bool, database: str, hook: Receiver
) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url, quiet_from=16 * 60, quiet_to=19 * 60)
            for _ in range(2):
                await looked(service)
                clock.now += HOUR
            assert hook.posts == []
            if not still:
                await plays_until(service, live_room, 1, clock.now)
            clock.now += HOUR  # 19:13
            await looked(service)
            await looked(service)
            assert len(hook.posts) == still

    asyncio.run(meet())


def test_a_choice_for_one_table_counts_there_and_the_one_for_all_elsewhere(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            quiet, loud, special = [await new_game(service) for _ in range(3)]
            chosen(service, webhook=f"{hook.url}/all")
            chosen(service, room=quiet.id)
            chosen(service, room=special.id, webhook=f"{hook.url}/special")
            await looked(service)
            assert sorted(post.path for post in hook.posts) == ["/all", "/special"]
            assert {json.loads(post.body)["url"] for post in hook.posts} == {
                f"{URL}/t/{loud.id}",
                f"{URL}/t/{special.id}",
            }

    asyncio.run(meet())


def test_where_a_bot_plays_nobody_is_told(database: str, hook: Receiver) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            service.live.attend = lambda _: None  # type: ignore[method-assign]  # it would play on
            await service.live.change(live_room, lambda room: room.stood_in(0, "away", "easy", clock.now))
            clock.now += HOUR
            await looked(service)
            assert hook.posts == []

    asyncio.run(meet())


# ---------------------------------------------------------------------------------------------------- failing


def test_a_webhook_that_fails_is_tried_again_later_and_given_up_with_a_reason(database: str, hook: Receiver) -> None:
    clock = Clock()
    hook.status = 503

    async def meet() -> None:
        async with process_on(database, clock, notice_pauses=(60.0, 300.0)) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            tries = []
            for minute in range(20):
                clock.now = BEGUN + minute * MINUTE
                await looked(service)
                if len(hook.posts) > len(tries):
                    tries.append(minute)
                    [report] = service.reports(notices.latest(service.store, ANNA, live_room.id))
                    assert report.detail == "503 Service Unavailable"
                    assert report.outcome == ("again" if len(tries) < 3 else "failed")
            assert tries == [0, 1, 6]
            assert len({post.headers["branchline-notice"] for post in hook.posts}) == 1

    asyncio.run(meet())


def test_a_notice_that_failed_goes_out_later_only_if_it_is_still_of_use(database: str, hook: Receiver) -> None:
    clock = Clock()
    hook.status = 503

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            await looked(service)
            await plays_until(service, live_room, 1, clock.now)
            clock.now += HOUR
            await looked(service)
            assert len(hook.posts) == 1

    asyncio.run(meet())


def test_two_processes_repeat_a_notice_once(database: str, hook: Receiver) -> None:
    clock = Clock()
    hook.status = 503

    async def meet() -> None:
        async with process_on(database, clock) as one, process_on(database, clock) as other:
            await new_game(one)
            chosen(one, webhook=hook.url)
            await looked(one, other)
            hook.status = 200
            clock.now += HOUR
            await looked(one, other)
            assert len(hook.posts) == 2 and states(one.store) == [("webhook", "sent", "")]

    asyncio.run(meet())


def test_a_retry_keeps_to_quiet_hours(database: str, hook: Receiver) -> None:
    clock = Clock()
    hook.status = 503

    async def meet() -> None:
        async with process_on(database, clock) as service:
            await new_game(service)
            chosen(service, webhook=hook.url, quiet_from=16 * 60 + 14, quiet_to=18 * 60)
            await looked(service)
            for _ in range(8):
                clock.now += 10 * MINUTE
                await looked(service)
            assert len(hook.posts) == 1
            clock.now += HOUR
            await looked(service)
            assert len(hook.posts) == 2

    asyncio.run(meet())


@pytest.mark.parametrize("status", [301, 404, 410])
def test_what_a_webhook_refuses_for_good_is_not_sent_again_and_redirects_are_not_followed(
    status: int, database: str, hook: Receiver
) -> None:
    clock = Clock()
    hook.status, hook.location = status, f"{hook.url}/elsewhere"

    async def meet() -> None:
        async with process_on(database, clock) as service:
            await new_game(service)
            chosen(service, webhook=f"{hook.url}/here")
            await looked(service)
            clock.now += 24 * HOUR
            await looked(service)
            assert [post.path for post in hook.posts] == ["/here"]
            assert states(service.store) == [("webhook", "failed", "status")]

    asyncio.run(meet())


@pytest.mark.long
def test_a_webhook_that_does_not_answer_in_time_is_not_called_twice_and_holds_nobody_up(
    database: str, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.web.notices.webhook.ANSWERING", 1.0)
    clock = Clock()
    hook.hanging.set()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, webhook=hook.url)
            await service.look()
            async with asyncio.timeout(20):
                while not hook.posts:
                    await asyncio.sleep(0.02)
            await plays(service, live_room, clock.now)  # while it is under way
            await service.settled()
            clock.now += 24 * HOUR
            await looked(service)
            assert states(service.store) == [("webhook", "failed", "no_answer")]
            assert len(hook.posts) == 1

    asyncio.run(meet())


def test_nobody_at_the_other_end_is_tried_again(database: str) -> None:
    clock = Clock()
    port = free_port()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            await new_game(service)
            chosen(service, webhook=f"http://127.0.0.1:{port}/")
            await looked(service)
            assert states(service.store) == [("webhook", "again", "connection")]

    asyncio.run(meet())


def test_a_mail_server_that_is_away_is_one_line_of_the_log_and_its_mails_go_out_when_it_is_back(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "branchline.notices")
    clock, port = Clock(), free_port()
    settings = MailServer("127.0.0.1", "games@play.example.org", port, "games", "a secret", "none")

    async def meet() -> None:
        async with process_on(database, clock, settings) as service:
            for n in range(3):
                await new_game(service)
                chosen(service, email=f"anna{n}@example.net")
            for _ in range(2):
                await looked(service)
                clock.now += 10 * MINUTE
            assert {state for _, state, _ in states(service.store)} == {"again"}
            with mailbox(port) as box:
                clock.now += HOUR
                await looked(service)
                assert len(box.mails) == 3

    asyncio.run(meet())
    assert [("back" in line) for line in caplog.messages] == [False, True]


@pytest.mark.parametrize(("answer", "state"), [("550 no such user\x07", "failed"), ("451 later", "again")])
def test_what_a_mail_server_refuses_is_told(answer: str, state: str, database: str, box: Mailbox) -> None:
    clock = Clock()
    box.refusal = answer.rstrip("\x07")

    async def meet() -> None:
        async with process_on(database, clock, box.settings) as service:
            live_room = await new_game(service)
            chosen(service, email="anna@example.net")
            await looked(service)
            [report] = service.reports(notices.latest(service.store, ANNA, live_room.id))
            assert (report.outcome, report.reason, report.detail) == (state, "refused", box.refusal)

    asyncio.run(meet())


def test_no_address_gets_more_than_so_many_notices_in_an_hour(
    database: str, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "HOURLY", 3)
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            chosen(service, webhook=hook.url)
            for _ in range(5):
                await new_game(service)
            await looked(service)
            assert len(hook.posts) == 3
            assert sorted(state for _, state, _ in states(service.store)) == ["left out"] * 2 + ["sent"] * 3

    asyncio.run(meet())


# ---------------------------------------------------------------------------------------------------- what is sent


@pytest.mark.long
def test_a_mail_says_whose_turn_it_is_in_the_language_that_was_chosen_with_a_link(database: str, box: Mailbox) -> None:
    clock = Clock()
    evil = "<b>evil.example.com"

    async def meet() -> str:
        async with process_on(database, clock, box.settings) as service:
            live_room = await new_game(service, names=("Anna", evil))
            chosen(service, email="anna@example.net", language="pl")
            await looked(service)
            return live_room.id

    room = asyncio.run(meet())
    [mail] = box.mails
    assert mail["Subject"] == "Twoja kolej: Berlin" and mail["From"] == "Table <games@play.example.org>"
    assert mail["Message-ID"].endswith("@play.example.org>") and mail["Auto-Submitted"] == "auto-generated"
    assert "Anna, twoja kolej." in text_of(mail) and f"{URL}/t/{room}\n" in text_of(mail)
    stop = mail["List-Unsubscribe"].strip("<>")
    assert stop.startswith(f"{URL}/mail/stop/") and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"\n{stop}\n" in text_of(mail) and f'href="{stop}"' in html_of(mail)
    assert "<b>" not in html_of(mail) and "&lt;b&gt;evil" in html_of(mail)
    assert "evil.example.com" not in html_of(mail) + text_of(mail)  # nothing that a mail program makes a link of


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("trusted", [True, False])
def test_mail_goes_over_tls_to_a_server_that_is_trusted_and_to_no_other(
    security: str, trusted: bool, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, context = certificate(tmp_path, "localhost")
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(shown))
    clock = Clock()

    async def meet() -> None:
        with mailbox(0, security, context) as box:
            async with process_on(database, clock, box.settings) as service:
                await new_game(service)
                chosen(service, email="anna@example.net")
                await looked(service)
                assert len(box.mails) == trusted
                assert states(service.store)[0][1] == ("sent" if trusted else "again")

    asyncio.run(meet())


def posted(database: str, hook: Receiver, form: str, names: tuple[str, str] = ("Anna", "Ben")) -> tuple[Any, str]:
    """What a webhook got, and its secret."""
    clock = Clock()

    async def meet() -> str:
        async with process_on(database, clock) as service:
            await new_game(service, names=names)
            chosen(service, webhook=f"{hook.url}/hooks/my%20topic", format=form)
            await looked(service)
            return service.signer.webhook_secret(ANNA)

    secret = asyncio.run(meet())
    [post] = hook.posts
    return post, secret


def test_a_webhook_is_signed_as_the_page_says(database: str, hook: Receiver) -> None:
    """The example of `docs/server.md` takes it, and nothing that somebody has changed."""
    post, secret = posted(database, hook, "json")
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "server.md").read_text(encoding="utf-8"), re.DOTALL)
    [example] = [one for one in examples if "is_from_branchline" in one]
    here: dict[str, Any] = {}
    exec(example, here)
    headers = {name: post.headers[name.lower()] for name in ("Branchline-Timestamp", "Branchline-Signature")}
    assert here["is_from_branchline"](secret, headers, post.body)
    assert not here["is_from_branchline"](secret, headers, post.body + b" ")
    assert not here["is_from_branchline"]("other", headers, post.body)
    assert not here["is_from_branchline"](secret, {**headers, "Branchline-Timestamp": "1790000000"}, post.body)
    told = json.loads(post.body)
    assert told["id"] == post.headers["branchline-notice"] and told["kind"] == "turn" and told["seat"] == 0
    assert told["title"] == "Your turn: Berlin" and told["text"].startswith("Anna, it is your turn.")
    assert post.path == "/hooks/my%20topic" and post.headers["host"] == hook.url.removeprefix("http://")


def test_every_browser_has_a_secret_of_its_own() -> None:
    signer = Signer(b"secret")
    assert len({signer.webhook_secret(ANNA), signer.webhook_secret(BEN), Signer(b"other").webhook_secret(ANNA)}) == 3


def test_ntfy_gets_json_at_the_address_above_the_topic(database: str, hook: Receiver) -> None:
    post, _ = posted(database, hook, "ntfy", ("Łucja", "Ben"))
    told = json.loads(post.body)
    assert post.path == "/hooks/" and told["topic"] == "my topic"
    assert told["title"] == "Your turn: Berlin" and told["click"].startswith(f"{URL}/t/") and told["tags"]
    assert told["message"].startswith("Łucja, it is your turn.")


def test_discord_mentions_nobody_and_shows_names_as_they_are(database: str, hook: Receiver) -> None:
    post, _ = posted(database, hook, "discord", ("@everyone", "[x](http://evil)*"))
    told = json.loads(post.body)
    assert told["allowed_mentions"] == {"parse": []} and "https://play.example.org/t/" in told["content"]
    assert "\\[x\\]\\(" in told["content"] and "\\)\\*" in told["content"] and "http://evil" not in told["content"]


def test_matrix_gets_escaped_html(database: str, hook: Receiver) -> None:
    post, _ = posted(database, hook, "matrix", ("<img src=x>", "Ben"))
    told = json.loads(post.body)
    assert set(told) == {"text", "html", "username"}
    assert "<img" not in told["html"] and "&lt;img" in told["html"] and f'<a href="{URL}/t/' in told["html"]


# ---------------------------------------------------------------------------------------------------- what is kept


def test_a_backup_holds_choices_and_notices_and_purging_a_room_deletes_its_own(
    database: str, hook: Receiver, tmp_path: Path
) -> None:
    clock = Clock()

    async def meet() -> None:
        async with process_on(database, clock) as service:
            live_room = await new_game(service)
            chosen(service, room=live_room.id, webhook=hook.url)
            chosen(service, email="anna@example.net")
            await looked(service)

    def contents(url: str) -> dict[str, int]:
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            names = ("notices", "notice_choices", "mail_addresses")
            return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}

    asyncio.run(meet())
    full = {"notices": 1, "notice_choices": 2, "mail_addresses": 1}
    assert contents(database) == full
    backup.backup(database, tmp_path / "backup.gz")
    again = f"sqlite:///{tmp_path / 'again.sqlite'}"
    backup.restore(again, tmp_path / "backup.gz")
    assert contents(again) == full
    store = Store(again)
    with store.engine.begin() as connection:
        connection.execute(tables.rooms.update().values(touched=0.0))
    purge(store, 30, 30, dry_run=True)
    assert contents(again) == full
    with store.engine.begin() as connection:  # she has just chosen: that is kept for as long as rooms are
        connection.execute(tables.notice_choices.update().values(changed=time.time()))
        connection.execute(tables.mail_addresses.update().values(asked_at=time.time()))
    purge(store, 30, 30)
    assert contents(again) == {"notices": 0, "notice_choices": 1, "mail_addresses": 1}
    with store.engine.begin() as connection:
        connection.execute(tables.notice_choices.update().values(changed=0.0))
        connection.execute(tables.mail_addresses.update().values(asked_at=0.0))
    purge(store, 30, 30)
    store.close()
    assert contents(again) == {"notices": 0, "notice_choices": 0, "mail_addresses": 0}
