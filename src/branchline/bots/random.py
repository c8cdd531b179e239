"""`random`: any legal action, each as likely."""

from __future__ import annotations

from typing import Any

from branchline.bots.bot import CompiledBot
from branchline.rules import playout
from branchline.rules.kernel import rule


@rule
def choose(board: Any, state: Any, slate: Any, desk: Any, seat: int) -> int:
    """One of the legal actions of the slate, by the luck of the desk."""
    return playout.random_action(desk, slate)


class RandomBot(CompiledBot):
    """Plays any legal action."""

    name = "random"
    choice = staticmethod(choose)
