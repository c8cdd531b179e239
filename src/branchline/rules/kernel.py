"""`@rule`: one source, run by the engine, compiled for this machine, or as plain Python.

Every function of `branchline.rules` is written in the subset of Python that Numba compiles, over flat NumPy records.
Which of the three a process does is decided in `runtime.mode`. The state bytes are the same after every action
(`tests/rules/test_interpreted.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from branchline.runtime.mode import ENGINE as ENGINE
from branchline.runtime.mode import INTERPRETED as INTERPRETED
from branchline.runtime.mode import NATIVE as NATIVE
from branchline.runtime.structs import Buffer, Layout, Struct

Function = TypeVar("Function", bound=Callable[..., Any])
Number = TypeVar("Number", bound=np.generic)
Numbers = TypeVar("Numbers", bound=np.ndarray)
Kind = TypeVar("Kind", bound=Struct)


def _count_bits(word: int) -> int:
    return word.bit_count()


popcount = _count_bits
"""How many bits of a number are set; compiled, one machine instruction."""

if NATIVE:
    from branchline.runtime import compiler

    popcount = cast(Any, compiler.popcount)
elif ENGINE:
    from branchline.runtime import engine


def rule(function: Function) -> Function:
    """Mark a function as a rule: the engine has it, it is compiled on its first call, or it runs as plain Python."""
    if NATIVE:
        return compiler.compiled(function)
    return engine.compiled(function) if ENGINE else function  # type: ignore[return-value]


def shared_rule(function: Function) -> Function:
    """Return the same function, for a large rule that most others lead to: natively compiled once, not as a part of
    each caller.
    """
    return compiler.compiled(function, shared=True) if NATIVE else rule(function)


def vector_rule(function: Function) -> Function:
    """Return the same function, for long loops over numbers: they work on several at a time."""
    return compiler.compiled(function, shared=True, vectors=True) if NATIVE else rule(function)


def _storage(size: int) -> Any:
    """Return `size` bytes, all zero, where the rules find them without copying them."""
    return engine.allocated(size) if ENGINE and size else bytearray(size)


def new_buffer(dtype: Layout[Kind], count: int = 1) -> Buffer[Kind]:
    """Return a buffer of `count` records of this layout, all zero."""
    storage = _storage(count * dtype.itemsize)
    return np.ndarray(count, _records(dtype), storage)  # type: ignore[return-value]  # ten times as quick as np.zeros


def new_array(shape: int | tuple[int, ...], dtype: type[Number]) -> npt.NDArray[Number]:
    """Return an array of numbers, all zero, where the rules find it without copying it."""
    element = np.dtype(dtype)
    return np.ndarray(shape, element, _storage(int(np.prod(shape)) * element.itemsize))


def housed(array: Numbers) -> Numbers:
    """Return the same array where the rules find it without copying it: itself, unless the engine runs them."""
    return engine.housed(array) if ENGINE else array


def unchanging(array: Numbers) -> Numbers:
    """Return the same array, which is never written to again: the engine copies it once, not for each call.

    Natively nothing changes: Numba would compile rules anew for arrays that cannot be written.
    """
    if ENGINE:
        array.flags.writeable = False
    return array


def bound(function: Any, *arguments: object) -> Callable[[], Any]:
    """Return a rule with its arguments, to be called many times. Not available where rules are interpreted."""
    return compiler.bound(function, *arguments) if NATIVE else function.bound(*arguments)


def memory_here() -> object:
    """Return what stands for the memory in which this thread's records lie: another one after a call was ended."""
    return engine.here() if ENGINE else None


def copy_of(buffer: Buffer[Kind]) -> Buffer[Kind]:
    """Return a copy of the records in a buffer of their own."""
    return _filled(buffer.dtype, len(buffer), buffer.tobytes())  # type: ignore[return-value]


def _filled(dtype: np.dtype[np.void], count: int, content: bytes) -> npt.NDArray[np.void]:
    storage = _storage(len(content))
    memoryview(storage).cast("B")[:] = content  # in one go: ctypes would copy its arrays byte by byte
    return np.ndarray(count, _records(dtype), storage)


@functools.cache
def _records(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    return np.dtype((np.record, dtype))


def record_in(buffer: Buffer[Kind]) -> Kind:
    """Return the record in a buffer of one, in the form that rules read and write.

    That is the record itself natively, and a `RecordView` of it otherwise.
    """
    return buffer[0] if NATIVE else RecordView(buffer)  # type: ignore[return-value]


def plain_record_in(buffer: Buffer[Kind]) -> Kind:
    """Return the record in a buffer of one as Python reads it quickest, however the rules are run."""
    return RecordView(buffer)  # type: ignore[return-value]


def buffer_of(record: Kind) -> Buffer[Kind]:
    """Return a copy of a record, in a buffer of one."""
    if isinstance(record, RecordView):
        return copy_of(record._buffer)
    plain = cast(np.void, record)
    return _filled(plain.dtype, 1, plain.tobytes())  # type: ignore[return-value]


class RecordView:
    """A view of a record as plain Python integers: no silent overflow, every index is checked."""

    __slots__ = ("_address", "_buffer", "_parts", "_scalars", "_size")  # address and size: see `runtime.engine`

    def __init__(self, buffer: Buffer[Any]) -> None:
        object.__setattr__(self, "_buffer", buffer)
        object.__setattr__(self, "_address", 0)
        object.__setattr__(self, "_parts", {})  # what has been asked for: most fields never are
        object.__setattr__(self, "_scalars", {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the view with a buffer of its own, as the record that it is a view of."""
        return RecordView, (copy_of(self._buffer),)

    def __getattr__(self, name: str) -> Any:
        scalar = self._scalars.get(name)
        if scalar is not None:
            return scalar[0]
        part = self._parts.get(name)
        return self._open(name) if part is None else part

    def _open(self, name: str) -> Any:
        """Return a field that is asked for the first time."""
        try:
            part = self._buffer[name]
        except ValueError:
            raise AttributeError(name) from None
        if part.ndim == 1:
            scalar = self._scalars[name] = memoryview(part)
            return scalar[0]
        opened = self._parts[name] = memoryview(part[0])
        return opened

    def __setattr__(self, name: str, number: int) -> None:
        getattr(self, name)
        self._scalars[name][0] = number
