"""A phone that wakes on a dead line: it shows the latest soon, and what was pressed is done once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from company import opened, seated, two_people
from pressing import Visitor, visitors
from relay import Relay, relayed

from table import costly

SOON = 8_000  # ms; nothing but waking brings a page to a new line so early, and a busy machine has time
WAKE = {
    "visibilitychange": "document.dispatchEvent(new Event('visibilitychange'))",
    "resume": "document.dispatchEvent(new Event('resume'))",
    "pageshow": "dispatchEvent(new Event('pageshow'))",
    "focus": "dispatchEvent(new Event('focus'))",
    "online": "dispatchEvent(new Event('online'))",
}
HAND = "[...document.querySelectorAll('[data-hand]')].reduce((sum, one) => sum + Number(one.dataset.count), 0)"
DECK = "#market [data-act=blind]"


@pytest.fixture
def relay(server: str) -> Iterator[Relay]:
    with relayed(server) as running:
        yield running


@pytest.fixture
def anna(chromium: Any, relay: Relay) -> Iterator[Visitor]:
    """Somebody whose phone reaches the server over the relay."""
    with visitors(chromium, relay.address) as make:
        yield make()


@pytest.fixture
def pages(anna: Visitor, visitor: Any) -> tuple[Any, Any]:
    """Anna, whose turn it is, and Ben, whose line is good."""
    return seated(anna, visitor(), opened("berlin", ["red"] * 4 + ["blue"] * 4))


def version(page: Any) -> int:
    return int(page.locator("body").get_attribute("data-version"))


def fresh(page: Any, than: int) -> None:
    page.wait_for_function("old => Number(document.body.dataset.version) > old", arg=than, timeout=SOON)


def cards(page: Any, seat: int = 0) -> int:
    return int(page.locator(f"#cards-{seat}").inner_text())


def draws(page: Any, seat: int) -> None:
    """A turn: two cards from the deck."""
    for _ in range(2):
        before = cards(page, seat)
        page.click(DECK)
        page.wait_for_function(
            "([id, old]) => document.getElementById(id).textContent != old", arg=[f"cards-{seat}", str(before)]
        )


@pytest.mark.parametrize("event", costly(WAKE))
def test_what_happened_while_a_phone_slept_is_there_when_it_wakes(
    event: str, pages: tuple[Any, Any], relay: Relay
) -> None:
    phone, ben = pages
    draws(phone, 0)
    ben.wait_for_selector("#seat-1.now")
    before = version(phone)
    relay.die()
    draws(ben, 1)
    assert version(phone) == before, "the line is dead"
    phone.evaluate(WAKE[event])
    fresh(phone, before)
    phone.wait_for_selector("#seat-0.now")
    assert not phone.locator("body.offline, body.waiting").count()


@pytest.mark.parametrize(
    "heard", [pytest.param(False, marks=pytest.mark.long), True], ids=["it was lost", "its answer was lost"]
)
@pytest.mark.parametrize("woken", costly([False, True]), ids=["asleep", "woken"])
def test_a_press_on_a_dead_line_is_done_once(heard: bool, woken: bool, pages: tuple[Any, Any], relay: Relay) -> None:
    phone, ben = pages
    before, held = version(phone), cards(phone)
    if heard:
        relay.go_deaf()
    else:
        relay.die()
    phone.click(DECK)
    if heard:
        ben.wait_for_function("old => Number(document.getElementById('cards-0').textContent) > old", arg=held)
    assert version(phone) == before and phone.locator("body.waiting").count()
    if woken:
        phone.evaluate(WAKE["visibilitychange"])
    fresh(phone, before)
    phone.wait_for_selector("body:not(.waiting)")
    phone.wait_for_timeout(500)  # what would be done a second time comes now
    assert cards(phone) == cards(ben) == held + 1
    assert not phone.locator("#notice:not([hidden])").filter(has_text="in the meantime").count()
    phone.click(DECK)
    ben.wait_for_selector("#seat-1.now")


@pytest.mark.long
def test_a_press_that_came_too_late_is_said_to_be_lost(
    pages: tuple[Any, Any], anna: Visitor, relay: Relay, server: str
) -> None:
    """Anna presses on her phone, which has no line, and then does something else on her tablet."""
    phone, _ = pages
    tablet = anna.context.new_page()
    tablet.goto(server + phone.url.removeprefix(relay.address))
    tablet.wait_for_selector("body[data-live]")
    before, held = version(phone), cards(phone)
    relay.die()
    phone.locator("#market [id^=slot-][data-act], #market [id^=slot-] [data-act]").first.click()
    tablet.click(DECK)
    fresh(tablet, before)
    phone.evaluate(WAKE["online"])
    phone.wait_for_selector(":text('The table has changed in the meantime')")
    phone.wait_for_selector("body:not(.waiting)")
    assert cards(phone) == cards(tablet) == held + 1


@pytest.mark.long
def test_what_is_said_on_a_dead_line_is_said_once(anna: Visitor, visitor: Any, relay: Relay) -> None:
    phone, ben = two_people(anna, visitor(), "berlin")
    for heard, text in ((False, "lost on the way"), (True, "heard, and not answered")):
        if heard:
            relay.go_deaf()
        else:
            relay.die()
        phone.keyboard.press("s")
        phone.keyboard.type(text)
        phone.keyboard.press("Enter")
        phone.keyboard.press("Escape")
        if heard:
            ben.wait_for_selector(f"#talk li:has-text({text!r})", state="attached")
        phone.evaluate(WAKE["focus"])
        for page in (ben, phone):
            page.wait_for_selector(f"#talk li:has-text({text!r})", state="attached", timeout=SOON)
        phone.wait_for_timeout(500)
        assert ben.locator(f"#talk li:has-text({text!r})").count() == 1


@pytest.mark.long
def test_a_dealt_hand_is_fresh_too_and_its_deed_done_once(chromium: Any, relay: Relay, server: str) -> None:
    with visitors(chromium, relay.address) as make:
        host = make().page
        host.goto(f"{relay.address}/deal")
        host.select_option("[name=board]", "europe")
        host.fill("[name=name0]", "Anna")
        host.fill("[name=name1]", "Ben")
        host.locator(".new-game .big").click()
        host.wait_for_selector(".deal-code img")
        everybody = host.locator("a.button[href^='/deal/']").first.get_attribute("href")
        phones = []
        for n in (0, 1):
            page = make().page
            page.goto(f"{relay.address if n == 0 else server}{everybody}")
            page.locator(".deal-choose button").nth(n).click()
            page.wait_for_selector("body[data-live]")
            for box in page.locator("#keep input").all():
                box.check()
            page.locator("#keep button").click()
            page.wait_for_selector("#choice", state="hidden")
            phones.append(page)
        anna = phones[0]
        anna.wait_for_selector("[data-pick]:not([aria-disabled])")
        for go in (relay.die, relay.go_deaf):
            held = hand(anna)
            go()
            anna.locator("#deck-train").click()
            anna.locator("#doing button.first").first.click()
            anna.evaluate(WAKE["visibilitychange"])
            anna.wait_for_function(f"old => {HAND} > old", arg=held, timeout=SOON)
            anna.wait_for_timeout(500)
            assert hand(anna) == held + 1


def hand(page: Any) -> int:
    return int(page.evaluate(HAND))


@pytest.mark.long
def test_a_clock_counts_by_what_passes_not_by_the_phones_date(anna: Visitor, visitor: Any) -> None:
    """The date of the phone jumps, and its timers stand for a while, as those of a page in the background do."""
    phone, _ = two_people(anna, visitor(), "europe", clock="turn 900")
    phone.evaluate("() => { const date = Date.now; Date.now = () => date() + 7_200_000; }")
    counted, passed = phone.evaluate(
        """async () => {
            const clock = document.querySelector("#seat-0 .clock");
            const left = () => clock.textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
            const before = left(), begun = performance.now();
            while (performance.now() < begun + 4000);
            const look = { childList: true, characterData: true, subtree: true };
            await new Promise((done) => new MutationObserver(done).observe(clock, look));
            return [before - left(), (performance.now() - begun) / 1000]; }"""
    )
    assert abs(counted - passed) < 2


LOCKS = """globalThis.locks = [];
Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
  const lock = { kind, released: false };
  locks.push(lock);
  return lock;
} } });"""


@pytest.mark.long
def test_the_screen_stays_on_while_somebody_plays_or_counts_and_again_when_the_page_comes_back(visitor: Any) -> None:
    anna = visitor()
    anna.context.add_init_script(LOCKS)
    page = anna.page
    page.goto(f"{anna.address}/count")
    assert page.evaluate("locks.length") == 0, "nothing is being counted"
    anna.go("/")
    anna.new_room("berlin", seats="2", kind0="me", kind1="bot", first="0")
    page.wait_for_function("() => locks.length === 1 && locks[0].kind === 'screen'")
    page.evaluate(WAKE["visibilitychange"])
    page.evaluate("document.dispatchEvent(new Event('pointerup'))")
    assert page.evaluate("locks.length") == 1, "it holds still"
    page.evaluate("locks[0].released = true")  # as browsers do when the page goes out of view
    page.evaluate(WAKE["visibilitychange"])
    page.wait_for_function("() => locks.length === 2")
