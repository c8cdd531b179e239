"""The web application as static files, in a browser of its own: after the first visit the network is cut."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from company import uneven
from pressing import press_once, pressing, table

from conftest import CHROMIUM, FLAGS
from sites import written_site

pytestmark = pytest.mark.long
PATIENCE = 120_000  # ms: Python starts on a busy machine


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Reader:
    """A person with a browser, and the page in the frame of the site."""

    def __init__(self, browser: Any, address: str, **look: Any) -> None:
        self.address = address
        look.setdefault("viewport", {"width": 1440, "height": 900})
        self.context = browser.new_context(service_workers="allow", reduced_motion="reduce", **look)
        self.asked: set[str] = set()
        self.context.on("request", lambda request: self.asked.add(request.url.split("/")[2]))
        self.faults: list[str] = []
        self.open()

    def open(self, path: str = "") -> None:
        """Open a tab with a page of the site."""
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "console", lambda said: self.faults.append(f"{said.text} {said.location}") if said.type == "error" else None
        )
        self.go(path)

    def go(self, path: str = "") -> Any:
        """Go to a page of the site by its address; what is in the frame."""
        self.page.goto(self.address + path)
        return self.inside

    @property
    def inside(self) -> Any:
        """The page in the frame."""
        return self.page.locator("iframe").element_handle().content_frame()

    def ready(self) -> None:
        """Wait until Python answers."""
        self.page.wait_for_function("() => document.documentElement.dataset.ready")

    def at(self, path: str) -> None:
        """Wait until the address says where the page in the frame is."""
        self.page.wait_for_function(
            "path => location.pathname.startsWith(path)", arg=self.address.split("/", 3)[3].join("//")[:-1] + path
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, written for an address below its host."""
    return written_site(tmp_path_factory)


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of the site on a plain server of files."""
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder.parent)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}/games/"
    host.shutdown()
    host.server_close()


@pytest.fixture(scope="module")
def reader(folder: Path, chromium: Any) -> Iterator[Reader]:
    """One reader for many tests."""
    with visited(folder, chromium) as one:
        yield one


@pytest.fixture
def newcomer(folder: Path, chromium: Any) -> Iterator[Reader]:
    """A reader without games: those have made room in the database that the next ones use."""
    with visited(folder, chromium) as one:
        yield one


@contextlib.contextmanager
def visited(folder: Path, chromium: Any, **look: Any) -> Iterator[Reader]:
    """Somebody who has been here once, and has had no network since then."""
    with hosted(folder) as address:
        one = Reader(chromium, address, **look)
        one.inside.locator("h1").first.wait_for()  # before Python is there
        one.page.wait_for_function("() => document.documentElement.dataset.kept")
        one.context.set_offline(True)
    yield one
    assert one.asked == {address.split("/")[2]}
    assert one.faults == []
    one.context.close()


def test_a_game_is_played_to_its_end_and_is_there_after_a_reload(reader: Reader) -> None:
    inside = reader.go("new?board=berlin")
    inside.select_option("select[name=seats]", "2")
    inside.select_option("select[name=bot1]", "hard")
    inside.locator("summary", has_text="More options").click()
    inside.select_option("select[name=pace]", "200")
    inside.locator("form.new-game button.first").click()
    reader.at("t/")
    table(inside)
    assert pressing(inside) > 20
    totals = inside.locator("#end tfoot td").all_inner_texts()
    assert len(totals) == 2

    path = reader.page.evaluate("location.pathname").removeprefix("/games/")
    reader.page.reload()
    inside = reader.inside
    table(inside)
    assert inside.locator("#end tfoot td").all_inner_texts() == totals
    inside = reader.go("mine")
    inside.locator(f'.games a[href="/games/{path}"]').wait_for()

    inside = reader.go(f"{path}/replay/0")
    inside.wait_for_selector('#moment[data-n="0"]')
    inside.locator("#scrubber input").focus()
    reader.page.keyboard.press("End")
    inside.wait_for_selector("#end:not([hidden])")


def test_pages_and_presses_are_answered_while_a_game_is_analysed(reader: Reader) -> None:
    game = uneven("berlin").to_json().encode()
    inside = reader.go("new")
    inside.goto(reader.address)
    inside.set_input_files("input[name=record]", {"name": "game.json", "mimeType": "application/json", "buffer": game})
    inside.click("form.upload button")
    inside.wait_for_selector("#scrubber")
    analysis = inside.url.partition("/replay")[0] + "/analysis"
    inside.goto(analysis)
    inside.click("main form button.first")
    inside.wait_for_selector(".curve")  # what is known so far
    inside.goto(f"{reader.address}new?board=berlin")  # in the frame: Python goes on
    inside.locator("form.new-game button.first").first.click()
    table(inside)
    inside.wait_for_selector("#question.asked")
    press_once(inside)
    inside.goto(analysis)
    inside.get_by_text("Analysing the game…").wait_for()


def test_a_table_speaks_the_language_of_its_browser_after_a_press_too(folder: Path, chromium: Any) -> None:
    with visited(folder, chromium, locale="pl-PL") as pole:
        pole.go("learn").get_by_text("Dobieraj, twórz, łącz").first.wait_for()
        inside = pole.go("new?board=berlin")
        inside.locator("form.new-game button.first").click()
        pole.at("t/")
        table(inside)
        assert inside.locator("#hand").get_attribute("aria-label") == "Karty na ręce"
        before = inside.locator("body").get_attribute("data-version")
        press_once(inside, 0)
        inside.wait_for_function("before => document.body.dataset.version !== before", arg=before)
        inside.wait_for_selector("body:not(.waiting) #question")
        assert inside.locator("#hand").get_attribute("aria-label") == "Karty na ręce"
        assert "Your" not in inside.locator("body").inner_text()


def test_a_file_that_is_asked_for_twice_at_once_is_fetched_once(
    folder: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(_Quiet, "send_head", lambda self: fetched.append(self.path) or super(_Quiet, self).send_head())
    with hosted(folder) as address:
        one = Reader(chromium, address)
        one.page.wait_for_function("() => document.documentElement.dataset.kept")
        fetched.clear()
        sizes = one.page.evaluate("""async () => {
            const [name] = (await caches.keys()).filter((name) => name.startsWith("site /games/"));
            const cache = await caches.open(name);
            const { url } = (await cache.keys()).find(({ url }) => url.endsWith(".mo"));
            await cache.delete(url);
            const answers = await Promise.all([fetch(url), fetch(url), fetch(url)]);
            return Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength));
        }""")
        one.context.close()
    assert len(fetched) == 1
    assert len(set(sizes)) == 1
    assert sizes[0] == (folder.parent / fetched[0].lstrip("/")).stat().st_size


def test_a_download_that_has_come_to_a_halt_holds_nobody_up_for_good(
    folder: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    over, whole = threading.Event(), _Quiet.send_head

    def send_head(self: _Quiet) -> Any:
        asked.append(self.path)
        if len(asked) == 1:
            over.wait()
        return whole(self)

    with hosted(folder) as address:
        one = Reader(chromium, address)
        one.page.wait_for_function("() => document.documentElement.dataset.kept")
        monkeypatch.setattr(_Quiet, "send_head", send_head)
        one.page.evaluate("""async () => {
            const [name] = (await caches.keys()).filter((name) => name.startsWith("site /games/"));
            const cache = await caches.open(name);
            window.file = (await cache.keys()).find(({ url }) => url.endsWith(".mo")).url;
            await cache.delete(window.file);
            window.halted = fetch(window.file);
        }""")
        again = "fetch(window.file, { signal: AbortSignal.timeout(1000) }).then(({ ok }) => ok, () => false)"
        came = any(one.page.evaluate(again) for _ in range(60))
        over.set()
        one.context.close()
    assert came  # while the first one still waited


def test_a_puzzle_is_answered(reader: Reader) -> None:
    inside = reader.go("learn/puzzles/berlin")
    inside.locator("form[action^='/games/learn/puzzles/berlin/'] button").first.click()
    table(inside)
    inside.locator("#guide .links button").first.click()  # the answer
    inside.locator("#guide-said").get_by_text("The answer").wait_for()


def test_a_lesson_is_begun(reader: Reader) -> None:
    inside = reader.go("learn")
    inside.locator('form[action="/games/learn/berlin/first"] button').click()
    table(inside)
    for box in inside.locator(".offers input").all():
        box.check()
    inside.click("[data-combined]")
    inside.locator("#guide-said #guide-why").get_by_text("Two tickets").wait_for()
    inside.locator(".offers input").last.uncheck()
    inside.click("[data-combined]")
    inside.locator("#guide .task").get_by_text("red card").wait_for()


def test_a_board_is_begun_and_shown_how_it_plays(reader: Reader) -> None:
    inside = reader.go("workshop")
    inside.locator("form").filter(has=inside.locator("input[name=board][value=berlin]")).locator("button").click()
    inside.locator("a[href$='/balance']").evaluate("(link) => link.click()")  # in a menu
    inside.get_by_role("button", name="Test how it plays").click()
    inside.locator("#figures h2").first.wait_for()  # the first results, while games are still being played
    assert "Length of a game" in inside.locator("#figures").inner_text()
    assert inside.locator("#figures svg").count() > 0


def begun(reader: Reader) -> str:
    """The path of a new table."""
    inside = reader.go("new?board=berlin")
    inside.locator("form.new-game button.first").first.click()
    reader.at("t/")
    table(inside)
    return str(reader.page.evaluate("location.pathname")).removeprefix("/games/")


def test_everything_goes_into_one_file_and_comes_back_from_it(reader: Reader, tmp_path: Path) -> None:
    path = begun(reader)
    inside = reader.go("along")
    inside.wait_for_selector("#saving")
    with reader.page.expect_download() as coming:
        inside.click("#saving button")
    coming.value.save_as(tmp_path / "all.json")
    games = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["games"]
    assert path.removeprefix("t/") in [game["id"] for game in games]
    inside.set_input_files("#opening input[type=file]", tmp_path / "all.json")
    inside.click("#opening button")
    inside.locator("#outcome [data-done]").wait_for()
    assert f"Games: 0 added, {len(games)} already here." in inside.inner_text("#outcome")


def test_a_full_browser_says_so_loses_nothing_and_goes_on_when_there_is_room(newcomer: Reader) -> None:
    from playwright.sync_api import TimeoutError as NotAnswered

    path = begun(newcomer)
    inside, page = newcomer.inside, newcomer.page
    debugger = newcomer.context.new_cdp_session(page)

    def allow(**most: int) -> None:
        debugger.send("Storage.overrideQuotaForOrigin", {"origin": newcomer.address.removesuffix("/games/"), **most})

    def version() -> int:
        return int(inside.locator("body").get_attribute("data-version"))

    inside.wait_for_selector("#question.asked")
    told = page.get_by_text("This browser has no room left.")
    allow(quotaSize=1)
    page.set_default_timeout(10_000)  # a press that is refused is not answered
    for presses in range(60):  # the database has some room inside
        if told.is_visible():
            break
        with contextlib.suppress(NotAnswered):
            press_once(inside, presses)
    page.set_default_timeout(PATIENCE)
    told.wait_for()  # presses may be quicker than the refusal of the first of them
    before = version()
    page.get_by_role("link", name="Take my games with me").click()
    inside.wait_for_selector("#saving")

    allow()
    told.wait_for(state="hidden")
    inside.goto(newcomer.address + path)  # Python has not been started again
    table(inside)
    inside.wait_for_selector("#question.asked")  # the bots may have played on already
    assert version() >= before
    press_once(inside)
    after = version()
    assert after > before
    page.reload()
    inside = newcomer.inside
    table(inside)
    assert version() >= after


def test_a_browser_that_may_keep_nothing_is_told_what_to_allow(driver: Any, folder: Path, tmp_path: Path) -> None:
    forbidden = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(forbidden))
    with hosted(folder) as address:
        context = driver.chromium.launch_persistent_context(
            tmp_path, executable_path=CHROMIUM, args=["--headless=new", *FLAGS[1:]], service_workers="allow"
        )
        page = context.pages[0]
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.get_by_text("Allow cookies and site data for this address").wait_for()
        page.frame_locator("iframe").locator("h1").first.wait_for()  # and the first page can be read
        context.close()


def test_when_a_tab_is_closed_another_one_goes_on_with_the_same_games(reader: Reader) -> None:
    def offered() -> list[str]:
        """The tickets that the person is asked about, as soon as the bots before have answered."""
        table(reader.inside)
        reader.inside.locator(".offers input").first.wait_for()
        return list(reader.inside.locator(".offers").all_inner_texts())

    path = begun(reader)
    asked, first = offered(), reader.page
    reader.open(path)
    assert offered() == asked
    first.close()  # and Python with it, without a word
    reader.page.reload()
    assert offered() == asked
