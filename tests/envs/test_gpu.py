"""Games on a GPU are those of the processor, byte for byte; where there is none, in Numba's simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import cuda, typeof, types

import branchline as bl
from branchline.arena.play import game_seed
from branchline.envs import Batch, gpu, layout_of, telling
from branchline.envs.batch import many_states
from branchline.envs.gpu import PATTERNS, GpuBatch, play_random
from branchline.envs.rewards import EnvError
from branchline.game import IllegalAction
from branchline.rules import kernel, playout
from branchline.rules.state import SCRATCH, STATE, scratch_layout
from branchline.runtime import gpu_compiler
from table import EDITIONS

pytestmark = pytest.mark.native
THERE = cuda.is_available()
HERE = "tests.envs.test_gpu"


def same(edition: str, games: int, seats: int, steps: int) -> None:
    """A batch here and one there, played alike at random, hold the same after every step."""
    one, other = Batch(edition, games, seats, seed=2), GpuBatch(edition, games, seats, seed=2)
    luck, ended = np.random.default_rng(3), 0
    for n in range(steps):
        for name in ("mask", "observation", "seat", "done", "reward"):
            there = getattr(other, name)
            assert getattr(one, name).tobytes() == np.asarray(there.copy_to_host()).tobytes(), (name, n)
        actions = (luck.random(one.mask.shape) * one.mask).argmax(axis=1)
        one.step(actions)
        other.step(actions)
        ended += int(one.done.sum())
    assert ended > 0
    assert one.snapshot().states.tobytes() == other.snapshot().states.tobytes()

    kept = other.snapshot()
    wrong = np.full(games, -1)
    with pytest.raises(IllegalAction):
        other.step(wrong)
    assert other.snapshot().states.tobytes() == kept.states.tobytes(), "nothing was played"
    other.reset(7)
    other.restore(kept)
    assert other.mask.copy_to_host().tobytes() == one.mask.tobytes()


def same_to_the_end(edition: str, games: int, seats: int) -> None:
    """Whole games at random end there as they end here."""
    board = bl.load_board(edition)
    found = play_random(board, games, seats, seed=4)
    state, scratch = kernel.new_buffer(STATE), kernel.new_buffer(SCRATCH)
    for n in range(games):
        state[:] = 0
        playout.new_game(board.tables[0], state[0], scratch[0], seats, game_seed(4, n))
        assert playout.play_out(board.tables[0], state[0], scratch[0]) == found.actions[n]
        assert scratch[0].total[:seats].tolist() == found.totals[n].tolist()
        if n + len(found.states) >= games:  # the last one of its thread
            assert state.tobytes() == found.states[n % len(found.states)].tobytes()


@pytest.mark.skipif(THERE, reason="there is a GPU")
def test_without_a_gpu_it_is_said_what_is_missing() -> None:
    for asked in (lambda: GpuBatch("berlin", 2), lambda: play_random("berlin", 2)):
        with pytest.raises(EnvError, match=r"no GPU found: .* `pip install 'branchline\[gpu\]'`"):
            asked()


def test_it_is_said_what_else_is_missing_when_there_is_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "driver_version", lambda: (11, 4))
    with pytest.raises(
        EnvError, match=r"^the GPU's driver knows CUDA 11.4 and must know 12.0: install a newer driver$"
    ):
        play_random("berlin", 2)
    monkeypatch.setattr(gpu, "driver_version", lambda: (12, 4))
    monkeypatch.setattr(gpu_compiler, "version", tuple)
    with pytest.raises(EnvError, match=r"^the compiler for the GPU is not there: `pip install 'branchline\[gpu\]'`$"):
        GpuBatch("berlin", 2)


def test_games_that_have_no_room_are_refused_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "needs_gpu", lambda: None)
    monkeypatch.setattr(gpu, "free_bytes", lambda: 1.5e9)
    with pytest.raises(
        EnvError, match=r"^65,536 games need 2\.1 GB on the GPU, of which 1\.5 GB are free: ask for fewer"
    ):
        play_random("berlin", 65_536)
    monkeypatch.setattr(gpu, "free_bytes", lambda: 1e6)
    with pytest.raises(EnvError, match=r"^50 games need 0\.0 GB on the GPU, of which 0\.0 GB are free: ask for fewer"):
        GpuBatch("berlin", 50)


@pytest.mark.long
@pytest.mark.parametrize("edition", EDITIONS)
def test_simulated_it_is_the_batch_of_the_processor(edition: str) -> None:
    simulated(
        "-c",
        f"from branchline.envs import gpu; gpu.THREADS = 3; from {HERE} import *; "
        f"same('{edition}', 4, 2, 420); same_to_the_end('{edition}', 5, 3)",
    )


@pytest.mark.long
def test_the_example_of_the_documentation_runs() -> None:
    page = Path("docs/environments.md").read_text(encoding="utf-8")
    example = page.split("### On a GPU")[1].split("```python\n")[1].split("```")[0]
    told = simulated("-c", example)
    assert told.startswith("[") and "torch" not in example


@pytest.mark.long
def test_the_benchmark_compares_games_and_measures() -> None:
    told = simulated("benchmarks/gpu.py", "berlin", "--games", "4", "--compared", "5", "--threads", "3")
    edition, same, *speeds = told.splitlines()[4].strip("| ").split(" | ")
    assert (edition, same) == ("berlin", "5 of 5")
    assert len(speeds) == 4 and all(int(one.replace(",", "")) > 0 for one in speeds)


def simulated(*command: str) -> str:
    """What Python prints that is run where the simulator stands in for a GPU."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join([".", "tests", *sys.path])}
    found = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.long
@pytest.mark.skipif(not THERE, reason="there is no GPU")
@pytest.mark.parametrize("edition", EDITIONS)
def test_on_a_gpu_it_is_the_batch_of_the_processor(edition: str) -> None:
    same(edition, 1000, 2, 420)
    same_to_the_end(edition, 10_000, 3)


@pytest.mark.long
@pytest.mark.parametrize("name", ["begin", "check", "look", "advance", "play"])
def test_every_kernel_is_compiled_where_the_compiler_for_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba_cuda", reason="the extra `gpu` is not installed")
    from numba.cuda import dispatcher

    from branchline.envs import gpu_kernels

    class Hopper:
        compute_capability = (9, 0)

    if not THERE:
        monkeypatch.setattr(dispatcher, "get_current_device", lambda: Hopper)
    assert gpu_compiler.SUPPORTED, "a version of numba-cuda that has not been tried"
    ptx, _ = cuda.compile_ptx(getattr(gpu_kernels, name).py_func, _signature(name), cc=(9, 0), device=False)
    assert ".entry" in ptx
    assert len(ptx) < 2_000_000, "rules are put into their callers too often: it takes minutes to compile this"


def _signature(name: str) -> Any:
    """What a kernel is called with."""
    board = bl.load_board("europe")
    layout = layout_of(board, 3)
    states = many_states(2)
    scratch = np.zeros(1, np.dtype((np.record, scratch_layout(PATTERNS))))
    numbers, narrow = np.zeros(1, np.int64), np.zeros(1, np.int8)
    words, mask, totals, reward = (np.zeros((1, 1), kind) for kind in (np.int64, np.int8, np.int16, np.float32))
    given = {
        "begin": (board.tables, states, states, scratch, numbers, 3, 0),
        "check": (words, numbers, numbers, scratch),
        "look": (
            *(board.tables, states, scratch, words, mask, narrow),
            *(*telling.rows_in(states), telling.telling_of(layout), telling.rows_of(layout, 2)),
        ),
        "advance": (board.tables, states, states, scratch, numbers, 0, numbers, narrow, reward),
        "play": (board.tables, states, states, scratch, 3, 0, numbers, totals),
    }[name]
    return types.void(*map(typeof, given))
