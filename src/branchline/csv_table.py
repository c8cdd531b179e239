"""The tables that we write as CSV (RFC 4180), for programs and for people.

For programs: commas, decimal points, no byte order mark, whatever the language. For people, who press on the file and
have Excel or LibreOffice open it: a byte order mark, without which Excel takes UTF-8 for an older code page, and what
Excel expects where the reader's language is spoken; where commas are decimal, that is semicolons between the cells. (A
line `sep=;` would have it forget the byte order mark.) Lines end with CRLF, and no text is taken for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TextIO

from branchline import languages

Cell = str | int | float | None

BOM = "\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""With which a table program would begin to calculate."""


def for_people(language: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table for people who read this language."""
    decimal_comma = not languages.language(language).decimal_point
    text = io.StringIO()
    text.write(BOM)
    _write(text, headings, rows, decimal_comma)
    return text.getvalue()


def for_programs(target: TextIO, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a table into a text file, which must not translate ends of lines."""
    _write(target, headings, rows, decimal_comma=False)


def _write(target: TextIO, headings: Sequence[str], rows: Iterable[Sequence[Cell]], decimal_comma: bool) -> None:
    writer = csv.writer(target, delimiter=";" if decimal_comma else ",", lineterminator="\r\n")
    writer.writerow(map(harmless, headings))
    writer.writerows([_said(cell, decimal_comma) for cell in row] for row in rows)


def _said(cell: Cell, decimal_comma: bool) -> Cell:
    if isinstance(cell, float) and decimal_comma:
        return str(cell).replace(".", ",")
    return harmless(cell) if isinstance(cell, str) else cell


def harmless(text: str) -> str:
    """Return the text so that no table program takes it for a formula; other texts stay as they are."""
    return f"'{text}" if text.lstrip(" \u00a0").startswith(FORMULA) or text.startswith(FORMULA) else text
