"""The rulings: what branchline does where the rulebooks are silent, in one file, `rulebook/rulings.toml`.

`docs/rulings.md` is written from it (`make rulings`), and the articles of the rules name them by their keys.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from branchline.documents import rewritten
from branchline.teaching.texts import LessonError, Reader, toml_of

FILE = Path(__file__).parent / "rulebook" / "rulings.toml"
PAGE = Path(__file__).parents[3] / "docs" / "rulings.md"
LONGEST = 400  # letters of a ruling

_KEYS = ("key", "part", "where", "why", "tests", "text")


@dataclass(frozen=True)
class Ruling:
    """One decision."""

    key: str  # by which articles name it; empty: it is no matter for players at a table
    part: str  # the section of `docs/rulings.md`
    where: str  # the editions that it is about, for that page; empty: all
    text: str
    why: str
    tests: tuple[str, ...]


@functools.cache
def all_rulings() -> tuple[Ruling, ...]:
    """Return all rulings, in the order of the file. Raise `LessonError`."""
    reader = Reader(FILE.name)
    return tuple(
        _ruling(reader, n, row) for n, row in enumerate(reader.rows("", toml_of(FILE, FILE.name), "ruling"), 1)
    )


@functools.cache
def rulings() -> Mapping[str, Ruling]:
    """Return the rulings that players meet, by key."""
    return {ruling.key: ruling for ruling in all_rulings() if ruling.key}


def _ruling(reader: Reader, n: int, row: dict[str, object]) -> Ruling:
    where = f"ruling {n}"
    reader.known(where, row, _KEYS)
    key, part, of, why = (str(row.get(name, "")) for name in ("key", "part", "where", "why"))
    if not part or not why:
        raise LessonError(f"{reader.name}: {where}: needs part and why")
    text = reader.text(f"{where}: text", row.get("text"), LONGEST)
    return Ruling(key, part, of, text, why, reader.words(f"{where}: tests", row.get("tests", [])))


def page(written: str) -> str:
    """Return `docs/rulings.md` with its tables anew, and all that is written by hand as it is."""
    return rewritten(written, lambda _name: _tables())


def _tables() -> Iterator[str]:
    for part, rows in groupby(all_rulings(), key=lambda ruling: ruling.part):
        yield from (f"\n## {part}", "", "| ruling | why | test |", "|---|---|---|")
        for ruling in rows:
            sentence = f"{ruling.where}: {ruling.text}" if ruling.where else ruling.text
            yield f"| {sentence} | {ruling.why} | {', '.join(f'`{test}`' for test in ruling.tests)} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
