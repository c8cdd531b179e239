"""The viewer's finished games: the page, files of them all, and having them forgotten."""

from __future__ import annotations

import functools

from starlette.responses import Response
from starlette.routing import Route

from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    download,
    limit,
    made_page,
    number_in,
    redirect,
    route,
)
from branchline.web.core.http.state import ServerState
from branchline.web.my_games import games as my_games
from branchline.web.my_games import page as my_games_page
from branchline.web.my_games import store as results
from branchline.web.my_games.results import keep_results

PATH = "/mine"
LONGEST = 300  # letters of a choice


async def mine(req: PageRequest) -> Response:
    """Show the page, as chosen: a board, opponents, a page of the list."""
    chosen = {name: req.http.query_params.get(name, "")[:LONGEST] for name in ("board", "against")}
    page = number_in(req.http.query_params.get("page", ""), 6)
    server = req.server
    context = await server.live.work(
        my_games.context_of,
        server.store,
        req.visit,
        req.client.hash,
        chosen["board"],
        chosen["against"],
        1 if page is None else page,
    )
    return await made_page(my_games_page.my_games, context)


async def as_json(req: PageRequest) -> Response:
    """Return all games as JSON."""
    limit(req, "drawings")
    text = await req.server.live.work(my_games.as_json, req.server.store, req.client.hash)
    return download(text, "application/json", "games.json")


async def as_csv(req: PageRequest) -> Response:
    """Return all games as a table."""
    limit(req, "drawings")
    text = await req.server.live.work(my_games.as_csv, req.server.store, req.client.hash, req.visit.language)
    return download(text, "text/csv; charset=utf-8", "games.csv")


async def forget(req: PageRequest) -> Response:
    """Forget the finished games of this browser."""
    if req.fields.get("sure", "") != "1":
        raise PageError(400, "bad_request", "tick that you are sure")
    done = await req.server.live.write(results.forget, req.server.store, req.client.hash)
    for room in (*done.deleted, *done.left):
        req.server.live.rooms.pop(room, None)
    return redirect(PATH)


def routes(server: ServerState) -> list[Route]:
    """Return the routes of my games."""

    of = functools.partial(route, server)
    return [
        of(PATH, mine),
        of(f"{PATH}/games.json", as_json),
        of(f"{PATH}/games.csv", as_csv),
        of(f"{PATH}/forget", forget, "POST"),
    ]


FEATURE = Feature(routes, words=("mine",), tasks=(lambda server: keep_results(server.live),))
