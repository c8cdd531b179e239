"""Kinds of players: with the keyboard alone, around one device, on a phone, in another language, with a bad line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import before_the_end, laid, played_out, set_table, take_seat, with_bots
from pressing import faults_in_both_themes, press_once, pressing, table

import branchline as bl

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def focused(page: Any) -> str:
    return str(
        page.evaluate("(document.activeElement.closest('[id]') || document.body).id || document.activeElement.tagName")
    )


def tap(page: Any, selector: str) -> None:
    """A press on something of the map, wherever it lies."""
    page.locator(selector).first.dispatch_event("click")


WHOLE = ("berlin",)
"""On these boards whole games are played by keyboard; on the others the first turns and the last."""


@pytest.mark.long
@pytest.mark.parametrize("board", WHOLE)
def test_a_game_by_keyboard_alone(visitor: Callable[..., Any], board: str) -> None:
    anna = visitor()
    anna.new_room(board, seats="2", seed="11")
    play_by_keyboard(anna.page, until="#end:not([hidden])")
    assert anna.page.locator("#end tfoot td").count() == 2


@pytest.mark.long
@pytest.mark.parametrize("board", [board for board in bl.builtin_boards() if board not in WHOLE])
def test_the_first_turns_and_the_last_by_keyboard_alone(visitor: Callable[..., Any], board: str) -> None:
    anna = visitor()
    anna.new_room(board, seats="2", seed="11")
    play_by_keyboard(anna.page, until="#log li:nth-of-type(12)")
    page = set_table(anna, before_the_end(board))
    play_by_keyboard(page, until="#end:not([hidden])")
    assert page.locator("#end tfoot td").count() == 2


def play_by_keyboard(page: Any, until: str) -> None:
    """Answer whatever is asked by keys, until something is there."""
    page.mouse.move(0, 0)
    presses = 0
    while not page.locator(until).count():
        presses += 1
        assert presses < 2000
        kind = page.evaluate("document.querySelector('body:not(.waiting) #question.asked')?.dataset.kind")
        if kind is None:
            page.wait_for_timeout(25)
            continue
        version = page.evaluate("document.body.dataset.version")
        if kind == "keep_tickets":
            keep_first_tickets(page)
        elif kind == "turn" and page.locator("#choices [data-ask]").count():
            page.keyboard.press("c")
            assert focused(page) == "choices"
            page.keyboard.press("Enter")
            page.wait_for_selector("#card[open] .answer")
            assert page.evaluate("document.activeElement.matches('#card .answer')"), (
                "the first way to pay has the focus"
            )
            page.keyboard.press("Enter")
        elif kind in ("turn", "second_card") and (key := key_that_draws(page)):
            page.keyboard.press(key)
        else:
            press_first_answer(page)
        page.wait_for_function("old => document.body.dataset.version !== old", arg=version)


def keep_first_tickets(page: Any) -> None:
    """Tick one after the other until it is enough."""
    page.keyboard.press("q")
    assert focused(page) == "question"
    while page.locator("#question button:is([disabled], [aria-disabled=true])").count():
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('#question input')")
        page.keyboard.press("Space")
    press_first_answer(page)


def key_that_draws(page: Any) -> str | None:
    """The key of something that can be drawn now: a card of a deck, one that lies open, tickets."""
    keys = {"#deck-train": "0", "#deck-ship": "9", **{f"#slot-{n}": str(n) for n in range(1, 9)}, "#deck-ticket": "t"}
    for selector, key in keys.items():
        if page.locator(f"{selector}:not([aria-disabled=true], [disabled])").count():
            return key
    return None


def press_first_answer(page: Any) -> None:
    """Tab to the first button of the question and press it."""
    page.keyboard.press("q")
    assert focused(page) == "question"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#question button:not([disabled], [aria-disabled=true])')"):
            return page.keyboard.press("Enter")
    pytest.fail("no button of the question can be reached")


@pytest.mark.long
def test_the_arrows_walk_over_the_map_and_enter_opens_what_is_there(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("europe", seats="2", seed="3")
    page = anna.page
    page.wait_for_selector("#question.asked")
    page.keyboard.press("m")
    seen = set()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.querySelector('title').textContent"))
    assert len(seen) > 3
    page.keyboard.press("Enter")
    page.wait_for_selector("#card[open] h2")
    page.keyboard.press("Escape")
    assert not page.locator("#card[open]").count()
    assert page.evaluate("document.querySelectorAll('#board [tabindex=\"0\"]').length") == 1


@pytest.mark.long
def test_the_device_goes_round(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("berlin", seats="2", kind0="me", kind1="here", name0="Anna", name1="Ben", seed="5", first="0")
    page = anna.page
    assert covers_until(page, "#log li:nth-of-type(24)") > 6
    page = at_one_device(anna, before_the_end("berlin"))
    assert covers_until(page, "#end:not([hidden])") > 2


def at_one_device(anna: Any, game: bl.Game) -> Any:
    """A game that has begun already, with both seats around one device."""
    path, *links = with_bots(anna, game, 2)
    for link, name in zip(links, ("Anna", "Ben"), strict=True):
        take_seat(anna, link, name)
    return anna.go(path)


def covers_until(page: Any, there: str) -> int:
    """Plays around one device until something is there; how often it was passed on."""
    covers = presses = 0
    while not page.locator(there).count():
        assert presses < 500, "the game does not end"
        cover = page.locator("#cover:not([hidden]) [data-do=sit]")
        if cover.count():
            covers += 1
            seen = page.locator('#cover [data-seat=""]')
            if seen.count():  # a card drawn face down is seen first
                assert page.locator("#hand .card").count()
                seen.click()
                page.wait_for_selector('#cover:not(:has([data-seat=""]))')
            assert not page.locator("#hand .card").count(), "no cards are in the page while the device goes round"
            cover.click()
            page.wait_for_selector("#cover[hidden]", state="attached")
            continue
        presses += press_once(page, presses)
    return covers


@pytest.mark.long
def test_a_game_on_a_phone(visitor: Callable[..., Any]) -> None:
    ben = visitor(**PHONE)
    ben.new_room("berlin", seats="2", seed="2")
    page = ben.page
    page.wait_for_selector("#question.asked")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing may stick out of a phone"
    map_box = page.locator("#board").bounding_box()
    assert map_box["width"] > 200
    pressing(page, until="#log li:nth-of-type(16)")
    page = set_table(ben, before_the_end("berlin"))
    pressing(page)
    assert page.locator("#end tfoot td").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.long
def test_a_phone_on_its_side_has_the_map_beside_the_cards(visitor: Callable[..., Any]) -> None:
    ben = visitor(**{**PHONE, "viewport": {"width": 844, "height": 390}})
    ben.new_room("berlin", seats="2", seed="2", first="0")
    page = ben.page
    page.wait_for_selector("#question.asked[data-kind=keep_tickets]")
    for box in page.locator(".offers input").all():
        box.check()
    page.click("[data-combined]")
    page.wait_for_selector("#question.asked[data-kind=turn]", state="attached")
    boxes = {name: page.locator(name).bounding_box() for name in ("#board", "#market", "#hand", "#seat-0")}
    assert boxes["#board"]["width"] > 300 and boxes["#board"]["height"] > 150
    edge = boxes["#board"]["x"] + boxes["#board"]["width"]
    for name in ("#market", "#hand"):
        assert boxes[name]["x"] >= edge, name
        assert boxes[name]["y"] + boxes[name]["height"] <= 390, name
    assert page.evaluate("document.documentElement.scrollWidth") <= 844
    page = set_table(ben, before_the_end("berlin"))
    pressing(page)
    assert page.locator("#end tfoot td").count() == 2


@pytest.mark.long
def test_a_finger_draws_two_cards_with_two_taps_and_is_asked_before_it_draws_tickets(
    visitor: Callable[..., Any],
) -> None:
    ben = visitor(**PHONE)
    ben.new_room("europe", seats="2", kind0="me", kind1="here", first="0")
    page = ben.page
    page.tap("#cover [data-do=sit]")
    page.wait_for_selector("#question[data-kind=keep_tickets]", state="attached")
    press_once(page)
    page.tap("#cover [data-do=sit]")
    page.wait_for_selector("#question[data-kind=keep_tickets]", state="attached")
    press_once(page)
    page.tap("#cover [data-do=sit]")
    page.wait_for_selector("#question[data-kind=turn]", state="attached")
    page.tap("#deck-ticket")
    page.wait_for_selector("#confirm:not([hidden])")
    page.tap("#confirm [data-no]")
    assert page.locator("#question[data-kind=turn]").count()
    page.tap("#deck-train")
    page.wait_for_selector("#question[data-kind=second_card]", state="attached")
    page.wait_for_timeout(600)  # of a double tap the first press counts
    page.tap("#deck-train")
    page.wait_for_selector("#cover:not([hidden])")
    assert page.locator("#hand .card").count(), "the card drawn is seen before the cards are covered"
    page.tap('#cover [data-seat=""]')
    page.wait_for_selector("#cover [data-seat='1']")
    assert not page.locator("#hand .card").count() and page.locator("#market .slot").first.is_visible()


def test_undo_and_reasons(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("europe", seats="2", seed="2", first="0")
    page = anna.page
    press_once(page)
    page.wait_for_selector("#question[data-kind=turn]", state="attached")
    tap(page, "#board [data-route]:not(.can)")
    page.wait_for_selector("#card[open] .why")
    page.keyboard.press("Escape")
    before = page.locator("#choices [data-glow^=route]").count()
    assert before == page.locator("#board .route.can").count() > 0


@pytest.mark.long
def test_a_broken_line_mends_itself(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("europe", seats="2", seed="2", first="0")
    page = anna.page
    page.wait_for_selector("#question.asked")
    anna.context.set_offline(True)
    page.evaluate("0")
    anna.context.set_offline(False)
    page.reload()
    table(page)
    press_once(page)
    page.wait_for_selector("#question[data-kind=turn]", state="attached")


@pytest.mark.parametrize(
    "language", ["pl", pytest.param("cs", marks=pytest.mark.long), pytest.param("de", marks=pytest.mark.long)]
)
def test_in_another_language(visitor: Callable[..., Any], language: str) -> None:
    anna = visitor()
    page = anna.go(f"/language/{language}?back=/")
    assert page.locator("html").get_attribute("lang") == language
    anna.new_room("world", seats="2", seed="4", first="0")
    assert page.locator("html").get_attribute("lang") == language
    page.wait_for_selector("#question.asked")
    assert {"pl": "Twoja tura", "cs": "Jste na tahu", "de": "Du bist dran"}[language] in page.title()
    press_once(page)
    assert "Your turn" not in page.locator("body").inner_text()


@pytest.mark.long
def test_hot_links_of_the_replay(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, played_out("berlin"))
    page = anna.go(f"{path}/12?perspective=all")
    assert page.locator("#moment b").first.inner_text().startswith("12")
    owned = page.locator("#board .route.owned").count()
    page.locator("#scrubber input").evaluate("one => { one.value = one.max; one.dispatchEvent(new Event('input')); }")
    page.wait_for_selector("#end:not([hidden])")
    assert page.locator("#board .route.owned").count() > owned
    page.locator("#scrubber input").evaluate("one => { one.value = 12; one.dispatchEvent(new Event('input')); }")
    page.wait_for_selector("#end[hidden]", state="attached")
    assert page.locator("#board .route.owned").count() == owned
    page.click(".menu:not(.places) summary")
    page.click("[data-play-on] button")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#board .route")


@pytest.mark.long
def test_axe_finds_no_serious_fault_in_pages(visitor: Callable[..., Any], axe: str) -> None:
    anna, lines = visitor(), []
    learning = ("/learn", "/learn/puzzles", "/learn/puzzles/berlin", "/learn/mistakes", "/mine")
    for address in ("/", "/new?board=europe", *learning):
        lines += [f"{address}, {fault}" for fault in faults_in_both_themes(anna.go(address), axe)]
    assert not lines, "\n".join(lines)


@pytest.mark.long
@pytest.mark.parametrize("board", ["europe", "world", "germany"])
def test_axe_finds_no_serious_fault_at_a_table(visitor: Callable[..., Any], axe: str, board: str) -> None:
    anna = visitor()
    anna.new_room(board, seats="3", seed="6", first="0")
    page, lines = anna.page, []
    page.wait_for_selector("#question.asked")
    lines += [f"tickets, {fault}" for fault in faults_in_both_themes(page, axe)]
    for n in range(8):
        press_once(page, n)
    page.wait_for_selector("#question.asked")
    lines += [f"table, {fault}" for fault in faults_in_both_themes(page, axe)]
    tap(page, "#board [data-route]")
    page.wait_for_selector("#card[open] h2")
    lines += [f"card, {fault}" for fault in faults_in_both_themes(page, axe)]
    assert not lines, "\n".join(lines)


@pytest.mark.long
def test_axe_finds_no_serious_fault_at_the_end_and_in_a_replay(visitor: Callable[..., Any], axe: str) -> None:
    """Analysed games: see `test_browser_analysis`."""
    anna = visitor()
    page = set_table(anna, before_the_end("berlin"))
    pressing(page)
    lines = [f"end, {fault}" for fault in faults_in_both_themes(page, axe)]
    page = anna.go(f"{page.url.removeprefix(anna.address)}/replay/12?perspective=all")
    lines += [f"replay, {fault}" for fault in faults_in_both_themes(page, axe)]
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("board", ["world", pytest.param("europe", marks=pytest.mark.long)])
def test_the_table_weighs_under_300_kB(visitor: Callable[..., Any], board: str) -> None:
    anna = visitor()
    path = anna.new_room(board, seats="2", seed="4")
    anna.page.wait_for_selector("#question.asked")
    session = anna.context.new_cdp_session(anna.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    anna.go(path)
    anna.page.wait_for_selector("#question.asked")
    anna.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) < 300_000, sizes
