"""How many decisions a second a GPU takes: whole random games, and steps with masks and observations that stay there.

    python benchmarks/gpu.py [--games 262144] [--seats 2] [--threads 65536] [EDITION …]

Prints tables for `docs/environments.md`. Of each edition 10,000 games are first compared with those of the processor,
byte for byte, and beside the speeds is that of random games on one core. Needs an NVIDIA GPU and the extra `gpu`.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

import branchline as bl
from branchline.arena import simulate
from branchline.arena.play import game_seed
from branchline.envs import gpu
from branchline.envs.gpu import GpuBatch, play_random
from branchline.envs.rewards import EnvError
from branchline.rules import kernel, playout
from branchline.rules.state import SCRATCH, STATE
from branchline.runtime.gpu_compiler import SIMULATED

RUNS = 5
STEPS = 64
COMPARED = 10_000  # games


def main() -> None:
    """Read the command line, measure, print the tables."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    reader.add_argument("editions", nargs="*", default=list(bl.builtin_boards()))
    reader.add_argument("--games", type=int, default=262_144)
    reader.add_argument("--seats", type=int, default=2)
    reader.add_argument("--threads", type=int, default=gpu.THREADS, help="that play at a time")
    reader.add_argument("--compared", type=int, default=COMPARED, help="games that are compared with the processor's")
    asked = reader.parse_args()
    gpu.THREADS = asked.threads
    try:
        gpu.needs_gpu()
        print_tables(asked)
    except EnvError as fault:
        sys.exit(f"gpu.py: {fault}")


def print_tables(asked: Any) -> None:
    """One line for each edition, then who takes the arrays without a copy."""
    print(f"{device()}; {asked.games:,} games, {asked.seats} seats, {asked.threads:,} at a time; decisions a second:\n")
    heads = ("edition", "games as here", "whole games", "one core of the processor", "with masks", "with observations")
    print("|", " | ".join(heads), "|")
    print("|---|---:|---:|---:|---:|---:|")
    for edition in asked.editions:
        same = f"{equal(edition, asked.compared, asked.seats):,} of {asked.compared:,}"
        speeds = (f"{one:,.0f}" for one in rates(edition, asked.games, asked.seats))
        print("|", " | ".join([edition, same, *speeds]), "|", flush=True)
    if not SIMULATED:
        print("\nThe arrays without a copy:", "; ".join(shared(asked.editions[0])))


def device() -> str:
    """The name of the GPU."""
    if SIMULATED:
        return "Numba's simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def equal(edition: str, games: int, seats: int) -> int:
    """How many random games end there in the same state, byte for byte, with the same points as here."""
    board, found = bl.load_board(edition).tables[0], play_random(edition, games, seats, seed=4)
    state, scratch = kernel.new_buffer(STATE), kernel.new_buffer(SCRATCH)
    same = 0
    for n in range(games):
        state[:] = 0
        playout.new_game(board, state[0], scratch[0], seats, game_seed(4, n))
        actions = playout.play_out(board, state[0], scratch[0])
        kept = n + len(found.states) >= games  # of each thread the last state
        same += (
            actions == found.actions[n]
            and scratch[0].total[:seats].tolist() == found.totals[n].tolist()
            and (not kept or state.tobytes() == found.states[n % len(found.states)].tobytes())
        )
    return same


def rates(edition: str, games: int, seats: int) -> list[float]:
    """Decisions a second: whole games there and here, steps with masks, steps with observations."""
    decisions = int(play_random(edition, games, seats).actions.sum())
    there = decisions / seconds(lambda: play_random(edition, games, seats))
    some = max(1, games // 64)
    began = time.perf_counter()
    simulate(edition, ["random"], some, seats=seats, seed=1, jobs=1)
    here = decisions * some / games / (time.perf_counter() - began)
    return [there, here, *(stepping(edition, games, seats, observe) for observe in (False, True))]


def seconds(run: Callable[[], object]) -> float:
    """The median of some runs; one before them compiles."""
    run()
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def stepping(edition: str, games: int, seats: int, observe: bool) -> float:
    """Steps of a batch; each takes the first legal action, which lies on the GPU before the clock starts."""
    batch = GpuBatch(edition, games, seats, observe=observe)
    spent = 0.0
    for n in range(STEPS):
        actions = cuda.to_device(batch.mask.copy_to_host().argmax(axis=1).astype(np.int64))
        began = time.perf_counter()
        batch.step(actions)
        spent += (time.perf_counter() - began) if n else 0.0  # the first one compiles
    return games * (STEPS - 1) / spent


def shared(edition: str) -> list[str]:
    """Which libraries that are installed see a batch's mask where it is, through CUDA's array interface and DLPack."""
    batch = GpuBatch(edition, 256)
    mine = batch.mask.__cuda_array_interface__["data"][0]
    ways: dict[str, Callable[[Any], int]] = {
        "torch": lambda torch: torch.as_tensor(batch.mask, device="cuda").data_ptr(),
        "cupy": lambda cupy: cupy.asarray(batch.mask).data.ptr,
    }
    told = []
    for name, address in ways.items():
        try:
            told.append(f"{name}: {'yes' if address(importlib.import_module(name)) == mine else 'no, it copies'}")
        except ImportError:
            told.append(f"{name} is not installed")
    try:
        cupy, torch = (importlib.import_module(name) for name in ("cupy", "torch"))
        told.append(f"DLPack, cupy to torch: {torch.from_dlpack(cupy.asarray(batch.mask)).data_ptr() == mine}")
    except ImportError:
        pass
    return told


if __name__ == "__main__":
    main()
