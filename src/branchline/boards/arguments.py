"""What a caller passes, checked before it is used: a wrong argument ends as a `BranchlineError` in one clear line."""

from __future__ import annotations

import math
import numbers
from typing import Any, TypeVar

from branchline.boards.faults import BranchlineError, shown

Kind = TypeVar("Kind")
Refusal = type[BranchlineError]


def whole_number(name: str, value: object, least: int, most: int, refusal: Refusal) -> int:
    """Return a whole number within these bounds; NumPy's are accepted, booleans are not."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= int(value) <= most:
        raise refusal(f"{name}: expected a whole number from {_said(least)} to {_said(most)}, not {shown(value)}")
    return int(value)


def seat_number(value: object, seats: int, refusal: Refusal) -> int:
    """Return one of the seats of a table, counted from 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= int(value) < seats:
        raise refusal(f"there is no seat {shown(value)}; seats are 0 to {seats - 1}")
    return int(value)


def number(name: str, value: object, least: float, most: float, refusal: Refusal) -> float:
    """Return a number within these bounds; never infinite or NaN."""
    plain = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not plain or not least <= value <= most or not math.isfinite(value):  # type: ignore[operator,arg-type]
        raise refusal(f"{name}: expected a number from {least:g} to {most:g}, not {shown(value)}")
    return float(value)  # type: ignore[arg-type]


def text(name: str, value: object, refusal: Refusal, longest: int = 1000) -> str:
    """Return a text that is not too long."""
    if not isinstance(value, str):
        raise refusal(f"{name}: expected a text, not {shown(value)}")
    if len(value) > longest:
        raise refusal(f"{name}: expected a text of at most {longest:,} characters, not {len(value):,}")
    return value


def truth(name: str, value: object, refusal: Refusal) -> bool:
    """Return true or false, NumPy's included."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise refusal(f"{name}: expected true or false, not {shown(value)}")
    return bool(value)


def instance(name: str, value: object, kind: type[Kind], expected: str, refusal: Refusal) -> Kind:
    """Return an object of this kind; `expected` words it."""
    if not isinstance(value, kind):
        raise refusal(f"{name}: expected {expected}, not {shown(value)}")
    return value


def sequence(name: str, value: Any, expected: str, refusal: Refusal) -> tuple[Any, ...]:
    """Return the members of a list, a tuple or any other iterable except a text."""
    if isinstance(value, (str, bytes)):
        raise refusal(f"{name}: expected {expected}, not {shown(value)}")
    try:
        return tuple(value)
    except TypeError:
        raise refusal(f"{name}: expected {expected}, not {shown(value)}") from None


def _said(bound: int) -> str:
    return f"2**{bound.bit_length()} - 1" if bound > 1 << 40 else str(bound)
