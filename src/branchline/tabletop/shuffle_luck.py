"""Luck with which a shuffle brings certain cards to the top: many seeds are tried at once.

The arithmetic is that of `rules.chance`, over arrays; a test compares the two.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random
from typing import Any

import numpy as np

from branchline.rules.chance import LOW

AT_ONCE = 8192
MOST = 24  # times so many

HOPELESS = 0.2
"""Where so few exact seeds are expected in all, only some are tried, for the nearest."""

Words = Any
"""An array of 64-bit numbers."""


Wanted = tuple[list[int], list[list[int]]]
"""The kinds of the cards of a shuffle in their order; and those asked for, in groups: within one in any order."""


def luck_for(wanted: list[Wanted], luck: Random) -> tuple[int, bool]:
    """Return a seed after which shuffles, one after the other, begin with the kinds asked for, or nearly.

    Returns the seed, and whether it is exact.
    """
    best, nearest = -1, 0
    asked = sum(len(group) for _, groups in wanted for group in groups)
    first = luck.randrange(1 << 40)
    hopeless = _likelihood(wanted) * MOST * AT_ONCE < HOPELESS
    for n in range(1 if hopeless else MOST):
        seeds = np.arange(AT_ONCE, dtype=np.int64) + first + n * AT_ONCE
        words = _seeded(seeds)
        good = np.zeros(len(seeds), np.int64)
        for k, (cards, groups) in enumerate(wanted):
            tops = _top(words, cards, sum(map(len, groups)), k + 1 < len(wanted))
            at = 0
            for group in groups:
                mine = np.sort(tops[:, at : at + len(group)], axis=1)
                good += (mine == np.array(sorted(group), np.int64)).sum(axis=1)
                at += len(group)
        top = int(good.argmax())
        if good[top] > best:
            best, nearest = int(good[top]), int(seeds[top])
        if best == asked:
            break
    return nearest, best == asked


def _likelihood(wanted: list[Wanted]) -> float:
    """Return how likely any seed is exact."""
    likelihood = 1.0
    for cards, groups in wanted:
        left, size = Counter(cards), len(cards)
        for group in groups:
            ways = float(comb(size, len(group)))
            for kind, count in Counter(group).items():
                likelihood *= comb(left[kind], count)
            likelihood /= ways
            left.subtract(group)
            size -= len(group)
    return likelihood


def _mixed(word: Words) -> Words:
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & LOW
    word = ((word ^ (word >> 15)) * 0x31848BAB) & LOW
    return word ^ (word >> 16)


def _seeded(number: Words) -> list[Words]:
    """Return the four words of the generator, for every seed."""
    low, high = number & LOW, (number >> 32) & LOW
    words = []
    for i in range(4):
        low = _mixed((low + 0x1E3779B9 * (i + 1)) & LOW)
        high = _mixed((high ^ low) + 0x3C6EF372 & LOW)
        words.append(low ^ ((high << 1) & LOW))
    words[3] = words[3] | 1
    return words


def _next(luck: list[Words]) -> Words:
    a, b, c, d = luck
    total = (a + d) & LOW
    answer = ((((total << 7) & LOW) | (total >> 25)) + a) & LOW
    c = c ^ a
    d = d ^ b
    luck[1], luck[0] = b ^ c, a ^ d
    luck[2] = c ^ ((b << 9) & LOW)
    luck[3] = ((d << 11) & LOW) | (d >> 21)
    return answer


def _top(luck: list[Words], cards: list[int], count: int, whole: bool) -> Words:
    """Return the first cards of a shuffled deck, the top one first."""
    seeds, size = len(luck[0]), len(cards)
    deck = np.tile(np.array(cards, np.int64), (seeds, 1))
    rows = np.arange(seeds)
    for last in range(size - 1, 0 if whole else max(0, size - 1 - count), -1):
        other = (_next(luck) * (last + 1)) >> 32
        kept = deck[:, last].copy()
        deck[:, last] = deck[rows, other]
        deck[rows, other] = kept
    return deck[:, ::-1][:, :count]
