"""A file is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from branchline.whole_file import write_whole
from full_disk import files_no_larger_than


def test_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    write_whole(tmp_path / "text", "Łódź\r\n")
    assert (tmp_path / "text").read_bytes() == "Łódź\r\n".encode()
    write_whole(tmp_path / "text", b"\0\xff")
    assert (tmp_path / "text").read_bytes() == b"\0\xff"
    assert [one.name for one in tmp_path.iterdir()] == ["text"]


def test_a_full_disk_leaves_the_older_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, "older")
    with files_no_larger_than(1000), pytest.raises(OSError, match="too large"):
        write_whole(file, b"x" * 100_000)
    assert file.read_text() == "older"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("older")
    file.chmod(0o600)
    write_whole(file, "newer")
    assert file.read_text() == "newer" and file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_no_file_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises((OSError, ValueError)):
        write_whole(tmp_path / name, "text")
    assert list(tmp_path.iterdir()) == []


def test_text_that_cannot_be_encoded_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        write_whole(tmp_path / "file", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_it_is_on_the_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def noted(number: int) -> None:
        written.append((os.fstat(number).st_size, (tmp_path / "file").exists()))

    monkeypatch.setattr(os, "fsync", noted)
    write_whole(tmp_path / "file", "lasting")
    assert written == [(7, False)]
    write_whole(tmp_path / "other", "passing", lasting=False)
    assert len(written) == 1


def test_what_is_stopped_on_the_way_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    write_whole(tmp_path / "file", "older")
    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", "newer")
    assert (tmp_path / "file").read_text() == "older"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
