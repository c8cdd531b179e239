"""Sets of small numbers, kept as words of bits in records (see `boards.tables`)."""

from __future__ import annotations

from branchline.boards.tables import WORD
from branchline.rules.kernel import popcount, rule
from branchline.rules.state import ACTIONS, Scratch

FULL_WORD = (1 << WORD) - 1


@rule
def lowest(word: int) -> int:
    """Return the number of the lowest bit set."""
    return popcount((word & -word) - 1)


@rule
def nth(word: int, skipped: int) -> int:
    """Return the number of a bit set that has `skipped` set bits below it. Halve the word six times, branch-free."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = popcount((word >> at) & ((1 << width) - 1))
        if skipped >= below:
            skipped -= below
            at += width
    return at


@rule
def offer(scratch: Scratch, first_action: int, options: int) -> None:
    """Add actions to the legal ones: bit n of `options` is action `first_action + n`; at most WORD of them."""
    word = first_action // WORD
    shift = first_action % WORD
    scratch.legal[word] |= (options << shift) & FULL_WORD
    above = options >> (WORD - shift)
    if above:
        scratch.legal[word + 1] |= above


@rule
def is_answer(scratch: Scratch, action: int) -> bool:
    """Return whether any number at all is in the set of legal actions."""
    return 0 <= action < ACTIONS and is_legal(scratch, action)


@rule
def is_legal(scratch: Scratch, action: int) -> bool:
    """Return whether an action, 0 to ACTIONS - 1, is in the set of legal ones."""
    return (scratch.legal[action // WORD] >> (action % WORD)) & 1 == 1
