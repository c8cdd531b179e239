"""How long requests take, by the template of their route: `/t/{room}`, not the address somebody asked for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from branchline.web import metrics
from branchline.web.http.middleware import App, Message, Receive, Scope, Send


class RequestTimes:
    """Around everything else."""

    def __init__(self, app: App, routes: Sequence[Any]) -> None:
        """`routes` of the application: those of FastAPI say themselves which one was taken, those of Starlette not."""
        self.app = app
        self._templates = {route.endpoint: route.path for route in routes if hasattr(route, "endpoint")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
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
            metrics.REQUESTS.labels(method, route, status).observe(time.perf_counter() - began)
