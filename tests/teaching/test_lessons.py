"""Every lesson is played to its end by its own right answers, and each of its wrong ones is told why."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.game import Game
from branchline.teaching.lesson import PUPIL, Done, Lesson, LessonStep, Text
from branchline.teaching.lesson_files import (
    FOLDER,
    LessonError,
    lesson_named,
    lessons,
    position_of,
    read_lesson,
    shared_texts,
    taught,
)
from branchline.teaching.lesson_positions import SETUP, usual_choice
from table import EDITIONS

LESSONS = [lesson for board in taught() for lesson in lessons(board)]


def others_move(game: Game, script: list[str]) -> str:
    if game.question.kind in SETUP:
        return usual_choice(game)
    return script.pop(0) if script else next(text for text in game.legal.texts if text.startswith("blind"))


def right_answer(step: LessonStep, texts: tuple[str, ...]) -> str:
    """What the lesson names in full, or else the first that fits one of its patterns."""
    named = [text for text in step.right if text in texts and step.accepts([text])]
    fitting = [text for text in texts if step.accepts([text])]
    assert fitting, f"nothing that may be done is right: {texts[:20]}"
    return (named or fitting)[0]


def played(lesson: Lesson) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The number of the step and what may be done, at each question of the pupil."""
    game, done, script, n = position_of(lesson).replay(), [], list(lesson.others), 0
    while n < len(lesson.steps):
        if game.question.seat != PUPIL:
            game.play(others_move(game, script))
        else:
            yield n, game.legal.texts
            said = len(game.actions)
            game.play(right_answer(lesson.steps[n], game.legal.texts))
            lines = tuple(line.partition(" ")[2] for line in game.actions[said:])
            done.append(Done(lines, game.question.seat != PUPIL))
        n = lesson.at(done, game.over)
    assert not script, "the others have moves left that nobody sees"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_can_be_played_and_its_wrong_answers_are_possible(lesson: Lesson) -> None:
    told: set[tuple[int, int]] = set()
    for n, texts in played(lesson):
        step = lesson.steps[n]
        for number, one in enumerate(step.wrong):
            tried = [text for text in texts if fnmatch.fnmatchcase(text, one.tried) and not step.accepts([text])]
            if any(step.answer([text]) is one.say for text in tried):
                told.add((n, number))
    for n, step in enumerate(lesson.steps):
        for number, one in enumerate(step.wrong):
            assert (n, number) in told, f"step {n + 1}: {one.tried!r} cannot be tried, or something before answers it"


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edition_is_taught_from_the_first_draw_to_the_count(edition: str) -> None:
    names = [lesson.name for lesson in lessons(edition)]
    assert names[0] == f"{edition}/first" and names[-1] == f"{edition}/end" and 5 <= len(names) <= 9
    assert lesson_named(names[0]) is lessons(edition)[0] and lesson_named(f"{edition}/nothing") is None


def test_everything_that_is_said_together_is_used() -> None:
    used = "".join(file.read_text(encoding="utf-8") for file in FOLDER.glob("*/*.toml"))
    assert [key for key in shared_texts() if f'"{key}"' not in used] == []


GOOD = """
title = "t"
[deal]
choices = ["keep all"]
[[step]]
say = "t"
task = "t"
right = ["blind"]
"""

FAULTS = {
    'righ = ["blind"]': r'step 1: unknown key "righ" \(did you mean "right"\?\)',
    'until = "turns"': r"step 1: until: expected a number of actions, \"turn\" or \"over\"",
    'done = "nothing"': r"step 1: done: no text has the key",
    'done = {en = "Done."}': r"step 1: done: expected a text, not",
    'done = ""': r"step 1: done: there is no text",
    'done = "D' + "d" * 299 + '"': r"step 1: done: 300 letters; at most 240",
    '[[step.wrong]]\ntried = "blind"\nsay = "u"': r"step 1: wrong 1: say: no text has the key",
    "[[step]]\nsay = 't'": r"step 2: right: expected at least one action",
    "[[step]": r"01_a\.toml: .*line 9",
}


def test_a_text_is_filled_in_whatever_the_language() -> None:
    text = Text("Claim {what}.", "Paris–Dieppe")
    assert text.said() == "Claim Paris–Dieppe."
    assert text.said({"Claim {what}.": "Nutze {what}."}.__getitem__) == "Nutze Paris–Dieppe."


@pytest.mark.parametrize("added", FAULTS)
def test_what_is_wrong_with_a_lesson_is_said_with_its_place(tmp_path: Path, added: str) -> None:
    file = tmp_path / "berlin" / "01_a.toml"
    file.parent.mkdir()
    shared = {"t": "A text."}
    file.write_text(GOOD, encoding="utf-8")
    assert read_lesson(file, shared).name == "berlin/a"
    file.write_text(GOOD + added + "\n", encoding="utf-8")
    with pytest.raises(LessonError, match=FAULTS[added]) as error:
        read_lesson(file, shared)
    assert str(error.value).startswith("berlin/01_a.toml: ")


@pytest.mark.parametrize(
    ("deal", "why"),
    {
        'hand = ["rde", "red"]': "rde",
        'tickets = ["Reichstag–Gendarmenmark"]\nchoices = ["keep Nowhere–Never"]': "did you mean",
        'before = ["0 claim Reichstag–Hauptbahnhof"]\nchoices = ["keep all"]': "Reichstag",
        'before = ["1 blind"]\nchoices = ["keep all"]': "it is the question of seat 0",
        'hand = ["red", "red", "red", "red", "red", "red", "red", "red"]': "red",
    }.items(),
)
def test_a_position_that_the_game_cannot_reach_is_no_lesson(tmp_path: Path, deal: str, why: str) -> None:
    file = tmp_path / "berlin" / "01_a.toml"
    file.parent.mkdir()
    file.write_text(GOOD.replace('choices = ["keep all"]', deal), encoding="utf-8")
    with pytest.raises(LessonError, match=rf"^berlin/01_a\.toml: deal: .*{why}"):
        position_of(read_lesson(file, {"t": "A text."}))
