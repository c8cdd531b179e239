"""Boards by name: the five editions, and the folders of `BRANCHLINE_BOARDS`."""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

from branchline.boards.board import Board
from branchline.boards.faults import FaultList, UnknownBoard, did_you_mean, listed, quoted, shown
from branchline.boards.files import RULES
from branchline.boards.folder import read_board
from branchline.boards.limits import ID
from branchline.boards.sections import read_sections

BUILTIN = Path(__file__).parent / "editions"
SEARCH_PATH = "BRANCHLINE_BOARDS"


def load_board(name_or_path: str | os.PathLike[str]) -> Board:
    """Load a board by its name, such as `europe`, or by the path of its folder.

    Raise `UnknownName` if there is no board with this name, and `BoardError` if the folder cannot be read.
    """
    if isinstance(name_or_path, os.PathLike):
        return read_board(name_or_path)
    if not isinstance(name_or_path, str):
        raise UnknownBoard(f"expected the name of a board or the path of its folder, not {shown(name_or_path)}")
    name = name_or_path.strip()
    wanted = name.casefold()
    if wanted in builtin_boards():
        return _builtin(wanted)
    custom = custom_boards()
    if wanted in custom:
        return read_board(custom[wanted])
    if _is_path(name):
        return read_board(name)
    known = (*builtin_boards(), *custom)
    near = did_you_mean(name, known) or f"; there are {listed(known)}"
    raise UnknownBoard(f"unknown board {quoted(name)}{near}")


def as_board(board: Board | str | os.PathLike[str]) -> Board:
    """Return a board that is given as such, by its name or by its folder. Raise what `load_board` does."""
    return board if isinstance(board, Board) else load_board(board)


@functools.cache
def builtin_boards() -> tuple[str, ...]:
    """Return the names of the editions that come with branchline."""
    return tuple(_boards_in(BUILTIN))


def custom_boards() -> dict[str, Path]:
    """Return the boards found in `BRANCHLINE_BOARDS`, name → folder; of equal names the first counts.

    A board's name is its `id`, as records store it, whatever its folder is called. If an edition already has that id,
    the name is that of the folder.
    """
    boards_by_name: dict[str, Path] = {}
    for folder in os.environ.get(SEARCH_PATH, "").split(os.pathsep):
        if folder:
            for board in _boards_in(Path(folder)).values():
                name = _id_of(board)
                boards_by_name.setdefault(board.name.casefold() if name in builtin_boards() else name, board)
    return boards_by_name


def _id_of(folder: Path) -> str:
    """Return the id in the board's files, or the name of the folder where they are unreadable."""
    top = read_sections(folder, RULES, FaultList())
    id_ = top.entries.get("id") if top is not None else None
    return id_ if isinstance(id_, str) and re.fullmatch(ID, id_) else folder.name.casefold()


@functools.cache
def _builtin(name: str) -> Board:
    return read_board(BUILTIN / name)


def _boards_in(folder: Path) -> dict[str, Path]:
    try:
        return {path.name.casefold(): path for path in sorted(folder.iterdir()) if (path / RULES).is_file()}
    except OSError:  # a search path may name folders that are not there
        return {}


def _is_path(name: str) -> bool:
    if any(mark and mark in name for mark in (os.sep, os.altsep, "\0")) or name in ("", ".", ".."):
        return True
    try:
        return Path(name).is_dir()
    except OSError:
        return False
