"""The verdict on a board: what stands furthest outside the published editions is named, with a way out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from branchline.arena.balance import Balance, figures, play_balance
from branchline.arena.balance.ranges import range_of
from branchline.arena.balance.sections import sections
from branchline.arena.balance.verdict import ADVICE, FOLLOWS, UNLIKE, side_of, verdict
from branchline.boards import Board, load_board


def changed(folder: Path, before: str, after: str) -> Board:
    """Berlin with another line in its rules."""
    source = load_board("berlin").folder
    assert source is not None
    shutil.copytree(source, folder)
    rules = (folder / "board.toml").read_text(encoding="utf-8")
    assert before in rules
    (folder / "board.toml").write_text(rules.replace(before, after).replace('"berlin"', '"mine"'), encoding="utf-8")
    return load_board(str(folder))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Balance:
    board = changed(tmp_path_factory.mktemp("boards") / "mine", "tram = 11", "tram = 45")
    return figures(play_balance(board, 30, 1))


@pytest.mark.long
def test_too_many_pieces_are_named_with_numbers_and_a_way_out(crowded: Balance) -> None:
    first, second, third = verdict(crowded)
    assert first == UNLIKE
    assert second.text == ADVICE["pieces", True].text
    better, spaces = second.fields["better"], second.fields["spaces"]
    span = range_of("pieces")
    assert isinstance(better, int) and isinstance(spaces, int) and span is not None
    assert span[0] <= better * crowded.board.seats[1] / spaces <= span[1], "the number that is proposed is in range"
    follows = {ADVICE[key].text for key in ADVICE if key[0] in FOLLOWS["pieces"]}
    assert third.text not in follows, "what follows from too many pieces is not said as well"


def test_what_lies_outside_is_marked_in_the_tables_and_folded_away_on_a_page(crowded: Balance) -> None:
    whole, folded = sections(crowded), sections(crowded, folded=True)
    assert "<td class=out>" in whole and " ▲</td>" in whole
    assert folded.index("class='verdict'") < folded.index("<details>") and "<summary><h2>" not in whole


def test_every_figure_with_advice_has_a_range() -> None:
    assert all(range_of(name) or range_of(name, 3) for name, _ in ADVICE)


@pytest.mark.parametrize(("value", "side"), [(1.0, 0), (2.0, 0), (2.1, 0), (2.3, 1), (0.9, 0), (0.7, -1)])
def test_what_lies_just_beside_a_range_is_still_inside(value: float, side: int) -> None:
    assert side_of(value, (1.0, 2.0)) == side


def test_a_figure_that_no_edition_has_is_nowhere_outside() -> None:
    assert side_of(5.0, None) == 0
