"""`@rule`: one source, run as plain Python or compiled.

Every function of `branchline.rules` is written in the subset of Python that Numba compiles, over flat NumPy records.
Whether a process runs them compiled or interpreted is decided once, when this module is imported: compiled, unless
the compiled code is not there yet (`background` has it made then), or `BRANCHLINE_INTERPRET=1` or Numba's own
`NUMBA_DISABLE_JIT=1` is set, for debuggers and coverage. `BRANCHLINE_INTERPRET=0` compiles whatever is missing at its
first call. The state bytes are the same after every action (`tests/rules/test_interpreted.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from branchline.rules import code_cache

Function = TypeVar("Function", bound=Callable[..., Any])


def _asked_to_interpret() -> bool | None:
    """What the environment asks for; None: nothing."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    asked = os.environ.get("BRANCHLINE_INTERPRET", "")
    return asked != "0" if asked else None


_ASKED = _asked_to_interpret()

COLD = _ASKED is None and code_cache.folder() is not None and not code_cache.is_complete()
"""Whether this process runs interpreted because there was no compiled code when it started."""

INTERPRETED = COLD or bool(_ASKED)
"""Whether this process runs the rules as plain Python."""


def _count_bits(word: int) -> int:
    return word.bit_count()


popcount: Any = _count_bits
"""How many bits of a number are set; compiled, one machine instruction."""

if not INTERPRETED:
    from branchline.rules import compiler

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
