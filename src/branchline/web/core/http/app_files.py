"""The pages as an app: manifest, service worker, and the page without a network. No cookie is read or set."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from branchline.web.core.http import static_files
from branchline.web.core.http.clients import root
from branchline.web.core.http.page_requests import ASK_AGAIN
from branchline.web.core.pages import app_shell


async def manifest(request: Request) -> Response:
    """Return what the system needs to know about the app, in the language and colours of the page that links to it."""
    query = request.query_params
    text = app_shell.manifest(query.get("language", ""), query.get("theme", ""), root(request))
    return Response(text, media_type="application/manifest+json", headers=ASK_AGAIN)


async def service_worker(request: Request) -> Response:
    """Return the service worker; browsers ask for it at every visit, and take a new one into use at once."""
    return Response(app_shell.service_worker(root(request)), media_type="text/javascript", headers=ASK_AGAIN)


async def offline(request: Request) -> Response:
    """Return what the service worker shows when there is no network."""
    return HTMLResponse(app_shell.offline(root(request)), headers=ASK_AGAIN)


def routes() -> list[Route]:
    """Return the routes of the app's files."""
    answers = ((app_shell.MANIFEST, manifest), (app_shell.WORKER, service_worker), (app_shell.OFFLINE, offline))
    pages = [Route(path, answer, methods=["GET"], include_in_schema=False) for path, answer in answers]
    return [*pages, Route("/static/{name:path}", static_files.static, methods=["GET"], include_in_schema=False)]
