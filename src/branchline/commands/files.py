"""What commands read and write: text of bounded size from a file or standard input, text to a file or standard output.

Whatever is wrong with a file ends as one `CommandError` that names it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from branchline.boards import BranchlineError
from branchline.boards.faults import quoted
from branchline.boards.files import guess
from branchline.decoding import UndecodableError, decoded
from branchline.plain_data import JsonObject
from branchline.whole_file import write_whole

DASH = "-"
"""Stands for standard input or output."""

MAX_BYTES = 8_000_000


class CommandError(BranchlineError):
    """Something a command cannot do, in one clear line."""


def read_text(source: str, what: str) -> str:
    """Return the text of a file, or of standard input for `-`; `what` says what was expected there."""
    name = called(source)
    content = read_bytes(source, what)
    try:
        text = decoded(content)
    except UndecodableError as error:
        raise CommandError(f"{name}:{error.line}: {error}; expected a {what}") from None
    if not text.text.strip():
        raise CommandError(f"{name}: empty; expected a {what}")
    if text.guessed:
        print(f"branchline: {name}:{text.line}: {guess(text)}; it is read as that", file=sys.stderr)
    return text.text


def read_bytes(source: str, what: str) -> bytes:
    """Return the content of a file or standard input, of bounded size."""
    name = called(source)
    try:
        content = _read(source)
    except OSError as error:
        raise CommandError(f"{name}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a name with a zero byte, a stream that is closed
        raise CommandError(f"{name}: cannot be read: {error}") from None
    if len(content) > MAX_BYTES:
        raise CommandError(f"{name}: larger than {MAX_BYTES // 1_000_000} MB; expected a {what}")
    return content


def _read(source: str) -> bytes:
    if source == DASH:
        if sys.stdin is None:
            raise ValueError("there is no standard input")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    path = Path(source)
    if path.is_dir():
        raise ValueError("it is a folder, not a file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def read_json(source: str, what: str) -> Any:
    """Return the value that a JSON file holds; see `parse_json`."""
    return parse_json(read_text(source, what), source)


def parse_json(text: str, source: str) -> object:
    """Return the value of JSON text. Numbers beyond JSON and keys given twice are faults as well."""
    name = called(source)
    try:
        value = json.loads(text, object_pairs_hook=_table, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()  # halves of characters can be written in JSON, but not shown
    except json.JSONDecodeError as error:
        raise CommandError(f"{name}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from None
    except UnicodeEncodeError:
        raise CommandError(f"{name}: not JSON: a text contains an unpaired surrogate (\\ud800 … \\udfff)") from None
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).partition(";")[0]
        raise CommandError(f"{name}: not JSON: {reason}") from None
    return value


def _table(pairs: list[tuple[str, object]]) -> JsonObject:
    table = dict(pairs)
    if len(table) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{quoted(twice)} appears twice in one object")
    return table


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is not a number")


def write_text(target: str, text: str) -> None:
    """Put text into a file, or on standard output for `-`; UTF-8 in both."""
    write_bytes(target, text.encode())


def write_bytes(target: str, content: bytes) -> None:
    """Write bytes as `write_text` does text."""
    if target == DASH:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    try:
        file = Path(target)
        if file.exists() and not file.is_file():  # a device, or a pipe
            file.write_bytes(content)
        else:
            write_whole(file.resolve(), content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"{target}: cannot be written: {reason}") from None


def write_json(value: object) -> None:
    """Write plain data to standard output, for machines."""
    utf8 = sys.stdout.encoding.casefold().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(value, ensure_ascii=not utf8, indent=2) + "\n")


def called(source: str) -> str:
    """Return the name of a source in messages."""
    return "standard input" if source == DASH else source
