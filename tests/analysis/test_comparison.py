"""Two moves compared: the same figures for everybody, nothing made of noise, and read as it was written."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from branchline.analysis import Comparison, compare
from branchline.analysis.comparison import Difference
from branchline.bots import Position
from branchline.teaching.exercises import number_of
from branchline.teaching.puzzles import Puzzle, of_edition


def last_puzzle(edition: str) -> tuple[Puzzle, Position]:
    """The puzzle of an edition that is played out soonest."""
    collection = of_edition(edition)
    assert collection is not None
    puzzle = max(collection.puzzles, key=lambda one: one.step)
    return puzzle, puzzle.position()


def answers_of(puzzle: Puzzle, position: Position) -> tuple[int, int]:
    """The best answer and the next best, as actions."""
    best, second = (number_of(position, one.move) for one in puzzle.answers.found[:2])
    assert best is not None and second is not None
    return best, second


def test_the_same_worlds_give_the_same_figures_and_the_other_way_round_the_opposite_ones() -> None:
    puzzle, position = last_puzzle("berlin")
    best, second = answers_of(puzzle, position)
    there, back = compare(position, best, second, 1, worlds=16), compare(position, second, best, 1, worlds=16)
    assert there == compare(position, best, second, 1, worlds=16)
    assert there.points.mean == -back.points.mean and there.turns.mean == -back.turns.mean
    assert there.instead.text == puzzle.answers.found[1].move.text


def test_a_move_is_about_the_same_as_itself() -> None:
    puzzle, position = last_puzzle("europe")
    best, _ = answers_of(puzzle, position)
    found = compare(position, best, best, 1, worlds=8)
    assert (found.points.whole, found.others.whole, found.turns.whole, found.sources) == (0, 0, 0, ())


def test_what_lies_within_the_noise_or_rounds_to_nothing_is_no_difference() -> None:
    assert Difference(9.2, 1.0).whole == 9 and Difference(-0.6, 0.1).whole == -1
    assert Difference(9.2, 5.0).whole == 0 and Difference(0.4, 0.01).whole == 0 and Difference(0.5, 0.01).whole == 1


def test_a_comparison_is_read_as_it_was_written_and_foreign_ones_are_refused() -> None:
    puzzle, position = last_puzzle("world")
    board = position.board
    found = compare(position, *answers_of(puzzle, position), 1, worlds=8)
    found = replace(found, sources=(("tickets", 7), ("routes", -2)))
    assert Comparison.from_dict(json.loads(json.dumps(found.as_dict())), board) == found
    assert Comparison.from_dict(None, board) is None
    with pytest.raises(ValueError, match="nonsense"):
        Comparison.from_dict(found.as_dict() | {"sources": {"nonsense": 1}}, board)
