"""The table, and the links that lead to it: invitations, watching, another device."""

from __future__ import annotations

import functools
import re
import time
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from branchline.boards import Board
from branchline.web.core.feature import Feature
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    check_key,
    made_page,
    name_given,
    redirect,
    room_named,
    route,
    seat_named,
    visible_room,
)
from branchline.web.core.http.qr_codes import qr_code
from branchline.web.core.http.state import BoardPage, ServerState
from branchline.web.core.http.talking import say
from branchline.web.core.rooms import creation, seats, talk
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.own_games import with_copy
from branchline.web.core.rooms.perspective import (
    Viewer,
    opens_any_seat,
    opens_device,
    opens_seat,
    opens_watching,
    player,
    table_context,
)
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.store.rows import Change
from branchline.web.table import joining
from branchline.web.table import page as table_page
from branchline.web.table.coach.coaching import CoachThreads
from branchline.web.table.joining import JoinContext
from branchline.web.table.websocket import serve

SHOWN = re.compile(r"replay(/\d{1,5})?|analysis", re.ASCII)
PERSPECTIVE = re.compile(r"\w{1,6}", re.ASCII)
AGAIN = "again"  # in the address of a link that is followed a second time, now with a cookie


async def table(req: PageRequest) -> Response:
    """Show the table as its viewer may see it."""
    live_room, viewer = await visible_room(req)
    await req.server.layouts.ready(live_room.room.board)
    now = req.server.live.clock.now()

    def made(room: Room) -> str:
        context = with_copy(table_context(room, viewer, req.server.signer, now), room, req.server.settings)
        html = table_page.table(context)
        live_room.remember_page(context)
        return html

    return await made_page(made, live_room.room)


async def sit(req: PageRequest) -> Response:
    """Take an open seat of an open room."""
    live_room, _ = await visible_room(req)
    if not live_room.room.options.open:
        raise PageError(403, "not_yours")
    return await _take(req, live_room, seat_named(req))


async def _take(req: PageRequest, live_room: LiveRoom, seat: int | None) -> Response:
    """Take a seat; None: whichever is open when it is written."""
    name, key = name_given(req), req.client.hash

    def taken(room: Room) -> tuple[Room, Change]:
        return room.taken(_first_open(room) if seat is None else seat, name, key, time.time())

    await req.server.live.change(live_room, taken)
    return redirect(f"/t/{live_room.room.id}")


async def fill(req: PageRequest) -> Response:
    """Let a bot take an open seat, as the host."""
    live_room, viewer = await visible_room(req)
    if not viewer.host:
        raise PageError(403, "not_yours")
    seat, bot = seat_named(req), req.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot):
        raise PageError(400, "bad_request", "there is no such bot")
    await req.server.live.change(live_room, lambda room: room.filled(seat, bot, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def name(req: PageRequest) -> Response:
    """Change the player's name."""
    live_room, viewer = await visible_room(req)
    seat = seat_named(req, viewer)
    called = name_given(req)
    await req.server.live.change(live_room, lambda room: room.named(seat, called, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def speak(req: PageRequest) -> Response:
    """Say something at the table, where no script does it."""
    live_room, viewer = await visible_room(req)
    seat = seat_named(req, viewer)
    saying = talk.Saying(
        req.fields.get("text", "")[: talk.LONGEST_TYPED],
        req.fields.get("reaction", ""),
        req.fields.get("everybody", "") == "1",
    )
    await say(req.server, live_room, seat, saying, address_of(req.http.scope))
    return redirect(f"/t/{live_room.room.id}#talk")


async def rematch(req: PageRequest) -> Response:
    """Begin a rematch of the same people."""
    live_room, viewer = await visible_room(req)
    if not viewer.mine and not viewer.host:
        raise PageError(403, "not_yours")
    return redirect(f"/t/{await creation.rematch(req.server.live, live_room)}")


# ---------------------------------------------------------------------------------------------------- links


def _invited(req: PageRequest, live_room: LiveRoom) -> int | None:
    """Return the seat that an invitation is for, or None for any open one."""
    invite, signer, room = req.word("invite"), req.server.signer, live_room.room
    fitting = [seat_row.seat for seat_row in room.seats if opens_seat(signer, invite, room.id, seat_row)]
    check_key(req, bool(fitting) or opens_any_seat(signer, invite, room.row))
    return fitting[0] if fitting else None


def _first_open(room: Room) -> int:
    """Return the first open seat. Raise `Refused` if there is none."""
    for seat in room.seats:
        if seat.kind == seats.OPEN:
            return seat.seat
    raise Refused("full", "all seats are taken")


async def join(req: PageRequest) -> Response:
    """Show an invitation before it is accepted, because programs look at links too."""
    live_room = await room_named(req)
    seat = _invited(req, live_room)
    rights = await req.server.live.read(req.server.store.rights, live_room.room.id, req.client.hash)
    if seat in rights or (seat is None and any(right != seats.WATCH for right in rights)):
        return redirect(f"/t/{live_room.room.id}")
    if seat is None:
        seat = _first_open(live_room.room)
    elif live_room.room.seats[seat].kind != seats.OPEN:
        raise PageError(409, "taken")
    return await made_page(joining.join, await _join_context(req, live_room, seat))


async def _join_context(req: PageRequest, live_room: LiveRoom, seat: int, device: bool = False) -> JoinContext:
    nobody = Viewer(visit=req.visit)
    now, room = req.server.live.clock.now(), live_room.room
    of_host = await req.server.live.read(req.server.store.rights, room.id, room.row.host)
    hosts = [right for right in of_host if right != seats.WATCH]
    return JoinContext(
        visit=req.visit,
        room=live_room.room.id,
        board=live_room.room.board,
        players=tuple(
            player(live_room.room, seat_row, nobody, req.server.signer, now) for seat_row in live_room.room.seats
        ),
        seat=seat,
        action=req.http.url.path,
        device=device,
        host=hosts[0] if hosts else None,
    )


async def take(req: PageRequest) -> Response:
    """Accept an invitation."""
    live_room = await room_named(req)
    return await _take(req, live_room, _invited(req, live_room))


async def watch(req: PageRequest) -> Response:
    """Let this browser watch; noted once for each browser, and not for programs that keep no cookies."""
    live_room = await room_named(req)
    check_key(req, opens_watching(req.server.signer, req.word("key"), live_room.room.row))
    if req.client.fresh:
        if AGAIN in req.http.query_params:
            raise PageError(400, "bad_request", "this browser keeps no cookies; allow them to watch")
        query = req.http.query_params
        return redirect(f"{req.http.url.path}?{urlencode({**query, AGAIN: '1'})}")
    room, key = live_room.room.id, req.client.hash
    if seats.WATCH not in await req.server.live.read(req.server.store.rights, room, key):
        await req.server.live.write(req.server.store.allow, room, key, (seats.WATCH,))
    return redirect(f"/t/{room}{_part_of_a_table(req)}")


def _part_of_a_table(req: PageRequest) -> str:
    """Return the part of a table that a link leads to (`to`): a moment of its replay, from a perspective, or its
    analysis.
    """
    query = req.http.query_params
    to, perspective = query.get("to", ""), query.get("perspective", "")
    if not SHOWN.fullmatch(to):
        return ""
    return f"/{to}?perspective={perspective}" if PERSPECTIVE.fullmatch(perspective) else f"/{to}"


async def code(req: PageRequest) -> Response:
    """Return the invitation to any open seat as a QR code, for the host's lobby."""
    live_room, viewer = await visible_room(req)
    path = table_context(live_room.room, viewer, req.server.signer).invite
    if not path:
        raise PageError(404, "not_found")
    return qr_code(req, path)


def _moved(req: PageRequest, live_room: LiveRoom) -> tuple[int, ...]:
    """Return the seats that a link brings to another device."""
    mine = opens_device(req.server.signer, req.word("key"), live_room.room)
    check_key(req, bool(mine))
    return mine


async def device(req: PageRequest) -> Response:
    """Show the same seats on another device before they are moved."""
    live_room = await room_named(req)
    mine = _moved(req, live_room)
    return await made_page(joining.join, await _join_context(req, live_room, mine[0], device=True))


async def move(req: PageRequest) -> Response:
    """Move the seats to another device."""
    live_room = await room_named(req)
    mine = _moved(req, live_room)
    await req.server.live.write(req.server.store.allow, live_room.room.id, req.client.hash, mine)
    return redirect(f"/t/{live_room.room.id}")


def routes(server: ServerState) -> list[Route | WebSocketRoute]:
    """List the addresses."""
    get = functools.partial(route, server)
    post = functools.partial(route, server, method="POST")

    async def socket(websocket: WebSocket) -> None:
        """Keep the table of a viewer up to date, and do what the viewer does."""
        await serve(websocket, server, str(websocket.path_params["room"]))

    return [
        get("/t/{room}", table),
        post("/t/{room}/sit", sit),
        post("/t/{room}/fill", fill),
        post("/t/{room}/name", name),
        post("/t/{room}/talk", speak),
        post("/t/{room}/rematch", rematch),
        get("/t/{room}/code.svg", code),
        get("/j/{room}/{invite}", join, anew=True),
        post("/j/{room}/{invite}", take),
        get("/w/{room}/{key}", watch),
        get("/d/{room}/{key}", device, anew=True),
        post("/d/{room}/{key}", move),
        WebSocketRoute("/ws/{room}", socket),
    ]


async def _board(req: PageRequest) -> Board:
    return (await visible_room(req))[0].room.board


FEATURE = Feature(
    routes,
    words=("d", "j", "t", "w", "ws"),
    parts=(lambda server: CoachThreads(),),
    places=(BoardPage("room", "/t/{room}", _board),),
)
