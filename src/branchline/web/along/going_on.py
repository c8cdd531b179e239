"""Going on without the server: a game without others goes to its browser, and the course it takes there comes back."""

from __future__ import annotations

import asyncio
import functools
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from starlette.responses import FileResponse, JSONResponse, Response

from branchline.boards import BranchlineError
from branchline.boards.wording import worded
from branchline.web.along import archive, courses, store
from branchline.web.along.archive import ArchiveError
from branchline.web.along.store import NewGame, NewThings
from branchline.web.core.http.heavy_work import DEEP, status_of
from branchline.web.core.http.page_requests import (
    ASK_AGAIN,
    PageError,
    PageRequest,
    limit,
    number_in,
    visible_room,
)
from branchline.web.core.pages import assets, fault_text
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.rooms.attempts import until_written
from branchline.web.core.rooms.bot_turns import unless_changed
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.own_games import OwnGame
from branchline.web.core.rooms.room import Refused, Room

SECONDS = 20.0  # of processor time in which a course is played again; `DEEP` ends it later
LONGEST = 60_000  # letters
ATTEMPTS = 3  # how often bots of the table may be quicker
FRAMED = "frame-ancestors 'self'; object-src 'none'; base-uri 'none'"
"""What pages of the site may do they say themselves, as on any other host; the frame around them is theirs."""
OF_A_VERSION = ("site/", "static/")  # files whose names hold a digest
WORKING = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


# ------------------------------------------------------------------------------------------------ at the server


async def bring_back(req: PageRequest) -> Response:
    """Take the course over that a table has taken in its browser; where both went on, it gets a table of its own."""
    live_room, viewer = await visible_room(req)
    version = number_in(req.fields.get("version", ""), 9)
    if not viewer.mine or version is None:
        raise PageError(403, "not_yours")
    limit(req, "rooms")
    try:
        game = await _read(req, req.fields.get("file", ""))
        _check_same_game(game.own, live_room, viewer.mine)
        answer = await _placed(req, live_room, game, version)
        answer["version"] = str(live_room.room.row.version)
    except Refused:
        raise
    except BranchlineError as error:
        why = fault_text.told(req.visit.language, error.message)
        return JSONResponse({"error": "course", "why": why}, status_of(error))
    return JSONResponse(answer)


async def _read(req: PageRequest, text: str) -> NewGame:
    """Return the one game of a file, played again by the rules. Raise `BranchlineError`."""
    if len(text) > LONGEST:
        raise ArchiveError(worded("the file is too large: at most {most:,} characters", most=LONGEST))
    known = (req.client.hash, (), frozenset[str](), req.server.live.clock.now(), SECONDS)
    opened = await req.server.heavy.run(req.http, DEEP, archive.read, text, *known)
    if opened.left:
        raise ArchiveError(opened.left[0].why)
    if len(opened.things.games) != 1:
        raise archive.WrongEntry
    return opened.things.games[0]


def _check_same_game(own: OwnGame, live_room: LiveRoom, mine: tuple[int, ...]) -> None:
    room = live_room.room
    here = OwnGame(room.row, room.seats, room.log, mine)
    if not here.portable or (here.set_up, here.mine) != (own.set_up, own.mine):
        raise ArchiveError(worded("this is a different game from the one at this table"))


async def _placed(req: PageRequest, live_room: LiveRoom, game: NewGame, version: int) -> dict[str, str]:
    """Put a course where it belongs; return what became of it. Raise `Refused` if others were quicker every time."""
    words = translator_for(req.visit.language)
    for _ in range(ATTEMPTS):
        room = live_room.room
        where = courses.place_for(room, game.own.actions, version, game.own.mine)
        if where == courses.HERE:
            return {"done": where, "said": ""}
        if where == courses.BESIDE:
            said = words("This table went on while you played offline. What you played offline has a table of its own.")
            to = f"{req.visit.root}/t/{await _kept_beside(req, game)}"
            return {"done": where, "said": said, "to": to, "label": words("Go to that table")}
        if await _taken_over(req, live_room, room, game.own):
            return {"done": where, "said": words("What you played offline is at this table now.")}
    raise Refused("stale", "the table is too busy; try again")


async def _taken_over(req: PageRequest, live_room: LiveRoom, room: Room, own: OwnGame) -> bool:
    """Let a room take a course over; return whether it was still as it was: bots may be quicker, or another page."""
    known = (room, own.actions, own.mine[0], time.time())
    done = await req.server.heavy.run(req.http, DEEP, courses.gone_on, *known)
    try:
        await req.server.live.change(live_room, partial(unless_changed, room=room, done=done))
    except Refused:
        return False
    return True


async def _kept_beside(req: PageRequest, game: NewGame) -> str:
    """Keep a course as a room of its own; return the room, which is the same for the same course."""
    live, things = req.server.live, NewThings(games=(game,))
    add = partial(live.write, store.add, live.store, req.client.hash, things, time.time())
    return (await until_written(add)).rooms[game.called]


# ------------------------------------------------------------------------------------------------ in the browser


async def take_on(req: PageRequest) -> Response:
    """Go on with a game that a server has handed to this browser, in a room of the same name."""
    if not req.visit.alone:
        raise PageError(404, "not_found")
    live = req.server.live
    game = await _read(req, req.fields.get("file", ""))
    if not is_room_id(game.called):
        raise archive.WrongEntry
    live_room = await live.get(game.called)
    if live_room is None:
        row, keys = replace(game.own.row, id=game.called), [(req.client.hash, seat) for seat in game.own.mine]
        await live.write(live.store.create, row, game.own.seats, (game.state,), keys, game.own.log)
    elif live_room.room.record().actions != game.own.actions:  # what was played before is at the server already
        _check_same_game(game.own, live_room, game.own.mine)
        act = partial(courses.gone_on, actions=game.own.actions, seat=game.own.mine[0], now=time.time())
        await live.change(live_room, act)
    return JSONResponse({"room": game.called})


# ------------------------------------------------------------------------------------------------ its files


async def site(req: PageRequest) -> Response:
    """Return a file of the site on which browsers go on without the server; for its pages, the frame around them."""
    name, folder = req.word("name"), req.server.settings.site
    files = await asyncio.to_thread(_files, folder) if folder else {}
    file = files.get(name or "index.html")
    if file is None and files and "text/html" in req.http.headers.get("accept", ""):
        file = files["index.html"]
    if file is None:
        raise PageError(404, "not_found")
    kind = assets.KINDS.get(file.suffix) or {".html": "text/html; charset=utf-8", ".mjs": "text/javascript"}.get(
        file.suffix, "application/octet-stream"
    )
    policy = FRAMED if file.suffix == ".html" else WORKING
    caching = {"cache-control": assets.FOR_EVER} if name.startswith(OF_A_VERSION) else ASK_AGAIN
    headers = {"content-security-policy": policy, "x-frame-options": "SAMEORIGIN", **caching}
    if file.suffix == ".packed":
        headers["content-encoding"] = "identity"  # it is compressed already
    return FileResponse(file, media_type=kind, headers=headers)


@functools.cache
def _files(folder: str) -> dict[str, Path]:
    return {file.relative_to(folder).as_posix(): file for file in Path(folder).rglob("*") if file.is_file()}
