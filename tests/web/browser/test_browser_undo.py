"""Taking a step back: as long as nobody was shown anything new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import asked, claim, opened, route, said, seated
from pressing import press_once, table


def undo(page: Any) -> Any:
    return page.locator("#bar [data-do=undo]")


@pytest.mark.long
def test_a_claim_is_taken_back_and_the_other_browser_sees_it(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    anna, ben = seated(visitor(), visitor(), game)
    paris = route(game, "Marseille–Paris")
    claim(anna, paris)
    ben.wait_for_selector(f'#board .owned[data-route="{paris}"]', state="attached")
    asked(ben, "turn")
    assert not undo(ben).count()
    undo(anna).click()
    said(ben, "undoes the last step")
    ben.wait_for_selector(f'#board [data-route="{paris}"]:not(.owned)', state="attached")
    asked(anna, "turn")
    assert not anna.locator("#board .owned").count()
    assert anna.locator("#hand [data-hand=red] .count").inner_text() == "4"
    assert not ben.locator("#question.asked").count()
    assert not undo(anna).count()


@pytest.mark.long
def test_what_was_revealed_is_not_taken_back(visitor: Callable[..., Any]) -> None:
    anna, ben = seated(visitor(), visitor(), opened("europe", ["red"] * 4))
    asked(anna, "turn")
    anna.click("#deck-train")
    asked(anna, "second_card")
    assert not undo(anna).count()
    anna.click("#deck-train")
    asked(ben, "turn")
    assert not undo(anna).count()


@pytest.mark.long
def test_it_is_too_late_when_the_next_has_acted(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    anna, ben = seated(visitor(), visitor(), game)
    claim(anna, route(game, "Marseille–Paris"))
    undo(anna).wait_for()
    asked(ben, "turn")
    ben.click("#deck-train")
    undo(anna).wait_for(state="detached")


def test_alone_one_goes_back_though_the_bots_have_gone_on(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    anna.new_room("berlin", seats="2", kind0="me", kind1="bot", bot1="random", first="0")
    page = anna.page
    table(page)
    asked(page, "keep_tickets")
    assert press_once(page)
    for question in ("turn", "second_card"):
        asked(page, question)
        page.click("#deck-train")
    asked(page, "turn")
    for question in ("second_card", "turn", "keep_tickets"):
        undo(page).click()
        asked(page, question)
    undo(page).wait_for(state="detached")


@pytest.mark.long
def test_what_the_others_built_is_named_and_outlined_until_one_acts(visitor: Callable[..., Any]) -> None:
    game = opened("europe", ["red"] * 4)
    anna, ben = seated(visitor(), visitor(), game)
    paris = route(game, "Marseille–Paris")
    claim(anna, paris)
    ben.wait_for_selector(f'#board .lately.p-0[data-route="{paris}"]', state="attached")
    assert "Marseille–Paris" in ben.locator("#story").inner_text()
    assert not anna.locator("#board .lately").count() and anna.locator("#story").is_hidden()
    ben.locator("#story p button").click()
    ben.wait_for_selector(f'#board .pinned[data-route="{paris}"]', state="attached")
    ben.reload()
    ben.wait_for_selector(f'#board .lately[data-route="{paris}"]', state="attached")
    asked(ben, "turn")
    ben.click("#deck-train")
    ben.wait_for_selector(f'#board [data-route="{paris}"]:not(.lately)', state="attached")
