"""Functions that make arrays."""

from __future__ import annotations

import math

from branchline.site.arrays.array_type import array, asarray, broadcast_to, ndarray
from branchline.site.arrays.joining import stack
from branchline.site.arrays.number_types import Thing, dtype_of, float64, int64


def frombuffer(content: Thing, dtype: Thing = float64) -> Thing:
    """Return an array that sees the bytes of something."""
    kind = dtype_of(dtype)
    memory = memoryview(content)
    return ndarray(memory.nbytes // kind.itemsize, kind, memory)


def zeros(shape: Thing, dtype: Thing = float64) -> Thing:
    """Return an array of zeros."""
    return ndarray(shape, dtype)


empty = zeros


def full(shape: Thing, number: Thing, dtype: Thing = None) -> Thing:
    """Return an array of one number."""
    found = ndarray(shape, dtype or asarray(number).dtype)
    found[...] = number
    return found


def ones(shape: Thing, dtype: Thing = float64) -> Thing:
    """Return an array of ones."""
    return full(shape, 1, dtype)


def zeros_like(like: Thing, dtype: Thing = None) -> Thing:
    """Return zeros in the shape of another array."""
    like = asarray(like)
    return ndarray(like.shape, dtype or like.dtype)


empty_like = zeros_like


def full_like(like: Thing, number: Thing, dtype: Thing = None) -> Thing:
    """Return one number in the shape of another array."""
    like = asarray(like)
    return full(like.shape, number, dtype or like.dtype)


def ones_like(like: Thing, dtype: Thing = None) -> Thing:
    """Return ones in the shape of another array."""
    return full_like(like, 1, dtype)


def arange(*bounds: Thing, dtype: Thing = None) -> Thing:
    """Return numbers from a first one on, before a last one."""
    begin, end, step = slice(*bounds).start or 0, slice(*bounds).stop, slice(*bounds).step or 1
    count = max(0, math.ceil((end - begin) / step))
    return array([begin + n * step for n in range(count)], dtype=dtype or (None if count else int64))


def linspace(begin: Thing, end: Thing, count: int = 50, axis: int = 0) -> Thing:
    """Return so many numbers from one to another."""
    first, last = asarray(begin) * 1.0, asarray(end) * 1.0
    step = (last - first) / (count - 1) if count > 1 else last - first
    rows = [asarray(first + step * n) for n in range(count)]
    if count > 1:
        rows[-1] = asarray(last + first * 0.0)
    return stack(rows, axis=axis)


def eye(count: int) -> Thing:
    """Return the matrix of one."""
    return array([[float(one == other) for other in range(count)] for one in range(count)])


def diag(values: Thing) -> Thing:
    """Return the diagonal of a matrix, or a matrix with this diagonal."""
    values = asarray(values)
    if values.ndim == 2:
        return array([values[n, n] for n in range(min(values.shape))])
    found = zeros((len(values), len(values)), values.dtype)
    for n, one in enumerate(values):
        found[n, n] = one
    return found


def meshgrid(x: Thing, y: Thing) -> list[Thing]:
    """Return the coordinates of a grid."""
    x, y = asarray(x), asarray(y)
    shape = (len(y), len(x))
    return [broadcast_to(x[None, :], shape).copy(), broadcast_to(y[:, None], shape).copy()]


def triu_indices(count: int, above: int = 0) -> tuple[Thing, Thing]:
    """Return the places on and over the diagonal of a matrix."""
    pairs = [(one, other) for one in range(count) for other in range(one + above, count)]
    return array([one for one, _ in pairs], dtype=int64), array([other for _, other in pairs], dtype=int64)
