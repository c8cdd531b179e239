"""The layouts of the records that the engine works on, and the numbers in them, for whoever is not Python.

Both stand in the engine file, section `branchline`, and in `docs/engine.md`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, TypedDict

import numpy as np

from branchline.arena import choosers, play, watching
from branchline.boards import tables
from branchline.bots.api import memory
from branchline.bots.networks import policy
from branchline.bots.search import trials
from branchline.engine.entry_points import ArrayOf, EntryPoint, Kind
from branchline.rules import laying, state
from branchline.runtime.structs import Layout, Struct

LAYOUTS: dict[str, Layout[Any]] = {
    "board": tables.BOARD,
    "state": state.STATE,
    "scratch": state.SCRATCH,
    "memory": memory.MEMORY,
    "game": play.GAME,
    "tally": watching.TALLY,
    "trials": trials.NOTES,
    "considered": policy.NOTES,
}
"""All of them, by the names that they have outside."""

STRUCTS: dict[str, type[Struct]] = {
    "board": tables.BoardTables,
    "state": state.State,
    "scratch": state.Scratch,
    "memory": memory.Memory,
    "game": play.GameRow,
    "tally": watching.Tally,
    "trials": trials.Trials,
    "considered": policy.Considered,
}
"""The classes that declare them, with a comment on most fields."""

Field = tuple[str | int, ...]
"""A type of numbers such as "int16", the offset in bytes, and the lengths of the axes, if it is an array."""


class Description(TypedDict):
    """The size of a layout in bytes, and its fields."""

    size: int
    fields: dict[str, Field]


def described(layout: Layout[Any]) -> Description:
    """Return the size of a layout and its fields."""
    return {"size": layout.itemsize, "fields": {name: _field(layout, name) for name in layout.names or ()}}


def _field(layout: Layout[Any], name: str) -> Field:
    kind, offset = layout.fields[name][:2]  # type: ignore[index]
    return (kind.base.name, offset, *kind.shape)


def numbers() -> dict[str, dict[str, int]]:
    """Return the numbers that stand in records, by their names: kinds of cards, owners, questions, actions, bots."""
    return {
        "tables": _stated_in(tables),
        "state": _stated_in(state),
        "laying": {name: vars(laying)[name] for name in laying.PROBLEMS},
        "bots": {name: n for n, name in enumerate(bots())},
    }


def _stated_in(module: ModuleType) -> dict[str, int]:
    names = (name for name in vars(module) if name.isupper() and not name.startswith("_"))
    return {name: vars(module)[name] for name in names if isinstance(vars(module)[name], int)}


def bots() -> list[str]:
    """Return what the loops over games call the bots that they can be handed, in the order of their numbers."""
    return [
        choice.__module__.rpartition(".")[2] if choice.__name__ == "choose" else choice.__name__.removeprefix("choose_")
        for choice in choosers.BUILT_IN
    ]


def parameters(entry: EntryPoint) -> Iterator[tuple[str, str]]:
    """Yield the name of every argument of an entry point in the plain interface, and what it is."""
    function = getattr(entry.rule, "py_func", entry.rule)
    names = list(inspect.signature(function).parameters)
    for name, kind in zip(names, entry.kinds, strict=True):
        yield from _leaves(name, kind)


def _leaves(name: str, kind: Kind) -> Iterator[tuple[str, str]]:
    if isinstance(kind, tuple):
        for field, part in zip(kind[0]._fields, kind[1], strict=True):
            yield from _leaves(f"{name}.{field}", part)
    elif isinstance(kind, ArrayOf):
        axes = f", {kind.axes} axes" if kind.axes > 1 else ""
        yield name, f"array of {_called(np.dtype(kind.of))}{axes}"
    else:
        yield name, {int: "i64", float: "f64"}.get(kind) or _called(kind)


def _called(layout: np.dtype[np.generic]) -> str:
    """Return what a layout is called outside, or the type of numbers that it is."""
    return next((name for name, known in LAYOUTS.items() if known == layout), layout.name)
