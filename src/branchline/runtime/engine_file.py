"""The file `engine.wasm`: which entry points it has, with which arguments, and the layouts of their records."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from branchline.errors import BranchlineError

FILE = Path(__file__).with_name("engine.wasm")
SECTION = "branchline"
"""The custom section of the file in which its entry points are listed."""
STOP = "__stop"
"""The byte in its memory that ends a call when it is not zero."""

NUMBER, REAL, RECORD, ARRAY = "number", "real", "record", "array"
"""What an argument can be: int64, float64, the address of a record, the address of an array and its lengths."""


class EngineError(BranchlineError):
    """The engine is not there, or a call of it was ended: by what stood in its records, or for want of memory."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What one argument of an entry point is."""

    kind: str
    size: int = 0  # bytes of the record, or of one element
    axes: int = 0  # of an array


@dataclass(frozen=True, slots=True)
class Signature:
    """What an entry point takes, and what it gives: `NUMBER`, `REAL`, "bool" or nothing."""

    arguments: tuple[Argument, ...]
    result: str | None


def section(file: bytes, name: str) -> bytes:
    """Return the content of a custom section of a WebAssembly file. Raise `EngineError` if it has none."""
    at = 8
    while at < len(file):
        kind, at = file[at], at + 1
        size, at = number_at(file, at)
        if kind == 0:
            length, begin = number_at(file, at)
            if file[begin : begin + length].decode() == name:
                return file[begin + length : at + size]
        at += size
    raise EngineError(f"the engine file has no section {name!r}; `make engine` makes it anew")


def number_at(file: bytes, at: int) -> tuple[int, int]:
    """Return a number in LEB128 and where the next thing begins."""
    number = shift = 0
    while True:
        byte, at = file[at], at + 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


@functools.cache
def contents() -> dict[str, Any]:
    """Return what the file says of itself: its entry points, and the sources that it was made from."""
    if not FILE.is_file():
        raise EngineError(f"{FILE} is missing: `make engine` makes it")
    description: dict[str, Any] = json.loads(section(FILE.read_bytes(), SECTION))
    return description


@functools.cache
def entry_points() -> dict[str, Signature]:
    """Return all entry points by their names, such as `rules.turn.legal`."""
    return {
        name: Signature(tuple(Argument(*argument) for argument in entry["arguments"]), entry["result"])
        for name, entry in contents()["entry_points"].items()
    }
