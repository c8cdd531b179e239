"""Bots play the same interpreted as compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from branchline.arena import simulate

SERIES = """
import json, branchline
print(json.dumps(list(branchline.simulate("{edition}", ["greedy", "random"], 2, seed=6, audited=True).rows())))
"""


@pytest.mark.long
def test_a_series_is_the_same_interpreted() -> None:
    for edition in ("berlin", "world"):
        done = subprocess.run(
            [sys.executable, "-c", SERIES.format(edition=edition)],
            env={**os.environ, "BRANCHLINE_INTERPRET": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == list(simulate(edition, ["greedy", "random"], 2, seed=6).rows())
