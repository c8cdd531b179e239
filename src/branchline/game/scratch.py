"""The slate on which the rules reckon: one for each thread. It is large, and nothing on it lasts from call to call."""

from __future__ import annotations

import threading
from typing import Any

from branchline.rules import kernel
from branchline.rules.state import SLATE

_own = threading.local()


def slate_box() -> Any:
    """This thread's slate, as an array of one record; whatever is on it was left there by somebody else."""
    if not hasattr(_own, "box"):
        _own.box = kernel.fresh(SLATE)
    return _own.box
