"""Work that takes long, in processes of its own that have a budget and can be ended."""

from branchline.web.core.jobs.budget import Budget
from branchline.web.core.jobs.job import Job, JobError, Overspent, Stopped, prepare

__all__ = ["Budget", "Job", "JobError", "Overspent", "Stopped", "prepare"]
