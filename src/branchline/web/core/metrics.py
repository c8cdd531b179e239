"""What a server measures about itself, for Prometheus.

Every process counts for itself; `serving.metrics_server` adds the figures of all processes up. Labels come from fixed
sets (routes, methods, levels of bots, functions), never from what somebody sends.
"""

from __future__ import annotations

import asyncio
import logging
import platform
from collections.abc import Callable

from prometheus_client import Counter, Gauge, Histogram

from branchline import __version__
from branchline.web.core import caches, memory

_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)

REQUESTS = Histogram(
    "branchline_request_seconds", "Time to answer a request", ("method", "route", "status"), buckets=_QUICK
)
ACTIONS = Counter("branchline_actions", "Actions that were played and stored, of people and bots")
BOTS = Histogram("branchline_bot_seconds", "Time that bots take to choose, waiting included", ("level",), buckets=_SLOW)
DATABASE = Histogram(
    "branchline_database_seconds", "Time of calls to the database, waiting not included", ("call",), buckets=_QUICK
)
NOTICES = Counter(
    "branchline_notices", "Attempts to tell somebody of a turn, and what came of them", ("channel", "outcome")
)
ERRORS = Counter("branchline_errors", "Lines of the log that tell of an error", ("logger",))
LAG = Histogram(
    "branchline_event_loop_lag_seconds", "How late the event loop comes to a task that is due", buckets=_QUICK
)
SOCKETS = Gauge("branchline_websockets", "WebSockets and requests that wait for news", multiprocess_mode="livesum")
ROOMS = Gauge("branchline_rooms_in_memory", "Rooms that are in memory", multiprocess_mode="livesum")
CACHES = Gauge(
    "branchline_cache_bytes", "Bytes that are kept of what was made", ("cache",), multiprocess_mode="livesum"
)
MEMORY = Gauge("branchline_memory_bytes", "Memory of the server processes", multiprocess_mode="livesum")
PROCESSES = Gauge("branchline_processes", "Server processes", multiprocess_mode="livesum")
BUILD = Gauge("branchline_build_info", "Always 1", ("version", "python"), multiprocess_mode="livemax")

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
LOOK = 1.0  # seconds between two looks


async def sample(sockets: Callable[[], int], rooms: Callable[[], int]) -> None:
    """Note once a second what comes and goes."""
    PROCESSES.set(1)
    BUILD.labels(__version__, platform.python_version()).set(1)
    while True:
        SOCKETS.set(sockets())
        ROOMS.set(rooms())
        for name, size in caches.sizes().items():
            CACHES.labels(name).set(size)
        MEMORY.set(memory.resident())
        await asyncio.sleep(LOOK)


class ErrorCounter(logging.Handler):
    """Counts the errors that are logged."""

    def __init__(self) -> None:
        """Begin at the root logger, which sees the records of all."""
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one more error."""
        ERRORS.labels(record.name).inc()
