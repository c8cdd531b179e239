"""The guide of exercises: it takes the first right answer, and says of any other why it is not the one."""

from __future__ import annotations

from branchline.web.core.rooms import guides
from branchline.web.core.rooms.guide import ANSWER, Guide
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.rooms.store_threads import StoreThreads
from branchline.web.core.seen import GuideView
from branchline.web.exercises import page as exercise_pages
from branchline.web.exercises import tables as exercises
from branchline.web.exercises.tables import ASKED, KIND, MISTAKE, Notes


class ExerciseGuide:
    """Beside the table of an exercise, see `rooms.guides.Guiding`."""

    def view(self, room: Room, guide: Guide, language: str) -> GuideView:
        """Return the question; once it is answered, the best answer and the reasons."""
        return exercise_pages.exercise_guide(language, exercises.told(room, Notes.read(guide.notes)))

    def judge(self, before: Room, after: Room, guide: Guide, language: str) -> str | None:
        """Return the notes with the right answer. Raise `Refused` for any other."""
        notes = Notes.read(guide.notes)
        if notes.state != ASKED:
            raise Refused(ANSWER, exercise_pages.is_over(language))
        exercise, answer = exercises.judged(before, after, notes)
        if exercise.state != ASKED:
            return exercise.written()
        own = notes.what == MISTAKE and answer is not None and answer.move.text == exercises.done_in_game(notes)
        raise Refused(ANSWER, exercise_pages.not_right(language, before.board, answer, own))

    def reply(self, room: Room, guide: Guide) -> str | None:
        """Return None: nobody plays at the other seats."""
        return None

    async def noted(self, threads: StoreThreads, room: Room, guide: Guide, refused: bool) -> None:
        """Keep the first answer; the store decides whether this is the first."""
        notes = Notes.read(guide.notes)
        if refused == (notes.state == ASKED):  # not what somebody plays when the exercise is over
            await exercises.note(threads, room, notes, right=not refused)


def register() -> None:
    """Have rooms know this kind of guide."""
    guides.KINDS[KIND] = ExerciseGuide()
