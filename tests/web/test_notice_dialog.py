"""The dialog in which somebody chooses how to be told, and the links in mails, over a real server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from branchline.web.core.metrics import NOTICES
from branchline.web.core.settings import Limits, Settings
from branchline.web.notices.store import DAILY_QUESTIONS
from web.receivers import Mailbox, Receiver, mailbox, receiver, text_of
from web.running_here import running_here
from web.servers import Person, first_of, hear, say, serving

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

URL = "http://play.example.org"
Meeting = Callable[[str, Mailbox, Receiver], Coroutine[Any, Any, None]]


def meet(folder: Path, meeting: Meeting, **more: Any) -> None:
    """A server with mail and webhooks, and somebody who visits it."""
    with mailbox() as box, receiver() as hook:
        settings = Settings(
            database=f"sqlite:///{folder / 'rooms.sqlite'}",
            **{
                "url": URL,
                "mail": box.settings,
                "webhooks": "any",
                "notice_look": 0.1,
                "warm_up": False,
                "limits": Limits().times(100),
                **more,
            },
        )
        with running_here(settings) as (url, _):
            asyncio.run(meeting(url, box, hook))


async def chooses(person: Person, room: str, **fields: str) -> httpx.Response:
    form = {"format": "json", "wait": "0", "all": "1", "zone": "Europe/Warsaw", "do": "save", **fields}
    csrf = first_of((await person.http.get(f"/t/{room}/notices")).text, "csrf")
    return await person.http.post(f"/t/{room}/notices", data={"csrf": csrf, **form})


def said(answer: httpx.Response) -> str:
    """What the dialog says on top."""
    found = re.search(r"<p [^>]*data-said[^>]*>(.*?)</p>", answer.text, re.DOTALL)
    assert found, answer.text
    return re.sub(r"<[^>]*>", "", found[1]).strip()


def link_in(box: Mailbox, what: str, n: int = -1) -> str:
    """The path of a link in a mail."""
    found = re.search(rf"{re.escape(URL)}(/mail/{what}/\S+)", text_of(box.mails[n]))
    assert found
    return found[1]


async def until(there: Callable[[], Any]) -> None:
    async with asyncio.timeout(30):
        while not there():
            await asyncio.sleep(0.05)


TWO = {"board": "berlin", "seats": "2", "kind0": "me", "kind1": "open", "first": "0", "name0": "Anna"}


@pytest.mark.long
def test_an_address_is_asked_first_and_gets_nothing_before_it_agrees_nor_after_it_has_stopped(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, _hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            answer = await chooses(anna, room, email="anna@example.net")
            assert said(answer) == "Saved. Now open the link in the e-mail we sent you."
            assert "not confirmed yet" in answer.text and len(box.mails) == 1
            assert box.mails[0]["Subject"] == "Get an e-mail when it is your turn?"
            await asyncio.sleep(0.5)  # it is her turn, and the server looks
            assert len(box.mails) == 1
            async with httpx.AsyncClient(base_url=url) as elsewhere:  # her mail program, which has no cookies
                confirm = link_in(box, "confirm")
                page = await elsewhere.get(confirm)  # programs look at links
                assert page.status_code == 200 and "anna@example.net" in page.text
                await asyncio.sleep(0.5)
                assert len(box.mails) == 1
                assert "Thank you" in (await elsewhere.post(confirm)).text
                await until(lambda: len(box.mails) == 2)
                assert box.mails[1]["Subject"] == "Your turn: Berlin"
                stop = box.mails[1]["List-Unsubscribe"].strip("<>").removeprefix(URL)
                assert (await elsewhere.get(stop)).status_code == 200
                assert "confirmed." in (await anna.http.get(f"/t/{room}/notices")).text  # looking changes nothing
                one_click = {"List-Unsubscribe": "One-Click"}
                assert (await elsewhere.post(stop, data=one_click)).status_code == 200
            dialog = (await anna.http.get(f"/t/{room}/notices")).text
            assert "not confirmed yet" in dialog and "the last notice was sent" in dialog
            second = await anna.new(**TWO)
            await asyncio.sleep(0.5)
            assert second != room and len(box.mails) == 2

    meet(tmp_path, meeting)


@pytest.mark.long
def test_the_links_of_mails_are_signed_each_for_its_own(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, _hook: Receiver) -> None:
        async with Person(url) as anna, httpx.AsyncClient(base_url=url) as stranger:
            room = await anna.new(**TWO)
            await chooses(anna, room, email="anna@example.net")
            confirm = link_in(box, "confirm")
            stop = link_in(box, "stop")
            _, _, _, id_, signature = stop.split("/")
            for path in (f"/mail/confirm/{id_}/{signature}", confirm[:-1], f"/mail/delete/{id_}/{signature}"):
                assert (await stranger.post(path)).status_code == 404
            assert "not confirmed yet" in (await anna.http.get(f"/t/{room}/notices")).text

    meet(tmp_path, meeting)


@pytest.mark.long
def test_nobody_is_asked_too_often_whoever_asks(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, _hook: Receiver) -> None:
        answers = []
        for _ in range(DAILY_QUESTIONS + 1):
            async with Person(url) as somebody:
                room = await somebody.new(**TWO)
                answers.append(said(await chooses(somebody, room, email="Anna@Example.net")))
                await chooses(somebody, room, email="Anna@Example.net")  # to save once more asks nobody
        assert len(box.mails) == DAILY_QUESTIONS
        assert answers[-1] == "Too many e-mails to this address today. Try again tomorrow."

    meet(tmp_path, meeting)


@pytest.mark.long
def test_an_address_that_did_not_want_to_be_asked_is_left_alone_by_everybody(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, _hook: Receiver) -> None:
        async with Person(url) as mallory, Person(url) as anna:
            room = await mallory.new(**TWO)
            await chooses(mallory, room, email="anna@example.net")
            await mallory.http.post(link_in(box, "stop"))
            for somebody in (mallory, anna):
                room = await somebody.new(**TWO)
                answer = await chooses(somebody, room, email="ANNA@example.net", do="test")
                assert said(answer).startswith("This address is not signed up for e-mails.")
            assert len(box.mails) == 1

    meet(tmp_path, meeting)


@pytest.mark.long
def test_an_address_of_the_network_sends_only_so_many_tests(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            answers = [said(await chooses(anna, room, webhook=hook.url, wait="240", do="test")) for _ in range(5)]
            assert len(hook.posts) == 3 and answers[-1] == "Too many requests. Wait a moment and try again."

    meet(tmp_path, meeting, limits=Limits(notices=(3, 0.001)))


@pytest.mark.long
def test_a_test_is_sent_and_its_answer_shown(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            answer = await chooses(anna, room, webhook=hook.url, wait="240", do="test")
            assert said(answer) == "Saved. Webhook: the test has arrived: 204 No Content"
            told = json.loads(hook.posts[0].body)
            assert told["kind"] == "test" and told["url"] == f"{URL}/t/{room}"
            hook.status = 404
            answer = await chooses(anna, room, webhook=hook.url, wait="240", do="test")
            assert said(answer) == "Saved. Webhook: the test failed: the webhook answered: 404 Not Found"
            await chooses(anna, room, email="anna@example.net", wait="240")
            await anna.http.post(link_in(box, "confirm"))
            answer = await chooses(anna, room, email="anna@example.net", wait="240", do="test")
            assert said(answer) == "Saved. E-mail: the test is on its way"
            assert box.mails[-1]["Subject"] == "Test message from branchline"
            box.refusal = "550 no such user"
            answer = await chooses(anna, room, email="anna@example.net", wait="240", do="test")
            assert "the e-mail was refused: 550 no such user" in said(answer)
            sent = NOTICES.labels("email", "test")
            assert sent._value.get() >= 1

    meet(tmp_path, meeting)


def test_with_nothing_to_test_it_says_so(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, _hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            answer = await chooses(anna, room, do="test")
            assert said(answer) == "There is nothing to test yet. Enter an address first."

    meet(tmp_path, meeting)


@pytest.mark.long
def test_what_was_chosen_stands_in_the_form_again_and_speaks_the_language_of_the_browser(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna:
            await anna.http.get("/language/de")
            room, other = await anna.new(**TWO), await anna.new(**TWO)
            # not at once: a turn that was told there would not be told again
            everywhere = {"webhook": f"{hook.url}/all", "format": "json", "wait": "60"}
            answer = await chooses(anna, room, **everywhere, quiet="1", quiet_from="21:30", quiet_to="06:15")
            assert said(answer) == "Gespeichert." and 'value="21:30"' in answer.text and 'value="06:15"' in answer.text
            assert f'value="{hook.url}/all"' in (await anna.http.get(f"/t/{other}/notices")).text
            await chooses(anna, other, webhook=f"{hook.url}/one", wait="0", all="")
            assert f'value="{hook.url}/all"' in (await anna.http.get(f"/t/{room}/notices")).text
            assert f'value="{hook.url}/one"' in (await anna.http.get(f"/t/{other}/notices")).text
            await until(lambda: any(post.path == "/one" for post in hook.posts))
            assert json.loads(hook.posts[-1].body)["title"] == "Du bist am Zug: Berlin"
            await chooses(anna, other, **everywhere)  # for all again: what was special there is gone
            assert f'value="{hook.url}/all"' in (await anna.http.get(f"/t/{other}/notices")).text

    meet(tmp_path, meeting)


WRONG: dict[str, dict[str, str]] = {
    "email": {"email": "anna@"},
    "webhook": {"webhook": "ftp://example.org"},
    "quiet": {"quiet": "1", "quiet_from": "25:00", "quiet_to": "07:00"},
    "wait": {"wait": "-1"},
    "format": {"format": "xml"},
}


def test_what_is_wrong_is_said_and_nothing_is_kept(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            for name, fields in WRONG.items():
                answer = await chooses(anna, room, **{"webhook": hook.url, "email": "anna@example.net", **fields})
                assert answer.status_code == 400 and said(answer), name
                assert (name in ("email", "webhook")) == ("aria-invalid" in answer.text)
                dialog = (await anna.http.get(f"/t/{room}/notices")).text
                assert hook.url not in dialog and "anna@example.net" not in dialog and box.mails == [], name

    meet(tmp_path, meeting)


@pytest.mark.long
def test_only_players_choose_and_forms_need_their_token(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna, Person(url) as eve:
            room = await anna.new(**TWO, open="1")
            assert (await eve.http.get(f"/t/{room}")).status_code == 200
            assert (await eve.http.get(f"/t/{room}/notices")).status_code == 403
            answer = await eve.form(f"/t/{room}/notices", webhook=hook.url, all="1")
            assert answer.status_code == 403
            answer = await anna.http.post(f"/t/{room}/notices", data={"webhook": hook.url})
            assert answer.status_code == 403 and "This form arrived without i" in answer.text

    meet(tmp_path, meeting)


def test_a_server_that_does_not_know_its_address_offers_the_page_only_and_says_why(tmp_path: Path) -> None:
    async def meeting(url: str, box: Mailbox, hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            dialog = (await anna.http.get(f"/t/{room}/notices")).text
            assert "has no public address" in dialog
            assert 'name="email"' not in dialog and 'name="webhook"' not in dialog
            answer = await chooses(anna, room, webhook=hook.url, email="anna@example.net", do="test")
            assert answer.status_code == 200 and hook.posts == [] and box.mails == []

    meet(tmp_path, meeting, url="")


def test_a_server_without_mail_offers_none(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, _hook: Receiver) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            dialog = (await anna.http.get(f"/t/{room}/notices")).text
            assert 'name="email"' not in dialog and 'name="webhook"' in dialog

    meet(tmp_path, meeting, mail=None)


@pytest.mark.long
def test_somebody_at_the_table_is_told_nothing_and_a_mail_server_that_hangs_delays_no_move(tmp_path: Path) -> None:
    async def meeting(url: str, _box: Mailbox, hook: Receiver) -> None:
        hook.hanging.set()
        async with Person(url) as anna:
            room = await anna.new(**{**TWO, "kind1": "here"})
            await chooses(anna, room, webhook=hook.url)
            await until(lambda: hook.posts)  # the call is under way from here to the end
            async with anna.talk(room) as talk:
                await say(talk, do="hello", version=0)
                await hear(talk)
                played = await anna.play(room, lambda actions: actions[0], most=4)
                assert played == 4 and len(hook.posts) == 1

    meet(tmp_path, meeting)


@pytest.mark.long
def test_a_server_started_from_the_command_line_tells_people_and_keeps_its_password_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def meeting(url: str, box: Mailbox) -> None:
        async with Person(url) as anna:
            room = await anna.new(**TWO)
            await chooses(anna, room, email="anna@example.net")
            await anna.http.post(link_in(box, "confirm"))
            await asyncio.to_thread(box.wait_for, 2)
            assert box.mails[1]["Subject"] == "Your turn: Berlin"

    with mailbox() as box:
        monkeypatch.setenv("BRANCHLINE_SMTP", f"127.0.0.1:{box.settings.port}")
        monkeypatch.setenv("BRANCHLINE_SMTP_USER", box.settings.user)
        monkeypatch.setenv("BRANCHLINE_SMTP_PASSWORD", box.settings.password)
        mail = ("--smtp-from", "games@play.example.org", "--smtp-security", "none")
        database = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
        with serving(database, tmp_path, "--url", URL, *mail, "--log-requests") as server:
            asyncio.run(meeting(server.url, box))
        log = server.log.read_text()
    assert box.settings.password not in log and "Traceback" not in log
    assert "/mail/confirm/" in log and link_in(box, "stop").rpartition("/")[2] not in log
