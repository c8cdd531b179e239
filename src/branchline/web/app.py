"""The application: put together, opened and closed."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from branchline import __version__
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.web import html_routes
from branchline.web.api import routes as api
from branchline.web.context import Visit
from branchline.web.core import jobs, metrics
from branchline.web.core.http import app_files, clients, page_requests
from branchline.web.core.http.head_requests import HeadRequests
from branchline.web.core.http.health import WriteCheck
from branchline.web.core.http.heartbeat import watch_loop
from branchline.web.core.http.middleware import Refuse, Scope, SecurityMiddleware
from branchline.web.core.http.rate_limits import RateLimits
from branchline.web.core.http.request_times import RequestTimes
from branchline.web.core.http.state import ServerState
from branchline.web.core.http.under_path import UnderPath
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.purging import purge_regularly
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import Notifier, PollingNotifier, PostgresNotifier, RedisNotifier
from branchline.web.core.store.outage import Unavailable
from branchline.web.count import routes as count_routes
from branchline.web.dealing import routes as deal_routes
from branchline.web.evenings import routes as evening_routes
from branchline.web.exercises import routes as exercise_routes
from branchline.web.lessons import routes as lesson_routes
from branchline.web.my_games import routes as my_games_routes
from branchline.web.my_games.results import keep_results
from branchline.web.notate import routes as notation_routes
from branchline.web.notices import routes as notice_routes
from branchline.web.printed import routes as printed_routes
from branchline.web.rules import routes as rules_routes
from branchline.web.workshop import balance_routes
from branchline.web.workshop import routes as workshop_routes

log = logging.getLogger("branchline.server")

AWAY = "5"  # seconds after which it is worth asking again


def make_app(settings: Settings, *, log_requests: bool = False) -> FastAPI:
    """The server as an ASGI application; opens the database, and raises `StoreError` when it cannot."""
    store = Store(settings.database_url, settings.store_threads)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    rates = RateLimits(settings.limits)
    server = ServerState(settings, store, Signer(store.secret()), live, rates)
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
    app.state.server = server
    app.include_router(api.router(server))
    app.router.routes += html_routes.routes(server)
    app.router.routes += exercise_routes.routes(server)  # before those of lessons, which take any two words
    app.router.routes += lesson_routes.routes(server)
    app.router.routes += notice_routes.routes(server)
    app.router.routes += printed_routes.routes(server)
    app.router.routes += workshop_routes.routes(server)
    app.router.routes += balance_routes.routes(server)
    app.router.routes += rules_routes.routes(server)
    app.router.routes += my_games_routes.routes(server)
    app.router.routes += count_routes.routes(server)
    app.router.routes += evening_routes.routes(server)
    app.router.routes += deal_routes.routes(server)
    app.router.routes += notation_routes.routes(server)
    app.router.routes += app_files.routes()
    app.add_api_route("/healthz", _health(server), include_in_schema=False)
    app.add_api_route("/readyz", _readiness(server), include_in_schema=False)
    app.add_exception_handler(HTTPException, _problem)
    app.add_exception_handler(Unavailable, _away)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(SecurityMiddleware, settings=settings, rates=rates, refuse=_refusal(settings))
    app.add_middleware(HeadRequests)
    app.add_middleware(RequestTimes, routes=app.routes, log_requests=log_requests)
    app.add_middleware(UnderPath, root=settings.root)  # outermost: all others hear paths of ours
    return app


def notifier_for(settings: Settings, store: Store) -> Notifier:
    """How this process hears of the others."""
    if settings.redis:
        return RedisNotifier(settings.redis, store.process)
    if store.postgres:
        url = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        return PostgresNotifier(url, store.process)
    return PollingNotifier(settings.poll)


def _lifespan(server: ServerState) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await server.live.open()
        app.openapi()  # FastAPI works out what its routes take when it is first needed: nobody shall wait for that
        audience, rooms = server.audience, server.live.rooms
        background = [
            asyncio.create_task(watch_loop(metrics.LAG.observe)),
            asyncio.create_task(metrics.sample(lambda: audience.size, lambda: len(rooms))),
        ]
        if server.settings.warm_up:
            background.append(asyncio.create_task(_lay_out(server)))
        if server.notices.channels:
            background.append(asyncio.create_task(server.notices.run()))
        background.append(asyncio.create_task(purge_regularly(server.live)))
        background.append(asyncio.create_task(keep_results(server.live)))
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await server.notices.close()
            server.heavy.close()
            server.analyses.close()
            server.balances.close()
            server.coach_threads.close()
            await server.live.close()
            server.store.close()

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
        """Whether the server is well: it can write into its database, and soon."""
        problem = await checking.problem()
        if problem:
            return JSONResponse({"ok": False, "why": problem, "version": __version__}, 503)
        rooms = len(server.live.rooms)
        return JSONResponse({"ok": True, "warm": server.warm, "rooms": rooms, "version": __version__})

    return health


def _readiness(server: ServerState) -> Any:
    async def ready() -> JsonObject:
        """That this process takes requests, and whether the boards are laid out."""
        return {"ready": True, "warm": server.warm}

    return ready


async def _problem(request: Request, error: Exception) -> Response:
    """No such address, wrong method."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": "not_found", "why": str(error.detail)}, error.status_code, error.headers)
    reason = {404: "not_found"}.get(error.status_code, "bad_request")
    shorter = request.url.path.rstrip("/")
    if error.status_code == 404 and request.method == "GET" and shorter != request.url.path:
        return page_requests.redirect(page_requests.safe_path(shorter))
    answer = page_requests.message_page(
        Visit(path=request.url.path, root=clients.root(request)), error.status_code, reason
    )
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def _away(request: Request, _error: Exception) -> Response:
    """The database is away."""
    if request.url.path.startswith("/api/"):
        why = "the games cannot be reached at the moment; nothing is lost"
        answer: Response = JSONResponse({"error": "away", "why": why}, 503)
    else:
        visit = clients.passer_by(request)
        answer = page_requests.message_page(visit, 503, "away")
    answer.headers["retry-after"] = AWAY
    return answer


def _refusal(settings: Settings) -> Refuse:
    """What the guard says to those it does not let in."""

    def refusal(scope: Scope, status: int, word: str) -> tuple[bytes, str]:
        detail = f"it is at {settings.url}" if word == "elsewhere" else ""
        if scope["path"].startswith("/api/"):
            return json.dumps({"error": word, "why": detail or word.replace("_", " ")}).encode(), "application/json"
        asking = HTTPConnection(scope)
        language = clients.language(asking)
        if status == 403 and page_requests.is_script(asking):
            return json.dumps(page_requests.refusal_json(language, word)).encode(), "application/json"
        visit = Visit(language, nonce=scope["state"]["nonce"], root=settings.root)
        return bytes(page_requests.message_page(visit, status, word, detail).body), "text/html; charset=utf-8"

    return refusal
