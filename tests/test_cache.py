"""Where things are kept between starts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from branchline.cache import cache_folder


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the real home nor the real folder of temporary files is touched."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("BRANCHLINE_CACHE", raising=False)


def test_the_named_folder_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "own"))
    assert cache_folder("things") == tmp_path / "own" / "things"


def test_else_it_is_the_users_folder_for_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder("things") == tmp_path / "home" / ".cache" / "branchline" / "things"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("things") == tmp_path / "xdg" / "branchline" / "things"


def test_a_folder_that_cannot_be_made_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    folder = cache_folder("things")
    assert folder == tmp_path / "temporary" / "branchline" / "things"
    assert folder.parent.stat().st_mode & 0o077 == 0


def test_what_somebody_else_put_among_the_temporary_files_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "theirs").mkdir()
    (tmp_path / "temporary" / "branchline").symlink_to(tmp_path / "theirs")
    assert cache_folder("things") is None
