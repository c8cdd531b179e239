"""`@rule`: one source, run as plain Python or compiled.

Every function of `branchline.rules` is written in the subset of Python that Numba compiles, over flat NumPy records.
Which of the two a process does is decided in `runtime.mode`. The state bytes are the same after every action
(`tests/rules/test_interpreted.py`).
"""

from __future__ import annotations

import functools
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


def shared_rule(function: Function) -> Function:
    """The same, for a large rule that most others lead to: it is compiled once, not as a part of each of them."""
    return function if INTERPRETED else compiler.compiled(function, shared=True)


def vector_rule(function: Function) -> Function:
    """The same, for long loops over numbers: they work on several at a time."""
    return function if INTERPRETED else compiler.compiled(function, shared=True, vectors=True)


def new_buffer(dtype: np.dtype[Any], count: int = 1) -> Any:
    """A buffer of `count` records of this layout, all zero."""
    return np.ndarray(count, _records(dtype), bytearray(count * dtype.itemsize))  # ten times as quick as np.zeros


def copy_of(buffer: Any) -> Any:
    """The same records in a buffer of their own."""
    return np.ndarray(len(buffer), buffer.dtype, bytearray(buffer.tobytes()))  # and this as buffer.copy()


@functools.cache
def _records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((np.record, dtype))


def record_in(buffer: Any) -> Any:
    """The record in a buffer of one, in the form that rules read and write.

    That is the record itself or, when interpreted, a `RecordView` of it.
    """
    return RecordView(buffer) if INTERPRETED else buffer[0]


def buffer_of(record: Any) -> Any:
    """A copy of a record, in a buffer of one."""
    if isinstance(record, RecordView):
        return copy_of(record._buffer)
    return np.ndarray(1, record.dtype, bytearray(record.tobytes()))


class RecordView:
    """A view of a record as plain Python integers: no silent overflow, every index is checked."""

    __slots__ = ("_buffer", "_parts", "_scalars")

    def __init__(self, buffer: Any) -> None:
        object.__setattr__(self, "_buffer", buffer)
        object.__setattr__(self, "_parts", {})  # what has been asked for: most fields never are
        object.__setattr__(self, "_scalars", {})

    def __getattr__(self, name: str) -> Any:
        if name in self._scalars:
            return self._scalars[name][0]
        part = self._parts.get(name)
        return self._open(name) if part is None else part

    def _open(self, name: str) -> Any:
        """A field that is asked for the first time."""
        if name not in self._buffer.dtype.names:
            raise AttributeError(name)
        part = self._buffer[name]
        if part.ndim == 1:
            self._scalars[name] = memoryview(part)
            return self._scalars[name][0]
        self._parts[name] = memoryview(part[0])
        return self._parts[name]

    def __setattr__(self, name: str, number: int) -> None:
        getattr(self, name)
        self._scalars[name][0] = number
