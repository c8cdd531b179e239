"""The benchmark of language models: graded tasks, whole games, the same result for the same answers."""

from __future__ import annotations

from typing import Any

import pytest

import branchline as bl
from branchline.teaching.exercises import number_of
from branchline.teaching.lesson_files import lessons
from branchline.teaching.puzzles import collection

pytest.importorskip("pydantic")

from branchline.assistants.benchmark import BenchmarkError, Examiner, Reply, Share


def last(prompt: str) -> str:
    return prompt.rpartition("you may: ")[2].splitlines()[0].split("; ")[-1]


def test_answers_are_graded_and_the_best_ones_are_right() -> None:
    shelf = collection.of_edition("berlin")
    assert shelf is not None
    puzzle = shelf.puzzles[0]
    asked: list[str] = []

    def knows(prompt: str) -> Reply:
        asked.append(prompt)
        number = number_of(puzzle.position(), puzzle.answers.best.move)
        assert number is not None
        return Reply(puzzle.game().legal.get(number).text, tokens=7)  # type: ignore[union-attr]

    examiner = Examiner(knows)
    assert list(examiner.puzzles(["berlin"], 1)) == [puzzle.id]
    assert examiner.report.puzzles.mean == 1 and examiner.report.given_away == 0 and examiner.report.tokens == 7
    assert str(puzzle.answers.best.option.chance) not in asked[0]


def test_a_lesson_counts_what_it_accepts() -> None:
    done = list(Examiner(last).lessons(["berlin"]))
    assert len(done) == len(lessons("berlin"))


@pytest.mark.long
def test_whole_games_are_the_same_for_the_same_answers() -> None:
    def played() -> Any:
        examiner = Examiner(last, seed=4)
        list(examiner.games(["berlin"], ["easy"], 2))
        return examiner.report.as_dict()

    assert played() == played()
    assert played()["games"]["easy"]["of"] == 2 and played()["refused"] == 0


def test_what_is_no_move_is_refused_with_the_reason_and_then_drawn() -> None:
    asked: list[str] = []

    def babbles(prompt: str) -> str:
        asked.append(prompt)
        return "I would like to think about it."

    examiner = Examiner(babbles)
    list(examiner.puzzles(["berlin"], 1))
    assert examiner.report.refused == examiner.report.asked == 3 and "Refused:" in asked[-1]
    with pytest.raises(BenchmarkError):
        list(Examiner(lambda prompt: 3).puzzles(["berlin"], 1))  # type: ignore[arg-type,return-value]
    with pytest.raises(bl.BranchlineError):
        Examiner(last, seed=-1)


def test_intervals_hold_the_share() -> None:
    share = Share(7, 10)
    low, high = share.interval
    assert 0.39 < low < 0.7 < high < 0.9 and share.elo[0] < share.elo[1] < share.elo[2]
