"""The application that makes the pages: what a server and a browser of its own (`branchline.site`) have in common."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from branchline.web.core.http import app_files, clients, page_requests
from branchline.web.core.http.head_requests import HeadRequests
from branchline.web.core.http.middleware import Refuse, Scope, SecurityMiddleware
from branchline.web.core.http.rate_limits import RateLimits
from branchline.web.core.http.state import ServerState
from branchline.web.core.http.under_path import UnderPath
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.purging import purge_regularly
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.notifications import (
    NoNotifier,
    Notifier,
    PollingNotifier,
    PostgresNotifier,
    RedisNotifier,
)
from branchline.web.core.store.outage import Unavailable
from branchline.web.core.visit import Visit
from branchline.web.features import features

AWAY = "5"  # seconds after which it is worth asking again


def make_server(settings: Settings) -> ServerState:
    """Return the state that all handlers share, with the database open. Raise `StoreError` when that fails."""
    store = Store(settings.database_url, settings.store_threads)
    live = LiveRooms(store, notifier_for(settings, store), settings)
    return ServerState(settings, store, Signer(store.secret()), live, RateLimits(settings.limits))


def make_page_app(settings: Settings) -> Starlette:
    """Return the pages alone, as an ASGI application: without the API and the metrics."""
    server = make_server(settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with opened(server):
            yield

    app = Starlette(lifespan=lifespan)
    app.router.redirect_slashes = False
    furnish(app, server)
    return under_path(app, server)


def furnish(app: Starlette, server: ServerState) -> None:
    """Give an application all pages, and words for what goes wrong."""
    app.state.server = server
    for feature in features():
        for make in feature.parts:
            server.add(make(server))
        server.places.update({place.word: place for place in feature.places})
    for feature in features():
        app.router.routes += feature.routes(server)
    app.router.routes += app_files.routes()
    app.add_exception_handler(HTTPException, _problem)
    app.add_exception_handler(Unavailable, _away)
    app.add_middleware(
        SecurityMiddleware,
        settings=server.settings,
        rates=server.rates,
        refuse=_refusal(server.settings),
        largest={address: most for feature in features() for address, most in feature.largest.items()},
    )
    app.add_middleware(HeadRequests)


def under_path(app: Starlette, server: ServerState) -> Starlette:
    """Return the application below the path of its address.

    It is outermost, so that all others see paths of their own.
    """
    app.add_middleware(UnderPath, root=server.settings.root)
    return app


def notifier_for(settings: Settings, store: Store) -> Notifier:
    """Return the notifier by which this process hears from the others."""
    if settings.redis:
        return RedisNotifier(settings.redis, store.process)
    if store.postgres:
        url = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        return PostgresNotifier(url, store.process)
    return NoNotifier() if settings.alone else PollingNotifier(settings.poll)


@asynccontextmanager
async def opened(server: ServerState, *tasks: Awaitable[None]) -> AsyncIterator[None]:
    """Open the rooms, with what is done in the background; close everything in the end."""
    await server.live.open()
    background = [asyncio.ensure_future(task) for task in tasks]
    purges = [purge for feature in features() for purge in feature.purges]
    background.append(asyncio.create_task(purge_regularly(server.live, purges)))
    background += [asyncio.create_task(task(server)) for feature in features() for task in feature.tasks]
    try:
        yield
    finally:
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        server.heavy.close()
        server.analyses.close()
        await _close_parts(server)
        await server.live.close()
        server.store.close()


async def _close_parts(server: ServerState) -> None:
    for part in server.parts.values():
        close = getattr(part, "close", None)
        closing = close() if close is not None else None
        if closing is not None:
            await closing


async def _problem(request: Request, error: Exception) -> Response:
    """Return the error page for an unknown address or a wrong method."""
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


async def _away(request: Request, error: Exception) -> Response:
    """Return the error page for a database that is away, or has no room."""
    assert isinstance(error, Unavailable)
    if request.url.path.startswith("/api/"):
        why = "the games cannot be reached at the moment; nothing is lost"
        answer: Response = JSONResponse({"error": "away", "why": why}, 503)
    else:
        visit = clients.passer_by(request)
        answer = page_requests.message_page(visit, 503, error.reason)
    answer.headers["retry-after"] = AWAY
    return answer


def _refusal(settings: Settings) -> Refuse:
    """Return the answer of the guard to those it does not let in."""

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
