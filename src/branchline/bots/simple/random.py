"""`random`: any legal action, each as likely."""

from __future__ import annotations

from branchline.boards.tables import BoardTables
from branchline.bots.api.bot import CompiledBot
from branchline.bots.api.memory import Memory
from branchline.rules.kernel import rule
from branchline.rules.playout import random_action
from branchline.rules.state import Scratch, State


@rule
def choose(board: BoardTables, state: State, scratch: Scratch, memory: Memory, seat: int) -> int:
    """Return the answer to any question."""
    return random_action(memory, scratch)


class RandomBot(CompiledBot):
    """Plays any legal action."""

    name = "random"
    quick = True
    choice = staticmethod(choose)
