"""Lessons as files: `lessons/EDITION/NN_name.toml`, read and checked. `docs/lessons.md` says how to write one.

Texts are in English; pages translate them. What several lessons say stands once in `lessons/texts.toml`, and a lesson
names it by its key.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from branchline.boards import BranchlineError, load_board
from branchline.boards.faults import did_you_mean, shown
from branchline.game import Record
from branchline.plain_data import JsonObject
from branchline.teaching.lesson import OVER, TURN, Lesson, LessonStep, Text, Wrong
from branchline.teaching.lesson_positions import Deal, dealt
from branchline.teaching.texts import LONGEST_TEXT, LessonError, Reader, toml_of

FOLDER = Path(__file__).parent / "lessons"
LONGEST_TITLE, LONGEST_STEP = 40, 520  # letters: of all that a step says at once

KEY = re.compile(r"[a-z0-9_]+")  # of a shared text: a text itself has spaces or a capital letter

_LESSON = ("title", "deal", "record", "others", "step", "end")
_STEP = ("say", "task", "what", "right", "until", "wrong", "otherwise", "done")
_WRONG = ("tried", "say")
_DEAL = tuple(Deal.__dataclass_fields__)


class _LessonReader(Reader):
    """Reads a lesson, which may name the texts of several lessons by their keys."""

    def __init__(self, name: str, shared: Mapping[str, str]) -> None:
        """Make a reader of a file, as errors name it; `shared` holds the texts by key."""
        super().__init__(name)
        self.shared = shared

    def said(self, where: str, value: object, what: str = "", longest: int = LONGEST_TEXT) -> Text:
        """Return a text or the one that has this key, with what is filled in."""
        if isinstance(value, str) and KEY.fullmatch(value):
            if value not in self.shared:
                self.fail(where, f"no text has the key {shown(value)}{did_you_mean(value, self.shared)}")
            value = self.shared[value]
        return Text(self.text(where, value, longest), what)

    def paragraphs(self, where: str, value: object, what: str = "") -> tuple[Text, ...]:
        """Return one paragraph or a list of them."""
        paragraphs = value if isinstance(value, list) else [value]
        return tuple(self.said(f"{where} {n}", paragraph, what) for n, paragraph in enumerate(paragraphs, 1))


@functools.cache
def lessons(board: str) -> tuple[Lesson, ...]:
    """Return the lessons of an edition in their order; none for a board that has none. Raise `LessonError`."""
    files = sorted((FOLDER / board).glob("*.toml")) if board.isidentifier() else []
    return tuple(read_lesson(file) for file in files)


def lesson_named(name: str) -> Lesson | None:
    """Return a lesson by its name, as in `berlin/first`."""
    board, _, _ = name.partition("/")
    return next((lesson for lesson in lessons(board) if lesson.name == name), None)


def taught() -> tuple[str, ...]:
    """Return the ids of the editions that have lessons."""
    return tuple(sorted(folder.name for folder in FOLDER.iterdir() if any(folder.glob("*.toml"))))


def read_lesson(file: Path, shared: Mapping[str, str] | None = None) -> Lesson:
    """Return one lesson; `shared`: texts by key in place of those in `texts.toml`. Raise `LessonError`."""
    reader = _LessonReader(f"{file.parent.name}/{file.name}", shared_texts() if shared is None else shared)
    table = toml_of(file, reader.name)
    reader.known("", table, _LESSON)
    steps = reader.rows("", table, "step")
    if not steps:
        reader.fail("", "a lesson has at least one [[step]]")
    return Lesson(
        board=file.parent.name,
        name=f"{file.parent.name}/{file.stem.partition('_')[2] or file.stem}",
        file=file,
        title=reader.said("title", table.get("title"), longest=LONGEST_TITLE),
        start=_start(reader, table, file.parent),
        others=reader.words("others", table.get("others", [])),
        steps=tuple(_step(reader, f"step {n}", step) for n, step in enumerate(steps, 1)),
        end=reader.paragraphs("end", table.get("end", [])),
    )


@functools.cache
def shared_texts() -> Mapping[str, str]:
    """Return the texts that several lessons share, by key. Raise `LessonError`."""
    reader = Reader("texts.toml")
    return {key: reader.text(key, text) for key, text in toml_of(FOLDER / "texts.toml", "texts.toml").items()}


@functools.cache
def position_of(lesson: Lesson) -> Record:
    """Return the record that leads to where a lesson begins. Raise `LessonError` where the game cannot get there."""
    where = f"{lesson.file.parent.name}/{lesson.file.name}"
    try:
        board = load_board(lesson.board)
        if isinstance(lesson.start, Deal):
            return dealt(board, lesson.start)
        record = Record.load(lesson.start).as_now(board)
        return replace(record, names=())
    except (BranchlineError, ValueError) as error:
        raise LessonError(f"{where}: {'deal' if isinstance(lesson.start, Deal) else 'record'}: {error}") from None


def _start(reader: Reader, table: Mapping[str, object], folder: Path) -> Deal | Path:
    """Return where the lesson begins: what is dealt, or the file of a recorded game."""
    if ("deal" in table) == ("record" in table):
        reader.fail("", "expected either [deal] or a record")
    if "deal" in table:
        return _deal(reader, table["deal"])
    [name] = reader.words("record", [table["record"]])
    return folder / name


def _deal(reader: Reader, table: object) -> Deal:
    if not isinstance(table, dict):
        reader.fail("deal", f"expected a table, not {shown(table)}")
    reader.known("deal", table, _DEAL)
    values: JsonObject = {}
    for key, value in table.items():
        if key in ("seats", "seed"):
            values[key] = reader.number(f"deal: {key}", value)
        else:
            values[key] = reader.words(f"deal: {key}", value)
    return Deal(**values)


def _step(reader: _LessonReader, where: str, table: Mapping[str, Any]) -> LessonStep:
    reader.known(where, table, _STEP)
    what = table.get("what", "")
    until = table.get("until", 1)
    if until not in (TURN, OVER) and (not isinstance(until, int) or isinstance(until, bool) or until < 1):
        reader.fail(f"{where}: until", f'expected a number of actions, "{TURN}" or "{OVER}", not {shown(until)}')
    right = reader.words(f"{where}: right", table.get("right", []))
    if not right:
        reader.fail(f"{where}: right", "expected at least one action")
    say = reader.paragraphs(f"{where}: say", table.get("say", []), what)
    task = reader.said(f"{where}: task", table.get("task"), what)
    size = sum(len(text.said()) for text in (*say, task))
    if size > LONGEST_STEP:
        reader.fail(where, f"says {size} letters; at most {LONGEST_STEP} are read")
    return LessonStep(
        say=say,
        task=task,
        right=right,
        until=until,
        wrong=tuple(
            _wrong(reader, f"{where}: wrong {n}", row, what)
            for n, row in enumerate(reader.rows(where, table, "wrong"), 1)
        ),
        otherwise=reader.said(f"{where}: otherwise", table["otherwise"], what) if "otherwise" in table else None,
        done=reader.said(f"{where}: done", table["done"], what) if "done" in table else None,
    )


def _wrong(reader: _LessonReader, where: str, table: Mapping[str, Any], what: str) -> Wrong:
    reader.known(where, table, _WRONG)
    [tried] = reader.words(f"{where}: tried", [table.get("tried", "")])
    return Wrong(tried, reader.said(f"{where}: say", table.get("say"), what))
