"""What a server process is told by the supervisor that starts it."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import BranchlineError
from branchline.web.core.settings import Settings

READY = "ready"
"""What a server process says when it is; otherwise it says what went wrong."""


class ServeError(BranchlineError):
    """The server cannot be started."""


@dataclass(frozen=True)
class ServingPlan:
    """How to serve."""

    settings: Settings
    listening: int  # file descriptor of the socket
    proxies: str = ""  # whose X-Forwarded-For is believed
    quiet: bool = False  # log warnings and errors only
    metrics: str = ""  # ADDRESS:PORT where Prometheus asks; empty: nowhere
    log_format: str = "text"  # or json
    log_requests: bool = False  # a line for each
