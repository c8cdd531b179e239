"""A language is its files and one line: a copy of the package is given Esperanto, of which two texts are translated."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import branchline

LINE = ', "eo": "Esperanto"}\n'

FACTS = """
forms = 2
spoken = "eo"
decimal_point = false
small_words = "la kaj de"
yes = "jes"
no = "ne"

[headings.place]
name = "urbo"

[colours]
red = "rugha"

[kinds.routes]
tunnel = "tunelo"
"""

TRANSLATED = {
    "branchline": ("Learn by playing", "Lernu ludante"),
    "teaching": ("Gray routes and wild cards", "Grizaj linioj kaj bildkartoj"),
}

VISITOR = """
import re, sys
from starlette.testclient import TestClient
from branchline.web.app import make_app
from branchline.web.core.settings import Settings

settings = Settings(database=f"sqlite:///{sys.argv[1]}", warm_up=False)
with TestClient(make_app(settings)) as browser:
    browser.cookies.set("branchline_language", "eo")
    for path in ("/", "/new", "/rules/europe", "/referee/europe", "/count", "/workshop", "/mine"):
        assert browser.get(path).status_code == 200, path
    print(browser.get("/rules/europe").text)
    page = browser.get("/learn").text
    print(page)
    form = re.search('name="csrf" value="([^"]+)"', page)[1]
    print(browser.post("/learn/berlin/wilds", data={"csrf": form}).text)
"""


def run(folder: Path, *arguments: str) -> str:
    """What a program of the copy prints."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.long
def test_a_language_is_its_files_and_one_line(tmp_path: Path) -> None:
    package = tmp_path / "branchline"
    shutil.copytree(Path(branchline.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    languages = package / "languages" / "__init__.py"
    languages.write_text(languages.read_text("utf-8").replace('"Deutsch"}\n', f'"Deutsch"{LINE}'), "utf-8")
    (package / "languages" / "eo.toml").write_text(FACTS, "utf-8")
    run(tmp_path, "-m", "branchline.web.core.pages.extract_messages")
    for name, (english, said) in TRANSLATED.items():
        file = package / "web" / "locale" / "eo" / "LC_MESSAGES" / f"{name}.po"
        empty = f'msgid "{english}"\nmsgstr ""\n'
        text = file.read_text("utf-8")
        assert text.count(empty) == 1
        file.write_text(text.replace(empty, empty.replace('""', f'"{said}"')), "utf-8")

    page = run(tmp_path, "-c", VISITOR, str(tmp_path / "rooms.sqlite"))
    assert '<html lang="eo"' in page and ">Esperanto<" in page
    for _, said in TRANSLATED.values():
        assert said in page
    assert "Draw, claim, connect" in page, "the title of another lesson"
    assert "A gray route takes cards of any colour you like" in page, "what the lesson says"
    assert "A gray route takes cards of any colour, but all of one colour." in page, "an article of the rules"
    assert "All puzzles" in page, "a word of the page"
