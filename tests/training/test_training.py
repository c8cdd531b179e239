"""Training: PyTorch and compiled code compute the same, a run goes on where it was stopped, something is learned."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline.boards import load_board
from branchline.bots.networks import policy
from branchline.bots.planner import plan
from branchline.rules import kernel

pytest.importorskip("torch", reason="the extra `learn` is not installed")

import torch

from branchline.training.fitting import RatingNetwork, fit, new_network
from branchline.training.iteration import CURVE, POLICY, SETTINGS, Round, Run, Size, TrainingError
from branchline.training.playing import TriedDecisions
from full_disk import files_no_larger_than

pytestmark = pytest.mark.native

BERLIN = load_board("berlin")
SMALL = Size(decisions=60, trials=4, judged=8)


def run_of(folder: Path, rounds: int, *, jobs: int = 1, size: Size = SMALL) -> list[Round]:
    run = Run(BERLIN, 2, folder, 7, size)
    return list(run.rounds_until(rounds, time.monotonic() + 600, lambda what, share: None, jobs))


def made_up(decisions: int, luck: Any) -> TriedDecisions:
    """Decisions in which the first input of a candidate but the planner's own decides by how much it is ahead."""
    listed = luck.integers(2, 9, decisions).astype(np.int32)
    candidate = luck.normal(0, 1, (listed.sum(), policy.CANDIDATE)).astype(np.float16)
    first = np.concatenate([[0], np.cumsum(listed)])[:-1]
    ahead = candidate[:, 5].astype(np.float32) - np.repeat(candidate[first, 5], listed)
    position = luck.normal(0, 1, (decisions, policy.POSITION)).astype(np.float16)
    route = luck.integers(plan.NO_ROUTE, 80, len(ahead)).astype(np.int16)
    return TriedDecisions(position, listed, candidate, route, ahead)


def test_pytorch_and_compiled_code_rate_alike() -> None:
    luck = np.random.default_rng(3)
    numbers = luck.normal(0, 0.3, policy.SIZE).astype(np.float32)
    notes = kernel.record_in(kernel.new_buffer(policy.NOTES))
    notes.count = 7
    position, candidate = luck.normal(0, 1, policy.POSITION), luck.normal(0, 1, (7, policy.CANDIDATE))
    route = np.array([plan.NO_ROUTE, 0, 5, 239, plan.NO_ROUTE, 5, 80])
    for n, number in enumerate(position):
        notes.position[n] = number
    for n, number in enumerate(candidate.reshape(-1)):
        notes.candidate[n] = number
    for n, number in enumerate(route):
        notes.route[n] = number
    policy.rate(numbers, notes)
    rated = RatingNetwork(numbers)(
        torch.tensor(position[None], dtype=torch.float32), torch.tensor(candidate, dtype=torch.float32),
        torch.tensor(route), torch.zeros(7, dtype=torch.int64),
    )  # fmt: skip
    np.testing.assert_allclose([notes.rating[c] for c in range(7)], rated.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_numbers_come_back_from_pytorch_as_they_went_in() -> None:
    numbers = new_network(4)
    assert numbers.shape == (policy.SIZE,)
    assert (RatingNetwork(numbers).numbers() == numbers).all()


def test_it_fits_what_can_be_fitted() -> None:
    _, explained = fit(new_network(1), made_up(1500, np.random.default_rng(1)), 9, 1)
    assert explained > 0.5


@pytest.mark.long
def test_a_run_goes_on_where_it_was_stopped_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = run_of(tmp_path / "whole", 3, jobs=2)
    run_of(tmp_path / "parts", 1)
    (tmp_path / "parts" / "round-002.npz.0a1b2c3d.part").write_bytes(b"cut off in the second round")
    assert len(run_of(tmp_path / "parts", 2)) == 1
    assert run_of(tmp_path / "parts", 2) == []
    last = run_of(tmp_path / "parts", 3)
    assert [(one.round, one.decisions, one.won, one.judged) for one in last] == [
        (one.round, one.decisions, one.won, one.judged) for one in whole[2:]
    ]
    policies = [tmp_path / folder / POLICY for folder in ("whole", "parts")]
    assert policies[0].exists() == policies[1].exists()
    if policies[0].exists():
        assert (np.load(policies[0])["numbers"] == np.load(policies[1])["numbers"]).all()


@pytest.mark.long
def test_it_learns_berlin_in_minutes(tmp_path: Path) -> None:
    (found,) = run_of(tmp_path / "run", 1, jobs=0, size=Size(decisions=12_000, trials=400, judged=400))
    assert found.explained > 0.01  # of decisions that it has not seen; there is much luck in the rest
    assert found.won > 0.45  # with the doubt that does best it is no worse than the planner


def test_two_do_not_train_in_one_folder(tmp_path: Path) -> None:
    one, other = Run(BERLIN, 2, tmp_path, 7, SMALL), Run(BERLIN, 2, tmp_path, 7, SMALL)
    at_work = one.rounds_until(1, time.monotonic() + 600, lambda what, share: None)
    next(at_work)
    with pytest.raises(TrainingError, match="another training is at work in this folder"):
        next(other.rounds_until(2, time.monotonic() + 600, lambda what, share: None))
    assert next(at_work, None) is None, "it ends, and lets go"
    assert list(other.rounds_until(1, time.monotonic() + 600, lambda what, share: None)) == []
    assert len(other.rounds) == 1, "what the first one found is known"


def test_a_full_disk_is_told_in_words_and_the_training_goes_on_when_there_is_room(tmp_path: Path) -> None:
    told = r"round-001\.npz: cannot be written: File too large; mend that and run the same command again"
    with files_no_larger_than(1000), pytest.raises(TrainingError, match=told):
        run_of(tmp_path, 1)
    assert {one.name for one in tmp_path.iterdir()} == {SETTINGS, "lock"}
    (found,) = run_of(tmp_path, 1)
    assert found.round == 1


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    Run(BERLIN, 2, tmp_path / "run", 7)
    with pytest.raises(TrainingError, match=r"settings.json: seats is 2 there, not 3; name another folder"):
        Run(BERLIN, 3, tmp_path / "run", 7)
    with pytest.raises(TrainingError, match="seed is 7 there, not 8"):
        Run(BERLIN, 2, tmp_path / "run", 8)
    assert Run(BERLIN, 2, tmp_path / "run").settings.seed == 7
    told = tmp_path / "run" / SETTINGS
    weights = BERLIN.weights.at(2).digest
    told.write_text(told.read_text(encoding="utf-8").replace(weights, ""), encoding="utf-8")
    assert Run(BERLIN, 2, tmp_path / "run").settings.seed == 7, "an older folder does not say with which weights"
    told.write_text(told.read_text(encoding="utf-8").replace('""', '"0123abcd"'), encoding="utf-8")
    with pytest.raises(TrainingError, match="weights is '0123abcd' there, not"):
        Run(BERLIN, 2, tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(TrainingError, match="there is something else in this folder"):
        Run(BERLIN, 2, tmp_path / "other")
    with pytest.raises(TrainingError, match="seats"):
        Run(BERLIN, 9, tmp_path / "nine")


def test_a_damaged_folder_is_named(tmp_path: Path) -> None:
    Run(BERLIN, 2, tmp_path, 7)
    (tmp_path / CURVE).write_text("round,minutes\n1,x\n")
    with pytest.raises(TrainingError, match=r"curve.csv: cannot be read"):
        Run(BERLIN, 2, tmp_path, 7)
    (tmp_path / SETTINGS).write_text("{")
    with pytest.raises(TrainingError, match=r"settings.json: cannot be read"):
        Run(BERLIN, 2, tmp_path, 7)
