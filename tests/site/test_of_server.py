"""The site of a server is written once for each version and path, and none that a server may still use goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from branchline.site import of_server


def test_it_is_written_once_and_the_oldest_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def write(folder: Path, root: str) -> Path:
        written.append(root)
        (folder / "index.html").write_text(root)
        return folder

    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path))
    monkeypatch.setattr(of_server, "_written", write)
    told: list[str] = []
    roots = ["", "/games", *(f"/{n}" for n in range(of_server.KEPT))]
    for n, root in enumerate(roots):
        for _ in range(2):
            site = of_server.site_of_server(root, told.append)
            assert (site / "index.html").read_text() == root
        os.utime(site, (n, n))
    assert written == roots and len(told) == len(roots)
    kept = {(folder / "index.html").read_text() for folder in (tmp_path / "sites").iterdir()}
    assert kept == set(roots[-of_server.KEPT :])
