"""“Is this my printed board?”: an owner of the box walks through an edition, and a board comes of it."""

from __future__ import annotations

import asyncio
import functools

from starlette.responses import Response
from starlette.routing import Route

from branchline.boards import BranchlineError, builtin_boards, load_board
from branchline.web.core.http.page_requests import PageError, PageRequest, limit, made_page, redirect, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.security.draft_links import EDIT, path_of
from branchline.web.workshop import beginning, printed_page, saving
from branchline.web.workshop import store as drafts
from branchline.web.workshop.printed_page import PrintedContext
from branchline.web.workshop.store import DraftRow
from branchline.workshop.printed import PrintedError, draft_of, lines_of, read_printed

PATH = "/workshop/printed/{board}"


async def printed(req: PageRequest) -> Response:
    """Show the edition, line by line."""
    return await _page(req, _edition(req))


async def _page(req: PageRequest, name: str, problem: str = "", status: int = 200) -> Response:
    draft = await asyncio.to_thread(beginning.of_edition, name)
    board = await asyncio.to_thread(load_board, name)
    await req.server.layouts.ready(board)
    return await made_page(printed_page.printed, PrintedContext(req.visit, board, lines_of(draft), problem), status)


def _edition(req: PageRequest) -> str:
    name = req.word("board")
    if name not in builtin_boards():
        raise PageError(404, "not_found")
    return name


async def begin(req: PageRequest) -> Response:
    """Make the board that is printed a draft of whoever read it off."""
    limit(req, "drafts")
    name = _edition(req)
    try:
        row = await asyncio.to_thread(_begun, req.fields.get("printed", ""), name)
    except BranchlineError as error:
        return await _page(req, name, error.message, 400)
    await req.server.live.write(drafts.create, req.server.store, row)
    return redirect(path_of(req.server.signer, row.id, EDIT))


def _begun(text: str, name: str) -> DraftRow:
    printed = read_printed(text)
    if printed.board != name:
        raise PrintedError("the file names another edition")
    return saving.begun(draft_of(printed, beginning.of_edition(name)))


def routes(server: ServerState) -> list[Route]:
    """Return the routes; they come before those of drafts, which look alike."""
    of = functools.partial(route, server)
    return [of(PATH, printed), of(PATH, begin, "POST")]
