"""Walk through a site as a visitor does whose network is cut after the first page. From the project's root:

    python benchmarks/site_walk.py --boards berlin europe

The folder lies on a plain server of files. In a fresh profile a lesson is begun, a game of each board is played to its
end against `hard`, a puzzle answered, a route counted, a board made and tried out. Everything is saved in one
file, the profile is thrown away, and the file is opened in another one. No request may go to any other address. Prints
how long each step took.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "web" / "browser"))

from pressing import pressing, table
from test_site import Reader, hosted

from branchline.boards import builtin_boards
from branchline.site.building import build
from conftest import CHROMIUM, FLAGS


@contextmanager
def visited(browser: Any, address: str) -> Iterator[Reader]:
    """Yield somebody with a fresh profile who has seen the first page, and has no network since then."""
    reader = Reader(browser, address)
    reader.page.wait_for_function("() => document.documentElement.dataset.kept")
    reader.context.set_offline(True)
    yield reader
    assert reader.asked == {address.split("/")[2]}, reader.asked
    assert not reader.faults, reader.faults
    reader.context.close()


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say what is done, and how long it took."""
    began = time.monotonic()
    yield
    print(f"{what:40} {time.monotonic() - began:6.1f} s", flush=True)


def played(reader: Reader, board: str) -> int:
    """Play a game against `hard` to its end by pressing, and return the number of presses."""
    inside = reader.go(f"new?board={board}")
    inside.select_option("select[name=seats]", "2")
    inside.select_option("select[name=bot1]", "hard")
    inside.locator("summary", has_text="More options").click()
    inside.select_option("select[name=pace]", "200")
    inside.locator("form.new-game button.first").click()
    reader.at("t/")
    table(inside)
    presses = pressing(inside)
    assert len(inside.locator("#end tfoot td").all_inner_texts()) == 2
    return presses


def made_and_balanced(reader: Reader) -> None:
    """Begin a board from Berlin, and have bots play it until first figures are there."""
    inside = reader.go("workshop")
    inside.locator("form").filter(has=inside.locator("input[name=board][value=berlin]")).locator("button").click()
    inside.locator("a[href$='/balance']").evaluate("(link) => link.click()")
    inside.get_by_role("button", name="Test how it plays").click()
    inside.locator("#figures h2").first.wait_for()


def answered(reader: Reader) -> None:
    """Look at a puzzle and its answer."""
    inside = reader.go("learn/puzzles/berlin")
    inside.locator("form[action^='/games/learn/puzzles/berlin/'] button").first.click()
    table(inside)
    inside.locator("#guide .links button").first.click()
    inside.locator("#guide-said").get_by_text("The answer").wait_for()


def lesson_begun(reader: Reader) -> None:
    """Begin the first lesson, and do what it asks first."""
    inside = reader.go("learn")
    inside.locator('form[action="/games/learn/berlin/first"] button').click()
    table(inside)
    for box in inside.locator(".offers input").all():
        box.check()
    inside.click("[data-combined]")
    inside.locator("#guide-said #guide-why").get_by_text("Two tickets").wait_for()


def counted(reader: Reader) -> None:
    """Count a route of a game on Europe."""
    inside = reader.go("count")
    inside.wait_for_selector("body[data-live]")
    inside.select_option("#edition", "europe")
    inside.select_option("#seats", "3")
    inside.locator("#new-count .big").click()
    inside.wait_for_selector("#board svg")
    inside.fill("#type-routes", "Paris-Dieppe")
    inside.press("#type-routes", "Enter")
    inside.locator("#told").get_by_text("Dieppe").wait_for()


def taken_along(reader: Reader, file: Path) -> int:
    """Save everything in a file, and return the number of games in it."""
    inside = reader.go("along")
    inside.wait_for_selector("#saving")
    with reader.page.expect_download() as coming:
        inside.click("#saving button")
    coming.value.save_as(file)
    return len(json.loads(file.read_text(encoding="utf-8"))["games"])


def opened_again(reader: Reader, file: Path) -> str:
    """Open the file, and return what the page says of it."""
    inside = reader.go("along")
    inside.set_input_files("#opening input[type=file]", file)
    inside.click("#opening button")
    inside.locator("#outcome [data-done]").wait_for()
    return str(inside.inner_text("#outcome"))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="*", default=list(builtin_boards()))
    chosen = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, ExitStack() as opened:
        with step("the site is written"):  # before the driver of browsers, which has a loop of its own
            build(Path(name) / "games", "/games/")
        play = opened.enter_context(sync_playwright())
        file = Path(name) / "all.json"
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        address = opened.enter_context(hosted(Path(name) / "games"))
        with visited(browser, address) as reader:
            with step("a lesson"):
                lesson_begun(reader)
            for board in chosen.boards:
                with step(f"a game of {board} against hard"):
                    print(f"{played(reader, board)} presses: ", end="")
            for what, do in (("a puzzle", answered), ("a count", counted), ("a board, balanced", made_and_balanced)):
                with step(what):
                    do(reader)
            with step("everything is saved"):
                print(f"{taken_along(reader, file)} games, {file.stat().st_size / 1000:.0f} kB: ", end="")
        with visited(browser, address) as newcomer, step("everything is opened in a fresh profile"):
            print(opened_again(newcomer, file).replace("\n", " "))
        browser.close()


if __name__ == "__main__":
    main()
