"""The scratch record in which the rules compute: one for each thread. Nothing in it lasts from call to call."""

from __future__ import annotations

import threading

from branchline.rules import kernel
from branchline.rules.state import SCRATCH, Scratch
from branchline.runtime.structs import Buffer

_own = threading.local()


def scratch_buffer() -> Buffer[Scratch]:
    """Return this thread's scratch record, in a buffer of one; it holds what another call left there."""
    if not hasattr(_own, "buffer"):
        _own.buffer = kernel.new_buffer(SCRATCH)
    buffer: Buffer[Scratch] = _own.buffer
    return buffer
