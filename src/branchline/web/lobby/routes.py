"""The start page, a new game, and the settings of a browser."""

from __future__ import annotations

import asyncio
import functools

from starlette.responses import Response
from starlette.routing import Route

from branchline.boards import Board
from branchline.game import SetupError
from branchline.web.core.feature import Feature
from branchline.web.core.http import clients
from branchline.web.core.http.page_requests import Fields, PageRequest, limit, made_page, redirect, route, safe_path
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages import browser_settings
from branchline.web.core.rooms import creation, kept_boards, seats
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.perspective import game_line
from branchline.web.core.rooms.room import OVER
from branchline.web.core.seen import GameLine
from branchline.web.core.store.rows import RoomRow
from branchline.web.lobby import page as lobby_page
from branchline.web.lobby.page import HomeContext, NewContext

MOST_SEATS = 5


async def home(req: PageRequest) -> Response:
    """Show editions, my games and open games."""
    server = req.server
    mine = [] if req.client.fresh else await server.live.read(server.store.rooms_of, req.client.hash)
    open_rooms = await server.live.read(server.store.open_rooms)
    own = {room.id for room, _, _ in mine}
    known = {board.id: board for board in await asyncio.to_thread(offered_boards)}
    rooms = [*(room for room, _, _ in mine), *(room for room, _ in open_rooms)]
    on = {room.id: await _board(req, room, known) for room in rooms}
    lines = [
        game_line(room, sitting, seats_, board) for room, sitting, seats_ in mine if (board := on[room.id]) is not None
    ]
    context = HomeContext(
        visit=req.visit,
        boards=tuple(known.values()),
        bots=seats.bots(),
        mine=tuple(sorted(lines, key=_waiting_first)),
        open=tuple(
            game_line(room, sitting, (), board)
            for room, sitting in open_rooms
            if room.id not in own and (board := on[room.id]) is not None
        ),
        usual_bot=seats.usual_bot(),
    )
    return await made_page(lobby_page.home, context)


async def _board(req: PageRequest, room: RoomRow, known: dict[str, Board]) -> Board | None:
    """Return the board of a room: one offered here, or one of the workshop."""
    if kept_boards.MARK not in room.board:
        return known.get(room.board)
    return await req.server.live.read(kept_boards.board_of, req.server.store, room)


def _waiting_first(line: GameLine) -> tuple[bool, bool, float]:
    return not line.your_turn, line.status == OVER, -line.touched


async def real_table(req: PageRequest) -> Response:
    """Show what there is for a game around a real table."""
    return await made_page(lobby_page.real_table, req.visit)


async def new_form(req: PageRequest) -> Response:
    """Show the form for a new room."""
    query = req.http.query_params
    return await _new_page(req, query.get("board", ""), _company(query.get("with", "")), "")


def _company(word: str) -> Fields:
    """Return the first values of a new game with friends: seats for them by invitation, or around this screen."""
    kind = {"link": "open", "screen": "here"}.get(word)
    return {"with": word, **{f"kind{n}": kind for n in range(1, MOST_SEATS)}} if kind else {}


async def _new_page(req: PageRequest, board: str, filled: Fields, problem: str, status: int = 200) -> Response:
    offered = await asyncio.to_thread(offered_boards)
    chosen = next((one for one in offered if one.id == board), offered[0])
    context = NewContext(req.visit, offered, seats.bots(), chosen, filled, problem, seats.usual_bot())
    return await made_page(lobby_page.new, context, status)


async def new(req: PageRequest) -> Response:
    """Create a room."""
    limit(req, "rooms")
    try:
        wish = await asyncio.to_thread(creation.read_form, req.fields, req.client.hash)
        live_room = await creation.create(req.server.live, wish, req.client.hash)
    except SetupError as error:
        filled = {name: value for name, value in req.fields.items() if name != "csrf"}
        return await _new_page(req, req.fields.get("board", ""), filled, str(error), 400)
    return redirect(f"/t/{live_room.room.id}")


async def settings(req: PageRequest) -> Response:
    """Remember how a browser likes its pages."""
    response = redirect(safe_path(req.fields.get("back", "/")))
    for name in ("language", *browser_settings.NAMES):
        if name in req.fields:
            clients.remember_setting(response, req.server, name, req.fields[name])
    return response


async def language(req: PageRequest) -> Response:
    """Choose a language."""
    response = redirect(safe_path(req.http.query_params.get("back", "/")))
    clients.remember_setting(response, req.server, "language", req.word("code"))
    return response


def routes(server: ServerState) -> list[Route]:
    """List the addresses."""
    get = functools.partial(route, server)
    post = functools.partial(route, server, method="POST")
    return [
        get("/", home),
        get("/table", real_table),
        get("/new", new_form),
        post("/new", new),
        post("/settings", settings),
        get("/language/{code}", language),
    ]


FEATURE = Feature(routes, words=("language", "new", "settings", "table"))
