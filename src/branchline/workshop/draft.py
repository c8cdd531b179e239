"""A draft: a board while it is made, as an immutable value. Its cells are text, as somebody has written them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from branchline.boards import BranchlineError
from branchline.boards.columns import TABLES
from branchline.boards.files import RULES
from branchline.boards.wording import worded
from branchline.plain_data import JsonObject
from branchline.workshop.tables import (
    BACKDROP,
    MAX_CELL,
    MAX_COLUMNS,
    MAX_DEPTH,
    MAX_FILES,
    MAX_ID,
    MAX_ROWS,
    MAX_TEXT,
    file_of,
    is_needed,
    is_reserved,
)
from branchline.workshop.writing import rules_text, table_text

Cells = Mapping[str, str]
"""A row: column → text. An empty cell is left out."""
Rows = Mapping[str, Cells]
"""A table: id of a row → its cells, in the order of the file."""

UNTITLED = "…"  # the title in lists of a draft that has none
_FILE_NAME = re.compile(r"\w[\w.\-]{0,59}")
_ROW_ID = re.compile(rf"[a-z][a-z0-9]{{0,{MAX_ID - 1}}}")
_EXACT = 2**53  # browsers know whole numbers up to here


class DraftError(BranchlineError):
    """What was handed over as a draft is none, or is too large; the text is one clear line."""


def _no_tables() -> Mapping[str, Rows]:
    return {table: {} for table in TABLES}


@dataclass(frozen=True)
class Draft:
    """A board while it is made. Do not change what it holds: `steps.applied` makes the next draft."""

    settings: Mapping[str, Any] = field(default_factory=dict)  # the tree of board.toml, as JSON
    tables: Mapping[str, Rows] = field(default_factory=_no_tables)  # all of `tables.TABLES`
    backdrop: Mapping[str, Any] | None = None  # GeoJSON
    others: Mapping[str, str] = field(default_factory=dict)  # name → text of further files, such as weights.toml

    def __getitem__(self, table: str) -> Rows:
        """Return the rows of a table."""
        return self.tables[table]

    @property
    def backdrop_file(self) -> str:
        """The name of the file with the backdrop."""
        section = self.settings.get("map")
        name = section.get("backdrop") if isinstance(section, dict) else None
        return name if isinstance(name, str) and is_file_name(name) and name not in self.others else BACKDROP

    def files(self) -> dict[str, str]:
        """Return the folder of `docs/board_format.md`: name → text."""
        files = {RULES: rules_text(self.settings)}
        for table, rows in self.tables.items():
            if rows or is_needed(table):
                files[file_of(table)] = table_text(table, rows)
        if self.backdrop is not None:
            files[self.backdrop_file] = json.dumps(self.backdrop, separators=(",", ":")) + "\n"
        return files | {name: text for name, text in self.others.items() if name not in files}

    def as_json(self) -> JsonObject:
        """Return the draft as plain JSON; `from_json` reads it back. The order of rows is that of the lists."""
        return {
            "settings": dict(self.settings),
            "tables": {
                table: [[row, dict(cells)] for row, cells in rows.items()] for table, rows in self.tables.items()
            },
            "backdrop": self.backdrop,
            "files": dict(self.others),
        }

    @classmethod
    def from_json(cls, data: object) -> Draft:
        """Return a draft from JSON, wherever that comes from. Raise `DraftError`."""
        if not isinstance(data, dict):
            raise DraftError("a draft is an object")
        tables = data.get("tables", {})
        if not isinstance(tables, dict) or not set(tables) <= set(TABLES):
            raise DraftError(f"the tables of a draft are {', '.join(TABLES)}")
        others = data.get("files", {})
        if not isinstance(others, dict) or len(others) > MAX_FILES:
            raise DraftError(worded("a draft has at most {most} other files", most=MAX_FILES))
        return cls(
            settings=checked_settings(data.get("settings", {})),
            tables=MappingProxyType({table: _rows(table, tables.get(table, [])) for table in TABLES}),
            backdrop=checked_backdrop(data.get("backdrop")),
            others={name: checked_file(name, text) for name, text in others.items()},
        )


def packed(draft: Draft) -> str:
    """Return a draft as text. Raise `DraftError` for one that is too large."""
    text = json.dumps(draft.as_json(), ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_TEXT:
        raise DraftError(
            worded(
                "the board is too large: {count:,} characters, the limit is {most:,}",
                count=len(text),
                most=MAX_TEXT,
            )
        )
    return text


def title_of(draft: Draft) -> str:
    """Return the title of a draft in lists."""
    title = draft.settings.get("title")
    return title[:80] if isinstance(title, str) and title.strip() else UNTITLED


# ------------------------------------------------------------------------------------- what comes from outside


def _rows(table: str, data: object) -> Rows:
    if not isinstance(data, list) or len(data) > MAX_ROWS:
        raise DraftError(f"{table}: expected a list of at most {MAX_ROWS} rows")
    rows: dict[str, Cells] = {}
    for entry in data:
        if not isinstance(entry, list) or len(entry) != 2:
            raise DraftError(f"{table}: a row is its id and its cells")
        row = checked_id(entry[0])
        if row in rows:
            raise DraftError(f"{table}: row {row} twice")
        rows[row] = checked_cells(entry[1])
    return rows


def checked_id(row: object) -> str:
    """Return the id of a row, as in `c12`."""
    if not isinstance(row, str) or not _ROW_ID.fullmatch(row):
        raise DraftError("the id of a row is a small letter and at most eleven letters and digits")
    return row


def checked_cells(cells: object) -> Cells:
    """Return the cells of a row, without the empty ones."""
    if not isinstance(cells, dict) or len(cells) > MAX_COLUMNS:
        raise DraftError(f"the cells of a row are at most {MAX_COLUMNS} texts by column")
    for column, text in cells.items():
        if not column or not is_cell(column) or not is_cell(text):
            raise DraftError(worded("a cell is one line of at most {most} characters", most=MAX_CELL))
    return {column: text.strip() for column, text in cells.items() if text.strip()}


def is_cell(text: object) -> bool:
    """Return whether a text may stand in a cell: it holds no line break, and can be written as UTF-8."""
    return (
        isinstance(text, str)
        and len(text) <= MAX_CELL
        and not any(letter in text for letter in "\n\r\0")
        and is_unicode(text)
    )


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded; JSON may hold halves of letters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def checked_settings(data: Any) -> dict[str, object]:
    """Return the tree of board.toml."""
    if not isinstance(data, dict):
        raise DraftError("the settings of a draft are an object")
    return dict(checked_value(data))


def checked_value(value: object, depth: int = 0) -> Any:
    """Return a value of board.toml: texts, numbers, yes and no, lists and sections."""
    if depth > MAX_DEPTH:
        raise DraftError(worded("settings are nested at most {most} deep", most=MAX_DEPTH))
    if isinstance(value, dict):
        if len(value) > MAX_ROWS or not all(isinstance(key, str) and is_cell(key) for key in value):
            raise DraftError(worded("the keys of settings are short texts"))
        return {key: checked_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        if len(value) > MAX_ROWS:
            raise DraftError(worded("a list of settings has at most {most} entries", most=MAX_ROWS))
        return [checked_value(item, depth + 1) for item in value]
    if isinstance(value, str) and is_cell(value):
        return value
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _EXACT):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise DraftError(worded("a setting is a short text, a number, yes or no, or a list of these"))


def checked_backdrop(data: object) -> dict[str, object] | None:
    """Return the backdrop; its content is checked by `boards.backdrop`."""
    if data is not None and not isinstance(data, dict):
        raise DraftError("the backdrop is GeoJSON, an object")
    return data


def is_file_name(name: str) -> bool:
    """Return whether this may be the name of a further file of a draft."""
    return _FILE_NAME.fullmatch(name) is not None and not is_reserved(name)


def checked_file(name: object, text: object) -> str:
    """Return the text of a further file."""
    if not isinstance(name, str) or not is_file_name(name):
        raise DraftError(worded("a file has a plain name of letters, digits, dots and hyphens"))
    if not isinstance(text, str) or len(text) > MAX_TEXT or not is_unicode(text) or "\0" in text:
        raise DraftError(worded("{name} is not text, or is too large", name=name))
    return text
