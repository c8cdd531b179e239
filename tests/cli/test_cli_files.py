"""What commands write is whole, or what was there before."""

from __future__ import annotations

from pathlib import Path

import pytest

from branchline.commands.files import CommandError, write_text
from full_disk import files_no_larger_than


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    write_text(str(file), "older")
    with (
        files_no_larger_than(1000),
        pytest.raises(CommandError, match=r"puzzles\.json: cannot be written: File too large"),
    ):
        write_text(str(file), 100_000 * "x")
    assert file.read_text() == "older"
    assert [one.name for one in tmp_path.iterdir()] == ["puzzles.json"]


def test_a_link_stays_one_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("older")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    write_text(str(tmp_path / "link"), "newer")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "there").read_text() == "newer"
    write_text("/dev/null", "gone")
    assert Path("/dev/null").is_char_device()
