"""Work that takes long, in processes of its own that have a budget and can be ended."""

import sys

from branchline.web.core.jobs.budget import WorkBudget
from branchline.web.core.jobs.errors import JobError, Overspent, Stopped

if sys.platform == "emscripten":  # a browser has no processes
    from branchline.web.core.jobs.at_once import Job, prepare
else:
    from branchline.web.core.jobs.job import Job, prepare

__all__ = ["Job", "JobError", "Overspent", "Stopped", "WorkBudget", "prepare"]
