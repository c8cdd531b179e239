"""Puzzles: those that come with the editions lead to their positions; making them is the same for everybody."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

import branchline as bl
from branchline.teaching.exercises import number_of
from branchline.teaching.puzzles import THEMES, Collection, PuzzleError, check, editions, make, of_edition, of_the_day
from branchline.teaching.puzzles.making import LEAST, MARGIN, MISSED
from table import EDITIONS


def shipped(edition: str) -> Collection:
    found = of_edition(edition)
    assert found is not None
    return found


def test_every_edition_comes_with_puzzles() -> None:
    assert set(editions()) == set(EDITIONS)
    for edition in EDITIONS:
        ids = [one.id for one in shipped(edition).puzzles]
        assert 30 <= len(ids) == len(set(ids)) <= 50, edition
    assert of_edition("nowhere") is None and of_edition("../berlin") is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_puzzles_have_one_best_answer_by_a_margin_and_are_not_trivial(edition: str) -> None:
    for one in shipped(edition).puzzles:
        best, *others = one.answers.found
        assert best.right and not any(other.right for other in others) and others, one.id
        assert min(other.behind for other in others) >= MARGIN - 1e-3, one.id
        assert min(other.interval[0] for other in others) > LEAST, one.id
        assert MISSED <= one.difficulty <= 1 and set(one.themes) <= set(THEMES), one.id


@pytest.mark.parametrize("edition", EDITIONS)
def test_records_lead_to_positions_in_which_the_answers_are_legal(edition: str) -> None:
    for one in shipped(edition).puzzles[::10]:
        position = one.position()
        assert position.seat == one.answers.seat
        assert all(number_of(position, answer.move) is not None for answer in one.answers.found)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_best_answer_is_compared_with_the_next_best_in_points_and_turns(edition: str) -> None:
    for one in shipped(edition).puzzles:
        found = one.answers.compared
        assert found is not None and found.instead.text == one.answers.found[1].move.text, one.id
        told = found.points.clear or found.others.clear or found.turns.clear
        assert told or abs(found.points.mean) <= 2 * found.points.error + 0.5, one.id


def test_the_puzzle_of_the_day_is_another_one_every_day_and_goes_round_the_editions() -> None:
    start = date(2026, 11, 22)
    days = [of_the_day(start + timedelta(days=n)) for n in range(60)]
    assert days[0] == of_the_day(start)
    found = [(name, one.id) for name, one in (day for day in days if day is not None)]
    assert len(set(found)) == 60 and {name for name, _ in found} == set(EDITIONS)


def test_a_file_is_read_as_it_was_written() -> None:
    collection = shipped("berlin")
    again = Collection.from_json(collection.to_json())
    assert again.to_json() == collection.to_json()
    assert [one.id for one in again.puzzles] == [one.id for one in collection.puzzles]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("branchline_puzzles", "x"),
        ('"board": "berlin"', '"board": "nowhere"'),
        ('"themes":["', '"themes":["no '),
        ('"game":0', '"game":999'),
        ('"answers":{', '"answers":{"branchline_answers":7,"x":{'),
        ('"seed":', '"seed":"x'),
    ],
)
def test_a_damaged_file_is_refused_in_a_line(old: str, new: str) -> None:
    text = shipped("berlin").to_json()
    assert old in text
    with pytest.raises(PuzzleError) as refused:
        Collection.from_json(text.replace(old, new))
    assert "\n" not in str(refused.value)


def test_puzzles_on_a_board_that_no_name_finds_are_read_with_the_board(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    shutil.copytree(shipped("berlin").puzzles[0].position().board.folder, folder)
    rules = folder / "board.toml"
    rules.write_text(rules.read_text(encoding="utf-8").replace('id = "berlin"', 'id = "elsewhere"'), encoding="utf-8")
    board, text = bl.read_board(folder), shipped("berlin").to_json().replace('"berlin"', '"elsewhere"')
    assert Collection.from_json(text, board).puzzles[0].position(board).board is board
    with pytest.raises(PuzzleError, match="unknown board"):
        Collection.from_json(text)
    with pytest.raises(PuzzleError, match="not on"):
        Collection.from_json(text, bl.load_board("berlin"))


def test_a_record_that_leads_elsewhere_is_noticed() -> None:
    one = shipped("berlin").puzzles[0]
    with pytest.raises(PuzzleError, match="another position"):
        replace(one, step=one.step - 1).game()


@pytest.mark.long
def test_making_is_the_same_with_any_number_of_jobs_and_in_pieces() -> None:
    board = bl.load_board("berlin")
    whole = make(board, 1, seed=5, rollouts=20)
    pieces = make(board, 1, seed=5, rollouts=20, seconds=0)
    assert pieces.puzzles == () and pieces.games == 0
    looked: list[int] = []
    again = make(board, 1, seed=5, rollouts=20, jobs=2, begun=pieces, on_found=lambda c: looked.append(c.games))
    assert again == whole and again.to_json() == whole.to_json()
    assert looked == list(range(1, whole.games + 1))
    with pytest.raises(PuzzleError, match="another board, seed"):
        make(board, 3, seed=6, rollouts=20, begun=whole)


def test_a_deeper_look_confirms_and_tells_what_it_does_not() -> None:
    board, collection = bl.load_board("berlin"), shipped("berlin")
    plain = max(collection.puzzles, key=lambda one: min(other.behind for other in one.answers.found[1:]))
    [sure] = check(replace(collection, rollouts=20), board, times=4, only=[plain.id])
    assert sure.confirmed and sure.lead.mean > MARGIN and 20 <= sure.lead.worlds <= 80
    first, second, *rest = plain.answers.found
    turned = replace(plain, answers=replace(plain.answers, found=(second, first, *rest)))
    [unsure] = check(replace(collection, rollouts=20, puzzles=(turned,)), board, times=4)
    assert not unsure.confirmed and unsure.best == first.move.text
