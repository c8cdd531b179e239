"""Boards by name and by path."""

import subprocess
import sys
from pathlib import Path

import pytest
from board_files import edition, example, spoil, write

from branchline.boards import BoardError, UnknownBoard, builtin_boards, custom_boards, load_board
from branchline.boards.catalogue import SEARCH_PATH


def test_names_in_any_case() -> None:
    assert load_board("Europe") is load_board(" EUROPE ") is load_board("europe")


def test_paths_as_text_and_as_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "my_board", example())
    monkeypatch.chdir(tmp_path)
    for path in (folder, str(folder), "my_board", "./my_board"):
        assert load_board(path).id == "bodensee"


def test_a_folder_here_does_not_hide_an_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "europe", example())
    monkeypatch.chdir(tmp_path)
    assert load_board("europe").id == "europe"
    assert load_board("./europe").id == "bodensee"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Eurpe", 'unknown board "Eurpe" (did you mean "europe"?)'),
        ("mars", 'unknown board "mars"; there are berlin, europe, germany, great_lakes or world'),
    ],
)
def test_an_unknown_board(name: str, message: str) -> None:
    with pytest.raises(UnknownBoard) as caught:
        load_board(name)
    assert str(caught.value) == message


@pytest.mark.parametrize("path", ["", ".", "no/such/folder", "a\0b"])
def test_a_path_without_a_board(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BoardError):
        load_board(path)


def test_boards_along_the_search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "mine" / "Bodensee", example())
    write(tmp_path / "theirs" / "bodensee", spoil(example(), "board.toml", 'id = "bodensee"', 'id = "other"'))
    write(tmp_path / "theirs" / "second", edition("berlin"))
    (tmp_path / "theirs" / "not a board").mkdir()
    parts = ["", str(tmp_path / "mine"), str(tmp_path / "nowhere"), str(tmp_path / "theirs")]
    monkeypatch.setenv(SEARCH_PATH, __import__("os").pathsep.join(parts))
    assert set(custom_boards()) == {"bodensee", "other", "second"}
    assert load_board("BODENSEE").id == "bodensee"
    assert load_board("other").id == "other"  # its own name, whatever its folder is called
    assert load_board("second").id == "berlin"  # that name is an edition's
    with pytest.raises(UnknownBoard, match="bodensee"):
        load_board("bodense")


@pytest.mark.parametrize(
    "toml",
    ["id = " + "1" * 5000, 'id = "\u00e9', "id = " + "[" * 5000, "id = 7", "", "[" + "a." * 40_000],
    ids=["endless number", "no UTF-8", "nested", "no text", "empty", "endless line"],
)
def test_a_board_that_cannot_be_read_goes_by_the_name_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toml: str
) -> None:
    write(tmp_path / "Odd", example() | {"board.toml": toml.encode("latin-1")})
    monkeypatch.setenv(SEARCH_PATH, str(tmp_path))
    assert set(custom_boards()) == {"odd"}
    with pytest.raises(BoardError):
        load_board("odd")


def test_built_in_boards_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "europe", example())
    monkeypatch.setenv(SEARCH_PATH, str(tmp_path))
    assert load_board("europe").id == "europe"
    assert builtin_boards() == ("berlin", "europe", "germany", "great_lakes", "world")


def test_the_atlas_is_cheap_to_import() -> None:
    code = "import sys, branchline.boards; sys.exit(any(name in sys.modules for name in ('numba', 'hypothesis')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
