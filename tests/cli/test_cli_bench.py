"""`branchline bench`."""

from __future__ import annotations

import json

import pytest

from cli.running import branchline_here, refused
from table import EDITIONS


@pytest.mark.long
def test_figures_for_machines() -> None:
    run = branchline_here("bench", "--json", "--seconds", "0.05", "--no-start")
    assert run.code == 0, run
    figures = json.loads(run.out)
    assert figures["start"] is None
    for kind in ("random", "greedy"):
        assert {(one["edition"], one["seats"]) for one in figures[kind]} == {(e, s) for e in EDITIONS for s in (2, 4)}
        for one in figures[kind]:
            assert one["games_per_second"] > 0
            assert one["decisions_per_second"] > one["games_per_second"]


@pytest.mark.long
def test_figures_for_people() -> None:
    run = branchline_here("bench", "--seconds", "0.05", "--no-start")
    assert "Random self-play, one core" in run.out
    assert "Greedy self-play, one core" in run.out


def test_bad_numbers_are_refused() -> None:
    assert "--seconds" in refused(branchline_here("bench", "--seconds", "soon"))
    assert "--seconds" in refused(branchline_here("bench", "--seconds", "-1"))
