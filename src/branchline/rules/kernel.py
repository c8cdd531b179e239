"""`@rule`: one source, run as plain Python or compiled.

Every function of `branchline.rules` is written in the subset of Python that Numba compiles, over flat NumPy records.
Which of the two a process does is decided in `runtime.mode`. The state bytes are the same after every action
(`tests/rules/test_interpreted.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from branchline.runtime.mode import INTERPRETED as INTERPRETED

Function = TypeVar("Function", bound=Callable[..., Any])


def _count_bits(word: int) -> int:
    return word.bit_count()


popcount: Any = _count_bits
"""How many bits of a number are set; compiled, one machine instruction."""

if not INTERPRETED:
    from branchline.runtime import compiler

    popcount = compiler.popcount


def rule(function: Function) -> Function:
    """Mark a function as a rule: compiled on its first call, or left as it is when interpreted."""
    return function if INTERPRETED else compiler.compiled(function)


def new_buffer(dtype: np.dtype[Any], count: int = 1) -> Any:
    """A buffer of `count` records of this layout, all zero."""
    return np.zeros(count, dtype=np.dtype((np.record, dtype)))


def record_in(buffer: Any) -> Any:
    """The record in a buffer of one, in the form that rules read and write.

    That is the record itself or, when interpreted, a `RecordView` of it.
    """
    return RecordView(buffer) if INTERPRETED else buffer[0]


def buffer_of(record: Any) -> Any:
    """A copy of a record, in a buffer of one."""
    if isinstance(record, RecordView):
        return record._buffer.copy()
    buffer = np.empty(1, dtype=record.dtype)
    buffer[0] = record
    return buffer


class RecordView:
    """A view of a record as plain Python integers: no silent overflow, every index is checked."""

    __slots__ = ("_buffer", "_parts", "_scalars")

    def __init__(self, buffer: Any) -> None:
        object.__setattr__(self, "_buffer", buffer)
        parts = {name: buffer[name] for name in buffer.dtype.names}
        scalars = frozenset(name for name, part in parts.items() if part.ndim == 1)
        views = {name: memoryview(part if name in scalars else part[0]) for name, part in parts.items()}
        object.__setattr__(self, "_parts", views)
        object.__setattr__(self, "_scalars", scalars)

    def __getattr__(self, name: str) -> Any:
        part = self._parts[name]
        return part[0] if name in self._scalars else part

    def __setattr__(self, name: str, number: int) -> None:
        self._parts[name][0] = number
