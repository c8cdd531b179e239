"""Taking one's games along: a file of everything, and opening one."""

from __future__ import annotations

import functools
import json
import time
from dataclasses import replace

from starlette.responses import Response
from starlette.routing import Route

from branchline.boards import BranchlineError
from branchline.plain_data import JsonObject
from branchline.web.along import archive, going_on, page, store
from branchline.web.along.archive import Opened
from branchline.web.along.store import Added, OwnThings
from branchline.web.core.feature import Feature
from branchline.web.core.http import clients
from branchline.web.core.http.heavy_work import DEEP, status_of
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.page_requests import PageError, PageRequest, download, limit, made_page, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages import browser_settings
from branchline.web.core.rooms.attempts import until_written
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.room import OVER, TAKEN_ALONG, Refused, Room
from branchline.web.core.security.draft_links import EDIT, path_of, right_of
from branchline.web.core.settings import HERE
from branchline.web.core.store.rows import Change

PATH = "/along"
MOST_DRAFTS = 60  # boards of the workshop that a browser names
SECONDS = 20.0  # of processor time in which games of a file are played again; `DEEP` ends it later
SECONDS_ALONE = 150.0  # in a browser of its own, where nobody else waits


async def show(req: PageRequest) -> Response:
    """Show what there is to be taken along."""
    return await made_page(page.along, page.counted(req.visit, await _things(req)))


async def save(req: PageRequest) -> Response:
    """Return the file. Games under way no longer count for ratings then: it holds their hidden cards."""
    limit(req, "drawings")
    drafts = await _drafts(req)
    if not req.visit.alone:
        for game in await req.server.live.read(store.games_of, req.server.store, req.client.hash):
            if game.portable and game.row.status != OVER:
                await _mark(req, game.row.id, game.mine[0])
    things = await _things(req)
    chosen = {"language": req.visit.language, **req.visit.settings}
    text = await req.server.live.work(archive.written, things, drafts, chosen, time.time())
    return download(text, "application/json", time.strftime("branchline-%Y-%m-%d.json", time.gmtime()))


async def open_file(req: PageRequest) -> Response:
    """Take over what a file brings, all of it or nothing."""
    limit(req, "rooms")
    try:
        opened, added = await _taken(req)
    except BranchlineError as error:
        if isinstance(error, Refused):
            raise
        context = replace(page.counted(req.visit, await _things(req)), problem=error.message)
        return await made_page(page.along, context, status_of(error))
    paths = tuple((path_of(req.server.signer, id_, EDIT), title) for id_, title in added.new_drafts)
    context = replace(page.counted(req.visit, await _things(req)), opened=opened, added=added, drafts=paths)
    response = await made_page(page.along, context)
    for name in ("language", *browser_settings.NAMES):
        if not clients.has_chosen(req.http, name):
            clients.remember_setting(response, req.server, name, opened.settings.get(name, ""))
    return response


async def _taken(req: PageRequest) -> tuple[Opened, Added]:
    """Return what was found in the file of a form, and what of it was written."""
    live, key, text = req.server.live, req.client.hash, req.fields.get("file", "")
    mine = frozenset(json.dumps(draft, ensure_ascii=False, separators=(",", ":")) for _, draft in await _drafts(req))
    seconds = SECONDS_ALONE if req.visit.alone else SECONDS

    async def attempt() -> tuple[Opened, Added]:
        here = await live.read(store.games_of, live.store, key)
        known = (key, here, mine, live.clock.now(), seconds)
        opened = await req.server.heavy.run(req.http, DEEP, archive.read, text, *known)
        return opened, await live.write(store.add, live.store, key, opened.things, time.time())

    return await until_written(attempt)  # the same file may be opened twice at the same moment


async def _things(req: PageRequest) -> OwnThings:
    return await req.server.live.read(store.things_of, req.server.store, req.client.hash)


async def _drafts(req: PageRequest) -> list[tuple[str, JsonObject]]:
    """Return the boards of the workshop whose links for changing the browser has sent: title and content."""
    try:
        paths = json.loads(req.fields.get("boards", "[]") or "[]")
    except (ValueError, RecursionError):
        paths = []
    found: list[tuple[str, JsonObject]] = []
    for path in paths[:MOST_DRAFTS] if isinstance(paths, list) else ():
        _, _, link = str(path).rpartition("/workshop/")
        id_, _, link_key = link.partition("/")
        if not is_room_id(id_) or right_of(req.server.signer, id_, link_key) != EDIT:
            if not req.server.rates.allow("guesses", address_of(req.http.scope)):
                raise PageError(429, "too_many")
            continue
        row = await req.server.live.read(store.draft, req.server.store, id_)
        if row is not None:
            found.append(row)
    return found


async def _mark(req: PageRequest, room: str, seat: int) -> None:
    """Note in a game under way that its hidden cards are in a file."""

    def noted(before: Room) -> tuple[Room, Change]:
        if any(row.kind == TAKEN_ALONG for row in before.log):
            raise Refused("stale", "it is noted already")
        return before.noted(seat, TAKEN_ALONG, time.time())

    live_room = await req.server.live.get(room, fresh=True)
    if live_room is not None:
        try:
            await req.server.live.change(live_room, noted)
        except Refused:
            return


def routes(server: ServerState) -> list[Route]:
    """List the addresses."""
    of = functools.partial(route, server)
    return [
        of(PATH, show),
        of(PATH, open_file, "POST"),
        of(f"{PATH}/file", save, "POST"),
        of("/t/{room}/course", going_on.bring_back, "POST"),
        route(server, f"{PATH}/on", going_on.take_on, "POST", signed=True),  # by the frame of a site, which has no form
        of(f"{HERE}/{{name:path}}", going_on.site),
    ]


FEATURE = Feature(routes, words=("along", HERE[1:]), largest={PATH: lambda limits: limits.along})
