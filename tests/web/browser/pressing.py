"""People with browsers, and how they play: by pressing what the page offers."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 30_000  # milliseconds until something that does not come is a fault; on a busy machine pages are slow


class Visitor:
    """A person with a browser of its own; whatever goes wrong in its pages is remembered."""

    def __init__(self, browser: Any, address: str, **look: Any) -> None:
        look.setdefault("viewport", {"width": 1440, "height": 900})
        look.setdefault("reduced_motion", "reduce")
        look.setdefault("service_workers", "block")  # they would answer what a test wants to hold back
        self.address, self.below = address, urlsplit(address).path
        self.context = browser.new_context(**look)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.set_default_navigation_timeout(2 * PATIENCE)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} ({message.location['url']})")

    def go(self, path: str = "/") -> Any:
        self.page.goto(self.address + path)
        if self.page.locator("#board").count():
            table(self.page)
        return self.page

    def go_to_my_games(self, table: str) -> Any:
        """My games, as soon as the game of this table, which has ended, stands there; or after a while without it."""
        page = self.go("/mine")
        for _ in range(PATIENCE // 500):
            if page.locator(f'.games a[href="{table}"]').count():
                break
            page.wait_for_timeout(500)
            page.reload()
        return page

    def new_room(self, board: str, **fields: str) -> str:
        """A room made by the full form's fields; the path of its table."""
        path = self.sent("/new", **{"board": board, "pace": "0", **fields})
        self.go(path)
        return path

    def read(self, path: str) -> str:
        """A page as its server sends it, with the cookies of this browser; no page is opened for it."""
        answer = self.context.request.get(self.address + path)
        assert answer.ok, answer.text()
        return str(answer.text())

    def sent(self, path: str, **fields: str) -> str:
        """A form sent as by its button, but without its page; the path that the answer leads to."""
        csrf = re.search(r'name="csrf" value="([^"]+)"', self.read("/"))
        assert csrf
        answer = self.context.request.post(
            self.address + path,
            form={"csrf": csrf[1], **fields},
            headers={"Origin": self.address.removesuffix(self.below)},
            max_redirects=0,
        )
        assert answer.status == 303, answer.text()
        return str(answer.headers["location"]).removeprefix(self.below)


@contextmanager
def visitors(browser: Any, address: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; at the end none of their pages may have complained."""
    made: list[Visitor] = []

    def make(**look: Any) -> Visitor:
        made.append(Visitor(browser, address, **look))
        return made[-1]

    yield make
    faults = [fault for one in made for fault in one.faults]
    for one in made:
        one.context.close()
    assert not faults, faults


def table(page: Any) -> None:
    """Waits until the page is a table, or a replay, where presses are heard."""
    page.wait_for_selector("body[data-live] #board svg")


# The page fits the map after it has been laid out: until four frames have left the table and its map as they were.
_REST = """async () => {
  const boxes = () => JSON.stringify([...document.querySelectorAll("#ground, #board svg, #question, #end")]
    .map((one) => one.getBoundingClientRect()));
  for (let before = "", still = 0; still < 4; ) {
    await new Promise(requestAnimationFrame);
    const now = boxes();
    still = now === before ? still + 1 : 0;
    before = now;
  }
}"""


def rested(page: Any) -> None:
    """Waits until nothing of the table moves any more."""
    page.evaluate(_REST)


def pressing(page: Any, *, until: str = "#end:not([hidden])", most: int = 900, claim: bool = True) -> int:
    """Plays by pressing what the page offers until something is there; how many presses it took."""
    presses = 0
    deadline = time.monotonic() + 240
    while not page.locator(until).count():
        assert time.monotonic() < deadline, f"no end in sight: {page.title()}"
        assert presses < most, "too many presses"
        if press_once(page, presses, claim=claim):
            presses += 1
    return presses


def press_once(page: Any, n: int = 0, *, claim: bool = True) -> bool:
    """One press, if something is asked; whether there was one."""
    before = page.evaluate(_ASKED)
    if not before:
        page.wait_for_timeout(25)
        return False
    kind = before["kind"]
    if kind == "keep_tickets":
        for box in page.locator(".offers input").all():
            if page.locator("[data-combined]").is_disabled():
                box.check()
        page.click("[data-combined]")
    elif kind in ("turn", "second_card"):
        if kind == "turn" and claim and before["claims"]:
            _claim(page)
        elif before["deck"]:
            page.click(before["deck"])
        elif before["slot"]:
            page.click(before["slot"])
        else:
            page.locator("#question .answer, #deck-ticket:not([aria-disabled])").first.click()
    elif kind in ("fleet", "swap"):
        page.locator("#question .slider button").first.click()
    else:
        page.locator("#question .answer").first.click()
    page.wait_for_function(  # until it is answered: while it is on its way, the page asks nothing either
        f"""old => !document.body.classList.contains('waiting')
        && JSON.stringify(({_ASKED})()) !== JSON.stringify(old)""",
        arg=before,
    )
    return True


def _claim(page: Any) -> None:
    """The most valuable route that may be claimed, paid as the page proposes."""
    page.evaluate(
        """() => { const all = [...document.querySelectorAll('#choices [data-glow^=route]')];
        const worth = one => Number(one.querySelector('.value').lastChild.textContent);
        all.sort((a, b) => worth(b) - worth(a))[0].click(); }"""
    )
    page.locator("#card[open] .answer").first.click()


# What the page asks now. The version tells one question from the next of the same kind.
_ASKED = """() => { const asked = document.querySelector('#question.asked');
    if (!asked || document.body.classList.contains('waiting')) return null;
    const can = id => document.querySelector(id + ':not([aria-disabled])') ? id : '';
    return { kind: asked.dataset.kind, version: document.body.dataset.version,
             claims: document.querySelectorAll('#choices [data-glow^=route]').length,
             deck: can('#deck-train') || can('#deck-ship'),
             slot: [1,2,3,4,5,6].map(n => can('#slot-' + n)).find(Boolean) || '' }; }"""


def number(text: str) -> int:
    """The first number in a text."""
    found = re.search(r"\d+", text)
    assert found, text
    return int(found[0])


def faults(page: Any, axe: str, **options: Any) -> list[str]:
    """Serious faults that axe finds."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)  # through the debugger: the page's own policy lets no such script in
    found = page.evaluate("options => axe.run(document, options)", {"resultTypes": ["violations"], **options})
    return [
        f"{one['id']}: {one['help']} {json.dumps([node['target'] for node in one['nodes'][:3]])}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def faults_in_both_themes(page: Any, axe: str) -> list[str]:
    """Serious faults in light and in dark: of the same page, with nothing changed in it but the colours."""
    found = []
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast", "link-in-text-block"]})):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {fault}" for fault in faults(page, axe, **options)]
    return found
