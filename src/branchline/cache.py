"""Where things are kept between starts: what takes long to make, and what the user has had found out.

Caches hold compiled code and the layouts of boards. Nothing there is needed: whatever is missing is made anew. The
user's folder for data holds what nobody but the user can make again, such as tuned weights.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR

VARIABLE = "BRANCHLINE_CACHE"
"""Names the folder to be used instead of `branchline` in the user's folder for caches."""

DATA = "BRANCHLINE_DATA"
"""The same for the user's folder for data."""


def cache_folder(name: str) -> Path | None:
    """Return the folder of this name in the first cache that can be written to, or None. Create it if missing."""
    for base in _bases():
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except (OSError, ValueError):  # ValueError: a name with a zero byte
            continue
    return None


def data_folder() -> Path | None:
    """Return the user's folder for data; it need not exist. None where there is no home."""
    if own := os.environ.get(DATA):
        return Path(own)
    if user := os.environ.get("XDG_DATA_HOME"):
        return Path(user) / "branchline"
    with contextlib.suppress(RuntimeError):
        return Path.home() / ".local" / "share" / "branchline"
    return None


def _bases() -> Iterator[Path]:
    if own := os.environ.get(VARIABLE):
        yield Path(own)
    if user := os.environ.get("XDG_CACHE_HOME"):
        yield Path(user) / "branchline"
    else:
        with contextlib.suppress(RuntimeError):  # there may be no home
            yield Path.home() / ".cache" / "branchline"
    last = Path(tempfile.gettempdir()) / "branchline"
    if _is_ours(last):
        yield last


def _is_ours(folder: Path) -> bool:
    """Return whether nobody else can have put files there: anybody may create folders among the temporary ones."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
