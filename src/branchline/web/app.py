"""The application of a server: the pages, the API, and what measures it."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse

from branchline import __version__
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.web.api import routes as api
from branchline.web.core import jobs, metrics
from branchline.web.core.http.health import WriteCheck
from branchline.web.core.http.heartbeat import watch_loop
from branchline.web.core.http.request_times import RequestTimes
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.settings import Settings
from branchline.web.page_app import furnish, make_server, notifier_for, opened, under_path

__all__ = ["make_app", "notifier_for"]

log = logging.getLogger("branchline.server")


def make_app(settings: Settings, *, log_requests: bool = False) -> FastAPI:
    """Return the server as an ASGI application, with its database open. Raise `StoreError` when that fails."""
    server = make_server(settings)
    app = FastAPI(
        title="branchline",
        version=__version__,
        description=api.ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        servers=[{"url": settings.root}] if settings.root else None,
        redirect_slashes=False,  # it would make whole addresses of what the Host header says
        lifespan=_lifespan(server),
    )
    app.include_router(api.router(server))
    app.add_api_route("/healthz", _health(server), include_in_schema=False)
    app.add_api_route("/readyz", _readiness(server), include_in_schema=False)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    furnish(app, server)
    app.add_middleware(RequestTimes, routes=app.routes, log_requests=log_requests)
    under_path(app, server)
    return app


def _lifespan(server: ServerState) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.openapi()  # FastAPI works out what its routes take when it is first needed: nobody shall wait for that
        audience, rooms = server.audience, server.live.rooms
        background: list[Awaitable[None]] = [
            watch_loop(metrics.LAG.observe),
            metrics.sample(lambda: audience.size, lambda: len(rooms)),
        ]
        if server.settings.warm_up:
            background.append(_lay_out(server))
        async with opened(server, *background):
            yield

    return lifespan


async def _lay_out(server: ServerState) -> None:
    """See to it that every board can be drawn at once, and that the process is there which others are forked from."""
    try:
        await asyncio.to_thread(kernel.new_array, 1, np.int64)  # loads the engine: on a new machine, half a second
        await asyncio.to_thread(jobs.prepare)
        for board in await asyncio.to_thread(offered_boards):
            await server.layouts.ready(board)
        gc.freeze()  # what is there now stays: no need to look at it again and again
        server.warm = True
    except Exception:  # whoever needs it will wait for it, or be told what is wrong
        log.exception("the boards could not be laid out before they are needed")


def _health(server: ServerState) -> Any:
    checking = WriteCheck(server.live)

    async def health() -> JSONResponse:
        """Return whether the server is well: it can write into its database, and soon."""
        problem = await checking.problem()
        if problem:
            return JSONResponse({"ok": False, "why": problem, "version": __version__}, 503)
        rooms = len(server.live.rooms)
        return JSONResponse({"ok": True, "warm": server.warm, "rooms": rooms, "version": __version__})

    return health


def _readiness(server: ServerState) -> Any:
    async def ready() -> JsonObject:
        """Return that this process takes requests, and whether the boards are laid out."""
        return {"ready": True, "warm": server.warm}

    return ready
