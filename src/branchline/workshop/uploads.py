"""What people bring to make a board of: a zip file, single files of a board, files of the map generator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from branchline.boards.faults import Fault, quoted
from branchline.boards.files import RULES, guess, undecodable
from branchline.boards.limits import MAX_FILE_BYTES
from branchline.boards.places import FILE as CITIES
from branchline.boards.wording import Message, worded
from branchline.decoding import UndecodableError, decoded
from branchline.workshop import foreign_json, map_generator
from branchline.workshop.archive import MAX_ENTRIES, ArchiveError, is_ignored, unpack
from branchline.workshop.draft import Draft
from branchline.workshop.headings import split_header, table_of_headings
from branchline.workshop.outline import completed
from branchline.workshop.reading import read_draft
from branchline.workshop.tables import BACKDROP, file_of, table_of

_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_GEOJSON = (".geojson", ".json")
_TABLES = (".csv", ".tsv", ".tab")
_SPREADSHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".pdf", ".tif", ".tiff")
_PACKED = (".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz")


def opened(uploads: Mapping[str, bytes], onto: Draft | None = None, title: str = "") -> tuple[Draft, tuple[Fault, ...]]:
    """Return the draft in some uploaded files (name → content), as far as possible, and everything left out, with
    reasons.

    Files of a board replace those of the draft `onto`, if there is one. A board of the map generator, whose files say
    none, bears the `title`, or that of its only file. Raise `ArchiveError` where there is
    nothing of a board in them. Takes up to two seconds for a board of the map generator.
    """
    if len(uploads) > MAX_ENTRIES:
        raise ArchiveError(worded("{count} files at once, the limit is {most}", count=len(uploads), most=MAX_ENTRIES))
    reasons: list[Fault] = []
    files: dict[str, bytes] = {}
    for path, content in uploads.items():
        if is_ignored(path.replace("\\", "/")):
            continue
        name = PurePosixPath(path.replace("\\", "/")).name or "file"
        if name.casefold().endswith(_SPREADSHEETS):  # several of these are zip files too
            files[name] = content
        elif content.startswith((_ZIP, _EMPTY_ZIP)) or name.casefold().endswith(".zip"):
            inside, left_out = unpack(content)
            files |= inside
            reasons += left_out
        else:
            files[name] = content
    texts = _texts(files, reasons)
    sources = _named(texts, reasons)
    named = {target: texts[name] for target, name in sources.items()}
    if not any(name == RULES or table_of(name) for name in named):
        of_the_file = PurePosixPath(next(iter(uploads))).stem.replace("_", " ") if len(uploads) == 1 else ""
        if made := _foreign(texts, title or of_the_file, title, reasons):
            return made, tuple(reasons)
    with_map = {name for name in named if name.endswith(_GEOJSON)} if onto is not None else set()
    known = {name for name in named if name == RULES or table_of(name)} | with_map
    if not known:
        raise ArchiveError(_nothing(files, texts, reasons))
    if RULES not in named and onto is None:
        kept = {name: text for name, text in named.items() if name in known or name == BACKDROP}
        reasons += _left_out(texts, {*map(sources.__getitem__, kept), *_taken(reasons)})
        draft, unread = read_draft(kept)
        reasons += unread
        if not draft["cities"]:
            raise ArchiveError(_without_places(kept, files, texts, reasons))
        return completed(draft, title or _title_of(uploads), reasons), tuple(reasons)
    draft, unread = read_draft(named if onto is None else _replaced(onto, named))
    return draft, (*reasons, *unread)


def _title_of(uploads: Mapping[str, bytes]) -> str:
    """Return the name of the only file, if it is a zip file; names of tables tell nothing."""
    path = PurePosixPath(next(iter(uploads)))
    return path.stem.replace("_", " ") if len(uploads) == 1 and path.suffix.casefold() == ".zip" else ""


def _texts(files: Mapping[str, bytes], reasons: list[Fault]) -> dict[str, str]:
    return {name: text for name, content in files.items() if (text := _text(name, content, reasons)) is not None}


def _foreign(texts: Mapping[str, str], title: str, own_title: str, reasons: list[Fault]) -> Draft | None:
    """Return the board of another program in these files, or None."""
    kinds = map_generator.kinds_of(texts)
    if kinds:
        draft, guessed = map_generator.read({name: texts[name] for name in kinds}, title)
        if not draft["cities"]:
            raise ArchiveError(_nothing(texts, {}, guessed))
        reasons += (*guessed, *_left_out(texts, set(kinds)))
        return draft
    for name, text in texts.items():
        if name.casefold().endswith(".json") and foreign_json.is_board(value := foreign_json.parsed(text)):
            outline, own = foreign_json.read(name, value)
            if not outline.cities:
                raise ArchiveError(_nothing(texts, {}, outline.reasons))
            draft = outline.draft(own_title or own or title, name)
            reasons += (*outline.reasons, *_left_out(texts, {name}))
            return draft
    return None


def _left_out(texts: Mapping[str, str], used: Iterable[str]) -> list[Fault]:
    """Return a reason for each file that is no part of the board."""
    return [Fault(name, 0, worded("is left out: it is not part of a board")) for name in texts if name not in used]


def _taken(reasons: Iterable[Fault]) -> set[str]:
    """Return the files that already have a reason."""
    return {reason.file for reason in reasons if reason.line == 1}


def _nothing(files: Mapping[str, object], texts: Mapping[str, str], unread: Iterable[Fault] = ()) -> Message:
    """Return why there is no board in these files: what they are, as far as known, and what was expected."""
    expected = worded(
        "{files}: no part of a board; expected {file}, tables (.csv) or a zip file",
        files=_listed(files),
        file=RULES,
    )
    return _explained(expected, files, texts, unread)


def _without_places(
    kept: Mapping[str, str], files: Mapping[str, object], texts: Mapping[str, str], unread: Iterable[Fault]
) -> Message:
    """Return that there are no places in the tables that were kept, and why, as far as known."""
    file = CITIES if CITIES in kept else next(iter(kept))
    missing = Fault(file, 0, worded("has no places; expected a table of them, such as {file}", file=CITIES))
    return _explained(missing.text, files, texts, (one for one in unread if one.file == CITIES or one.file not in kept))


def _explained(
    expected: Message, files: Mapping[str, object], texts: Mapping[str, str], unread: Iterable[Fault]
) -> Message:
    """Return what was expected, with what the files are, and why some could not be read."""
    known_faults = [Fault(name, 0, kind) for name in files if (kind := _what_it_is(name, texts.get(name, "")))]
    known = {fault.file for fault in known_faults}
    details = tuple(fault.text for fault in (*known_faults, *(fault for fault in unread if fault.file not in known)))[
        :3
    ]
    return worded("{expected}. {said}", expected=expected, said=details) if details else expected


def _what_it_is(name: str, text: str) -> str:
    """Return what a file is that is not a board, or an empty text if that is unknown."""
    if name.casefold().endswith(_SPREADSHEETS):
        return worded("is a spreadsheet: save each of its sheets as CSV")
    if name.casefold().endswith(_PICTURES):
        return worded("is a picture: places and routes cannot be read from it")
    if name.casefold().endswith(_PACKED):
        return worded("is packed in a way that cannot be read: pack the files as a zip file")
    if not text:
        return ""
    if name.casefold().endswith((".json", ".geojson")):
        value = foreign_json.parsed(text)
        if foreign_json.is_backdrop(value):
            return worded("is the backdrop of a map; the places and routes are missing (cities.csv, routes.csv)")
        return foreign_json.what_it_is(value)
    words = {line.split()[0].casefold() for line in text.split("\n")[:20] if line.strip()}
    if {"edition", "players"} <= words:
        return worded("is a game recorded turn by turn, not a board; see `branchline notate`")
    return ""


def _listed(files: Mapping[str, object]) -> tuple[str, ...]:
    names = [quoted(name) for name in list(files)[:3]]
    return (*names, *(["…"] if len(files) > 3 else [])) or (worded("an empty zip file"),)


def _text(name: str, content: bytes, reasons: list[Fault]) -> str | None:
    """Return a file as text, whatever its encoding, or None where it is not text or too large."""
    if len(content) > MAX_FILE_BYTES:
        reasons.append(
            Fault(name, 0, worded("is left out: it is larger than {most} MB", most=MAX_FILE_BYTES // 1_000_000))
        )
        return None
    try:
        text_decoded = decoded(content)
    except UndecodableError as error:
        reasons.append(Fault(name, 0, worded("is left out: {reason}", reason=undecodable(error))))
        return None
    if text_decoded.guessed:
        reasons.append(Fault(name, text_decoded.line, worded("{guess}; it is now UTF-8", guess=guess(text_decoded))))
    elif text_decoded.encoding != "UTF-8":
        message = worded("was {encoding}; it is now UTF-8", encoding=text_decoded.encoding)
        reasons.append(Fault(name, 0, message))
    return text_decoded.text


def _named(texts: Mapping[str, str], reasons: list[Fault]) -> dict[str, str]:
    """Return the files of a board, each with the name that it came under: tables with other names are recognised by
    their columns.
    """
    small = {name: name.casefold() for name in texts}
    there = {name: small[name] for name in texts if small[name] == RULES or table_of(small[name])}
    whole = RULES in there.values()
    named: dict[str, str] = {}
    for name, text in sorted(texts.items(), key=lambda entry: there.get(entry[0]) != entry[0]):  # exact names first
        target = there.get(name, name)
        if name not in there and (small[name].endswith(_TABLES) or (not whole and small[name].endswith(".txt"))):
            headings = split_header(text)[2]
            table = table_of_headings(headings)
            if table and (len(headings) > 1 or not small[name].endswith(".txt")):
                target = file_of(table)
                if target not in named and target not in there.values():
                    reasons.append(Fault(name, 1, worded("is read as {file}", file=target)))
            elif not small[name].endswith(".txt"):
                reasons.append(Fault(name, 1, worded("is left out: it is not a table of a board")))
                continue
        elif not whole and small[name].endswith(_GEOJSON) and foreign_json.is_backdrop(foreign_json.parsed(text)):
            target = BACKDROP
        if target in named or (name not in there and target in there.values()):
            reasons.append(Fault(name, 1, worded("is left out: {file} is also there", file=target)))
            continue
        named[target] = name
    return named


def _replaced(onto: Draft, named: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a draft with some of them new."""
    backdrop = {onto.backdrop_file if name == BACKDROP else name: text for name, text in named.items()}
    return {**onto.files(), **backdrop}
