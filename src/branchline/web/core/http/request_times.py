"""How long requests take, and a line of the log for each if one asks for it. Times are counted by the template of the
route: `/t/{room}`, not the address somebody asked for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

from branchline.web.core import metrics
from branchline.web.core.http.middleware import App, Message, Receive, Scope, Send, address_of

log = logging.getLogger("branchline.requests")

LONGEST = 300  # letters of a path in the log


class RequestTimes:
    """Around everything else."""

    def __init__(self, app: App, routes: Sequence[Any], *, log_requests: bool = False) -> None:
        """Wrap an application with these `routes`: FastAPI's tell which one was taken, Starlette's do not."""
        self.app, self._log = app, log_requests
        self._templates = {route.endpoint: route.path for route in routes if hasattr(route, "endpoint")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in metrics.METHODS else "other"
            route = getattr(scope.get("route"), "path", "") or self._templates.get(scope.get("endpoint"), "other")
            seconds = time.perf_counter() - began
            metrics.REQUESTS.labels(method, route, status).observe(seconds)
            if self._log:
                _log_request(scope, status, 1000 * seconds)


def _log_request(scope: Scope, status: int, milliseconds: float) -> None:
    facts = {
        "method": scope["method"],
        "path": scope["path"][:LONGEST],
        "status": status,
        "milliseconds": round(milliseconds, 1),
        "address": address_of(scope),
    }
    log.info("%s %s %s %s ms %s", *facts.values(), extra=facts)
