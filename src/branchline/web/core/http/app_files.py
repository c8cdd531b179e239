"""The pages as an app: manifest, service worker, and the page without a network. No cookie is read or set."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from branchline.web import pages
from branchline.web.core.http.clients import root

ASK_AGAIN = {"cache-control": "no-cache"}


async def manifest(request: Request) -> Response:
    """What the system is told about the app, in the language and the colours of the page that names it."""
    query = request.query_params
    text = pages.manifest(query.get("language", ""), query.get("theme", ""), root(request))
    return Response(text, media_type="application/manifest+json", headers=ASK_AGAIN)


async def service_worker(request: Request) -> Response:
    """The service worker; browsers ask for it at every visit, and take a new one into use at once."""
    return Response(pages.service_worker(root(request)), media_type="text/javascript", headers=ASK_AGAIN)


async def offline(request: Request) -> Response:
    """What the service worker shows when there is no network."""
    return HTMLResponse(pages.offline(root(request)), headers=ASK_AGAIN)


def routes() -> list[Route]:
    """The addresses."""
    found = ((pages.MANIFEST, manifest), (pages.WORKER, service_worker), (pages.OFFLINE, offline))
    return [Route(path, answer, methods=["GET"], include_in_schema=False) for path, answer in found]
