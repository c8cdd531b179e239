"""The fingerprint of a board: equal as long as every game on it runs the same."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from typing import Any

from branchline.boards.board import Board, Route

WORDS = {
    "id",
    "title",
    "titles",
    "rulebook",
    "notes",
    "reconstructed",
    "wild_name",
    "aliases",
    "exonyms",
    "folder",
    "digest",
}
LOOKS = {"map", "lat", "lon", "sheet", "nudge", "label", "wraps", "end_a", "end_b"}
"""Fields that change no game. Every other field of every record counts, a new one too."""

SAID_ELSEWHERE = {"kinds_apart"}  # by the numbers of the parallel sets


def digest(board: Board) -> str:
    """Sixteen hexadecimal digits over all that can change a game: rules, names, order, prices, values."""
    text = json.dumps(_what_counts(board), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _what_counts(value: object) -> object:
    if isinstance(value, tuple):
        return [_what_counts(one) for one in value]
    if not dataclasses.is_dataclass(value):
        return value
    kind: Any = type(value)
    counted = {name: _what_counts(getattr(value, name)) for name in _fields_that_count(kind)}
    if isinstance(value, Route):  # as digests have always had it: pairs counted as one, so that they stay the same
        counted["price"] = value.price - value.pairs
    return counted


@functools.cache
def _fields_that_count(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if field.name not in WORDS | LOOKS | SAID_ELSEWHERE)


def digest_under(board: Board, rules_version: int) -> str:
    """The digest that this board had under these rules, as far as only the rules have changed since."""
    return digest(dataclasses.replace(board, rules_version=rules_version))
