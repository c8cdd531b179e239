"""The fingerprint of a board: equal as long as every game on it runs the same."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from typing import Any

from branchline.atlas.board import Board

WORDS = {"id", "title", "rulebook", "notes", "reconstructed", "wild_name", "aliases", "folder", "digest"}
LOOKS = {"map", "lat", "lon", "sheet", "nudge", "wraps", "end_a", "end_b"}
"""Fields that change no game. Every other field of every record counts, a new one too."""


def digest(board: Board) -> str:
    """Sixteen hexadecimal digits over all that can change a game: rules, names, order, prices, values."""
    text = json.dumps(_what_counts(board), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _what_counts(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_what_counts(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    kind: Any = type(value)
    return {name: _what_counts(getattr(value, name)) for name in _fields_that_count(kind)}


@functools.cache
def _fields_that_count(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if field.name not in WORDS | LOOKS)
