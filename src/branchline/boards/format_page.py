"""`python -m branchline.boards.format_page`: writes the tables of `docs/board_format.md` from the schema.

The marks around them say what they list: `<!-- keys: cards -->`, `<!-- columns: cities -->`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from branchline.boards.columns import TABLES, Column, Columns
from branchline.boards.schema import section_at
from branchline.documents import rewritten

PAGE = Path(__file__).parents[3] / "docs" / "board_format.md"


def page(written: str) -> str:
    """Return the page with its tables anew, and all that is written by hand as it is."""
    return rewritten(written, _table)


def _table(mark: str) -> Iterator[str]:
    kind, _, listing = mark.partition(": ")
    listed = listing.split(", ")
    several = kind == "columns" and len(listed) > 1
    yield ("| file " if several else "") + f"| {kind[:-1]} | meaning | default |"
    yield "|---" * (3 + several) + "|"
    if kind == "keys":
        entries = [entry for path in listed for entry in section_at("" if path == "top" else path).entries]
        rows = (_row(entry.names, entry.key.meaning, entry.key.default_said, entry.key.joint) for entry in entries)
        yield from dict.fromkeys(rows)  # the keys of both draws of tickets are the same
    for table in listed if kind == "columns" else ():
        for names, column in _explained_together(TABLES[table]):
            yield (f"| {table}.csv " if several else "") + _row(names, column.meaning, column.said)


def _explained_together(table: type[Columns]) -> list[tuple[tuple[str, ...], Column[object]]]:
    groups: list[tuple[tuple[str, ...], Column[object]]] = []
    for name, column in table.all.items():
        if column.meaning:
            groups.append(((name,), column))
        else:
            groups[-1] = ((*groups[-1][0], name), groups[-1][1])
    return groups


def _row(names: tuple[str, ...], meaning: str, default: str, joint: str = ", ") -> str:
    return f"| {joint.join(f'`{name}`' for name in names)} | {meaning} | {default} |".replace("|  |", "| |")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
