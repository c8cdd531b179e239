"""What `board check` says of a draft, with the row or setting that each fault is about."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from branchline.boards import Board, BoardError, Fault, read_board
from branchline.boards.advice import advice
from branchline.boards.files import RULES
from branchline.boards.limits import ID
from branchline.boards.sections import key_lines
from branchline.boards.wording import Term, worded
from branchline.plain_data import JsonObject
from branchline.workshop.draft import Draft
from branchline.workshop.letters import print_advice
from branchline.workshop.tables import file_of, is_reserved, table_of
from branchline.workshop.writing import FIRST_ROW, columns_of

UNNAMED = "board"  # the folder of a draft without a usable id


@dataclass(frozen=True)
class Finding:
    """A fault or, where `advice` is true, something to look at again."""

    file: str
    message: str
    table: str = ""  # the table it is about, `settings`, or "" for another file
    row: str = ""  # id of the row; "": the table as a whole
    path: tuple[str, ...] = ()  # of the setting; () : board.toml as a whole
    advice: bool = False

    def as_json(self) -> JsonObject:
        """Return the finding as plain JSON."""
        return {
            "file": self.file,
            "message": self.message,
            "table": self.table,
            "row": self.row,
            "path": list(self.path),
            "advice": self.advice,
        }


def findings(draft: Draft) -> tuple[Finding, ...]:
    """Return everything that is wrong with a draft, or for a sound one what deserves another look. Writes a folder."""
    with tempfile.TemporaryDirectory(prefix="branchline-draft-") as folder:
        files = draft.files()
        try:
            board = written(draft, Path(folder), files)
        except BoardError as error:
            return (*_unread(draft), *(_placed(draft, fault, files) for fault in error.faults))
        unread = tuple(_unread(draft))
        if unread:
            return unread
        return tuple(_advised(remark) for remark in (*advice(board), *print_advice(board)))


def written(draft: Draft, folder: Path, files: Mapping[str, str] | None = None) -> Board:
    """Return the board of a draft, in a folder below this one with the board's name. Raise `BoardError`."""
    files = draft.files() if files is None else files
    name = draft.settings.get("id")
    home = folder / (name if isinstance(name, str) and re.fullmatch(ID, name) else UNNAMED)
    home.mkdir()
    for file, text in files.items():
        (home / file).write_text(text, encoding="utf-8")
    return read_board(home)


def _unread(draft: Draft) -> list[Finding]:
    """Return findings for rows that a reader of the folder would silently skip."""
    unread = []
    for table, rows in draft.tables.items():
        first = columns_of(table, rows)[0]
        for row, cells in rows.items():
            if not cells:
                unread.append(Finding(file_of(table), worded("the row is empty"), table, row))
            elif cells.get(first, "").startswith("#"):
                message = worded("{column} starts with #, which makes the row a comment", column=Term(first))
                unread.append(Finding(file_of(table), message, table, row))
    return unread


def _placed(draft: Draft, fault: Fault, files: Mapping[str, str]) -> Finding:
    """Return a fault with what it is about, found by its line."""
    table = table_of(fault.file)
    if table is not None:
        rows = list(draft[table])
        number = fault.line - FIRST_ROW
        row = rows[number] if 0 <= number < len(rows) else ""
        return Finding(fault.file, fault.message, table, row)
    if fault.file == RULES:
        path = next((name for name, line in key_lines(files[RULES]).items() if line == fault.line), "")
        return Finding(fault.file, fault.message, "settings", path=tuple(path.split(".")) if path else ())
    return Finding(fault.file, fault.message, "" if is_reserved(fault.file) else "backdrop")


def _advised(remark: Fault) -> Finding:
    table = table_of(remark.file) or ("settings" if remark.file == RULES else "")
    return Finding(remark.file, remark.message, table, advice=True)
