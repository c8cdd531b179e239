"""Advice: the printed boards get none, and what is unlike them is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from board_files import edition, example, spoil, write

from branchline.boards import builtin_boards, load_board, read_board
from branchline.boards.advice import advice, shortest_way


@pytest.mark.parametrize("name", builtin_boards())
def test_the_editions_need_no_advice(name: str) -> None:
    assert advice(load_board(name)) == ()


def test_the_shortest_way_passes_through_no_country() -> None:
    board = load_board("germany")
    places = {place.name: place for place in board.places}
    freiburg, saarbruecken, france = (places[name] for name in ("Freiburg", "Saarbrücken", "Frankreich"))
    assert shortest_way(board, freiburg, france) + shortest_way(board, france, saarbruecken) == 3
    assert shortest_way(board, freiburg, saarbruecken) > 3


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("routes.csv", "Chicago,South Bend,1,gray", "Chicago,South Bend,1,gray", ""),
        (
            "routes.csv",
            r"^((?:Madison|Eau|Bay).*,\d),\w+,rail",
            r"\1,purple,rail",
            "are purple; printed boards",
        ),
        ("routes.csv", r"^(.*,\d),\w+,sea", r"\1,gray,sea", "100% of the spaces of sea routes are gray"),
        ("board.toml", "choose = 50", "choose = 30", "spaces for the 150 pieces of 5 seats are "),
        ("tickets.csv", r"^.*Timmins.*\n", "", "on no ticket: Timmins"),
        (
            "tickets.csv",
            "^(Albany,Buffalo),4",
            r"\1,17",
            "worth much more than their shortest ways: Albany–Buffalo (17, ",
        ),
        ("tickets.csv", "^(Albany,Cedar Rapids),16", r"\1,3", "worth much less than their shortest ways: Albany–Cedar"),
    ],
)
def test_what_is_unlike_the_printed_boards_is_named(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    files = edition("great_lakes")
    text, count = re.subn(old, new, files[file].decode(), flags=re.MULTILINE)
    assert count
    folder = write(tmp_path / "great_lakes", files | {file: text.encode()})
    found = [str(one) for one in advice(read_board(folder))]
    assert any(said in one for one in found) if said else found == []


def test_a_bridge_and_another_name_of_the_folder_are_named(tmp_path: Path) -> None:
    files = spoil(example(), "routes.csv", "Radolfzell,Meersburg,3,green,rail,\n", "")
    files = spoil(files, "routes.csv", "Konstanz,Radolfzell,2,red,rail,\n", "")
    found = [str(one) for one in advice(read_board(write(tmp_path / "lake", files)))]
    assert 'board.toml: the board’s id is "bodensee" but its folder is "lake"' in found[0]
    assert "routes.csv: claiming Konstanz–Radolfzell cuts the map in two" in found
