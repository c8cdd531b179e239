"""How many decisions a second a GPU takes: whole random games, and steps with masks and observations that stay there.

    python benchmarks/gpu.py [--games 262144] [--seats 2] [EDITION …]

Beside them the same random games on one core of the processor. Needs an NVIDIA GPU and the extra `gpu`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import branchline as bl
from branchline.arena import simulate
from branchline.envs.gpu import GpuBatch, play_random

RUNS = 5
STEPS = 64


def seconds(run: Callable[[], object]) -> float:
    """The median of some runs; one before them compiles."""
    run()
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    """Read the command line, measure, print a table."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    reader.add_argument("editions", nargs="*", default=list(bl.builtin_boards()))
    reader.add_argument("--games", type=int, default=262_144)
    reader.add_argument("--seats", type=int, default=2)
    asked = reader.parse_args()
    print(
        "| edition | whole games, decisions/s | one core of the processor | steps with masks | and with observations |"
    )
    print("|---|---:|---:|---:|---:|")
    for edition in asked.editions:
        print(
            "|",
            " | ".join([edition, *(f"{one:,.0f}" for one in rates(edition, asked.games, asked.seats))]),
            "|",
            flush=True,
        )


def rates(edition: str, games: int, seats: int) -> list[float]:
    """Decisions a second: whole games there and here, steps with masks, steps with observations."""
    decisions = int(play_random(edition, games, seats).actions.sum())
    there = decisions / seconds(lambda: play_random(edition, games, seats))
    some = max(1, games // 64)
    began = time.perf_counter()
    simulate(edition, ["random"], some, seats=seats, seed=1, jobs=1)
    here = decisions * some / games / (time.perf_counter() - began)
    return [there, here, *(stepping(edition, games, seats, observe) for observe in (False, True))]


def stepping(edition: str, games: int, seats: int, observe: bool) -> float:
    """Steps of a batch; each takes the first legal action, which the processor finds out beforehand, unmeasured."""
    batch = GpuBatch(edition, games, seats, observe=observe)
    spent = 0.0
    for n in range(STEPS):
        actions = batch.mask.copy_to_host().argmax(axis=1).astype(np.int64)
        began = time.perf_counter()
        batch.step(actions)
        spent += (time.perf_counter() - began) if n else 0.0
    return games * (STEPS - 1) / spent


if __name__ == "__main__":
    main()
