"""The instances of the engine: machine code with memory of its own, one for each thread.

A call that goes on for too long is ended: a thread counts the processor time of this process in ticks.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import hashlib
import os
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from branchline.runtime.engine_file import FILE, STOP, EngineError

if TYPE_CHECKING:
    import wasmtime

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
        self._lent: dict[int, _Lent] = {}
        self._given_back: deque[_Lent] = deque()
        self._kept: OrderedDict[int, tuple[Any, int, int]] = OrderedDict()
        _instances.add(self)

    def allocate(self, size: int) -> int:
        """Return the address of so many bytes, all zero, that nobody else uses. Raise `EngineError`."""
        while self._given_back:
            lent = self._given_back.popleft()
            del self._lent[lent.at]
            self.release(lent.at, lent.size)
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
        block.instance = self  # whose memory stays as long as the block
        lent = self._lent[at] = _Lent(block, self._given_back.append)
        lent.at, lent.size = at, size
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


class _Lent(weakref.ref[Any]):
    """Tells where a block lies, when nobody sees it any more.

    No Python runs at that moment, as it would in `__del__`: Ctrl-C that arrives there is lost.
    """

    __slots__ = ("at", "size")

    at: int
    size: int


def allocated(size: int) -> Any:
    """Return so many bytes, all zero, in the memory of this thread's instance: an object with the buffer protocol."""
    return here().block(size)
