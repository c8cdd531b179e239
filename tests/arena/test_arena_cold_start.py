"""Without compiled code games are played at once, interpreted; compiled workers take over; the games are the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena import simulate
from branchline.arena.executors import Batch, LineUp, ProcessExecutor
from branchline.atlas import load_board
from branchline.runtime import background, code_cache, mode
from compiled import almost_complete, cold

# A script without `if __name__ == "__main__"`: whoever imported it again would start everything again.
SERIES = """
import json, sys
import branchline as bl
from branchline.arena import executors
from branchline.runtime import code_cache, mode

begun = []
begin = executors.ProcessExecutor._begin
def note(self, *, interpreted):
    begun.append(interpreted)
    begin(self, interpreted=interpreted)
executors.ProcessExecutor._begin = note

games = int(sys.argv[1])
results = bl.simulate("berlin", ["greedy", "random"], games, seed=5, jobs=int(sys.argv[2]))
print(json.dumps({"cold": mode.COLD, "numba": "numba" in sys.modules, "begun": begun,
    "games": [[int(one["number"]), one["total"].tolist()] for one in results.games]}))
"""


def played(environment: dict[str, str], games: int, jobs: int = 1) -> dict[str, object]:
    command = [sys.executable, "-c", SERIES, str(games), str(jobs)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=500)
    return dict(json.loads(answer.stdout))


def expected(games: int) -> list[list[object]]:
    results = simulate("berlin", ["greedy", "random"], games, seed=5)
    return [[int(one["number"]), one["total"].tolist()] for one in results.games]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_with_an_empty_cache_interpreted_workers_play_the_same_games(tmp_path: Path, jobs: int) -> None:
    found = played(cold(tmp_path), 4, jobs)
    assert found["cold"] and not found["numba"] and found["begun"] == [True]
    assert found["games"] == expected(4)


def test_where_compiling_fails_the_interpreted_workers_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mode, "COLD", True)
    monkeypatch.setattr(code_cache, "is_complete", lambda: False)
    monkeypatch.setattr(background, "compile_if_cold", lambda: None)  # it has ended at once, and nothing is there
    batches = [Batch(0, 2 * n, 2) for n in range(3)]
    executor = ProcessExecutor([LineUp(load_board("berlin"), ("greedy", "random"), 5)], 1, warm=False)
    try:
        for batch in batches:
            executor.submit(batch)
        games = [executor.next_result().games for _ in batches]
    finally:
        executor.shutdown()
    assert [[int(one["number"]), one["total"].tolist()] for part in games for one in part] == expected(6)


@pytest.mark.long
def test_compiled_workers_take_over_in_the_middle_of_a_series(tmp_path: Path) -> None:
    found = played(almost_complete(tmp_path), 3000)
    assert found["cold"] and found["begun"] == [True, False]
    assert found["games"] == expected(3000)


def test_a_process_that_finds_everything_compiled_is_not_cold(tmp_path: Path) -> None:
    environment = almost_complete(tmp_path)
    (folder,) = tmp_path.iterdir()
    (folder / "complete").touch()
    found = played(environment, 4)
    assert not found["cold"] and found["numba"] and found["games"] == expected(4)
