"""Functions that join, cut, choose and sort."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from branchline.site.arrays.array_type import array, asarray, common_kind, common_type, ndarray, pack, spread_together
from branchline.site.arrays.number_types import BOOL, INT, Thing, float64, int64, plain, uint8


def concatenate(parts: Iterable[Thing], axis: int = 0) -> Thing:
    """Return arrays one behind the other."""
    arrays = [asarray(one) for one in parts]
    kind = arrays[0].dtype
    for one in arrays[1:]:
        kind = common_kind(kind, one.dtype) if kind.kind != "V" else kind
    axis %= arrays[0].ndim
    shape = list(arrays[0].shape)
    shape[axis] = sum(one.shape[axis] for one in arrays)
    if axis == 0:
        if kind.kind == "V":
            return ndarray(shape, kind, bytearray(b"".join(one.tobytes() for one in arrays)))
        return pack([number for one in arrays for number in one._numbers()], shape, kind)
    outer = math.prod(shape[:axis])
    widths = [one.size // outer if outer else 0 for one in arrays]
    numbers = [one._numbers() for one in arrays]
    found = [
        number for n in range(outer) for own, width in zip(numbers, widths, strict=True)
        for number in own[n * width : (n + 1) * width]
    ]  # fmt: skip
    return pack(found, shape, kind)


def stack(parts: Iterable[Thing], axis: int = 0) -> Thing:
    """Return arrays of one shape along a new axis."""
    arrays = [asarray(one) for one in parts]
    axis %= arrays[0].ndim + 1
    place = (*[slice(None)] * axis, None)
    return concatenate([one[place] for one in arrays], axis)


def hstack(parts: Iterable[Thing]) -> Thing:
    """Return arrays side by side."""
    arrays = [asarray(one) for one in parts]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def vstack(parts: Iterable[Thing]) -> Thing:
    """Return arrays one under the other."""
    return concatenate([one if (one := asarray(part)).ndim > 1 else one[None, :] for part in parts])


def column_stack(parts: Iterable[Thing]) -> Thing:
    """Return arrays as columns."""
    return concatenate([one if (one := asarray(part)).ndim > 1 else one[:, None] for part in parts], 1)


def tile(thing: Thing, times: Thing) -> Thing:
    """Return an array several times, side by side."""
    found, times = asarray(thing), (times,) if isinstance(times, int) else tuple(times)
    found = found.reshape((1,) * (len(times) - found.ndim) + found.shape)
    times = (1,) * (found.ndim - len(times)) + times
    for axis, count in enumerate(times):
        found = concatenate([found] * count, axis) if count > 1 else found
    return found


def delete(thing: Thing, places: Thing, axis: int | None = None) -> Thing:
    """Return an array without some places along an axis."""
    found = asarray(thing)
    found = found.ravel() if axis is None else found
    axis = (axis or 0) % found.ndim
    gone = set(
        asarray(range(found.shape[axis]))[places if isinstance(places, slice) else asarray(places).ravel()].tolist()
    )
    return found.take(array([n for n in range(found.shape[axis]) if n not in gone], dtype=int64), axis)


def roll(thing: Thing, steps: int, axis: int = 0) -> Thing:
    """Return the parts along an axis moved on, in a ring."""
    found = asarray(thing)
    length = found.shape[axis]
    return found.take(array([(n - steps) % length for n in range(length)], dtype=int64), axis)


def where(asked: Thing, *choices: Thing) -> Thing:
    """Return elements of one array where something is true, and of another elsewhere; alone: the places."""
    if not choices:
        return asarray(asked).nonzero()
    one, two = map(asarray, choices)
    shape, (asked, left, right) = spread_together([asarray(asked), one, two])
    kind = common_type(one, choices[1], two) if isinstance(choices[0], ndarray) else common_type(two, choices[0], one)
    return pack([a if yes else b for yes, a, b in zip(asked, left, right, strict=True)], shape, kind)


def sort(thing: Thing, axis: int = -1) -> Thing:
    """Return the elements in rising order."""
    return asarray(thing)._rows(axis, sorted, asarray(thing).dtype)


def unique(
    thing: Thing, return_counts: bool = False, return_inverse: bool = False, return_index: bool = False
) -> Thing:
    """Return the different elements in rising order."""
    found = asarray(thing)
    numbers = found._numbers()
    kept = sorted(set(numbers))
    parts = [pack(kept, (len(kept),), found.dtype)]
    if return_index:
        parts.append(array([numbers.index(one) for one in kept], dtype=int64))
    if return_inverse:
        at = {one: n for n, one in enumerate(kept)}
        parts.append(array([at[one] for one in numbers], dtype=int64).reshape(found.shape))
    if return_counts:
        parts.append(array([numbers.count(one) for one in kept], dtype=int64))
    return parts[0] if len(parts) == 1 else tuple(parts)


def isin(thing: Thing, wanted: Thing) -> Thing:
    """Return which elements are among others."""
    found, among = asarray(thing), set(asarray(wanted)._numbers())
    return pack([one in among for one in found._numbers()], found.shape, BOOL)


def flatnonzero(thing: Thing) -> Thing:
    """Return the places of what is not zero."""
    return asarray(thing).ravel().nonzero()[0]


def nonzero(thing: Thing) -> Thing:
    """Return the places of what is not zero, an array for each axis."""
    return asarray(thing).nonzero()


def argwhere(thing: Thing) -> Thing:
    """Return the places of what is not zero, one a row."""
    return stack(asarray(thing).nonzero(), axis=1)


def bincount(thing: Thing, weights: Thing = None, minlength: int = 0) -> Thing:
    """Return how often each number occurs, or what their weights add up to."""
    numbers = asarray(thing)._numbers()
    found: list[Thing] = [0] * max(minlength, max(numbers, default=-1) + 1)
    if weights is None:
        for one in numbers:
            found[one] += 1
        return array(found, dtype=int64)
    for one, weight in zip(numbers, asarray(weights)._numbers(), strict=True):
        found[one] += weight
    return array(found, dtype=float64)


def histogram(thing: Thing, edges: Thing) -> tuple[Thing, Thing]:
    """Return how many numbers lie between each two edges, the last one included, and the edges."""
    import bisect

    numbers, limits = asarray(thing)._numbers(), asarray(edges)._numbers()
    found = [0] * (len(limits) - 1)
    for one in numbers:
        if limits[0] <= one <= limits[-1]:
            found[min(bisect.bisect_right(limits, one), len(found)) - 1] += 1
    return array(found, dtype=int64), asarray(edges)


def searchsorted(row: Thing, wanted: Thing, side: str = "left") -> Thing:
    """Return before which elements of a sorted array others belong."""
    import bisect

    numbers, look = asarray(row)._numbers(), bisect.bisect_left if side == "left" else bisect.bisect_right
    found = asarray(wanted)
    return plain(pack([look(numbers, one) for one in found._numbers()], found.shape, INT))


def unpackbits(thing: Thing, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Thing:
    """Return the bits of bytes."""
    order = range(8) if bitorder == "little" else range(7, -1, -1)
    found = asarray(thing)
    return (found.ravel() if axis is None else found)._rows(
        -1 if axis is None else axis, lambda row: [one >> n & 1 for one in row for n in order][:count], uint8
    )


def lexsort(keys: Sequence[Thing]) -> Thing:
    """Return the order by several keys, the last one first."""
    rows = [asarray(one)._numbers() for one in keys][::-1]
    return array(sorted(range(len(rows[0])), key=lambda n: [row[n] for row in rows]), dtype=int64)


def diff(thing: Thing, axis: int = -1, prepend: Thing = None) -> Thing:
    """Return the steps from each element to the next; `prepend`: a number before the first one of each row."""
    found, before = asarray(thing), [] if prepend is None else [prepend]
    return found._rows(axis, lambda row: [b - a for a, b in itertools.pairwise([*before, *row])], found.dtype)
