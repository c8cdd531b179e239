"""Dealing for a real board by address: the page to begin on, and what is behind the links of a table.

A link is all that one needs: whoever opens the link of a seat holds its cards, on whatever phone. So a phone that dies
is no loss, and a link that was seen by the wrong eyes is made anew by the host.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from branchline.boards import Board
from branchline.game import SetupError
from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    check_key,
    limit,
    made_page,
    number_in,
    redirect,
    route,
)
from branchline.web.core.http.qr_codes import qr_code
from branchline.web.core.http.state import BoardPage, ServerState
from branchline.web.core.rooms.boards import board_by_name, offered_boards
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.kept_boards import MadeBoard, keep_made
from branchline.web.core.rooms.room import Refused
from branchline.web.dealing import page as dealing_page
from branchline.web.dealing.live import LiveTable, LiveTables
from branchline.web.dealing.page import DealDoorContext, DealLink, DealStartContext
from branchline.web.dealing.perspective import deal_context, players
from branchline.web.dealing.socket import Watched, serve
from branchline.web.dealing.store import purge
from branchline.web.dealing.table import RELINK, SIT, DealingTable, new_table, record_of

PATH = "/deal"
AT = PATH + "/{dealing}/{key}"
OF_A_DRAFT = "/workshop/{draft}/{key}/deal"
HOST, EVERYBODY, SCREEN = "host", "everybody", "screen"
MOST_NAMES = 12  # fields of the form


@dataclass(frozen=True)
class OpenedTable:
    """A table behind a link, and what the link is for."""

    here: LiveTable
    right: str  # HOST, EVERYBODY, SCREEN; empty: of a seat
    seat: int | None
    path: str

    @property
    def table(self) -> DealingTable:
        """As it is now."""
        return self.here.table


def _parts(table: DealingTable, right: str | int) -> tuple[object, ...]:
    """Return what the signature in a link is about; for a seat, also how often its link was renewed."""
    return ("deal", table.row.id, right, *([table.desk.links[right]] if isinstance(right, int) else []))


def link(server: ServerState, table: DealingTable, right: str | int) -> str:
    """Return the path of a link: a word for one of the rights above, a number for a seat."""
    return f"{PATH}/{table.row.id}/{server.signer.link(*_parts(table, right))}"


async def opened(server: ServerState, dealing: str, key: str) -> OpenedTable | None:
    """Return the table in an address, if the key there opens any part of it."""
    here = await server.part(LiveTables).get(dealing) if is_room_id(dealing) else None
    if here is None:
        return None
    for right in (*range(len(here.table.desk.names)), HOST, EVERYBODY, SCREEN):
        if server.signer.opens(key, *_parts(here.table, right)):
            path = f"{PATH}/{dealing}/{key}"
            return OpenedTable(
                here, right if isinstance(right, str) else "", None if isinstance(right, str) else right, path
            )
    return None


async def behind(req: PageRequest, *rights: str) -> OpenedTable:
    """Return the same for a page; with `rights`, only for one of these."""
    table = await opened(req.server, req.word("dealing"), req.word("key"))
    check_key(req, table is not None and (not rights or table.right in rights))
    assert table is not None
    return table


# ------------------------------------------------------------------------------------------------ beginning


async def start(req: PageRequest) -> Response:
    """Show where a table begins, on one of the boards offered here or on that of a draft."""
    made_board = await _made(req)
    return await _start(req, (made_board.board,) if made_board else await asyncio.to_thread(offered_boards))


async def _made(req: PageRequest) -> MadeBoard | None:
    """Return the board in the address unless it is an edition: such a board is kept with the table."""
    for word, place in req.server.places.items():
        if word in req.http.path_params and place.made is not None:
            made_board: MadeBoard = await place.made(req)
            return made_board
    return None


async def _start(req: PageRequest, boards: tuple[Board, ...], problem: str = "", status: int = 200) -> Response:
    context = DealStartContext(req.visit, req.http.url.path, boards, dict(req.fields), problem)
    return await made_page(dealing_page.deal_start, context, status)


async def begin(req: PageRequest) -> Response:
    """Begin a new table, and give its host the links to hand out."""
    limit(req, "rooms")
    made_board = await _made(req)
    try:
        table = await asyncio.to_thread(_begun, req.fields, made_board)
    except SetupError as error:
        boards = (made_board.board,) if made_board else await asyncio.to_thread(offered_boards)
        return await _start(req, boards, error.message, 400)
    if made_board:
        await req.server.live.write(keep_made, req.server.store, made_board)
    await req.server.part(LiveTables).add(table)
    return redirect(link(req.server, table, HOST))


def _begun(fields: Mapping[str, str], made_board: MadeBoard | None) -> DealingTable:
    names = [fields.get(f"name{n}", "")[:200] for n in range(MOST_NAMES)]
    if made_board:
        return new_table(made_board.name, made_board.board, names, time.time())
    board = board_by_name(fields.get("board", ""))
    return new_table(board.id, board, names, time.time())


# ------------------------------------------------------------------------------------------------ at a table


async def page(req: PageRequest) -> Response:
    """Show what is behind a link."""
    at = await behind(req)
    if at.right in (HOST, EVERYBODY):
        return await _door(req, at)
    context = await asyncio.to_thread(deal_context, at.table, at.seat, req.visit, at.path)
    return await made_page(dealing_page.deal, context)


async def _door(req: PageRequest, at: OpenedTable, problem: str = "", status: int = 200) -> Response:
    table = at.table
    context = DealDoorContext(req.visit, at.path, table.board, players(table), taken=table.desk.taken, problem=problem)
    if at.right == HOST:
        context = DealDoorContext(
            req.visit,
            at.path,
            table.board,
            players(table),
            tuple(_link(req, table, seat) for seat in range(len(table.desk.names))),
            table.desk.taken,
            _link(req, table, EVERYBODY),
            _link(req, table, SCREEN),
            problem,
        )
    return await made_page(dealing_page.deal_door, context, status)


def _link(req: PageRequest, table: DealingTable, right: str | int) -> DealLink:
    path = link(req.server, table, right)
    taken = isinstance(right, int) and table.desk.taken[right]
    return DealLink(path, taken)


async def take(req: PageRequest) -> Response:
    """Take one of the names: on to the seat's own link."""
    at = await behind(req, EVERYBODY)
    seat = _seat(req, at.table)
    try:
        table = await req.server.part(LiveTables).change(
            at.table.row.id, lambda now: now.quietly(seat, SIT, time.time())
        )
    except Refused as refusal:
        return await _door(req, at, refusal.reason, 409)
    return redirect(link(req.server, table, seat))


async def relink(req: PageRequest) -> Response:
    """Make a new link for a seat; the old one stops working."""
    at = await behind(req, HOST)
    seat = _seat(req, at.table)
    await req.server.part(LiveTables).change(at.table.row.id, lambda now: now.quietly(seat, RELINK, time.time()))
    return redirect(at.path)


async def code(req: PageRequest) -> Response:
    """Return a link of the host's page as a QR code."""
    at = await behind(req, HOST)
    target = req.word("what")
    seat = number_in(target, 2)
    if target not in (EVERYBODY, SCREEN) and (seat is None or seat >= len(at.table.desk.names)):
        raise PageError(404, "not_found")
    return qr_code(req, link(req.server, at.table, target if seat is None else seat))


async def record(req: PageRequest) -> Response:
    """Return everything that was dealt, when all tickets lie open."""
    at = await behind(req)
    if not at.table.over:
        raise PageError(409, "running")
    return JSONResponse(record_of(at.table))


def _seat(req: PageRequest, table: DealingTable) -> int:
    seat = number_in(req.fields.get("seat", ""), 2)
    if seat is None or seat >= len(table.desk.names):
        raise PageError(400, "bad_request", "seat: expected the number of one")
    return seat


def routes(server: ServerState) -> list[Route | WebSocketRoute]:
    """Return the routes of dealing."""
    of = functools.partial(route, server)

    async def socket(websocket: WebSocket) -> None:
        """Keep a dealt table up to date behind a link, and do what its seat does."""
        dealing, key = str(websocket.path_params["dealing"]), str(websocket.path_params["key"])
        await serve(websocket, server, lambda: _watched(server, dealing, key))

    return [
        of(PATH, start),
        of(PATH, begin, "POST"),
        of(OF_A_DRAFT, start),
        of(OF_A_DRAFT, begin, "POST"),
        of(AT, page),
        of(f"{AT}/take", take, "POST", signed=True),
        of(f"{AT}/link", relink, "POST", signed=True),
        of(f"{AT}/code/{{what}}.svg", code),
        of(f"{AT}/record.json", record),
        WebSocketRoute("/ws/deal/{dealing}/{key}", socket),
    ]


async def _watched(server: ServerState, dealing: str, key: str) -> Watched | None:
    """Return what a socket shows: a seat, or what lies open."""
    at = await opened(server, dealing, key)
    if at is None or at.right in (HOST, EVERYBODY):
        return None
    right = SCREEN if at.seat is None else at.seat
    return Watched(at.here, at.seat, at.path, lambda table: server.signer.opens(key, *_parts(table, right)))


async def _board(req: PageRequest) -> Board:
    return (await behind(req)).table.board


FEATURE = Feature(
    routes,
    words=("deal",),
    parts=(lambda server: LiveTables(server.live),),
    places=(BoardPage("dealing", AT, _board),),
    purges=((purge, "deleted %s dealt tables at which nobody has done anything for %g days"),),
)
