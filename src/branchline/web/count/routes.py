"""Counting a game of a real table: the page, and the facts of a board. No cookie is set, so browsers may keep both."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from branchline.web.core.feature import Feature
from branchline.web.core.http import clients
from branchline.web.core.http.middleware import policy
from branchline.web.core.http.page_requests import ASK_AGAIN
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages.desk_words import CountContext
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.visit import Visit
from branchline.web.count import page as count_page

PATH = "/count"
MAY_LISTEN = {"permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=()"}
"""Routes may be spoken. The browser asks before it listens, and only a press makes it."""


def _may_count(visit: Visit) -> dict[str, str]:
    return {"content-security-policy": policy(visit.nonce, runs_engine=True)}


def routes(server: ServerState) -> list[Route]:
    """Return the routes of scoring."""

    async def page(request: Request) -> Response:
        """Show the page that scores a game at the table; no cookie is read or set."""
        visit = clients.passer_by(request)
        boards = await asyncio.to_thread(offered_boards)
        text = await asyncio.to_thread(count_page.count, CountContext(visit, boards))
        return HTMLResponse(text, headers=ASK_AGAIN | MAY_LISTEN | _may_count(visit))

    async def facts(request: Request) -> Response:
        """Return the facts of a board in the `language` that is asked for."""
        boards = {board.id: board for board in await asyncio.to_thread(offered_boards)}
        board = boards.get(str(request.path_params["board"]))
        language = request.query_params.get("language", "")
        if board is None or language not in clients.languages():
            return Response(status_code=404)
        text = await asyncio.to_thread(count_page.count_facts, board, language)
        return Response(text, media_type="application/json", headers=ASK_AGAIN)

    return [
        Route(PATH, page, methods=["GET"], include_in_schema=False),
        Route(f"{PATH}/{{board}}.json", facts, methods=["GET"], include_in_schema=False),
    ]


FEATURE = Feature(routes, words=("count",))
