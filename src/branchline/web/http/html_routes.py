"""The pages by address. Each handler finds out who asks, loads the room, and calls a function of `pages`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from branchline.atlas import BranchlineError
from branchline.game import RecordError, SetupError
from branchline.web import pages
from branchline.web.context import (
    AnalysisContext,
    GameLine,
    HomeContext,
    JoinContext,
    MessageContext,
    NewContext,
    ReplayContext,
    Visit,
)
from branchline.web.http import clients
from branchline.web.http.clients import Client
from branchline.web.http.middleware import address_of
from branchline.web.http.state import ServerState
from branchline.web.http.talking import say
from branchline.web.http.websocket import serve
from branchline.web.pages import assets
from branchline.web.rooms import analyses, creation, replays, seats, talk
from branchline.web.rooms.boards import offered_boards
from branchline.web.rooms.ids import is_room_id
from branchline.web.rooms.live import LiveRoom
from branchline.web.rooms.perspective import (
    Viewer,
    game_line,
    opens_device,
    opens_seat,
    opens_watching,
    player,
    table_context,
)
from branchline.web.rooms.room import OVER, Refused, Room, Unreadable

SEE_OTHER = 303
AGAIN = "again"  # in the address of a link that is followed a second time, now with a cookie
Fields = Mapping[str, str]


class PageError(Exception):
    """What a page says instead of what was asked for."""

    def __init__(self, status: int, reason: str, detail: str = "") -> None:
        """Status of HTTP, word for `MessageContext`, and one line more."""
        self.status, self.reason, self.detail = status, reason, detail
        super().__init__(reason)


@dataclass(frozen=True)
class PageRequest:
    """A request, who sent it, and the fields of its form."""

    http: Request
    server: ServerState
    client: Client
    fields: Fields

    @property
    def visit(self) -> Visit:
        """What pages need to know of the browser."""
        return self.client.visit

    def word(self, name: str) -> str:
        """A part of the address."""
        return str(self.http.path_params[name])


Handler = Callable[[PageRequest], Awaitable[Response]]


def handler_for(
    server: ServerState, handler: Handler, *, anew: bool = False, signed: bool = False
) -> Callable[[Request], Awaitable[Response]]:
    """A handler with everything around it: the client, the form and its token, problems in words, the cookie.

    `anew`: a browser that has no seats yet gets another key before it is offered one. `signed`: the address itself is
    proof enough, and programs that have no form send there too.
    """

    async def handle(request: Request) -> Response:
        client = await clients.recognised(request, server, anew=anew)
        try:
            fields = await _form(request) if request.method == "POST" else {}
            if request.method == "POST" and not signed and not _is_ours(server, request, fields, client):
                raise PageError(403, "forged", "this form is too old; go back and try again")
            response = await handler(PageRequest(request, server, client, fields))
        except PageError as error:
            response = message_page(client.visit, error.status, error.reason, error.detail)
        except Refused as refusal:
            response = message_page(client.visit, 409, refusal.reason, str(refusal))
        except Unreadable as error:
            response = message_page(client.visit, 500, "broken", str(error))
        except BranchlineError as error:
            response = message_page(client.visit, 400, "bad_request", str(error))
        return clients.remember(response, client, server)

    return handle


async def _form(request: Request) -> Fields:
    """The fields of a form; of a file its text."""
    try:
        async with request.form(max_files=1, max_fields=60, max_part_size=16_000_000) as form:
            fields = {}
            for name, value in form.items():
                if isinstance(value, UploadFile):
                    content = await value.read()
                    fields[name] = await asyncio.to_thread(content.decode, "utf-8", "replace")
                else:
                    fields[name] = value
            return fields
    except (MultiPartException, HTTPException, ValueError, LookupError) as error:  # also of charsets
        raise PageError(400, "bad_request", str(error)) from None


def _is_ours(server: ServerState, request: Request, fields: Fields, client: Client) -> bool:
    return not client.fresh and server.signer.is_form_token(fields.get("csrf", ""), client.key)


def message_page(visit: Visit, status: int, reason: str, detail: str = "") -> Response:
    """A page that says what went wrong."""
    return HTMLResponse(pages.message(MessageContext(visit, status, reason, detail)), status)


async def _page(made: Callable[[Any], str], context: Any, status: int = 200) -> Response:
    """A page, made of its context in a thread: a long one takes longer than others may be kept waiting."""
    return HTMLResponse(await asyncio.to_thread(made, context), status)


def redirect(address: str) -> Response:
    """To another page."""
    return RedirectResponse(address, SEE_OTHER)


def safe_path(text: str) -> str:
    """An address of ours to go back to; anything else is home."""
    inside = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and len(text) < 300
    return text if inside else "/"


# ---------------------------------------------------------------------------------------------------- home


async def home(req: PageRequest) -> Response:
    """Editions, my games, open games."""
    server = req.server
    mine = [] if req.client.fresh else await server.live.read(server.store.rooms_of, req.client.hash)
    open_rooms = await server.live.read(server.store.open_rooms)
    own = {room.id for room, _, _ in mine}
    known = {board.id: board for board in await asyncio.to_thread(offered_boards)}
    lines = [
        game_line(room, sitting, seats_, known[room.board]) for room, sitting, seats_ in mine if room.board in known
    ]
    context = HomeContext(
        visit=req.visit,
        boards=tuple(known.values()),
        bots=seats.bots(),
        mine=tuple(sorted(lines, key=_waiting_first)),
        open=tuple(
            game_line(room, sitting, (), known[room.board])
            for room, sitting in open_rooms
            if room.id not in own and room.board in known
        ),
        usual_bot=seats.usual_bot(),
    )
    return await _page(pages.home, context)


def _waiting_first(line: GameLine) -> tuple[bool, bool, float]:
    return not line.your_turn, line.status == OVER, -line.touched


async def new_form(req: PageRequest) -> Response:
    """The form for a new room."""
    return await _new_page(req, req.http.query_params.get("board", ""), {}, "")


async def _new_page(req: PageRequest, board: str, filled: Fields, problem: str, status: int = 200) -> Response:
    offered = await asyncio.to_thread(offered_boards)
    chosen = next((one for one in offered if one.id == board), offered[0])
    context = NewContext(req.visit, offered, seats.bots(), chosen, filled, problem, seats.usual_bot())
    return await _page(pages.new, context, status)


async def new(req: PageRequest) -> Response:
    """Create a room."""
    _may_create(req)
    try:
        wish = await asyncio.to_thread(creation.read_form, req.fields, req.client.hash)
        live_room = await creation.create(req.server.live, wish, req.client.hash)
    except SetupError as error:
        filled = {name: value for name, value in req.fields.items() if name != "csrf"}
        return await _new_page(req, req.fields.get("board", ""), filled, str(error), 400)
    return redirect(f"/t/{live_room.room.id}")


def _may_create(req: PageRequest) -> None:
    if not req.server.rates.allow("rooms", address_of(req.http.scope)):
        raise PageError(429, "too_many")


async def settings(req: PageRequest) -> Response:
    """Remember how a browser likes its pages."""
    response = redirect(safe_path(req.fields.get("back", "/")))
    for name in ("language", *clients.SETTINGS):
        if name in req.fields:
            _remember(response, req, name, req.fields[name])
    return response


async def language(req: PageRequest) -> Response:
    """Choose a language."""
    response = redirect(safe_path(req.http.query_params.get("back", "/")))
    _remember(response, req, "language", req.word("code"))
    return response


def _remember(response: Response, req: PageRequest, name: str, value: str) -> None:
    good = value in clients.languages() if name == "language" else value.isascii() and value.isalnum()
    if good and len(value) <= clients.LONGEST_SETTING:
        response.set_cookie(
            f"branchline_{name}", value, clients.YEAR, samesite="lax", secure=req.server.settings.secure
        )
    elif not value:
        response.delete_cookie(f"branchline_{name}")


# ---------------------------------------------------------------------------------------------------- the table


async def _table(req: PageRequest) -> LiveRoom:
    room = req.word("room")
    live_room = await req.server.live.get(room, fresh=True) if is_room_id(room) else None
    if live_room is None:
        raise PageError(404, "not_found")
    return live_room


async def _visible(req: PageRequest) -> tuple[LiveRoom, Viewer]:
    """A room that the client may see, and what it is there."""
    live_room = await _table(req)
    viewer = await clients.viewer_of(req.http, req.server, live_room, req.client.key, req.visit)
    if viewer is None:
        raise PageError(404, "not_found")
    return live_room, viewer


def _seat(req: PageRequest, viewer: Viewer | None = None) -> int:
    """The seat that a form is about; with a viewer, one of its own."""
    text = req.fields.get("seat", "")
    if not text.isascii() or not text.isdecimal() or len(text) > 2:
        raise PageError(400, "bad_request", "seat: expected a number")
    if viewer is not None and int(text) not in viewer.mine:
        raise PageError(403, "not_yours")
    return int(text)


def _name(req: PageRequest) -> str:
    return seats.clean_name(req.fields.get("name", ""))


async def table(req: PageRequest) -> Response:
    """The table as its viewer may see it."""
    live_room, viewer = await _visible(req)
    await req.server.layouts.ready(live_room.room.board)
    return await _page(lambda room: pages.table(table_context(room, viewer, req.server.signer)), live_room.room)


async def sit(req: PageRequest) -> Response:
    """Take an open seat of an open room."""
    live_room, _ = await _visible(req)
    if not live_room.room.options.open:
        raise PageError(403, "not_yours")
    return await _take(req, live_room, _seat(req))


async def _take(req: PageRequest, live_room: LiveRoom, seat: int) -> Response:
    name, key = _name(req), req.client.hash
    await req.server.live.change(live_room, lambda room: room.taken(seat, name, key, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def fill(req: PageRequest) -> Response:
    """The host lets a bot have an open seat."""
    live_room, viewer = await _visible(req)
    if not viewer.host:
        raise PageError(403, "not_yours")
    seat, bot = _seat(req), req.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot):
        raise PageError(400, "bad_request", "there is no such bot")
    await req.server.live.change(live_room, lambda room: room.filled(seat, bot, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def name(req: PageRequest) -> Response:
    """Be called something else."""
    live_room, viewer = await _visible(req)
    seat = _seat(req, viewer)
    called = _name(req)
    await req.server.live.change(live_room, lambda room: room.named(seat, called, time.time()))
    return redirect(f"/t/{live_room.room.id}")


async def speak(req: PageRequest) -> Response:
    """Say something at the table, where no script does it."""
    live_room, viewer = await _visible(req)
    seat = _seat(req, viewer)
    saying = talk.Saying(
        req.fields.get("text", "")[: talk.LONGEST_TYPED],
        req.fields.get("reaction", ""),
        req.fields.get("everybody", "") == "1",
    )
    await say(req.server, live_room, seat, saying, address_of(req.http.scope))
    return redirect(f"/t/{live_room.room.id}#talk")


async def rematch(req: PageRequest) -> Response:
    """The same people once more."""
    live_room, viewer = await _visible(req)
    if not viewer.mine and not viewer.host:
        raise PageError(403, "not_yours")
    return redirect(f"/t/{await creation.rematch(req.server.live, live_room)}")


# ---------------------------------------------------------------------------------------------------- links


def _check_key(req: PageRequest, fits: bool) -> None:
    """Wrong keys are answered as if there was nothing here, and not too often."""
    if not fits:
        if not req.server.rates.allow("guesses", address_of(req.http.scope)):
            raise PageError(429, "too_many")
        raise PageError(404, "not_found")


def _invited(req: PageRequest, live_room: LiveRoom) -> int:
    invite, signer = req.word("invite"), req.server.signer
    fitting = [one.seat for one in live_room.room.seats if opens_seat(signer, invite, live_room.room.id, one)]
    _check_key(req, bool(fitting))
    return fitting[0]


async def join(req: PageRequest) -> Response:
    """An invitation: shown first, because programs look at links too."""
    live_room = await _table(req)
    seat = _invited(req, live_room)
    rights = await req.server.live.read(req.server.store.rights, live_room.room.id, req.client.hash)
    if seat in rights:
        return redirect(f"/t/{live_room.room.id}")
    if live_room.room.seats[seat].kind != seats.OPEN:
        raise PageError(409, "taken")
    return await _page(pages.join, _join_context(req, live_room, seat))


def _join_context(req: PageRequest, live_room: LiveRoom, seat: int, device: bool = False) -> JoinContext:
    nobody = Viewer(visit=req.visit)
    now = time.time()
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
    live_room = await _table(req)
    return await _take(req, live_room, _invited(req, live_room))


async def watch(req: PageRequest) -> Response:
    """Let this browser watch; noted once for each browser, and not for programs that keep no cookies."""
    live_room = await _table(req)
    _check_key(req, opens_watching(req.server.signer, req.word("key"), live_room.room.row))
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
    _check_key(req, bool(mine))
    return mine


async def device(req: PageRequest) -> Response:
    """The same seats on another device: shown first."""
    live_room = await _table(req)
    mine = _moved(req, live_room)
    return await _page(pages.join, _join_context(req, live_room, mine[0], device=True))


async def move(req: PageRequest) -> Response:
    """The same seats on another device."""
    live_room = await _table(req)
    mine = _moved(req, live_room)
    await req.server.live.write(req.server.store.allow, live_room.room.id, req.client.hash, mine)
    return redirect(f"/t/{live_room.room.id}")


# ---------------------------------------------------------------------------------------------------- afterwards


async def _moments(req: PageRequest, live_room: LiveRoom, viewer: Viewer, *numbers: int | None) -> list[ReplayContext]:
    """Moments of a finished game by their numbers (None: the last one), from the perspective that is asked for."""
    query = req.http.query_params
    perspective = query.get("perspective") or query.get("eyes", "")  # `eyes`: in links made by earlier versions
    server = req.server
    await server.layouts.ready(live_room.room.board)
    try:
        return [
            await replays.replay_context(
                server.live, server.replays, live_room.room, n, perspective, viewer, server.signer, time.time()
            )
            for n in numbers
        ]
    except Refused as refusal:
        raise PageError(409 if refusal.reason == "running" else 404, refusal.reason, str(refusal)) from None


async def replay(req: PageRequest) -> Response:
    """A moment of a finished game."""
    live_room, viewer = await _visible(req)
    [context] = await _moments(req, live_room, viewer, req.http.path_params.get("n"))
    job = await _analysis(req, live_room.room)
    if job is not None and job.found is not None:
        context = replace(context, analysis=job.found, moments=analyses.moments(live_room.room))
    return await _page(pages.replay, context)


async def replay_json(req: PageRequest) -> Response:
    """The same for the scrubber: all of it, or what differs from the moment `since` that it shows now."""
    n, since = req.http.path_params["n"], req.http.query_params.get("since", "")
    numbers = [n, int(since)] if since.isdecimal() and len(since) < 6 else [n]
    live_room, viewer = await _visible(req)
    context, *shown = await _moments(req, live_room, viewer, *numbers)
    made = await asyncio.to_thread(pages.replay_fragments, context, shown[0] if shown else None)
    title = pages.replay_title(context)
    return JSONResponse({"n": context.n, "last": context.last, "fragments": made, "title": title})


async def analysis(req: PageRequest) -> Response:
    """The analysis of a finished game, how far it is, or the button that begins it."""
    live_room, viewer = await _finished(req)
    room, now = live_room.room, time.time()
    job = await _analysis(req, room)
    context = AnalysisContext(
        visit=req.visit,
        room=room.id,
        board=room.board,
        players=tuple(player(room, one, viewer, req.server.signer, now) for one in room.seats),
        found=job.found if job else None,
        running=bool(job and job.running),
        failed=bool(job and job.failed),
        done=job.done if job else 0,
        actions=job.actions if job else 0,
        moments=await asyncio.to_thread(analyses.moments, room),
    )
    return await _page(pages.analysis, context)


async def analysis_json(req: PageRequest) -> Response:
    """The same for machines; 404 as long as nobody has asked for it, or it is not ready."""
    live_room, _ = await _finished(req)
    job = await _analysis(req, live_room.room)
    if job is None or job.found is None:
        raise PageError(404, "not_found")
    found = job.found
    return await asyncio.to_thread(lambda: JSONResponse(found.as_dict()))


async def begin_analysis(req: PageRequest) -> Response:
    """Have a finished game analysed."""
    live_room, _ = await _finished(req)
    if req.server.compiling is not None:  # it would take many times as long, and end with this process
        return redirect(f"/t/{live_room.room.id}/analysis")
    try:
        await _analysis(req, live_room.room)  # what the store has is known from then on, and not begun again
        req.server.analyses.begin(live_room.room, address_of(req.http.scope))
    except Refused as refusal:
        raise PageError(429, refusal.reason, str(refusal)) from None
    return redirect(f"/t/{live_room.room.id}/analysis")


async def _analysis(req: PageRequest, room: Room) -> analyses.AnalysisJob | None:
    """The analysis of a room, or how far it is, if somebody has asked for it."""
    return await req.server.live.read(req.server.analyses.of, room)


async def _finished(req: PageRequest) -> tuple[LiveRoom, Viewer]:
    live_room, viewer = await _visible(req)
    if live_room.room.row.status != OVER:
        raise PageError(409, "running")
    return live_room, viewer


async def play_on(req: PageRequest) -> Response:
    """Go on from a moment of a finished game, against bots."""
    live_room, _ = await _visible(req)
    _may_create(req)
    seat, n = _seat(req), int(req.http.path_params["n"])
    bot = req.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot) or seat >= len(live_room.room.seats) or n > len(live_room.room.steps):
        raise PageError(400, "bad_request")
    made = await creation.play_on(req.server.live, live_room.room, n, seat, bot, req.client.hash, _name(req))
    return redirect(f"/t/{made.room.id}")


async def record(req: PageRequest) -> Response:
    """The record of a finished game."""
    live_room, _ = await _visible(req)
    if live_room.room.row.status != OVER:
        raise PageError(409, "running", "the record can be had when the game is over")
    name = f"{live_room.room.board.id}-{live_room.room.id}.json"
    return Response(
        await asyncio.to_thread(lambda: live_room.room.record().to_json()),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def upload(req: PageRequest) -> Response:
    """A record as a room."""
    _may_create(req)
    try:
        made = await creation.from_record(req.server.live, req.fields.get("record", ""), req.client.hash)
    except RecordError as error:
        raise PageError(400, "bad_request", str(error)) from None
    over = made.room.row.status == OVER
    return redirect(f"/t/{made.room.id}/replay" if over else f"/t/{made.room.id}")


# ---------------------------------------------------------------------------------------------------- files


async def static(request: Request) -> Response:
    """A static file; under its digest it may be kept for ever."""
    name = str(request.path_params["name"])
    first, _, rest = name.partition("/")
    kept = first == assets.digest()
    file = await asyncio.to_thread(_static_file, rest if kept else name)
    if file is None:
        return Response(status_code=404)
    content = await asyncio.to_thread(file.read_bytes)
    kind = _KINDS.get(file.suffix, "application/octet-stream")
    return Response(
        content, media_type=kind, headers={"cache-control": assets.FOR_EVER if kept else assets.FOR_A_WHILE}
    )


def _static_file(name: str) -> Path | None:
    """The static file of a name, if there is one."""
    try:
        file = (assets.STATIC / name).resolve()
        there = name.isprintable() and file.is_relative_to(assets.STATIC.resolve()) and file.is_file()
    except OSError:  # no file can have such a name: it is too long
        return None
    return file if there else None


_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".woff2": "font/woff2",
}


def routes(server: ServerState) -> list[Route | WebSocketRoute]:
    """The table of contents."""

    def get(path: str, handler: Handler, *, anew: bool = False) -> Route:
        return Route(path, handler_for(server, handler, anew=anew), methods=["GET"], include_in_schema=False)

    def post(path: str, handler: Handler) -> Route:
        return Route(path, handler_for(server, handler), methods=["POST"], include_in_schema=False)

    async def socket(websocket: WebSocket) -> None:
        await serve(websocket, server, str(websocket.path_params["room"]))

    return [
        get("/", home),
        get("/new", new_form),
        post("/new", new),
        post("/settings", settings),
        get("/language/{code}", language),
        get("/t/{room}", table),
        post("/t/{room}/sit", sit),
        post("/t/{room}/fill", fill),
        post("/t/{room}/name", name),
        post("/t/{room}/talk", speak),
        post("/t/{room}/rematch", rematch),
        get("/j/{room}/{invite}", join, anew=True),
        post("/j/{room}/{invite}", take),
        get("/w/{room}/{key}", watch),
        get("/d/{room}/{key}", device, anew=True),
        post("/d/{room}/{key}", move),
        get("/t/{room}/replay", replay),
        get("/t/{room}/replay/{n:int}.json", replay_json),
        get("/t/{room}/replay/{n:int}", replay),
        post("/t/{room}/replay/{n:int}/play", play_on),
        get("/t/{room}/analysis", analysis),
        get("/t/{room}/analysis.json", analysis_json),
        post("/t/{room}/analysis", begin_analysis),
        get("/t/{room}/record.json", record),
        post("/upload", upload),
        Route("/static/{name:path}", static, methods=["GET"], include_in_schema=False),
        WebSocketRoute("/ws/{room}", socket),
    ]
