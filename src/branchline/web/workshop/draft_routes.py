"""The workshop by address: the page to begin on, the editor behind its links, and what the editor asks for."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from branchline.boards import BoardError, BranchlineError
from branchline.boards.catalogue import builtin_boards
from branchline.web.core.http.heavy_work import DEEP, QUICK, status_of
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    check_key,
    download,
    limit,
    made_page,
    redirect,
    route,
)
from branchline.web.core.http.state import ServerState
from branchline.web.core.jobs import JobError, WorkBudget
from branchline.web.core.pages import fault_text, labels
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.ids import is_room_id, new_room_id
from branchline.web.core.rooms.kept_boards import MadeBoard
from branchline.web.core.security.draft_links import EDIT, LOOK, path_of, right_of
from branchline.web.workshop import beginning, playing, saving, working_out
from branchline.web.workshop import page as workshop_page
from branchline.web.workshop import store as drafts
from branchline.web.workshop.page import DraftLine, EditorContext, WorkshopContext
from branchline.web.workshop.store import DraftRow
from branchline.workshop import gazetteer, printing, region

Answer = TypeVar("Answer")

MOST_SAVES = 10**9  # no draft has as many; databases know no larger numbers
TOWNS = 12  # in an answer
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A drawing holds rules of style and nothing else that may run or be fetched, wherever it is opened."""


@dataclass(frozen=True)
class OpenedDraft:
    """A draft behind a link, and what the link allows."""

    row: DraftRow
    right: str  # EDIT or LOOK
    key: str

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/workshop/{self.row.id}/{self.key}"


async def opened(req: PageRequest, *, edit: bool = False) -> OpenedDraft:
    """Return the draft in the address, if the key there opens it. `edit`: for changing it."""
    id_, key = req.word("draft"), req.word("key")
    right = right_of(req.server.signer, id_, key)
    check_key(req, is_room_id(id_) and bool(right))
    row = await req.server.live.read(drafts.load, req.server.store, id_)
    if row is None:
        raise PageError(404, "not_found")
    if edit and right != EDIT:
        raise PageError(403, "look_only")
    return OpenedDraft(row, right, key)


def told(req: PageRequest, message: str) -> str:
    """Return a message about a board, in the language of the request."""
    return fault_text.told(req.visit.language, message)


def _refused(req: PageRequest, error: BranchlineError) -> Response:
    """Return why something cannot be done, for a script that shows it."""
    return JSONResponse({"why": told(req, error.message)}, status_of(error))


async def _worked_out(
    req: PageRequest, budget: WorkBudget, function: Callable[..., Answer], *arguments: object
) -> Answer:
    """Return what a function of `working_out` answers, in another process; see `HeavyWork.run`."""
    return await req.server.heavy.run(req.http, budget, function, *arguments)


# ------------------------------------------------------------------------------------------------ beginning


async def start(req: PageRequest) -> Response:
    """Show where a board begins."""
    return await _start(req)


async def _start(req: PageRequest, problem: str = "", status: int = 200) -> Response:
    public = await req.server.live.read(drafts.public_drafts, req.server.store)
    offered = [board for board in await asyncio.to_thread(offered_boards) if board.id in builtin_boards()]
    lines = [DraftLine(row.title, path_of(req.server.signer, row.id, LOOK), row.touched) for row in public]
    context = WorkshopContext(req.visit, tuple(offered), tuple(lines), problem, dict(req.fields))
    return await made_page(workshop_page.workshop, context, status)


async def begin(req: PageRequest) -> Response:
    """Begin a draft; it is opened by its link for changing. A script is told what of its files could not be kept."""
    limit(req, "drafts")
    script = "application/json" in req.http.headers.get("accept", "")
    try:
        if req.fields.get("from") == "edition":
            row, reasons = await asyncio.to_thread(working_out.begun, req.fields)  # kept in memory
        else:
            budget = DEEP if req.fields.get("from") == "files" else QUICK
            row, reasons = await _worked_out(req, budget, working_out.begun, dict(req.fields))
    except BranchlineError as error:
        status = status_of(error)
        return _refused(req, error) if script else await _start(req, told(req, error.message), status)
    await req.server.live.write(drafts.create, req.server.store, row)
    path = path_of(req.server.signer, row.id, EDIT)
    if script:
        return JSONResponse(
            {"id": row.id, "path": req.visit.root + path, "reasons": [told(req, reason.text) for reason in reasons]}
        )
    return redirect(path)


# ------------------------------------------------------------------------------------------------ the editor


async def editor(req: PageRequest) -> Response:
    """Show the editor, or the draft to look at."""
    draft = await opened(req)
    await req.server.live.write(drafts.touch, req.server.store, draft.row, time.time())
    context = EditorContext(
        visit=req.visit,
        path=draft.path,
        id=draft.row.id,
        title=draft.row.title,
        version=draft.row.version,
        content=draft.row.content,
        may_edit=draft.right == EDIT,
        public=draft.row.public,
        look_link=path_of(req.server.signer, draft.row.id, LOOK),
        bots=seats.bots(),
        usual_bot=seats.usual_bot(),
    )
    return await made_page(workshop_page.editor, context)


async def copy(req: PageRequest) -> Response:
    """Make a copy of a draft, for changing."""
    draft = await opened(req)
    limit(req, "drafts")
    now = time.time()
    row = replace(draft.row, id=new_room_id(), version=0, public=False, created=now, touched=now)
    await req.server.live.write(drafts.create, req.server.store, row)
    return redirect(path_of(req.server.signer, row.id, EDIT))


async def save(req: PageRequest) -> Response:
    """Take steps; a browser that is behind is told what it has missed, with status 409."""
    draft = await opened(req, edit=True)
    limit(req, "saves")
    version = req.fields.get("version", "")
    if not version.isdecimal() or len(version) > 9:
        raise PageError(400, "bad_request", "version: expected a number")
    if int(version) != draft.row.version:
        return JSONResponse(await _news(req, int(version)), 409)
    try:
        prepared = await asyncio.to_thread(saving.prepared, draft.row, req.fields.get("steps", ""))
    except BranchlineError as error:
        return _refused(req, error)
    if not await req.server.live.write(saving.write, req.server.store, prepared):
        return JSONResponse(await _news(req, int(version)), 409)
    return JSONResponse({"version": prepared.after.version})


async def news(req: PageRequest) -> Response:
    """Return what was saved after a version: the steps, or the whole draft for a browser too far behind."""
    await opened(req)
    n = req.http.path_params["n"]
    if n > MOST_SAVES:
        raise PageError(404, "not_found")
    return JSONResponse(await _news(req, n))


async def _news(req: PageRequest, n: int) -> dict[str, object]:
    store = req.server.store
    saves = await req.server.live.read(drafts.saves_since, store, req.word("draft"), n)
    row = await req.server.live.read(drafts.load, store, req.word("draft"))  # after the saves: it has them all
    if row is None:
        raise PageError(404, "not_found")
    if n <= row.version == n + len(saves):
        return {"version": row.version, "steps": [[save.mark, json.loads(save.step)] for save in saves]}
    return {"version": row.version, "draft": json.loads(row.content)}


async def check(req: PageRequest) -> Response:
    """Return what `board check` says of the draft."""
    draft = await opened(req)
    limit(req, "checks")
    findings = await _worked_out(req, QUICK, working_out.checked, draft.row)
    lines = [{**finding.as_json(), "message": told(req, finding.message)} for finding in findings]
    return JSONResponse({"version": draft.row.version, "findings": lines})


async def ground(req: PageRequest) -> Response:
    """Return the sheet and its backdrop."""
    draft = await opened(req)
    limit(req, "checks")
    drawn = await _worked_out(req, QUICK, working_out.grounded, draft.row)
    return JSONResponse({"version": draft.row.version, **drawn.as_json()})


async def region_step(req: PageRequest) -> Response:
    """Return the backdrop of the region that the map shows."""
    await opened(req, edit=True)
    limit(req, "checks")
    try:
        bounds = beginning.bounds_in(req.http.query_params.get("bounds", ""))
        return JSONResponse(await _worked_out(req, QUICK, region.backdrop, bounds))
    except BranchlineError as error:
        return _refused(req, error)


async def towns(req: PageRequest) -> Response:
    """Return towns whose names begin like this, or with `exact` are exactly this; those on the map first."""
    params = req.http.query_params
    try:
        near = beginning.bounds_in(params["near"]) if "near" in params else None
    except BranchlineError:
        near = None
    if params.get("exact") == "1":
        towns_found = await asyncio.to_thread(gazetteer.named, params.get("name", ""))
        towns_found.sort(key=lambda town: near is not None and not _within(town, near))
    else:
        towns_found = await asyncio.to_thread(gazetteer.find, params.get("name", ""), near)
    towns_found = towns_found[:TOWNS]
    return JSONResponse([vars(town) for town in towns_found])


def _within(town: gazetteer.Town, bounds: beginning.Bounds) -> bool:
    west, south, east, north = bounds
    return south <= town.lat <= north and (town.lon - west) % 360 <= east - west


async def drawing(req: PageRequest) -> Response:
    """Return the board as it will be printed."""
    theme = "dark" if req.http.query_params.get("theme") == "dark" else "light"
    draft, language = await opened(req), req.visit.language
    limit(req, "drawings")
    try:
        text = await _worked_out(req, DEEP, working_out.drawn, draft.row, theme, language, labels.map_words(language))
    except BoardError as error:
        raise PageError(409, "unsound", error.first_line) from None
    return Response(text, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})


async def print_pdf(req: PageRequest) -> Response:
    """Map, tickets and cards as sheets to be printed."""
    params = req.http.query_params
    parts = tuple(part for part in params.getlist("part") if part in printing.PARTS) or printing.PARTS
    wish = working_out.Sheets(
        paper=params.get("paper", "a4"),
        poster=params.get("poster") == "1",
        parts=parts,
        backs=params.get("backs") == "1",
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        language=req.visit.language,
        words=workshop_page.print_words(req.visit.language),
        on_map=labels.map_words(req.visit.language),
    )
    draft = await opened(req)
    limit(req, "drawings")
    try:
        name, content = await _worked_out(req, DEEP, working_out.printed, draft.row, wish)
    except JobError:
        raise
    except BoardError as error:
        raise PageError(409, "unsound", error.first_line) from None
    except BranchlineError as error:
        raise PageError(409, "bad_request", error.message) from None
    return download(content, "application/pdf", f"{name}.pdf")


async def suggest(req: PageRequest) -> Response:
    """Return a step that changes much at once: dealt tickets, values, colours. The page applies it or not."""
    draft = await opened(req, edit=True)
    limit(req, "checks")
    try:
        step = await _worked_out(req, QUICK, working_out.suggested, draft.row, dict(req.fields))
    except BranchlineError as error:
        return _refused(req, error)
    return JSONResponse({"step": step.as_json()})


async def suggest_route(req: PageRequest) -> Response:
    """Return length and colour of a new route."""
    draft = await opened(req, edit=True)
    params = dict(req.http.query_params)
    return JSONResponse(await _worked_out(req, QUICK, working_out.suggested_route, draft.row, params))


# ------------------------------------------------------------------------------------------------ in and out


async def files(req: PageRequest) -> Response:
    """Return the names of the files in which the draft can be saved."""
    draft = await opened(req)
    limit(req, "checks")
    return JSONResponse(list(await asyncio.to_thread(lambda: saving.unpacked(draft.row).files())))


async def file(req: PageRequest) -> Response:
    """Return one file of the draft, or all of them in an archive, to be saved."""
    draft, name = await opened(req), req.word("name")
    limit(req, "checks")
    try:
        content = await _worked_out(req, QUICK, working_out.exported, draft.row, name)
    except JobError:
        raise
    except BranchlineError as error:
        raise PageError(409, "unsound", error.message) from None
    if content is None:
        raise PageError(404, "not_found")
    return download(content, "application/octet-stream", name)


async def read_files(req: PageRequest) -> Response:
    """Return the step that puts files into the present draft, as far as possible; and what could not be kept."""
    draft = await opened(req, edit=True)
    limit(req, "checks")
    try:
        step, reasons = await _worked_out(req, DEEP, working_out.read_onto, draft.row, req.fields.get("files", ""))
    except BranchlineError as error:
        return _refused(req, error)
    return JSONResponse({"step": step.as_json(), "reasons": [told(req, reason.text) for reason in reasons]})


async def publish(req: PageRequest) -> Response:
    """List the board on the page of the workshop, or no longer."""
    draft = await opened(req, edit=True)
    public = req.fields.get("public") == "1"
    await req.server.live.write(drafts.publish, req.server.store, draft.row.id, public)
    return JSONResponse({"public": public})


async def made_board(req: PageRequest) -> MadeBoard:
    """Return the board of the draft in the address as it is now, ready to be kept."""
    draft = await opened(req)
    limit(req, "drawings")
    try:
        return await _worked_out(req, DEEP, working_out.laid_out, draft.row)
    except BoardError as error:
        raise PageError(409, "unsound", error.first_line) from None


async def play(req: PageRequest) -> Response:
    """Begin a table on this board."""
    limit(req, "rooms")
    live_room = await playing.play(req.server.live, await made_board(req), req.fields, req.client.hash)
    return redirect(f"/t/{live_room.room.id}")


def routes(server: ServerState) -> list[Route]:
    """Return the routes of drafts."""

    of = partial(route, server)
    draft = "/workshop/{draft}/{key}"
    return [
        of("/workshop", start),
        of("/workshop", begin, "POST"),
        of("/workshop/towns", towns),
        of(draft, editor),
        of(f"{draft}/copy", copy, "POST"),
        of(f"{draft}/save", save, "POST"),
        of(f"{draft}/since/{{n:int}}", news),
        of(f"{draft}/check", check),
        of(f"{draft}/ground", ground),
        of(f"{draft}/region", region_step),
        of(f"{draft}/drawing.svg", drawing),
        of(f"{draft}/suggest", suggest, "POST"),
        of(f"{draft}/suggest/route", suggest_route),
        of(f"{draft}/print.pdf", print_pdf),
        of(f"{draft}/files", files),
        of(f"{draft}/files/{{name}}", file),
        of(f"{draft}/read", read_files, "POST"),
        of(f"{draft}/public", publish, "POST"),
        of(f"{draft}/play", play, "POST"),
    ]
