"""`random`: any legal action, each as likely."""

from __future__ import annotations

from typing import Any

from branchline.bots.bot import CompiledBot
from branchline.rules.kernel import rule
from branchline.rules.playout import random_action


@rule
def choose(board: Any, state: Any, scratch: Any, memory: Any, seat: int) -> int:
    """The answer to any question."""
    return random_action(memory, scratch)


class RandomBot(CompiledBot):
    """Plays any legal action."""

    name = "random"
    choice = staticmethod(choose)
