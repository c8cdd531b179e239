"""Whatever is done to a board folder, the reader gives a board or a list of faults."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from board_files import Files, edition, write
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.boards import Board, BoardError, read_board

BOARDS = {name: edition(name) for name in ("example", "germany", "europe", "berlin", "world")}
TEXT_FILES = (".toml", ".csv")

NUMBERS = "0 -1 1 3 7 9 10 200 1e3 2.5 1000000000 nan -inf ٣ three yes no true"
WORDS = "gray red pink rail tunnel ferry sea tram subway city country waypoint long short"
NAMES = "Berlin Paris Lima Al-Qahira Lindau Köln KOLN – | > a|b A>B>C"
OTHERS = (
    "",
    '"',
    "'",
    "[]",
    "[1, 2]",
    "{}",
    "{ train = 1 }",
    '"x"',
    '"reshuffled"',
    "[[",
    "\\",
    "\t",
    "\u202e",
    "\x85",
)
CELLS = [*NUMBERS.split(), *WORDS.split(), *NAMES.split(), *OTHERS]


def spoiled(files: Files, luck: random.Random) -> Files:
    """One thing, anywhere in the folder, made worse (or only different)."""
    name = luck.choice([file for file in files if file.endswith(TEXT_FILES)])
    content = files[name]
    lines = content.split(b"\n")
    here = luck.randrange(len(lines))
    match luck.randrange(8):
        case 0:  # a byte
            at = luck.randrange(len(content) + 1)
            content = content[:at] + bytes([luck.randrange(256)]) + content[at + luck.randrange(2) :]
        case 1:  # a line less
            content = b"\n".join(lines[:here] + lines[here + 1 :])
        case 2:  # a line twice
            content = b"\n".join(lines[: here + 1] + lines[here:])
        case 3:  # two lines change places
            there = luck.randrange(len(lines))
            lines[here], lines[there] = lines[there], lines[here]
            content = b"\n".join(lines)
        case 4 | 5:  # a cell, or what stands behind an equals sign
            mark = b"," if name.endswith(".csv") else b"="
            cells = lines[here].split(mark)
            cells[luck.randrange(len(cells))] = luck.choice(CELLS).encode()
            lines[here] = mark.join(cells)
            content = b"\n".join(lines)
        case 6:  # the rest is lost
            content = content[: luck.randrange(len(content) + 1)]
        case 7:  # a file less, or the content of another
            if luck.random() < 0.5:
                return {file: text for file, text in files.items() if file != name}
            content = files[luck.choice(list(files))]
    return {**files, name: content}


def read(files: Files) -> Board | BoardError:
    folder = Path(tempfile.mkdtemp())
    try:
        return read_board(write(folder, files))
    except BoardError as error:
        return error
    finally:
        shutil.rmtree(folder)


@pytest.mark.long
@settings(max_examples=120)
@given(st.sampled_from(sorted(BOARDS)), st.integers(1, 6), st.integers(0, 2**32))
def test_any_damage_gives_a_board_or_faults(name: str, times: int, seed: int) -> None:
    files, luck = BOARDS[name], random.Random(seed)
    for _ in range(times):
        files = spoiled(files, luck)
    found = read(files)
    if isinstance(found, BoardError):
        assert found.count >= 1
        assert all(fault.message.isprintable() and len(fault.message) < 700 for fault in found.faults)
        assert all(0 <= fault.line < 2000 for fault in found.faults)
    else:
        again = read(files)
        assert again == found
        assert isinstance(again, Board)
        assert again.digest == found.digest


@pytest.mark.long
@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(sorted(BOARDS["world"])), st.binary(max_size=300)))
def test_garbage_gives_faults(garbage: Files) -> None:
    found = read(BOARDS["world"] | garbage)
    assert isinstance(found, Board | BoardError)


@pytest.mark.long
@pytest.mark.timeout(120)  # less than a reader would take whose work grows with the square
def test_no_file_keeps_the_reader_busy_for_ever() -> None:
    """A million commas, quotes, brackets, or unknown names are refused before they cost anything."""
    heavy = [
        ("board.toml", b"[" * 90_000),
        ("board.toml", b"\n".join(b".".join([b"a%d" % k] * 190) + b" = 1" for k in range(80))),
        ("board.toml", b"\n".join(b"k%d = 1" % k for k in range(9_000))),
        ("routes.csv", b"," * 1_900_000),
        ("routes.csv", b"\n" * 1_900_000),
        ("routes.csv", b'"' * 1_900_000),
        ("routes.csv", b"city_a,city_b,length,colour\n" + b"Berlun,Lundun,1,grey\n" * 80_000),
        ("cities.csv", b"name,lat,lon\n" + b"\n".join(b"Place number %d,1,1" % k for k in range(50_000))),
    ]
    for file, content in heavy:
        assert isinstance(read(BOARDS["example"] | {file: content}), BoardError)
