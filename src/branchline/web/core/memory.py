"""The memory of this process: how much it holds, and giving back what it no longer needs."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path


def resident() -> int:
    """Return the bytes of memory that this process holds, or 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def give_back() -> None:
    """Have the C library return to the system what was freed; elsewhere than with glibc nothing happens. Blocks."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
