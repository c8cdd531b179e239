"""People at a table who come, go, resign, run out of time, watch, and want another game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import (
    asked,
    both_play,
    invitation,
    join,
    laid,
    link,
    order,
    played_out,
    said,
    seated,
    shortened,
    two_people,
)
from pressing import press_once, pressing, table


@pytest.mark.long
def test_resigning_is_asked_twice_and_a_bot_plays_to_the_end(visitor: Callable[..., Any]) -> None:
    anna, ben = seated(visitor(), visitor(), shortened(played_out("berlin"), 12).replay())
    order(anna, "[data-do=resign]")
    anna.click("#confirm [data-no]")
    assert not anna.locator("#seat-0 :text('has resigned')").count()
    order(anna, "[data-do=resign]")
    anna.click("#confirm [data-yes]")
    said(ben, "Anna resigns; a bot takes over.")
    said(anna, "resigns; a bot takes over.")
    ben.wait_for_selector("#seat-0 :text('has resigned')")
    assert not anna.locator("#bar [data-do=back], #bar [data-do=resign]").count()
    assert not anna.locator("[data-act]:not([aria-disabled])").count()
    pressing(ben)
    anna.wait_for_selector("#end:not([hidden])")


@pytest.mark.long
def test_the_clock_of_who_is_asked_counts_down_in_everybodys_page(visitor: Callable[..., Any]) -> None:
    pages = two_people(visitor(), visitor(), "europe", clock="turn 900")
    for page in pages:
        shown = page.locator("#seat-0 .clock").inner_text()
        assert "05:00" < shown <= "15:00"
        page.wait_for_function("old => document.querySelector('#seat-0 .clock').textContent < old", arg=shown)
        assert page.locator("#seat-1 .clock").inner_text() == "15:00"


@pytest.mark.long
def test_when_a_turns_clock_runs_out_a_bot_answers_and_the_seat_is_taken_back(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "europe", clock="turn 5")
    said(ben, "Anna ran out of time.")
    anna.click("#bar [data-do=back]")
    said(ben, "Anna is back.")
    said(anna, "Anna is back.")


@pytest.mark.long
def test_who_has_used_up_the_clock_of_the_game_is_replaced_for_good(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "europe", clock="game 5")
    ben.wait_for_selector("#seat-0 :text('has resigned')")
    anna.wait_for_selector("#question :text('A bot is playing for you')")
    assert not anna.locator("#bar [data-do=back]").count()
    ben.wait_for_selector("#seat-1 :text('has resigned')")  # nobody answers there either
    assert not anna.locator("#seat-0 .clock[data-ticking]").count()


@pytest.mark.long
def test_a_seat_that_stays_away_is_played_for_and_given_back(visitor: Callable[..., Any]) -> None:
    one, other = visitor(), visitor()
    anna, ben = two_people(one, other, "europe", takeover="1")
    path = ben.url.removeprefix(other.address)
    other.go("/")
    anna.wait_for_selector("#seat-1 :text('not connected')")
    press_once(anna)
    said(anna, "Ben is away; a bot takes over.")
    anna.wait_for_selector("#seat-1 :text('away: a bot is playing')")
    other.go(path)
    said(anna, "Ben is back.")
    anna.wait_for_selector("#seat-1 :text('away: a bot is playing')", state="detached")
    asked(anna, "turn")
    press_once(anna)
    press_once(anna)
    asked(ben, "turn")


def test_a_spectator_sees_what_is_public_and_can_press_nothing(visitor: Callable[..., Any]) -> None:
    one, other = visitor(), visitor()
    anna, ben = two_people(one, visitor(), "europe")
    press_once(anna)
    asked(ben, "keep_tickets")
    page = other.go(link(anna, "w"))
    assert page.url == anna.url
    assert "You are watching." in page.locator("#hand").inner_text()
    own = anna.locator("#tickets .ends").all_inner_texts()
    assert own
    for shown in (page.content(), page.locator("body").inner_text()):
        assert not [name for name in own if name.split(",")[0] in shown]
    assert not page.locator("#tickets:not([hidden]), #question.asked, #hand .card, #choices [data-ask]").count()
    assert not page.locator("[data-act]:not([aria-disabled]), [data-do=undo], [data-do=resign]").count()
    press_once(ben)
    asked(anna, "turn")
    anna.click("#deck-train")
    page.wait_for_selector("#log li:last-child:has-text('draws a card face down.')")
    assert page.locator("#seat-0 .counts li").first.inner_text().endswith("5")


def test_a_closed_table_is_not_there_for_strangers(visitor: Callable[..., Any]) -> None:
    anna, stranger = visitor(), visitor()
    path = anna.new_room("berlin", seats="2")
    answer = stranger.page.goto(anna.address + path)
    assert answer.status == 404
    assert "There is no such table, or it is private." in stranger.page.locator("h1").inner_text()
    stranger.faults.clear()  # the browser notes the 404


@pytest.mark.long
def test_a_second_claim_of_an_invitation_is_refused_kindly(visitor: Callable[..., Any]) -> None:
    anna, ben, cleo = visitor(), visitor(), visitor()
    anna.new_room("europe", seats="2", kind0="me", kind1="open")
    invited = invitation(anna.page, 1)
    late = cleo.go(invited.removeprefix(cleo.address))  # she looks at it while it is free
    page = join(ben, invited, "Ben")
    assert "Ben" in page.locator("#seat-1.me .name").inner_text()
    late.fill("input[name=name]", "Cleo")
    late.click("main button.first")
    late.wait_for_selector("h1:text-is('This seat is already taken.')")
    cleo.go(invited.removeprefix(cleo.address))
    assert late.locator("h1").inner_text() == "This seat is already taken."
    cleo.faults.clear()  # the browser notes the 409
    anna.page.wait_for_selector("#seat-1 .name:has-text('Ben')")


@pytest.mark.long
def test_an_invitation_is_copied_whole_and_made_anew_by_one_button(visitor: Callable[..., Any]) -> None:
    anna, ben = visitor(), visitor()
    anna.new_room("berlin", seats="2", kind0="me", kind1="open", first="0")
    page = anna.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.wait_for_selector("body[data-live]")
    page.click("#lobby [data-copy-field]")
    page.wait_for_selector("#notice:not([hidden])")
    whole = page.evaluate("navigator.clipboard.readText()")
    assert whole == page.locator("#invitation").input_value()
    of_any_seat = whole.removeprefix(anna.address)
    assert of_any_seat.startswith("/j/")
    page.click("[data-lobby=fold]")
    of_the_seat = invitation(page, 1)
    page.click("#seat-1 [data-copy]")
    page.wait_for_function("old => navigator.clipboard.readText().then(text => text !== old)", arg=whole)
    assert page.evaluate("navigator.clipboard.readText()") == anna.address + of_the_seat
    page.click("#tools summary")
    page.click("[data-do=links]")
    page.click("#confirm [data-yes]")
    page.wait_for_selector("#notice:has-text('The links have been replaced.')")
    page.wait_for_selector(f"#seat-1 [data-copy]:not([data-copy='{of_the_seat}'])")
    page.wait_for_function("old => document.getElementById('invitation').value !== old", arg=whole)
    for old in (of_any_seat, of_the_seat):
        assert ben.page.goto(anna.address + old).status == 404
    ben.faults.clear()  # the browser notes the 404
    join(ben, page.locator("#invitation").input_value().removeprefix(anna.address), "Ben")
    page.wait_for_selector("#seat-1 .name:has-text('Ben')")


@pytest.mark.long
def test_a_link_brings_the_seat_to_another_device(visitor: Callable[..., Any]) -> None:
    anna, phone = visitor(), visitor(viewport={"width": 390, "height": 844})
    anna.new_room("europe", seats="2", first="0", seed="3")
    asked(anna.page, "keep_tickets")
    page = phone.go(link(anna.page, "d"))
    page.click("main button.first")
    table(page)
    assert page.locator("#seat-0.me").count()
    press_once(page)
    asked(page, "turn")
    asked(anna.page, "turn")
    assert page.locator("#tickets .ends").all_text_contents() == anna.page.locator("#tickets .ends").all_text_contents()


@pytest.mark.long
def test_a_rematch_reaches_both_and_my_games_say_whose_turn_it_is(visitor: Callable[..., Any]) -> None:
    one, other = visitor(), visitor()
    anna, ben = seated(one, other, shortened(played_out("berlin"), 3).replay())
    both_play(anna, ben)
    old = anna.url
    anna.click("#end form button.first")
    anna.wait_for_url(lambda url: url != old)
    table(anna)
    ben.click("#end a:has-text('Go to the new game')")
    ben.wait_for_url(lambda url: url != old)
    table(ben)
    assert ben.url == anna.url
    begins, waits = (one, other) if anna.locator("#question.asked").count() else (other, one)
    room = anna.url.removeprefix(one.address)
    mine = [who.go("/").locator(f"a[href='{room}']").inner_text() for who in (begins, waits)]
    assert ["your turn" in line for line in mine] == [True, False]


@pytest.mark.long
def test_an_open_table_is_listed_and_a_free_seat_taken_by_name(visitor: Callable[..., Any]) -> None:
    anna, ben = visitor(), visitor()
    path = anna.new_room("europe", seats="2", kind0="me", kind1="open", open="1")
    page = ben.go("/")
    page.click(f"a[href='{path}']")
    table(page)
    page.fill("#seat-1 input[name=name]", "Ben")
    page.click("#seat-1 .open-seat button")
    page.wait_for_selector("#seat-1.me")
    anna.page.wait_for_selector("#seat-1 .name:has-text('Ben')")


@pytest.mark.long
def test_somebody_elses_record_lies_on_the_table_with_free_seats(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, shortened(played_out("berlin"), 5))
    assert path.startswith("/t/") and "replay" not in path
    assert anna.page.locator(".open-seat").count() == 2
