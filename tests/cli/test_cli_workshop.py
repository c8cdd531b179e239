"""`branchline board new`, `import`, `export` and `print`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from branchline.boards import load_board, read_board
from branchline.workshop import printing
from cli.running import branchline_here, branchline_process, refused
from needs import missing

USA = Path(__file__).parents[1] / "workshop" / "usa"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# new


def test_a_new_board_is_a_folder_with_its_backdrop(here: Path) -> None:
    run = branchline_here("board", "new", "lake_garda", "--region", "10,45,12,46.5")
    assert run.code == 0, run
    assert (here / "lake_garda" / "map.geojson").stat().st_size > 500
    rules = (here / "lake_garda" / "board.toml").read_text(encoding="utf-8")
    assert 'id = "lake_garda"' in rules
    assert 'title = "Lake Garda"' in rules
    check = branchline_here("board", "check", "lake_garda")
    assert [line for line in check.out.splitlines() if "has no rows" not in line] == ["lake_garda: 3 faults"]


def test_nothing_that_is_there_is_written_over(here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "notes.txt").write_text("dear", encoding="utf-8")
    run = branchline_here("board", "new", "mine", "--region", "10,45,12,46")
    assert refused(run) == "branchline: mine: is there already; expected a new or an empty folder"
    run = branchline_here("board", "import", str(USA / "locations.txt"), "mine/notes.txt")
    assert "is there already" in refused(run)
    assert (here / "mine" / "notes.txt").read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize(
    ("region", "expected"),
    [("10,45,12", "expected four numbers"), ("a,b,c,d", "expected four numbers"), ("170,-20,-170,-10", "it is 190")],
)
@pytest.mark.usefixtures("here")
def test_a_region_that_is_none_is_refused(region: str, expected: str) -> None:
    assert expected in refused(branchline_here("board", "new", "mine", f"--region={region}"))


# import, export


@pytest.mark.long
def test_the_usa_board_is_imported_checked_and_played(here: Path) -> None:
    files = [str(path) for path in sorted(USA.iterdir())]
    run = branchline_here("board", "import", *files, "usa")
    assert run.code == 0, run
    assert run.out.splitlines()[-1] == "usa: 36 places, 100 routes, 30 tickets; no faults"
    assert branchline_here("board", "check", "usa").code == 0
    assert branchline_here("board", "draw", "usa", "--out", "usa.svg").code == 0
    assert "Kansas" in (here / "usa.svg").read_text(encoding="utf-8")
    assert branchline_here("simulate", "usa", "--bots", "fast,greedy", "--games", "4", "--audit").code == 0


def test_a_zip_file_brings_the_same_folder_back(here: Path) -> None:
    assert branchline_here("board", "export", "berlin", "berlin.zip").out.startswith("berlin.zip: 6 files")
    assert branchline_here("board", "import", "berlin.zip", "again").code == 0
    assert read_board(here / "again").digest == load_board("berlin").digest


def test_a_board_with_faults_can_be_taken_along(here: Path) -> None:
    shutil.copytree(str(load_board("berlin").folder), here / "mine")
    (here / "mine" / "tickets.csv").write_text("city_a,city_b,value\nNowhere,Else,x\n", encoding="utf-8")
    (here / "mine" / "photo.png").write_bytes(b"\x89PNG\0")
    run = branchline_here("board", "export", "mine", "mine.zip")
    assert run.code == 0
    assert "photo.png: is left out" in run.out
    with zipfile.ZipFile("mine.zip") as archive:
        assert "mine/tickets.csv" in archive.namelist()


def test_the_map_generator_gets_its_files_back(here: Path) -> None:
    files = [str(path) for path in sorted(USA.iterdir())]
    branchline_here("board", "import", *files, "usa")
    assert branchline_here("board", "export", "usa", "again", "--map-generator").code == 0
    for path in USA.iterdir():
        assert (here / "again" / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_what_cannot_be_imported_is_refused(here: Path) -> None:
    (here / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (here / "broken.zip").write_bytes(b"PK\x03\x04nonsense")
    assert "no part of a board" in refused(branchline_here("board", "import", "photo.jpg", "x"))
    assert "not a zip file" in refused(branchline_here("board", "import", "broken.zip", "x"))
    assert "cannot be read" in refused(branchline_here("board", "import", "gone.zip", "x"))
    assert "one or more files" in refused(branchline_here("board", "import", "x"))
    assert not (here / "x").exists()


# print


def test_a_board_is_printed(here: Path) -> None:
    try:
        printing.printed(load_board("berlin"), parts=["cards"])
    except printing.PrintError as error:
        missing(str(error))
    run = branchline_here("board", "print", "berlin", "--paper", "a3", "--parts", "map,tickets")
    assert run.code == 0, run
    assert (here / "berlin.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.usefixtures("here")
def test_what_cannot_be_printed_is_refused() -> None:
    assert "unknown part" in refused(branchline_here("board", "print", "berlin", "--parts", "box"))
    assert "not both" in refused(branchline_here("board", "print", "berlin", "--width", "500", "--wagon", "24"))
    assert refused(branchline_here("board", "print", "nowhere"))


def test_listing_boards_does_not_wait_for_numpy() -> None:
    code = "import sys; from branchline.cli import run; run(['board', 'list']); sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done


def test_a_process_of_its_own_does_the_same(tmp_path: Path) -> None:
    run = branchline_process("board", "new", str(tmp_path / "fiji"), "--region=174,-22,186,-12", "--title", "Fiji")
    assert run.code == 0, run
    assert 'title = "Fiji"' in (tmp_path / "fiji" / "board.toml").read_text(encoding="utf-8")
