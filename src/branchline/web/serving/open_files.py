"""How many files a process may have open: each connection is one."""

from __future__ import annotations

import contextlib
import logging

log = logging.getLogger("branchline.server")

ENOUGH = 4096  # for some thousands of viewers at each process
OWN = 300  # files of a process besides its connections
MOST = 1 << 20  # no machine has more connections, and some systems take no larger number


def allow_many_files() -> int:
    """Raise our own limit as far as we may, also for the processes started from here; say so if that is not far.

    Returns the limit; 0: there is none here.
    """
    try:
        import resource
    except ImportError:
        return 0
    limit, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reachable = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if limit != resource.RLIM_INFINITY and limit < reachable:
        with contextlib.suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (reachable, hard))
        limit = files_allowed()
    if limit and limit < ENOUGH:
        log.warning(
            "a process may have only %s files open, which is enough for %s viewers; allow more with `ulimit -Hn %s`, "
            "or LimitNOFILE in a systemd unit",
            limit,
            max(0, limit - OWN),
            ENOUGH,
        )
    return limit


def files_allowed() -> int:
    """Return how many files this process may have open; 0 if there is no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 0 if limit == resource.RLIM_INFINITY else limit
