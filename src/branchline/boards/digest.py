"""The fingerprint of a board: equal as long as every game on it runs the same."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from typing import Any

from branchline.boards.board import Board, PieceRules, Place, Route, TicketRules
from branchline.boards.schema import rows_of

WORDS = {"aliases", "exonyms", "folder", "digest"}
LOOKS = {"map", "lat", "lon", "sheet", "nudge", "label", "wraps", "end_a", "end_b"}
"""Fields that change no game, as keys that do not count. Every other field of every record counts, a new one too."""

COUNTED_AT_DEFAULT = {
    Board: {"tunnel_cards", "stations", "passengers", "ports", "longest_trail", "most_tickets"},
    Place: {"port", "passengers"},
    Route: {"wilds", "pairs", "parallel", "line", "lines"},
    TicketRules: {"backs_differ"},
    PieceRules: {"fleet", "swap_price"},
}
"""Fields that count at their defaults too. A newer one counts only elsewhere, so that old digests stay as they are."""


def digest(board: Board) -> str:
    """Return sixteen hexadecimal digits over all that can change a game: rules, names, order, prices, values."""
    text = json.dumps(_what_counts(board), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _what_counts(value: object) -> object:
    if isinstance(value, tuple):
        return [_what_counts(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return value
    kind: Any = type(value)
    counted = {
        name: _what_counts(getattr(value, name))
        for name, default in _fields_that_count(kind)
        if getattr(value, name) != default
    }
    if isinstance(value, Route):  # as digests have always had it: pairs counted as one, so that they stay the same
        counted["price"] = value.price - value.pairs
    return counted


@functools.cache
def _fields_that_count(kind: Any) -> tuple[tuple[str, object], ...]:
    """Return the fields with the values at which they do not count: their defaults, if they are new."""
    silent = WORDS | LOOKS | {attribute for attribute, key in rows_of(kind) if not key.counts}
    always = COUNTED_AT_DEFAULT.get(kind, set())
    return tuple(
        (field.name, dataclasses.MISSING if field.name in always else field.default)
        for field in dataclasses.fields(kind)
        if field.name not in silent
    )


def digest_under(board: Board, rules_version: int) -> str:
    """Return the digest that this board had under these rules, as far as only the rules have changed since."""
    return digest(dataclasses.replace(board, rules_version=rules_version))
