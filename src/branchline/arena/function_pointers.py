"""Compiled choices in a form in which compiled code can be handed any of them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from branchline.atlas.tables import BOARD
from branchline.bots.memory import MEMORY
from branchline.rules.kernel import INTERPRETED
from branchline.rules.state import SCRATCH, STATE


@functools.cache
def function_pointer(choice: Callable[..., int]) -> Any:
    """A bot's `choice` as a pointer to machine code; when interpreted, the function itself."""
    if INTERPRETED:
        return choice
    import numba
    from numba.core import types

    from branchline.runtime.compiler import kept_in_cache

    records = [numba.from_dtype(layout) for layout in (BOARD, STATE, SCRATCH, MEMORY)]
    source = getattr(choice, "py_func", choice)
    with kept_in_cache() as cache:
        return numba.cfunc(types.int64(*records, types.int64), cache=cache, error_model="numpy")(source)


@contextmanager
def quietly() -> Iterator[None]:
    """Do without Numba's warning that handing functions to compiled code is new; it works, and is tested."""
    with warnings.catch_warnings():
        if not INTERPRETED:
            from numba.core.errors import NumbaExperimentalFeatureWarning

            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield
