"""The table, and the links that lead to it: invitations, watching, another device."""

from __future__ import annotations

import time

from starlette.responses import Response

from branchline.web import pages
from branchline.web.context import JoinContext
from branchline.web.http.middleware import address_of
from branchline.web.http.page_requests import (
    PageError,
    PageRequest,
    check_key,
    made_page,
    name_given,
    redirect,
    room_named,
    seat_named,
    visible_room,
)
from branchline.web.http.talking import say
from branchline.web.rooms import creation, seats, talk
from branchline.web.rooms.live import LiveRoom
from branchline.web.rooms.perspective import Viewer, opens_device, opens_seat, opens_watching, player, table_context
from branchline.web.rooms.room import Room

AGAIN = "again"  # in the address of a link that is followed a second time, now with a cookie


async def table(req: PageRequest) -> Response:
    """The table as its viewer may see it."""
    live_room, viewer = await visible_room(req)
    await req.server.layouts.ready(live_room.room.board)
    now = req.server.live.clock.now()

    def made(room: Room) -> str:
        context = table_context(room, viewer, req.server.signer, now)
        html = pages.table(context)
        live_room.remember_page(context)
        return html

    return await made_page(made, live_room.room)


async def sit(req: PageRequest) -> Response:
    """Take an open seat of an open room."""
    live_room, _ = await visible_room(req)
    if not live_room.room.options.open:
        raise PageError(403, "not_yours")
    return await _take(req, live_room, seat_named(req))


async def _take(req: PageRequest, live_room: LiveRoom, seat: int) -> Response:
    name, key = name_given(req), req.client.hash
    await req.server.live.change(live_room, lambda room: room.taken(seat, name, key, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def fill(req: PageRequest) -> Response:
    """The host lets a bot have an open seat."""
    live_room, viewer = await visible_room(req)
    if not viewer.host:
        raise PageError(403, "not_yours")
    seat, bot = seat_named(req), req.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot):
        raise PageError(400, "bad_request", "there is no such bot")
    await req.server.live.change(live_room, lambda room: room.filled(seat, bot, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def name(req: PageRequest) -> Response:
    """Be called something else."""
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
    """The same people once more."""
    live_room, viewer = await visible_room(req)
    if not viewer.mine and not viewer.host:
        raise PageError(403, "not_yours")
    return redirect(f"/t/{await creation.rematch(req.server.live, live_room)}")


# ---------------------------------------------------------------------------------------------------- links


def _invited(req: PageRequest, live_room: LiveRoom) -> int:
    invite, signer = req.word("invite"), req.server.signer
    fitting = [one.seat for one in live_room.room.seats if opens_seat(signer, invite, live_room.room.id, one)]
    check_key(req, bool(fitting))
    return fitting[0]


async def join(req: PageRequest) -> Response:
    """An invitation: shown first, because programs look at links too."""
    live_room = await room_named(req)
    seat = _invited(req, live_room)
    rights = await req.server.live.read(req.server.store.rights, live_room.room.id, req.client.hash)
    if seat in rights:
        return redirect(f"/t/{live_room.room.id}")
    if live_room.room.seats[seat].kind != seats.OPEN:
        raise PageError(409, "taken")
    return await made_page(pages.join, _join_context(req, live_room, seat))


def _join_context(req: PageRequest, live_room: LiveRoom, seat: int, device: bool = False) -> JoinContext:
    nobody = Viewer(visit=req.visit)
    now = req.server.live.clock.now()
    return JoinContext(
        visit=req.visit,
        room=live_room.room.id,
        board=live_room.room.board,
        players=tuple(player(live_room.room, one, nobody, req.server.signer, now) for one in live_room.room.seats),
        seat=seat,
        action=req.http.url.path,
        device=device,
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
        return redirect(f"{req.http.url.path}?{AGAIN}=1")
    room, key = live_room.room.id, req.client.hash
    if seats.WATCH not in await req.server.live.read(req.server.store.rights, room, key):
        await req.server.live.write(req.server.store.allow, room, key, (seats.WATCH,))
    return redirect(f"/t/{room}")


def _moved(req: PageRequest, live_room: LiveRoom) -> tuple[int, ...]:
    """The seats that a link brings to another device."""
    mine = opens_device(req.server.signer, req.word("key"), live_room.room)
    check_key(req, bool(mine))
    return mine


async def device(req: PageRequest) -> Response:
    """The same seats on another device: shown first."""
    live_room = await room_named(req)
    mine = _moved(req, live_room)
    return await made_page(pages.join, _join_context(req, live_room, mine[0], device=True))


async def move(req: PageRequest) -> Response:
    """The same seats on another device."""
    live_room = await room_named(req)
    mine = _moved(req, live_room)
    await req.server.live.write(req.server.store.allow, live_room.room.id, req.client.hash, mine)
    return redirect(f"/t/{live_room.room.id}")
