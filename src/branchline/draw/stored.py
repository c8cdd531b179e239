"""Layouts on disk: those that come with branchline, and those kept in the user's cache.

A file is named by a digest of all that decides the layout, the sources that work it out included (without their
docstrings and comments), so it never has to be compared with anything. It is compressed JSON, read with suspicion: a
file that is damaged, too large, or does not say exactly what a layout of this board can say counts as missing.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import json
import os
import re
import tempfile
import types
import typing
import zlib
from dataclasses import fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from branchline.boards.backdrop import KINDS
from branchline.boards.board import Board
from branchline.cache import cache_folder
from branchline.draw.geometry import COAST, Layout

SHIPPED = Path(__file__).parent / "layouts"
"""The layouts of the boards that come with branchline; `python -m branchline.draw` makes them."""

SOURCES = (
    "arranging",
    "bending",
    "curves",
    "geometry",
    "labels",
    "legend",
    "lettering",
    "projection",
    "scenery",
    "signs",
    "sizes",
    "stored",
    "tracks",
)
"""The modules of `draw` that decide a layout and how it is written."""

_MOST_FILES = 50  # in the cache; a layout takes about 50 kB
_MOST_BYTES = 8_000_000  # of a layout as JSON; a large one has 300,000
_FILE_NAME = re.compile(r"[0-9a-f]{32}\.json\.gz(\.\w+\.part)?")
_PATH_DATA = re.compile(r"[Mlz0-9 .e+-]*")
_WORDS = re.compile(rb'^ *"""(?s:.*?)"""\n|^ *(?:#.*)?\n| {2}#.*$', re.MULTILINE)  # docstrings, comments, empty lines
_ANCHORS = ("start", "middle", "end")
_TABLES = ("length", "price")


class _NotALayoutError(ValueError):
    """The file holds something else."""


def drawn(board: Board) -> tuple[object, ...]:
    """Return all that a layout shows of a board; the backdrop is in a file of its own."""
    return (board.places, board.routes, repr(board.map), board.points, board.subway_points, board.title)


def backdrop_stamp(board: Board) -> object:
    """Return a value that changes when the file of the backdrop does."""
    file = _backdrop(board)
    if file is None:
        return None
    try:
        stat = file.stat()
    except (OSError, ValueError):
        return str(file)
    return str(file), stat.st_mtime_ns, stat.st_size


def _backdrop(board: Board) -> Path | None:
    name = board.map.get("backdrop")
    return board.folder / str(name) if name and board.folder is not None else None


def digest(board: Board) -> str:
    """Return thirty-two hexadecimal digits over all that decides the layout of a board.

    Raise `OSError` where the backdrop cannot be read.
    """
    hashed = hashlib.sha256(_sources())
    hashed.update(repr(drawn(board)).encode())
    file = _backdrop(board)
    if file is not None and file.is_file():
        hashed.update(_shapes(_text(file)))
    return hashed.hexdigest()[:32]


@functools.cache
def _sources() -> bytes:
    here = Path(__file__).parent
    return b"".join(_code(here / f"{name}.py") for name in SOURCES)


def _code(file: Path) -> bytes:
    """Return a source without the words that decide no layout: docstrings, comments and empty lines."""
    return _WORDS.sub(b"", _text(file))


def _text(file: Path) -> bytes:
    """Return the text of a file, the same on all systems."""
    return file.read_bytes().replace(b"\r\n", b"\n")


def _shapes(backdrop: bytes) -> bytes:
    """Return a backdrop, the same however its file is written: with blanks, numbers and keys in their usual form."""
    try:
        return json.dumps(json.loads(backdrop), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return backdrop


# ------------------------------------------------------------------------------------------------ files


def found(board: Board) -> Layout | None:
    """Return the layout of a board from disk, or None if there is none."""
    try:
        name = _file_name(board)
        shipped = SHIPPED / name
        if shipped.is_file():
            return _read(shipped, board)
        folder = cache_folder("layouts")
        file = folder / name if folder else None
        if file is None or not file.is_file():
            return None
        layout = _read(file, board)
        with contextlib.suppress(OSError):
            os.utime(file)  # the ones used last are kept
        return layout
    except (OSError, EOFError, zlib.error, ValueError, RecursionError):
        return None


def keep(board: Board, layout: Layout) -> None:
    """Put a layout into the user's cache, if there is room for it; old ones go."""
    with contextlib.suppress(OSError):
        folder = cache_folder("layouts")
        if folder is not None:
            write(board, layout, folder)
            _thin_out(folder)


def write(board: Board, layout: Layout, folder: Path) -> Path:
    """Write a layout into a folder, whole or not at all; its file."""
    text = json.dumps(_plain(layout), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    file = folder / _file_name(board)
    with tempfile.NamedTemporaryFile(dir=folder, prefix=f"{file.name}.", suffix=".part", delete=False) as part:
        try:
            part.write(gzip.compress(text.encode(), mtime=0))
            part.close()
            Path(part.name).chmod(0o644)
            Path(part.name).replace(file)
        except BaseException:
            Path(part.name).unlink()
            raise
    return file


def _file_name(board: Board) -> str:
    return f"{digest(board)}.json.gz"


def _read(file: Path, board: Board) -> Layout:
    with gzip.open(file) as content:
        text = content.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        raise _NotALayoutError("too large")
    layout: Layout = _reader(Layout)(json.loads(text))
    _check(layout, board)
    return layout


def _thin_out(folder: Path) -> None:
    """Delete the oldest layouts, by last use, beyond the limit; files of others are left alone."""
    own = [(file.stat().st_mtime, file) for file in folder.iterdir() if _FILE_NAME.fullmatch(file.name)]
    for _, file in sorted(own, reverse=True)[_MOST_FILES:]:
        file.unlink(missing_ok=True)


# ------------------------------------------------------------------------------------------------ records as JSON


def _plain(value: Any) -> Any:
    """Return a record as the list of its fields."""
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


@functools.cache
def _reader(kind: Any) -> Any:
    """Return a function that turns what JSON holds into exactly this type, or raises."""
    if isinstance(kind, type) and is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        parts = [_reader(hints[field.name]) for field in fields(kind)]
        return lambda value: kind(*_each(parts, value))
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and inner[-1] is Ellipsis:
        read_part = _reader(inner[0])
        return lambda value: tuple([read_part(part) for part in _of(list, value)])
    if origin is tuple:
        parts = [_reader(part) for part in inner]
        return lambda value: tuple(_each(parts, value))
    if origin is dict:
        assert inner == (str, str)
        return lambda value: {key: _of(str, item) for key, item in _of(dict, value).items()}
    if origin is types.UnionType:
        (read_value,) = (_reader(part) for part in inner if part is not types.NoneType)
        return lambda value: None if value is None else read_value(value)
    assert kind in (int, float, str, bool)
    return functools.partial(_of, kind)


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind or (type(value) is float and not isfinite(value)):
        raise _NotALayoutError(f"not {kind.__name__}")
    return value


def _each(readers: list[Any], values: Any) -> list[Any]:
    if type(values) is not list or len(values) != len(readers):
        raise _NotALayoutError("of another shape")
    return [read(value) for read, value in zip(readers, values, strict=True)]


def _check(layout: Layout, board: Board) -> None:
    """Check that a layout is one of this board and holds no text that could be anything but a drawing.

    Raise otherwise.
    """
    places, paths = range(len(board.places)), layout.scenery.paths
    tables = layout.legend.tables if layout.legend else ()
    sound = (
        len(layout.sheet.places) == len(board.places)
        and [track.route for track in layout.tracks] == [route.index for route in board.routes]
        and all(label.place in places and label.anchor in _ANCHORS for label in layout.labels)
        and all(" ".join(label.lines) == board.places[label.place].name for label in layout.labels)
        and all(sign.place in places for sign in layout.signs)
        and all(place in places for place, _ in layout.exits)
        and all(table.what in _TABLES for table in tables)
        and all(kind in (*KINDS, COAST) for kind in paths)
        and (COAST in paths) == layout.scenery.sea
        and all(_PATH_DATA.fullmatch(path) for path in (*paths.values(), layout.scenery.net))
    )
    if not sound:
        raise _NotALayoutError("of another board")
