"""The questions of the editions, answered by pressing: payments, tunnels, passengers, ships, ports, trams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from company import asked, claim, opened, route, said, seated, set_table, tap

import branchline as bl


def hand(page: Any) -> Counter[str]:
    """The own hand as it is drawn."""
    cards = page.locator("#hand [data-hand]").all()
    return Counter({one.get_attribute("data-hand"): int(one.locator(".count").inner_text()) for one in cards})


@pytest.mark.long
def test_a_line_of_the_log_shows_its_route_on_the_map(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    anna, ben = seated(visitor(), visitor(), game)
    paris = route(game, "Marseille–Paris")
    claim(anna, paris)
    ben.wait_for_selector(f'#board .owned[data-route="{paris}"]', state="attached")
    line = ben.locator("#log li.k-claim button").last
    line.click()
    ben.wait_for_selector(f'#board .pinned[data-route="{paris}"]', state="attached")
    line.click()
    ben.wait_for_selector(f'#board [data-route="{paris}"]:not(.pinned)', state="attached")


@pytest.mark.long
def test_a_route_that_cannot_be_claimed_says_why(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    anna, ben = seated(visitor(), visitor(), game)
    board = game.board
    long = next(one.index for one in board.routes if one.length == 4 and one.colour not in ("red", "gray"))
    tap(anna, "route", long)
    assert "which you don’t have" in anna.locator("#card .why").inner_text()
    assert not anna.locator("#card .answer").count()
    anna.keyboard.press("Escape")
    paris = route(game, "Marseille–Paris")
    claim(anna, paris)
    asked(ben, "turn")
    tap(ben, "route", paris)
    assert "belongs to Anna" in ben.locator("#card .why").inner_text()
    ben.keyboard.press("Escape")
    tap(anna, "route", long)
    assert "not your turn" in anna.locator("#card .why").inner_text()


def test_ways_to_pay_are_offered_and_the_first_spends_no_wild(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red", "red", "blue", "wild"])
    page = set_table(visitor(), game)
    asked(page, "turn")
    zurich = next(
        one.index
        for one in game.board.routes
        if one.colour == "gray"
        and one.length == 2
        and one.kind == "rail"
        and any(int(a) == one.index for a in game.legal)
    )
    tap(page, "route", zurich)
    ways = page.locator("#card .answer")
    assert ways.count() >= 3
    acts = [one.get_attribute("data-act").partition(" with ")[2] for one in ways.all()]
    assert "wild" not in acts[0] and "first" in ways.first.get_attribute("class")
    assert page.evaluate("document.activeElement === document.querySelector('#card .answer')")
    page.locator("#card .answer", has=page.locator("xpath=.")).nth(acts.index(acts[0])).click()
    page.wait_for_selector(f'#board .owned[data-route="{zurich}"]', state="attached")
    assert hand(page) == Counter({"blue": 1, "wild": 1})


def tunnel_game(extra: int, hand_first: list[str]) -> bl.Game:
    """Seat 0 may enter a tunnel of two red cards; the next three of the deck hold so many reds."""
    market = ["white", "yellow", "black", "purple", "green"]
    turned = ["red"] * extra + ["white"] * (3 - extra)
    return opened("europe", [*hand_first, "blue", "blue", "blue", "blue", *market, *turned])


@pytest.mark.parametrize(
    ("cards", "can"),
    [
        (["red", "red", "red", "green"], True),
        pytest.param(["red", "red", "white", "green"], False, marks=pytest.mark.long),
    ],
)
def test_a_tunnel_shows_odds_before_and_cards_after(visitor: Callable[..., Any], cards: list[str], can: bool) -> None:
    game = tunnel_game(1, cards)
    anna, ben = seated(visitor(), visitor(), game)
    asked(anna, "turn")
    number = next(
        one.index
        for one in game.board.routes
        if one.kind == "tunnel" and one.length == 2 and any(int(a) == one.index for a in game.legal)
    )
    tap(anna, "route", number)
    answer = anna.locator('#card .answer[data-act$="with 2 red"]')
    odds = answer.locator("small").inner_text()
    assert odds.startswith("nothing extra") and odds.count("%") == 4
    answer.click()
    asked(anna, "tunnel")
    turned = anna.locator("#question .turned .card").all_inner_texts()
    assert len(turned) == 3 and sum("red" in one for one in turned) == 1
    asks = "1 more card" if can else "1 card more, and you don’t have it"
    assert asks in anna.locator("#question h2").inner_text()
    assert anna.locator("#question [data-act^='pay']").count() == int(can)
    assert anna.locator("#question [data-act=withdraw]").count() == 1
    ben.wait_for_selector(".doing:text('is deciding about a tunnel')")
    before = ben.locator("#log").inner_text()
    anna.click("#question [data-act=withdraw]")
    asked(ben, "turn")
    anna.wait_for_selector("#question:not([data-kind=tunnel])", state="attached")
    assert hand(anna) == Counter(cards)
    added = " ".join(ben.locator("#log").inner_text().removeprefix(before).split())
    # whether she could pay or not
    assert added == "1 Anna withdraws from Angora–Constantinople and takes back 2× red ."


@pytest.mark.long
def test_a_passenger_is_chosen_by_a_tap(visitor: Callable[..., Any]) -> None:
    game = opened("germany", ["yellow", "yellow", "yellow", "yellow"])
    page = set_table(visitor(), game)
    asked(page, "turn")
    number = route(game, "Augsburg–München line 1")
    before = page.locator("#board .owned").count()
    tap(page, "route", number)
    page.locator("#card[open] .answer").first.click()
    chosen = 0
    while chosen < 10:
        page.wait_for_selector("body:not(.waiting)")  # a press waits from the first moment on
        kind = page.locator("#question").get_attribute("data-kind")
        if kind != "passenger":
            break
        chosen += 1
        old = page.locator("#question").inner_text()
        glow = page.locator("#question").get_attribute("data-glow")
        tap(page, "place", int(str(glow).split("-")[1]))
        page.locator("#card[open] .answer").first.click()
        page.wait_for_function("old => document.querySelector('#question').innerText !== old", arg=old)
    assert chosen
    assert page.locator("#board .owned").count() > before  # a bot may have claimed one too
    assert page.locator("#seat-0 .pool li").count()


@pytest.mark.long
def test_chosen_tickets_show_their_ways_and_the_pieces_they_need_together(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("europe", seats="2", first="0", seed="3")
    page = anna.page
    asked(page, "keep_tickets")
    before = page.locator("#ground").bounding_box()["width"]
    labels = page.locator(".offers label").all()
    ways = [label.evaluate("one => JSON.parse(one.dataset.way)") for label in labels]
    for label in labels[:2]:
        label.locator("input").check()
    together = ways[0] | ways[1]
    assert together.keys() > ways[0].keys()
    assert page.locator("[data-together]").inner_text() == str(sum(together.values()))
    lit = page.locator("#board .pinned[data-route]").evaluate_all("all => all.map(one => one.dataset.route)")
    assert sorted(lit) == sorted(together)
    labels[0].locator("input").uncheck()
    assert page.locator("[data-together]").inner_text() == str(sum(ways[1].values()))
    labels[0].locator("input").check()
    page.click("[data-combined]")
    page.wait_for_selector("#question:not([data-kind=keep_tickets])", state="attached")
    assert page.locator("#ground").bounding_box()["width"] < 1.1 * before, (
        "the map was smaller while tickets were chosen"
    )


@pytest.mark.long
def test_a_fleet_is_chosen_along_a_slider(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("world", seats="2", first="0", seed="3")
    page = anna.page
    asked(page, "keep_tickets")
    for box in page.locator(".offers input").all():
        box.check()
    page.click("[data-combined]")
    asked(page, "fleet")
    page.locator("#question .slider input").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "11" in page.locator("#question output").inner_text()
    page.click("#question .slider button")
    asked(page, "turn")
    counts = page.locator("#seat-0 .counts").inner_text()
    assert "11" in counts and "49" in counts


@pytest.mark.long
def test_ships_refill_ports_and_swaps(visitor: Callable[..., Any]) -> None:
    page = set_table(visitor(), opened("world"))
    asked(page, "turn")
    page.locator(".slot:not([data-card^=wild])").first.click()
    asked(page, "refill")
    assert page.locator("#question .answer").count() == 2
    page.click("#question [data-act='refill ship']")
    asked(page, "second_card")
    page.click("#deck-ship")
    asked(page, "turn")  # the bot has played
    ships = page.locator("#seat-0 .counts li").all_inner_texts()
    page.click("#question [data-act=swap]")
    asked(page, "swap")
    page.locator("#question .slider").last.locator("input").focus()
    page.keyboard.press("ArrowRight")
    assert "2" in page.locator("#question .slider").last.locator("output").inner_text()
    page.locator("#question .slider button").last.click()
    asked(page, "turn")
    assert page.locator("#seat-0 .counts li").all_inner_texts() != ships
    said(page, "2")


@pytest.mark.long
def test_a_port_is_built_at_the_end_of_an_own_route(visitor: Callable[..., Any]) -> None:
    game = opened("world", ["purple port"] * 2 + ["wild"] + ["purple ship"] * 3 + ["purple double ship"] * 2)
    for action in ("claim Al-Qahira–Athina with 1 green double ship", "blind train", "blind train"):
        game.play(action)
    page = set_table(visitor(), game)
    asked(page, "turn")
    athens = game.board.index.place("Athina").index
    assert page.locator("#choices [data-glow^=place]").count() == 2
    tap(page, "place", athens)
    assert "Build a port with" in page.locator("#card").inner_text()
    page.locator("#card .answer").first.click()
    said(page, "Athina")
    page.wait_for_selector("#choices:not(:has([data-glow^=place]))", state="attached")
    tap(page, "place", athens)
    assert "port of Anna" in page.locator("#card .facts").inner_text()


def claimable(page: Any, game: bl.Game, kind: str) -> int:
    """Draws cards until a route of this kind can be claimed; its number."""
    for _ in range(40):
        asked(page, "turn")
        glowing = page.locator("#choices [data-glow^=route]").evaluate_all("all => all.map(one => one.dataset.glow)")
        found = [int(one.partition("-")[2]) for one in glowing]
        if fitting := [one for one in found if game.board.routes[one].kind == kind]:
            return fitting[0]
        page.click("#deck-train")
        asked(page, "second_card")
        page.click("#deck-train")
    raise AssertionError(f"no {kind} could be claimed")


@pytest.mark.long
def test_trams_and_the_subway(visitor: Callable[..., Any]) -> None:
    game = opened("berlin", ["red", "red"])
    page = set_table(visitor(), game)
    for kind in ("tram", "subway"):
        asked(page, "turn")
        number = claimable(page, game, kind)
        tap(page, "route", number)
        assert kind == "tram" or kind in page.locator("#card .facts").inner_text()
        page.keyboard.press("Escape")
        claim(page, number)
    assert page.locator("#board .owned").count() >= 2
