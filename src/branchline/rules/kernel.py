"""`@rule`: one source, run as plain Python or compiled.

Every function of `branchline.rules` is written in the subset of Python that Numba compiles, over flat NumPy
records. Compiled is the normal way. With `BRANCHLINE_INTERPRET=1` (or Numba's own `NUMBA_DISABLE_JIT=1`) in
the environment the same functions run as they stand, for debuggers and coverage; the state bytes are the same
after every action (`tests/rules/test_interpreted.py`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.extending import intrinsic

from branchline.cache import cache_folder

settings: Any = config  # numba fills this module at run time

INTERPRETED = os.environ.get("BRANCHLINE_INTERPRET", "0") not in ("", "0") or bool(settings.DISABLE_JIT)

Function = TypeVar("Function", bound=Callable[..., Any])


def _sources() -> str:
    """A name for exactly these sources and this compiler.

    Numba looks at the file of the called function only; a change in a function it calls would go unnoticed.
    """
    package = Path(__file__).parent.parent
    said = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for floor in ("atlas", "rules", "bots", "arena"):
        for source in sorted((package / floor).glob("*.py")):
            said.update(source.read_bytes())
    return said.hexdigest()[:16]


CACHE_FOLDER = "" if INTERPRETED else str(cache_folder(_sources()) or "")


def compiled_before() -> bool:
    """Whether compiled code of these sources is kept, so that the first call need not compile."""
    return INTERPRETED or (bool(CACHE_FOLDER) and any(Path(CACHE_FOLDER).rglob("*.nbc")))


@contextmanager
def kept_in_cache() -> Iterator[bool]:
    """While this lasts, what Numba is told to cache goes to our folder; False if there is none."""
    before, settings.CACHE_DIR = settings.CACHE_DIR, CACHE_FOLDER
    try:
        yield bool(CACHE_FOLDER)
    finally:
        settings.CACHE_DIR = before


def rule(function: Function) -> Function:
    """Mark a function as part of the law: compiled on its first call, or left as it is when interpreted."""
    if INTERPRETED:
        return function
    with kept_in_cache() as cache:
        compiled: Any = numba.njit(cache=cache, nogil=True, error_model="numpy")(function)
    _compile_once(compiled)
    return cast(Function, compiled)


def _compile_once(compiled: Any) -> None:
    """Let callers hand every whole number over as 64 bits.

    Else Numba would compile a rule anew for each width in which the records keep numbers and for each number
    written out in a call; that costs a third of the first start.
    """
    template_for = compiled.get_call_template

    def wide(argument: Any) -> Any:
        plain = types.unliteral(argument)  # type: ignore[no-untyped-call]
        return types.int64 if isinstance(plain, types.Integer) else plain

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(wide, args)), {name: wide(argument) for name, argument in kws.items()})

    compiled.get_call_template = get_call_template


if INTERPRETED:

    def popcount(word: int) -> int:
        """How many bits are set."""
        return word.bit_count()

else:

    @intrinsic
    def popcount(_typing_context: Any, _word: Any) -> Any:
        """How many bits are set; one machine instruction."""

        def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            count = builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type])
            return builder.call(count, arguments)

        return types.int64(types.int64), emit


def fresh(dtype: np.dtype[Any], count: int = 1) -> Any:
    """`count` empty records of this layout."""
    return np.zeros(count, dtype=np.dtype((np.record, dtype)))


def opened(box: Any) -> Any:
    """The record in a box of one, in the form the rules read and write.

    That is the record itself, or, when interpreted, a `Plain` view of it.
    """
    return Plain(box) if INTERPRETED else box[0]


def boxed(record: Any) -> Any:
    """A copy of an opened record, in a box of one."""
    if isinstance(record, Plain):
        return record._box.copy()
    box = np.empty(1, dtype=record.dtype)
    box[0] = record
    return box


class Plain:
    """A record seen through plain Python integers: nothing wraps around unseen, every index is checked."""

    __slots__ = ("_box", "_parts", "_scalars")

    def __init__(self, box: Any) -> None:
        object.__setattr__(self, "_box", box)
        parts = {name: box[name] for name in box.dtype.names}
        scalars = frozenset(name for name, part in parts.items() if part.ndim == 1)
        views = {name: memoryview(part if name in scalars else part[0]) for name, part in parts.items()}
        object.__setattr__(self, "_parts", views)
        object.__setattr__(self, "_scalars", scalars)

    def __getattr__(self, name: str) -> Any:
        part = self._parts[name]
        return part[0] if name in self._scalars else part

    def __setattr__(self, name: str, number: int) -> None:
        self._parts[name][0] = number
