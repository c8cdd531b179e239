"""Tunnels, and patience with those that failed.

Whoever has withdrawn from a tunnel tries no other one before another card has come to hand. Else the same few cards,
discarded and turned over again and again when the deck has run out, could keep a game from ever ending.
"""

from __future__ import annotations

from branchline.boards.tables import WORD, BoardTables
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import ACTION_WORDS, CLAIM, PAY_EXTRA, WITHDRAW, Scratch, State


@rule
def answer(state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Pay what a tunnel asks more if the hand holds it; else withdraw, and bear in mind with how many cards."""
    if is_legal(scratch, PAY_EXTRA):
        return PAY_EXTRA
    memory.withdrew_with = plan.cards_held(state, seat)
    return WITHDRAW


@rule
def rule_out_retries(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> None:
    """Strike tunnels off the legal claims while the hand is no larger than when one failed; one choice is left."""
    if board.tunnel_cards == 0 or state.turns_to_go >= 0 or plan.cards_held(state, seat) > memory.withdrew_with:
        return
    for word in range(board.route_words):
        bits = scratch.legal[CLAIM // WORD + word]
        while bits != 0:
            bit = lowest(bits)
            bits &= bits - 1
            if board.route_tunnel[word * WORD + bit] and has_choice(scratch):
                scratch.legal[CLAIM // WORD + word] &= ~(1 << bit)


@rule
def has_choice(scratch: Scratch) -> bool:
    """Return whether more than one action is legal."""
    count = 0
    for word in range(ACTION_WORDS):
        count += popcount(scratch.legal[word])
    return count > 1
