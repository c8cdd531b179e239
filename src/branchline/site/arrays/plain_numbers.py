"""What is computed with rows of numbers and with shapes, without any array."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from branchline.site.arrays.number_types import Thing

inf, nan, pi = math.inf, math.nan, math.pi


def strides_of(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Return how many bytes lie from one element to the next along each axis, for elements of `size` without gaps."""
    strides = []
    for length in reversed(shape):
        strides.append(size)
        size *= length
    return tuple(reversed(strides))


def divided(one: float, two: float) -> float:
    """Return a quotient; by zero it is infinite, or no number."""
    if two:
        return one / two
    return nan if one == 0 or one != one else math.copysign(inf, one) * math.copysign(1.0, two)


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that arrays of these shapes have together. Raise `ValueError` if there is none."""
    found: list[int] = []
    for lengths in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        wide = {length for length in lengths if length != 1}
        if len(wide) > 1:
            raise ValueError(f"operands could not be broadcast together with shapes {shapes}")
        found.append(wide.pop() if wide else 1)
    return tuple(reversed(found))


def sum_of(row: list[Thing]) -> Thing:
    """Return a sum, reals added in the order that NumPy has: pairs of halves, eight at a time."""
    if not row or not isinstance(row[0], float):
        return sum(row)
    return _pairwise(row)


def _pairwise(row: list[float]) -> float:
    count = len(row)
    if count < 8:
        total = -0.0
        for one in row:
            total += one
        return total
    if count <= 128:
        parts = row[:8]
        at = 8
        while at + 8 <= count:
            for n in range(8):
                parts[n] += row[at + n]
            at += 8
        total = ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]))
        for one in row[at:]:
            total += one
        return total
    half = count // 2
    half -= half % 8
    return _pairwise(row[:half]) + _pairwise(row[half:])


def mean_of(row: list[Thing]) -> float:
    """Return the mean of a row of numbers."""
    return divided(sum_of(row), len(row))


def variance_of(row: list[Thing], ddof: int) -> float:
    """Return the variance of a row of numbers, with `ddof` degrees of freedom taken off."""
    middle = mean_of(row)
    return divided(sum_of([(one - middle) ** 2 for one in row]), len(row) - ddof)


def safely(do: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function that gives an infinite number, or none, where `do` raises an error."""

    def safe(one: float) -> float:
        try:
            return do(one)
        except OverflowError:
            return inf
        except ValueError:
            return -inf if do is math.log and one == 0 else nan

    return safe
