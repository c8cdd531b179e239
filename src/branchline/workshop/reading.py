"""Reads the files of a board folder into a draft as far as it goes, and says what it could not keep."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from typing import Any

from branchline.boards import BoardError, Fault
from branchline.boards.columns import TABLES
from branchline.boards.faults import FaultList, quoted
from branchline.boards.files import RULES
from branchline.boards.letters import without_unseen
from branchline.boards.names import plain
from branchline.boards.sections import is_modest
from branchline.boards.wording import FORMAT, Term, freely, worded
from branchline.workshop.draft import Cells, Draft, DraftError, checked_backdrop, checked_file, checked_value
from branchline.workshop.headings import DECIMALS, cell_of, columns_of, route_kind, split_header
from branchline.workshop.tables import (
    LETTERS,
    MAX_CELL,
    MAX_COLUMNS,
    MAX_FILES,
    MAX_ROWS,
    MAX_TEXT,
    file_of,
)

_TRIES = 40  # lines of board.toml that are left out before it is given up
_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def read_draft(files: Mapping[str, str]) -> tuple[Draft, tuple[Fault, ...]]:
    """Return the draft in these files (name → text), and what of them could not be read or is not kept.

    Only what cannot be kept is a reason here; what is wrong with the board says `findings`.
    """
    reasons: list[Fault] = []
    texts = _texts(files, reasons)
    settings = _settings(texts.pop(RULES, ""), reasons)
    tables = {table: _rows(table, texts.pop(file_of(table), ""), reasons) for table in TABLES}
    draft = Draft(settings, tables)
    backdrop = None
    name = draft.backdrop_file
    if name in texts:
        backdrop = _backdrop(name, texts[name], reasons)
        if backdrop is not None:
            del texts[name]
    others: dict[str, str] = {}
    for name, text in texts.items():
        try:
            if len(others) < MAX_FILES:
                others[name] = checked_file(name, text)
            else:
                reasons.append(
                    Fault(name[:60], 0, worded("is left out: at most {most} other files are kept", most=MAX_FILES))
                )
        except DraftError as error:
            reasons.append(Fault(name[:60], 0, worded("is left out: {reason}", reason=error.message)))
    return Draft(settings, tables, backdrop, others), tuple(reasons)


def _texts(files: Mapping[str, str], reasons: list[Fault]) -> dict[str, str]:
    """Return the files that are small enough to be read at all, as `boards.files` would read them."""
    texts: dict[str, str] = {}
    left = MAX_TEXT
    for name, text in files.items():
        left -= len(text)
        if left < 0:
            reasons.append(Fault(name[:60], 0, worded("is left out: all files together are too large")))
            continue
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
        texts[name] = unicodedata.normalize("NFC", text)
    return texts


# ------------------------------------------------------------------------------------------------ tables


def _rows(table: str, text: str, reasons: list[Fault]) -> dict[str, Cells]:
    file = file_of(table)
    lines = _records(file, text, reasons)
    if not lines:
        return {}
    written = [_one_line(column) for column in lines[0][1][:MAX_COLUMNS]]
    header = columns_of(table, written)
    if not set(header) & set(TABLES[table].known):
        message = worded("its first line names no known column, such as {known}", known=TABLES[table].needed)
        reasons.append(Fault(file, lines[0][0], message))
        return {}
    for ours, theirs in zip(header, written, strict=True):
        if plain(ours) != plain(theirs):
            message = worded("column {theirs} is read as {ours}", theirs=quoted(theirs), ours=Term(ours))
            reasons.append(Fault(file, lines[0][0], message))
    rows: dict[str, Cells] = {}
    for line, cells in _with_decimals(file, header, lines[1:], reasons):
        if len(rows) == MAX_ROWS:
            reasons.append(
                Fault(file, line, worded("the rows from here on are left out: at most {most} are kept", most=MAX_ROWS))
            )
            break
        if len(cells) != len(lines[0][1]):
            counts = {"count": len(cells), "expected": len(lines[0][1])}
            cut = _cut_from(header, cells)
            if cut < len(header):
                message = worded(
                    "{count} cells instead of {expected}, as where a decimal comma cuts a number in two: "
                    "{columns} are left out",
                    columns=tuple(column for column in header[cut:] if column),
                    **counts,
                )
                cells = cells[:cut]
            elif len(cells) > len(lines[0][1]):
                message = worded("{count} cells instead of {expected}: the last ones are left out", **counts)
            else:
                message = worded("{count} cells instead of {expected}: the missing ones are empty", **counts)
            reasons.append(Fault(file, line, message))
        kept: dict[str, str] = {}
        for column, cell in zip(header, cells, strict=False):
            if column and _one_line(cell):
                kept.setdefault(column, cell_of(table, column, _one_line(cell)))
        style = kept.pop("style", "") if table == "routes" and "style" in header else ""
        if route_kind(style) not in ("", "rail"):
            kept["kind"] = route_kind(style)
        if table == "routes" and kept.get("wilds") == "0":
            del kept["wilds"]
        rows[f"{LETTERS[table]}{len(rows) + 1}"] = kept
    return rows


def _with_decimals(
    file: str, header: list[str], lines: list[tuple[int, list[str]]], reasons: list[Fault]
) -> list[tuple[int, list[str]]]:
    """Return the rows with numbers whole again that a decimal comma has cut in two, where all rows are cut alike."""
    decimal = [column in DECIMALS for column in header]
    cut = len(header) + sum(decimal)
    if not any(decimal) or not lines or not all(len(cells) == cut for _, cells in lines):
        return lines
    whole = []
    for line, cells in lines:
        rest, joined = iter(cells), []
        for is_decimal in decimal:
            joined.append(f"{next(rest).strip()}.{next(rest).strip()}" if is_decimal else next(rest))
        if not all(
            re.fullmatch(r"[+-]?\d+\.\d+", number) for number, is_d in zip(joined, decimal, strict=True) if is_d
        ):
            return lines
        whole.append((line, joined))
    reasons.append(Fault(file, 0, worded("decimal commas are read as points")))
    return whole


def _cut_from(header: list[str], cells: list[str]) -> int:
    """Return the column from which on a row with too many cells may be shifted, because a decimal comma cut a number
    in two; if none, the number of columns.
    """
    decimals = [n for n, column in enumerate(header) if column in DECIMALS]
    if not decimals or not any(cell.strip() for cell in cells[len(header) :]):
        return len(header)
    whole = any(re.fullmatch(r"[+-]?\d+", cells[n].strip()) for n in decimals)
    return decimals[0] if whole else len(header)


def _records(file: str, text: str, reasons: list[Fault]) -> list[tuple[int, list[str]]]:
    """Return line and cells of all records that hold something; comments are skipped."""
    skipped, mark, _ = split_header(text)
    if mark != "," and text.strip():
        reasons.append(Fault(file, 1, worded("cells are now separated by commas")))
    reader = csv.reader(io.StringIO(text.split("\n", skipped)[-1]), delimiter=mark)
    records, comments, line = [], 0, 1 + skipped
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            reasons.append(
                Fault(file, line, worded("the rest is not CSV: {reason}", reason=freely(str(error), FORMAT)))
            )
            break
        if any(cell.strip() for cell in cells):
            if cells[0].lstrip().startswith("#"):
                comments += 1
            else:
                records.append((line, cells))
        line = reader.line_num + 1 + skipped
    if comments:
        reasons.append(Fault(file, 0, worded("comments are not kept: {count}", count=comments)))
    return records


def _one_line(cell: str) -> str:
    """Return a cell without the line breaks that quotes allow, without invisible characters, and only what UTF-8 can
    hold.
    """
    text = " ".join(without_unseen(cell).split())[:MAX_CELL].strip()
    return text.encode("utf-8", "replace").decode("utf-8")


# ------------------------------------------------------------------------------------------------ board.toml


def _settings(text: str, reasons: list[Fault]) -> dict[str, object]:
    """Return the tree of board.toml; lines that are not TOML are left out one by one."""
    faults = FaultList()
    if not is_modest(text, RULES, faults):
        try:
            faults.raise_if_any(RULES)
        except BoardError as error:
            reasons += error.faults
        return {}
    if any(line.lstrip().startswith("#") for line in text.split("\n")):
        reasons.append(Fault(RULES, 0, worded("comments are not kept")))
    lines = text.split("\n")
    for _ in range(_TRIES):
        try:
            return _kept(tomllib.loads("\n".join(lines)), reasons)
        except RecursionError:
            break
        except ValueError as error:
            place = _LINE.search(str(error))
            number = int(place[1]) if place else len(lines)
            while number > 1 and not lines[number - 1].strip():  # what is open is noticed at the end
                number -= 1
            if not 1 <= number <= len(lines) or not lines[number - 1].strip():
                break
            message = worded("is left out, because it is not TOML: {text}", text=quoted(lines[number - 1]))
            reasons.append(Fault(RULES, number, message))
            lines[number - 1] = ""
    reasons.append(Fault(RULES, 0, worded("is not TOML")))
    return {}


def _kept(tree: dict[str, object], reasons: list[Fault]) -> dict[str, object]:
    """Return the keys that a draft can hold, as JSON."""
    kept = {}
    for key, value in tree.items():
        try:
            kept.update(checked_value({key: _plain(value)}))
        except (DraftError, RecursionError) as error:
            why = error.message if isinstance(error, DraftError) else worded("sections are nested too deep")
            reasons.append(Fault(RULES, 0, worded("{key} is left out: {reason}", key=quoted(key), reason=why)))
    return kept


def _plain(value: object) -> Any:
    """Return as text what JSON does not have: dates and infinite numbers."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, datetime.date | datetime.time) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return value


def _refuse(word: str) -> None:
    """Refuse what is not a number in JSON, though Python reads it."""
    raise ValueError(word)


def _backdrop(name: str, text: str, reasons: list[Fault]) -> dict[str, object] | None:
    try:
        return checked_backdrop(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError, DraftError):
        reasons.append(Fault(name, 0, worded("is not GeoJSON: it is kept as it is, and not drawn")))
        return None
