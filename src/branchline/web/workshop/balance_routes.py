"""How a board of the workshop plays, by address: the page, its figures as they come, and the changes they suggest."""

from __future__ import annotations

import asyncio
import functools
import json
from dataclasses import replace
from importlib import resources
from secrets import token_urlsafe

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from branchline.arena.balance.improve import Change, TriedChange
from branchline.boards import Board, BoardError, BranchlineError
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
from branchline.web.workshop.kept_figures import from_text
from branchline.web.workshop.store import DraftRow
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


async def work(req: PageRequest) -> Response:
    """Return what the browser needs to play the board itself, where the server leaves that to browsers."""
    draft = await opened(req)
    if not req.server.settings.think_in_browser:
        raise PageError(404, "not_found")
    changes = req.http.query_params.get("of") == "changes"
    job = await _job(req, draft) if changes else None
    board = await _board(req, draft) if job is None else job.board
    handed = await asyncio.to_thread(balancing.work_of, board, job)
    if handed is None or (changes and "found" not in handed):
        raise PageError(404, "not_found")
    version = draft.row.version if job is None else job.version
    return JSONResponse({"work": ["changes" if changes else "balance", handed], "version": version})


async def found_here(req: PageRequest) -> Response:
    """Show a browser what it has found itself, and nobody else, as nobody else would believe it.

    What can be read and shown in a process apart can be so here as well.
    """
    draft, text = await opened(req), req.fields.get("found", "")
    if not req.server.settings.think_in_browser:
        raise PageError(404, "not_found")
    if req.fields.get("version") != str(draft.row.version):
        raise PageError(409, "stale")
    context = replace(await _context(req, draft), board=await _board(req, draft))
    page = await req.server.heavy.run(req.http, QUICK, _page_of_found, context, draft.row, text)
    found, changes, tried = await asyncio.to_thread(from_text, text, context.board)
    job = balancing.BalanceJob(
        context.board, draft.row.version, found=found, changes=changes, tried=tried, running=False
    )
    req.server.part(Balances).keep_own(draft.row.id, req.client.hash, job, len(text))
    return HTMLResponse(page)


def _page_of_found(context: BalanceContext, row: DraftRow, text: str) -> str:
    """Return the page of what a browser has found. Raise `NoFigures` where none can be made of it."""
    try:
        found, changes, tried = from_text(text, context.board)
        shown = replace(
            context, found=found, changes=changes, tried=tried, states=_states(row, tried),
            running=False, improving=False, failed=False, changed=False,
        )  # fmt: skip
        return balance_page.balance(shown)
    except Exception as error:  # there are many ways to be no figures
        raise NoFigures(f"these are no figures of a board: {type(error).__name__}") from None


class NoFigures(BranchlineError):  # noqa: N818  it reads as a sentence
    """What a browser has sent is nothing that it can have found."""


def _states(row: DraftRow, tried: tuple[TriedChange, ...] | None) -> tuple[str, ...]:
    """Return what became of the changes that were tried."""
    if tried is None:
        return ()
    draft = saving.unpacked(row)
    return tuple(balancing.state_of(draft, trial.change) for trial in tried)


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
    return await req.server.live.read(req.server.part(Balances).of, draft.row.id, req.client.hash)


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
        path, row, may_edit = opened_draft.path, opened_draft.row, opened_draft.right == EDIT
        return BalanceContext(req.visit, path, row.title, board, may_edit, thinks=req.server.settings.think_in_browser)
    await req.server.layouts.ready(job.board)
    states = await asyncio.to_thread(_states, opened_draft.row, job.tried)
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
        thinks=req.server.settings.think_in_browser,
    )


def routes(server: ServerState) -> list[Route]:
    """Return the routes of the balance."""

    of = functools.partial(route, server)
    page = "/workshop/{draft}/{key}/balance"
    return [
        of(page, balance),
        of(page, begin, "POST"),
        of(f"{page}/progress", progress),
        of(f"{page}/work", work),
        of(f"{page}/found", found_here, "POST"),
        of(f"{page}/improve", improve, "POST"),
        of(f"{page}/stop", stop, "POST"),
        of(f"{page}/accept", accept, "POST"),
        Route(f"/workshop/{SORTING}", sorting, methods=["GET"], include_in_schema=False),
    ]
