"""Makes `docs/pictures/` with a server that runs: `python pictures.py http://127.0.0.1:8000 FOLDER`.

Each edition in the middle of a game, light and dark, on a desktop and on a phone; the end of one, and its analysis.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from pressing import Visitor, press_once, pressing

from conftest import CHROMIUM, FLAGS

PRESSES = {"europe": 46, "germany": 52, "berlin": 18, "world": 50, "great_lakes": 50}
NAMES = {"seats": "3", "seed": "21", "first": "0", "name0": "Anna", "name1": "Bruno", "name2": "Clara"}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "has_touch": True, "is_mobile": True}


def main(address: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        anna = Visitor(browser, address)
        for board, presses in PRESSES.items():
            path = anna.new_room(board, **NAMES)
            _on(anna.page, presses)
            state = anna.context.storage_state()
            _both(anna.page, folder / board)
            phone = browser.new_context(**PHONE, storage_state=state)
            page = phone.new_page()
            page.goto(address + path)
            page.wait_for_selector("#question.asked", state="attached")
            _both(page, folder / f"{board}-phone")
            phone.close()
        path = anna.new_room("berlin", **NAMES)
        pressing(anna.page)
        _reviewed(anna.page)
        _both(anna.page, folder / "end")
        anna.go(f"{path}/analysis").wait_for_selector(".sums")
        _both(anna.page, folder / "analysis")
        anna.go("/")
        _both(anna.page, folder / "home")
        browser.close()


def _on(page: Any, presses: int) -> None:
    """So many presses, and on to a turn of one's own."""
    done = 0
    while done < presses or not page.locator("body:not(.waiting) #question[data-kind=turn]").count():
        if press_once(page, done, claim=done % 3 != 1 and done < presses):
            done += 1


def _reviewed(page: Any) -> None:
    """Until the end screen shows the mistakes; where the analysis has not begun by itself, by its button."""
    begin = page.locator("#review form[data-review-form] button")
    begin.or_(page.locator("#review .mistake, #review progress")).first.wait_for()
    if begin.count():
        begin.click()
    page.wait_for_selector("#review:not([data-again]) .mistake", timeout=600_000)


def _both(page: Any, name: Path) -> None:
    page.mouse.move(5, 5)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(400)
        page.screenshot(path=f"{name}-{scheme}.png")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
