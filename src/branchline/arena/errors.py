"""What can go wrong with many games, and how a fault travels from one process to another."""

from __future__ import annotations

from branchline.boards import BranchlineError


class SeriesError(BranchlineError):
    """A series that cannot be played like this."""


def portable(fault: BaseException) -> BaseException:
    """Return a fault without its causes, which may not survive the journey."""
    if isinstance(fault, BranchlineError):
        return type(fault)(str(fault))
    return SeriesError(f"{type(fault).__name__}: {fault}")
