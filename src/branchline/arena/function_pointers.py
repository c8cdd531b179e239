"""Compiled choices in a form in which compiled code can be handed any of them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from branchline.atlas.tables import BOARD
from branchline.bots.memory import MEMORY
from branchline.rules.kernel import INTERPRETED, rule
from branchline.rules.state import SCRATCH, STATE


@functools.cache
def function_pointer(choice: Callable[..., int]) -> Any:
    """A bot's `choice` as a pointer to machine code; when interpreted, the function itself."""
    if INTERPRETED:
        return choice
    import numba
    from numba.core import types

    class Pointer(types.WrapperAddressProtocol):
        """The address of a compiled rule, in the form in which Numba's code takes functions."""

        def __init__(self, made: Any) -> None:
            """Of what was compiled, or fetched from the cache."""
            self._signature = made.signature
            self._library = made.library  # keeps the code alive
            self._address = made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)

        def __wrapper_address__(self) -> int:
            """Where it begins."""
            return int(self._address)

        def signature(self) -> Any:
            """What it takes and gives."""
            return self._signature

    arguments = (*(numba.from_dtype(layout) for layout in (BOARD, STATE, SCRATCH, MEMORY)), types.int64)
    compiled: Any = choice if hasattr(choice, "overloads") else rule(choice)
    compiled.compile(arguments)
    if compiled.overloads[arguments].signature.return_type != types.int64:  # all in a line-up must give the same
        compiled = rule(compiled.py_func)
        compiled.compile(types.int64(*arguments))
    return Pointer(compiled.overloads[arguments])


@contextmanager
def quietly() -> Iterator[None]:
    """Do without Numba's warning that handing functions to compiled code is new; it works, and is tested."""
    with warnings.catch_warnings():
        if not INTERPRETED:
            from numba.core.errors import NumbaExperimentalFeatureWarning

            warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield
