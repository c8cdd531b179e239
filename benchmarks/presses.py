"""How soon a press shows: from pressing a card to the frame with the new state, in Chromium on this machine.

    python benchmarks/presses.py --presses 40 --editions europe great_lakes

Starts a server of its own, waits until it is warm, and draws cards at a table of each edition against two bots that
answer at once. Prints medians and the slowest of twenty, with the load of the machine. However slow the machine is, an
edition is left after the time allowed for it, with as many presses as were measured until then.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from first_paint import FLAGS, server

import branchline as bl

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Presses what draws a card; the milliseconds until the page has the new state and has drawn a frame of it.
PRESSED = """() => new Promise((done) => {
  const card = document.querySelector('#deck-train:not([aria-disabled]), #deck-ship:not([aria-disabled]), '
    + '.slot:not([aria-disabled])');
  if (!card) return done(null);
  const began = performance.now();
  new MutationObserver((_, watching) => {
    watching.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  }).observe(document.body, { attributes: true, attributeFilter: ['data-version'] });
  setTimeout(() => done(null), 3000); // it was no card that could be taken
  card.click();
})"""

# What is asked now: "" while nothing is, or what was pressed is on its way.
ASKED = """() => document.body.classList.contains('waiting') ? ''
  : document.querySelector('#question.asked')?.dataset.kind ?? ''"""

PAUSE = 700  # milliseconds between two presses: the second of two quick ones on a deck is left out, as a slip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=40, help="how often a card is drawn in each edition")
    parser.add_argument("--editions", nargs="+", choices=bl.builtin_boards(), default=bl.builtin_boards())
    parser.add_argument("--allowed", type=float, default=120, help="seconds allowed for each edition")
    parser.add_argument("--chromium", default=shutil.which("chromium-headless-shell") or shutil.which("chromium"))
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=FLAGS)
        print(f"{'edition':12} {'presses':>7} {'press to state':>16} {'19 of 20':>10}", flush=True)
        for edition in options.editions:
            times = sorted(drawn(browser, address, edition, options.presses, options.allowed))
            line = f"{edition:12} {len(times):>7}"
            if times:
                line += f" {statistics.median(times):>13.0f} ms {times[int(0.95 * len(times))]:>7.0f} ms"
            print(line, flush=True)
        browser.close()
    print("load of the machine, 1, 5 and 15 minutes:", *(f"{load:.1f}" for load in os.getloadavg()))


def drawn(browser: Browser, address: str, edition: str, presses: int, allowed: float) -> list[float]:
    """The milliseconds that so many presses took, at a new table; fewer if the time allowed is over before."""
    ends = time.monotonic() + allowed
    page = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block").new_page()
    page.goto(address)
    token = page.locator("input[name=csrf]").first.get_attribute("value") or ""
    form: dict[str, str | float | bool] = {"csrf": token, "board": edition, "pace": "0"}
    form |= {"seats": "3", "kind0": "me", "kind1": "bot", "kind2": "bot", "first": "0", "seed": "1"}
    answer = page.request.post(f"{address}/new", form=form, headers={"Origin": address}, max_redirects=0)
    page.goto(address + answer.headers["location"])
    page.wait_for_selector("body[data-live] #question.asked")
    times: list[float] = []
    while len(times) < presses and time.monotonic() < ends:
        match page.evaluate(ASKED):
            case "turn" | "second_card":
                if took := page.evaluate(PRESSED):
                    times.append(took)
            case "keep_tickets":
                for box in page.locator(".offers input").all():
                    box.check()
                page.click("[data-combined]")
            case "":
                pass  # others are asked
            case _:  # the mix of tickets, the fleet, the deck that fills the market: whatever is proposed last
                page.locator("#question button").last.click()
        page.wait_for_timeout(PAUSE)
    page.context.close()
    return times


if __name__ == "__main__":
    main()
