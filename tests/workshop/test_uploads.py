"""What people bring opens as far as it goes; what is hostile is refused in words."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.boards import builtin_boards, load_board
from branchline.workshop import archive, uploads
from branchline.workshop.archive import ArchiveError, pack, unpack
from branchline.workshop.draft import Draft
from branchline.workshop.reading import read_draft
from table import costly


def folder_of(name: str) -> dict[str, str]:
    folder = load_board(name).folder
    assert folder is not None
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())}


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as made:
        for name, inside in entries:
            made.writestr(name, inside)
    return content.getvalue()


TINY = {"board.toml": 'id = "tiny"\n', "cities.csv": "name,lat,lon\nA,1,2\nB,2,3\n"}


@pytest.mark.parametrize("name", builtin_boards())
def test_an_edition_survives_the_zip_file(name: str) -> None:
    files = folder_of(name)
    content = pack(files, name)
    assert pack(files, name) == content
    inside, reasons = unpack(content)
    assert not reasons
    assert {file: text.decode() for file, text in inside.items()} == files
    assert uploads.opened({f"{name}.zip": content}) == read_draft(files)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}\.(csv|toml|txt)", fullmatch=True), st.text(max_size=200), min_size=1))
def test_any_files_survive_the_zip_file(files: dict[str, str]) -> None:
    files = {name: text.replace("\ud800", "") for name, text in files.items()}
    inside, reasons = unpack(pack(files, "board"))
    assert {name: content.decode() for name, content in inside.items()} == files
    assert not reasons


@pytest.mark.parametrize(
    "path",
    ["../board.toml", "tiny/../../x.csv", "/etc/passwd", "..\\x.csv", "tiny/sub/x.csv", "C:x.csv", "tiny/C:x.csv"],
)
def test_a_path_that_leads_elsewhere_is_left_out(path: str) -> None:
    content = zipped(("tiny/board.toml", b'id = "tiny"'), (path, b"name\nx\n"))
    try:
        inside, reasons = unpack(content)
    except ArchiveError as error:  # a second board.toml makes two boards
        assert "2 boards" in str(error)
        return
    assert set(inside) == {"board.toml"}
    assert len(reasons) == 1


def test_links_and_second_files_of_a_name_are_left_out() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        link = zipfile.ZipInfo("cities.csv")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/passwd")
        made.writestr("board.toml", 'id = "a"')
        with pytest.warns(UserWarning):
            made.writestr("board.toml", 'id = "b"')
    inside, reasons = unpack(content.getvalue())
    assert inside == {"board.toml": b'id = "a"'}
    assert {reason.message for reason in reasons} == {
        "is left out: it is a link",
        "is left out: another file has the same name",
    }


def test_a_bomb_is_not_unpacked() -> None:
    bomb = zipped(*((f"{number}.csv", bytes(1_900_000)) for number in range(9)))
    assert len(bomb) < 50_000
    with pytest.raises(ArchiveError, match="larger than 8 MB together"):
        unpack(bomb)


def test_a_bomb_that_lies_about_its_size_is_left_out() -> None:
    """Both places that give the size say 10 bytes; a million are packed."""
    content = bytearray(zipped(("cities.csv", bytes(1_000_000))))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + offset
        content[at : at + 4] = struct.pack("<I", 10)
    inside, reasons = unpack(bytes(content))
    assert not inside
    assert "left out" in reasons[0].message


def test_thousands_of_files_are_refused() -> None:
    with pytest.raises(ArchiveError, match="3000 files in the zip file, the limit is 200"):
        unpack(zipped(*((f"{number}.csv", b"") for number in range(3000))))
    with pytest.raises(ArchiveError, match="3000 files at once"):
        uploads.opened({f"{number}.csv": b"" for number in range(3000)})


def test_a_zip_file_of_several_boards_is_refused() -> None:
    with pytest.raises(ArchiveError, match="2 boards in one zip file"):
        unpack(zipped(("a/board.toml", b""), ("b/board.toml", b"")))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x03\x04" + bytes(500), b"PK\x05\x06" + bytes(4)])
def test_what_is_no_zip_file_is_refused(content: bytes) -> None:
    with pytest.raises(ArchiveError, match="not a zip file"):
        unpack(content)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, 400), byte=st.integers(0, 255))
def test_a_damaged_zip_file_never_ends_in_a_traceback(at: int, byte: int) -> None:
    content = bytearray(pack(TINY, "tiny"))
    content[at % len(content)] = byte
    try:
        draft, _ = uploads.opened({"tiny.zip": bytes(content)})
    except ArchiveError as error:
        assert "\n" not in str(error)
    else:
        assert draft.files()


def test_a_zip_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(ArchiveError, match="larger than 4 MB"):
        unpack(bytes(archive.MAX_PACKED + 1))


def test_a_single_table_replaces_that_of_a_draft() -> None:
    before, _ = read_draft(TINY)
    draft, _ = uploads.opened({"cities.csv": b"name,lat,lon\nC,5,6\n"}, before)
    assert [row["name"] for row in draft["cities"].values()] == ["C"]
    assert draft.settings == before.settings


def test_a_table_with_a_name_of_its_own_is_known_by_its_columns() -> None:
    draft, reasons = uploads.opened({"My towns (2).csv": b"name;lat;lon\nX;5;6\n"})
    assert [row["name"] for row in draft["cities"].values()] == ["X"]
    assert any("is read as cities.csv" in reason.message for reason in reasons)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,lat,lon\nŁódź,51,19\n".encode("utf-16"), "was UTF-16"),
        ("name,lat,lon\nMünchen,48,11\n".encode("cp1252"), "is not UTF-8 (byte 0xfc)"),
        (b"\x00\x01\x02", "is not text"),
        (bytes(2_000_001), "larger than 2 MB"),
    ],
)
def test_a_wrong_encoding_is_said(content: bytes, said: str) -> None:
    draft, reasons = uploads.opened({"cities.csv": content, "board.toml": b'id = "x"'})
    assert any(said in reason.message for reason in reasons)
    assert isinstance(draft, Draft)


def test_what_has_nothing_of_a_board_is_refused() -> None:
    with pytest.raises(ArchiveError, match=r'"photo\.jpg": no part of a board'):
        uploads.opened({"photo.jpg": b"\xff\xd8\xff\xe0" + bytes(100)})


@pytest.mark.parametrize(
    "method", costly([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
)
@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_zip_file_that_is_spoilt_anywhere_is_read_in_part_or_refused(method: int, data: st.DataObject) -> None:
    whole = bytearray(zipped(*((name, text.encode()) for name, text in folder_of("berlin").items()), method=method))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    spoilt = bytes(whole[: data.draw(st.integers(0, len(whole)))]) if data.draw(st.booleans()) else bytes(whole)
    try:
        files, reasons = unpack(spoilt)
    except ArchiveError as error:
        assert str(error)
    else:
        assert isinstance(files, dict) and all(reason.text for reason in reasons)
