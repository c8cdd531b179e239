"""The pages as an app: installed, without a network, and when a new version comes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from company import invitation
from pressing import PATIENCE, Visitor, faults, press_once, table

import branchline
from conftest import CHROMIUM, FLAGS
from web import servers

WORKING = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
CACHED = """async () => { const found = {};
    for (const name of await caches.keys()) {
        found[name] = (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname);
    }
    return found; }"""


class Place:
    """A server that can be stopped and started again, where it was and with what it had."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = servers.start(f"sqlite:///{folder / 'rooms.sqlite'}", folder)

    def start(self) -> None:
        self.server = servers.start(f"sqlite:///{self.folder / 'rooms.sqlite'}", self.folder, self.server.port)

    def stop(self) -> None:
        if self.server.process.poll() is None:
            self.server.stop()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    found.stop()
    assert "Traceback" not in found.server.log.read_text()


@pytest.fixture
def guest(chromium: Any, place: Place) -> Iterator[Visitor]:
    """A visitor whose browser takes a service worker."""
    found = Visitor(chromium, place.server.url, service_workers="allow")
    yield found
    found.context.close()


@pytest.fixture
def notified(driver: Any, place: Place) -> Iterator[Visitor]:
    """A visitor who has allowed notifications, which the browser without windows cannot show."""
    browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    found = Visitor(browser, place.server.url, service_workers="allow")
    found.context.grant_permissions(["notifications"], origin=found.address)
    yield found
    browser.close()


def with_worker(visitor: Any, path: str = "/") -> Any:
    """A page that a service worker controls."""
    page = visitor.go(path)
    page.wait_for_function(WORKING)
    return page


@pytest.fixture
def at_home(driver: Any, tmp_path: Path) -> Iterator[Any]:
    """A browser with a profile, which can install apps; `play.test` is this machine, but not a safe place."""
    flags = [*FLAGS, "--host-resolver-rules=MAP play.test 127.0.0.1"]
    context = driver.chromium.launch_persistent_context(
        str(tmp_path / "profile"), executable_path=CHROMIUM, args=flags, locale="pl-PL"
    )
    yield context
    context.close()


@pytest.mark.long
def test_the_browser_takes_the_pages_for_an_app_in_the_readers_language(at_home: Any, place: Place) -> None:
    page = at_home.new_page()
    page.goto(place.server.url)
    page.wait_for_function(WORKING)
    session = at_home.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == [] and found["url"].endswith("/manifest.webmanifest?language=pl&theme=light")
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = json.loads(found["data"])
    assert manifest["lang"] == "pl" and "kolejowe" in manifest["name"]
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
    assert [one["name"] for one in manifest["shortcuts"]] == ["Nowa gra", "Podlicz grę"]
    for icon in manifest["icons"]:
        size, corner = page.evaluate(
            """async src => { const image = new Image(); image.src = src; await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            return [`${image.width}x${image.height}`, pen.getImageData(1, 1, 1, 1).data[3]]; }""",
            icon["src"],
        )
        assert size == icon["sizes"]
        assert (corner == 255) == (icon["purpose"] == "maskable"), "the system cuts the corners off"
    assert page.locator("link[rel=apple-touch-icon]").count() == 1
    assert page.locator("meta[name=theme-color]").count() == 2


@pytest.mark.long
def test_plain_http_works_as_before_and_complains_of_nothing(at_home: Any, place: Place) -> None:
    page = at_home.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"http://play.test:{place.server.port}/")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    page.click(".edition button.first >> nth=0")
    table(page)
    assert not [text for text in said if "Cross-Origin-Opener-Policy" not in text], said


@pytest.mark.long
def test_without_the_server_there_is_a_page_that_says_so_and_brings_the_table_back(
    guest: Visitor, place: Place, axe: str
) -> None:
    path = guest.new_room("berlin", seats="2", seed="3", first="0")
    page = with_worker(guest, path)
    press_once(page)
    place.stop()
    page.goto(guest.address + path)
    assert page.locator("section:visible h1").text_content() == "You are offline"
    assert page.locator("html").get_attribute("lang") == "en" and page.url == guest.address + path
    assert not faults(page, axe)
    guest.context.add_cookies([{"name": "branchline_language", "value": "cs", "url": guest.address}])
    page.reload()
    assert page.locator("section:visible h1").text_content() == "Jste offline"
    place.start()
    table(page)  # by itself
    assert page.url == guest.address + path and page.locator("html").get_attribute("lang") == "cs"


@pytest.mark.long
def test_the_page_without_a_network_leads_to_all_that_works_then(guest: Visitor, place: Place, axe: str) -> None:
    page = with_worker(guest)
    for path in ("/rules", "/rules/berlin"):
        page.goto(guest.address + path)
    page.wait_for_function("async () => Boolean(await caches.match('/rules/berlin'))")
    assert "csrf" not in page.evaluate("async () => (await caches.match('/rules/berlin')).text()")
    page.goto(guest.address + "/count")
    page.wait_for_selector("body[data-offline]")
    place.stop()
    page.goto(guest.address + "/mine")
    page.wait_for_selector("section:visible [data-works]")
    shown = page.locator("section:visible [data-kept]:visible").all_text_contents()
    assert shown == ["Score a game", "Rules", "Rules: Berlin"]
    assert not faults(page, axe)
    page.click("section:visible [data-kept='/rules/berlin']")
    assert "Berlin" in page.locator("h1").text_content()


@pytest.mark.long
def test_a_table_that_is_open_goes_on_without_the_worker_having_a_hand_in_it(guest: Visitor, place: Place) -> None:
    guest.new_room("berlin", seats="2", seed="3", first="0")
    page = with_worker(guest, guest.page.url.removeprefix(guest.address))
    place.stop()
    page.wait_for_selector("body.offline")
    place.start()
    page.wait_for_selector("body:not(.offline)[data-live]")
    assert press_once(page)


@pytest.mark.long
def test_no_cache_holds_anything_but_the_files_of_all_pages(guest: Visitor, place: Place) -> None:
    page = with_worker(guest)
    path = guest.new_room("berlin", seats="3", kind0="me", kind1="open", kind2="bot", open="1")
    page.click("[data-lobby=fold]")  # the table, though a friend is missing
    press_once(page)
    link = invitation(page, 1).removeprefix(guest.address)
    for private in (link, f"/t/{path[3:]}/talk", "/new?board=europe", "/language/de?back=/", path, "/"):
        guest.page.goto(guest.address + private)
    [(name, kept)] = page.evaluate(CACHED).items()
    shell = [one for one in kept if one != "/offline"]
    assert name.startswith("branchline ") and len(kept) == len(shell) + 1
    assert len(shell) > 20 and all(one.startswith("/static/") for one in shell)
    answer = guest.context.request.get(f"{guest.address}/offline")
    assert "csrf" not in answer.text() and "set-cookie" not in answer.headers
    for asked in ("/service-worker.js", "/manifest.webmanifest?language=de&theme=dark"):
        answer = guest.context.request.get(guest.address + asked)
        assert answer.headers["cache-control"] == "no-cache" and "set-cookie" not in answer.headers


@pytest.mark.long
def test_a_new_version_takes_over_and_no_move_is_lost(
    guest: Visitor, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = guest.new_room("berlin", seats="2", seed="3", first="0")
    page = with_worker(guest, path)
    before = page.evaluate(CACHED)
    newer = tmp_path / "newer"
    shutil.copytree(
        Path(branchline.__file__).parent, newer / "branchline", ignore=shutil.ignore_patterns("__pycache__")
    )
    with (newer / "branchline" / "web" / "core" / "browser" / "sound.js").open("a") as file:
        file.write("// newer\n")
    place.stop()
    monkeypatch.setenv("PYTHONPATH", str(newer))
    place.start()
    page.wait_for_selector("body:not(.offline)[data-live]")
    assert press_once(page), "the page of the old version plays on"
    page.reload()
    table(page)
    for _ in range(PATIENCE // 100):
        names = page.evaluate("caches.keys()")  # the names alone: to open a cache that is being deleted makes it anew
        if len(names) == 1 and not set(names) & set(before):
            break
        page.wait_for_timeout(100)
    now = page.evaluate(CACHED)
    assert len(now) == 1 and not set(now) & set(before), "the new one is there, and the old one is gone"
    page.reload()
    table(page)
    used = page.evaluate("performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)")
    [kept] = now.values()
    assert [one for one in used if one.endswith("/sound.js")] == [one for one in kept if one.endswith("/sound.js")]
    lost = ("WebSocket connection to", "Failed to load resource: net::ERR_CONNECTION")  # while there was no server
    assert all(one.startswith(lost) for one in guest.faults), guest.faults


@pytest.mark.long
def test_a_notification_that_is_pressed_closes_and_goes_nowhere_else(notified: Visitor) -> None:
    with_worker(notified)
    [worker] = notified.context.service_workers
    left = worker.evaluate(
        """async () => {
            await registration.showNotification("Your turn", { data: { path: "https://evil.example/t/x" } });
            const [one] = await registration.getNotifications();
            dispatchEvent(new NotificationEvent("notificationclick", { notification: one }));
            await new Promise(done => setTimeout(done, 200));
            return (await registration.getNotifications()).length; }"""
    )
    assert left == 0


@pytest.mark.long
def test_the_app_is_offered_where_the_browser_offers_it_and_nowhere_else(guest: Visitor) -> None:
    page = guest.go("/")
    button = page.locator("#install")
    assert button.count() == 1 and not button.is_visible()
    page.evaluate(
        """() => { const offer = new Event("beforeinstallprompt", { cancelable: true });
        offer.prompt = () => (window.prompted = true);
        window.quiet = !dispatchEvent(offer); }"""
    )
    button.click()
    assert page.evaluate("[window.quiet, window.prompted]") == [True, True] and not button.is_visible()
