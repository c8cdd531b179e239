"""How soon a site without a server is there and how quickly it answers, in Chromium on this machine, beside the bars.

    python benchmarks/site.py --presses 20

Writes a site, serves it at 100 Mbit/s with 20 ms for each answer, and visits it twice: the first time with nothing
cached, the second time without a network. Then cards are drawn at a table against `hard`, at full speed and with the
processes of the pages held for three quarters of the time, as on a phone; at last a table of World is opened. Prints
what was measured, the bar, and the load of the machine. Memory is read from Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import http.server
import os
import shutil
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from first_paint import FLAGS
from presses import ASKED, PAUSE, PRESSED

from branchline.site.building import LATER, build, later_name

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

BASE = "/games/"
RATE = 12_500_000  # bytes a second
DELAY = 0.02  # seconds
PATIENCE = 300_000  # ms
SLICE = 0.005  # seconds that a slowed process runs at a time
SLOWER = 4

# Begins a game and returns the address of its table.
BEGUN = """async (fields) => {
  const csrf = document.querySelector('input[name=csrf]').value;
  const body = new URLSearchParams({ csrf, ...fields });
  return (await fetch('%snew', { method: 'POST', body })).url;
}"""
FETCHED = "() => [location.href, ...performance.getEntriesByType('resource').map((one) => one.name)]"
TURN = "() => document.querySelector('#question.asked')?.dataset.kind === 'turn'"


class Host(http.server.SimpleHTTPRequestHandler):
    """A plain host of files at the end of a line."""

    line = threading.Lock()

    def do_GET(self) -> None:
        """Send a file as slowly as the line does."""
        time.sleep(DELAY)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send the content; the line is shared."""
        content = source.read()
        with self.line:
            time.sleep(len(content) / RATE)
        outputfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of the site."""
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}{BASE}"
    host.shutdown()
    host.server_close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=20, help="how often a card is drawn, at each speed")
    parser.add_argument("--chromium", default=shutil.which("chromium-headless-shell") or shutil.which("chromium"))
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as opened:
        folder = Path(name) / BASE.strip("/")
        files = build(folder, BASE)
        play = opened.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=options.chromium, args=FLAGS)
        with hosted(Path(name)) as address:
            page = browser.new_context(service_workers="allow", reduced_motion="reduce").new_page()
            page.set_default_timeout(PATIENCE)
            began = time.monotonic()
            page.goto(address)
            inside(page).locator("h1").first.wait_for()
            told("first visit: home can be read", f"{time.monotonic() - began:.1f} s", "1 s")
            shell = fetched(page)
            place = begun(page, bot1="random")
            told("first visit: to the table", f"{time.monotonic() - began:.1f} s", "6 s")
            told("fetched for home", f"{compressed(folder, shell) / 1000:.0f} kB", "300 kB")
            game = shell | fetched(page) | {path for path in files if path.startswith("site/") and not is_later(path)}
            told("fetched for a first game", f"{compressed(folder, game) / 1e6:.1f} MB", "9 MB")
            told("kept for a time without a network", f"{compressed(folder, files) / 1e6:.1f} MB", "-")
            page.wait_for_function("() => document.documentElement.dataset.kept")
            page.wait_for_function("() => document.documentElement.dataset.started")
        page.context.set_offline(True)
        began = time.monotonic()
        page.goto(place)
        inside(page).wait_for_selector("body[data-live] #question")
        told("later visit, offline: to the table", f"{time.monotonic() - began:.1f} s", "3 s")
        begun(page, bot1="hard")
        pressed(inside(page), options.presses, "press to state", "120 ms", "`hard` answers", "0.5 s")
        begun(page, bot1="medium")
        with slowed(browser):
            bars = ("slowed: press to state", "400 ms", "slowed: `medium` answers", "2 s")
            pressed(inside(page), options.presses, *bars)
        begun(page, board="world", bot1="hard")
        told("memory of the pages, a table of World", f"{memory(browser) / 1e6:.0f} MB", "400 MB")
        browser.close()
    print("load of the machine, 1, 5 and 15 minutes:", *(f"{load:.1f}" for load in os.getloadavg()))


def told(what: str, measured: str, bar: str) -> None:
    """Print a line."""
    print(f"{what:38} {measured:>10}   bar {bar:>7}", flush=True)


def inside(page: Page) -> Frame:
    """The page in the frame of the site."""
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame is not None
    return frame


def begun(page: Page, **fields: str) -> str:
    """Begin a game and go to its table, whose address is returned."""
    page.wait_for_function("() => document.documentElement.dataset.ready")
    frame = inside(page)
    frame.goto(page.url.split(BASE)[0] + BASE + "new")
    form = {"board": "berlin", "pace": "0", "seats": "2", "kind0": "me", "kind1": "bot", "first": "0", "seed": "1"}
    place: str = frame.evaluate(BEGUN % BASE, form | fields)
    frame.goto(place)
    frame.wait_for_selector("body[data-live] #question")
    return place


def fetched(page: Page) -> set[str]:
    """The paths of the frame, of the page in it and of their parts."""
    urls = [url for one in (page, inside(page)) for url in one.evaluate(FETCHED)]
    return {url.split(BASE)[1] or "index.html" for url in urls if BASE in url}


def is_later(path: str) -> bool:
    """Return whether a file is fetched when Python reads it."""
    return path.split("/")[-1] in {later_name(name) for name in LATER}


def compressed(folder: Path, paths: Iterable[str]) -> int:
    """The bytes that a host which compresses sends of these files."""
    contents = [(folder / path).read_bytes() for path in set(paths) if (folder / path).is_file()]
    return sum(min(len(content), len(gzip.compress(content))) for content in contents)


def pressed(frame: Frame, presses: int, press: str, press_bar: str, answer: str, answer_bar: str) -> None:
    """Draw cards so often; print how long that took, and how long the bot after them."""
    times: list[float] = []
    answers: list[float] = []
    while len(times) < presses:
        match frame.evaluate(ASKED):
            case "turn" | "second_card" as kind:
                began = time.monotonic()
                if took := frame.evaluate(PRESSED):
                    times.append(took)
                    if kind == "second_card":
                        frame.wait_for_function(TURN)
                        answers.append(time.monotonic() - began - took / 1000)
            case "keep_tickets":
                for box in frame.locator(".offers input").all():
                    box.check()
                frame.click("[data-combined]")
            case "":
                pass  # the bot is asked
            case _:
                frame.locator("#question button").last.click()
        frame.wait_for_timeout(PAUSE)
    told(press, f"{statistics.median(times):.0f} ms", press_bar)
    told(answer, f"{statistics.median(answers):.2f} s", answer_bar)


def renderers(browser: Browser) -> list[int]:
    """The processes that run pages and their workers."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return [process["id"] for process in processes if process["type"] == "renderer"]


@contextlib.contextmanager
def slowed(browser: Browser) -> Iterator[None]:
    """Let the pages and their workers run for a part of the time only: Chromium's own throttling leaves workers out."""
    over, processes = threading.Event(), renderers(browser)

    def hold() -> None:
        while not over.wait(SLICE):
            send(processes, signal.SIGSTOP)
            time.sleep((SLOWER - 1) * SLICE)
            send(processes, signal.SIGCONT)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()


def send(processes: list[int], what: signal.Signals) -> None:
    """Send a signal to processes; those that are gone do not matter."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, what)


def memory(browser: Browser) -> int:
    """The bytes that the pages have, with their share of what several processes have together."""
    lines = [line for pid in renderers(browser) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()]
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main()
