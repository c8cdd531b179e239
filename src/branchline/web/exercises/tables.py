"""Exercises at tables: a mistake of an own game or a puzzle, as a room with a guide that hides the answer.

All that the guide needs is in its notes, so that any process can go on with it. What outlives the room, when a mistake
comes back and which puzzles are solved, is in the store.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import Any

from branchline.analysis import Analysis, Decision, Option
from branchline.boards import Board
from branchline.bots import Position
from branchline.game import Record
from branchline.plain_data import JsonObject
from branchline.teaching.exercises import Answers, ExerciseError, game_at, look_at, number_of
from branchline.teaching.puzzles import Collection, Puzzle
from branchline.teaching.rating import Rating, updated
from branchline.teaching.repetition import reviewed
from branchline.web.core.rooms import creation, seats
from branchline.web.core.rooms.guide import Guide
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.new_rooms import SeatSetup
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.rooms.store_threads import StoreThreads
from branchline.web.core.store.database import Store
from branchline.web.core.store.rows import AttemptRow, MistakeRow, RatingRow
from branchline.web.exercises import store as store_of
from branchline.web.exercises.page import ExerciseContext

KIND = "exercise"
MISTAKE, PUZZLE = "mistake", "puzzle"
ASKED, RIGHT, SHOWN = "asked", "right", "shown"
START = Rating().rating  # of a browser, and of a puzzle of middling difficulty
SPREAD = 800.0  # between a puzzle that every weaker bot solves and one that none does
PUZZLE_DEVIATION = 200.0  # of a new puzzle: something is known of it


@dataclass(frozen=True)
class Notes:
    """What a guide keeps of an exercise."""

    what: str  # MISTAKE or PUZZLE
    answers: dict[str, object]  # teaching.exercises.Answers
    state: str = ASKED
    said: str = ""  # the right answer that was given, as the game writes it
    played: JsonObject | None = None  # of a mistake: analysis.Option
    game: str = ""  # the room of the own game
    step: int = 0
    moment: int = 0  # of the own game's replay
    counted: int = 0  # how often the mistake had been answered when this began
    puzzle: str = ""  # its id
    themes: tuple[str, ...] = ()
    difficulty: float = 0.5

    def written(self) -> str:
        """Return the notes as they are kept."""
        return json.dumps(vars(self), ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Notes:
        """Return the notes that `written` gave."""
        data = json.loads(text)
        return cls(**{**data, "themes": tuple(data["themes"])})


def told(room: Room, notes: Notes) -> ExerciseContext:
    """Return the exercise for its guide."""
    board, answers = room.board, Answers.from_dict(notes.answers, room.board)
    answer = next((candidate for candidate in answers.found if notes.said and candidate.move.text == notes.said), None)
    mistake = notes.what == MISTAKE
    return ExerciseContext(
        kind=notes.what,
        board=board,
        answers=answers,
        state=notes.state,
        given=answer,
        played=Option.from_dict(notes.played, board) if notes.played else None,
        themes=notes.themes,
        room=room.id,
        again=f"/t/{notes.game}/analysis/try" if mistake else f"/learn/puzzles/{board.id}/{notes.puzzle}",
        fields=(("step", str(notes.step)),) if mistake else (),
        next="/learn/mistakes/next" if mistake else f"/learn/puzzles/{board.id}/next",
        back="/learn/mistakes" if mistake else f"/learn/puzzles/{board.id}",
        replay=f"/t/{notes.game}/replay/{notes.moment}?perspective={answers.seat}" if mistake else "",
    )


def judged(before: Room, after: Room, notes: Notes) -> tuple[Notes, Any]:
    """Return the notes after an answer, and what is known of it: an `Answer`, or None if it is worse than all listed.

    The notes are the same where the answer is not right.
    """
    text = after.steps[-1].row.text.partition("\n")[0]
    position = Position.of(before.game)
    action = int(before.game.legal.by_text(text))
    answers = Answers.from_dict(notes.answers, before.board)
    answer = answers.to(position, action)
    if answer is None or not answer.right:
        return notes, answer
    return replace(notes, state=RIGHT, said=answer.move.text), answer


def done_in_game(notes: Notes) -> str:
    """Return what was done in the pupil's own game, as the game writes it."""
    return str(notes.played["move"]["text"]) if notes.played else ""


# ---------------------------------------------------------------------------------------------------- beginning


def mistakes_in(analysis: Analysis, mine: tuple[int, ...]) -> list[Decision]:
    """Return the mistakes of some seats in an analysed game."""
    return [
        decision
        for decision in analysis.decisions
        if decision.seat in mine and decision.better is not None and decision.lost > 0
    ]


def looked_at(record: Record, board: Board, decision: Decision) -> Answers:
    """Return the values of the answers to a mistake's question. Takes a second or two."""
    position = Position.of(game_at(record, decision.step, board))
    played = number_of(position, decision.played.move)
    if played is None or position.seat != decision.seat:
        raise ExerciseError("the analysis does not fit the game")
    better = number_of(position, decision.better.move) if decision.better else None
    answers = look_at(position, played, better, 1 - decision.step / len(record.actions))
    return _as_analysed(answers, decision)


def _as_analysed(answers_found: Answers, decision: Decision) -> Answers:
    """Return the answers with the played one as far behind the best as the analysis says: a mistake has one size."""
    chance = max(0.0, answers_found.best.option.chance - decision.lost)
    answers = tuple(
        replace(answer, option=replace(answer.option, chance=chance), behind=decision.lost)
        if answer.move.text == decision.played.move.text
        else answer
        for answer in answers_found.found
    )
    return replace(answers_found, found=answers)


async def begin_mistake(
    live: LiveRooms, room: Room, decision: Decision, answers: Answers, counted: int, moment: int, key: str
) -> LiveRoom:
    """Return a table for a mistake."""
    notes = Notes(
        what=MISTAKE,
        answers=answers.as_dict(),
        played=decision.played.as_dict(),
        game=room.id,
        step=decision.step,
        moment=moment,
        counted=counted,
    )
    names = ["" if seats.nameless(seat_taken) else seats.called(seat_taken) for seat_taken in room.seats]
    sitting = _sitting(names, decision.seat, key)
    guide = Guide(KIND, f"{MISTAKE} {room.id} {decision.step}", notes=notes.written())
    record = replace(room.record(), fingerprint="")
    return await creation.from_position(live, record, decision.step, sitting, guide, made=(room.row.board, room.board))


async def begin_puzzle(live: LiveRooms, puzzle: Puzzle, key: str) -> LiveRoom:
    """Return a table for a puzzle."""
    notes = Notes(
        what=PUZZLE,
        answers=puzzle.answers.as_dict(),
        step=puzzle.step,
        puzzle=puzzle.id,
        themes=puzzle.themes,
        difficulty=puzzle.difficulty,
    )
    sitting = _sitting([""] * puzzle.record.seats, puzzle.answers.seat, key)
    guide = Guide(KIND, f"{PUZZLE} {puzzle.record.board} {puzzle.id}", notes=notes.written())
    return await creation.from_position(live, puzzle.record, puzzle.step, sitting, guide)


def _sitting(names: list[str], seat: int, key: str) -> list[SeatSetup]:
    """Return seats of which one is the browser's; nobody plays at the others, as the first answer ends the exercise."""
    return [
        SeatSetup(seats.PERSON, seats.clean_name(name), key=key if other == seat else "")
        for other, name in enumerate(names)
    ]


async def show(live: LiveRooms, live_room: LiveRoom) -> None:
    """Give the answer away; it counts as not found."""
    guide = live_room.room.guide
    assert guide is not None
    before = Notes.read(guide.notes)
    if before.state != ASKED:
        return
    await note(live, live_room.room, before, right=False)

    def shown(room: Room) -> Any:
        now = Notes.read(room.guide.notes) if room.guide else before
        if now.state != ASKED:
            raise Refused("stale", "it has been answered")
        return room.with_notes(replace(now, state=SHOWN).written(), time.time())

    await live.change(live_room, shown)


# ---------------------------------------------------------------------------------------------------- what is kept


async def note(threads: StoreThreads, room: Room, notes: Notes, *, right: bool) -> None:
    """Keep the first answer to an exercise, and whether a puzzle is solved."""
    key, board = room.row.host, room.row.board
    if notes.what == MISTAKE:
        await threads.write(note_mistake, threads.store, key, notes, right, time.time())
    else:
        await threads.write(note_puzzle, threads.store, key, board, notes, right, time.time())


def note_mistake(store: Store, key: str, notes: Notes, right: bool, now: float) -> bool:
    """Schedule a mistake anew by this answer, if it is due and this is the first one; whether it counted."""
    row = store_of.mistake(store, key, notes.game, notes.step)
    if row is None or row.answered != notes.counted or row.due_at > now:
        return False
    card, due_at = reviewed(row.card, right, now)
    return store_of.note_answer(store, row, right, card, due_at)


def note_puzzle(store: Store, key: str, board: str, notes: Notes, right: bool, now: float) -> bool:
    """Note that a puzzle was tried; the first answer is rated. Whether it was the first."""
    attempt = AttemptRow(notes.puzzle, board, right, right, now, key=key)
    new, rating = Rating(), START + SPREAD * (notes.difficulty - 0.5)
    start = (
        RatingRow(**vars(new), of=key),
        RatingRow(rating, PUZZLE_DEVIATION, new.volatility, of=notes.puzzle),
    )

    def rated(mine: RatingRow, its: RatingRow) -> tuple[RatingRow, RatingRow]:
        here, there = _rating(mine), _rating(its)
        return (
            _row(mine, updated(here, [(there, float(right))])),
            _row(its, updated(there, [(here, float(not right))])),
        )

    return store_of.note_attempt(store, attempt, start, rated)


def _rating(row: RatingRow) -> Rating:
    return Rating(row.rating, row.deviation, row.volatility)


def _row(before: RatingRow, now: Rating) -> RatingRow:
    return RatingRow(**vars(now), attempts=before.attempts + 1, of=before.of)


def collect(store: Store, key: str, room: Room, mine: tuple[int, ...], analysis: Analysis) -> None:
    """Put the mistakes of a browser in an analysed game among its exercises."""
    rows = [
        MistakeRow(decision.step, decision.seat, decision.lost, key=key, room=room.id)
        for decision in mistakes_in(analysis, mine)
    ]
    store_of.collect(store, key, room.id, rows)


def next_puzzle(collection: Collection, tried: dict[str, AttemptRow]) -> Puzzle | None:
    """Return the easiest puzzle that a browser has not tried, or else not solved, or None."""
    left = [
        puzzle for puzzle in sorted_by_difficulty(collection) if puzzle.id not in tried or not tried[puzzle.id].solved
    ]
    new = [puzzle for puzzle in left if puzzle.id not in tried]
    return next(iter(new or left), None)


def sorted_by_difficulty(collection: Collection) -> list[Puzzle]:
    """Return the puzzles from the easiest on."""
    return sorted(collection.puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.id))
