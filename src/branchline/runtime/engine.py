"""The engine: rules and bots as one WebAssembly file, made ahead of time (`branchline.engine`) and run by wasmtime.

Records lie in the memory of an *instance* and are seen from Python without copies. Each thread has an instance of its
own, so that threads compute side by side and none waits for another. What lies elsewhere is copied into it for a call,
and back if the call has changed it. The memory is given back when the last buffer on it is gone.

Nothing that the engine does can reach beyond the memory of its instance, whatever the bytes of a record say: a call
that reads elsewhere, or that goes on for too long, is ended with an `EngineError`. Within that memory a forged state
can write over other records, which is why bytes from outside are looked over first (`game.checked_state`).
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from branchline.runtime.engine_file import ARRAY, NUMBER, REAL, RECORD, Argument, Signature, entry_points
from branchline.runtime.instances import SLOT, Instance
from branchline.runtime.instances import allocated as allocated
from branchline.runtime.instances import here as here


class EntryPoint:
    """A rule that the engine has: called as the rule itself is."""

    def __init__(self, name: str, signature: Signature, rule: Callable[..., Any]) -> None:
        """Stand for a rule."""
        functools.update_wrapper(self, rule)
        self.py_func = rule
        self._name, self._signature = name, signature
        self._kinds = signature.arguments

    def __repr__(self) -> str:
        return f"<entry point {self._name} of the engine>"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run it in this thread's instance."""
        if named:
            arguments = self._in_order(arguments, named)
        leaves = arguments if len(arguments) == len(self._kinds) else tuple(_leaves(arguments))
        if len(leaves) != len(self._kinds):
            raise TypeError(f"{self._name} takes {len(self._kinds)} arguments, not {len(leaves)}")
        instance = here()
        with instance.lock:
            return self._run(instance, leaves)

    def bound(self, *arguments: Any) -> Callable[[], Any]:
        """Return the rule with its arguments, to be called many times.

        What is written must lie in the memory of this thread's instance. What is read only may lie anywhere: it is
        copied once.
        """
        leaves = tuple(_leaves(arguments))
        instance = here()
        values: list[int] = []
        copies: list[Any] = []
        for argument, leaf in zip(self._kinds, leaves, strict=True):
            if argument.kind == NUMBER:
                values += leaf, 0
                continue
            if argument.kind == REAL:
                raise TypeError(f"{self._name} cannot be bound to real numbers")
            address, buffer = self._place_of(leaf, argument), _as_array(getattr(leaf, "_buffer", leaf))
            if not instance.begin <= address < instance.end and buffer.nbytes:
                if buffer.flags.writeable:
                    raise ValueError(f"{self._name} is bound to an array outside the engine's memory")
                copies.append(housed(buffer))
                address = address_of(copies[-1])
            values += max(address - instance.begin, 0), 0
            for length in leaf.shape if argument.kind == ARRAY else ():
                values += length, 0
        count = len(values)
        kept = memoryview((ctypes.c_int64 * count)(*values)).cast("B").cast("q")

        def call(_keeping: Any = (arguments, copies)) -> Any:
            with instance.lock:
                instance.values[:count] = kept
                instance.run(self._name, count // SLOT)
                return instance.values[0] if self._signature.result == NUMBER else None

        return call

    def _place_of(self, leaf: Any, argument: Argument) -> int:
        """Return where a record or an array lies; raise `TypeError` if it is of another layout."""
        address = address_of(leaf)
        size, axes = _extent(leaf, argument)
        if size != argument.size or axes != argument.axes:
            raise TypeError(
                f"{self._name} takes {argument.kind}s of {argument.size} bytes and {argument.axes} axes, "
                f"not of {size} and {axes}"
            )
        return address

    def _in_order(self, arguments: Sequence[Any], named: dict[str, Any]) -> tuple[Any, ...]:
        import inspect

        return tuple(inspect.signature(self.py_func).bind(*arguments, **named).args)

    def _run(self, instance: Instance, leaves: Sequence[Any]) -> Any:
        values, begin, end, at = instance.values, instance.begin, instance.end, 0
        foreign: list[_Visitor] = []
        for argument, leaf in zip(self._kinds, leaves, strict=True):
            if argument.kind == NUMBER:
                values[at] = leaf
            elif argument.kind == REAL:
                instance.reals[at] = leaf
            else:
                address = self._place_of(leaf, argument)
                if begin <= address < end:
                    values[at] = address - begin
                else:
                    values[at] = _bring(instance, foreign, address, leaf, argument)
                for length in leaf.shape if argument.kind == ARRAY else ():
                    at += SLOT
                    values[at] = length
            at += SLOT
        try:
            instance.run(self._name, at // SLOT)
            result = self._signature.result
            answer: Any = None
            if result == NUMBER:
                answer = values[0]
            elif result == "bool":
                answer = bool(values[0] & 1)
            elif result == REAL:
                answer = instance.reals[0]
        finally:
            for visitor in foreign:
                visitor.leave(instance)
        return answer


class _Visitor:
    """Bytes from elsewhere, copied into an instance for one call."""

    def __init__(self, instance: Instance, address: int, size: int) -> None:
        self.address, self.size = address, size
        self.at = instance.allocate(size)
        self._before = ctypes.string_at(address, size)
        ctypes.memmove(instance.begin + self.at, self._before, size)

    def leave(self, instance: Instance) -> None:
        """Copy back what has changed, and make room."""
        now = ctypes.string_at(instance.begin + self.at, self.size)
        if now != self._before:
            ctypes.memmove(self.address, now, self.size)
        instance.release(self.at, self.size)


def _bring(instance: Instance, foreign: list[_Visitor], address: int, leaf: Any, argument: Argument) -> int:
    """Return where the bytes of an argument that lies elsewhere are for this call."""
    buffer = _as_array(getattr(leaf, "_buffer", leaf))
    size = argument.size if argument.kind == RECORD else buffer.nbytes
    if argument.kind == ARRAY and not buffer.flags.c_contiguous:
        raise ValueError("the engine takes arrays without gaps only")
    if not buffer.flags.writeable:
        return instance.copy_of(address, size, buffer)
    for visitor in foreign:
        if visitor.address <= address and address + size <= visitor.address + visitor.size:
            return visitor.at + address - visitor.address
    foreign.append(_Visitor(instance, address, size))
    return foreign[-1].at


def housed(array: Any) -> Any:
    """Return the same array in the memory of this thread's instance."""
    import numpy as np

    copy = np.ndarray(array.shape, array.dtype, allocated(array.nbytes))
    copy[...] = array
    return copy


def address_of(value: Any) -> int:
    """Return where the data of a view of a record, of a record or of an array begins; a view remembers it."""
    try:
        known: int = value._address
    except AttributeError:
        return _begin_of(_as_array(value))
    if known:
        return known
    whole = value._buffer
    begin = _begin_of(whole)
    object.__setattr__(value, "_address", begin)
    object.__setattr__(value, "_size", whole.dtype.itemsize)
    return begin


def _extent(leaf: Any, argument: Argument) -> tuple[int, int]:
    """Return the bytes of a record, or those of an element of an array and its axes."""
    if argument.kind == ARRAY:
        return leaf.itemsize, leaf.ndim
    try:
        return leaf._size, 0
    except AttributeError:
        return leaf.nbytes, 0


def _begin_of(array: Any) -> int:
    """Return the address of an array, or of a NumPy record, where it takes a hundred times as long."""
    try:
        return int(array.ctypes.data)
    except AttributeError:
        return int(array.__array_interface__["data"][0])  # describes the whole type as well


def _as_array(value: Any) -> Any:
    """Return an array as it is, and a field of a view of a record as an array on the same memory."""
    import numpy as np

    return np.asarray(value) if isinstance(value, memoryview) else value


def _leaves(arguments: Sequence[Any]) -> Iterator[Any]:
    """Yield arguments one by one, also those in named tuples."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from _leaves(argument)
        else:
            yield argument


def entry_name(rule: Callable[..., object]) -> str:
    """Return the name of a rule in the engine: its layer, its module and its own, as in `bots.planner.choose`.

    Folders between the layer and the module are left out, so that a module can move without a change for callers.
    """
    package, *places = rule.__module__.split(".")
    if package != "branchline" or len(places) < 2:  # a rule of somebody else's
        return f"{rule.__module__}.{rule.__qualname__}"
    return f"{places[0]}.{places[-1]}.{rule.__qualname__}"


def compiled(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return the engine's entry point for a rule, or the rule itself, which then runs as plain Python."""
    name = entry_name(rule)
    signature = entry_points().get(name)
    return rule if signature is None else EntryPoint(name, signature, rule)
