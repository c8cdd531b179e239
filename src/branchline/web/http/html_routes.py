"""The pages by address. Each handler finds out who asks, loads the room, and calls a page function."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

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
from branchline.web.http.clients import Caller
from branchline.web.http.middleware import address_of
from branchline.web.http.state import House
from branchline.web.http.websocket import serve
from branchline.web.pages import assets
from branchline.web.rooms import analyses, creation, replays, seats
from branchline.web.rooms.boards import offered_boards
from branchline.web.rooms.ids import is_room_id
from branchline.web.rooms.live import Table
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
Fields = Mapping[str, str]


class Problem(Exception):  # noqa: N818  it reads as a sentence
    """What a page says instead of what was asked for."""

    def __init__(self, status: int, reason: str, detail: str = "") -> None:
        """Status of HTTP, word for `MessageContext`, and one line more."""
        self.status, self.reason, self.detail = status, reason, detail
        super().__init__(reason)


@dataclass(frozen=True)
class Asked:
    """A request, who sent it, and the fields of its form."""

    request: Request
    house: House
    caller: Caller
    fields: Fields

    @property
    def visit(self) -> Visit:
        """What pages need to know of the browser."""
        return self.caller.visit

    def word(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])


Handler = Callable[[Asked], Awaitable[Response]]


def handled(house: House, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A handler with everything around it: the caller, the form and its token, problems in words, the cookie."""

    async def handle(request: Request) -> Response:
        caller = clients.browser(request, house)
        try:
            fields = await _form(request) if request.method == "POST" else {}
            if request.method == "POST" and not _is_ours(house, request, fields, caller):
                raise Problem(403, "forged", "this form is too old; go back and try again")
            response = await handler(Asked(request, house, caller, fields))
        except Problem as problem:
            response = said(caller.visit, problem.status, problem.reason, problem.detail)
        except Refused as refusal:
            response = said(caller.visit, 409, refusal.reason, str(refusal))
        except Unreadable as error:
            response = said(caller.visit, 500, "broken", str(error))
        except BranchlineError as error:
            response = said(caller.visit, 400, "bad_request", str(error))
        return clients.remember(response, caller, house)

    return handle


async def _form(request: Request) -> Fields:
    """The fields of a form; of a file its text."""
    try:
        async with request.form(max_files=1, max_fields=60, max_part_size=16_000_000) as form:
            fields = {}
            for name, value in form.items():
                if isinstance(value, UploadFile):
                    fields[name] = (await value.read()).decode("utf-8", "replace")
                else:
                    fields[name] = value
            return fields
    except (MultiPartException, HTTPException, ValueError) as error:
        raise Problem(400, "bad_request", str(error)) from None


def _is_ours(house: House, request: Request, fields: Fields, caller: Caller) -> bool:
    return not caller.fresh and house.signer.is_form_token(fields.get("csrf", ""), caller.key)


def said(visit: Visit, status: int, reason: str, detail: str = "") -> Response:
    """A page that says what went wrong."""
    return HTMLResponse(pages.message(MessageContext(visit, status, reason, detail)), status)


def go(address: str) -> Response:
    """To another page."""
    return RedirectResponse(address, SEE_OTHER)


def back(text: str) -> str:
    """An address of ours to go back to; anything else is home."""
    inside = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and len(text) < 300
    return text if inside else "/"


# ---------------------------------------------------------------------------------------------------- home


async def home(asked: Asked) -> Response:
    """Editions, my games, open games."""
    house = asked.house
    mine = [] if asked.caller.fresh else await house.live.read(house.store.rooms_of, asked.caller.hash)
    open_rooms = await house.live.read(house.store.open_rooms)
    own = {room.id for room, _, _ in mine}
    known = {board.id: board for board in offered_boards()}
    lines = [
        game_line(room, sitting, seats_, known[room.board]) for room, sitting, seats_ in mine if room.board in known
    ]
    context = HomeContext(
        visit=asked.visit,
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
    return HTMLResponse(pages.home(context))


def _waiting_first(line: GameLine) -> tuple[bool, bool, float]:
    return not line.your_turn, line.status == OVER, -line.touched


async def new_form(asked: Asked) -> Response:
    """The form for a new room."""
    return HTMLResponse(_new_page(asked, asked.request.query_params.get("board", ""), {}, ""))


def _new_page(asked: Asked, board: str, filled: Fields, problem: str) -> str:
    offered = offered_boards()
    chosen = next((one for one in offered if one.id == board), offered[0])
    text: str = pages.new(NewContext(asked.visit, offered, seats.bots(), chosen, filled, problem, seats.usual_bot()))
    return text


async def new(asked: Asked) -> Response:
    """Create a room."""
    _may_create(asked)
    try:
        table = await creation.create(
            asked.house.live, creation.read_form(asked.fields, asked.caller.hash), asked.caller.hash
        )
    except SetupError as error:
        filled = {name: value for name, value in asked.fields.items() if name != "csrf"}
        return HTMLResponse(_new_page(asked, asked.fields.get("board", ""), filled, str(error)), 400)
    return go(f"/t/{table.room.id}")


def _may_create(asked: Asked) -> None:
    if not asked.house.rates.allow("rooms", address_of(asked.request.scope)):
        raise Problem(429, "too_many")


async def settings(asked: Asked) -> Response:
    """Remember how a browser likes its pages."""
    response = go(back(asked.fields.get("back", "/")))
    for name in ("language", *clients.SETTINGS):
        if name in asked.fields:
            _remember(response, asked, name, asked.fields[name])
    return response


async def language(asked: Asked) -> Response:
    """Choose a language."""
    response = go(back(asked.request.query_params.get("back", "/")))
    _remember(response, asked, "language", asked.word("code"))
    return response


def _remember(response: Response, asked: Asked, name: str, value: str) -> None:
    good = value in clients.languages() if name == "language" else value.isascii() and value.isalnum()
    if good and len(value) <= clients.LONGEST_SETTING:
        response.set_cookie(
            f"branchline_{name}", value, clients.YEAR, samesite="lax", secure=asked.house.settings.secure
        )
    elif not value:
        response.delete_cookie(f"branchline_{name}")


# ---------------------------------------------------------------------------------------------------- the table


async def _table(asked: Asked) -> Table:
    room = asked.word("room")
    found = await asked.house.live.table(room, fresh=True) if is_room_id(room) else None
    if found is None:
        raise Problem(404, "not_found")
    return found


async def _seen(asked: Asked) -> tuple[Table, Viewer]:
    """A room that the caller may see, and what it is there."""
    found = await _table(asked)
    viewer = await clients.viewer_of(asked.house, found, asked.caller.key, asked.visit)
    if viewer is None:
        raise Problem(404, "not_found")
    return found, viewer


def _seat(asked: Asked, viewer: Viewer | None = None) -> int:
    """The seat that a form is about; with a viewer, one of its own."""
    text = asked.fields.get("seat", "")
    if not text.isascii() or not text.isdecimal() or len(text) > 2:
        raise Problem(400, "bad_request", "seat: expected a number")
    if viewer is not None and int(text) not in viewer.mine:
        raise Problem(403, "not_yours")
    return int(text)


def _name(asked: Asked, seat: int) -> str:
    return seats.clean_name(asked.fields.get("name", ""), f"Player {seat + 1}")


async def table(asked: Asked) -> Response:
    """The table as its viewer may see it."""
    found, viewer = await _seen(asked)
    return HTMLResponse(pages.table(table_context(found.room, viewer, asked.house.signer)))


async def sit(asked: Asked) -> Response:
    """Take an open seat of an open room."""
    found, _ = await _seen(asked)
    if not found.room.options.open:
        raise Problem(403, "not_yours")
    return await _take(asked, found, _seat(asked))


async def _take(asked: Asked, found: Table, seat: int) -> Response:
    name, key = _name(asked, seat), asked.caller.hash
    await asked.house.live.change(found, lambda room: room.taken(seat, name, key, time.time()))
    return go(f"/t/{found.room.id}")


async def fill(asked: Asked) -> Response:
    """The host lets a bot have an open seat."""
    found, viewer = await _seen(asked)
    if not viewer.host:
        raise Problem(403, "not_yours")
    seat, bot = _seat(asked), asked.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot):
        raise Problem(400, "bad_request", "there is no such bot")
    await asked.house.live.change(found, lambda room: room.filled(seat, bot, time.time()))
    return go(f"/t/{found.room.id}")


async def name(asked: Asked) -> Response:
    """Be called something else."""
    found, viewer = await _seen(asked)
    seat = _seat(asked, viewer)
    called = _name(asked, seat)
    await asked.house.live.change(found, lambda room: room.named(seat, called, time.time()))
    return go(f"/t/{found.room.id}")


async def rematch(asked: Asked) -> Response:
    """The same people once more."""
    found, viewer = await _seen(asked)
    if not viewer.mine and not viewer.host:
        raise Problem(403, "not_yours")
    return go(f"/t/{await creation.rematch(asked.house.live, found)}")


# ---------------------------------------------------------------------------------------------------- links


def _check_key(asked: Asked, fits: bool) -> None:
    """Wrong keys are answered as if there was nothing here, and not too often."""
    if not fits:
        if not asked.house.rates.allow("guesses", address_of(asked.request.scope)):
            raise Problem(429, "too_many")
        raise Problem(404, "not_found")


def _invited(asked: Asked, found: Table) -> int:
    invite, signer = asked.word("invite"), asked.house.signer
    fitting = [one.seat for one in found.room.seats if opens_seat(signer, invite, found.room.id, one.seat)]
    _check_key(asked, bool(fitting))
    return fitting[0]


async def join(asked: Asked) -> Response:
    """An invitation: shown first, because programs look at links too."""
    found = await _table(asked)
    seat = _invited(asked, found)
    rights = await asked.house.live.read(asked.house.store.rights, found.room.id, asked.caller.hash)
    if seat in rights:
        return go(f"/t/{found.room.id}")
    if found.room.seats[seat].kind != seats.OPEN:
        raise Problem(409, "taken")
    return HTMLResponse(pages.join(_join_context(asked, found, seat)))


def _join_context(asked: Asked, found: Table, seat: int, device: bool = False) -> JoinContext:
    nobody = Viewer(visit=asked.visit)
    now = time.time()
    return JoinContext(
        visit=asked.visit,
        room=found.room.id,
        board=found.room.board,
        players=tuple(player(found.room, one, nobody, asked.house.signer, now) for one in found.room.seats),
        seat=seat,
        action=asked.request.url.path,
        device=device,
    )


async def take(asked: Asked) -> Response:
    """Accept an invitation."""
    found = await _table(asked)
    return await _take(asked, found, _invited(asked, found))


async def watch(asked: Asked) -> Response:
    """Let this browser watch."""
    found = await _table(asked)
    _check_key(asked, opens_watching(asked.house.signer, asked.word("key"), found.room.id))
    await asked.house.live.write(asked.house.store.allow, found.room.id, asked.caller.hash, (seats.WATCH,))
    return go(f"/t/{found.room.id}")


def _moved(asked: Asked, found: Table) -> tuple[int, ...]:
    """The seats that a link brings to another device."""
    mine = opens_device(asked.house.signer, asked.word("key"), found.room.id)
    _check_key(asked, bool(mine))
    return mine


async def device(asked: Asked) -> Response:
    """The same seats on another device: shown first."""
    found = await _table(asked)
    mine = _moved(asked, found)
    return HTMLResponse(pages.join(_join_context(asked, found, mine[0], device=True)))


async def move(asked: Asked) -> Response:
    """The same seats on another device."""
    found = await _table(asked)
    mine = _moved(asked, found)
    await asked.house.live.write(asked.house.store.allow, found.room.id, asked.caller.hash, mine)
    return go(f"/t/{found.room.id}")


# ---------------------------------------------------------------------------------------------------- afterwards


async def _moments(asked: Asked, found: Table, viewer: Viewer, *numbers: int | None) -> list[ReplayContext]:
    """Moments of a finished game by their numbers (None: the last one), through the eyes that are asked for."""
    eyes = asked.request.query_params.get("eyes", "")
    house = asked.house
    try:
        return [
            await replays.replay_context(
                house.live, house.moments, found.room, n, eyes, viewer, house.signer, time.time()
            )
            for n in numbers
        ]
    except Refused as refusal:
        raise Problem(409 if refusal.reason == "running" else 404, refusal.reason, str(refusal)) from None


async def replay(asked: Asked) -> Response:
    """A moment of a finished game."""
    found, viewer = await _seen(asked)
    [context] = await _moments(asked, found, viewer, asked.request.path_params.get("n"))
    study = await _study(asked, found.room)
    if study is not None and study.found is not None:
        context = replace(context, analysis=study.found, moments=analyses.moments(found.room))
    return HTMLResponse(pages.replay(context))


async def replay_json(asked: Asked) -> Response:
    """The same for the scrubber: all of it, or what differs from the moment `since` that it shows now."""
    n, since = asked.request.path_params["n"], asked.request.query_params.get("since", "")
    numbers = [n, int(since)] if since.isdecimal() and len(since) < 6 else [n]
    found, viewer = await _seen(asked)
    context, *shown = await _moments(asked, found, viewer, *numbers)
    made = pages.replay_fragments(context, shown[0] if shown else None)
    title = f"{context.board.title} {context.n}/{context.last}"
    return JSONResponse({"n": context.n, "last": context.last, "fragments": made, "title": title})


async def analysis(asked: Asked) -> Response:
    """The analysis of a finished game, how far it is, or the button that begins it."""
    found, viewer = await _finished(asked)
    room, now = found.room, time.time()
    study = await _study(asked, room)
    context = AnalysisContext(
        visit=asked.visit,
        room=room.id,
        board=room.board,
        players=tuple(player(room, one, viewer, asked.house.signer, now) for one in room.seats),
        found=study.found if study else None,
        running=bool(study and study.running),
        failed=bool(study and study.failed),
        done=study.done if study else 0,
        actions=study.actions if study else 0,
        moments=analyses.moments(room),
    )
    return HTMLResponse(pages.analysis(context))


async def analysis_json(asked: Asked) -> Response:
    """The same for machines; 404 as long as nobody has asked for it, or it is not ready."""
    found, _ = await _finished(asked)
    study = await _study(asked, found.room)
    if study is None or study.found is None:
        raise Problem(404, "not_found")
    return JSONResponse(study.found.as_dict())


async def begin_analysis(asked: Asked) -> Response:
    """Have a finished game analysed."""
    found, _ = await _finished(asked)
    try:
        await _study(asked, found.room)  # what the store has is known from then on, and not begun again
        asked.house.studies.begin(found.room)
    except Refused as refusal:
        raise Problem(429, refusal.reason, str(refusal)) from None
    return go(f"/t/{found.room.id}/analysis")


async def _study(asked: Asked, room: Room) -> analyses.Study | None:
    """The analysis of a room, or how far it is, if somebody has asked for it."""
    return await asked.house.live.read(asked.house.studies.of, room)


async def _finished(asked: Asked) -> tuple[Table, Viewer]:
    found, viewer = await _seen(asked)
    if found.room.row.status != OVER:
        raise Problem(409, "running")
    return found, viewer


async def play_on(asked: Asked) -> Response:
    """Go on from a moment of a finished game, against bots."""
    found, _ = await _seen(asked)
    _may_create(asked)
    seat, n = _seat(asked), int(asked.request.path_params["n"])
    bot = asked.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot) or seat >= len(found.room.seats) or n > len(found.room.steps):
        raise Problem(400, "bad_request")
    made = await creation.play_on(asked.house.live, found.room, n, seat, bot, asked.caller.hash, _name(asked, seat))
    return go(f"/t/{made.room.id}")


async def record(asked: Asked) -> Response:
    """The record of a finished game."""
    found, _ = await _seen(asked)
    if found.room.row.status != OVER:
        raise Problem(409, "running", "the record can be had when the game is over")
    name = f"{found.room.board.id}-{found.room.id}.json"
    return Response(
        found.room.record().to_json(),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def upload(asked: Asked) -> Response:
    """A record as a room."""
    _may_create(asked)
    try:
        made = await creation.from_record(asked.house.live, asked.fields.get("record", ""), asked.caller.hash)
    except RecordError as error:
        raise Problem(400, "bad_request", str(error)) from None
    over = made.room.row.status == OVER
    return go(f"/t/{made.room.id}/replay" if over else f"/t/{made.room.id}")


# ---------------------------------------------------------------------------------------------------- files


async def static(request: Request) -> Response:
    """A static file; under its digest it may be kept for ever."""
    name = str(request.path_params["name"])
    if not name.isprintable():
        return Response(status_code=404)
    first, _, rest = name.partition("/")
    kept = first == assets.digest()
    file = (assets.STATIC / (rest if kept else name)).resolve()
    if not file.is_relative_to(assets.STATIC.resolve()) or not await asyncio.to_thread(file.is_file):
        return Response(status_code=404)
    content = await asyncio.to_thread(file.read_bytes)
    kind = _KINDS.get(file.suffix, "application/octet-stream")
    return Response(
        content, media_type=kind, headers={"cache-control": assets.FOR_EVER if kept else assets.FOR_A_WHILE}
    )


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


def routes(house: House) -> list[Route | WebSocketRoute]:
    """The table of contents."""

    def get(path: str, handler: Handler) -> Route:
        return Route(path, handled(house, handler), methods=["GET"], include_in_schema=False)

    def post(path: str, handler: Handler) -> Route:
        return Route(path, handled(house, handler), methods=["POST"], include_in_schema=False)

    async def talk(websocket: WebSocket) -> None:
        await serve(websocket, house, str(websocket.path_params["room"]))

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
        post("/t/{room}/rematch", rematch),
        get("/j/{room}/{invite}", join),
        post("/j/{room}/{invite}", take),
        get("/w/{room}/{key}", watch),
        get("/d/{room}/{key}", device),
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
        WebSocketRoute("/ws/{room}", talk),
    ]
