"""The random numbers of NumPy's `default_rng`, the same ones: `SeedSequence` and PCG64 (XSL-RR) in plain Python.

A bot that draws its luck in Python plays the same game in a browser as on a server.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from branchline.site import arrays
from branchline.site.arrays import Thing

_32, _64, _128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_STEP = 2549297995355413924 << 64 | 4865540595714422341
_POOL = 4
MOST_INVERTED = 30.0  # NumPy draws otherwise where more successes are expected


def _words(number: int) -> list[int]:
    found = [number & _32]
    while number := number >> 32:
        found.append(number & _32)
    return found


class _Mixing:
    """A hash whose constant moves on with each number."""

    def __init__(self, begin: int, step: int) -> None:
        self._constant, self._step = begin, step

    def __call__(self, number: int) -> int:
        number ^= self._constant
        self._constant = self._constant * self._step & _32
        number = number * self._constant & _32
        return number ^ number >> 16


def _mixed(one: int, other: int) -> int:
    found = (0xCA01F9DD * one - 0x4973F715 * other) & _32
    return found ^ found >> 16


def _seeded(seed: int | Sequence[int]) -> list[int]:
    """Return four numbers of 64 bits, as `SeedSequence` makes them of a seed."""
    entropy = [word for one in ([seed] if isinstance(seed, int) else seed) for word in _words(one)]
    mix = _Mixing(0x43B0D7E5, 0x931E8875)
    pool = [mix(entropy[n] if n < len(entropy) else 0) for n in range(_POOL)]
    for source, target in itertools.product(range(_POOL), repeat=2):
        if source != target:
            pool[target] = _mixed(pool[target], mix(pool[source]))
    for word in entropy[_POOL:]:
        for target in range(_POOL):
            pool[target] = _mixed(pool[target], mix(word))
    out = _Mixing(0x8B51F9DD, 0x58F38DED)
    words = [out(pool[n % _POOL]) for n in range(8)]
    return [words[n] | words[n + 1] << 32 for n in range(0, 8, 2)]


class Generator:
    """A source of random numbers."""

    def __init__(self, seed: Thing) -> None:
        """Begin with a seed: a number, or several."""
        numbers = _seeded(int(seed) if hasattr(seed, "__index__") else [int(one) for one in seed])
        state, self._increment = numbers[0] << 64 | numbers[1], (numbers[2] << 65 | numbers[3] << 1 | 1) & _128
        self._state = self._increment + state & _128
        self._step()
        self._half: int | None = None

    def _step(self) -> None:
        self._state = (self._state * _STEP + self._increment) & _128

    def _next(self) -> int:
        self._step()
        number, turn = (self._state >> 64 ^ self._state) & _64, self._state >> 122
        return (number >> turn | number << (-turn & 63)) & _64

    def _next_half(self) -> int:
        if self._half is not None:
            found, self._half = self._half, None
            return found
        number = self._next()
        self._half = number >> 32
        return number & _32

    def _below(self, bound: int) -> int:
        """Return a number from 0 on, by Lemire's way."""
        if bound == 1:
            return 0
        bits, draw = (32, self._next_half) if bound <= _32 + 1 else (64, self._next)
        if bound == 1 << bits:
            return draw()
        threshold, number = (1 << bits) % bound, draw() * bound
        while number & ((1 << bits) - 1) < threshold:
            number = draw() * bound
        return number >> bits

    def integers(self, low: Thing, high: Thing = None, size: Thing = None) -> Thing:
        """Return whole numbers from `low`, or 0, on and below the bound."""
        begin, end = (0, low) if high is None else (low, high)
        return self._several(size, lambda: int(begin) + self._below(int(end) - int(begin)), arrays.int64)

    def random(self, size: Thing = None) -> Thing:
        """Return numbers from 0 on and below 1."""
        return self._several(size, self._real, arrays.float64)

    def multinomial(self, draws: int, chances: Thing, size: int) -> Thing:
        """Return how often each of several things is drawn, in `size` rounds of so many draws."""
        parts = [float(one) for one in chances]
        return arrays.array([self._shared_out(draws, parts) for _ in range(size)], dtype=arrays.int64)

    def _shared_out(self, draws: int, chances: list[float]) -> list[int]:
        found, left, open_share = [0] * len(chances), draws, 1.0
        for n, chance in enumerate(chances[:-1]):
            found[n] = self._binomial(left, chance / open_share)
            left -= found[n]
            if left <= 0:
                return found
            open_share -= chance
        found[-1] = left
        return found

    def _binomial(self, draws: int, chance: float) -> int:
        """Return how many of so many draws succeed, by inversion: NumPy does so where few are expected to."""
        if chance > 0.5:
            return draws - self._binomial(draws, 1.0 - chance)
        expected, fail = draws * chance, 1.0 - chance
        if expected > MOST_INVERTED:
            raise NotImplementedError(f"{draws} draws with a chance of {chance}")
        none = math.exp(draws * math.log(fail))
        bound = int(min(draws, expected + 10.0 * math.sqrt(expected * fail + 1)))
        count, share, luck = 0, none, self._real()
        while luck > share:
            count += 1
            if count > bound:
                count, share, luck = 0, none, self._real()
            else:
                luck -= share
                share = (draws - count + 1) * chance * share / (count * fail)
        return count

    def _real(self) -> float:
        return (self._next() >> 11) / (1 << 53)

    def _several(self, size: Thing, draw: Thing, kind: Thing) -> Thing:
        if size is None:
            return draw()
        shape = (size,) if isinstance(size, int) else tuple(size)
        return arrays.array([draw() for _ in range(math.prod(shape))], dtype=kind).reshape(shape)

    def permutation(self, thing: Thing) -> Thing:
        """Return the numbers below a bound, or the elements of an array, in random order."""
        found = arrays.arange(thing) if isinstance(thing, int) else arrays.array(thing)
        order = list(range(len(found)))
        for n in range(len(order) - 1, 0, -1):
            other = self._interval(n)
            order[n], order[other] = order[other], order[n]
        return found[arrays.array(order, dtype=arrays.int64)]

    def _interval(self, most: int) -> int:
        """Return a number up to `most`: bits are drawn until they fit."""
        mask = (1 << most.bit_length()) - 1
        draw = self._next_half if most <= _32 else self._next
        while (number := draw() & mask) > most:
            pass
        return number


default_rng = Generator
