"""How soon a page is there: from asking for it to the first paint, and to the largest, in Chromium on this machine.

    python benchmarks/first_paint.py --times 9

Starts a server of its own, waits until it is warm, and opens the start page, a new table of each edition and its
replay, each in a fresh browser context with nothing cached. Prints medians, the slowest, and what travelled.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import branchline as bl

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
PAINTED = """() => new Promise(done => {
  const seen = { first: 0, largest: 0 };
  new PerformanceObserver(list => { for (const one of list.getEntries()) seen.largest = one.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => {
    seen.first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    seen.bytes = all.reduce((sum, one) => sum + one.transferSize, 0);
    done(seen);
  }, 300);
})"""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The address of a warm server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "branchline", "serve", "--quiet", "--port", str(port)]
    process = subprocess.Popen([*command, "--database", f"sqlite:///{folder / 'rooms.sqlite'}"])
    try:
        while True:
            try:
                with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:
                    if json.load(answer)["warm"]:
                        break
            except OSError:
                pass
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def tables(browser: Any, address: str) -> dict[str, tuple[str, Any]]:
    """What is looked at, with the cookies of who may: home, a game of each edition that was just uploaded, a replay."""
    found: dict[str, tuple[str, Any]] = {"home": (f"{address}/", [])}
    for edition in bl.builtin_boards():
        for name, steps in ((edition, 60), (f"replay of {edition}", 10_000)):
            context = browser.new_context()
            page = context.new_page()
            page.goto(f"{address}/")
            content = record(edition, steps).to_json().encode()
            page.set_input_files(
                "input[name=record]", {"name": "game.json", "mimeType": "application/json", "buffer": content}
            )
            page.click("form.upload button")
            page.wait_for_selector("#board svg")
            found[name] = (page.url, context.cookies())
            context.close()
    return found


def record(edition: str, steps: int) -> bl.Record:
    """A game played by chance, so many actions of it."""
    luck, game = random.Random(1), bl.Game(bl.load_board(edition), 2, 1)
    while not game.over and len(game.actions) < steps:
        game.play(luck.choice(list(game.legal)))
    return game.record()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=9, help="how often each page is opened")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=FLAGS)
        print(f"{'page':20} {'first paint':>22} {'largest paint':>22} {'travelled':>10}")
        for name, (url, cookies) in tables(browser, address).items():
            seen = [painted(browser, url, cookies) for _ in range(options.times)]
            cells = []
            for kind in ("first", "largest"):
                times = sorted(one[kind] for one in seen)
                cells.append(f"{statistics.median(times):.0f} ms (to {times[-1]:.0f})")
            print(f"{name:20} {cells[0]:>22} {cells[1]:>22} {max(one['bytes'] for one in seen) / 1000:>7.0f} kB")
        browser.close()


def painted(browser: Any, url: str, cookies: Any) -> dict[str, float]:
    """One opening of a page, with nothing cached."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(url, wait_until="load")
    seen: dict[str, float] = page.evaluate(PAINTED)
    context.close()
    return seen


if __name__ == "__main__":
    main()
