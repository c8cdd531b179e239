"""What the map tells by light: what a card in the hand pays for, what tickets want. Questions leave it its size."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from company import asked, claim, opened, route, seated, set_table
from pressing import rested

import branchline as bl
from branchline.rules.state import STATION

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LONG = pytest.mark.long
AGAIN = 0.93  # of its breadth in a turn, the map keeps at least so much

# How light each spot of a picture is, 0 … 255: what is seen in grey.
GREY = """async data => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const board = document.createElement("canvas");
  [board.width, board.height] = [image.width, image.height];
  const pen = board.getContext("2d");
  pen.drawImage(image, 0, 0);
  const seen = pen.getImageData(0, 0, image.width, image.height).data, found = [];
  for (let at = 0; at < seen.length; at += 4) {
    found.push(Math.round(0.2126 * seen[at] + 0.7152 * seen[at + 1] + 0.0722 * seen[at + 2]));
  }
  return found;
}"""


def lit(page: Any, name: str) -> set[int]:
    """The routes of the map that have this class."""
    return {
        int(one)
        for one in page.locator(f"#board .{name}[data-route]").evaluate_all("all => all.map(o => o.dataset.route)")
    }


@pytest.mark.parametrize(
    ("board", "cards"),
    [
        pytest.param("europe", ["red", "red", "blue", "wild"], marks=pytest.mark.long),
        ("berlin", ["red", "wild"]),
        pytest.param(
            "world",
            [
                "red",
                "red",
                "wild",
                "green ship",
                "green ship",
                "green double ship",
                "red port",
                "wild",
                "black",
                "black",
            ],
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_card_in_the_hand_lights_exactly_what_it_pays_for(
    visitor: Callable[..., Any], board: str, cards: list[str]
) -> None:
    game = opened(board, cards)
    page = set_table(visitor(), game)
    asked(page, "turn")
    can = lit(page, "can")
    assert can == {number for number in game.legal.numbers if number < STATION}
    seen = set()
    for card in page.locator("#hand button[data-hand]").all():
        name = card.get_attribute("data-hand")
        card.hover()
        held = lit(page, "held")
        assert held == {n for n in can if any(name in _names(way) for way in game.payments(n))}, (
            "by the rules' payments"
        )
        assert (
            card.get_attribute("aria-description")
            == f"can pay for {len(held)} route{'' if len(held) == 1 else 's'} now"
        )
        for other in lit(page, "suit"):
            assert game.board.routes[other].colour == name.split(" ")[0] and other not in held
        seen |= held
    page.mouse.move(5, 5)
    page.wait_for_selector("#board:not(.holding)", state="attached")
    assert seen == can and not lit(page, "held") and not lit(page, "suit")


def _names(way: bl.Payment) -> set[str]:
    return {part.split(" ", 1)[1] for part in way.text.split(" + ")}


@pytest.mark.long
def test_focus_on_a_card_lights_and_escape_ends_it(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red", "red", "blue", "wild"])
    page = set_table(visitor(), game)
    asked(page, "turn")
    page.keyboard.press("h")
    first = page.evaluate("document.activeElement.dataset.hand")
    assert first and lit(page, "held") == {n for n, cards in game.cards_for().items() if n < STATION and first in cards}
    page.keyboard.press("Escape")
    assert not lit(page, "held")
    assert page.evaluate("document.activeElement.dataset.hand") == first, "one goes on from where one was"
    page.keyboard.press("Enter")  # a press stays, whatever has the focus
    held = lit(page, "held")
    page.keyboard.press("c")
    page.wait_for_selector("#choices details[open]")
    rows = page.locator("#choices details").first.locator("li:visible")
    assert rows.count() == len(held) == int(page.locator("#choices summary b").first.inner_text())
    page.keyboard.press("Escape")
    assert not lit(page, "held")
    assert rows.count() == len(lit(page, "can"))


@pytest.mark.long
def test_on_a_phone_a_tap_lights_and_a_second_or_one_elsewhere_ends_it(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red", "red", "blue", "wild"])
    page = set_table(visitor(**PHONE), game)
    asked(page, "turn")
    red = page.locator("#hand [data-hand=red]")
    wanted = {n for n, cards in game.cards_for().items() if n < STATION and "red" in cards}
    red.tap()
    assert lit(page, "held") == wanted and red.get_attribute("aria-pressed") == "true"
    red.tap()
    assert not lit(page, "held") and red.get_attribute("aria-pressed") == "false"
    red.tap()
    page.locator("#hand [data-hand=wild]").tap()
    assert lit(page, "held") == lit(page, "can")
    page.tap(".tabs [data-tab=choices]")
    assert lit(page, "held"), "the list of claims is one of what it pays for"
    page.tap(".tabs [data-tab=hand]")
    page.touchscreen.tap(380, 300)
    assert not lit(page, "held")


@pytest.mark.long
def test_a_pressed_card_that_leaves_the_hand_lights_no_longer(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    page = set_table(visitor(), game)
    asked(page, "turn")
    page.click("#hand [data-hand=red]")
    assert lit(page, "held")
    claim(page, route(game, "Marseille–Paris"))
    asked(page, "turn")
    assert not page.locator("#hand [data-hand=red]").count()
    assert not page.locator("#board.holding, #board .held, #board .suit").count()


@pytest.mark.long
def test_who_waits_sees_where_a_colour_is_printed(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    _, ben = seated(visitor(), visitor(), game)
    card = ben.locator("#hand button[data-hand]:not([data-hand=wild])").first
    colour = card.get_attribute("data-hand")
    card.hover()
    assert lit(ben, "suit") == {one.index for one in game.board.routes if one.colour == colour}
    assert not lit(ben, "held") and card.get_attribute("aria-description") is None


# ------------------------------------------------------------------------------------------- my tickets


def wanting(board: str = "europe") -> tuple[bl.Game, int, str]:
    """A game in which a route on the way of a ticket can be paid for, that route, and the ticket's name."""
    from branchline.web.core.pages import ticket_status

    for seed in range(1, 60):
        game = opened(board, ["red", "green", "blue", "wild"], seed=seed)
        claims = [number for number in game.legal.numbers if number < STATION]
        for mark in ticket_status.statuses(game.perspective(0), game.view(0)):
            for one in mark.way:
                if one.index in claims and len(claims) > 4 and one.lines == 1:
                    return game, one.index, mark.ticket.name
    raise AssertionError("no such game")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_what_my_tickets_want_glows_more_than_the_rest_in_grey_on_a_phone(
    visitor: Callable[..., Any], theme: str
) -> None:
    game, number, _ = wanting()
    anna = visitor(**PHONE)
    anna.go("/")
    csrf = anna.page.locator("input[name=csrf]").first.get_attribute("value")
    anna.context.request.post(
        f"{anna.address}/settings", form={"csrf": csrf, "theme": theme, "back": "/"}, headers={"Origin": anna.address}
    )
    page = set_table(anna, game)
    asked(page, "turn")
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    wanted = lit(page, "wanted")
    assert number in wanted and wanted < lit(page, "can")
    focus = f'#board [data-route="{number}"] .focus'
    box = page.locator(focus).bounding_box()
    clip = {"x": box["x"] - 4, "y": box["y"] - 4, "width": box["width"] + 8, "height": box["height"] + 8}

    def seen() -> list[int]:
        return page.evaluate(GREY, base64.b64encode(page.screenshot(clip=clip)).decode())

    def look() -> tuple[float, float]:
        return tuple(
            float(page.locator(focus).evaluate(f"one => getComputedStyle(one).{what}").removesuffix("px"))
            for what in ("strokeWidth", "strokeOpacity")
        )

    most, strong = look(), seen()
    page.evaluate(f"""document.querySelector('#board [data-route="{number}"]').classList.remove('wanted')""")
    usual, weak = look(), seen()
    page.evaluate(f"""document.querySelector('#board [data-route="{number}"]').classList.remove('can')""")
    dark = seen()
    assert most[0] > 1.25 * usual[0] and most[1] > 1.5 * usual[1]

    def apart(one: list[int]) -> float:
        return sum(abs(a - b) for a, b in zip(one, dark, strict=True)) / len(dark)

    assert apart(strong) > 1.6 * apart(weak) > 0


COLOURS = """async data => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const board = document.createElement("canvas");
  [board.width, board.height] = [image.width, image.height];
  const pen = board.getContext("2d");
  pen.drawImage(image, 0, 0);
  const seen = pen.getImageData(0, 0, image.width, image.height).data, found = [];
  const hex = (value) => value.toString(16).padStart(2, "0");
  for (let at = 0; at < seen.length; at += 4) found.push("#" + hex(seen[at]) + hex(seen[at + 1]) + hex(seen[at + 2]));
  return found;
}"""
SEEN_APART = 12.0  # CIEDE2000 by which a spot is seen to have changed
SEEN_SHARE = 0.5  # of the spots that change to a usual eye, seen to change with every other vision


@pytest.mark.long
def test_what_my_tickets_want_is_told_apart_with_every_colour_vision(visitor: Callable[..., Any]) -> None:
    from branchline.draw.colour_vision import VISION, distance

    game, number, _ = wanting()
    page = set_table(visitor(), game)
    asked(page, "turn")
    focus = f'#board [data-route="{number}"] .focus'
    box = page.locator(focus).bounding_box()
    clip = {"x": box["x"] - 4, "y": box["y"] - 4, "width": box["width"] + 8, "height": box["height"] + 8}

    def seen() -> list[str]:
        return page.evaluate(COLOURS, base64.b64encode(page.screenshot(clip=clip)).decode())

    strong = seen()
    page.evaluate(f"""document.querySelector('#board [data-route="{number}"]').classList.remove('wanted')""")
    weak = seen()
    pairs = Counter(zip(strong, weak, strict=True))
    changed = {
        kind: sum(n for (a, b), n in pairs.items() if a != b and distance(a, b, kind) > SEEN_APART) for kind in VISION
    }
    assert changed["full"] > 400
    assert min(changed.values()) >= SEEN_SHARE * changed["full"], changed


@pytest.mark.long
def test_the_list_of_claims_begins_with_those_for_my_tickets_and_names_them(visitor: Callable[..., Any]) -> None:
    game, number, name = wanting()
    page = set_table(visitor(), game)
    asked(page, "turn")
    page.keyboard.press("c")
    rows = page.locator("#choices details").first.locator("li")
    notes = [one.locator("small").all_inner_texts() for one in rows.all()]
    for_mine = [bool(note) for note in notes]
    assert any(for_mine) and for_mine == sorted(for_mine, reverse=True), "those for tickets come first"
    mine = page.locator(f'#choices [data-row="{number}"]')
    assert name in mine.locator("small").inner_text() and mine.locator("small").inner_text().startswith("for ")
    named = {
        int(one)
        for one in rows.evaluate_all("all => all.filter(o => o.querySelector('small')).map(o => o.dataset.row)")
    }
    assert named == lit(page, "wanted")


# ------------------------------------------------------------------------------------------- the map's size


def breadth(page: Any) -> float:
    rested(page)
    return float(page.evaluate("document.getElementById('ground').getBoundingClientRect().width"))


SCREENS = ((1024, 640), (1280, 720), (1920, 1080))


@pytest.mark.parametrize(
    ("board", "windows"),
    [*(pytest.param(one, SCREENS, marks=LONG) for one in ("germany", "europe", "world")), ("berlin", SCREENS[:1])],
)
def test_no_question_makes_the_map_smaller(
    visitor: Callable[..., Any], board: str, windows: tuple[tuple[int, int], ...]
) -> None:
    anna = visitor(viewport={"width": windows[0][0], "height": windows[0][1]})
    anna.new_room(board, seats="3", first="0", seed="3")
    page = anna.page
    sizes: dict[tuple[int, int], dict[str, float]] = {window: {} for window in windows}

    def look(kind: str) -> None:
        for window in windows:
            page.set_viewport_size({"width": window[0], "height": window[1]})
            sizes[window][kind] = breadth(page)
            if kind == "turn":
                continue
            inside = page.locator("#question").bounding_box()
            assert inside["y"] + inside["height"] <= window[1] and inside["x"] >= 0 and nothing_is_cut(page), kind
            last = page.locator("#question button").last.bounding_box()
            assert last["y"] + last["height"] <= window[1], "the answer can be pressed"

    for _ in range(4):
        page.wait_for_selector("body:not(.waiting) #question.asked", state="attached")
        kind = page.locator("#question").get_attribute("data-kind")
        look(kind)
        if kind == "turn":
            break
        if kind == "keep_tickets":
            for box in page.locator(".offers input").all():
                box.check()
            page.click("[data-combined]")
        else:
            page.locator("#question button").first.click()
        page.wait_for_selector(f"#question:not([data-kind={kind}])", state="attached")
    if board == "world":
        page.click("#question [data-act=swap]")
        asked(page, "swap")
        look("swap")
    for seen in sizes.values():
        assert set(seen) >= {"keep_tickets", "turn"}
        assert min(seen.values()) >= AGAIN * seen["turn"], sizes


def nothing_is_cut(page: Any) -> bool:
    """Whether all of a question can be seen; a long list of tickets may be scrolled, its button stays in sight."""
    least = "one.scrollHeight - one.clientHeight <= 1 || one.dataset.kind === 'keep_tickets'"
    return bool(page.locator("#question").evaluate(f"one => one.scrollWidth <= one.clientWidth && ({least})"))


@pytest.mark.long
@pytest.mark.parametrize("window", [(1024, 640), pytest.param((1280, 720), marks=LONG)])
def test_a_tunnel_and_a_passenger_leave_the_map_its_size(visitor: Callable[..., Any], window: tuple[int, int]) -> None:
    look = {"viewport": {"width": window[0], "height": window[1]}}
    market, turned = ["white", "yellow", "black", "purple", "green"], ["red", "white", "white"]
    game = opened("europe", ["red", "red", "red", "green", *["blue"] * 4, *market, *turned])
    page = set_table(visitor(**look), game)
    asked(page, "turn")
    turn = breadth(page)
    tunnel = next(n for n in game.legal.numbers if n < STATION and game.board.routes[n].kind == "tunnel")
    page.locator(f'#board [data-route="{tunnel}"]').dispatch_event("click")
    page.locator("#card[open] .answer").first.click()
    asked(page, "tunnel")
    assert nothing_is_cut(page)
    assert breadth(page) >= AGAIN * turn
    germany = opened("germany", ["yellow"] * 4)
    page = set_table(visitor(**look), germany)
    asked(page, "turn")
    turn = breadth(page)
    page.locator(f'#board [data-route="{route(germany, "Augsburg–München line 1")}"]').dispatch_event("click")
    page.locator("#card[open] .answer").first.click()
    asked(page, "passenger")
    assert nothing_is_cut(page)
    assert breadth(page) >= AGAIN * turn


@pytest.mark.long
def test_on_a_phone_a_question_is_a_sheet_that_leaves_the_map_where_it_is(visitor: Callable[..., Any]) -> None:
    anna = visitor(**PHONE)
    anna.new_room("germany", seats="2", first="0", seed="3")
    page = anna.page
    asked(page, "mix")
    sheet, chart = page.locator("#question").bounding_box(), page.locator("#ground").bounding_box()
    assert sheet["width"] == 390 and sheet["y"] - chart["y"] > 200, "most of the map is seen"
    page.locator("#question .answer").first.click()
    asked(page, "keep_tickets")
    assert page.locator("#ground").bounding_box() == chart


@pytest.mark.long
@pytest.mark.parametrize("board", ["europe", "world"])
def test_a_tablet_held_upright_gives_the_map_its_whole_breadth(visitor: Callable[..., Any], board: str) -> None:
    page = set_table(visitor(viewport={"width": 820, "height": 1180}), opened(board))
    asked(page, "turn")
    assert breadth(page) > 760
    assert page.locator("#question .hint").is_visible(), "what can be done is said"
