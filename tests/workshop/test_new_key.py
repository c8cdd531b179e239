"""A board key is one row: a copy of the package is given one for stations, and everything that knows keys knows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import branchline
from branchline.boards import builtin_boards
from branchline.boards.catalogue import BUILTIN
from branchline.boards.keys import Number
from branchline.boards.schema import SECTIONS

AFTER = '    kept_bonus: Annotated[int, Number("points for each station not built", -MAX_POINTS, MAX_POINTS)]\n'
ROW = '    per_city: Annotated[int, Number("stations that a city holds", 1, 3, default=1)] = 1\n'
FIELD = "    per_city: Int16\n"  # what the rules read

USER = """
import shutil, sys
from pathlib import Path

from branchline.boards import BoardError, load_board, read_board
from branchline.boards.catalogue import BUILTIN
from branchline.boards.format_page import page
from branchline.web.core.visit import Visit
from branchline.web.workshop.page import EditorContext, editor
from branchline.workshop import read_draft

folder = Path(sys.argv[1])
shutil.copytree(BUILTIN / "europe", folder)
file = folder / "board.toml"
written = file.read_text("utf-8")


def having(line):
    file.write_text(written.replace("kept_bonus = 4", f"kept_bonus = 4\\n{line}"), "utf-8")
    return folder


board = read_board(having("per_city = 2"))
print("read:", board.stations.per_city, board.tables[0].per_city)
print("left out:", load_board("europe").stations.per_city, load_board("europe").tables[0].per_city)
print("counts:", board.digest != load_board("europe").digest, load_board("europe").digest)
for wrong in ("'two'", "4"):
    try:
        read_board(having(f"per_city = {wrong}"))
    except BoardError as error:
        print("fault:", error)

draft, _ = read_draft({one.name: one.read_text("utf-8") for one in having("per_city = 2").iterdir()})
print("written:", "per_city = 2" in draft.files()["board.toml"])
form = editor(EditorContext(Visit(), "/workshop/a", "a", "A", 1, "{}", True, False, "", (), ""))
print("form:", next(line for line in form.split("\\n") if 'data-path="stations.per_city"' in line))
print("explained:", next(line for line in form.split("\\n") if "stations that a city holds" in line))
document = page("<!-- keys: stations -->\\n<!-- end -->\\n")
print("document:", next(line for line in document.split("\\n") if "per_city" in line))
"""


@pytest.mark.long
def test_a_board_key_is_one_row(tmp_path: Path) -> None:
    package = tmp_path / "branchline"
    shutil.copytree(Path(branchline.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file, after, line in (("board.py", AFTER, ROW), ("tables.py", "    station_bonus: Int16\n", FIELD)):
        text = (package / "boards" / file).read_text("utf-8")
        assert text.count(after) == 1
        (package / "boards" / file).write_text(text.replace(after, after + line), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", USER, str(tmp_path / "europe")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = done.stdout
    lines = (BUILTIN / "europe" / "board.toml").read_text("utf-8").split("\n")
    line = 2 + next(n for n, one in enumerate(lines) if one.startswith("kept_bonus = 4"))
    assert "read: 2 2\nleft out: 1 1\n" in said
    assert f"counts: True {branchline.load_board('europe').digest}\n" in said, "boards without it keep their digest"
    expected = "expected a whole number from 1 to 3"
    assert f'fault: board.toml:{line}: [stations] per_city is "two", {expected}\n' in said
    assert f"fault: board.toml:{line}: [stations] per_city is 4, {expected}\n" in said
    assert "written: True\n" in said
    assert 'form: <label><code>per_city</code> <input data-path="stations.per_city" data-kind="number"' in said
    assert 'stations that a city holds <span class="soft">(1)</span></p>\n' in said
    assert "document: | `per_city` | stations that a city holds | 1 |\n" in said


@pytest.mark.parametrize("name", builtin_boards())
def test_every_key_of_an_edition_is_in_the_form(name: str) -> None:
    rules = tomllib.loads((BUILTIN / name / "board.toml").read_text(encoding="utf-8"))
    paths = {section.path for section in SECTIONS}
    for section in SECTIONS:
        here = rules
        for part in section.path.split(".") if section.path else ():
            here = here.get(part, {})
        known = {key for entry in section.entries for key in entry.names}
        if section.entries:
            assert {key for key in here if f"{section.path}.{key}".strip(".") not in paths} <= known


def test_what_an_optional_section_begins_with_are_its_own_keys() -> None:
    for section in SECTIONS:
        if section.entries and section.usual:
            assert set(section.usual) <= {name for entry in section.entries for name in entry.names}


def test_the_rows_of_one_section_have_different_names() -> None:
    for section in SECTIONS:
        names = [name for entry in section.entries for name in entry.names]
        assert len(names) == len(set(names))
        assert all(key.low <= key.high for _, key in section.keys if isinstance(key, Number))
