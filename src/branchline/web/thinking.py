"""What visitors' browsers work out in place of their server (`branchline serve --think-in-browser`), by name.

Work is JSON, and what comes of it is text, since numbers in it may be too large for scripts. Each function is told whom
to tell how far it is.
"""

from __future__ import annotations

from collections.abc import Callable

from branchline.plain_data import JsonObject
from branchline.web.core.rooms import analyses
from branchline.web.table.coach import coaching
from branchline.web.workshop import balancing

Thought = Callable[[Callable[[JsonObject], None], JsonObject], str]

KINDS: dict[str, Thought] = {
    "analysis": analyses.worked_out,
    "balance": balancing.worked_out,
    "changes": balancing.changes_tried,
    "hint": coaching.worked_out,
}
