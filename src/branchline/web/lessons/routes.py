"""Learning by playing: the page with all lessons, and a table for one of them."""

from __future__ import annotations

import asyncio

from starlette.responses import Response
from starlette.routing import Route

from branchline.teaching.lesson_files import lesson_named, lessons, taught
from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import PageError, PageRequest, limit, made_page, redirect, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages.translation import TEACHING, translator_for
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.lessons import page as lessons_page
from branchline.web.lessons import store as lessons_done
from branchline.web.lessons.page import LearnContext, LessonCourse, LessonLine
from branchline.web.lessons.tables import begin


def routes(server: ServerState) -> list[Route]:
    """Return the routes of lessons."""

    return [route(server, "/learn", learn), route(server, "/learn/{board}/{lesson}", start, "POST")]


async def learn(req: PageRequest) -> Response:
    """Show all lessons, and which of them are done."""
    live = req.server.live
    done = frozenset() if req.client.fresh else await live.read(lessons_done.done, live.store, req.client.hash)
    context = await asyncio.to_thread(_context, req, done)
    return await made_page(lessons_page.learn, context)


def _context(req: PageRequest, done: frozenset[str]) -> LearnContext:
    known, courses, words = taught(), [], translator_for(req.visit.language, TEACHING)
    for board in offered_boards():
        if board.id not in known:
            continue
        lines = tuple(
            LessonLine(lesson.name, lesson.title.said(words), lesson.name in done) for lesson in lessons(board.id)
        )
        courses.append(LessonCourse(board, lines, next((lesson.name for lesson in lines if not lesson.done), "")))
    return LearnContext(req.visit, tuple(sorted(courses, key=_shortest_first)))


def _shortest_first(course: LessonCourse) -> tuple[int, int]:
    """Return a sorting key that puts the quickest game, the best to begin with, first."""
    return sum(course.board.pieces.count), len(course.board.routes)


async def start(req: PageRequest) -> Response:
    """Begin a table for a lesson."""
    lesson = await asyncio.to_thread(lesson_named, f"{req.word('board')}/{req.word('lesson')}")
    if lesson is None:
        raise PageError(404, "not_found")
    limit(req, "rooms")
    live_room = await begin(req.server.live, lesson, req.client.hash)
    return redirect(f"/t/{live_room.room.id}")


FEATURE = Feature(routes, words=("learn",))
