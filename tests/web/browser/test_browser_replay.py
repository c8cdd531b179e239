"""The replay: to any moment by mouse and keys, through anybody's eyes, out as a file, in again, and played on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from company import laid, order, played_out
from pressing import pressing


def moment(page: Any, n: int) -> None:
    """Waits until the page shows this moment, and says so in its address."""
    page.wait_for_selector(f'#moment[data-n="{n}"]')
    page.wait_for_function("n => location.pathname.endsWith(`/replay/${n}`)", arg=n)


@pytest.mark.long
def test_the_scrubber_by_mouse_and_by_keys(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    laid(anna, played_out("berlin"))
    page = anna.page
    slider = page.locator("#scrubber input")
    last = int(slider.get_attribute("max"))
    page.wait_for_selector(f'#moment[data-n="{last}"]')
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(f'#moment:not([data-n="{last}"])')
    assert abs(int(slider.input_value()) - last / 2) <= last / 10 + 1
    page.keyboard.press("Home")
    moment(page, 0)
    assert not page.locator("#board .owned").count()
    page.keyboard.press("ArrowRight")
    moment(page, 1)
    page.click("#scrubber [data-step='1']")
    moment(page, 2)
    page.keyboard.press("ArrowRight")
    moment(page, 3)
    page.keyboard.press("ArrowLeft")
    moment(page, 2)
    page.click("#scrubber [data-step='-1']")
    moment(page, 1)
    page.click("[data-run]")
    page.wait_for_function("() => Number(document.getElementById('moment').dataset.n) >= 3")
    page.click("[data-run]")
    assert page.locator("[data-run]").get_attribute("aria-pressed") == "false"
    slider.focus()
    page.keyboard.press("End")
    moment(page, last)
    page.wait_for_selector("#end:not([hidden])")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#end", state="hidden")
    line = page.locator("#log [data-moment]").nth(5)
    line.click()
    moment(page, int(line.get_attribute("data-moment")))


@pytest.mark.long
def test_through_whose_eyes(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, played_out("berlin"))
    page = anna.go(f"{path}/30?perspective=0")
    own = page.locator("#tickets .ends").all_inner_texts()
    assert own and page.locator("#hand .card").count()
    hands = []
    for eyes in ("1", "all", "public"):
        page.select_option(".perspective select", eyes)
        page.wait_for_url(f"**/replay/30?perspective={eyes}")
        page.wait_for_selector("#moment[data-n='30']")
        hands.append(page.locator("#hand .card").count())
        assert page.locator(".open-tickets").count() == (2 if eyes == "all" else 0)
        if eyes != "all":
            shown = " ".join(page.locator("#seats, #tickets").all_inner_texts())
            assert not [name for name in own if name.split(",")[0] in shown]
    assert hands[0] and not hands[2]
    assert not page.locator("#tickets:not([hidden])").count()
    assert not page.locator(".open-tickets").count()


@pytest.mark.long
def test_a_link_opens_its_moment(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    laid(anna, played_out("berlin"))
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = anna.page
    page.click("#scrubber [data-step='-1']")
    page.locator("#log [data-moment]").nth(8).click()
    moment(page, int(page.locator("#log [data-moment]").nth(8).get_attribute("data-moment")))
    shown = page.locator("#moment").inner_text()
    order(page, "[data-copy-here]")
    page.wait_for_selector("#notice:not([hidden])")
    link = page.evaluate("navigator.clipboard.readText()")
    other = anna.context.new_page()
    other.goto(link)
    assert other.locator("#moment").inner_text() == shown


@pytest.mark.long
def test_played_on_from_a_moment_to_the_end(visitor: Callable[..., Any]) -> None:
    anna = visitor()
    path = laid(anna, played_out("berlin"))
    page = anna.go(f"{path}/60")
    order(page, "[data-play-on] button")
    page.wait_for_selector("#question", state="attached")
    assert "replay" not in page.url
    assert page.locator(".seat.me").get_attribute("id") == "seat-0"
    pressing(page)
    assert page.locator("#end tfoot td").count() == 2


def test_a_record_goes_out_and_comes_in_again(visitor: Callable[..., Any], tmp_path: Path) -> None:
    anna, ben = visitor(), visitor()
    laid(anna, played_out("berlin"))
    page = anna.page
    totals = page.locator("#end tfoot td").all_text_contents()
    page.click("#bar .menu:not(.places) summary")
    with page.expect_download() as waiting:
        page.click("#bar a[download]")
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    page = ben.go("/")
    page.set_input_files("input[name=record]", file)
    page.click("form.upload button")
    page.wait_for_url("**/replay")
    assert page.locator("#end tfoot td").all_text_contents() == totals
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#end", state="hidden")


@pytest.mark.parametrize(
    "broken", ["illegal", *(pytest.param(one, marks=pytest.mark.long) for one in ("cut", "nonsense"))]
)
def test_a_broken_record_is_refused_in_one_kind_line(visitor: Callable[..., Any], broken: str) -> None:
    anna = visitor()
    text = played_out("berlin").to_json()
    text = {
        "cut": text[: len(text) // 2],
        "nonsense": "Dear server, here is my game.",
        "illegal": text.replace("claim", "clam"),
    }[broken]
    page = anna.go("/")
    file = {"name": "game.json", "mimeType": "application/json", "buffer": text.encode()}
    page.set_input_files("input[name=record]", file)
    page.click("form.upload button")
    page.wait_for_selector(".status:text-is('400')")
    assert page.locator("h1").inner_text() == "The server could not read this request."
    why = page.locator(".invitation .soft").inner_text()
    assert 10 < len(why) < 300 and "\n" not in why and "Traceback" not in why
    anna.faults.clear()  # the browser notes the 400
    page.click("main a.button")
    page.wait_for_selector(".editions")
