"""Numba, and how it is used here. Only a process that runs compiled code imports this module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import config, event
from numba.extending import intrinsic

from branchline.runtime import code_cache

Function = TypeVar("Function", bound=Callable[..., Any])

_functions: list[str] = []  # all that are marked as rules

settings: Any = config  # numba fills this module at run time


@contextmanager
def kept_in_cache() -> Iterator[bool]:
    """While this lasts, what Numba is told to cache goes to our folder; False if there is none."""
    folder = code_cache.folder()
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder or "")
    try:
        yield folder is not None
    finally:
        settings.CACHE_DIR = before


def compiled(function: Function) -> Function:
    """The same function, compiled on its first call."""
    with kept_in_cache() as cache:
        dispatcher: Any = numba.njit(cache=cache, nogil=True, error_model="numpy")(function)
    _compile_once(dispatcher)
    _functions.append(function.__name__)
    return cast(Function, dispatcher)


class _Counter(event.Listener):
    """Counts functions as they are compiled."""

    def __init__(self, report: Callable[[float], None]) -> None:
        self._report = report
        self._compiled = 0

    def on_start(self, event: Any) -> None:
        """Nothing is compiled yet."""

    def on_end(self, event: Any) -> None:
        """One more is."""
        self._compiled += 1
        self._report(min(0.99, self._compiled / max(1, len(_functions))))


@contextmanager
def counting(report: Callable[[float], None]) -> Iterator[None]:
    """While this lasts, tell `report` after each compiled function which share of them is compiled, 0 … 0.99."""
    with event.install_listener("numba:compile", _Counter(report)):
        yield


def _compile_once(dispatcher: Any) -> None:
    """Let callers hand every whole number over as 64 bits.

    Else Numba would compile a rule anew for each width in which the records keep numbers and for each number
    written out in a call; that costs a third of the first start.
    """
    template_for = dispatcher.get_call_template

    def wide(argument: Any) -> Any:
        plain = types.unliteral(argument)  # type: ignore[no-untyped-call]
        return types.int64 if isinstance(plain, types.Integer) else plain

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(wide, args)), {name: wide(argument) for name, argument in kws.items()})

    dispatcher.get_call_template = get_call_template


@intrinsic
def popcount(_typing_context: Any, _word: Any) -> Any:
    """How many bits are set; one machine instruction."""

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        count = builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type])
        return builder.call(count, arguments)

    return types.int64(types.int64), emit
