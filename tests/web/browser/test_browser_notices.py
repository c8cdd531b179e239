"""How to be told of one's turn: the dialog at the table, and notifications of the page, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pressing import Visitor, faults

from branchline.web.core.settings import Limits, Settings
from web.receivers import Mailbox, Receiver, mailbox, receiver
from web.running_here import running_here

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHOWN = """() => { window.shown = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return this.permission = "granted"; }
    constructor(title, look) { window.shown.push([title, look.tag]); }
  };
  window.hide = () => Object.defineProperty(document, "hidden", { value: true, configurable: true }); }"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Mailbox, Receiver]]:
    """A server with mail and webhooks."""
    folder = tmp_path_factory.mktemp("notices")
    with mailbox() as box, receiver() as hook:
        settings = Settings(
            database=f"sqlite:///{folder / 'rooms.sqlite'}",
            url="http://play.example.org",
            mail=box.settings,
            webhooks="any",
            warm_up=False,
            limits=Limits().times(100),
        )
        with running_here(settings) as (url, _):
            yield url, box, hook


@pytest.fixture
def player(chromium: Any, table: tuple[str, Mailbox, Receiver]) -> Iterator[Callable[..., Visitor]]:
    """People at tables of that server; at the end none of their pages may have complained."""
    made: list[Visitor] = []

    def make(**look: Any) -> Visitor:
        made.append(Visitor(chromium, table[0], timezone_id="Europe/Prague", **look))
        made[-1].context.add_init_script(f"({SHOWN})()")
        made[-1].new_room("berlin", seats="2", kind0="me", kind1="open", first="0", name0="Anna")
        return made[-1]

    yield make
    for one in made:
        one.context.close()
        assert not one.faults


def opened(anna: Visitor) -> Any:
    page = anna.page
    page.click("#tools .menu summary")
    page.click("[data-open=notices]")
    page.wait_for_selector("#notices[open] form.notices")
    return page


def saved(page: Any, do: str = "save") -> str:
    """What the dialog says after a press."""
    page.evaluate("document.getElementById('notices-said').textContent = ''")  # as it may have said something before
    with page.expect_response("**/notices"):
        page.click(f"#notices [name=do][value={do}]")
    page.wait_for_function("() => document.getElementById('notices-said').textContent")
    assert page.locator("#notices [data-said]").is_visible()
    return str(page.locator("#notices [data-said]").inner_text())


@pytest.mark.long
@pytest.mark.parametrize(
    ("look", "language"),
    [
        pytest.param(look, language, id=f"{name}-{language}", marks=[] if language == quick else pytest.mark.long)
        for name, look, quick in (("desk", {}, "pl"), ("dark phone", {**PHONE, "color_scheme": "dark"}, "de"))
        for language in ("en", "pl", "cs", "de")
    ],
)
def test_the_dialog_is_without_faults_and_fits(
    player: Callable[..., Visitor], axe: str, language: str, look: dict[str, Any]
) -> None:
    anna = player(locale=language, **look)
    page = opened(anna)
    assert page.get_attribute("html", "lang") == language
    found = faults(page, axe)
    page.fill("#notices [name=email]", "anna")
    page.eval_on_selector("#notices form.notices", "form => form.noValidate = true")
    anna.faults.clear()
    saved(page)
    assert page.evaluate("document.activeElement.name") == "email"
    anna.faults.clear()  # the browser writes about an answer with status 400
    assert found + faults(page, axe) == []
    assert page.eval_on_selector("#notices", "one => one.scrollWidth <= one.clientWidth")


@pytest.mark.long
def test_a_webhook_is_chosen_tested_and_there_again(
    player: Callable[..., Visitor], table: tuple[str, Mailbox, Receiver]
) -> None:
    _, _, hook = table
    anna = player()
    page = opened(anna)
    page.fill("#notices [name=webhook]", f"{hook.url}/anna")
    page.select_option("#notices [name=format]", "matrix")
    page.check("#notices [name=quiet]")
    assert "204 No Content" in saved(page, "test")
    assert json.loads(hook.posts[-1].body)["username"] == "branchline"
    assert page.evaluate("document.activeElement.value") == "test"
    page.reload()
    page = opened(anna)
    assert page.input_value("#notices [name=webhook]") == f"{hook.url}/anna"
    assert page.input_value("#notices [name=format]") == "matrix"
    assert page.is_checked("#notices [name=quiet]") and page.is_checked("#notices [name=all]")
    assert page.input_value("#notices [name=zone]") == "Europe/Prague"


@pytest.mark.long
def test_an_address_confirmed_in_the_browser_is_shown_as_confirmed(
    player: Callable[..., Visitor], table: tuple[str, Mailbox, Receiver]
) -> None:
    address, box, _ = table
    anna = player()
    page = opened(anna)
    page.fill("#notices [name=email]", "anna@example.net")
    assert "open the link in the e-mail" in saved(page)
    [mail] = box.to("anna@example.net")
    body = mail.get_body(("html",))
    assert body is not None
    link = str(body.get_content()).partition("/mail/confirm/")[2].partition('"')[0]
    other = anna.context.new_page()
    other.goto(f"{address}/mail/confirm/{link}")
    other.click("main form button")
    other.wait_for_selector("text=Thank you")
    other.close()
    assert saved(page) == "Saved."
    assert page.locator("text=This address is confirmed.").is_visible()


def test_the_page_asks_for_leave_on_a_press_only_and_shows_notifications_while_it_is_hidden(
    player: Callable[..., Visitor],
) -> None:
    anna = player()
    page = anna.page
    assert page.evaluate("Notification.permission") == "default"
    opened(anna).check("[data-page-notices]")
    page.wait_for_function("() => Notification.permission === 'granted'")
    page.keyboard.press("Escape")
    show = """async (hidden) => { if (hidden) window.hide();
      const { showNotice } = await import(document.querySelector('link[rel=modulepreload][href$="notices.js"]').href);
      await showNotice("Your turn"); return window.shown; }"""
    assert page.evaluate(show, False) == []
    [[title, tag]] = page.evaluate(show, True)
    assert title == "Your turn" and tag.startswith("branchline ")
    page.reload()
    page.wait_for_selector("body[data-live]")
    page.evaluate("Notification.permission = 'granted'")
    assert opened(anna).is_checked("[data-page-notices]")
    page.check("#notices [name=quiet]")
    page.fill("#notices [name=quiet_from]", "22:00")
    page.fill("#notices [name=quiet_to]", "08:00")
    saved(page)
    page.clock.set_fixed_time("2026-01-01T23:59+01:00")
    assert page.evaluate(show, True) == []
    page.clock.set_fixed_time("2026-01-02T08:00+01:00")
    assert len(page.evaluate(show, True)) == 1
