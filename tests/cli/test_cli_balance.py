"""`branchline board balance`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from branchline.boards import load_board, read_board
from cli.running import branchline_here, refused

SMALL = ("--games", "60", "--seats", "3", "--seed", "2")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of Berlin with a ticket that pays far too much, and a comment."""
    folder = tmp_path / "berlin"
    shutil.copytree(load_board("berlin").folder or "", folder)
    tickets = folder / "tickets.csv"
    text = tickets.read_text(encoding="utf-8")
    assert "Hauptbahnhof,Potsdamer Platz,4," in text
    tickets.write_text(text.replace("Hauptbahnhof,Potsdamer Platz,4,", "Hauptbahnhof,Potsdamer Platz,20,"), "utf-8")
    return folder


def test_what_it_shows_to_people() -> None:
    run = branchline_here("board", "balance", "berlin", *SMALL)
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0] == "Berlin: how it plays"
    assert lines[1].startswith("90 games, seed 2, ")  # 60, and 30 with a racer
    turns = next(line for line in lines if line.startswith("Turns per player"))
    assert "…" in turns  # beside it the range of the editions
    assert any(line.startswith("Crowded connections") and "8 … 19" in line for line in lines)
    assert any("Hauptbahnhof" in line and "%" in line for line in lines)


@pytest.mark.long
def test_the_same_figures_for_machines() -> None:
    told, again = (json.loads(branchline_here("board", "balance", "berlin", *SMALL, "--json").out) for _ in range(2))
    assert told | {"seconds": 0} == again | {"seconds": 0}
    assert told["board"] == "berlin" and told["games"] == 90 and told["seed"] == 2
    assert [table["seats"] for table in told["tables"]] == [3]
    assert len(told["tables"][0]["connections"]) == 35 and len(told["tickets"]) == 22


@pytest.mark.long
def test_a_report_and_a_better_copy(copied: Path, tmp_path: Path) -> None:
    report, better = tmp_path / "report.html", tmp_path / "new" / "better"
    before = {one.name: one.read_bytes() for one in copied.iterdir()}
    where = ("--html", str(report), "--improve", "--write", str(better))
    run = branchline_here("board", "balance", str(copied), "--games", "300", "--seats", "3", "--json", *where)
    assert (run.code, run.err) == (0, "")
    assert before == {one.name: one.read_bytes() for one in copied.iterdir()}  # the board itself is as it was
    changes = json.loads(run.out)["changes"]
    planted = next(one for one in changes if one["name"] == "Hauptbahnhof–Potsdamer Platz")
    assert (planted["from"], planted["to"], planted["helped"]) == (["20"], ["15"], True)
    old, new = read_board(copied), read_board(better)
    for one in changes:
        for item, value in zip(one["items"], one["to"] if one["helped"] else one["from"], strict=True):
            found = str(new.tickets[item].value) if one["kind"] == "ticket" else new.routes[item].colour
            assert found == value
    assert [ticket.places for ticket in old.tickets] == [ticket.places for ticket in new.tickets]
    for name in ("board.toml", "cities.csv", "map.geojson"):
        assert (better / name).read_bytes() == before[name]  # comments and all
    page = report.read_text(encoding="utf-8")
    assert "Suggested changes" in page and "Hauptbahnhof–Potsdamer Platz" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("berlin", "--seats", "5"), "Berlin is for 2 to 4 seats, not 5"),
        (("berlin", "--seats", "two"), "--seats: expected numbers"),
        (("berlin", "--write", "copy"), "--write needs --improve"),
        (("berlin", "--html", "report.pdf"), "ends with .html"),
        (("berlin", "--on", "moon"), "on: expected"),
        (("nowhere",), "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused(branchline_here("board", "balance", *words))


def test_a_copy_is_never_written_over_something(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "board.toml").write_text("mine", "utf-8")
    said = refused(
        branchline_here("board", "balance", "berlin", *SMALL, "--improve", "--write", str(tmp_path / "full"))
    )
    assert "is there already" in said
    assert (tmp_path / "full" / "board.toml").read_text("utf-8") == "mine"
