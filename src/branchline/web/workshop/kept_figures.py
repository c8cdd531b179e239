"""The figures of a board as JSON, whole, and back: what was played in one process is shown by all, and after a restart.

`Balance.as_dict` is for people and rounds; this keeps the very values. Connections and tickets are kept by their
numbers, since the board is kept beside the figures.
"""

from __future__ import annotations

import json
import types
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from branchline.arena.balance import Balance
from branchline.arena.balance.improve import Change, TriedChange
from branchline.arena.balance.network import Connection, Network
from branchline.boards import Board, Ticket
from branchline.plain_data import JsonObject

OF_THE_BOARD = ("board", "network")
PLAIN: dict[Any, tuple[type, ...]] = {int: (int,), float: (int, float), str: (str,), bool: (bool,)}


class KeptError(Exception):
    """What was kept is not what this version keeps."""


def as_text(balance: Balance, changes: Sequence[Change], tried: Sequence[TriedChange] | None) -> str:
    """Return figures, suggested changes, and the effect of those that were tried, as text."""
    figures = {
        field.name: _plain(getattr(balance, field.name)) for field in fields(balance) if field.name not in OF_THE_BOARD
    }
    return json.dumps({"figures": figures, "changes": _plain(tuple(changes)), "tried": _plain(tried)})


def from_text(text: str, board: Board) -> tuple[Balance, tuple[Change, ...], tuple[TriedChange, ...] | None]:
    """Return what `as_text` wrote. Raise `KeptError` where another version has written it."""
    network = Network(board)
    try:
        data = json.loads(text)
        maker = _Maker(board, network)
        known = maker.arguments(Balance, data["figures"], OF_THE_BOARD)
        changes = maker.value(tuple[Change, ...], data["changes"])
        tried = maker.value(tuple[TriedChange, ...] | None, data["tried"])
        return Balance(board=board, network=network, **known), changes, tried
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise KeptError(f"{type(error).__name__}: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Connection | Ticket):
        return value.index
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


class _Maker:
    """Makes values of the types that the dataclasses name."""

    def __init__(self, board: Board, network: Network) -> None:
        self.board = board
        self.connections = {connection.index: connection for connection in network.connections}

    def arguments(self, kind: Any, data: JsonObject, without: tuple[str, ...] = ()) -> JsonObject:
        hints = get_type_hints(kind)
        return {
            field.name: self.value(hints[field.name], data[field.name])
            for field in fields(kind)
            if field.name not in without
        }

    def value(self, kind: Any, data: Any) -> Any:
        origin, inner = get_origin(kind), get_args(kind)
        if kind is Connection:
            return self.connections[data]
        if kind is Ticket:
            return self.board.tickets[data]
        if np.ndarray in (kind, origin):  # the one of a browser says nothing of what is in it
            return np.array(data)
        if origin is types.UnionType:
            return (
                None if data is None else self.value(next(option for option in inner if option is not type(None)), data)
            )
        if origin is tuple:
            return tuple(self.value(inner[0], item) for item in data)
        if is_dataclass(kind):
            return kind(**self.arguments(kind, data))  # type: ignore[operator]
        if kind in PLAIN and not isinstance(data, PLAIN[kind]):
            raise TypeError(f"{kind.__name__} expected")
        return data
