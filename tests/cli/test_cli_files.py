"""What commands write is whole, or what was there before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from branchline.commands.files import CommandError, write_text
from branchline.commands.progress import progress
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


@pytest.mark.long
def test_a_bot_of_ones_own_is_found_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class LongestBot:\n"
        "    name = 'longest'\n"
        "    def __init__(self, seed): pass\n"
        "    def choose(self, position): return position.legal[-1]\n"
    )
    command = [sys.executable, "-P", "-c", "from branchline.cli import main; main()"]
    options = ["simulate", "berlin", "--bots", "my_bots:LongestBot,random", "--games", "2", "--json"]
    run = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert (run.returncode == 0 and "LongestBot" in run.stdout) or "longest" in run.stdout, run.stderr
    options = ["bots", "check", "my_bots:LongestBot", "--edition", "berlin"]
    run = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert run.stdout.startswith("longest: all is well\n"), run.stderr


def test_without_a_terminal_progress_is_plain_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.commands.progress.EVERY", 0.0)
    with progress("Berlin", 2000) as done:
        done(1234)
    assert capsys.readouterr().err == "Berlin: 1,234 of 2,000\n"
