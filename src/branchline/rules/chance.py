"""Luck: the random generator inside the state, and shuffling.

xoshiro128++ by Blackman and Vigna (2019): four 32-bit words, here in the low halves of 64-bit integers, so that
the same arithmetic serves plain Python, compiled code and GPUs.
"""

from __future__ import annotations

from typing import Protocol

from branchline.rules.kernel import rule
from branchline.rules.state import State
from branchline.runtime.structs import Vector

LOW = 0xFFFFFFFF


class Lucky(Protocol):
    """A record with a random generator of its own: a state, or the memory of a bot."""

    luck: Vector


@rule
def mixed(word: int) -> int:
    """Return a 32-bit word, stirred so that neighbouring words come out unlike each other."""
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & LOW
    word = ((word ^ (word >> 15)) * 0x31848BAB) & LOW
    return word ^ (word >> 16)


@rule
def seed(state: Lucky, number: int) -> None:
    """Start the generator from a seed of up to 62 bits."""
    low = number & LOW
    high = (number >> 32) & LOW
    for i in range(4):
        low = mixed((low + 0x1E3779B9 * (i + 1)) & LOW)
        high = mixed((high ^ low) + 0x3C6EF372 & LOW)
        state.luck[i] = low ^ ((high << 1) & LOW)
    state.luck[3] |= 1  # the generator must not start from zeros only


@rule
def random_word(state: Lucky) -> int:
    """Return the next 32 random bits."""
    a = state.luck[0]
    b = state.luck[1]
    c = state.luck[2]
    d = state.luck[3]
    total = (a + d) & LOW
    answer = ((((total << 7) & LOW) | (total >> 25)) + a) & LOW
    c ^= a
    d ^= b
    state.luck[1] = b ^ c
    state.luck[0] = a ^ d
    state.luck[2] = c ^ ((b << 9) & LOW)
    state.luck[3] = ((d << 11) & LOW) | (d >> 21)
    return answer


@rule
def below(state: Lucky, bound: int) -> int:
    """Return a random number from 0 up to, not including, `bound` (at most 2**30)."""
    return (random_word(state) * bound) >> 32


@rule
def shuffle_cards(state: State, deck: int) -> None:
    """Shuffle one deck of cards (Fisher and Yates)."""
    for last in range(state.deck_size[deck] - 1, 0, -1):
        other = below(state, last + 1)
        kind = state.deck[deck, last]
        state.deck[deck, last] = state.deck[deck, other]
        state.deck[deck, other] = kind
