"""The pages as an app on a device: its manifest, its service worker, and what it shows without a network."""

from __future__ import annotations

import functools
import hashlib
import json

from branchline.boards import builtin_boards, load_board
from branchline.draw.palette import THEMES
from branchline.web.core.pages import assets
from branchline.web.core.pages.navigation import WHAT_IT_IS
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import LANGUAGES, Translator, translator_for
from branchline.web.core.settings import HERE
from branchline.web.core.visit import Visit

OFFLINE, WORKER, MANIFEST = "/offline", "/service-worker.js", "/manifest.webmanifest"
ICONS = (
    ("icon", "any", 192),
    ("icon", "any", 512),
    ("icon-maskable", "maskable", 192),
    ("icon-maskable", "maskable", 512),
)
WORKER_FILE = f"{assets.BROWSER}/service_worker.js"
_NOT_KEPT = (".png",)  # the system keeps the icons


def manifest(language: str, theme: str, root: str = "") -> str:
    """Return the manifest as JSON; `theme` is light, dark or contrast, `root` the path before all others."""
    words, colours = translator_for(language), THEMES.get(theme, THEMES["light"])
    icons = [
        {
            "src": assets.url(f"{assets.BROWSER}/{name}-{size}.png", root),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": use,
        }
        for name, use, size in ICONS
    ]
    content: dict[str, object] = {
        "id": f"{root}/",
        "lang": words.language,
        "dir": "ltr",
        "name": words("branchline: railway board games"),
        "short_name": "branchline",
        "description": words(WHAT_IT_IS),
        "start_url": f"{root}/",
        "scope": f"{root}/",
        "display": "standalone",
        "theme_color": colours.halo,
        "background_color": colours.land,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [
            {"name": words("New game"), "url": f"{root}/new", "icons": icons[:1]},
            {"name": words("Score a game"), "url": f"{root}/count", "icons": icons[:1]},
        ],
    }
    return json.dumps(content, ensure_ascii=False)


@functools.cache
def offline(root: str = "") -> str:
    """Return the page for when the server cannot be reached: the same for everybody, in all languages."""
    words_by_language = {code: translator_for(code) for code in LANGUAGES}
    visit = Visit(path=OFFLINE, root=root)
    return render("core/pages/offline.html", visit, title="branchline", said=words_by_language, works=_works_offline)


def _works_offline(words: Translator) -> list[tuple[str, str]]:
    """Return the pages that the service worker keeps once they were open, as address and name."""
    boards = [load_board(name) for name in builtin_boards()]
    return [
        (f"{HERE}/index.html", words("Against bots")),
        ("/count", words("Score a game")),
        ("/notate", words("Record a game turn by turn")),
        ("/rules", words("Rules")),
        *[(f"/rules/{board.id}", words("Rules: {board}", board=board.title_in(words.language))) for board in boards],
    ]


@functools.cache
def service_worker(root: str = "") -> str:
    """Return the script that caches the files of all pages; it changes whenever one of these files changes."""
    source = (assets.STATIC / WORKER_FILE).read_text("utf-8")
    names = [name for name in assets.files() if name != WORKER_FILE and not name.endswith(_NOT_KEPT)]
    files = [assets.url(name, root) for name in names]
    version = hashlib.sha256((assets.digest() + offline(root)).encode()).hexdigest()[:12]
    shell = json.dumps({"version": version, "root": root, "files": files, "offline": root + OFFLINE})
    return f"const SHELL = {shell};\n{source}"
