"""Exercises by address: mistakes of own games tried again, and puzzles."""

from __future__ import annotations

import asyncio
import functools
import time
from datetime import UTC, datetime

from starlette.responses import Response
from starlette.routing import Route

from branchline.analysis import Decision
from branchline.boards import Board
from branchline.teaching.exercises import Answers, ExerciseError
from branchline.teaching.puzzles import Collection, Puzzle, PuzzleError, editions, of_edition, of_the_day
from branchline.web.core.feature import Feature
from branchline.web.core.http.heavy_work import DEEP
from branchline.web.core.http.page_requests import (
    PageError,
    PageRequest,
    limit,
    made_page,
    number_in,
    redirect,
    route,
    visible_room,
)
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import analyses
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.room import OVER, Room
from branchline.web.core.store.rows import AttemptRow, MistakeRow
from branchline.web.exercises import guide as exercise_guide
from branchline.web.exercises import page as exercises_page
from branchline.web.exercises import store as store_of
from branchline.web.exercises import tables as exercises
from branchline.web.exercises.page import MistakeLine, MistakesContext, PuzzleLine, PuzzlesContext, PuzzleShelf

exercise_guide.register()


def routes(server: ServerState) -> list[Route]:
    """Return the routes of exercises."""

    of = functools.partial(route, server)
    return [
        of("/t/{room}/analysis/try", try_again, "POST"),
        of("/learn/mistakes", mistakes),
        of("/learn/mistakes/next", next_mistake, "POST"),
        of("/learn/exercise/{room}/show", show, "POST"),
        of("/learn/puzzles", puzzles),
        of("/learn/puzzles/today", today, "POST"),
        of("/learn/puzzles/{board}", puzzles),
        of("/learn/puzzles/{board}/next", next_puzzle, "POST"),
        of("/learn/puzzles/{board}/{puzzle}", puzzle, "POST"),
    ]


# ---------------------------------------------------------------------------------------------------- mistakes


async def try_again(req: PageRequest) -> Response:
    """Begin a table for a mistake of a finished game."""
    live_room, viewer = await visible_room(req)
    room, step = live_room.room, number_in(req.fields.get("step", ""), 6)
    if room.row.status != OVER:
        raise PageError(409, "running")
    if step is None:
        raise PageError(400, "bad_request", "step: expected a number")
    await _collect(req, req.client.hash, room, tuple(viewer.mine))
    return await _begun(req, room, step)


async def next_mistake(req: PageRequest) -> Response:
    """Begin the mistake of this browser that is due, or show the list."""
    rows = await _mistakes(req)
    now = time.time()
    for row in rows:
        if row.due_at <= now:
            live_room = await req.server.live.get(row.room, fresh=True)
            if live_room is not None and live_room.room.row.status == OVER:
                return await _begun(req, live_room.room, row.step)
    return redirect("/learn/mistakes")


async def _begun(req: PageRequest, room: Room, step: int) -> Response:
    """Begin a table for a mistake, if there is one at this step. Its answers are judged only once."""
    limit(req, "rooms")
    live, key = req.server.live, req.client.hash
    job = await live.read(req.server.analyses.of, room, key)
    analysis = job.found if job else None
    decision = (
        next((candidate for candidate in analysis.decisions if candidate.step == step and candidate.better), None)
        if analysis
        else None
    )
    if decision is None:
        raise PageError(404, "not_found")
    row = await live.read(store_of.mistake, live.store, key, room.id, step)
    answers = _kept(row, room.board)
    if answers is None:
        limit(req, "exercises")
        answers = await req.server.heavy.run(req.http, DEEP, exercises.looked_at, room.record(), room.board, decision)
        if row is not None:
            await live.write(store_of.keep_answers, live.store, row, answers.written())
    moment = (await asyncio.to_thread(analyses.moments, room))[step]
    room_begun = await exercises.begin_mistake(live, room, decision, answers, row.answered if row else 0, moment, key)
    return redirect(f"/t/{room_begun.id}")


def _kept(row: MistakeRow | None, board: Board) -> Answers | None:
    """Return the stored answers, or None if there are none or they are no longer readable."""
    if row is None or not row.answers:
        return None
    try:
        return Answers.read(row.answers, board)
    except ExerciseError:
        return None


async def mistakes(req: PageRequest) -> Response:
    """Show the mistakes of this browser in all its games."""
    rows = [] if req.client.fresh else await _mistakes(req)
    games, decided = {}, dict[tuple[str, int], Decision]()
    for room in {row.room for row in rows}:
        live_room = await req.server.live.get(room)
        if live_room is not None:
            games[room] = live_room.room
            job = await req.server.live.read(req.server.analyses.of, live_room.room, req.client.hash)
            decided |= (
                {(room, decision.step): decision for decision in job.found.decisions} if job and job.found else {}
            )
    lines = tuple(
        MistakeLine(
            row.room,
            row.step,
            games[row.room].board,
            games[row.room].row.created,
            row.lost,
            row.answered,
            row.right,
            row.due_at,
            decided[row.room, row.step].played.move if (row.room, row.step) in decided else None,
            decided[row.room, row.step].compared if (row.room, row.step) in decided else None,
        )
        for row in rows
        if row.room in games
    )
    return await made_page(exercises_page.mistakes, MistakesContext(req.visit, lines, time.time()))


async def _mistakes(req: PageRequest) -> list[MistakeRow]:
    """Return the mistakes of this browser, including those of games analysed meanwhile."""
    live, key = req.server.live, req.client.hash
    for room in await live.read(store_of.uncollected, live.store, key):
        live_room = await live.get(room)
        if live_room is not None and live_room.room.row.status == OVER:
            rights = await live.read(live.store.rights, room, key)
            await _collect(req, key, live_room.room, tuple(seat for seat in rights if seat >= 0))
    return await live.read(store_of.mistakes_of, live.store, key)


async def _collect(req: PageRequest, key: str, room: Room, mine: tuple[int, ...]) -> None:
    """Put the mistakes of a game among a browser's exercises, if it played there and the game is analysed."""
    live = req.server.live
    job = await live.read(req.server.analyses.of, room, key) if mine else None
    if job is not None and job.found is not None:
        await live.write(exercises.collect, live.store, key, room, mine, job.found)


async def show(req: PageRequest) -> Response:
    """Give the answer of an exercise away."""
    live_room, viewer = await visible_room(req)
    guide = live_room.room.guide
    if guide is None or guide.kind != exercises.KIND or not viewer.mine:
        raise PageError(404, "not_found")
    await exercises.show(req.server.live, live_room)
    return redirect(f"/t/{live_room.room.id}")


# ---------------------------------------------------------------------------------------------------- puzzles


async def puzzles(req: PageRequest) -> Response:
    """Show the puzzles of all editions, or of one."""
    live, name = req.server.live, req.http.path_params.get("board", "")
    if name:
        await _collection(name)
    fresh = req.client.fresh
    tried = {} if fresh else await live.read(store_of.attempts_of, live.store, req.client.hash)
    shelves = await asyncio.to_thread(_shelves)
    known = await live.read(store_of.ratings, live.store, [puzzle.id for _, ours in shelves for puzzle in ours])
    own = {} if fresh else await live.read(store_of.ratings, live.store, [req.client.hash])
    ratings = {of: row.rating for of, row in known.items() if row.attempts}
    lines = tuple(PuzzleShelf(board, _lines(ours, tried, ratings)) for board, ours in shelves)
    chosen = next((candidate for candidate in lines if candidate.board.id == name), None)
    context = PuzzlesContext(
        visit=req.visit,
        shelves=lines,
        chosen=chosen,
        theme=req.http.query_params.get("theme", "")[:40],
        day=_today(lines),
        rating=own[req.client.hash].rating if own else None,
    )
    return await made_page(exercises_page.puzzles, context)


def _shelves() -> list[tuple[Board, list[Puzzle]]]:
    """Return the boards offered here that come with puzzles, with the puzzles from the easiest on."""
    collections = [(board, of_edition(board.id)) for board in offered_boards() if board.id in editions()]
    return [(board, exercises.sorted_by_difficulty(ours)) for board, ours in collections if ours is not None]


def _lines(ours: list[Puzzle], tried: dict[str, AttemptRow], ratings: dict[str, float]) -> tuple[PuzzleLine, ...]:
    return tuple(
        PuzzleLine(
            number,
            puzzle.id,
            puzzle.themes,
            puzzle.difficulty,
            ratings.get(puzzle.id),
            tried[puzzle.id].solved if puzzle.id in tried else None,
        )
        for number, puzzle in enumerate(ours, 1)
    )


def _today(shelves: tuple[PuzzleShelf, ...]) -> tuple[Board, PuzzleLine] | None:
    """Return the puzzle of the day, the same for everybody on that date (UTC)."""
    of_day = of_the_day(datetime.now(UTC).date())
    if of_day is None:
        return None
    name, puzzle = of_day
    for shelf in shelves:
        if shelf.board.id == name:
            return next(((shelf.board, line) for line in shelf.lines if line.id == puzzle.id), None)
    return None


async def today(req: PageRequest) -> Response:
    """Begin a table for the puzzle of the day."""
    of_day = await asyncio.to_thread(of_the_day, datetime.now(UTC).date())
    if of_day is None:
        raise PageError(404, "not_found")
    return await _puzzle_begun(req, of_day[1])


async def _collection(name: str) -> Collection:
    """Return the puzzles of an edition."""
    collection = await asyncio.to_thread(of_edition, name) if name in editions() else None
    if collection is None:
        raise PageError(404, "not_found")
    return collection


async def puzzle(req: PageRequest) -> Response:
    """Begin a table for a puzzle."""
    collection = await _collection(req.word("board"))
    try:
        return await _puzzle_begun(req, collection.puzzle(req.word("puzzle")))
    except PuzzleError:
        raise PageError(404, "not_found") from None


async def next_puzzle(req: PageRequest) -> Response:
    """Begin a table for the easiest puzzle of an edition that this browser has not solved."""
    collection = await _collection(req.word("board"))
    live = req.server.live
    tried = await live.read(store_of.attempts_of, live.store, req.client.hash)
    chosen = exercises.next_puzzle(collection, tried)
    if chosen is None:
        return redirect(f"/learn/puzzles/{collection.board}")
    return await _puzzle_begun(req, chosen)


async def _puzzle_begun(req: PageRequest, chosen: Puzzle) -> Response:
    limit(req, "rooms")
    room_begun = await exercises.begin_puzzle(req.server.live, chosen, req.client.hash)
    return redirect(f"/t/{room_begun.id}")


FEATURE = Feature(routes)
