"""Nothing is cut, covered or too narrow where there is little room: on phones, upright or not, and small laptops."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from company import asked, before_the_end, laid, opened, played_out, set_table
from pressing import press_once, pressing, rested, table

UPRIGHT = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"viewport": {"width": 568, "height": 320}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 720}}

CUT_NAMES = """() => {
    const sheet = document.querySelector("#board svg").getBoundingClientRect();
    return [...document.querySelectorAll("#board .place:not(.unnamed) .l")].filter((name) => {
        const box = name.getBoundingClientRect();
        const beside = box.left < sheet.left - 1 || box.right > sheet.right + 1;
        return beside || box.top < sheet.top - 1 || box.bottom > sheet.bottom + 1;
    }).map((name) => name.textContent); }"""
MEET = """([one, other]) => {
    const boxes = (all) => [...document.querySelectorAll(all)].map((each) => each.getBoundingClientRect());
    const [a, b] = [boxes(one), boxes(other)];
    return a.some((x) => x.width && b.some((y) => y.width
        && x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)); }"""


@pytest.mark.parametrize(
    ("board", "window"),
    [
        ("germany", "laptop"),
        pytest.param("germany", "upright", marks=pytest.mark.long),
        pytest.param("world", "laptop", marks=pytest.mark.long),
    ],
)
def test_no_name_is_cut_at_the_edge_of_the_map(visitor: Callable[..., Any], board: str, window: str) -> None:
    anna = visitor(**{"laptop": LAPTOP, "upright": UPRIGHT}[window])
    anna.new_room(board, seats="2", seed="5")
    if window == "upright":
        anna.page.click("[data-zoom=fit]")
    rested(anna.page)
    assert anna.page.evaluate(CUT_NAMES) == []


@pytest.mark.long
def test_a_phone_on_its_side_shows_tickets_to_choose_and_cards_that_a_thumb_can_take(
    visitor: Callable[..., Any],
) -> None:
    anna = visitor(**ON_ITS_SIDE, locale="pl")
    anna.new_room("world", seats="3", first="0", seed="5")
    page = anna.page
    page.wait_for_selector("#question.asked")
    keep = page.locator(".keep").bounding_box()
    seen = [one.bounding_box() for one in page.locator(".offers label").all()]
    assert sum(box["y"] >= 46 and box["y"] + box["height"] <= keep["y"] + 1 for box in seen) >= 1
    slots = [one.bounding_box() for one in page.locator(".slot").all()]
    assert min(box["width"] for box in slots) >= 40 and min(box["height"] for box in slots) >= 34


@pytest.mark.long
@pytest.mark.parametrize("window", [pytest.param("upright"), pytest.param("on its side", marks=pytest.mark.long)])
def test_the_scores_of_a_replay_and_its_scrubber_lie_side_by_side_and_nothing_is_cut(
    visitor: Callable[..., Any], window: str
) -> None:
    anna = visitor(**{"upright": UPRIGHT, "on its side": ON_ITS_SIDE}[window], locale="pl")
    laid(anna, played_out("world", 3))
    page = anna.page
    page.wait_for_selector("#end.all-told", state="attached")
    rested(page)
    assert not page.evaluate(MEET, ["#scrubber", "#end"])
    wide = page.viewport_size["width"]
    buttons = [box for one in page.locator("#scrubber button, #end .after *").all() if (box := one.bounding_box())]
    assert buttons and all(box["x"] >= 0 and box["x"] + box["width"] <= wide for box in buttons)
    page.locator("#scrubber input").press("Home")
    page.wait_for_selector('#moment[data-n="0"]')
    assert not page.evaluate(MEET, ["#scrubber", "#ground"]) or window == "upright"
    assert page.locator("#ground").bounding_box()["height"] > 100, "the map keeps some room"


CUT_SEATS = """() => {
    const list = document.getElementById("seats").getBoundingClientRect();
    return [...document.querySelectorAll("#seats .seat")].filter((seat) => {
        const box = seat.getBoundingClientRect();
        return box.top < list.top - 1 || box.bottom > list.bottom + 1;
    }).map((seat) => seat.id); }"""


@pytest.mark.long
def test_on_a_laptop_all_five_players_with_passengers_and_cards_seen_are_in_sight(visitor: Callable[..., Any]) -> None:
    game, luck = opened("germany", seats=5), random.Random(1)
    while not all(seat.passengers for seat in game.view(0).seats) or game.question.seat or game.question.kind != "turn":
        game.play(luck.choice(list(game.legal)))
    page = set_table(visitor(**LAPTOP), game)
    assert page.locator("#seats .seat").count() == 5 and page.locator("#seats .pool:not([hidden])").count() == 5
    assert page.evaluate(CUT_SEATS) == []


@pytest.mark.long
@pytest.mark.parametrize("board", ["berlin", "europe"])
def test_a_map_between_panels_opens_whole_and_none_of_it_lies_beneath_them(
    visitor: Callable[..., Any], board: str
) -> None:
    anna = visitor()
    anna.new_room(board, seats="2", seed="5")
    rested(anna.page)
    assert not anna.page.evaluate(MEET, ["#ground", ".left > *, .right > *"])


CUT_OFFERS = """() => [...document.querySelectorAll(".offers .ticket")].filter((ticket) => {
    const box = ticket.getBoundingClientRect();
    const broken = ticket.querySelector(".ends").scrollWidth > ticket.querySelector(".ends").clientWidth + 1;
    return broken || [...ticket.children].some((part) => part.getBoundingClientRect().right > box.right);
}).map((ticket) => ticket.textContent)"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "language"),
    [
        ("berlin", "pl"),
        *(
            pytest.param(board, language, marks=pytest.mark.long)
            for board in ("berlin", "europe", "world")
            for language in ("de", "pl")
            if (board, language) != ("berlin", "pl")
        ),
    ],
)
def test_tickets_to_choose_from_show_their_names_and_values(
    visitor: Callable[..., Any], board: str, language: str
) -> None:
    anna = visitor(locale=language)
    anna.new_room(board, seats="3", first="0", seed="3")
    anna.page.wait_for_selector(".offers .ticket")
    assert anna.page.locator(".offers .ticket").count() > 1 and anna.page.evaluate(CUT_OFFERS) == []
    anna.page.set_viewport_size(LAPTOP["viewport"])
    assert anna.page.evaluate(CUT_OFFERS) == []


@pytest.mark.long
def test_on_a_phone_cards_are_noted_by_their_symbols_and_all_lie_above_the_tabs(visitor: Callable[..., Any]) -> None:
    page = visitor(**UPRIGHT).go("/")
    page.goto(page.url + "notate")
    page.select_option("#edition", "europe")
    page.click("#new-game button")
    page.wait_for_selector("#noting:not([hidden]) #board svg")
    tabs = page.locator("#tools").bounding_box()["y"]
    cards = page.locator("#entry .of")
    assert cards.count() == 9 and page.locator("#entry .of .chip use").count() == 9
    assert max(box["y"] + box["height"] for one in cards.all() if (box := one.bounding_box())) <= tabs


def test_on_a_phone_a_tapped_ticket_and_the_whole_map_are_in_sight_above_the_question(
    visitor: Callable[..., Any],
) -> None:
    anna = visitor(**UPRIGHT)
    anna.new_room("great_lakes", seats="2", first="0", seed="5")
    page = anna.page
    page.wait_for_selector("#question.asked[data-kind=keep_tickets]")
    low = page.locator("#question").bounding_box()["y"]
    heights = [box.bounding_box()["height"] for box in page.locator(".offers label").all()]
    for ticket in page.locator(".offers label").all():
        ticket.tap()
        rested(page)
        places = ticket.get_attribute("data-highlights").split()
        shown = [page.locator(f"#board [data-place='{one[6:]}'] circle").first for one in places if one[:6] == "place-"]
        boxes = [one.bounding_box() for one in shown]
        assert len(boxes) >= 2
        assert all(0 <= box["x"] <= 390 and box["y"] >= 46 and box["y"] + box["height"] <= low for box in boxes)
    assert [box.bounding_box()["height"] for box in page.locator(".offers label").all()] == heights
    page.tap("[data-zoom=fit]")
    rested(page)
    ground = page.locator("#ground").bounding_box()
    assert ground["y"] >= 46 and ground["y"] + ground["height"] <= low


@pytest.mark.parametrize(
    "language", ["de", "en", pytest.param("pl", marks=pytest.mark.long), pytest.param("cs", marks=pytest.mark.long)]
)
def test_on_a_phone_the_bar_and_the_players_are_read_in_full(visitor: Callable[..., Any], language: str) -> None:
    anna = visitor(**UPRIGHT, locale=language)
    anna.new_room("world", seats="2", first="0", seed="5")
    page = anna.page
    while not page.locator("#bar [data-do=undo]").count():
        press_once(page)
    page.wait_for_function("""() => { const title = document.querySelector(".whose");
        return title.scrollWidth <= title.clientWidth; }""")
    assert page.locator("#bar [data-do=undo] .label").inner_text().strip()
    cut = page.evaluate("""() => [...document.querySelectorAll("#seats .seat")].flatMap((seat) => {
        for (const number of seat.querySelectorAll(".counts [id]:not(:has(span))")) number.textContent = "44";
        const box = seat.getBoundingClientRect();
        return [...seat.querySelectorAll(".counts li")].filter((one) => {
            const { right, bottom } = one.getBoundingClientRect();
            return right > box.right - 3 || bottom > box.bottom;
        }).map((one) => one.innerText); })""")
    assert cut == []


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "pl", "cs"])
def test_on_a_phone_the_names_of_the_decks_are_whole_and_large_enough(
    visitor: Callable[..., Any], language: str
) -> None:
    page = set_table(visitor(**UPRIGHT, locale=language), opened("berlin"))
    asked(page, "turn")
    rested(page)
    sizes = page.evaluate("""() => [...document.querySelectorAll(".deck .label")].filter((one) => one.clientWidth > 2)
        .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.scrollWidth - one.clientWidth,
            one.scrollHeight - one.clientHeight])""")
    assert all(size >= 11 and beside <= 1 and below <= 1 for size, beside, below in sizes), sizes


@pytest.mark.long
def test_on_a_phone_the_moments_of_a_replay_take_all_the_width_and_the_height_of_a_thumb(
    visitor: Callable[..., Any],
) -> None:
    anna = visitor(**UPRIGHT)
    path = laid(anna, played_out("berlin"))
    page = anna.go(f"{path.split('/replay')[0]}/replay/0")
    box = page.locator("#scrubber input").bounding_box()
    assert box["width"] >= 340 and box["height"] >= 44
    assert not page.evaluate(MEET, ["#scrubber button", "#scrubber input"])
    assert not page.evaluate(MEET, ["#scrubber button", ".zoomer button"])


@pytest.mark.long
@pytest.mark.parametrize("window", ["upright", "on its side"])
def test_folded_scores_cover_neither_hand_nor_tabs_and_can_be_shown_again(
    visitor: Callable[..., Any], window: str
) -> None:
    anna = visitor(**{"upright": UPRIGHT, "on its side": ON_ITS_SIDE}[window])
    page = set_table(anna, before_the_end("berlin"))
    pressing(page)
    page.wait_for_selector("#end.all-told")
    page.tap("#end [data-end=fold]")
    page.wait_for_selector("#end.folded")
    for below in (".hand", ".tabs", ".market"):
        assert not page.evaluate(MEET, ["#end", below]), below
    assert page.locator("#end [data-end=fold]").inner_text() == "Show"
    page.tap("#end [data-end=fold]")
    assert page.locator("#end .scores").is_visible()


@pytest.mark.long
def test_on_a_phone_the_task_of_a_lesson_is_read_in_full_when_its_text_is_short(visitor: Callable[..., Any]) -> None:
    page = visitor(**UPRIGHT).go("/learn")
    page.locator("main form button").first.tap()
    table(page)
    page.wait_for_selector("#question.asked .offers")
    page.locator(".offers label").first.tap()
    page.wait_for_selector("#guide.short .task")
    below = page.evaluate("""() => {
        const task = document.querySelector("#guide .task");
        task.textContent = "Claim Brandenburger Tor–Gendarmenmarkt: press it on the map or in the list "
            + "“You can claim”, then how you pay.";
        const text = document.createRange();
        text.selectNodeContents(task);
        const bottoms = [text, document.getElementById("guide")].map((one) => one.getBoundingClientRect().bottom);
        return bottoms[0] - bottoms[1]; }""")
    assert below <= 0
