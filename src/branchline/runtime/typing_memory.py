"""Numba works some things out again wherever they occur, though they are always the same; here they are remembered.

These are the types of operators on plain numbers, for each of which it would try a dozen ways, and the comparison of
settings, which it does at each of these tries. That is half of the time that finding types takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.compiler import Flags
from numba.core.registry import cpu_target

PLAIN = (types.Integer, types.IntegerLiteral, types.Boolean, types.BooleanLiteral, types.Float)


class _Settings(Flags):
    """How a function is compiled: one object for all that are equal, and never changed."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def copy(self) -> _Settings:
        """Return a copy of these settings."""
        return self


_known: dict[str, _Settings] = {}


def settings(flags: Any) -> Any:
    """Return the same settings, quick to compare."""
    return _known.setdefault(repr(flags), _Settings(flags))


def remember_operators(wanted: Callable[[], bool]) -> None:
    """Type each operator or function of Python's own on plain numbers only once, while this is `wanted`."""
    context: Any = cpu_target.typing_context
    resolve, known = context.resolve_function_type, {}

    def resolve_function_type(func: Any, args: Any, kws: Any) -> Any:
        if (
            not wanted()
            or kws
            or not isinstance(func, types.Function)
            or not all(type(argument) in PLAIN for argument in args)
        ):
            return resolve(func, args, kws)
        key = func, tuple(args)
        if key not in known:
            known[key] = resolve(func, args, kws)
        return known[key]

    context.resolve_function_type = resolve_function_type
