"""What there is when a game is over: replay, analysis, record; and records from elsewhere."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import replace

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from branchline.game import RecordError
from branchline.web.core.feature import Feature
from branchline.web.core.http.heavy_work import DEEP, QUICK
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    download,
    limit,
    made_page,
    name_given,
    redirect,
    route,
    seat_named,
    visible_room,
    worked_out,
)
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import analyses, creation, seats
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.perspective import Viewer, player, sharing_link, table_context
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.replay import analysis_page, replays
from branchline.web.replay import page as replay_page
from branchline.web.replay.analysis_page import AnalysisContext
from branchline.web.replay.picture import result_picture
from branchline.web.replay.replays import ReplayCache, ReplayContext


async def _moments(req: PageRequest, live_room: LiveRoom, viewer: Viewer, *numbers: int | None) -> list[ReplayContext]:
    """Return moments of a finished game by their numbers (None: the last one), from the chosen perspective."""
    query = req.http.query_params
    perspective = query.get("perspective") or query.get("eyes", "")  # `eyes`: in links made by earlier versions
    server = req.server
    await server.layouts.ready(live_room.room.board)
    try:
        return [
            await replays.replay_context(
                server.live,
                server.part(ReplayCache),
                live_room.room,
                n,
                perspective,
                viewer,
                server.signer,
                server.live.clock.now(),
            )
            for n in numbers
        ]
    except Refused as refusal:
        raise PageError(409 if refusal.reason == "running" else 404, refusal.reason, str(refusal)) from None


async def replay(req: PageRequest) -> Response:
    """Show a moment of a finished game, with the mistakes and chances of the whole game, which the scrubber also
    uses.
    """
    live_room, viewer = await visible_room(req)
    [context] = await _moments(req, live_room, viewer, req.http.path_params.get("n"))
    job = await _analysis(req, live_room.room)
    if job is not None and job.found is not None:
        context = replace(context, analysis=job.found, moments=analyses.moments(live_room.room))
    return await made_page(replay_page.replay, context)


async def replay_json(req: PageRequest) -> Response:
    """Return the same for the scrubber: all of it, or what differs from the moment `since` that it shows now."""
    n, since = req.http.path_params["n"], req.http.query_params.get("since", "")
    numbers = [n, int(since)] if since.isdecimal() and len(since) < 6 else [n]
    live_room, viewer = await visible_room(req)
    context, *shown = await _moments(req, live_room, viewer, *numbers)
    fragments = await worked_out(replay_page.replay_fragments, context, shown[0] if shown else None)
    title = replay_page.replay_title(context)
    return JSONResponse({"n": context.n, "last": context.last, "fragments": fragments, "title": title})


async def analysis(req: PageRequest) -> Response:
    """Show the analysis of a finished game, as far as it is there, or the button that begins it."""
    return await made_page(analysis_page.analysis, await _analysis_context(req))


async def review(req: PageRequest) -> Response:
    """Show the largest mistakes, for the end screen."""
    return await made_page(analysis_page.review, await _analysis_context(req))


async def _analysis_context(req: PageRequest) -> AnalysisContext:
    live_room, viewer = await _finished(req)
    room, now = live_room.room, req.server.live.clock.now()
    job = await _analysis(req, room)
    return AnalysisContext(
        visit=req.visit,
        room=room.id,
        board=room.board,
        players=tuple(player(room, seat, viewer, req.server.signer, now) for seat in room.seats),
        found=(job.found or job.part) if job else None,
        running=bool(job and job.running),
        failed=bool(job and job.failed),
        done=job.done if job else 0,
        actions=job.actions if job else 0,
        moments=await asyncio.to_thread(analyses.moments, room),
        thinks=req.server.settings.think_in_browser,
        spectator_link=sharing_link(req.server.signer, room, viewer),
        imagined=room.game.imagined,
    )


async def analysis_json(req: PageRequest) -> Response:
    """Return the analysis as JSON; 404 as long as nobody has asked for it, or it is not ready."""
    live_room, _ = await _finished(req)
    job = await _analysis(req, live_room.room)
    if job is None or job.found is None:
        raise PageError(404, "not_found")
    analysed = job.found
    return await asyncio.to_thread(lambda: JSONResponse(analysed.as_dict()))


async def analysis_work(req: PageRequest) -> Response:
    """Return what the browser needs to analyse a finished game itself, where the server leaves that to browsers."""
    live_room, _ = await _finished(req)
    work = await asyncio.to_thread(analyses.work_of, live_room.room) if req.server.settings.think_in_browser else None
    if work is None:
        raise PageError(404, "not_found")
    return JSONResponse({"work": ["analysis", work], "version": 0})


async def found_here(req: PageRequest) -> Response:
    """Show a browser what it has found itself, and nobody else, as nobody else would believe it.

    What can be read and shown in a process apart can be so here as well.
    """
    live_room, _ = await _finished(req)
    if not req.server.settings.think_in_browser:
        raise PageError(404, "not_found")
    limit(req, "exercises")
    text, context = req.fields.get("found", ""), await _analysis_context(req)
    draw = analysis_page.review if req.http.query_params.get("shown") == "review" else analysis_page.analysis
    page = await req.server.heavy.run(req.http, QUICK, analysis_page.found_elsewhere, draw, context, text)
    found = await asyncio.to_thread(analyses.found_elsewhere, text, *context.game)
    req.server.analyses.keep_own(live_room.room, req.client.hash, found, len(text))
    return HTMLResponse(page)


async def begin_analysis(req: PageRequest) -> Response:
    """Have a finished game analysed."""
    live_room, _ = await _finished(req)
    try:
        await _analysis(req, live_room.room)  # what the store has is known from then on, and not begun again
        req.server.analyses.begin(live_room.room, address_of(req.http.scope))
    except Refused as refusal:
        raise PageError(429, refusal.reason, str(refusal)) from None
    return redirect(f"/t/{live_room.room.id}/analysis")


async def _analysis(req: PageRequest, room: Room) -> analyses.AnalysisJob | None:
    """Return the analysis of a room, or its progress, if somebody has asked for it."""
    return await req.server.live.read(req.server.analyses.of, room, req.client.hash)


async def _finished(req: PageRequest) -> tuple[LiveRoom, Viewer]:
    live_room, viewer = await visible_room(req)
    if live_room.room.row.status != OVER:
        raise PageError(409, "running")
    return live_room, viewer


async def play_on(req: PageRequest) -> Response:
    """Go on from a moment of a finished game, against bots."""
    live_room, _ = await visible_room(req)
    limit(req, "rooms")
    seat, n = seat_named(req), int(req.http.path_params["n"])
    bot = req.fields.get("bot", "") or seats.usual_bot()
    if not seats.is_bot(bot) or seat >= len(live_room.room.seats) or n > len(live_room.room.steps):
        raise PageError(400, "bad_request")
    new_room = await creation.play_on(req.server.live, live_room.room, n, seat, bot, req.client.hash, name_given(req))
    return redirect(f"/t/{new_room.room.id}")


async def result(req: PageRequest) -> Response:
    """Return the result as a picture, with the chances if the game was analysed."""
    live_room, viewer = await _finished(req)
    await req.server.layouts.ready(live_room.room.board)
    job = await _analysis(req, live_room.room)
    context = table_context(live_room.room, viewer, req.server.signer)
    drawn = await worked_out(result_picture, context, job.found if job else None)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": policy})


async def record(req: PageRequest) -> Response:
    """Return the record of a finished game."""
    live_room, _ = await visible_room(req)
    if live_room.room.row.status != OVER:
        raise PageError(409, "running", "the record can be had when the game is over")
    name = f"{live_room.room.board.id}-{live_room.room.id}.json"
    content = await asyncio.to_thread(lambda: live_room.room.record().to_json())
    return download(content, "application/json", name)


async def upload(req: PageRequest) -> Response:
    """Make a room of an uploaded record."""
    limit(req, "rooms")
    try:
        text = req.fields.get("record", "")
        room = await req.server.heavy.run(req.http, DEEP, creation.played, text, req.client.hash)
    except RecordError as error:
        raise PageError(400, "bad_request", error.message) from None
    new_room = await creation.from_record(req.server.live, room)
    over = new_room.room.row.status == OVER
    return redirect(f"/t/{new_room.room.id}/replay" if over else f"/t/{new_room.room.id}")


def routes(server: ServerState) -> list[Route]:
    """List the addresses."""
    get = functools.partial(route, server)
    post = functools.partial(route, server, method="POST")
    return [
        get("/t/{room}/replay", replay),
        get("/t/{room}/replay/{n:int}.json", replay_json),
        get("/t/{room}/replay/{n:int}", replay),
        post("/t/{room}/replay/{n:int}/play", play_on),
        get("/t/{room}/analysis", analysis),
        get("/t/{room}/analysis.json", analysis_json),
        post("/t/{room}/analysis", begin_analysis),
        get("/t/{room}/analysis/work", analysis_work),
        post("/found/{room}", found_here),
        get("/t/{room}/review", review),
        get("/t/{room}/result.svg", result),
        get("/t/{room}/record.json", record),
        post("/upload", upload),
    ]


FEATURE = Feature(
    routes,
    words=("upload", "found"),
    largest={"/upload": lambda limits: limits.upload, "/found/": lambda limits: limits.upload},
    parts=(lambda server: ReplayCache(),),
)
