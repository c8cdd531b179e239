"""Numba's compiler for GPUs, and how it is used here. Only a process that runs kernels imports this module.

A kernel is compiled with all the rules that it calls. NVIDIA's compiler would put each of them wherever it is called,
twenty deep; that takes many minutes. Here small rules are put into their callers, and the large ones are called.

This builds on classes inside numba-cuda. A version that has not been tried compiles in its own way, which is said once:
it takes longer, and the games are the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any

try:
    from numba import cuda as cuda
except ImportError:
    from branchline.runtime.mode import need_numba

    need_numba("playing on a GPU")
    raise
from numba.core import config
from numba.core.dispatcher import Dispatcher

from branchline.runtime import code_cache
from branchline.runtime.mode import say_untried
from branchline.runtime.wide_numbers import call_with_wide_numbers

TESTED = ((0, 30), (0, 31))
"""Versions of numba-cuda from the first up to, but not including, the second."""

SMALL = 2500  # instructions, before anything is optimised, of a rule that becomes a part of its callers
REGISTERS = 128  # of a thread: with more, a multiprocessor of 65,536 registers could not take on 512 threads at a time


def version() -> tuple[int, ...]:
    """Return the version of numba-cuda; empty where it is not installed."""
    with suppress(metadata.PackageNotFoundError, ValueError):
        return tuple(int(part) for part in metadata.version("numba-cuda").split(".")[:2])
    return ()


SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether Numba's simulator stands in for a GPU."""

SUPPORTED = not SIMULATED and TESTED[0] <= version() < TESTED[1]
"""Whether this version is known to have what this module builds on."""

if not SUPPORTED and not SIMULATED and version():
    say_untried("numba-cuda", metadata.version("numba-cuda"))


def kernel(function: Callable[..., Any]) -> Any:
    """Return a kernel, compiled when it is first called with such arguments and kept on disk for later processes."""
    if not SUPPORTED:
        return cuda.jit(function)
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(code_cache.folder() or "")
    try:
        return cuda.jit(function, cache=bool(settings.CACHE_DIR), max_registers=REGISTERS, lto=False)
    finally:
        settings.CACHE_DIR = before


_started: list[Callable[[], None]] = []  # what to call before a rule is compiled


@contextmanager
def telling(report: Callable[[str], None], name: str) -> Iterator[None]:
    """Tell that a kernel is being compiled, if this happens meanwhile, and at the end how long it took."""
    began = 0.0

    def start() -> None:
        nonlocal began
        if not began:
            began = time.monotonic()
            report(f"compiling `{name}` for this GPU, once; this can take a minute …")

    _started.append(start)
    try:
        yield
    finally:
        _started.pop()
    if began:
        report(f"compiled `{name}` in {time.monotonic() - began:.0f} s")


if SUPPORTED:
    from numba.cuda.codegen import CUDACodeLibrary
    from numba.cuda.core import config as settings
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.dispatcher import CUDADispatcher

    _parts: dict[Any, CUDADispatcher] = {}
    _sizes: dict[str, int] = {}  # of what becomes a part of its callers
    _type_of = cuda_target.typing_context.resolve_value_type

    class _Part(CUDADispatcher):
        """A rule as kernels call it."""

        def compile_device(self, arguments: Any, return_type: Any = None) -> Any:
            """Compile it for such arguments, and say whether it becomes a part of its callers."""
            known = arguments in self.overloads
            for start in () if known else _started:
                start()
            compiled = super().compile_device(arguments, return_type)
            if not known:
                function = compiled.library.get_function(compiled.fndesc.llvm_func_name)
                size = _size(function)
                if size <= SMALL:
                    _sizes[function.name] = size
                function.attributes.add("alwaysinline" if size <= SMALL else "noinline")
            return compiled

    def _size(function: Any) -> int:
        """Return how many instructions a function has, together with those that become parts of it."""
        instructions = [instruction for block in function.blocks for instruction in block.instructions]
        called = (instruction.callee.name for instruction in instructions if instruction.opname == "call")
        return len(instructions) + sum(_sizes.get(name, 0) for name in called)

    def _type_with_parts(value: Any) -> Any:
        """Return the type of a global name in compiled code; a rule for the processor stands for its part."""
        if isinstance(value, Dispatcher) and not isinstance(value, CUDADispatcher):
            if value not in _parts:
                _parts[value] = _Part(
                    value.py_func, value.targetoptions | {"device": True, "debug": False, "opt": True}
                )
                call_with_wide_numbers(_parts[value])
            value = _parts[value]
        return _type_of(value)

    def _each_once(library: Any) -> list[Any]:
        """Return the code that a library brings along, in the order in which it is found."""
        modules = {id(library._module): library._module}
        for other in library._linking_libraries:
            modules |= {id(module): module for module in other.modules}
        return list(modules.values())

    cuda_target.typing_context.resolve_value_type = _type_with_parts
    CUDACodeLibrary.modules = property(_each_once)  # numba-cuda lists a module again for each way that leads to it
