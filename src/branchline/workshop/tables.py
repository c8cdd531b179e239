"""The tables of a draft: those of a board folder, and how big they may be."""

from __future__ import annotations

from branchline.boards.columns import TABLES
from branchline.boards.files import NEEDED, RULES

LETTERS = {
    "cities": "c",
    "routes": "r",
    "tickets": "t",
    "tours": "o",
    "passengers": "p",
    "exits": "e",
    "layout": "l",
    "names": "n",
}
"""Table → the letter that the ids of its rows begin with."""

BACKDROP = "map.geojson"  # where `board.toml` names no file

MAX_ROWS = 500  # of one table; a board has fewer, but one with too many must open to be mended
MAX_COLUMNS = 40
MAX_CELL = 1_000  # letters
MAX_ID = 12  # letters of a row's id
MAX_FILES = 20  # other files
MAX_DEPTH = 6  # sections in sections of `board.toml`
MAX_TEXT = 3_000_000  # letters of a whole draft as JSON


def file_of(table: str) -> str:
    """Return the file of a table."""
    return f"{table}.csv"


def table_of(file: str) -> str | None:
    """Return the table of a file, or None if it holds none."""
    name = file.removesuffix(".csv")
    return name if file.endswith(".csv") and name in TABLES else None


def is_needed(table: str) -> bool:
    """Return whether a board must have the table, even without rows."""
    return file_of(table) in NEEDED


def is_reserved(file: str) -> bool:
    """Return whether a file of this name is written by the draft itself."""
    return file == RULES or table_of(file) is not None
