"""The files of a board folder as text. Whatever a file holds, it ends as text or as a fault."""

from __future__ import annotations

import difflib
import unicodedata
from pathlib import Path

from branchline.boards.faults import FaultList, did_you_mean, quoted
from branchline.boards.limits import MAX_FILE_BYTES
from branchline.boards.wording import CLOSED, Message, freely, worded
from branchline.decoding import Decoded, UndecodableError, decoded

RULES = "board.toml"
NEEDED = (RULES, "cities.csv", "routes.csv", "tickets.csv")
OPTIONAL = ("tours.csv", "passengers.csv", "exits.csv", "layout.csv", "names.csv")


def check_file_names(folder: Path, faults: FaultList) -> None:
    """Check the names of files: a misspelled optional file would simply not be read. Other files may lie there."""
    there = [file.name for file in folder.iterdir() if file.is_file()]
    for name in there:
        near = difflib.get_close_matches(name, OPTIONAL, n=1, cutoff=0.8)
        if near and name not in (*NEEDED, *OPTIONAL) and near[0] not in there:
            faults.add(name, 0, worded("is ignored (did you mean {near}?)", near=quoted(near[0])))


def read_text(folder: Path, name: str, faults: FaultList, *, optional: bool = False) -> str | None:
    """Return the file as text with accents composed, or None if there is no such file or it is not readable text."""
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
    try:
        text_decoded = decoded(content)
    except UndecodableError as error:
        faults.add(name, error.line, undecodable(error))
        return None
    if text_decoded.guessed:  # a guess may be wrong, and a board must not change with it
        faults.add(name, text_decoded.line, worded("{guess}; save it as UTF-8", guess=guess(text_decoded)))
        return None
    text = text_decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        faults.add(name, text.count("\n", 0, text.index("\0")) + 1, worded("is not text: it contains a zero byte"))
        return None
    return unicodedata.normalize("NFC", text)  # some systems store é as e and an accent


def undecodable(error: UndecodableError) -> Message:
    """Return why a file is not text, worded to follow its name."""
    if error.encoding:
        return worded("starts as {encoding} but is damaged; save it as UTF-8", encoding=error.encoding)
    if error.byte:
        return worded("is not UTF-8 (byte {byte}); save it as UTF-8", byte=error.byte)
    return worded("is not text: it contains a zero byte")


def guess(text_decoded: Decoded) -> Message:
    """Return what a file seems to be encoded in, and words by which to judge that, worded to follow its name."""
    words = tuple(quoted(word) for word in text_decoded.words)
    return worded(
        "is not UTF-8 (byte {byte}) but probably {encoding}, as in {words}",
        byte=text_decoded.byte,
        encoding=text_decoded.encoding,
        words=words,
    )
