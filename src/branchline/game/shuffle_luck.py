"""Luck with which a shuffle brings certain cards to the top: many seeds are tried at once.

The arithmetic is that of `rules.chance`, over arrays; a test compares the two.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np

from branchline.rules.chance import LOW

AT_ONCE = 8192
MOST = 6  # times so many

Words = Any
"""An array of 64-bit numbers."""


def luck_for(wanted: list[tuple[list[int], list[int]]], fixed: int | None, luck: Random) -> tuple[int, bool, list[int]]:
    """A seed after which shuffles, one after the other, begin with the kinds asked for; else the nearest.

    `wanted`: by shuffle, the kinds of its cards in their order, and those asked for. `fixed`: no other seed than this.
    Returns the seed, whether it is exact, and the kinds that the first shuffle begins with.
    """
    best, nearest = -1, (0, [0])
    first = luck.randrange(1 << 40)
    for n in range(1 if fixed is not None else MOST):
        seeds = np.arange(AT_ONCE, dtype=np.int64) + first + n * AT_ONCE if fixed is None else np.array([fixed])
        words = _seeded(seeds)
        good = np.zeros(len(seeds), np.int64)
        tops: list[Any] = []
        for k, (cards, top) in enumerate(wanted):
            found = _top(words, cards, len(top), k + 1 < len(wanted))
            good += (found == np.array(top, np.int64)).sum(axis=1) if top else 0
            tops.append(found)
        asked = sum(len(top) for _, top in wanted)
        at = int(good.argmax())
        if good[at] == asked:
            return int(seeds[at]), True, tops[0][at].tolist()
        alike = Counter(wanted[0][1])
        for row in np.argsort(good)[-50:]:
            kinds = tops[0][row].tolist()
            score = (Counter(kinds) & alike).total() * 2 + int(good[row])
            if score > best:
                best, nearest = score, (int(seeds[row]), kinds)
    return nearest[0], False, nearest[1]


def _mixed(word: Words) -> Words:
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & LOW
    word = ((word ^ (word >> 15)) * 0x31848BAB) & LOW
    return word ^ (word >> 16)


def _seeded(number: Words) -> list[Words]:
    """The four words of the generator, for every seed."""
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
    """The first cards of a shuffled deck, the top one first."""
    seeds, size = len(luck[0]), len(cards)
    deck = np.tile(np.array(cards, np.int64), (seeds, 1))
    rows = np.arange(seeds)
    for last in range(size - 1, 0 if whole else max(0, size - 1 - count), -1):
        other = (_next(luck) * (last + 1)) >> 32
        kept = deck[:, last].copy()
        deck[:, last] = deck[rows, other]
        deck[rows, other] = kept
    return deck[:, ::-1][:, :count]
