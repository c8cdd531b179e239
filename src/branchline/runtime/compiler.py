"""Numba, and how it is used here. Only a process that runs native code, or makes the engine, imports this module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from branchline.runtime import OURS, code_cache
from branchline.runtime.mode import say_untried
from branchline.runtime.wide_numbers import call_with_wide_numbers, wide

TESTED = ((0, 61), (0, 69))
"""Versions of Numba from the first up to, but not including, the second."""

VERSION = tuple(int(part) for part in numba.__version__.split(".")[:2])

SUPPORTED = TESTED[0] <= VERSION < TESTED[1]
"""Whether this version is known to have what `whole_program` builds on; without that, compiling takes much longer."""

SHARES = SUPPORTED and VERSION >= (0, 63)
"""Whether it also remembers what else must be loaded before compiled code, as `shared_code` needs."""

if SUPPORTED:
    from branchline.runtime import records, shared_code, whole_program
else:
    say_untried("Numba", numba.__version__)

Function = TypeVar("Function", bound=Callable[..., Any])

settings: Any = config  # numba fills this module at run time

if SUPPORTED:
    records.hand_over_addresses()


@contextmanager
def kept_in_cache() -> Iterator[bool]:
    """Let Numba cache in our folder while this lasts; yield False if there is none."""
    folder = code_cache.folder()
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder or "")
    try:
        yield folder is not None
    finally:
        settings.CACHE_DIR = before


def compiled(function: Function, *, shared: bool = False, vectors: bool = False) -> Function:
    """Return the same function, compiled on its first call.

    `shared`: other compiled code jumps to it, see `shared_code`. `vectors`: its loops work on several numbers at a
    time, if it is shared or an entry point.
    """
    how: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if SUPPORTED:
        how["_nrt"] = not function.__module__.startswith(OURS)  # count references; ours allocate nothing
        how["pipeline_class"] = whole_program.EntryPoint
        if shared and SHARES:
            shared_code.RULES.add(function)
        if vectors:
            whole_program.VECTORS.add(function)
    with kept_in_cache() as cache:
        dispatcher: Any = numba.njit(cache=cache, **how)(function)
    if SUPPORTED:
        _keep_if_there_is_room(dispatcher._cache)
        whole_program.call_parts(dispatcher)
    else:
        call_with_wide_numbers(dispatcher)
    return cast(Function, dispatcher)


def bound(function: Any, *arguments: Any) -> Callable[[], Any]:
    """Return a compiled function with its arguments, to be called many times.

    Numba looks at the types of all arguments in every call, which takes longer than most calls; here it does so once.
    """
    types_of_all = tuple(wide(numba.typeof(argument)) for argument in arguments)
    function.compile(types_of_all)
    return partial(function.overloads[types_of_all].entry_point, *arguments)


def _keep_if_there_is_room(cache: Any) -> None:
    """Let what cannot be written to the cache be used all the same; Numba would stop there."""
    save = cache.save_overload

    def save_overload(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as failure:
            code_cache.failure = failure

    cache.save_overload = save_overload


@intrinsic
def popcount(_typing_context: object, _word: types.Type) -> Any:
    """Return how many bits are set, by one machine instruction."""

    def emit(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        count = builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type])
        return builder.call(count, arguments)

    return types.int64(types.int64), emit
