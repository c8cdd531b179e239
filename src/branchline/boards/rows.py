"""A CSV table as rows whose cells are asked for by column and kind; what is wrong is noted with its line.

A cell that is wrong reads as something harmless, so that reading can go on and find the next fault.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from branchline.boards.faults import FaultList, did_you_mean, listed, quoted
from branchline.boards.files import read_text
from branchline.boards.wording import FORMAT, Term, freely, worded


@dataclass
class Row:
    """One line of a table. A wrong cell is noted, makes the row unsound and reads as something harmless."""

    file: str
    line: int
    cells: dict[str, str]
    faults: FaultList
    sound: bool = True

    def wrong(self, message: str) -> None:
        """Note a fault of this row."""
        self.faults.add(self.file, self.line, message)
        self.sound = False

    def text(self, column: str) -> str:
        """Return the text of a cell, without blanks around it; empty where the column is left out."""
        return self.cells.get(column, "")

    def number(self, column: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`; an empty cell is `default`."""
        text = self.text(column)
        if not text and default is not None:
            return default
        if re.fullmatch(r"[+-]?[0-9]{1,12}", text) and low <= int(text) <= high:
            return int(text)
        self.wrong(
            worded(
                "{column} is {text}, expected a whole number from {low} to {high}",
                column=Term(column),
                text=_cell(text),
                low=low,
                high=high,
            )
        )
        return low

    def decimal(self, column: str, low: float, high: float, default: float | None = None) -> float:
        """Return a number, with a decimal point if need be, from `low` to `high`; an empty cell is `default`."""
        text = self.text(column)
        if not text and default is not None:
            return default
        if re.fullmatch(r"[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})", text) and low <= float(text) <= high:
            return float(text)
        self.wrong(
            worded(
                "{column} is {text}, expected a number from {low} to {high}",
                column=Term(column),
                text=_cell(text),
                low=f"{low:g}",
                high=f"{high:g}",
            )
        )
        return low

    def flag(self, column: str) -> bool:
        """Return yes or no; an empty cell is no."""
        return self.word(column, ("yes", "no"), "no") == "yes"

    def word(self, column: str, words: Sequence[str], default: str | None = None) -> str:
        """Return one of a few words; an empty cell is `default`."""
        text = self.text(column)
        if not text and default is not None:
            return default
        if text in words:
            return text
        near = did_you_mean(text, words) or worded(", expected {expected}", expected=listed(words))
        self.wrong(
            worded("unknown {column} {text}{near}", column=Term(column), text=quoted(text), near=near)
            if text
            else worded("{column} is empty{near}", column=Term(column), near=near)
        )
        return words[0]


def _cell(text: str) -> str:
    return quoted(text) if text else worded("empty")


class Header(Protocol):
    """The columns that a table must and may have."""

    @property
    def needed(self) -> tuple[str, ...]:
        """Those that the first line must name."""

    @property
    def known(self) -> tuple[str, ...]:
        """All of them."""


def read_table(
    folder: Path,
    name: str,
    columns: Header,
    most: int,
    faults: FaultList,
    *,
    optional: bool = False,
    misfits: list[str] | None = None,
) -> list[Row] | None:
    """Return the rows of a CSV file, at most `most`; None where it is left out or unreadable as a whole.

    Of rows that have too few cells or too many, what stands in the first needed column is added to `misfits`.
    """
    text = read_text(folder, name, faults, optional=optional)
    if text is None:
        return None
    lines = _records(text, name, faults)
    header = next(lines, None)
    if header is None:
        if text.isspace() or not text:
            faults.add(name, 0, worded("is empty; expected a first line {known}", known=",".join(columns.needed)))
        return None
    if not _right_header(header[1], columns, name, faults):
        return None
    rows: list[Row] = []
    for line, cells in lines:
        if len(rows) == most:
            faults.add(name, line, worded("too many rows, the limit is {most}", most=most))
            break
        if len(cells) != len(header[1]):
            faults.add(
                name,
                line,
                worded(
                    "{count} cells, expected {expected} as in the first line", count=len(cells), expected=len(header[1])
                ),
            )
            if misfits is not None:
                misfits += cells[header[1].index(columns.needed[0]) :][:1]
            continue
        rows.append(Row(name, line, dict(zip(header[1], cells, strict=True)), faults))
    if not rows:
        faults.add(name, 0, worded("has no rows"))
    return rows


def _records(text: str, name: str, faults: FaultList) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and cells of each record that is not blank; a comment line starts with #."""
    reader = csv.reader(io.StringIO(text), strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.add(name, line, worded("is not CSV from here on: {reason}", reason=_reason(error)))
            return
        cells = [cell.strip() for cell in cells]
        if any(cells) and not cells[0].startswith("#"):
            yield line, cells
        line = reader.line_num + 1


def _reason(error: csv.Error) -> str:
    """Return what the csv module means, in words."""
    for mark, words in (
        ("end of data", worded("a double quote is never closed")),
        ("limit", worded("a cell is far too long")),
    ):
        if mark in str(error):
            return words
    return freely(str(error), FORMAT)


def _right_header(header: list[str], columns: Header, name: str, faults: FaultList) -> bool:
    """Return whether the first line names all needed columns, and none unknown or twice."""
    before = len(faults)
    for mark, word in ((";", worded("semicolons")), ("\t", worded("tabs"))):
        if len(header) == 1 and mark in header[0]:
            faults.add(name, 1, worded("columns are separated by {word}; separate them by commas", word=word))
            return False
    missing = [column for column in columns.needed if column not in header]
    for column in dict.fromkeys(header):
        if column not in columns.known:
            near = did_you_mean(column, columns.known) or worded("; known are {known}", known=columns.known)
            faults.add(name, 1, worded("unknown column {column}{near}", column=quoted(column), near=near))
        elif header.count(column) > 1:
            faults.add(name, 1, worded("column {column} twice", column=quoted(column)))
    for column in missing:
        faults.add(name, 1, worded("column {column} is missing", column=quoted(column)))
    return len(faults) == before
