"""Why work in a process of its own came to no end."""

from __future__ import annotations

from branchline.boards import BranchlineError


class JobError(BranchlineError):
    """Work came to no end: a fault of ours, which is in the log."""


class Overspent(JobError):  # noqa: N818  it reads as a sentence
    """Work was ended because it took more than its budget."""


class Stopped(JobError):  # noqa: N818  it reads as a sentence
    """Work was ended because nobody wants it any more."""
