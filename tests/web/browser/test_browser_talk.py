"""Table talk in the browser: speaking, listening, not listening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from company import link, played_out, seated, shortened, two_people
from pressing import faults, press_once

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LINES = "#talk-lines li"


def speak(page: Any, text: str) -> None:
    """Says something with the keyboard alone."""
    page.keyboard.press("s")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{LINES}:has-text({text!r})")
    page.keyboard.press("Escape")
    assert page.evaluate("!document.activeElement.closest('#talk')")


def react(page: Any, code: str) -> None:
    page.click("#talk .reactions summary")
    page.click(f"#talk [name=reaction][value={code}]")
    page.wait_for_selector(".reactions:not([open])", state="attached")


def heard(page: Any, text: str) -> None:
    """Waits until a line has come, whether it is shown or not."""
    page.wait_for_selector(f"{LINES}:has-text({text!r})", state="attached")


def unread(page: Any) -> str:
    """What stands beside the word "Chat", as it is read out."""
    badge = page.locator(".talk-head [data-unread]")
    return "" if badge.get_attribute("hidden") is not None else str(badge.text_content())


def spoken(page: Any) -> list[str]:
    """What a screen reader has been given to say of the talk."""
    return [str(text) for text in page.locator("#talk-said[role=log][aria-live=polite] p").all_text_contents()]


def test_a_line_is_counted_and_read_out_until_it_is_seen(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "berlin")
    assert ben.get_attribute("[data-talk=fold]", "aria-expanded") == "false"
    speak(anna, "<b>Hello</b> Ben")
    heard(ben, "<b>Hello</b> Ben")
    ben.wait_for_selector(".talk-head [data-unread]:not([hidden])")
    assert unread(ben) == "1 unread" and spoken(ben) == ["Anna: <b>Hello</b> Ben"]
    assert unread(anna) == "" and spoken(anna) == [], "one's own lines are no news"
    react(anna, "good_luck")
    heard(ben, "Good luck!")
    assert unread(ben) == "2 unread" and spoken(ben)[1:] == ["Anna: Good luck!"]
    ben.click("[data-talk=fold]")
    assert unread(ben) == "" and ben.locator(f"{LINES}:visible").count() == 2
    assert ben.locator("#talk-lines b.who").first.inner_text() == "Anna"
    assert ben.locator("#talk-lines time").first.get_attribute("datetime").endswith("Z")
    ben.reload()
    ben.wait_for_selector("body[data-live]")
    assert ben.locator(f"{LINES}:visible").count() == 2, "it is open again, and all that was said is there"
    assert unread(ben) == "" and spoken(ben) == []


@pytest.mark.long
def test_what_is_muted_counts_nothing_and_is_not_read_out(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "berlin")
    ben.click("[data-talk=mute]")
    speak(anna, "can you hear me")
    heard(ben, "can you hear me")
    assert unread(ben) == "" and spoken(ben) == [] and not ben.locator(f"{LINES}:visible").count()
    assert ben.locator(".when-muted:visible").count() == 1
    ben.reload()
    ben.wait_for_selector("body[data-live]")
    speak(anna, "and now")
    heard(ben, "and now")
    assert unread(ben) == "" and spoken(ben) == []
    ben.click("[data-talk=fold]")
    assert ben.locator(f"{LINES}:visible").count() == 2


@pytest.mark.long
def test_one_player_can_be_muted(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "berlin")
    ben.click("[data-talk=fold]")
    ben.click("#seat-0 .name")
    ben.click("#card [data-deaf]")
    assert ben.get_attribute("#card [data-deaf]", "aria-pressed") == "true"
    ben.keyboard.press("Escape")
    speak(anna, "blah")
    heard(ben, "blah")
    speak(ben, "peace")
    assert ben.locator(f"{LINES}:visible").all_text_contents() != []
    assert not ben.locator(f"{LINES}:visible:has-text('blah')").count()
    assert unread(ben) == "" and spoken(ben) == []
    ben.click("#seat-0 .name")
    ben.click("#card [data-deaf]")
    ben.keyboard.press("Escape")
    assert ben.locator(f"{LINES}:visible:has-text('blah')").count() == 1
    anna.click("#seat-0 .name")
    anna.wait_for_selector("#card[open] h2")
    assert not anna.locator("#card [data-deaf]").count(), "nobody mutes oneself"


@pytest.mark.long
def test_a_listed_game_is_muted_until_somebody_opens_its_talk(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "berlin", open="1")
    speak(anna, "hello, stranger")
    heard(ben, "hello, stranger")
    assert unread(ben) == "" and spoken(ben) == [] and ben.locator(".when-muted:visible").count()
    ben.click("[data-talk=fold]")
    assert ben.locator(f"{LINES}:visible").count() == 1
    speak(anna, "there you are")
    heard(ben, "there you are")
    assert spoken(ben) == ["Anna: there you are"]


@pytest.mark.long
def test_spectators_hear_what_is_for_them_and_cannot_speak(visitor: Callable[..., Any]) -> None:
    one, willi = visitor(), visitor()
    anna, ben = two_people(one, visitor(), "berlin")
    path = link(anna, "w")
    page = willi.go(path)
    assert not page.locator("#talk:visible").count(), "there is nothing to hear yet"
    speak(anna, "among us")
    anna.select_option("#talk select[name=everybody]", "1")
    react(anna, "wow")
    heard(page, "Wow!")
    assert page.locator(LINES).count() == 1 and not page.locator("#talk form").count()
    page.keyboard.press("s")
    assert page.evaluate("document.activeElement.closest('#talk') !== null")
    assert ben.locator(f"{LINES} .to-all").count() == 1 and not page.locator(f"{LINES} .to-all").count()


def test_what_is_refused_is_said_and_stands_in_the_field_again(visitor: Callable[..., Any]) -> None:
    anna, _ = two_people(visitor(), visitor(), "berlin", talk="on")
    anna.keyboard.press("s")
    anna.evaluate(  # at once: a machine that types slowly is never too fast
        """() => { const field = document.querySelector("#talk input[name=text]");
            for (let n = 0; n < 9; n++) { field.value = `line ${n}`; field.form.requestSubmit(); } }"""
    )
    anna.wait_for_selector("#notice:has-text('Not so fast, please.')")
    assert anna.input_value("#talk input[name=text]") == "line 8"
    anna.wait_for_function(f"() => document.querySelectorAll({LINES!r}).length >= 8")
    assert anna.locator(LINES).count() == 8


@pytest.mark.long
def test_a_table_of_reactions_alone_has_no_field(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(), "berlin", talk="reactions")
    anna.keyboard.press("s")
    assert not anna.locator("#talk input[name=text]").count()
    react(anna, "thinking")
    heard(ben, "Let me think …")


@pytest.mark.long
def test_the_talk_leaves_the_map_alone_and_no_press_on_it_is_an_action(visitor: Callable[..., Any]) -> None:
    for size in ({"width": 1440, "height": 900}, {"width": 1280, "height": 720}):
        anna, ben = two_people(visitor(viewport=size), visitor(), "europe")
        anna.click("[data-talk=fold]")
        ground = anna.locator("#ground").bounding_box()
        box = anna.locator("#talk").bounding_box()
        assert box["x"] >= ground["x"] + ground["width"] or box["y"] >= ground["y"] + ground["height"]
        assert box["y"] + box["height"] <= size["height"]
        field = anna.locator("#talk input[name=text]").bounding_box()
        assert field["width"] > 80 and field["y"] + field["height"] < size["height"]
        before = anna.get_attribute("body", "data-version")
        anna.fill("#talk input[name=text]", "t0123456789cmf?")
        anna.keyboard.press("Enter")
        heard(ben, "t0123456789cmf?")
        assert anna.get_attribute("body", "data-version") == before
        while not anna.locator("#question[data-kind=turn]").count():  # talk is no obstacle to play
            press_once(anna)
            press_once(ben)


@pytest.mark.long
def test_on_a_phone_the_talk_is_a_sheet_behind_a_tab(visitor: Callable[..., Any]) -> None:
    anna, ben = two_people(visitor(), visitor(**PHONE), "berlin")
    assert not ben.locator("#talk:visible").count()
    speak(anna, "are you there")
    heard(ben, "are you there")
    badge = ben.locator("button[data-tab=talk] [data-unread]")
    assert badge.is_visible() and badge.text_content() == "1 unread"
    ben.tap("button[data-tab=talk]")
    assert ben.locator(f"{LINES}:visible").count() == 1 and not badge.is_visible()
    ben.tap("#talk .reactions summary")
    ben.tap("#talk [value=moment]")
    heard(anna, "Just a moment!")
    ben.fill("#talk input[name=text]", "here I am")
    ben.tap("#talk .send")
    heard(anna, "here I am")
    assert ben.locator("#talk:visible").count() == 1, "a press in the sheet does not fold it"
    box = ben.locator("#talk").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert ben.evaluate("document.documentElement.scrollWidth") <= 390
    ben.tap("button[data-tab=hand]")
    speak(anna, "and now?")
    heard(ben, "and now?")
    assert badge.text_content() == "1 unread"


@pytest.mark.long
def test_people_talk_when_the_game_is_over(visitor: Callable[..., Any]) -> None:
    anna, ben = seated(visitor(), visitor(), shortened(played_out("berlin"), 3).replay())
    for n in range(3000):
        if all(page.locator("#end:not([hidden])").count() for page in (anna, ben)):
            break
        press_once(anna, n)
        press_once(ben, n)
    speak(anna, "good game")
    heard(ben, "good game")
    ben.click("[data-talk=fold]")
    end, box = ben.locator("#end").bounding_box(), ben.locator("#talk").bounding_box()
    assert box["x"] + box["width"] <= end["x"], "it stands beside the scores"


@pytest.mark.long
@pytest.mark.parametrize(
    ("look", "scheme"),
    [
        (PHONE, "dark"),
        pytest.param(PHONE, "light", marks=pytest.mark.long),
        pytest.param({}, "light", marks=pytest.mark.long),
        pytest.param({}, "dark", marks=pytest.mark.long),
    ],
)
def test_axe_finds_no_serious_fault_in_the_talk(
    visitor: Callable[..., Any], axe: str, scheme: str, look: dict[str, Any]
) -> None:
    anna, ben = two_people(visitor(color_scheme=scheme, **look), visitor(), "berlin")
    speak(ben, "hello")
    react(ben, "laughing")
    heard(anna, "Ha ha!")
    found = faults(anna, axe)
    anna.click("button[data-tab=talk]" if look else "[data-talk=fold]")
    anna.click("#talk .reactions summary")
    found += faults(anna, axe)
    assert not found, "\n".join(found)
