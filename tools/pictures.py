"""Takes the pictures of the README anew: `python tools/pictures.py [NAME ...]`.

A server of its own deals the games, `planner` sits at the table for the reader, and Chromium shows what is there.
It needs the extra `dev` and Debian's `chromium-headless-shell`.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

import branchline as bl
from branchline.bots import Position

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
DESKTOP, PHONE = (1440, 900), (390, 844)
MIDDLE = 40  # our actions after which a game for three is in its middle
PICTURED = {  # the part of the table's address after the room, the board, seats, our actions, size and theme
    "europe-light": ("", "europe", 3, MIDDLE, DESKTOP, "light"),
    "germany-light": ("", "germany", 3, MIDDLE, DESKTOP, "light"),
    "world-dark": ("", "world", 3, MIDDLE, DESKTOP, "dark"),
    "berlin-phone-light": ("", "berlin", 2, 14, PHONE, "light"),
    "end-light": ("", "germany", 3, 1000, DESKTOP, "light"),
    "analysis-light": ("/analysis", "europe", 2, 1000, DESKTOP, "light"),
}


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all."""
    with serving() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        for name in names or PICTURED:
            path, board, seats, actions, size, theme = PICTURED[name]
            with page_of(browser, size, theme) as page:
                table = new_table(page, address, board, seats)
                play_on(page, address, table, bl.load_board(board), actions)
                page.goto(f"{address}{table}{path}")
                settle(page)
                page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
                print(name)


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server whose boards are laid out."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/rooms.sqlite"
        command = [sys.executable, "-m", "branchline", "serve", "--quiet", "--port", str(port), "--database", database]
        server = subprocess.Popen(command)
        try:
            while not is_warm(address):
                time.sleep(0.3)
            yield address
        finally:
            server.terminate()
            server.wait(60)


def is_warm(address: str) -> bool:
    """Whether the server has started and laid out its boards."""
    try:
        return bool(httpx.get(f"{address}/healthz").json()["warm"])
    except (httpx.TransportError, json.JSONDecodeError):
        return False


@contextmanager
def page_of(browser: Browser, size: tuple[int, int], theme: str) -> Iterator[Page]:
    """A page of a browser of its own, of a size in pixels, in the colours of this theme."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        device_scale_factor=2 if size == PHONE else 1,
        has_touch=size == PHONE,
        is_mobile=size == PHONE,
    )
    yield context.new_page()
    context.close()


def new_table(page: Page, address: str, board: str, seats: int) -> str:
    """The path of a new table: we against bots that answer at once."""
    page.goto(address)
    fields = {f"kind{seat}": "bot" for seat in range(1, seats)} | {"kind0": "me", "seats": str(seats), "first": "0"}
    csrf = page.locator("input[name=csrf]").first.get_attribute("value") or ""
    answer = page.request.post(
        f"{address}/new",
        form={"csrf": csrf, "board": board, "pace": "0", **fields},
        headers={"Origin": address},
        max_redirects=0,
    )
    return answer.headers["location"]


def play_on(page: Page, address: str, table: str, board: bl.Board, actions: int) -> None:
    """Play so many of our actions, or to the end, as `planner` would."""
    [key] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"].startswith("branchline_key")]
    bot = bl.make_bot("planner", 1)
    room = f"/api/v1/rooms/{table.rsplit('/', 1)[1]}"
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60) as api:
        while actions:
            legal = api.get(f"{room}/legal").json()
            if not legal["actions"]:
                news = api.get(f"{room}/events", params={"since": legal["version"], "wait": 20}).json()
                if news["over"]:
                    return
                continue
            game = bl.Game.resume(board, b64decode(api.get(f"{room}/state").json()["bytes"]))
            chosen = bot.choose(Position.of(game))
            api.post(f"{room}/actions", json={"action": chosen, "version": legal["version"]}).raise_for_status()
            actions -= 1


def settle(page: Page) -> None:
    """Wait until the page has nothing more to show: the analysis is there, the finale is over."""
    page.wait_for_load_state("networkidle")
    if page.url.endswith("/analysis"):
        if (analyse := page.get_by_role("button", name="Analyse this game")).count():
            analyse.click()
            page.wait_for_url("**/analysis")
        while not ((found := page.request.get(f"{page.url}.json")).ok and found.json()["complete"]):
            page.wait_for_timeout(1000)
        page.reload()
    page.wait_for_timeout(3000)


if __name__ == "__main__":
    main(sys.argv[1:])
