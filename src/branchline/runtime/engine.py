"""The engine: rules and bots as one WebAssembly file, made ahead of time (`branchline.engine`) and run by wasmtime.

Records lie in the memory of an *instance* and are seen from Python without copies. Each thread has an instance of its
own, so that threads compute side by side and none waits for another. What lies elsewhere is copied into it for a call,
and back if the call has changed it. The memory is given back when the last buffer on it is gone.

Nothing that the engine does can reach beyond the memory of its instance, whatever the bytes of a record say: a call
that reads elsewhere, or that goes on for too long, is ended with an `EngineError`. Within that memory a forged state
can write over other records, which is why bytes from outside are looked over first (`game.checked_state`).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import json
import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from branchline.errors import BranchlineError

if TYPE_CHECKING:
    import wasmtime

FILE = Path(__file__).with_name("engine.wasm")
SECTION = "branchline"
"""The custom section of the file in which its entry points are listed."""
STOP = "__stop"
"""The byte in its memory that ends a call when it is not zero."""

NUMBER, REAL, RECORD, ARRAY = "number", "real", "record", "array"
"""What an argument can be: int64, float64, the address of a record, the address of an array and its lengths."""

MOST_MEMORY = 1 << 30  # bytes that one instance may have
KEPT = 32  # read-only records of others, such as boards and networks, of which an instance keeps copies
GRAIN = 64  # bytes: what is allocated is a multiple of it
PAGE = 1 << 16  # bytes by which WebAssembly counts memory
SLOT = 2  # places of eight bytes that one argument takes in wasmtime's raw values
MOST_ARGUMENTS = 256  # of an entry point, each length of an array counted

TICK = 0.25  # seconds of this process's processor time by which the deadlines of calls are counted
PATIENCE = 30.0  # such seconds that a call may take, all threads counted; those that play many games may take any
UNLIMITED = frozenset(
    {
        "arena.play.play_games", "arena.play.play_random_games", "arena.watching.play_watched_games",
        "envs.batch.work", "envs.data_set.record_games", "envs.seat_batch.work", "rules.playout.play_many",
    }
)  # fmt: skip
EVER = 1 << 40  # ticks


class EngineError(BranchlineError):
    """The engine is not there, or a call of it was ended: by what stood in its records, or for want of memory."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What one argument of an entry point is."""

    kind: str
    size: int = 0  # bytes of the record, or of one element
    axes: int = 0  # of an array


@dataclass(frozen=True, slots=True)
class Signature:
    """What an entry point takes, and what it gives: `NUMBER`, `REAL`, "bool" or nothing."""

    arguments: tuple[Argument, ...]
    result: str | None


# ------------------------------------------------------------------------------------------------ the file


def section(file: bytes, name: str) -> bytes:
    """Return the content of a custom section of a WebAssembly file. Raise `EngineError` if it has none."""
    at = 8
    while at < len(file):
        kind, at = file[at], at + 1
        size, at = number_at(file, at)
        if kind == 0:
            length, begin = number_at(file, at)
            if file[begin : begin + length].decode() == name:
                return file[begin + length : at + size]
        at += size
    raise EngineError(f"the engine file has no section {name!r}; `make engine` makes it anew")


def number_at(file: bytes, at: int) -> tuple[int, int]:
    """Return a number in LEB128 and where the next thing begins."""
    number = shift = 0
    while True:
        byte, at = file[at], at + 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


@functools.cache
def contents() -> dict[str, Any]:
    """Return what the file says of itself: its entry points, and the sources that it was made from."""
    if not FILE.is_file():
        raise EngineError(f"{FILE} is missing: `make engine` makes it")
    description: dict[str, Any] = json.loads(section(FILE.read_bytes(), SECTION))
    return description


@functools.cache
def entry_points() -> dict[str, Signature]:
    """Return all entry points by their names, such as `rules.turn.legal`."""
    return {
        name: Signature(tuple(Argument(*argument) for argument in entry["arguments"]), entry["result"])
        for name, entry in contents()["entry_points"].items()
    }


@functools.cache
def _module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    """Return the file as machine code: kept from an earlier start, or made now, in a third of a second."""
    try:
        import wasmtime
    except ImportError:
        raise EngineError("the engine needs wasmtime: pip install 'wasmtime>=50,<60'") from None

    from branchline.cache import cache_folder
    from branchline.whole_file import write_whole

    settings = wasmtime.Config()
    settings.cranelift_opt_level = "speed"
    engine = wasmtime.Engine(settings)
    _keep_time()
    file = FILE.read_bytes()
    folder = cache_folder("engine")
    if folder is None:
        return engine, wasmtime.Module(engine, file)
    kept = folder / f"{hashlib.sha256(file + _version().encode()).hexdigest()[:24]}.cwasm"
    if kept.is_file():
        try:
            return engine, wasmtime.Module.deserialize_file(engine, str(kept))
        except wasmtime.WasmtimeError:  # of another processor, or cut off: it is made again
            pass
    module = wasmtime.Module(engine, file)
    with contextlib.suppress(OSError):  # as on a full disk: next time it is made again
        write_whole(kept, bytes(module.serialize()), lasting=False)
    return engine, module


_ticks = 0


def _keep_time() -> None:
    """Tick for about each `TICK` of processor time, in a thread of its own: also in a process that this one forks."""

    def tick() -> None:
        global _ticks
        ticked = time.process_time()
        while True:
            time.sleep(TICK)
            now = time.process_time()
            if (
                now - ticked >= TICK
            ):  # never two ticks at once, however late this thread is: they might meet a short call
                _ticks += 1
                ticked = now
                with contextlib.suppress(RuntimeError):  # another thread is beginning: the next tick sees to the rest
                    for instance in _instances:
                        if instance.deadline <= _ticks:  # no other thread can come between this and what follows
                            instance.stop[0] = 1

    def begin() -> None:
        threading.Thread(target=tick, name="branchline-engine-clock", daemon=True).start()

    begin()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin)


def _version() -> str:
    from importlib import metadata

    return metadata.version("wasmtime")


# ------------------------------------------------------------------------------------------------ instances


class Instance:
    """A copy of the engine with memory of its own; one thread at a time computes in it."""

    def __init__(self) -> None:
        """Begin with empty memory."""
        engine, module = _module()
        import wasmtime
        from wasmtime import _ffi as ffi

        self._ffi = ffi
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=MOST_MEMORY)
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = cast("wasmtime.Memory", self._exports["memory"])
        self._stack = cast("wasmtime.Global", self._exports["__stack_pointer"])
        self._stack_begin = self._stack.value(self._store)
        self._context = self._store._context()
        self._functions: dict[str, Any] = {}
        self._raw = (ctypes.c_int64 * (SLOT * MOST_ARGUMENTS))()
        self._raw_address = ctypes.cast(self._raw, ctypes.POINTER(ffi.wasmtime_val_raw_t))
        self.values = memoryview(self._raw).cast("B").cast("q")
        self.reals = memoryview(self._raw).cast("B").cast("d")
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        self.lock = threading.RLock()  # what is bound may be called by any thread
        self.spoilt = False  # by a call that was ended
        self.begin = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        stop = cast("wasmtime.Global", self._exports[STOP])
        flag = ctypes.c_uint8.from_address(self.begin + int(stop.value(self._store)))
        self.stop = memoryview(flag).cast("B")
        self.deadline = EVER  # the tick at which the call that runs is ended
        heap = cast("wasmtime.Global", self._exports["__heap_base"])
        self._top = -(-int(heap.value(self._store)) // GRAIN) * GRAIN
        self._size = self._memory.data_len(self._store)
        self.end = self.begin + MOST_MEMORY
        self._free: dict[int, list[int]] = {}
        self._kept: OrderedDict[int, tuple[Any, int, int]] = OrderedDict()
        _instances.add(self)

    def allocate(self, size: int) -> int:
        """Return the address of so many bytes, all zero, that nobody else uses. Raise `EngineError`."""
        size = _rounded(size)
        free = self._free.get(size)
        if free:
            at = free.pop()
            ctypes.memset(self.begin + at, 0, size)
            return at
        at = self._top
        if at + size > self._size:
            self._grow(at + size)
        self._top += size
        return at

    def block(self, size: int) -> Any:
        """Return so many bytes, all zero, as an object with the buffer protocol that gives them back when it goes."""
        at = self.allocate(size)
        block: Any = (ctypes.c_char * size).from_address(self.begin + at)
        block.block = _Block(self, at, size)
        return block

    def release(self, at: int, size: int) -> None:
        """Take back what was allocated. Any thread may call this."""
        self._free.setdefault(_rounded(size), []).append(at)

    def _grow(self, size: int) -> None:
        import wasmtime

        pages = max(-(-(size - self._size) // PAGE), 16)
        try:
            with self.lock:
                self._memory.grow(self._store, pages)
        except wasmtime.WasmtimeError as error:
            raise EngineError(
                f"the engine has no memory left: {size:,} of {MOST_MEMORY:,} bytes are asked for"
            ) from error
        self._size += pages * PAGE

    def copy_of(self, address: int, size: int, owner: Any) -> int:
        """Return where a copy of read-only bytes lies, kept for the next calls."""
        kept = self._kept.get(address)
        if kept is not None and kept[2] == size:
            self._kept.move_to_end(address)
            return kept[1]
        at = self.allocate(size)
        ctypes.memmove(self.begin + at, address, size)
        self._kept[address] = owner, at, size
        while len(self._kept) > KEPT:
            _, (_, old, old_size) = self._kept.popitem(last=False)
            self.release(old, old_size)
        return at

    def run(self, name: str, count: int) -> None:
        """Call an entry point with the first `count` of `values`; its result is the first of them then."""
        function = self._functions.get(name)
        if function is None:
            export: Any = self._exports[name]
            function = self._functions[name] = ctypes.pointer(export._func)
        self.stop[0] = 0
        # The first tick may come at once.
        self.deadline = EVER if name in UNLIMITED else _ticks + int(PATIENCE / TICK) + 1
        error = self._ffi.wasmtime_func_call_unchecked(
            self._context, function, self._raw_address, max(count, 1), ctypes.byref(self._trap)
        )
        self.deadline = EVER
        if error or self._trap:
            self._complain(name, error)

    def _complain(self, name: str, error: Any) -> None:
        """Raise what ended a call.

        What made it go wrong may have written elsewhere in this memory: the instance gets no new records, and those of
        others, such as boards, are copied into it anew.
        """
        import wasmtime

        self._stack.set_value(self._store, self._stack_begin)
        self.spoilt = True
        self._kept.clear()
        if self._trap:
            failure: Any = wasmtime.Trap._from_ptr(self._trap)
            self._trap = ctypes.POINTER(self._ffi.wasm_trap_t)()
        else:
            failure = wasmtime.WasmtimeError._from_ptr(error)
        reason = str(failure).strip().splitlines()[-1].strip()
        if self.stop[0]:
            reason = f"it took more than {PATIENCE:g} s of processor time"
        raise EngineError(f"{name} was ended by the engine: {reason}")


@functools.lru_cache(1 << 12)
def _rounded(size: int) -> int:
    """Return how much is allocated for so many bytes: of few sizes, so that what is given back fits what comes."""
    step = max(1 << max(size - 1, 0).bit_length() >> 3, GRAIN)
    return max(-(-size // step), 1) * step


_instances: weakref.WeakSet[Instance] = weakref.WeakSet()
_own = threading.local()
new_instance: Callable[[], Instance] = Instance
"""Makes an instance; in a browser it is another one (`lodged_engine`)."""


@atexit.register
def _let_lie() -> None:
    """Leave what wasmtime holds to the end of the process: taken down by Python, it complains."""
    kept = [instance._store for instance in tuple(_instances)]
    for value in (*kept, *(_module() if _module.cache_info().currsize else ())):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def here() -> Instance:
    """Return the instance of this thread."""
    instance: Instance | None = getattr(_own, "instance", None)
    if instance is None or instance.spoilt:
        instance = _own.instance = new_instance()
    return instance


class _Block:
    """Keeps a piece of an instance's memory until nobody sees it any more."""

    __slots__ = ("_at", "_instance", "_size")

    def __init__(self, instance: Instance, at: int, size: int) -> None:
        self._instance, self._at, self._size = instance, at, size

    def __del__(self) -> None:
        self._instance.release(self._at, self._size)


def allocated(size: int) -> Any:
    """Return so many bytes, all zero, in the memory of this thread's instance: an object with the buffer protocol."""
    return here().block(size)


# ------------------------------------------------------------------------------------------------ calls


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
        return value._address  # type: ignore[no-any-return]
    except AttributeError:
        whole = getattr(value, "_buffer", None)
        begin = _begin_of(_as_array(value if whole is None else whole))
        if whole is not None:
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
