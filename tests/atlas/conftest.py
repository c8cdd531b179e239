"""A small board in memory, to be spoiled and written out; it is the example of docs/board_format.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from branchline.atlas import BoardError, read_board
from branchline.atlas.catalogue import BUILTIN

DOCS = Path(__file__).parents[2] / "docs"

Files = dict[str, bytes]


def example() -> Files:
    """The complete example of the page on the format."""
    text = (DOCS / "board_format.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return {name: content.encode() for name, content in blocks}


def edition(name: str) -> Files:
    """The text files of a built-in board."""
    return {file.name: file.read_bytes() for file in (BUILTIN / name).iterdir()}


def write(folder: Path, files: Files) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def spoil(files: Files, file: str, old: str, new: str) -> Files:
    """The files with one thing changed; an empty `old` means: at the end."""
    text = files.get(file, b"").decode()
    assert not old or text.count(old) >= 1, f"{old!r} is not in {file}"
    changed = text.replace(old, new, 1) if old else text + new
    return {**files, file: changed.encode()}


def faults_of(folder: Path) -> list[str]:
    """The lines the reader says about a folder; none for a sound one."""
    try:
        read_board(folder)
    except BoardError as error:
        return str(error).split("\n")
    return []


@pytest.fixture
def faults_after(tmp_path: Path) -> Callable[..., list[str]]:
    """Faults of a board after changes; each is (file, old, new)."""

    def check(files: Files, *changes: tuple[str, str, str]) -> list[str]:
        for file, old, new in changes:
            files = spoil(files, file, old, new)
        return faults_of(write(tmp_path / "board", files))

    return check
