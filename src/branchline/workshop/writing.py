"""The files of a board folder, written as `docs/board_format.md` says: one line for each row, one for each key."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from branchline.boards.columns import TABLES
from branchline.boards.schema import SECTIONS

FIRST_ROW = 2  # line of a table's first row; the columns are named above it
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDE = 100  # letters after which a list is written on several lines


def columns_of(table: str, rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the columns that must be written: those a table needs, then whatever is filled in somewhere."""
    columns = TABLES[table]
    filled = {column: None for cells in rows.values() for column in cells}
    known = [column for column in columns.optional if column in filled]
    return [*columns.needed, *known, *(column for column in filled if column not in columns.known)]


def table_text(table: str, rows: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table as CSV. No cell holds a line break, so the n-th row is line n + 1."""
    columns = columns_of(table, rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for cells in rows.values():
        writer.writerow([cells.get(column, "") for column in columns])
    return text.getvalue()


def rules_text(settings: Mapping[str, object]) -> str:
    """Return `board.toml`: the keys at the top, then the sections in the order of a rulebook."""
    return "\n".join(_section((), settings)).strip() + "\n"


def _section(path: tuple[str, ...], entries: Mapping[str, Any]) -> Iterator[str]:
    """Yield a section with its sections.

    Small ones of numbers stand on one line, as in `hand = { train = 3, ship = 7 }`.
    """
    inner = {key for key, value in entries.items() if isinstance(value, dict) and not _on_a_line(path, value)}
    if path:
        yield ""
        yield f"[{'.'.join(_key(part) for part in path)}]"
    for key, value in entries.items():
        if key not in inner:
            yield f"{_key(key)} = {_value(value)}"
    known = [section.path for section in SECTIONS if section.path in inner] if not path else []
    for key in (*known, *(key for key in entries if key in inner and key not in known)):
        yield from _section((*path, key), entries[key])


def _on_a_line(path: tuple[str, ...], value: Mapping[str, object]) -> bool:
    plain = all(isinstance(item, int | float | str) for item in value.values())
    return bool(path) and path[0] != "map" and 0 < len(value) <= 3 and plain


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """Return a text in quotes: JSON's escapes are TOML's, except for a letter that JSON leaves as it is."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list):
        parts = [_value(item) for item in value]
        if sum(map(len, parts)) > _WIDE:
            return "[\n" + "".join(f"    {part},\n" for part in parts) + "]"
        return f"[{', '.join(parts)}]"
    return json.dumps(value)  # numbers, true and false
