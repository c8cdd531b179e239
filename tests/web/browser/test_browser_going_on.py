"""A game against a bot whose server is gone goes on in the browser, and comes back when the server does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pressing import Visitor, press_once, table

from needs import missing
from web import servers

pytestmark = pytest.mark.long
SITE = "from branchline.site.of_server import site_of_server; site_of_server('', print)"
PATIENCE = 120_000  # ms: Python starts on a busy machine


class Place:
    """A server that can be killed and started again, where it was and with what it had."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.database = folder, f"sqlite:///{folder / 'rooms.sqlite'}"
        self.server = self._started(None)

    def _started(self, port: int | None) -> servers.Server:
        return servers.start(self.database, self.folder, port, "--offline")

    def start(self) -> None:
        self.server = self._started(self.server.port)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    done = subprocess.run([sys.executable, "-c", SITE], capture_output=True, text=True)  # a server has less patience
    if "cannot be fetched" in done.stderr:
        missing(done.stderr)
    assert done.returncode == 0, done.stderr
    found = Place(tmp_path)
    yield found
    if found.server.process.poll() is None:
        found.server.stop()
    assert "Traceback" not in found.server.log.read_text()


@pytest.fixture
def guest(chromium: Any, place: Place) -> Iterator[Visitor]:
    found = Visitor(chromium, place.server.url, service_workers="allow")
    found.page.set_default_timeout(PATIENCE)
    yield found
    found.context.close()


def begun(guest: Visitor) -> str:
    """The path of a new table against a bot, once the browser has all that it needs to go on without the server."""
    guest.new_room("berlin", seats="2", kind0="me", kind1="bot", bot1="easy", first="0", pace="0")
    guest.page.wait_for_function("() => 'siteKept' in document.documentElement.dataset")
    guest.page.wait_for_selector("#question.asked")
    return str(guest.page.url.removeprefix(guest.address))


def version(page: Any) -> int:
    return int(page.locator("body").get_attribute("data-version"))


def inside(guest: Visitor) -> Any:
    """The table in the frame of the site."""
    guest.page.wait_for_url("**/here/t/*")
    frame = guest.page.locator("iframe:not([hidden])").element_handle().content_frame()
    table(frame)
    frame.wait_for_selector("#question.asked")
    return frame


def claims(page: Any) -> list[str]:
    """What the page says of the table."""
    return [str(text) for text in page.locator("#log li").all_inner_texts()]


def test_a_game_goes_on_while_the_server_is_gone_and_is_there_when_it_is_back(guest: Visitor, place: Place) -> None:
    path = begun(guest)
    page = guest.page
    press_once(page, 0)
    before = page.locator("#hand").inner_text()

    place.server.kill()
    page.get_by_role("link", name="Play on here").click()
    frame = inside(guest)
    assert frame.locator("#hand").inner_text() == before
    at = version(frame)
    for n in range(4):
        frame.wait_for_selector("#question.asked")
        press_once(frame, n)
    frame.wait_for_selector("#question.asked")
    assert version(frame) > at
    page.get_by_text("You are offline. The game goes on here").wait_for()
    hand, log = frame.locator("#hand").inner_text(), claims(frame)

    page.close()  # and with it Python, without a word
    guest.page = page = guest.context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(guest.address + path)
    page.get_by_role("link", name="Play on here").click()
    assert inside(guest).locator("#hand").inner_text() == hand

    place.start()
    page.wait_for_url(guest.address + path)
    page.get_by_text("What you played offline is at this table now.").wait_for()
    page.wait_for_function("hand => document.getElementById('hand').innerText === hand", arg=hand)
    page.wait_for_selector("body:not(.waiting) #question.asked")
    assert claims(page)[-len(log) :] == log[-len(claims(page)) :]
    press_once(page, 0)


def test_where_both_went_on_the_game_from_offline_gets_a_table_of_its_own(guest: Visitor, place: Place) -> None:
    path = begun(guest)
    page, other = guest.page, guest.context.new_page()
    other.set_default_timeout(PATIENCE)
    page.route("**/readyz", lambda route: route.abort())  # as if the server was gone for this page
    page.goto(guest.address + path.replace("/t/", "/here/t/"))
    frame = inside(guest)
    for _ in range(2):  # tickets, and a card from the deck
        frame.wait_for_selector("#question.asked")
        press_once(frame, claim=False)
    frame.wait_for_selector("body:not(.waiting) #question.asked")
    hand = frame.locator("#hand").inner_text()

    other.route("**/course", lambda route: route.abort())  # and as if the way back was cut in the middle
    other.goto(guest.address + path)
    table(other)
    other.wait_for_selector("#question.asked")
    press_once(other)
    other.wait_for_selector("body:not(.waiting) #question.asked[data-kind=turn]")
    other.locator("#market .slot[data-act]:not([data-card=wild])").first.click()  # a wild card would end the turn
    other.wait_for_selector("#question.asked[data-kind=second_card]")
    here = other.locator("#hand").inner_text()
    other.close()

    page.unroute("**/readyz")
    page.wait_for_url(guest.address + path)
    page.get_by_text("This table went on while you played offline.").wait_for()
    page.wait_for_selector("#question.asked")
    assert page.locator("#hand").inner_text() == here
    page.get_by_role("link", name="Go to that table").click()
    page.wait_for_selector("#question.asked")
    assert page.locator("#hand").inner_text() == hand
