"""Presses that come twice, too late, or while the server is down; and how much one is asked before they count."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from company import asked, claim, laid, opened, played_out, route, seated, set_table
from pressing import PATIENCE, Visitor, table

from web.servers import free_port, start


def cards_held(page: Any) -> int:
    return int(page.locator(".seat.me .counts li").first.inner_text().rpartition(":")[2])


def wishes(page: Any, **settings: str) -> None:
    """Chooses settings in the form of the start page and comes back."""
    address = page.url
    page.goto(re.sub(r"/t/.*", "/", address))
    page.click(".settings summary")
    for name, value in settings.items():
        page.select_option(f".settings [name={name}]", value)
    page.click(".settings button")
    page.wait_for_load_state()
    page.goto(address)
    table(page)


@pytest.mark.long
def test_who_is_hung_up_on_at_once_dials_more_and_more_rarely_and_loses_no_press(visitor: Callable[..., Any]) -> None:
    page = set_table(visitor(), opened("europe", ["red"] * 4))
    asked(page, "turn")
    dialled: list[float] = []
    away = True

    def answer(line: Any) -> None:
        dialled.append(time.monotonic())
        if away:
            line.close(code=1013, reason="the database is away")
        else:
            line.connect_to_server()

    page.route_web_socket(re.compile("/ws/"), answer)
    page.reload()
    page.wait_for_selector("body.offline")
    while len(dialled) < 2 or time.monotonic() < dialled[0] + 6:
        page.wait_for_timeout(100)
    assert sum(when < dialled[0] + 6 for when in dialled) <= 6
    away = False
    page.wait_for_selector("body:not(.offline)[data-live]")
    asked(page, "turn")
    page.click("#deck-train")
    asked(page, "second_card")
    assert cards_held(page) == 5


def test_a_double_click_plays_once(visitor: Callable[..., Any]) -> None:
    page = set_table(visitor(), opened("europe", ["red"] * 4))
    asked(page, "turn")
    page.dblclick("#deck-train")
    asked(page, "second_card")
    assert cards_held(page) == 5
    page.click("#deck-train")
    page.wait_for_selector("#question:not([data-kind=second_card])", state="attached")
    assert cards_held(page) == 6


@pytest.mark.long
def test_a_second_tab_that_lags_behind_is_told_so_and_plays_nothing(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    page = set_table(anna, opened("europe", ["red"] * 4))
    asked(page, "turn")
    late, lagging, lines = anna.context.new_page(), [False], []
    held: list[str] = []

    def follow(line: Any) -> None:
        server = line.connect_to_server()
        lines.append(line)
        line.on_message(server.send)
        server.on_message(lambda text: held.append(text) if lagging[0] else line.send(text))

    late.route_web_socket(re.compile("/ws/"), follow)
    late.goto(page.url)
    table(late)
    asked(late, "turn")
    lagging[0] = True
    page.click("#deck-train")
    asked(page, "second_card")
    late.click("#deck-ticket")
    late.wait_for_selector("body.waiting")
    for _ in range(PATIENCE // 20):
        if any("error" in json.loads(text) for text in held):  # this one came too late
            break
        late.wait_for_timeout(20)
    lagging[0] = False
    for text in held:
        lines[-1].send(text)
    late.wait_for_selector("#notice:not([hidden])")
    asked(late, "second_card")
    asked(page, "second_card")
    assert cards_held(page) == cards_held(late) == 5
    late.click("#deck-train")
    late.wait_for_selector("#question:not([data-kind=second_card])", state="attached")


@pytest.mark.long
def test_what_was_ticked_before_the_script_came_counts(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = anna.new_room("europe", seats="2", first="0", seed="3")
    page, held = anna.page, list[Any]()
    page.route("**/table.js", lambda route: held.append(route))
    page.goto(anna.address + path, wait_until="commit")
    page.wait_for_selector(".offers input")
    for box in page.locator(".offers input").all():
        box.check()
    assert page.locator("[data-combined]").is_disabled()
    held[0].continue_()
    page.click("[data-combined]")
    asked(page, "turn")


@pytest.mark.long
def test_a_scrubber_that_was_moved_before_the_script_came_is_heard(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, played_out("berlin"))
    page, held = anna.page, list[Any]()
    page.route("**/replay.js", lambda route: held.append(route))
    page.goto(f"{anna.address}{path}/30", wait_until="commit")
    page.locator("#scrubber input").fill("7")
    assert page.locator("#moment[data-n='30']").count()
    held[0].continue_()
    page.wait_for_selector("#moment[data-n='7']")


@pytest.mark.long
def test_the_server_is_killed_while_two_people_play(chromium: Any, tmp_path: Path) -> None:
    database, port = f"sqlite:///{tmp_path / 'rooms.sqlite'}", free_port()
    first = start(database, tmp_path, port)
    anna, ben = Visitor(chromium, first.url), Visitor(chromium, first.url)
    second = None
    try:
        game = opened("europe", ["red"] * 4)
        one, other = seated(anna, ben, game)
        paris = route(game, "Marseille–Paris")
        claim(one, paris)
        asked(other, "turn")
        first.kill()
        for page in (one, other):
            page.wait_for_selector("body.offline")
            page.wait_for_selector("#notice:not([hidden])")
        second = start(database, tmp_path, port)
        for page in (one, other):
            page.wait_for_selector("body:not(.offline)")
            assert page.locator(f'#board .owned[data-route="{paris}"]').count()
        for page in (other, one):
            asked(page, "turn")
            page.click("#deck-train")
            asked(page, "second_card")
            page.click("#deck-train")
        asked(other, "turn")
    finally:
        for who in (anna, ben):
            who.context.close()
        (second or first).kill()


@pytest.mark.long
def test_always_never_and_whom_a_mouse_is_asked(visitor: Callable[..., Any]) -> None:
    page = set_table(visitor(), opened("europe", ["red"] * 4))
    wishes(page, confirm="always")
    asked(page, "turn")
    page.click("#deck-train")
    page.wait_for_selector("#confirm:not([hidden])")
    page.keyboard.press("Escape")
    page.wait_for_selector("#confirm", state="hidden")
    asked(page, "turn")
    page.click("#deck-train")
    page.click("#confirm [data-yes]")
    asked(page, "second_card")
    page.keyboard.press("0")
    page.wait_for_selector("#confirm:not([hidden])")
    page.keyboard.press("Enter")
    page.wait_for_selector("#question:not([data-kind=second_card])", state="attached")


@pytest.mark.long
def test_who_never_wants_to_be_asked_claims_with_one_press(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    page = set_table(visitor(), game)
    wishes(page, confirm="never")
    asked(page, "turn")
    paris = route(game, "Marseille–Paris")
    page.locator(f'#board [data-route="{paris}"]').dispatch_event("click")
    page.wait_for_selector(f'#board .owned[data-route="{paris}"]', state="attached")
    assert not page.locator("#card[open]").count()


@pytest.mark.long
def test_settings_stay(visitor: Callable[..., Any]) -> None:
    anna = visitor(reduced_motion="no-preference")
    path = anna.new_room("berlin", seats="2", first="0", seed="3")
    page = anna.page
    wishes(page, theme="dark", motion="off", sound="off", confirm="always", language="de")
    root = page.locator("html")
    expected = {"lang": "de", "data-theme": "dark", "data-motion": "off", "data-sound": "off", "data-confirm": "always"}
    for look in range(2):
        assert {name: root.get_attribute(name) for name in expected} == expected, look
        page.goto(anna.address + "/")
    assert page.locator(".settings [name=theme]").input_value() == "dark"
    anna.go(path)
    wishes(page, theme="")
    assert root.get_attribute("data-theme") == "auto"
    assert root.get_attribute("lang") == "de"


FLIGHTS = """window.flights = 0; const animate = Element.prototype.animate;
Element.prototype.animate = function (...rest) { window.flights += 1; return animate.apply(this, rest); };"""


@pytest.mark.long
def test_cards_fly_only_where_motion_is_wanted(visitor: Callable[..., Any]) -> None:
    for look, expected in (("no-preference", True), ("reduce", False)):
        anna = visitor(reduced_motion=look)
        anna.context.add_init_script(FLIGHTS)
        page = set_table(anna, opened("europe", ["red"] * 4))
        asked(page, "turn")
        page.click("#deck-train")
        asked(page, "second_card")
        assert bool(page.evaluate("window.flights")) is expected, look


SPY = """window.heard = []; window.contexts = 0;
const Context = window.AudioContext, Oscillator = window.OscillatorNode;
window.AudioContext = class extends Context { constructor() { super(); window.contexts += 1; } };
window.OscillatorNode = class extends Oscillator {
  constructor(where, how) { super(where, how); window.heard.push(how.frequency); } };"""


@pytest.mark.long
def test_a_bell_rings_when_it_is_your_turn_and_the_tab_says_whose_it_is(visitor: Callable[..., Any]) -> None:
    one, other = visitor(), visitor()
    one.context.add_init_script(SPY)
    other.context.add_init_script(SPY)
    anna, ben = seated(one, other, opened("europe", ["red"] * 4))
    wishes(ben, sound="off")
    asked(anna, "turn")
    anna.wait_for_function("() => document.title.startsWith('Your turn')")
    ben.wait_for_function("() => document.title.startsWith('Anna’s turn')")
    for page in (ben, anna):  # browsers allow sounds after a touch only
        page.keyboard.press("f")
    anna.wait_for_function("() => window.contexts === 1")
    for acting, waiting in ((anna, ben), (ben, anna)):
        acting.click("#deck-train")
        asked(acting, "second_card")
        acting.click("#deck-train")
        asked(waiting, "turn")
        waiting.wait_for_function("() => document.title.startsWith('Your turn')")
    ben.wait_for_function("() => document.title.startsWith('Anna’s turn')")
    anna.wait_for_function("() => window.heard.includes(880)")
    assert ben.evaluate("[window.contexts, window.heard.length]") == [0, 0]


@pytest.mark.long
def test_what_is_not_possible_now_says_why(visitor: Callable[..., Any]) -> None:
    anna, ben = seated(visitor(), visitor(), opened("europe", ["red"] * 4))
    asked(anna, "turn")
    ben.click("#deck-train", force=True)
    ben.wait_for_selector("#notice:has-text('It is not your turn.')")
    anna.click("#deck-train")
    asked(anna, "second_card")
    held = cards_held(anna)
    anna.click("#deck-ticket", force=True)
    anna.wait_for_function("() => document.getElementById('notice').textContent.trim() !== ''")
    why = anna.locator("#notice").inner_text()
    assert "other question" in why, why
    assert cards_held(anna) == held
