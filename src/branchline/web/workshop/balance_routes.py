"""How a board of the workshop plays, by address: the page, its figures as they come, and the changes they suggest."""

from __future__ import annotations

import asyncio
import functools
import json
from importlib import resources
from secrets import token_urlsafe

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from branchline.arena.balance.improve import Change
from branchline.boards import Board, BoardError
from branchline.web.core.http.heavy_work import QUICK
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.page_requests import PageError, PageRequest, limit, made_page, number_in, redirect, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.room import Refused
from branchline.web.core.security.draft_links import EDIT
from branchline.web.workshop import balance_page, balancing, saving, working_out
from branchline.web.workshop.balance_page import BalanceContext
from branchline.web.workshop.balancing import Balances
from branchline.web.workshop.draft_routes import OpenedDraft, opened
from branchline.workshop import Draft, StepError

SORTING = "sort_tables.js"


async def balance(req: PageRequest) -> Response:
    """Show the page: a button to begin with, what was found so far, the changes that are suggested."""
    return await made_page(balance_page.balance, await _context(req, await opened(req)))


async def progress(req: PageRequest) -> Response:
    """Return the progress, and the page's parts if there is something new since the look that the browser has."""
    draft = await opened(req)
    job = await _job(req, draft)
    since = req.http.query_params.get("since", "")
    answer: dict[str, object] = {
        "running": bool(job and job.running),
        "played": job.played if job else 0,
        "asked": job.asked if job else 0,
        "looks": job.looks if job else 0,
    }
    if job is None or not job.running or since != str(job.looks):
        context = await _context(req, draft)
        answer["parts"] = await asyncio.to_thread(balance_page.balance_parts, context)
    return JSONResponse(answer)


async def begin(req: PageRequest) -> Response:
    """Have the board played as it is now."""
    draft = await opened(req)
    board = await _board(req, draft)
    with _Refusals():
        await req.server.live.write(req.server.part(Balances).begin, draft.row, board, address_of(req.http.scope))
    return _back(draft)


async def improve(req: PageRequest) -> Response:
    """Have the suggested changes tried."""
    draft = await opened(req)
    with _Refusals():
        await req.server.live.write(req.server.part(Balances).improve, draft.row.id, address_of(req.http.scope))
    return _back(draft)


async def stop(req: PageRequest) -> Response:
    """End the games with what there is."""
    draft = await opened(req, edit=True)
    await req.server.live.write(req.server.part(Balances).stop, draft.row.id)
    return _back(draft)


async def accept(req: PageRequest) -> Response:
    """Take a change over as a step of the draft, or take it back."""
    draft = await opened(req, edit=True)
    job, number = await _job(req, draft), number_in(req.fields.get("change", ""), 4)
    if job is None or number is None or number >= len(job.changes):
        raise PageError(400, "bad_request", "change: expected the number of a change")
    try:
        save = await asyncio.to_thread(_save, draft, job.changes[number])
        await req.server.live.write(saving.write, req.server.store, save)
    except StepError:
        pass  # the page says that it no longer fits
    return _back(draft)


def _save(draft: OpenedDraft, change: Change) -> saving.Save:
    step = balancing.step_for(_draft(draft), change)
    return saving.prepared(draft.row, json.dumps([[token_urlsafe(9), step.as_json()]]))


async def sorting(_request: Request) -> Response:
    """Return the script that sorts tables, here as in the report of the command line."""
    return Response(_script(), media_type="text/javascript", headers={"cache-control": "public, max-age=300"})


@functools.cache
def _script() -> str:
    return resources.files("branchline.arena.report").joinpath(SORTING).read_text(encoding="utf-8")


class _Refusals:
    """What is refused for being too much is answered as such."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, Refused):
            raise PageError(429, error.reason, str(error)) from None


def _back(draft: OpenedDraft) -> Response:
    return redirect(f"{draft.path}/balance")


def _draft(draft: OpenedDraft) -> Draft:
    return saving.unpacked(draft.row)


async def _job(req: PageRequest, draft: OpenedDraft) -> balancing.BalanceJob | None:
    return await req.server.live.read(req.server.part(Balances).of, draft.row.id)


async def _board(req: PageRequest, draft: OpenedDraft) -> Board:
    try:
        made = await req.server.heavy.run(req.http, QUICK, working_out.made, draft.row)
    except BoardError as error:
        raise PageError(409, "unsound", error.first_line) from None
    return await asyncio.to_thread(kept_boards.here, made)


async def _context(req: PageRequest, opened_draft: OpenedDraft) -> BalanceContext:
    limit(req, "checks")
    job = await _job(req, opened_draft)
    is_changed = job is not None and job.version != opened_draft.row.version
    board = await _board(req, opened_draft) if job is None or is_changed else job.board
    if job is None:
        return BalanceContext(req.visit, opened_draft.path, opened_draft.row.title, board, opened_draft.right == EDIT)
    await req.server.layouts.ready(job.board)
    states: tuple[str, ...] = ()
    if job.tried is not None:
        draft = await asyncio.to_thread(_draft, opened_draft)
        states = tuple(balancing.state_of(draft, trial.change) for trial in job.tried)
    return BalanceContext(
        visit=req.visit,
        path=opened_draft.path,
        title=opened_draft.row.title,
        board=job.board,
        may_edit=opened_draft.right == EDIT,
        found=job.found,
        changes=job.changes,
        tried=job.tried,
        states=states,
        running=job.running,
        improving=job.improving,
        failed=job.failed,
        changed=is_changed and board.digest != job.board.digest,
        played=job.played,
        asked=job.asked,
        looks=job.looks,
    )


def routes(server: ServerState) -> list[Route]:
    """Return the routes of the balance."""

    of = functools.partial(route, server)
    page = "/workshop/{draft}/{key}/balance"
    return [
        of(page, balance),
        of(page, begin, "POST"),
        of(f"{page}/progress", progress),
        of(f"{page}/improve", improve, "POST"),
        of(f"{page}/stop", stop, "POST"),
        of(f"{page}/accept", accept, "POST"),
        Route(f"/workshop/{SORTING}", sorting, methods=["GET"], include_in_schema=False),
    ]
