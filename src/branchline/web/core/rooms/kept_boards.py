"""The boards that rooms are played on, as they were when the games began: somebody may edit the folder meanwhile.

The files of a board are kept in the store under the board's digest, once for all rooms. A room whose board is no longer
the one of that name is played on with the files that were kept.

A board of the workshop is in no folder. Rooms know it by its id and a mark of all its files (`bodensee@2f0c…`), because
two boards that play alike, and so have the same digest, may look different.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from branchline.boards import Board, BoardError, BranchlineError, read_board
from branchline.boards.catalogue import builtin_boards
from branchline.boards.files import NEEDED, OPTIONAL
from branchline.decoding import UndecodableError, decoded
from branchline.plain_data import JsonObject
from branchline.web.core.caches import BOARD, MEGABYTE, kept
from branchline.web.core.rooms.boards import board_by_name
from branchline.web.core.store.database import Store

log = logging.getLogger("branchline.boards")

MOST = 16_000_000  # letters of all files of a board; those of the editions have up to 200,000
MARK = "@"  # in the names of boards of the workshop; no id has it
_KEPT: set[tuple[str, str]] = set()  # process of a store and digest: known to be kept


class OnBoard(Protocol):
    """The row of a room, or of anything else that has a board."""

    @property
    def id(self) -> str:
        """Its own id."""

    @property
    def board(self) -> str:
        """What it calls its board."""

    @property
    def digest(self) -> str:
        """Of the board when it began."""


def keep(store: Store, board: Board, name: str = "") -> None:
    """Keep the files of a board, if they are still those that it was read from. `name`: what the room calls it."""
    if (store.process, board.digest) in _KEPT or MARK in name:
        return
    files = _files(board)
    if files is None or _digest_of(board, files) != board.digest:
        if store.board(board.digest) is None:
            log.warning("board %s has changed while a game was set up: its files are not kept", board.id)
        return
    store.keep_board(board.digest, json.dumps(files, ensure_ascii=False, separators=(",", ":")))
    _KEPT.add((store.process, board.digest))


@dataclass(frozen=True)
class MadeBoard:
    """A board that is in no folder, ready to be kept and played on."""

    board: Board
    name: str  # what rooms call it
    key: str  # under which its files are kept
    files: str  # JSON: name of a file → its text


def made_of(files: dict[str, str], backdrop: str) -> MadeBoard:
    """Return the board in these files, without keeping it. Raise `BoardError`."""
    wanted = {name: files[name] for name in (*NEEDED, *OPTIONAL, backdrop) if name in files}
    text = json.dumps(wanted, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    with tempfile.TemporaryDirectory(prefix="branchline-board-") as folder:
        board = _read(Path(folder) / "board", wanted)
    name, key = f"{board.id}{MARK}{mark}", f"{board.digest}{MARK}{mark}"
    return MadeBoard(_kept(key, name, text), name, key, text)


def here(made: MadeBoard) -> Board:
    """Return the board with its folder in this process, wherever it was made."""
    return _kept(made.key, made.name, made.files)


def handed_over(board: Board) -> JsonObject | None:
    """Return a board as JSON for a program elsewhere: its name where it is an edition, or else its files; None where
    these are no longer readable.
    """
    if board.id in builtin_boards() and board_by_name(board.id).digest == board.digest:
        return {"name": board.id}
    files = _files(board)
    return None if files is None else {"name": board.id, "digest": board.digest, "files": files}


def taken_over(data: JsonObject) -> Board:
    """Return the board that `handed_over` wrote. Raise `BoardError`."""
    if "files" not in data:
        return board_by_name(data["name"])
    return _kept(data["digest"], data["name"], json.dumps(data["files"], ensure_ascii=False))


def keep_made(store: Store, board_made: MadeBoard) -> None:
    """Keep the files of a board of the workshop, once for all rooms."""
    if store.board(board_made.key) is None:
        store.keep_board(board_made.key, board_made.files)


def board_of(store: Store, row: OnBoard) -> Board | None:
    """Return the board that a room is played on, or None if neither it nor its files are available."""
    if MARK in row.board:
        return _of_the_workshop(store, row)
    today = _today(row.board)
    if today is not None and today.digest == row.digest:
        keep(store, today)  # of a room that was begun before boards were kept
        return today
    files = store.board(row.digest)
    if files is None:
        if today is not None:
            log.warning("room %s: board %s has changed, and its files were not kept", row.id, row.board)
        return today
    try:
        return _kept(row.digest, row.board, files)
    except (BranchlineError, ValueError) as error:
        log.warning("room %s: the board that was kept cannot be read: %s", row.id, error)
        return today


def _of_the_workshop(store: Store, row: OnBoard) -> Board | None:
    key = f"{row.digest}{MARK}{row.board.rpartition(MARK)[2]}"
    files = store.board(key)
    try:
        return None if files is None else _kept(key, row.board, files)
    except (BranchlineError, ValueError) as error:
        log.warning("room %s: the board that was kept cannot be read: %s", row.id, error)
        return None


def _today(name: str) -> Board | None:
    try:
        return board_by_name(name)
    except BranchlineError:
        return None


def _files(board: Board) -> dict[str, str] | None:
    """Return the files of a board's folder, or None if they are no longer readable."""
    names = {*NEEDED, *OPTIONAL, Path(str(board.map.get("backdrop", ""))).name} - {""}
    contents = {}
    try:
        assert board.folder is not None
        for name in sorted(names):
            if (board.folder / name).is_file():
                contents[name] = decoded((board.folder / name).read_bytes()).text
    except (OSError, UndecodableError):
        return None
    return contents if sum(map(len, contents.values())) <= MOST else None


def _digest_of(board: Board, files: dict[str, str]) -> str:
    """Return the digest of the board in these files."""
    with tempfile.TemporaryDirectory(prefix="branchline-board-") as folder:
        try:
            return _read(Path(folder) / board.id, files).digest
        except BoardError:
            return ""


@kept("boards", 16 * MEGABYTE, lambda _: BOARD)
def _kept(digest: str, name: str, files: str) -> Board:
    """Return a board from the files that were kept under a digest.

    Its folder stays as long as the board, because a backdrop is read when it is drawn.
    """
    with contextlib.ExitStack() as unless_read:
        folder = unless_read.enter_context(tempfile.TemporaryDirectory(dir=_folder().name))
        board = _read(Path(folder) / Path(name).name, json.loads(files))
        weakref.finalize(board, unless_read.pop_all().close)
        return board


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder in which they lie as long as this process runs."""
    return tempfile.TemporaryDirectory(prefix="branchline-boards-")


def _read(folder: Path, files: dict[str, str]) -> Board:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / Path(name).name).write_text(text, encoding="utf-8")
    return read_board(folder)
