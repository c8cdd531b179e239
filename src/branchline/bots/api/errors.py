"""What can be wrong with a bot."""

from __future__ import annotations

from branchline.boards.faults import BranchlineError


class BotError(BranchlineError):
    """A bot that does not exist, cannot be made, or does not play by the rules."""
