"""`random`: any legal action, each as likely."""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import WORD
from branchline.bots.bot import CompiledBot
from branchline.rules import chance
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import lowest
from branchline.rules.state import ACTION_WORDS, MIX, TAKE, TURN


@rule
def any_action(state: Any, slate: Any, desk: Any) -> int:
    """One of the legal actions of the slate, by the luck of the desk."""
    first = 0 if state.question == TURN else TAKE // WORD  # only a turn's actions lie below
    behind = MIX // WORD + 1 if state.question == TURN else ACTION_WORDS  # and none lies above
    count = 0
    for word in range(first, behind):
        count += popcount(slate.legal[word])
    skipped = chance.below(desk, count)
    for word in range(first, behind):
        bits = slate.legal[word]
        here = popcount(bits)
        if skipped < here:
            for _ in range(skipped):
                bits &= bits - 1
            return word * WORD + lowest(bits)
        skipped -= here
    return -1


@rule
def choose(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """The answer to any question."""
    return any_action(state, slate, desk)


class RandomBot(CompiledBot):
    """Plays any legal action."""

    name = "random"
    choice = staticmethod(choose)
