"""What the answers to a question are worth: all legal ones, in the same worlds; which of them count as right."""

from __future__ import annotations

from functools import cache

import pytest

import branchline as bl
from branchline.bots import Position
from branchline.game import Record, RecordError
from branchline.rules import state as at
from branchline.teaching.exercises import Answers, ExerciseError, game_at, look_at, number_of
from branchline.teaching.looking import Looking, answers, meaning
from branchline.teaching.puzzles import Puzzle, of_edition


@cache
def plain_puzzle() -> tuple[Puzzle, Position]:
    """A position in which one answer is far ahead."""
    collection = of_edition("berlin")
    assert collection is not None
    one = max(collection.puzzles, key=lambda puzzle: puzzle.answers.found[1].behind)
    return one, one.position()


def test_every_legal_action_is_one_of_the_answers() -> None:
    _, position = plain_puzzle()
    found = answers(position)
    assert {meaning(position, one) for one in found} == {meaning(position, one) for one in position.legal}
    assert len(found) == len({meaning(position, one) for one in found})


def test_cards_of_one_kind_and_parallel_lines_mean_the_same() -> None:
    position = Position.of(bl.Game(bl.load_board("berlin"), 2, 1))
    pairs = [(one, two) for one in position.board.routes for two in position.board.routes if one.index < two.index]
    parallel = next((one, two) for one, two in pairs if one.parallel == two.parallel)
    apart = next((one, two) for one, two in pairs if one.parallel != two.parallel)
    assert len({meaning(position, at.CLAIM + one.index) for one in parallel}) == 1
    assert len({meaning(position, at.CLAIM + one.index) for one in apart}) == 2
    kinds = [int(position.state.market[slot]) for slot in range(5)]
    meanings = [meaning(position, at.TAKE + slot) for slot in range(5)]
    assert len(set(meanings)) == len(set(kinds))


def test_the_same_worlds_give_the_same_figures_and_the_best_one_stays() -> None:
    puzzle, position = plain_puzzle()
    best = number_of(position, puzzle.answers.best.move)
    for _ in range(2):
        looking = Looking(position, 7)
        left = looking.left_of(answers(position), 24)
        assert left[0] == best
    again = Looking(position, 7)
    again.try_out(left[0], looking.worlds(left[0]))
    assert again.mean(left[0]) == looking.mean(left[0])


def test_the_mistake_is_never_right_and_what_the_analysis_found_always_is() -> None:
    puzzle, position = plain_puzzle()
    best = number_of(position, puzzle.answers.best.move)
    worse = number_of(position, puzzle.answers.found[1].move)
    assert best is not None and worse is not None
    found = look_at(position, worse, best, 0.5, rollouts=24)
    assert found.best.move == puzzle.answers.best.move and found.best.right
    told = found.to(position, worse)
    assert told is not None and not told.right and told.behind > 0
    turned = look_at(position, best, worse, 0.5, rollouts=24)  # what an analysis never says
    assert not any(one.right and one.move == puzzle.answers.best.move for one in turned.found)
    assert any(one.right and one.move == puzzle.answers.found[1].move for one in turned.found)


def test_answers_are_kept_as_text_and_damaged_text_is_refused() -> None:
    puzzle, position = plain_puzzle()
    text = puzzle.answers.written()
    assert Answers.read(text, position.board) == puzzle.answers
    for bad in ("", "[]", "{}", text.replace('"answers"', '"a"'), text.replace('"branchline_answers": 1', '"x": 1')):
        with pytest.raises(ExerciseError):
            Answers.read(bad, position.board)


def test_a_game_is_found_at_a_step_and_nowhere_else() -> None:
    puzzle, _ = plain_puzzle()
    game = game_at(puzzle.record, 3)
    assert game.actions == list(puzzle.record.actions[:3])
    with pytest.raises(ExerciseError):
        game_at(puzzle.record, len(puzzle.record.actions) + 1)
    broken = Record(**{**vars(puzzle.record), "actions": ("0 nothing",)})
    with pytest.raises(RecordError):
        game_at(broken, 1)
