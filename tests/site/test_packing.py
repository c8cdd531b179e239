"""What is left out on the way to a browser is what nobody there needs."""

from __future__ import annotations

import gzip
import json
import pickle
import sqlite3
from importlib import resources
from pathlib import Path

import pytest

from branchline.site.in_browser import HEAD, begin_with
from branchline.site.packing import LOCALE_PARTS, bare, bare_locale, packed

SOURCE = b'''"""A module."""
X = 3  # a number


class One:
    """A class."""


def two(a: int = X) -> str:
    """A function."""
    return f"{a!r} # no comment" """ nor this"""
'''


def test_comments_and_docstrings_are_left_out_and_nothing_else() -> None:
    short = bare(SOURCE)
    found: dict[str, object] = {}
    exec(short, found)
    assert b"number" not in short and b"A function" not in short
    assert found["two"](3) == "3 # no comment nor this"  # type: ignore[operator]
    assert found["One"].__doc__ is None


def test_source_that_this_python_cannot_read_stays_as_it_is() -> None:
    assert bare(b"def of tomorrow\n") == b"def of tomorrow\n"


def test_an_archive_lists_its_files_and_holds_their_contents() -> None:
    files = {"b/two.py": b"2", "a.txt": b"", "b/one.py": b"\0\xff"}
    content = gzip.decompress(packed(files))
    size = int.from_bytes(content[:4], "little")
    at, found = 4 + size, {}
    for name, length in json.loads(content[4:at]):
        found[name] = content[at : at + length]
        at += length
    assert found == files and at == len(content)
    assert packed(files) == packed(dict(reversed(files.items())))


def test_babel_forgets_the_names_of_currencies_and_keeps_those_of_months() -> None:
    whole = (resources.files("babel") / "locale-data" / "pl.dat").read_bytes()
    short = pickle.loads(bare_locale(whole))
    assert short["months"] == pickle.loads(whole)["months"]
    assert not short.keys() & set(LOCALE_PARTS)


def test_a_new_database_that_broke_off_begins_anew_and_games_are_never_written_over(tmp_path: Path) -> None:
    empty, database = tmp_path / "empty", tmp_path / "rooms"
    with sqlite3.connect(empty) as connection:
        connection.execute("CREATE TABLE rooms (id TEXT)")
    connection.close()
    content = empty.read_bytes()
    database.write_bytes(bytes(HEAD) + content[HEAD:100])  # as when the page is closed in the middle
    begin_with(content, database)
    assert database.read_bytes() == content
    assert not any((tmp_path / "rooms-journal").read_bytes())  # which has room, and no transaction
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO rooms VALUES ('berlin')")
    connection.close()
    begin_with(content, database)
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT id FROM rooms").fetchall() == [("berlin",)]
    connection.close()


@pytest.mark.parametrize("before", (b"", b"SQLite format 3\0 and games"))
def test_what_is_no_empty_file_is_left_alone(tmp_path: Path, before: bytes) -> None:
    database = tmp_path / "rooms"
    database.write_bytes(before)
    begin_with(b"SQLite format 3\0 and nothing", database)
    assert database.read_bytes() == (before or b"SQLite format 3\0 and nothing")
