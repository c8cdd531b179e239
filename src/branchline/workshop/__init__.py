"""The workshop: boards while they are made. A draft is a value, and what is done to it are steps that can be undone.

A draft may be damaged or unfinished; what is wrong with it says `boards.read_board` of its files, and nothing else
does.
"""

from branchline.workshop.draft import Draft, DraftError
from branchline.workshop.findings import Finding, findings
from branchline.workshop.reading import read_draft
from branchline.workshop.steps import Edit, Step, StepError, applied, step_between, undone

__all__ = [
    "Draft",
    "DraftError",
    "Edit",
    "Finding",
    "Step",
    "StepError",
    "applied",
    "findings",
    "read_draft",
    "step_between",
    "undone",
]
