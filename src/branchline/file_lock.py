"""One process at a time works on a file."""

from __future__ import annotations

from typing import IO, Any


def locked(opened: IO[Any]) -> bool:
    """Lock an open file until it is closed; False if another process, or another opening, holds it locked.

    Nothing is held on Windows, where this is always True.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
