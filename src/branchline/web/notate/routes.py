"""Noting a game of a real table turn by turn: the page, and what makes a record of it. The page sets no cookie."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from branchline.game import NotationError
from branchline.web.core.feature import Feature
from branchline.web.core.http import clients
from branchline.web.core.http.heavy_work import DEEP, status_of
from branchline.web.core.http.page_requests import ASK_AGAIN, PageRequest, limit, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.jobs import JobError
from branchline.web.core.pages import fault_text
from branchline.web.core.pages.desk_words import CountContext
from branchline.web.core.rooms import counted, creation
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store import evenings
from branchline.web.notate import noted_games
from branchline.web.notate import page as notate_page

PATH = "/notate"


async def check(req: PageRequest) -> Response:
    """Return whether a game is possible as noted so far; otherwise where it is not, and why."""
    limit(req, "exercises")
    try:
        text = req.fields.get("text", "")
        game = await req.server.heavy.run(req.http, DEEP, noted_games.noted, text, noted_games.CHECK_SECONDS)
    except (NotationError, JobError) as error:
        return _wrong(req, error)
    return JSONResponse({"over": game.over})


async def keep(req: PageRequest) -> Response:
    """Keep the record of a noted game as a room, and the game among the evenings of the browser."""
    limit(req, "rooms")
    server, live = req.server, req.server.live
    try:
        text = req.fields.get("text", "")
        game, room = await server.heavy.run(req.http, DEEP, noted_games.noted_room, text, req.client.hash)
    except (NotationError, JobError) as error:
        return _wrong(req, error)
    if room is None:
        return JSONResponse({"line": 0, "why": "", "over": False}, 400)
    fields = {"id": req.fields.get("id", ""), "at": req.fields.get("at", ""), "position": game.position}
    try:
        row = await live.work(counted.row_of, req.client.hash, fields)
    except Refused as refusal:
        return JSONResponse({"line": 0, "why": str(refusal)}, 400)
    await creation.from_record(live, room)
    await live.write(evenings.keep, server.store, replace(row, room=room.id))
    return JSONResponse({"room": room.id})


def _wrong(req: PageRequest, error: NotationError | JobError) -> Response:
    line, why = (error.line, error.why) if isinstance(error, NotationError) else (0, error.message)
    return JSONResponse({"line": line, "why": fault_text.told(req.visit.language, why)}, status_of(error))


def routes(server: ServerState) -> list[Route]:
    """Return the routes of notation."""

    async def page(request: Request) -> Response:
        """Show the page that records a game turn by turn; no cookie is read or set."""
        visit = clients.passer_by(request)
        boards = await asyncio.to_thread(offered_boards)
        text = await asyncio.to_thread(notate_page.notate, CountContext(visit, boards))
        return HTMLResponse(text, headers=ASK_AGAIN)

    of = functools.partial(route, server)
    return [
        Route(PATH, page, methods=["GET"], include_in_schema=False),
        of(PATH, keep, "POST"),
        of(f"{PATH}/check", check, "POST"),
    ]


FEATURE = Feature(routes, words=("notate",))
