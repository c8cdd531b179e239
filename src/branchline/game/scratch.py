"""The scratch record in which the rules compute: one for each thread. Nothing in it lasts from call to call."""

from __future__ import annotations

import threading
from typing import Any

from branchline.rules import kernel
from branchline.rules.state import SCRATCH

_own = threading.local()


def scratch_buffer() -> Any:
    """This thread's scratch record, in a buffer of one; what is in it was left there by another call."""
    if not hasattr(_own, "buffer"):
        _own.buffer = kernel.new_buffer(SCRATCH)
    return _own.buffer
