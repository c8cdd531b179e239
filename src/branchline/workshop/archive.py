"""A board folder as one zip file, both ways. What comes from outside is hostile: sizes, names, tricks with paths."""

from __future__ import annotations

import contextlib
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping

from branchline.boards.faults import BranchlineError, Fault, quoted
from branchline.boards.files import RULES
from branchline.boards.limits import MAX_FILE_BYTES
from branchline.boards.wording import FORMAT, freely, worded
from branchline.decoding import UndecodableError, decoded

MAX_PACKED = 4_000_000  # bytes of a zip file
MAX_UNPACKED = 8_000_000  # bytes of all files in it
MAX_ENTRIES = 200  # files and folders in it
SPOILT = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, NotImplementedError, RuntimeError, EOFError, OSError,
    ValueError, OverflowError, LookupError,
)  # fmt: skip
"""All that reading a damaged zip file raises, whichever way it is packed."""
_UTF8 = 0x800  # the flag of names that are UTF-8
_TABLES = (".csv", ".tsv", ".geojson", ".json", "paths.txt")
_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file knows: equal boards make equal files
_IGNORED = frozenset({"__macosx", "thumbs.db", "desktop.ini"})  # systems add them on their own


class ArchiveError(BranchlineError):
    """A zip file of which nothing can be read; the text is one clear line."""


def pack(files: Mapping[str, str], folder: str) -> bytes:
    """Return the files of a board in a folder of a zip file. The same files always make the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode())
    return content.getvalue()


def unpack(content: bytes) -> tuple[dict[str, bytes], tuple[Fault, ...]]:
    """Return the files of the only board in a zip file, without their folder, and what was left out and why.

    Raise `ArchiveError` where it is no zip file, is too large or holds too much, or several boards.
    """
    if len(content) > MAX_PACKED:
        raise ArchiveError(worded("the zip file is larger than {most} MB", most=MAX_PACKED // 1_000_000))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _files(archive)
    except SPOILT as error:
        raise ArchiveError(
            worded("not a zip file, or a damaged one ({reason})", reason=freely(str(error), FORMAT))
        ) from None


def _files(archive: zipfile.ZipFile) -> tuple[dict[str, bytes], tuple[Fault, ...]]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise ArchiveError(
            worded("{count} files in the zip file, the limit is {most}", count=len(entries), most=MAX_ENTRIES)
        )
    entries = [_named(one) for one in entries]
    entries = [one for one in entries if not one.is_dir() and not is_ignored(one.filename)]
    if sum(one.file_size for one in entries) > MAX_UNPACKED:
        raise ArchiveError(
            worded("the files in the zip file are larger than {most} MB together", most=MAX_UNPACKED // 1_000_000)
        )
    home = _home([one.filename for one in entries])
    found: dict[str, bytes] = {}
    reasons: list[Fault] = []
    for entry in entries:
        name = entry.filename.removeprefix(home)
        reason = _refused(entry, name, home, found)
        if not reason:
            try:
                found[name] = _read(archive, entry)
            except ArchiveError as error:
                reason = error.message
        if reason:
            reasons.append(Fault(quoted(entry.filename), 0, reason))
    return found, tuple(reasons)


def _home(names: list[str]) -> str:
    """Return the folder with the board: that of `board.toml`, or the one in which all files lie."""
    homes = sorted({name[: -len(RULES)] for name in names if name.split("/")[-1].casefold() == RULES})
    if len(homes) > 1:
        raise ArchiveError(
            worded(
                "{count} boards in one zip file: {known}",
                count=len(homes),
                known=tuple(quoted(home) for home in homes[:3]),
            )
        )
    if homes:
        return homes[0]
    folders = {name.rpartition("/")[0] for name in names}
    if len(folders) > 1:  # the one with tables, where only others hold what is beside them
        folders = {name.rpartition("/")[0] for name in names if name.casefold().endswith(_TABLES)} or folders
    highest = min((folder.count("/") + bool(folder) for folder in folders), default=0)
    folders = {folder for folder in folders if folder.count("/") + bool(folder) == highest}
    if len(folders) > 1:
        known = tuple(quoted(f"{folder}/") for folder in sorted(folders)[:3])
        raise ArchiveError(worded("the files lie in several folders: {known}; put them into one", known=known))
    return f"{folders.pop()}/" if folders and "" not in folders else ""


def _named(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return the entry with its path as it was meant: some programs of Windows write backslashes, others a code page.

    Links and absolute paths stay as they are, to be refused.
    """
    name = entry.filename
    if not entry.flag_bits & _UTF8:
        with contextlib.suppress(UnicodeEncodeError, UndecodableError):
            name = decoded(name.encode("cp437"), dos=True).text
    entry.filename = name.replace("\\", "/")
    return entry


def is_ignored(path: str) -> bool:
    """Return whether a system or a program has put a file there on its own: a hidden one, the mark of an open one."""
    parts = path.casefold().split("/")
    hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    return hidden or not _IGNORED.isdisjoint(parts) or parts[-1].startswith("~$")


def _refused(entry: zipfile.ZipInfo, name: str, home: str, found: Mapping[str, bytes]) -> str:
    """Return why a file is left out, or an empty text."""
    if ".." in entry.filename.split("/") or entry.filename.startswith("/") or ":" in name:
        return worded("is left out: its path leads outside the folder")
    if not entry.filename.startswith(home) or "/" in name:
        return worded("is left out: it is not in the folder of the board")
    if (entry.external_attr >> 16) & 0o170000 == 0o120000:
        return worded("is left out: it is a link")
    if entry.flag_bits & 1:
        return worded("is left out: it is encrypted")
    if name in found:
        return worded("is left out: another file has the same name")
    if entry.file_size > MAX_FILE_BYTES:
        return worded("is left out: it is larger than {most} MB", most=MAX_FILE_BYTES // 1_000_000)
    return ""


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return what a file holds; never more than it has declared, whatever is packed into it."""
    try:
        with archive.open(entry) as file:
            content = file.read(entry.file_size + 1)
    except SPOILT as error:
        raise ArchiveError(worded("is left out: it is damaged ({reason})", reason=freely(str(error), FORMAT))) from None
    if len(content) > entry.file_size:
        raise ArchiveError(worded("is left out: it is larger than the zip file says"))
    return content
