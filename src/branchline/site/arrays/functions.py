"""Functions of every element, and of all elements together."""

from __future__ import annotations

import builtins
import math
import struct
from collections.abc import Callable

from branchline.site.arrays.array_type import array, asarray, elementwise, maximum, minimum, ndarray, spread
from branchline.site.arrays.joining import stack
from branchline.site.arrays.number_types import BOOL, FLOAT, Thing, float64
from branchline.site.arrays.plain_numbers import safely


def _real_function(do: Callable[[float], float]) -> Callable[..., Thing]:
    def function(thing: Thing) -> Thing:
        if not isinstance(thing, (ndarray, list, tuple)):
            return safely(do)(float(thing))
        found = asarray(thing)
        return found._each(safely(do), found.dtype if found.dtype.kind == "f" else FLOAT)

    return function


sqrt, exp, log, log10 = map(_real_function, (math.sqrt, math.exp, math.log, math.log10))
sin, cos, tan, arcsinh, radians, degrees = map(
    _real_function, (math.sin, math.cos, math.tan, math.asinh, math.radians, math.degrees)
)
ceil = _real_function(lambda one: float(math.ceil(one)))
floor = _real_function(lambda one: float(math.floor(one)))
log1p, expm1, tanh = map(_real_function, (math.log1p, math.expm1, math.tanh))
hypot = elementwise(math.hypot, FLOAT)
arctan2 = elementwise(math.atan2, FLOAT)
logical_and, logical_or = (
    elementwise(lambda one, two: bool(one and two), BOOL),
    elementwise(lambda one, two: bool(one or two), BOOL),
)


def clip(thing: Thing, least: Thing, most: Thing) -> Thing:
    """Return numbers, brought between two bounds."""
    return minimum(maximum(thing, least), most)


def abs(thing: Thing) -> Thing:
    """Return numbers without their sign."""
    return builtins.abs(thing if not isinstance(thing, (list, tuple)) else asarray(thing))


absolute = abs


def sign(thing: Thing) -> Thing:
    """Return the signs of numbers."""
    return asarray(thing)._each(lambda one: (one > 0) - (one < 0))


def square(thing: Thing) -> Thing:
    """Return the squares of numbers."""
    return thing * thing if isinstance(thing, (int, float, ndarray)) else asarray(thing) * asarray(thing)


def round(thing: Thing, digits: int = 0) -> Thing:
    """Return numbers rounded, halves to the even one."""
    return thing.round(digits) if isinstance(thing, ndarray) else builtins.round(thing, digits)


def isfinite(thing: Thing) -> Thing:
    """Return whether numbers are finite."""
    return asarray(thing)._each(math.isfinite, BOOL) if isinstance(thing, (ndarray, list)) else math.isfinite(thing)


def isnan(thing: Thing) -> Thing:
    """Return whether numbers are none."""
    return asarray(thing)._each(lambda one: one != one, BOOL) if isinstance(thing, (ndarray, list)) else thing != thing


def _method(name: str) -> Callable[..., Thing]:
    def function(thing: Thing, *arguments: Thing, **named: Thing) -> Thing:
        out = named.pop("out", None)
        found = getattr(asarray(thing), name)(*arguments, **named)
        if out is not None:
            out[...] = found
        return found

    return function


sum, prod, mean, var, std, cumsum = map(_method, ("sum", "prod", "mean", "var", "std", "cumsum"))
any, all, min, max = map(_method, ("any", "all", "min", "max"))  # type: ignore[assignment]
argmin, argmax, argsort = map(_method, ("argmin", "argmax", "argsort"))
amin, amax = min, max
reshape, ravel, transpose = map(_method, ("reshape", "ravel", "transpose"))


def ptp(thing: Thing, axis: Thing = None) -> Thing:
    """Return how far numbers lie apart."""
    found = asarray(thing)
    return found.max(axis) - found.min(axis)


def quantile(thing: Thing, shares: Thing, axis: Thing = None) -> Thing:
    """Return numbers below which these shares lie, between two by the way between them."""
    found, wanted = asarray(thing), asarray(shares)

    def at(share: float) -> Callable[[list[Thing]], float]:
        def of(row: list[Thing]) -> float:
            row = sorted(row)
            place = share * (len(row) - 1)
            low = math.floor(place)
            high, part = builtins.min(low + 1, len(row) - 1), place - low
            step = row[high] - row[low]
            return float(row[high] - step * (1 - part) if part >= 0.5 else row[low] + step * part)

        return of

    rows = [found._along(axis, at(share), float64) for share in wanted._numbers()]
    if not wanted.shape:
        return rows[0]
    return stack(rows) if isinstance(rows[0], ndarray) else array(rows, dtype=float64)


def median(thing: Thing, axis: Thing = None) -> Thing:
    """Return the number in the middle."""
    return quantile(thing, 0.5, axis)


def array_equal(one: Thing, two: Thing) -> bool:
    """Return whether two arrays have the same shape and elements."""
    one, two = asarray(one), asarray(two)
    return one.shape == two.shape and one._numbers() == two._numbers()


class _Adding:
    """Sums into places of an array."""

    @staticmethod
    def at(into: ndarray, places: Thing, numbers: Thing) -> None:
        """Add to the element at each place, also to one several times."""
        view, chosen = into._basic(into._place(places)[0])
        shape, offsets = into._chosen(view, chosen)
        read = struct.Struct(into.dtype.code)
        for at, one in zip(offsets, spread(asarray(numbers), shape), strict=True):
            read.pack_into(into._memory, at, read.unpack_from(into._memory, at)[0] + one)

    @staticmethod
    def reduceat(thing: Thing, places: Thing, axis: int = 0) -> Thing:
        """Return the sums of the parts that begin at some places of the first axis."""
        found, begins = asarray(thing), asarray(places)._numbers()
        ends = [*begins[1:], len(found)]
        return stack(
            [found[one : builtins.max(other, one + 1)].sum(axis=0) for one, other in zip(begins, ends, strict=True)]
        )


add = _Adding()


SWEEPS = 30  # at most: a matrix is diagonal after about eight
TINY = 1e-15  # times the largest eigenvalue: what is less counts as 0, as in NumPy


def _eigen(matrix: Thing) -> tuple[list[float], list[list[float]]]:
    """Return the eigenvalues of a symmetric matrix and their vectors, found by turning (Jacobi)."""
    rows = [[*map(float, row)] for row in matrix.tolist()]
    count = len(rows)
    vectors = [[float(n == other) for other in range(count)] for n in range(count)]
    for _ in range(SWEEPS):
        size = math.sqrt(builtins.sum(rows[n][n] ** 2 for n in range(count)))
        apart = [(n, m) for n in range(count) for m in range(n) if builtins.abs(rows[n][m]) > 1e-17 * size]
        if not apart:
            break
        for n, m in apart:
            if rows[m][n]:
                _turned(rows, vectors, m, n)
    return [rows[n][n] for n in range(count)], vectors


def _turned(rows: list[list[float]], vectors: list[list[float]], one: int, other: int) -> None:
    """Turn two axes of a symmetric matrix so that they have no part in each other (Jacobi)."""
    slope = (rows[other][other] - rows[one][one]) / (2.0 * rows[one][other])
    tangent = math.copysign(1.0, slope) / (builtins.abs(slope) + math.hypot(slope, 1.0))
    cosine = 1.0 / math.hypot(tangent, 1.0)
    sine = tangent * cosine
    for row in rows:
        row[one], row[other] = cosine * row[one] - sine * row[other], sine * row[one] + cosine * row[other]
    for pair in (rows, vectors):
        first, second = pair[one], pair[other]
        pair[one] = [cosine * a - sine * b for a, b in zip(first, second, strict=True)]
        pair[other] = [sine * a + cosine * b for a, b in zip(first, second, strict=True)]


class linalg:
    """Systems of equations."""

    @staticmethod
    def pinv(matrix: Thing) -> Thing:
        """Return the pseudo-inverse of a symmetric matrix."""
        values, vectors = _eigen(matrix)
        count = len(values)
        least = TINY * builtins.max(map(builtins.abs, values), default=0.0)
        kept = [(1.0 / value, vectors[n]) for n, value in enumerate(values) if builtins.abs(value) > least]
        return array([[builtins.sum(w * v[n] * v[m] for w, v in kept) for m in range(count)] for n in range(count)])

    @staticmethod
    def eigh(matrix: Thing) -> tuple[Thing, Thing]:
        """Return the eigenvalues of a symmetric matrix, the least first, and the eigenvectors as columns."""
        pairs = sorted(zip(*_eigen(matrix), strict=True))
        return array([value for value, _ in pairs]), array([vector for _, vector in pairs]).T

    @staticmethod
    def lstsq(system: Thing, right: Thing, rcond: None = None) -> tuple[Thing, ...]:
        """Return what solves a system of as many equations as unknowns, by elimination; a list, as NumPy does."""
        rows = [
            [*map(float, left), *map(float, values)]
            for left, values in zip(system.tolist(), right.tolist(), strict=True)
        ]
        count = len(rows)
        for n in range(count):
            best = builtins.max(range(n, count), key=lambda one: builtins.abs(rows[one][n]))
            rows[n], rows[best] = rows[best], rows[n]
            pivot = rows[n]
            for other in rows[n + 1 :]:
                part = other[n] / pivot[n]
                if part:
                    for column in range(n, len(other)):
                        other[column] -= part * pivot[column]
        found = [[0.0] * (len(rows[0]) - count) for _ in range(count)]
        for n in range(count - 1, -1, -1):
            for column in range(len(found[0])):
                known = builtins.sum(rows[n][other] * found[other][column] for other in range(n + 1, count))
                found[n][column] = (rows[n][count + column] - known) / rows[n][n]
        return (array(found),)
