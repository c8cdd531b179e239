"""A disk that is full, for a while: no file of this process may become larger than so much."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

import pytest

resource = pytest.importorskip("resource", reason="limits on the size of files are a matter of POSIX")


@contextlib.contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Writing on fails with an `OSError`, as it does on a full disk. `size`: bytes."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
