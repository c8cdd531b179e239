"""What people bring to make a board of: a zip file, single files of a board, files of the map generator."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import PurePosixPath

from branchline.atlas.components import FILE as RULES
from branchline.atlas.faults import Fault, quoted
from branchline.atlas.limits import MAX_FILE_BYTES
from branchline.atlas.wording import worded
from branchline.workshop import map_generator
from branchline.workshop.archive import MAX_ENTRIES, ArchiveError, unpack
from branchline.workshop.draft import Draft
from branchline.workshop.reading import read_draft
from branchline.workshop.tables import BACKDROP, COLUMNS, file_of, table_of

_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_GEOJSON = (".geojson", ".json")


def opened(uploads: Mapping[str, bytes], onto: Draft | None = None, title: str = "") -> tuple[Draft, tuple[Fault, ...]]:
    """The draft in some uploaded files (name → content), as far as it goes, and everything left out, with reasons.

    Files of a board replace those of the draft `onto`, if there is one. A board of the map generator, whose files say
    none, bears the `title`, or that of its only file. Raises `ArchiveError` where there is
    nothing of a board in them. Takes up to two seconds for a board of the map generator.
    """
    if len(uploads) > MAX_ENTRIES:
        raise ArchiveError(
            worded("{count} files at once, at most {most} are possible", count=len(uploads), most=MAX_ENTRIES)
        )
    reasons: list[Fault] = []
    files: dict[str, bytes] = {}
    for path, content in uploads.items():
        name = PurePosixPath(path.replace("\\", "/")).name or "file"
        if content.startswith((_ZIP, _EMPTY_ZIP)) or name.casefold().endswith(".zip"):
            inside, left_out = unpack(content)
            files |= inside
            reasons += left_out
        else:
            files[name] = content
    texts = {name: text for name, content in files.items() if (text := _text(name, content, reasons)) is not None}
    foreign = {name: text for name, text in texts.items() if map_generator.is_one_of(name, text)}
    if foreign and RULES not in texts:
        of_the_file = PurePosixPath(next(iter(uploads))).stem if len(uploads) == 1 else ""
        draft, guessed = map_generator.read(foreign, title or of_the_file.replace("_", " "))
        return draft, (*reasons, *guessed)
    named = _named(texts, reasons)
    known = {name for name in named if name == RULES or table_of(name) or name.endswith(_GEOJSON)}
    if not known:
        raise ArchiveError(
            worded(
                "nothing of a board is in {files}: expected {file}, tables (.csv) or a zip file",
                files=_listed(files),
                file=RULES,
            )
        )
    draft, unread = read_draft(named if onto is None else _replaced(onto, named))
    return draft, (*reasons, *unread)


def _listed(files: Mapping[str, object]) -> tuple[str, ...]:
    names = [quoted(name) for name in list(files)[:3]]
    return (*names, *(["…"] if len(files) > 3 else [])) or (worded("an empty zip file"),)


def _text(name: str, content: bytes, reasons: list[Fault]) -> str | None:
    """A file as text, whatever it was written with; None where it is no text or too large."""
    if len(content) > MAX_FILE_BYTES:
        reasons.append(
            Fault(name, 0, worded("is left out: it is larger than {most} MB", most=MAX_FILE_BYTES // 1_000_000))
        )
        return None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        reasons.append(Fault(name, 0, worded("was UTF-16; it is UTF-8 from now on")))
        return content.decode("utf-16", "replace")
    if b"\0" in content:
        reasons.append(Fault(name, 0, worded("is left out: it is not text")))
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reasons.append(
            Fault(
                name,
                line,
                worded("is not UTF-8 (byte {byte}): expect wrong letters", byte=f"{content[error.start]:#04x}"),
            )
        )
        return content.decode("cp1252", "replace")


def _named(texts: Mapping[str, str], reasons: list[Fault]) -> dict[str, str]:
    """The files by the names they have in a board: tables that are called otherwise are known by their columns."""
    found: dict[str, str] = {}
    for name, text in texts.items():
        target = name
        if name.casefold().endswith(".csv") and table_of(name) is None:
            table = _table(text)
            target = file_of(table) if table and file_of(table) not in texts else name
            left_out = worded("is no table of a board: it is left out")
            reasons.append(Fault(name, 1, left_out if target == name else worded("is taken for {file}", file=target)))
            if target == name:
                continue
        elif name.endswith(_GEOJSON) and RULES not in texts:
            target = BACKDROP
        found[target] = text
    return found


def _table(text: str) -> str:
    """The table whose needed columns the first line names, most of them first; empty: none."""
    line = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    mark = max(",;\t", key=line.count)
    header = {cell.strip() for cell in next(csv.reader(io.StringIO(line[:5_000]), delimiter=mark), [])}
    fitting = [table for table, columns in COLUMNS.items() if header and header >= set(columns.needed)]
    return max(fitting, key=lambda table: len(header & set(COLUMNS[table].known)), default="")


def _replaced(onto: Draft, named: Mapping[str, str]) -> dict[str, str]:
    """The files of a draft with some of them new."""
    backdrop = {onto.backdrop_file if name == BACKDROP else name: text for name, text in named.items()}
    return {**onto.files(), **backdrop}
