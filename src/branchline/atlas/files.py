"""The files of a board folder as text. Whatever a file holds, it ends as text or as a fault."""

from __future__ import annotations

import difflib
import unicodedata
from pathlib import Path

from branchline.atlas.faults import FaultList, did_you_mean, quoted
from branchline.atlas.limits import MAX_FILE_BYTES
from branchline.atlas.wording import CLOSED, freely, worded

NEEDED = ("board.toml", "cities.csv", "routes.csv", "tickets.csv")
OPTIONAL = ("tours.csv", "passengers.csv", "exits.csv", "layout.csv", "names.csv")


def check_file_names(folder: Path, faults: FaultList) -> None:
    """A misspelled optional file would simply not be read: better to say so. Other files may lie there."""
    there = [file.name for file in folder.iterdir() if file.is_file()]
    for name in there:
        near = difflib.get_close_matches(name, OPTIONAL, n=1, cutoff=0.8)
        if near and name not in (*NEEDED, *OPTIONAL) and near[0] not in there:
            faults.add(name, 0, worded("is not read (did you mean {near}?)", near=quoted(near[0])))


def read_text(folder: Path, name: str, faults: FaultList, *, optional: bool = False) -> str | None:
    """The file as text with accents composed, or None if there is no such file or it is not readable text."""
    path = folder / name
    if optional and not path.exists():
        return None
    if not path.exists():
        others = {file.name for file in folder.iterdir() if file.is_file()}.difference(NEEDED, OPTIONAL)
        faults.add(name, 0, worded("the file is missing{near}", near=did_you_mean(name, sorted(others))))
        return None
    if not path.is_file():
        faults.add(name, 0, worded("is not a file"))
        return None
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        faults.add(name, 0, worded("cannot be read: {reason}", reason=freely(error.strerror or str(error), CLOSED)))
        return None
    if len(content) > MAX_FILE_BYTES:
        faults.add(name, 0, worded("is larger than {most} MB", most=MAX_FILE_BYTES // 1_000_000))
        return None
    return _decoded(content, name, faults)


def _decoded(content: bytes, name: str, faults: FaultList) -> str | None:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        faults.add(name, 0, worded("is UTF-16; save it as UTF-8"))
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        faults.add(
            name, line, worded("is not UTF-8 (byte {byte}); save it as UTF-8", byte=f"{content[error.start]:#04x}")
        )
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        faults.add(name, text.count("\n", 0, text.index("\0")) + 1, worded("is not text: it holds a zero byte"))
        return None
    return unicodedata.normalize("NFC", text)  # some systems store é as e and an accent
