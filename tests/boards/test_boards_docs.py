"""The page on the format says what the reader reads."""

import re
from pathlib import Path

from board_files import DOCS, example, write

from branchline.boards import limits, read_board
from branchline.boards.columns import TABLES
from branchline.boards.files import NEEDED, OPTIONAL
from branchline.boards.format_page import page
from branchline.boards.schema import SECTIONS

PAGE = (DOCS / "board_format.md").read_text(encoding="utf-8")


def test_the_example_is_a_board_without_faults(tmp_path: Path) -> None:
    assert tuple(example()) == NEEDED
    board = read_board(write(tmp_path, example()))
    assert (board.id, len(board.places), len(board.routes), len(board.tickets)) == ("bodensee", 8, 11, 6)


def test_the_tables_are_those_of_the_schema() -> None:
    assert page(PAGE) == PAGE, "keys or columns have changed: run `make board-page`"


def test_every_section_and_table_is_in_the_page() -> None:
    listed = set(re.findall(r"[\w.]+", " ".join(re.findall(r"<!-- (?:keys|columns): (.*) -->", PAGE))))
    assert listed == {section.path or "top" for section in SECTIONS if section.entries} | set(TABLES)


def test_every_file_is_named() -> None:
    assert all(f"`{name}`" in PAGE for name in (*NEEDED, *OPTIONAL))


def test_every_limit_is_named_with_its_number() -> None:
    names = [name for name in vars(limits) if name.startswith("MAX_")]
    for name in names:
        assert re.search(rf"\| {getattr(limits, name)} \| `{name}` \|", PAGE), f"{name} is not explained"
