"""What tables typed elsewhere call our columns, colours and kinds, in the languages of the pages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence

from branchline.boards.board import COLOURS, GRAY
from branchline.boards.columns import TABLES, Real, Whole, YesNo
from branchline.boards.names import german, plain
from branchline.languages import LANGUAGES, language

EXTRA: Mapping[str, frozenset[str]] = {
    "cities": frozenset({"x", "y"}),
    "routes": frozenset({"style"}),
    "tickets": frozenset({"long"}),
}
"""Columns of other editors that are no columns of ours, and that we can take up elsewhere."""

_COLUMNS = [column for table in TABLES.values() for column in table.all.values()]
DECIMALS = {column.name for column in _COLUMNS if isinstance(column, Real)}
NUMBERS = {column.name for column in _COLUMNS if isinstance(column, Whole)}
YES_OR_NO = {column.name for column in _COLUMNS if isinstance(column, YesNo)} | {"long"}

_RGB = {
    GRAY: (140, 140, 140),
    "purple": (190, 80, 190),
    "blue": (50, 110, 220),
    "orange": (245, 140, 30),
    "white": (245, 245, 245),
    "green": (60, 160, 60),
    "yellow": (245, 220, 50),
    "black": (30, 30, 30),
    "red": (215, 40, 40),
}
_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")  # behind a heading: (degrees), [spaces]
_SEPARATOR_LINE = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
_MINUS = str.maketrans("\u2212\u2013\u2010\u2011", "----")
_GROUPED = re.compile(
    r"([+-]?[0-9]{1,3}(?:(?P<mark>[ \u00a0\u2009\u202f'\u2019])[0-9]{3}(?:(?P=mark)[0-9]{3})*"
    r"|(?:\.[0-9]{3})+(?=,)|(?:,[0-9]{3})+(?=\.)))(?:[.,]([0-9]+))?"
)
"""Thousands set apart: 1 234,5, 1'234.5, 1.234,5 and 1,234.5; 1.234 and 1,234 alone are decimals."""

_LANGUAGES = [language(code) for code in LANGUAGES]
_NAMING = {
    "cities": "name",
    "layout": "name",
    "names": "name",
    "passengers": "city",
}  # tables, and where a place stands
_JOINING = ("routes", "tickets")


def _known_columns(table: str) -> dict[str, str]:
    """Return our columns of a table by what they are called elsewhere, in plain letters."""
    known = {plain(column): column for column in TABLES[table].known}
    for spoken in _LANGUAGES:
        words = dict(spoken.headings.get(table, {}))
        if table in _NAMING:
            words[_NAMING[table]] = spoken.headings["place"]["name"]
        if table in _JOINING:
            words |= spoken.headings.get("both", {})
        known |= _read_backwards(words)
    return known


def _read_backwards(words: Mapping[str, str]) -> dict[str, str]:
    return {word: ours for ours, texts in words.items() for word in (plain(ours), *texts.split())}


_COLUMN_OF = {table: _known_columns(table) for table in TABLES}
_COLOUR_OF = _read_backwards(dict.fromkeys(COLOURS, ""))
_KIND_OF: dict[str, dict[str, str]] = {"routes": {}, "cities": {}}
for _language in _LANGUAGES:
    _COLOUR_OF |= _read_backwards(_language.colours)
    for _table, _kinds in _KIND_OF.items():
        _kinds |= _read_backwards(_language.kinds.get(_table, {}))
_YES = {word for spoken in _LANGUAGES for word in spoken.yes.split()}
_NO = {word for spoken in _LANGUAGES for word in spoken.no.split()}


def column_of(table: str, heading: str) -> str:
    """Return our column for a heading, or an empty text where it is none that we know."""
    known = _COLUMN_OF[table]
    heading = _ASIDE.sub("", heading)
    return known.get(plain(heading)) or known.get(german(heading).replace("laenge", "lange"), "")


def columns_of(table: str, headings: Sequence[str]) -> list[str]:
    """Return our columns for all headings of a table; a heading that is not known, or known already, stays as it is."""
    graph = {"source", "target"} <= {plain(one) for one in headings}
    found: list[str] = []
    for heading in headings:
        begins = graph and plain(heading) == "source"  # of a route, unlike our own column of that name
        ours = "city_a" if begins else column_of(table, heading)
        exact = heading in TABLES[table].known and not begins
        taken = ours in found or (not exact and ours in headings)
        found.append(heading if exact or not ours or taken else ours)
    return found


def table_of_headings(headings: Sequence[str]) -> str:
    """Return the table that these headings fit best; an empty text where they fit none."""
    fitting: dict[str, int] = {}
    for table, columns in TABLES.items():
        ours = set(columns_of(table, headings))
        if ours >= set(columns.needed) - {"colour"}:
            fitting[table] = len(ours & (set(columns.known) | EXTRA.get(table, frozenset())))
    return max(fitting, key=lambda table: fitting[table], default="")


def split_header(text: str) -> tuple[int, str, list[str]]:
    """Return how many lines come before the rows' heading, the mark between cells, and the headings.

    Excel's first line `sep=;` names the mark; else it is the one that leaves the most headings that we know.
    """
    marks: tuple[str, ...] = (",", ";", "\t", "|")
    skipped = 0
    for line in text.split("\n")[:50]:
        named = _SEPARATOR_LINE.fullmatch(line)
        if named and skipped == 0:
            marks, skipped = (named[1],), 1
        elif line.strip() and not line.lstrip().startswith("#"):
            cut = {mark: _cells(line, mark) for mark in marks}
            best = max(marks, key=lambda mark: (_known(cut[mark]), line.count(mark)))
            return skipped, best, cut[best]
    return skipped, marks[0], []


def _cells(line: str, mark: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(line[:5_000]), delimiter=mark), [])]
    except csv.Error:
        return []


def _known(headings: Sequence[str]) -> int:
    return max(sum(bool(column_of(table, one)) for one in headings) for table in TABLES)


def cell_of(table: str, column: str, text: str) -> str:
    """Return a cell as our tables write it: decimal points, our words for colours and kinds, yes and no."""
    if column in DECIMALS:
        return _number(text)
    if column in NUMBERS:
        text = _number(text)
        whole = re.fullmatch(r"([+-]?\d+)\.0+", text)
        return whole[1] if whole else text
    if column == "colour":
        return colour_of(text)
    if column == "kind":
        return _KIND_OF.get(table, {}).get(plain(text), text)
    if column in YES_OR_NO:
        word = plain(text)
        return "yes" if word in _YES else "no" if word in _NO else text
    return text


def _number(text: str) -> str:
    """Return a number as programs write it: a plain minus, a decimal point, thousands not set apart."""
    ascii_signs = text.translate(_MINUS)
    grouped = _GROUPED.fullmatch(ascii_signs)
    if grouped:
        whole = "".join(digit for digit in grouped[1] if digit.isascii() and digit in "+-0123456789")
        return whole + (f".{grouped[3]}" if grouped[3] else "")
    return ascii_signs.replace(",", ".") if re.fullmatch(r"[+-]?[0-9]+([.,][0-9]+)?", ascii_signs) else text


def colour_of(text: str) -> str:
    """Return our colour for a word or a `#rrggbb`; any other text stays as it is, for the check to name."""
    if _HEX.fullmatch(text):
        digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
        seen = [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
        return min(_RGB, key=lambda name: sum((a - b) ** 2 for a, b in zip(_RGB[name], seen, strict=True)))
    return _COLOUR_OF.get(plain(text)) or _COLOUR_OF.get(german(text), text)


def route_kind(text: str) -> str:
    """Return our kind of route for another editor's word; an empty text where it means nothing to us."""
    return _KIND_OF["routes"].get(plain(text), "")
