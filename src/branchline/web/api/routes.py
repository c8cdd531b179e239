"""The JSON API: with it a program can create, join, watch and play whole games. Documented by OpenAPI.

Whoever creates or joins is given a token for its seat and sends it as `Authorization: Bearer …`. A seat's state is
given twice: in words, and as the bytes of the redacted record for those who use the package (`Game.resume`).
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from branchline.boards import BranchlineError
from branchline.game import IllegalAction
from branchline.plain_data import JsonObject
from branchline.web.api.answers import board_json, events_since, legal_json, player_json, state_json
from branchline.web.api.requests import (
    OPTIONS,
    ActionRequest,
    ApiError,
    ErrorBody,
    FillRequest,
    JoinRequest,
    NewRoom,
    NewSeat,
    RoomId,
    SayRequest,
    SeatRequest,
)
from branchline.web.core.http import clients
from branchline.web.core.http.audience import Full
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.state import ServerState
from branchline.web.core.http.talking import say
from branchline.web.core.room_options import options_of
from branchline.web.core.rooms import creation, guided, seats, talk
from branchline.web.core.rooms.boards import board_by_name, offered_boards
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.perspective import Viewer, opens_seat, table_context
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.security.tokens import new_token, token_hash
from branchline.web.core.store.rows import Change
from branchline.web.core.visit import Visit

ABOUT = """Railway-route board games for programs. Create a room (or join one), keep the token you are given, and send
it as `Authorization: Bearer TOKEN`. Then: read `state` and `legal`, post to `actions`, wait with `events`."""

LONGEST_WAIT = 30.0
_STATUS = {
    **dict.fromkeys(("stale", "over", "taken", "nothing_to_undo", "running", "no_talk", "reactions_only"), 409),
    "not_yours": 403,
    "empty": 422,
    "too_long": 422,
    "too_fast": 429,
}


class _Route(APIRoute):
    """Turns refusals into answers."""

    def get_route_handler(self) -> Any:
        """Return the handler, with its exceptions put into words."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Any:
            try:
                return await inner(request)
            except ApiError as error:
                return JSONResponse(error.body, error.status)
            except IllegalAction as error:
                return JSONResponse({"error": "illegal", "why": error.why, "legal": list(error.legal)[:200]}, 422)
            except Refused as refusal:
                return JSONResponse({"error": refusal.reason, "why": str(refusal)}, _STATUS.get(refusal.reason, 409))
            except Unreadable as error:
                return JSONResponse({"error": "broken", "why": str(error)}, 410)
            except RequestValidationError as error:
                return JSONResponse({"error": "bad_request", "why": _first(error)}, 422)
            except BranchlineError as error:
                return JSONResponse({"error": "bad_request", "why": str(error)}, 422)

        return handle


def _first(error: RequestValidationError) -> str:
    faults = error.errors()
    if not faults:
        return "not understood"
    where = ".".join(str(part) for part in faults[0]["loc"][1:])
    return f"{where}: {faults[0]['msg']}" if where else str(faults[0]["msg"])


_ERRORS: dict[int | str, JsonObject] = {
    status: {"model": ErrorBody, "description": words}
    for status, words in {
        400: "not understood",
        401: "a token is needed",
        403: "not yours",
        404: "not found, or not for you",
        409: "not now: stale, taken, over, still running",
        410: "played by rules that are no longer there",
        413: "too large",
        422: "wrong: bad fields, or an illegal action",
        429: "too many",
        503: "the games cannot be reached at the moment",
    }.items()
}


def router(server: ServerState) -> APIRouter:
    """Return the routes of the API."""
    api = APIRouter(prefix="/api/v1", route_class=_Route, responses=_ERRORS)
    endpoints = Endpoints(server)
    api.get("/boards", tags=["boards"])(endpoints.boards)
    api.get("/boards/{board}", tags=["boards"])(endpoints.board)
    api.get("/bots", tags=["boards"])(endpoints.bots)
    api.get("/rooms", tags=["rooms"])(endpoints.open_rooms)
    api.post("/rooms", tags=["rooms"], status_code=201)(endpoints.create)
    api.get("/rooms/{room}", tags=["rooms"])(endpoints.room)
    api.post("/rooms/{room}/join", tags=["rooms"])(endpoints.join)
    api.post("/rooms/{room}/fill", tags=["rooms"])(endpoints.fill)
    api.post("/rooms/{room}/links", tags=["rooms"])(endpoints.links)
    api.post("/rooms/{room}/rematch", tags=["rooms"])(endpoints.rematch)
    api.get("/rooms/{room}/record", tags=["rooms"])(endpoints.record)
    api.get("/rooms/{room}/state", tags=["play"])(endpoints.state)
    api.get("/rooms/{room}/legal", tags=["play"])(endpoints.legal)
    api.get("/rooms/{room}/payments", tags=["play"])(endpoints.payments)
    api.get("/rooms/{room}/events", tags=["play"])(endpoints.events)
    api.get("/rooms/{room}/talk", tags=["talk"])(endpoints.talk)
    api.post("/rooms/{room}/talk", tags=["talk"])(endpoints.say)
    api.post("/rooms/{room}/actions", tags=["play"])(endpoints.act)
    api.post("/rooms/{room}/undo", tags=["play"])(endpoints.undo)
    api.post("/rooms/{room}/resign", tags=["play"])(endpoints.resign)
    return api


class Endpoints:
    """Answers the requests; each method is one of them."""

    def __init__(self, server: ServerState) -> None:
        """Begin with the state of a server."""
        self.server, self.live = server, server.live

    # ------------------------------------------------------------------------------------------------ boards

    async def boards(self) -> list[JsonObject]:
        """Return the boards that can be played here."""
        offered = await asyncio.to_thread(offered_boards)
        return [
            {"id": board.id, "title": board.title, "seats": list(board.seats), "rules_version": board.rules_version}
            for board in offered
        ]

    async def board(self, board: Annotated[str, Path(max_length=60)]) -> JsonObject:
        """Return all that is printed on a board: places, routes and tickets, with the numbers that actions and
        events use.
        """
        try:
            board_found = await asyncio.to_thread(board_by_name, board)
        except BranchlineError as error:
            raise ApiError(404, "not_found", str(error)) from None
        return board_json(board_found)

    async def bots(self) -> list[str]:
        """Return the bots that can be asked to sit down, best first."""
        return list(seats.bots())

    # ------------------------------------------------------------------------------------------------ rooms

    async def open_rooms(self) -> list[JsonObject]:
        """Return rooms that anybody may join or watch."""
        rooms = await self.live.read(self.server.store.open_rooms)
        return [
            {
                "room": room.id,
                "board": room.board,
                "turns": room.turns,
                "open_seats": [seat.seat for seat in sitting if seat.kind == seats.OPEN],
            }
            for room, sitting in rooms
        ]

    async def create(self, body: NewRoom, request: Request) -> JsonObject:
        """Create a room. The token opens the seats that are `me`, and makes its holder the host."""
        if not self.server.rates.allow("rooms", address_of(request.scope)):
            raise ApiError(429, "too_many", "too many rooms; wait a little")
        token = clients.bearer(request) or new_token()
        mine = token_hash(token)
        options = options_of(body.model_dump(include=set(OPTIONS)))
        sitting = tuple(_sitting(n, seat, mine) for n, seat in enumerate(body.seats))
        first = body.first_seat
        new_room = await creation.create(
            self.live, creation.RoomSetup(body.board, sitting, options, body.seed, first), mine
        )
        return self._room_json(new_room.room, Viewer(tuple(n for n, s in enumerate(sitting) if s.key), None, True)) | {
            "token": token
        }

    async def join(self, room: RoomId, body: JoinRequest, request: Request) -> JsonObject:
        """Take an open seat, by its invite key or because the room is open."""
        live_room = await self._live_room(room)
        if body.seat >= len(live_room.room.seats):
            raise ApiError(404, "not_found", "there is no such seat")
        if body.invite:
            if not opens_seat(self.server.signer, body.invite, live_room.room.id, live_room.room.seats[body.seat]):
                if not self.server.rates.allow("guesses", address_of(request.scope)):
                    raise ApiError(429, "too_many", "too many wrong keys")
                raise ApiError(404, "not_found", "no such room or invitation")
        elif not live_room.room.options.open:
            raise ApiError(404, "not_found", "no such room or invitation")
        token = clients.bearer(request) or new_token()
        name, key = seats.clean_name(body.name), token_hash(token)
        await self.live.change(live_room, lambda now: now.taken(body.seat, name, key, time.time()))
        return {"room": live_room.room.id, "seat": body.seat, "token": token}

    async def fill(self, room: RoomId, body: FillRequest, request: Request) -> JsonObject:
        """Let a bot take an open seat, as the host."""
        live_room, viewer = await self._seen(room, request)
        if not viewer.host:
            raise ApiError(403, "not_yours", "only the host may give seats to bots")
        bot = _bot(body.bot)
        await self.live.change(live_room, lambda now: now.filled(body.seat, bot, time.time()))
        return self._room_json(live_room.room, viewer)

    async def links(self, room: RoomId, request: Request) -> JsonObject:
        """Make new links; the old ones stop working. The host's: to open seats and for watching. Everybody's: to their
        own seats on another device.
        """
        live_room, viewer = await self._seen(room, request)
        await self.live.change(live_room, lambda now: now.relinked(viewer.mine, viewer.host, time.time()))
        return self._room_json(live_room.room, viewer)

    async def room(self, room: RoomId, request: Request) -> JsonObject:
        """Return who sits where, and how far the game is."""
        live_room, viewer = await self._seen(room, request)
        return self._room_json(live_room.room, viewer)

    async def rematch(self, room: RoomId, request: Request) -> JsonObject:
        """Begin a rematch of the same people; the same room for all who ask. Old tokens open the same seats there."""
        live_room, viewer = await self._seen(room, request)
        if not viewer.mine and not viewer.host:
            raise ApiError(403, "not_yours", "only those who sat at the table may ask")
        return {"room": await creation.rematch(self.live, live_room)}

    async def record(self, room: RoomId, request: Request) -> JsonObject:
        """Return the record of a finished game."""
        live_room, _ = await self._seen(room, request)
        if live_room.room.row.status != OVER:
            raise ApiError(409, "running", "the record can be had when the game is over")
        return await asyncio.to_thread(live_room.room.record().to_table)

    # ------------------------------------------------------------------------------------------------ playing

    async def state(
        self, room: RoomId, request: Request, seat: Annotated[int | None, Query(ge=0, le=7)] = None
    ) -> JsonObject:
        """Return the game as the sender's seat may know it, in words and as the bytes of the redacted record
        (base64).
        """
        live_room, viewer = await self._seen(room, request)
        seen = _seat_seen(live_room.room, viewer, seat)
        return await asyncio.to_thread(state_json, live_room.room, viewer, seen)

    async def legal(
        self, room: RoomId, request: Request, seat: Annotated[int | None, Query(ge=0, le=7)] = None
    ) -> JsonObject:
        """Return what the sender's seat may do now; nothing when another seat is asked."""
        live_room, viewer = await self._seen(room, request)
        seen = _seat_seen(live_room.room, viewer, seat)
        asked = seen is not None and live_room.room.row.asked == seen and live_room.room.row.status != OVER
        return await asyncio.to_thread(legal_json, live_room.room, viewer, seen, asked)

    async def payments(
        self,
        room: RoomId,
        request: Request,
        action: Annotated[str, Query(max_length=300)] = "",
        seat: Annotated[int | None, Query(ge=0, le=7)] = None,
    ) -> JsonObject:
        """Return all ways to pay for an action, fewest wilds first; without one: to go on with the open payment."""
        live_room, viewer = await self._seen(room, request)
        seen = _seat_seen(live_room.room, viewer, seat)
        if seen is None or live_room.room.row.asked != seen or live_room.room.row.status == OVER:
            raise ApiError(403, "not_yours", "it is not your question")
        payments = await asyncio.to_thread(live_room.room.perspective(seen)[0].payments, action or None)
        return {
            "version": live_room.room.version_for(viewer.mine),
            "payments": [{"text": payment.text, "wilds": payment.wilds} for payment in payments],
        }

    async def events(
        self,
        room: RoomId,
        request: Request,
        since: Annotated[int, Query(ge=0, le=1 << 30, description="a version")] = 0,
        wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="seconds to wait for something new")] = 0.0,
    ) -> JsonObject:
        """Return what happened after a version, as the sender's seats may know it. Wait a while when nothing has."""
        live_room, viewer = await self._seen(room, request)
        if wait and live_room.room.version_for(viewer.mine) <= since:
            try:
                with self.server.audience.place(live_room.room.id, viewer, address_of(request.scope)):
                    await self._wait(live_room, viewer, since, wait)
            except Full as full:
                raise ApiError(429, "too_many", str(full)) from None
        now = live_room.room
        return {
            "version": now.version_for(viewer.mine),
            "over": now.row.status == OVER,
            "asked": now.row.asked if now.row.status != OVER else None,
            "events": events_since(now, viewer, since),
        }

    async def _wait(self, live_room: LiveRoom, viewer: Viewer, since: int, seconds: float) -> None:
        """Wait until there is something new for this viewer, or the time is up."""
        poll = _LongPoll(viewer.mine)
        try:
            await self.live.presence.arrived(live_room, poll)
            async with asyncio.timeout(seconds):
                while live_room.room.version_for(viewer.mine) <= since and not self.live.leaving:
                    await poll.something()
        except TimeoutError:
            pass
        finally:
            live_room.watchers.discard(poll)

    async def act(self, room: RoomId, body: Annotated[ActionRequest, Body()], request: Request) -> JsonObject:
        """Do something. 409 `stale` when something has happened since `version`; 422 `illegal` says why."""
        live_room, viewer = await self._seen(room, request)
        seat = _own(live_room.room, viewer, body.seat)
        if isinstance(body.action, str) and (len(body.action) > 1000 or not body.action.isprintable()):
            raise ApiError(422, "illegal", "that is no action")
        if isinstance(body.action, int) and not 0 <= body.action < 1 << 20:
            raise ApiError(422, "illegal", "that is no action")

        def play(now: Room) -> tuple[Room, Change]:
            if body.version != now.version_for(viewer.mine):
                raise Refused("stale", "something has happened since")
            if now.seats[seat].resigned:
                raise Refused("not_yours", "this seat has resigned")
            return now.played(seat, body.action, time.time())

        return self._done(await self._changed(live_room, viewer, play), viewer, body.version)

    async def undo(self, room: RoomId, body: Annotated[SeatRequest, Body()], request: Request) -> JsonObject:
        """Take one's last step back, as long as nobody acted since and nothing hidden was shown; alone, always."""
        live_room, viewer = await self._seen(room, request)
        seat = _own(live_room.room, viewer, body.seat)
        before = live_room.room.version_for(viewer.mine)
        return self._done(
            await self._changed(live_room, viewer, lambda now: now.undone(seat, time.time())), viewer, before
        )

    async def resign(self, room: RoomId, body: Annotated[SeatRequest, Body()], request: Request) -> JsonObject:
        """Leave the seat to a bot, for good."""
        live_room, viewer = await self._seen(room, request)
        seat = _own(live_room.room, viewer, body.seat)
        before = live_room.room.version_for(viewer.mine)
        after = await self._changed(
            live_room, viewer, lambda now: now.stood_in(seat, "resign", seats.stand_in(), time.time())
        )
        return self._done(after, viewer, before)

    async def _changed(self, live_room: LiveRoom, viewer: Viewer, act: Any) -> Room:
        try:
            return await guided.change(self.live, live_room, act, viewer.visit.language, time.time())
        except Refused as refusal:
            if refusal.reason == "stale":
                version = live_room.room.version_for(viewer.mine)
                raise ApiError(409, "stale", str(refusal), version=version) from None
            raise

    def _done(self, room: Room, viewer: Viewer, before: int) -> JsonObject:
        return {
            "version": room.version_for(viewer.mine),
            "over": room.row.status == OVER,
            "asked": room.row.asked if room.row.status != OVER else None,
            "events": events_since(room, viewer, before),
        }

    # ------------------------------------------------------------------------------------------------ talk

    async def talk(
        self,
        room: RoomId,
        request: Request,
        since: Annotated[float, Query(ge=0.0, allow_inf_nan=False, description="`at` of the last line one has")] = 0.0,
    ) -> list[JsonObject]:
        """Return what was said at the table after a moment, the latest last; spectators see what is meant for
        everybody.
        """
        live_room, viewer = await self._seen(room, request)
        return [dataclasses.asdict(line) for line in talk.heard(live_room.room, viewer.mine) if line.at > since]

    async def say(self, room: RoomId, body: Annotated[SayRequest, Body()], request: Request) -> JsonObject:
        """Say something at the table. Only those who hold a seat may. Answers with the line as it is shown."""
        live_room, viewer = await self._seen(room, request)
        seat = _own(live_room.room, viewer, body.seat)
        saying = talk.Saying(body.text, body.reaction, body.everybody)
        await say(self.server, live_room, seat, saying, address_of(request.scope))
        mine = [line for line in talk.heard(live_room.room, viewer.mine) if line.seat == seat]
        return dataclasses.asdict(mine[-1])

    # ------------------------------------------------------------------------------------------------ who asks

    async def _live_room(self, room: str) -> LiveRoom:
        live_room = await self.live.get(room, fresh=self.server.store.shared) if is_room_id(room) else None
        if live_room is None:
            raise ApiError(404, "not_found", "no such room, or it is not for you")
        return live_room

    async def _seen(self, room: str, request: Request) -> tuple[LiveRoom, Viewer]:
        """Return a room that the sender may see.

        Cookies do not count here, so no foreign page can act for its reader.
        """
        live_room = await self._live_room(room)
        viewer = await clients.viewer_of(request, self.server, live_room, clients.bearer(request), Visit())
        if viewer is None:
            raise ApiError(404, "not_found", "no such room, or it is not for you")
        return live_room, viewer

    def _link(self, path: str) -> str:
        return self.server.settings.root + path if path else ""

    def _room_json(self, room: Room, viewer: Viewer) -> JsonObject:
        """Return a room as everybody at it may know it; the host is told the invite keys."""
        now = self.live.clock.now()
        context = table_context(room, viewer, self.server.signer, now)
        return {
            "room": room.id,
            "board": room.board.id,
            "rules_version": room.row.rules_version,
            "status": room.row.status,
            "version": context.version,
            "seats": list(viewer.mine),
            "options": dataclasses.asdict(room.options),
            "players": [
                player_json(dataclasses.asdict(player))
                | {"name": seats.called(room.seats[player.seat]), "invite": self._link(player.invite)}
                for player in context.players
            ],
            "watch": self._link(context.spectator_link),
            "device": self._link(context.device_link),
            "rematch": room.rematch,
        }


class _LongPoll:
    """A request that waits for something to happen."""

    def __init__(self, mine: tuple[int, ...]) -> None:
        self.seats = mine
        self._event = asyncio.Event()

    def changed(self) -> None:
        self._event.set()

    async def something(self) -> None:
        await self._event.wait()
        self._event.clear()


def _sitting(n: int, body: NewSeat, mine: str) -> SeatSetup:
    name = seats.clean_name(body.name)
    if body.kind == "me":
        return SeatSetup(seats.PERSON, name, key=mine)
    if body.kind == "open":
        return SeatSetup(seats.OPEN, name)
    bot = _bot(body.bot)
    return SeatSetup(seats.BOT, name or bot, bot)


def _bot(wished: str) -> str:
    """Return the bot that is meant."""
    bot = wished or seats.usual_bot()
    if not seats.is_bot(bot):
        raise ApiError(422, "bad_request", "there is no such bot here")
    return bot


def _seat_seen(room: Room, viewer: Viewer, seat: int | None) -> int | None:
    """Return whose cards a request is about: a seat of the sender, or of the spectator's choice if they have none."""
    if seat is not None:
        if seat not in viewer.mine:
            raise ApiError(403, "not_yours", "that is not your seat")
        return seat
    if len(viewer.mine) > 1 and room.row.asked in viewer.mine:
        return room.row.asked
    return viewer.mine[0] if viewer.mine else None


def _own(room: Room, viewer: Viewer, seat: int | None) -> int:
    own = _seat_seen(room, viewer, seat)
    if own is None:
        raise ApiError(403, "not_yours", "you have no seat in this room")
    return own
