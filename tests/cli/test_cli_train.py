"""`branchline train`: what it says where it cannot train."""

from __future__ import annotations

from pathlib import Path

import pytest

from branchline.commands import train
from cli.running import branchline_here, refused


def test_without_pytorch_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(train, "find_spec", lambda name: None)
    said = refused(branchline_here("train", "berlin", "--out", str(tmp_path / "run")))
    assert said == 'branchline: training takes PyTorch, which is not installed: pip install "branchline[learn]"'
    assert not (tmp_path / "run").exists()


@pytest.mark.native
def test_no_rounds_are_no_fault(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `learn` is not installed")
    curves = tmp_path / "curves"
    run = branchline_here(
        "train", "berlin", "--minutes", "0", "--out", str(tmp_path / "run"), "--tensorboard", str(curves)
    )
    assert run.code == 0 and len(list(curves.iterdir())) == 1
    assert run.out.startswith("Berlin, 2 seats: 0 rounds, 0 of them new\n")
    assert "No network has beaten the planner yet." in run.out
    said = refused(branchline_here("train", "berlin", "--seats", "3", "--out", str(tmp_path / "run")))
    assert "seats is 2 there, not 3" in said
