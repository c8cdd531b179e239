"""`branchline board check`, `list` and `draw`."""

from __future__ import annotations

import json
import os
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from branchline.boards import builtin_boards, load_board
from branchline.commands.board import ThemeName
from branchline.draw.palette import THEMES
from cli.running import branchline_here, branchline_process, refused


@pytest.fixture
def europe(tmp_path: Path) -> Path:
    """A copy of a sound board, to be spoiled."""
    return Path(shutil.copytree(load_board("europe").folder, tmp_path / "my_board"))  # type: ignore[type-var]


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


# check


def test_a_sound_folder_is_said_to_be_sound(europe: Path) -> None:
    run = branchline_here("board", "check", str(europe))
    assert (run.code, run.err) == (0, "")
    said, advice, *more = run.out.splitlines()
    assert said == f"{europe}: no faults. Europe: 47 places, 101 routes, 46 tickets, 2 to 5 seats."
    assert advice.startswith('advice: board.toml: the board’s id is "europe" but its folder is "my_board"')
    assert not more


def test_every_fault_is_named_with_file_and_line_and_counted(europe: Path) -> None:
    spoil(europe, "routes.csv", "Paris", "Parris")
    spoil(europe, "tickets.csv", "Wien", "Vein")
    run = branchline_here("board", "check", str(europe))
    assert run.code == 2
    *faults, summary = run.out.splitlines()
    assert summary == f"{europe}: {len(faults)} faults"
    assert any(line.startswith(f"{europe}{os.sep}routes.csv:") and 'did you mean "Paris"?' in line for line in faults)
    assert any(line.startswith(f"{europe}{os.sep}tickets.csv:") for line in faults)


def test_faults_are_never_cut_short(europe: Path) -> None:
    tickets = europe / "tickets.csv"
    header = tickets.read_text(encoding="utf-8").splitlines()[0]
    wrong = ["" if name == "source" else "Nowhere" for name in header.split(",")]
    tickets.write_text("\n".join([header] + [",".join(wrong)] * 200), encoding="utf-8")
    run = branchline_here("board", "check", str(europe))
    assert run.code == 2
    assert run.out.count("tickets.csv:") >= 200


def test_one_fault_is_one_fault(europe: Path) -> None:
    (europe / "routes.csv").unlink()
    run = branchline_here("board", "check", str(europe))
    assert run.code == 2
    assert run.out.splitlines()[-1] == f"{europe}: 1 fault"


def test_faults_for_machines(europe: Path) -> None:
    spoil(europe, "routes.csv", "Paris", "Parris")
    run = branchline_here("board", "check", str(europe), "berlin", "--json")
    assert run.code == 2
    mine, berlin = json.loads(run.out)
    assert mine["faults"][0]["file"] == "routes.csv"
    assert mine["faults"][0]["line"] > 1
    assert berlin["faults"] == [] and berlin["board"]["reconstructed"] is True


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    for wrong in (str(tmp_path / "nothing"), "nosuch", "/dev/null", "a\0b", "x" * 5000):
        run = branchline_here("board", "check", wrong)
        assert run.code == 2, wrong
        assert "Traceback" not in run.err + run.out
        assert run.out.rstrip().endswith("1 fault")


def test_a_mistyped_edition_is_recognised() -> None:
    assert 'did you mean "europe"?' in branchline_here("board", "check", "eurpoe").out


# list


def test_the_list_has_the_four_editions_and_marks_the_reconstructed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRANCHLINE_BOARDS", raising=False)
    run = branchline_here("board", "list")
    assert run.code == 0
    for name in builtin_boards():
        assert f"\n{name} " in run.out
    assert "\nberlin * " in run.out and "* a reconstruction" in run.out
    assert "RECONSTRUCTION" not in run.out
    assert "RECONSTRUCTION" in branchline_here("board", "list", "--notes").out


def test_boards_of_ones_own_are_in_the_list(europe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Path(shutil.copytree(europe, europe.parent / "broken"))
    spoil(broken, "routes.csv", "Paris", "Parris")
    monkeypatch.setenv("BRANCHLINE_BOARDS", str(europe.parent))
    run = branchline_here("board", "list")
    assert run.code == 0
    assert "my_board" in run.out and "1 fault" in run.out
    entries = {entry["name"]: entry for entry in json.loads(branchline_here("board", "list", "--json").out)}
    assert set(entries) == {*builtin_boards(), "my_board", "broken"}
    assert entries["my_board"]["folder"] == str(europe) and not entries["my_board"]["builtin"]
    assert entries["broken"]["faults"] >= 1
    assert entries["berlin"]["reconstructed"] and entries["berlin"]["notes"]


# draw


def test_the_themes_are_those_of_the_drawing() -> None:
    assert [theme.value for theme in ThemeName] == list(THEMES)


def test_a_board_is_drawn_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert branchline_here("board", "draw", "berlin").code == 0
    drawing = (tmp_path / "berlin.svg").read_text(encoding="utf-8")
    assert ET.fromstring(drawing).tag.endswith("svg")
    assert drawing == load_board("berlin").svg().rstrip("\n") + "\n"


def test_a_drawing_on_standard_output_is_nothing_but_the_drawing() -> None:
    run = branchline_here("board", "draw", "berlin", "--out", "-", "--theme", "dark")
    assert (run.code, run.err) == (0, "")
    assert run.out == load_board("berlin").svg(theme="dark").rstrip("\n") + "\n"


def test_a_folder_is_drawn_as_well(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(load_board("berlin").folder, tmp_path / "mine"))  # type: ignore[type-var]
    out = tmp_path / "mine.svg"
    run = branchline_here("board", "draw", str(folder), "--out", str(out))
    assert run.code == 0 and str(out) in run.out
    assert out.stat().st_size > 10_000


def test_what_cannot_be_drawn_or_written(europe: Path, tmp_path: Path) -> None:
    assert 'did you mean "europe"?' in refused(branchline_here("board", "draw", "eurpoe"))
    spoil(europe, "routes.csv", "Paris", "Parris")
    spoil(europe, "tickets.csv", "Wien", "Vein")
    assert "more fault" in refused(branchline_here("board", "draw", str(europe)))
    for target in (tmp_path, tmp_path / "no" / "such" / "folder.svg", Path("/dev/full"), Path("/proc/nothing.svg")):
        line = refused(branchline_here("board", "draw", "berlin", "--out", str(target)))
        assert "cannot be written" in line and str(target) in line
    assert branchline_here("board", "draw", "berlin", "--theme", "pink").code == 2


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="a shell's pipes")
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    import subprocess

    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m branchline board draw berlin --out - | head -c 10'],
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.stdout == b"<svg xmlns"
    assert done.stderr == b""


@pytest.mark.long
def test_the_command_in_a_process_of_its_own() -> None:
    run = branchline_process("board", "check", "germany")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("germany: no faults.")
