"""A game noted turn by turn on a phone: names, cards, a route, what a reload finds, and no network."""

from __future__ import annotations

from typing import Any

import pytest
from pressing import Visitor, faults

from branchline.boards import load_board
from branchline.tabletop.notation_reader import read_notation

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def title(page: Any) -> str:
    return str(page.inner_text("#title"))


def test_turns_are_noted_kept_taken_back_and_go_on_without_a_network(chromium: Any, server: str, axe: str) -> None:
    who = Visitor(chromium, server, service_workers="allow", **PHONE)
    page = who.page
    page.goto(f"{server}/notate")
    page.wait_for_selector("body[data-offline]", timeout=60_000)
    page.select_option("#edition", "europe")
    page.select_option("#seats", "2")
    for field in page.locator("#new-names input").all():
        field.fill("Anna, the first")
    page.click("#new-game button")
    page.wait_for_selector("#noting:not([hidden]) #board svg")
    assert page.locator("#players .name").all_inner_texts() == ["Anna the first", "Anna the first 2"]
    assert not faults(page, axe)
    who.context.set_offline(True)
    first = title(page)
    page.get_by_text("2 cards, not seen").click()
    page.wait_for_function("before => document.getElementById('title').innerText !== before", arg=first)
    page.click("#tools [data-tool=route]")
    page.fill("#typing", "Pamplona Madrid")
    page.press("#typing", "Enter")
    page.wait_for_selector("#choose:not([hidden]), #entry .ways")
    page.get_by_text("Record without the cards").click()
    page.wait_for_selector("#board .painted")
    page.reload()
    page.wait_for_selector("body[data-live] #board .painted")
    assert title(page) == first, "it is the first one's turn again"
    page.click("#undo")
    page.wait_for_selector("#board .painted", state="detached")
    assert title(page) != first
    page.click("[data-zoom=in]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    who.context.close()


def noted(page: Any) -> list[str]:
    return str(page.evaluate("() => document.querySelector('#as-text textarea').value")).splitlines()


def begun(visitor: Any, edition: str) -> Any:
    """Anna and Ben begin to note a game; what is asked before the first turn lies open."""
    who = visitor(**PHONE)
    page = who.page
    page.goto(f"{who.address}/notate")
    page.wait_for_selector("body[data-live]")
    page.select_option("#edition", edition)
    page.select_option("#seats", "2")
    for field, name in zip(page.locator("#new-names input").all(), ("Anna", "Ben"), strict=True):
        field.fill(name)
    page.click("#new-game button")
    page.wait_for_selector("#noting:not([hidden]) #board svg")
    page.get_by_text("Before the first turn").click()
    return page


def press(page: Any, *texts: str) -> None:
    for text in texts:
        page.locator("#entry").get_by_role("button", name=text, exact=True).click()


@pytest.mark.long
def test_a_second_tab_goes_on_with_the_game_and_the_first_one_follows(visitor: Any) -> None:
    page = begun(visitor, "europe")
    page.click("#tools [data-tool=cards]")
    press(page, "2 cards, not seen")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("#noting:not([hidden]) #board svg")
    first = title(page)
    press(other, "2 cards, not seen")
    page.wait_for_function("before => document.getElementById('title').innerText !== before", arg=first)
    press(page, "2 cards, not seen")
    page.click("#tools [data-tool=end]")
    drawn = [line for line in noted(page) if "2 cards" in line or "draw" in line]
    assert len(drawn) == 3, noted(page)
    page.click("#undo")
    page.click("#undo")  # what the other tab noted goes last: nothing is undone that this one does not show
    other.wait_for_function("() => JSON.parse(localStorage.getItem('branchline notation')).turns.length === 1")


@pytest.mark.long
def test_the_start_and_the_cards_of_a_tunnel_are_pressed(visitor: Any, axe: str) -> None:
    page = begun(visitor, "europe")
    page.select_option("[data-start=keep-1]", "3")
    page.select_option("[data-start=keep-0]", "2")
    page.select_option("[data-start=keep-0]", "4")
    assert not faults(page, axe)
    page.click("#tools [data-tool=route]")
    page.fill("#typing", "Pamplona Madrid")
    page.press("#typing", "Enter")
    paying, turning = (page.locator("#entry .kinds").nth(n) for n in range(2))
    for card in ("black", "black", "locomotive"):
        paying.get_by_role("button", name=card).click()
    for card in ("red", "red", "red", "red", "black", "red"):  # the fourth begins anew
        turning.get_by_role("button", name=card).click()
    assert not faults(page, axe)
    press(page, "Record")
    page.click("#tools [data-tool=end]")
    lines = noted(page)
    assert lines[2:4] == ["Ben: start keep 3", "Anna: start keep 4"]
    assert lines[4] == "Anna: claim Madrid–Pamplona black with 2 black + 1 wild turned red, black, red"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    read_notation("\n".join(lines))


@pytest.mark.long
def test_the_mix_of_the_first_tickets_is_chosen(visitor: Any) -> None:
    page = begun(visitor, "germany")
    page.locator("[data-start=mix-1]").select_option(label="3")
    page.click("#tools [data-tool=cards]")
    press(page, "2 cards, not seen")
    page.click("#tools [data-tool=end]")
    lines = noted(page)
    assert lines[2] == f"Ben: start mix 3 {load_board('germany').ticket_rules.decks[0]}"
    assert read_notation("\n".join(lines)).starts[1].choice.mix == 3


@pytest.mark.long
def test_fleets_and_how_the_market_was_filled_are_pressed(visitor: Any) -> None:
    page = begun(visitor, "world")
    for what, value in (("keep-0", "3"), ("fleet-0", "20"), ("fleet-1", "25")):
        page.locator(f"[data-start={what}]").select_option(label=value)
    page.select_option("[data-start=fleet-1]", "")
    page.click("#tools [data-tool=cards]")
    press(page, "red", "red: refilled from the ship deck", "ship card, face down")
    press(
        page, "The market was swept", "train card, face down", "green ship", "green ship: refilled from the train deck"
    )
    page.reload()
    page.wait_for_selector("body[data-live]")
    page.click("#tools [data-tool=end]")
    lines = noted(page)
    assert lines[2:] == [
        "Anna: start keep 3 fleet 20 trains",
        "Anna: draw red refill ship, blind ship, sweep",
        "Ben: draw blind train, green ship refill train",
    ]
    read_notation("\n".join(lines))
