"""Layouts outlive the process: those of the editions come with the package, others lie in the user's cache."""

from __future__ import annotations

import ast
import dataclasses
import gzip
import io
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from branchline.boards import Board, builtin_boards, load_board
from branchline.draw import arranging, layout, stored
from branchline.draw.arranging import arrange
from branchline.draw.geometry import Layout
from branchline.draw.layout import is_ready, layout_of

DRAW = Path(stored.__file__).parent
HOW = "make them anew: make layouts (python -m branchline.draw)"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where layouts are kept: an empty cache, no shipped ones, nothing in memory."""
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(stored, "SHIPPED", tmp_path / "nothing")
    start_anew(monkeypatch)
    return tmp_path / "cache" / "layouts"


@pytest.fixture(scope="module")
def small(europe: Board) -> Board:
    """A board that is laid out in no time: Europe with seven routes, and without its backdrop."""
    routes = tuple(route for route in europe.routes if route.lines == 1)[:7]
    routes = tuple(dataclasses.replace(route, index=index, parallel=index) for index, route in enumerate(routes))
    return dataclasses.replace(europe, routes=routes, map={}, folder=None)


@pytest.fixture(scope="module")
def arranged(small: Board) -> Layout:
    """Its layout, worked out once."""
    return arrange(small)


def start_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_layouts", type(layout._layouts)())


def never(_board: Board) -> Layout:
    raise AssertionError("it is worked out again")


def only_file(cache: Path) -> Path:
    (file,) = cache.iterdir()
    return file


# ------------------------------------------------------------------------------------------------ shipped


def test_the_layouts_of_all_editions_are_shipped_and_up_to_date() -> None:
    names = {f"{stored.digest(load_board(name))}.json.gz" for name in builtin_boards()}
    assert {file.name for file in stored.SHIPPED.iterdir()} == names, HOW


@pytest.mark.long
def test_shipped_layouts_are_what_is_worked_out(board: Board) -> None:
    """Up to the last decimal, which other processors may round otherwise."""
    number = r"-?\d+(?:\.\d+)?"
    one, two = repr(arrange(board)), repr(stored.found(board))
    assert re.sub(number, "#", one) == re.sub(number, "#", two), HOW
    for here, there in zip(re.findall(number, one), re.findall(number, two), strict=True):
        assert float(here) == pytest.approx(float(there), abs=0.25), HOW


def test_an_edition_is_drawn_from_its_shipped_layout_without_numpy_and_numba() -> None:
    program = """
import sys
from branchline.boards import load_board
from branchline.draw.layout import is_ready
for name in {names}:
    board = load_board(name)
    assert is_ready(board) and board.svg()
print(sorted({{"numpy", "numba"}} & set(sys.modules)))
"""
    command = [sys.executable, "-c", program.format(names=builtin_boards())]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_the_digest_knows_all_sources_that_decide_a_layout() -> None:
    needed, to_see = set(), ["arranging", "stored"]
    while to_see:
        name = to_see.pop()
        needed.add(name)
        for node in ast.walk(ast.parse((DRAW / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("branchline.draw."):
                to_see += {node.module.removeprefix("branchline.draw.")} - needed
    assert needed == set(stored.SOURCES)


@pytest.mark.parametrize("name", stored.SOURCES)
def test_of_a_source_only_the_words_are_left_out_of_the_digest(name: str) -> None:
    file = DRAW / f"{name}.py"
    assert code_tokens(stored._code(file)) == code_tokens(file.read_bytes())


def test_docstrings_comments_and_empty_lines_do_not_decide_the_digest(tmp_path: Path) -> None:
    bare, worded = tmp_path / "bare.py", tmp_path / "worded.py"
    bare.write_text("class Blue:\n    width = 3\n    def fill(self):\n        return '#00f'\n")
    worded.write_text(
        '"""A colour."""\n\n# one of three\nclass Blue:\n    """Blue.\n\n    As the sea.\n    """\n\n'
        "    width = 3  # pixels\n    def fill(self):\n        # in short\n        return '#00f'\n"
    )
    assert stored._code(worded) == stored._code(bare) == bare.read_bytes()


def code_tokens(source: bytes) -> list[str]:
    """Return the tokens of a source without comments, layout and strings that stand alone."""
    no_code = {tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT}
    tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
    return [
        token.string
        for token, after in itertools.pairwise(tokens)
        if token.type not in no_code
        and not (token.type == tokenize.STRING and after.type == tokenize.NEWLINE and token.line.lstrip()[:3] == '"""')
    ]


# ------------------------------------------------------------------------------------------------ kept


def test_a_layout_is_kept_between_starts(small: Board, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_ready(small)
    made = layout_of(small)
    start_anew(monkeypatch)
    monkeypatch.setattr(arranging, "arrange", never)
    assert is_ready(small)
    assert layout_of(small) == made


def test_a_layout_is_read_as_it_was_written(board: Board, cache: Path) -> None:
    assert stored.found(board) is None
    shipped = stored._read(DRAW / "layouts" / f"{stored.digest(board)}.json.gz", board)
    stored.keep(board, shipped)
    assert stored.found(board) == shipped


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no layout",
        gzip.compress(b""),
        gzip.compress(b"{}"),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b"\xff\xfe"),
        gzip.compress(b"9" * 5000),
        gzip.compress(b" " * 9_000_000),
        pickle.dumps({"a": 1}),
    ],
    ids=["empty", "text", "nothing", "object", "deep", "bytes", "number", "large", "pickle"],
)
def test_a_foreign_file_is_ignored_and_replaced(
    content: bytes, small: Board, arranged: Layout, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored.keep(small, arranged)
    file = only_file(cache)
    file.write_bytes(content)
    monkeypatch.setattr(arranging, "arrange", lambda _board: arranged)
    assert not is_ready(small)
    assert layout_of(small) == arranged
    start_anew(monkeypatch)
    assert is_ready(small)
    assert only_file(cache) == file


def test_a_damaged_file_is_ignored(small: Board, arranged: Layout, cache: Path) -> None:
    stored.keep(small, arranged)
    file = only_file(cache)
    whole = file.read_bytes()
    for position in range(0, len(whole), 7):
        spoiled = bytearray(whole)
        spoiled[position] ^= 0x55
        file.write_bytes(bytes(spoiled))
        assert stored.found(small) in (None, arranged)
        file.write_bytes(whole[:position])
        assert stored.found(small) is None


HOSTILE = {
    "script in the scenery": lambda parts: parts[6].__setitem__(1, '"/><script>alert(1)</script>'),
    "script in a path": lambda parts: parts[6].__setitem__(0, {"land": 'M0 0"/><script/>', "coast": ""}),
    "script as a kind": lambda parts: parts[6].__setitem__(0, {'"><script/>': "M0 0"}),
    "land without a coast": lambda parts: parts[6].__setitem__(0, {"land": "M0 0"}),
    "script in an anchor": lambda parts: parts[3][0].__setitem__(4, 'end"><script/>'),
    "another name": lambda parts: parts[3][0].__setitem__(1, ["Elsewhere"]),
    "a place that is not there": lambda parts: parts[3][0].__setitem__(0, 4711),
    "a place counted from the end": lambda parts: parts[3][0].__setitem__(0, -1),
    "a word that is not there": lambda parts: parts[7][4][0].__setitem__(0, "{0.__class__}"),
    "a text for a number": lambda parts: parts[2][0][1][0].__setitem__(0, '1"><script/>'),
    "a truth for a number": lambda parts: parts[2][0].__setitem__(0, False),
    "no number": lambda parts: parts[2][0][1][0].__setitem__(0, float("nan")),
    "one route less": lambda parts: parts[2].pop(),
    "one place less": lambda parts: parts[0][2].pop(),
    "one field less": lambda parts: parts.pop(),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_file_that_says_what_no_layout_says_is_ignored(
    what: str, small: Board, arranged: Layout, cache: Path
) -> None:
    stored.keep(small, arranged)
    file = only_file(cache)
    parts = json.loads(gzip.decompress(file.read_bytes()))
    file.write_bytes(gzip.compress(json.dumps(parts).encode()))
    assert stored.found(small) is not None
    HOSTILE[what](parts)
    file.write_bytes(gzip.compress(json.dumps(parts).encode()))
    assert stored.found(small) is None


def test_another_board_or_backdrop_has_another_layout(small: Board, tmp_path: Path) -> None:
    backdrop = tmp_path / "map.geojson"
    backdrop.write_text('{"features": []}')
    one = dataclasses.replace(small, folder=tmp_path, map={"backdrop": backdrop.name})
    before, stamp = stored.digest(one), stored.backdrop_stamp(one)
    backdrop.write_text('{"features":  []}')
    os.utime(backdrop, (1, 1))
    assert stored.digest(one) == before, "blanks change no drawing"
    assert stored.backdrop_stamp(one) != stamp
    for other in ('{"features": [{}]}', '{"features":', "[" * 100_000):
        backdrop.write_text(other)
        assert len({before, stored.digest(one), stored.digest(small)}) == 3
    renamed = dataclasses.replace(small.places[0], name="Elsewhere")
    assert stored.digest(dataclasses.replace(small, places=(renamed, *small.places[1:]))) != stored.digest(small)


def test_the_cache_keeps_the_layouts_used_last_and_leaves_other_files_alone(small: Board, cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "notes.txt").write_text("mine")
    for number in range(stored._MOST_FILES + 5):
        file = cache / f"{number:032x}.json.gz"
        file.write_bytes(b"")
        os.utime(file, (number, number))
    layout_of(small)
    left = {file.name for file in cache.iterdir()}
    assert len(left) == stored._MOST_FILES + 1
    assert {"notes.txt", f"{stored.digest(small)}.json.gz"} < left
    assert f"{5:032x}.json.gz" not in left
    assert f"{6:032x}.json.gz" in left


def test_a_board_is_drawn_where_nothing_can_be_kept(small: Board, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setattr(stored, "cache_folder", lambda _name: None)
    assert layout_of(small)
    assert not cache.exists()
