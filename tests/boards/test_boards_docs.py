"""The page on the format says what the reader reads."""

import re
from pathlib import Path
from typing import Any

import pytest
from board_files import DOCS, example, write

from branchline.boards import limits, places, read_board, routes, tickets
from branchline.boards.catalogue import builtin_boards, load_board
from branchline.boards.files import NEEDED, OPTIONAL
from branchline.boards.sections import Section

PAGE = (DOCS / "board_format.md").read_text(encoding="utf-8")


def test_the_example_is_a_board_without_faults(tmp_path: Path) -> None:
    assert tuple(example()) == NEEDED
    board = read_board(write(tmp_path, example()))
    assert (board.id, len(board.places), len(board.routes), len(board.tickets)) == ("bodensee", 8, 11, 6)


def test_every_key_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    def close(section: Section) -> None:
        if not section.name.startswith(("points", "tickets.first.deal", "tickets.later.deal")):
            asked.update(section.asked)

    monkeypatch.setattr(Section, "close", close)
    for name in builtin_boards():
        folder = load_board(name).folder
        assert folder is not None
        read_board(folder)
    assert len(asked) > 50
    for key in sorted(asked):
        assert re.search(rf"`\[?(tickets\.)?{key}\]?`", PAGE), f"{key} is not explained"


@pytest.mark.parametrize(
    "columns",
    [
        places.COLUMNS, places.LAYOUT_COLUMNS, places.PASSENGERS_COLUMNS, places.NAMES_COLUMNS,
        routes.COLUMNS, routes.EXITS_COLUMNS, tickets.COLUMNS, tickets.TOURS_COLUMNS,
    ],
)  # fmt: skip
def test_every_column_is_explained(columns: Any) -> None:
    for column in columns.known:
        assert f"`{column}`" in PAGE


def test_every_file_is_named() -> None:
    assert all(f"`{name}`" in PAGE for name in (*NEEDED, *OPTIONAL))


def test_every_limit_is_named_with_its_number() -> None:
    names = [name for name in vars(limits) if name.startswith("MAX_")]
    for name in names:
        assert re.search(rf"\| {getattr(limits, name)} \| `{name}` \|", PAGE), f"{name} is not explained"
