"""The training example learns, and the same seed leads to the same network."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from branchline.rules import kernel

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_ppo.py"

pytest.importorskip("torch", reason="the extra `learn` is not installed")


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("train_ppo", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")
def test_it_learns_berlin_and_the_same_seed_leads_to_the_same_network(example: Any) -> None:
    found = [
        list(example.train("berlin", 2, 1, decisions, 0, ["random", "greedy"], trial_games=200, games=64, trials=1))
        for decisions in (120_000, 16_000, 16_000)
    ]
    (_, _, before), (_, decisions, after) = found[0]
    assert decisions >= 120_000
    assert after[0] > before[0] > 0.8  # against random; at first it claims whatever it can
    assert after[1] > before[1] + 0.2  # against greedy
    assert [row[1:] for row in found[1]] == [row[1:] for row in found[2]]


def test_it_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 200
