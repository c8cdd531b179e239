"""“Is this my printed board?”: files of what is printed, the boards made of them, and boards laid beside each other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.boards import builtin_boards, load_board, read_board
from branchline.cli import run
from branchline.workshop import Draft, read_draft
from branchline.workshop.printed import (
    Printed,
    PrintedError,
    PrintedLine,
    differences,
    draft_of,
    lines_of,
    read_printed,
)


def edition(name: str) -> Draft:
    folder = load_board(name).folder
    assert folder is not None
    return read_draft({file.name: file.read_text() for file in folder.iterdir() if file.is_file()})[0]


def as_file(name: str, *lines: PrintedLine) -> str:
    return json.dumps(Printed(name, lines).as_json())


@pytest.mark.parametrize("name", builtin_boards())
def test_an_edition_that_is_printed_as_it_is_makes_the_same_board(name: str, tmp_path: Path) -> None:
    ours, board = edition(name), load_board(name)
    lines = lines_of(ours)
    assert [line.where for line in lines if line.what == "route"] == [
        (route.a.name, route.b.name) for route in board.routes
    ], "the page marks the routes of the map by their place in this list"
    made = draft_of(read_printed(as_file(name, *lines)), ours)
    assert not differences(lines, lines_of(made))
    assert made.tables == ours.tables
    for file, text in made.files().items():
        (tmp_path / file).write_text(text)
    again = read_board(tmp_path)
    assert again.id == f"{name}_printed" and [one.price for one in again.routes] == [one.price for one in board.routes]


def test_what_is_printed_otherwise_is_on_the_board_and_nowhere_else(tmp_path: Path) -> None:
    ours = edition("berlin")
    lines = list(lines_of(ours))
    first, blue, orange = lines[0], lines[2], lines[3]
    assert blue.where == orange.where and blue.says != orange.says
    lines[0] = replace(first, says=("3", "red", "tram"))
    lines.remove(orange)
    lines.insert(0, PrintedLine("route", ("Reichstag", "Kurf\u00fcrstendamm"), ("4", "gray", "tram")))
    n = next(n for n, line in enumerate(lines) if line.what == "ticket")
    lines[n] = replace(lines[n], says=("11",))
    made = draft_of(read_printed(as_file("berlin", *lines)), ours)
    found = {(one.kind, (one.ours or one.theirs).where) for one in differences(lines_of(ours), lines_of(made))}  # type: ignore[union-attr]
    assert found == {
        ("other", first.where),
        ("missing", orange.where),
        ("more", ("Reichstag", "Kurf\u00fcrstendamm")),
        ("other", lines[n].where),
    }
    for file, text in made.files().items():
        (tmp_path / file).write_text(text)
    assert len(read_board(tmp_path).routes) == len(load_board("berlin").routes)


def test_parallel_routes_in_another_order_are_no_difference() -> None:
    one = [PrintedLine("route", ("A", "B"), ("2", colour, "rail")) for colour in ("red", "blue")]
    other = [replace(line, where=("b", "a")) for line in reversed(one)]
    assert not differences(one, other)
    assert [each.kind for each in differences(one, other[:1])] == ["missing"]


HOSTILE = [
    "",
    "[]",
    "{}",
    "[" * 100_000,
    '{"branchline_printed": 2, "board": "berlin", "lines": []}',
    '{"branchline_printed": 1, "board": "../berlin", "lines": []}',
    '{"branchline_printed": 1, "board": ["berlin"], "lines": []}',
    '{"branchline_printed": 1, "board": "berlin", "lines": {}}',
    '{"branchline_printed": 1, "board": "berlin", "lines": [1]}',
    as_file("berlin", PrintedLine("route", ("A", "A"), ("1", "red", "tram"))),
    as_file("berlin", PrintedLine("route", ("A", "B"), ("NaN", "red", "tram"))),
    as_file("berlin", PrintedLine("route", ("A", "B"), ("\u0661", "red", "tram"))),
    as_file("berlin", PrintedLine("route", ("A", "B"), ("1", "pink", "tram"))),
    as_file("berlin", PrintedLine("route", ("A", "B\u202e\n"), ("1", "red", "tram"))),
    as_file("berlin", PrintedLine("ticket", ("A",), ("1",))),
    as_file("berlin", PrintedLine("points", ("-1",), ("1",))),
    as_file("berlin", PrintedLine("house", ("A", "B"), ("1",))),
    as_file("berlin", *[PrintedLine("points", ("1",), ("1",))] * 1_001),
    as_file("berlin", PrintedLine("ticket", ("A" * 600_000, "B"), ("1",))),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_refused_in_words(text: str) -> None:
    with pytest.raises(PrintedError):
        read_printed(text)


def test_the_command_lays_a_file_beside_its_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(lines_of(edition("berlin")))
    lines[0] = replace(lines[0], says=("2", "gray", "tram"))
    file = tmp_path / "berlin-printed.json"
    file.write_text(as_file("berlin", lines[0], *(replace(line, checked=False) for line in lines[1:])))
    assert run(["board", "compare", str(file)]) == 1
    said = capsys.readouterr().out
    assert "1 difference" in said and "1 gray tram" in said and "2 gray tram" in said and "lines are unchecked" in said
    assert run(["board", "compare", str(file), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["checked"] == 1 and [one["kind"] for one in found["differences"]] == ["other"]
    assert run(["board", "compare", "berlin", "berlin"]) == 0
    file.write_text("{}")
    assert run(["board", "compare", str(file)]) == 2
