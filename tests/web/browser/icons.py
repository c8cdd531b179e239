"""Makes the PNG icons of the app from `web/core/browser/icon.svg`: `python icons.py` (Chromium draws them)."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from branchline.web.core.pages import assets
from branchline.web.core.pages.app_shell import ICONS
from conftest import CHROMIUM, FLAGS

FOLDER = assets.STATIC / assets.BROWSER
SAFE = 0.74  # how large the sign is on an icon of which the system cuts off what it likes


def drawn(name: str, size: int) -> str:
    """A page with nothing but the icon."""
    svg = (FOLDER / "icon.svg").read_text("utf-8")
    if name != "icon" or size == 180:  # without transparent corners: Android and iOS round them themselves
        middle = f'<g transform="translate(16 16) scale({SAFE}) translate(-16 -16)">'
        svg = re.sub(r'(<rect [^>]*?) rx="6"([^>]*>)(.*)</svg>', rf"\1\2{middle}\3</g></svg>", svg)
    return f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{svg}"


def main(folder: Path) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, size in [("icon", 180), *((name, size) for name, _, size in ICONS)]:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(drawn(name, size))
            page.screenshot(path=folder / f"{name}-{size}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main(FOLDER)
