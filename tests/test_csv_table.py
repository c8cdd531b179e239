"""The tables that we write: for programs as pandas and `csv` read them, for people as Excel of their language does."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import branchline as bl
from branchline import csv_table
from branchline.arena import Export

HEADINGS = ["name", "won", "total"]
ROWS = [["Łucja; „Žofie“, Jürgen", 0.5, 12], ['=cmd|"/c calc"!A1', 1.0, -3], ["-2+3", 0.0, 0], [" @SUM(A1)", 0.25, 1]]


@pytest.mark.parametrize(
    ("language", "separator", "half"), [("en", ",", "0.5"), ("pl", ";", "0,5"), ("cs", ";", "0,5"), ("de", ";", "0,5")]
)
def test_a_table_for_people_is_what_excel_of_their_language_expects(language: str, separator: str, half: str) -> None:
    content = csv_table.for_people(language, HEADINGS, ROWS).encode()
    assert content.startswith(b"\xef\xbb\xbf") and content.count(b"\r\n") == content.count(b"\n") == 5
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=separator))
    assert rows[0] == HEADINGS and rows[1] == ["Łucja; „Žofie“, Jürgen", half, "12"]
    assert [row[0][0] for row in rows[2:]] == ["'", "'", "'"], "taken for formulas"
    assert rows[2][2] == "-3", "numbers stay numbers"


def test_a_table_for_programs_is_read_as_it_is(tmp_path: Path) -> None:
    results = bl.simulate("berlin", ["greedy", "random"], games=4)
    Export(tmp_path / "games.csv").write(results)
    content = (tmp_path / "games.csv").read_bytes()
    assert content.startswith(b"edition,") and content.count(b"\r\n") == content.count(b"\n")
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in row.items()} for row in results.rows()] == rows
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(tmp_path / "games.csv")
    assert (
        list(table.columns) == list(results.columns())
        and table["total"].tolist() == results.columns()["total"].tolist()
    )


def test_two_that_write_one_file_do_not_share_what_is_not_complete(tmp_path: Path) -> None:
    results = [bl.simulate("berlin", ["random"], games=games, seed=1) for games in (2, 4)]
    one, other = (Export(tmp_path / "games.csv") for _ in range(2))
    one.write(results[0])
    first = (tmp_path / "games.csv").read_bytes()
    other.write(results[1])
    assert first.count(b"\n") == 1 + 2 * 2 and (tmp_path / "games.csv").read_bytes().count(b"\n") == 1 + 4 * 2
    third = Export(tmp_path / "games.csv")
    third.drop()
    assert [file.name for file in tmp_path.iterdir()] == ["games.csv"], "something is left behind"
