"""A small board in memory, to be spoiled and written out; it is the example of docs/board_format.md."""

import re
from pathlib import Path

from branchline.boards import BoardError, read_board
from branchline.boards.catalogue import BUILTIN

DOCS = Path(__file__).parents[2] / "docs"

Files = dict[str, bytes]


def example() -> Files:
    """The complete example of the page on the format."""
    text = (DOCS / "board_format.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return {name: content.encode() for name, content in blocks}


def edition(name: str) -> Files:
    """The files of a built-in board; `example` is the one above."""
    if name == "example":
        return example()
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
    """What the reader says about a folder, a line for each fault; none for a sound one."""
    try:
        read_board(folder)
    except BoardError as error:
        return [str(fault) for fault in error.faults]
    return []


def faults_after(folder: Path, files: Files, *changes: tuple[str, str, str]) -> list[str]:
    """What the reader says after changes, each (file, old, new)."""
    for file, old, new in changes:
        files = spoil(files, file, old, new)
    return faults_of(write(folder, files))


def planted() -> list[list[str]]:
    """The blocks of faults.txt, without the explanation at its head."""
    text = (Path(__file__).parent / "faults.txt").read_text(encoding="utf-8")
    return [block.split("\n") for block in text.strip().split("\n\n")[1:]]


def with_planted(block: list[str]) -> Files:
    """The files of the board of a block, spoiled as it says."""
    board, file = block[0].split()
    old = "\n".join(line[2:] for line in block if line.startswith("-"))
    new = "\n".join(line[2:] for line in block if line.startswith("+"))
    return spoil(edition(board), file, old, new if old else f"{new}\n")
