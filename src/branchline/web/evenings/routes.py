"""Evenings: games of real tables that a browser has counted and keeps."""

from __future__ import annotations

import functools
from collections.abc import Callable

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import PageError, PageRequest, download, limit, made_page, redirect, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import counted
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store import evenings
from branchline.web.core.store.database import Store
from branchline.web.evenings import games
from branchline.web.evenings import page as evenings_page

PATH = "/evenings"
LONGEST_ID = 24


async def page(req: PageRequest) -> Response:
    """Show all evenings, and who played."""
    server = req.server
    context = await server.live.work(games.context_of, server.store, req.visit, req.client.hash)
    return await made_page(evenings_page.evenings, context)


async def form(req: PageRequest) -> Response:
    """Return what a page made for nobody in particular needs to send an evening: the browser's key, as a cookie, and
    its token.
    """
    return JSONResponse({"csrf": req.visit.csrf}, headers={"cache-control": "no-store"})


async def keep(req: PageRequest) -> Response:
    """Keep an evening; sent twice, it is kept once."""
    limit(req, "saves")
    try:
        row = await req.server.live.work(counted.row_of, req.client.hash, req.fields)
    except Refused as refusal:
        return JSONResponse({"error": refusal.reason, "why": str(refusal)}, 400)
    await req.server.live.write(evenings.keep, req.server.store, row)
    return JSONResponse({"kept": row.id})


async def as_json(req: PageRequest) -> Response:
    """Return all evenings as JSON."""
    return await _file(req, games.as_json, "application/json", "evenings.json")


async def as_csv(req: PageRequest) -> Response:
    """Return all evenings as a table."""
    write = functools.partial(games.as_csv, language=req.visit.language)
    return await _file(req, write, "text/csv; charset=utf-8", "evenings.csv")


async def _file(req: PageRequest, write: Callable[[Store, str], str], kind: str, name: str) -> Response:
    limit(req, "drawings")
    text = await req.server.live.work(write, req.server.store, req.client.hash)
    return download(text, kind, name)


async def forget(req: PageRequest) -> Response:
    """Forget one evening, or all."""
    if req.fields.get("sure", "") != "1":
        raise PageError(400, "bad_request", "tick that you are sure")
    evening = req.fields.get("evening", "")[:LONGEST_ID]
    await req.server.live.write(evenings.forget, req.server.store, req.client.hash, evening)
    return redirect(PATH)


def routes(server: ServerState) -> list[Route]:
    """Return the routes of the evenings."""
    of = functools.partial(route, server)
    return [
        of(PATH, page),
        of(PATH, keep, "POST"),
        of(f"{PATH}/form.json", form),
        of(f"{PATH}/evenings.json", as_json),
        of(f"{PATH}/evenings.csv", as_csv),
        of(f"{PATH}/forget", forget, "POST"),
    ]


FEATURE = Feature(routes, words=("evenings",))
