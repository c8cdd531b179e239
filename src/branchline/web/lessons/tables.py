"""Lessons at the table: a room for one, what stands beside it, what is accepted, and what is noted as done."""

from __future__ import annotations

import time

from branchline.rules import state as at
from branchline.teaching.lesson import PUPIL, Done, Lesson, LessonStep
from branchline.teaching.lesson_files import lesson_named, lessons, position_of
from branchline.teaching.lesson_positions import SETUP, usual_choice
from branchline.web.core.pages.translation import TEACHING, Translator, translator_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import creation, guides
from branchline.web.core.rooms.guide import ANSWER, Guide
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.core.rooms.steps import Step
from branchline.web.core.rooms.store_threads import StoreThreads
from branchline.web.core.seen import GuideLink, GuideView
from branchline.web.lessons import store as lessons_done

KIND = "lesson"
PARTNER = "Ada"  # who plays with pupils
PACE = 1_400  # milliseconds before her turn: time to see what one's own has done
EASY = "easy"
MOST_MARKS = 8  # where more is right, nothing is pointed at


async def begin(live: LiveRooms, lesson: Lesson, key: str) -> LiveRoom:
    """Return a room for a lesson; `key` is the hash of the pupil's."""
    sitting = [SeatSetup("person", "", key=key)]
    record = await live.work(position_of, lesson)
    sitting += [SeatSetup("bot", PARTNER, EASY) for _ in range(record.seats - 1)]
    options = Options(seeded=True, talk="off", pace=PACE)
    guide = Guide(KIND, lesson.name)
    return await creation.from_position(live, record, len(record.actions), sitting, guide, options=options)


class LessonGuide:
    """What a lesson says and accepts; see `rooms.guides.Guiding`."""

    def view(self, room: Room, guide: Guide, language: str) -> GuideView:
        """Return the current step of the lesson, or the links that follow it."""
        lesson, words, taught = lesson_named(guide.name), translator_for(language), translator_for(language, TEACHING)
        if lesson is None:  # a room of a version that had other lessons
            return GuideView("", done=True, links=(_overview(words, ""),))
        n = _step(room, guide, lesson)
        title = lesson.title.said(taught)
        done = lesson.steps[n - 1].done if n else None
        answer = done.said(taught) if done else ""
        if n == len(lesson.steps):
            end = tuple(text.said(taught) for text in lesson.end)
            return GuideView(title, end, answer=answer, links=_ways_on(lesson, language), done=True)
        step = lesson.steps[n]
        if room.row.asked != PUPIL and _scripted(room, guide, lesson) is not None:  # the step speaks of it
            waiting = (words("{name} is playing…", name=PARTNER),)
            return GuideView(title, waiting, answer=answer, n=n + 1, steps=len(lesson.steps))
        return GuideView(
            title,
            tuple(text.said(taught) for text in step.say),
            step.task.said(taught),
            answer,
            n + 1,
            len(lesson.steps),
            _marks(room, step),
        )

    def judge(self, before: Room, after: Room, guide: Guide, language: str) -> str | None:
        """Refuse what is not meant; when the lesson is done, everything is free."""
        lesson = lesson_named(guide.name)
        if lesson is None:
            return None
        n = _step(before, guide, lesson)
        if n == len(lesson.steps):
            return None
        step, lines = lesson.steps[n], after.steps[-1].row.text.split("\n")
        if step.accepts(lines):
            return None
        reply, words, taught = step.answer(lines), translator_for(language), translator_for(language, TEACHING)
        if reply:
            raise Refused(ANSWER, reply.said(taught))
        task = step.task.said(taught)
        raise Refused(ANSWER, words("In a game you could do that. Here the task is: {task}", task=task))

    def reply(self, room: Room, guide: Guide) -> str | None:
        """Return what the lesson lets the others do; after that they only draw, so that nothing disturbs it."""
        lesson = lesson_named(guide.name)
        if room.question.kind in SETUP:
            return usual_choice(room.game)
        scripted = _scripted(room, guide, lesson) if lesson else None
        if scripted is not None:
            return scripted
        return next((action.text for action in room.game.legal if action.text.startswith("blind")), None)

    async def noted(self, threads: StoreThreads, room: Room, guide: Guide, refused: bool) -> None:
        """Keep that a lesson is done."""
        lesson = lesson_named(guide.name)
        if lesson is not None and not refused and _step(room, guide, lesson) == len(lesson.steps):
            await threads.write(lessons_done.keep, threads.store, room.row.host, lesson.name, time.time())


guides.KINDS[KIND] = LessonGuide()


def _step(room: Room, guide: Guide, lesson: Lesson) -> int:
    """Return how many steps of the lesson are done."""
    played = room.steps[guide.given :]
    seats = [*(step.row.seat for step in played[1:]), room.row.asked]
    done = [
        Done(tuple(step.row.text.split("\n")), following != PUPIL)
        for step, following in zip(played, seats, strict=False)
        if step.row.seat == PUPIL
    ]
    return lesson.at(done, room.row.status == OVER)


def _scripted(room: Room, guide: Guide, lesson: Lesson) -> str | None:
    """Return the next action that the lesson lets the others do, or None if there are no more."""
    played = [step for step in room.steps[guide.given :] if step.row.seat != PUPIL and not _setting_up(step)]
    return lesson.others[len(played)] if len(played) < len(lesson.others) else None


def _setting_up(step: Step) -> bool:
    """Return whether a step answered a question before the first turn, or offered tickets later."""
    return step.row.text.startswith(("keep", "fleet", "mix"))


def _marks(room: Room, step: LessonStep) -> tuple[str, ...]:
    """Return what the right answers mean on the map or in the market."""
    if room.row.asked != PUPIL:
        return ()
    marks = [_mark(int(action)) for action in room.game.legal if step.accepts([action.text])]
    return tuple(mark for mark in marks if mark) if len(marks) <= MOST_MARKS else ()


def _mark(action: int) -> str:
    for first, behind, name in _MARKED:
        if first <= action < behind:
            return f"{name}-{action - first}"
    if at.TAKE <= action < at.BLIND:
        return f"slot-{action - at.TAKE + 1}"
    if at.BLIND <= action < at.REFILL_FROM:
        return ("deck-train", "deck-ship")[action - at.BLIND]
    return "deck-ticket" if action == at.DRAW_TICKETS else ""


_MARKED = ((at.CLAIM, at.STATION, "route"), (at.STATION, at.PORT, "place"), (at.PORT, at.TAKE, "place"))


# ---------------------------------------------------------------------------------------------------- the way on


def _ways_on(lesson: Lesson, language: str) -> tuple[GuideLink, ...]:
    """Return links to the next lesson and to a game; after the last one, to a game first."""
    course = lessons(lesson.board)
    following = [later for later, before in zip(course[1:], course, strict=False) if before.name == lesson.name]
    fields = (("board", lesson.board), ("seats", "2"), ("bot", EASY))
    words = translator_for(language)
    game = GuideLink(words("Now a game against “easy”"), "/new", post=True, first=not following, fields=fields)
    overview = _overview(words, lesson.board)
    if not following:
        return game, overview
    label = words("Next lesson: {title}", title=following[0].title.said(translator_for(language, TEACHING)))
    return GuideLink(label, f"/learn/{following[0].name}", post=True, first=True), game, overview


def _overview(words: Translator, board: str) -> GuideLink:
    return GuideLink(words("All lessons"), f"/learn#{board}" if board else "/learn")
