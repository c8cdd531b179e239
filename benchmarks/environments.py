"""Measure the environments side by side with others, all in one run, and write the table of `docs/environments.md`.

    pip install "branchline[envs,openspiel]" rlcard pygame-ce shimmy
    python benchmarks/environments.py --seconds 5

Everything plays at random, and each step asks for the mask and the observation of whoever is asked. On one core, what
is counted is the processor time of this process, so that others on the machine disturb little; on two cores, the time
that passes. The kinds take turns, and the median of the rounds is told. What is not installed is left out, and said.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numba
import numpy as np

from branchline.boards import builtin_boards, load_board
from branchline.documents import rewritten
from branchline.rules.state import ACTIONS

PAGE = Path(__file__).parent.parent / "docs" / "environments.md"
CORES = 2
ON_CORES = f", on {CORES} cores"
Steps = Iterator[int]
"""Plays for ever; gives after every piece of work how many decisions it was."""


def pettingzoo_games(make: Callable[[], Any]) -> Steps:
    """PettingZoo's interface: one agent after the other."""
    env, luck = make(), random.Random(1)
    while True:
        env.reset(seed=luck.randrange(2**31))
        decisions = 0
        for _ in env.agent_iter():
            seen, _reward, ended, cut, _info = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(int(luck.choice(np.flatnonzero(seen["action_mask"]))))
                decisions += 1
        yield decisions


def openspiel_games(name: str) -> Steps:
    """OpenSpiel's interface, with the tensor of the player whose turn it is."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game, luck = pyspiel.load_game(name), random.Random(1)
    tensor = "observation_tensor" if game.get_type().provides_observation_tensor else "information_state_tensor"
    while True:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(actions, chances)[0])
                continue
            player = state.current_player()
            getattr(state, tensor)(player)
            state.legal_actions_mask(player)
            state.apply_action(luck.choice(state.legal_actions(player)))
            decisions += 1
        yield decisions


def rlcard_games(name: str) -> Steps:
    """RLCard's own interface."""
    rlcard: Any = importlib.import_module("rlcard")
    env, luck = rlcard.make(name, config={"seed": 1}), random.Random(1)
    while True:
        seen, _player = env.reset()
        decisions = 0
        while not env.is_over():
            seen, _player = env.step(luck.choice(list(seen["legal_actions"])))
            decisions += 1
        yield decisions


def seat_games() -> Steps:
    """Our Gymnasium environment, against a bot."""
    single = importlib.import_module("branchline.envs.single")
    env, luck = single.SeatEnv("europe", 2, opponents="random"), random.Random(1)
    while True:
        seen, _info = env.reset(seed=luck.randrange(2**31))
        ended, decisions = False, 0
        while not ended:
            seen, _reward, ended, _cut, _info = env.step(int(luck.choice(np.flatnonzero(seen["action_mask"]))))
            decisions += 1
        yield decisions


def vector_games() -> Steps:
    """Our vector environment, opponents inside."""
    vector = importlib.import_module("branchline.envs.vector")
    env, luck = vector.SeatVectorEnv(1024, "europe", 2, opponents="random", copy=False), np.random.default_rng(1)
    seen, _info = env.reset(seed=1)
    while True:
        seen, *_ = env.step(chosen(seen["action_mask"], luck.integers(ACTIONS, size=env.num_envs)))
        yield env.num_envs


def batch_games(edition: str, games: int, observe: bool, threads: int) -> Steps:
    """Our batches: every seat from outside."""
    from branchline.envs import Batch

    batch = Batch(edition, games, 2, seed=1, observe=observe, threads=threads, copy=False)
    while True:
        batch.step(batch.sample())
        yield games


@numba.njit(cache=False)
def chosen(mask: Any, first: Any) -> Any:
    """A legal action for each game: the first one from a number drawn at random on. Compiled, so as to cost little."""
    found = np.zeros(len(mask), np.int64)
    for n in range(len(mask)):
        at = first[n]
        while mask[n, at] == 0:
            at = at + 1 if at + 1 < mask.shape[1] else 0
        found[n] = at
    return found


def kinds() -> dict[str, Callable[[], Steps]]:
    """All that is compared, by what is told of it."""

    def zoo(module: str) -> Callable[[], Steps]:
        return lambda: pettingzoo_games(importlib.import_module(f"pettingzoo.classic.{module}").env)

    def ours() -> Steps:
        aec = importlib.import_module("branchline.envs.aec")
        return pettingzoo_games(lambda: aec.env("europe", 2))

    def railway() -> Steps:
        importlib.import_module("branchline.envs.openspiel")
        return openspiel_games("python_branchline(board=europe,players=2)")

    return {
        "branchline, PettingZoo, Europe": ours,
        "branchline, Gymnasium, Europe, against `random`": seat_games,
        "branchline, OpenSpiel, Europe": railway,
        "branchline, `VectorEnv`, Europe, 1,024 games, against `random`": vector_games,
        **{
            f"branchline, `Batch`, {load_board(edition).title}, 1,024 games, {what}{where}": partial(
                batch_games, edition, 1024, observe, threads
            )
            for edition in builtin_boards()
            for what, observe in (("masks and observations", True), ("masks alone", False))
            for where, threads in (("", 1), (ON_CORES, CORES))
        },
        "PettingZoo, Leduc hold'em": zoo("leduc_holdem_v4"),
        "PettingZoo, Texas hold'em": zoo("texas_holdem_v4"),
        "PettingZoo, Hanabi": zoo("hanabi_v5"),
        "RLCard, Leduc hold'em": lambda: rlcard_games("leduc-holdem"),
        "RLCard, UNO": lambda: rlcard_games("uno"),
        "RLCard, Gin rummy": lambda: rlcard_games("gin-rummy"),
        "OpenSpiel (C++), Leduc poker": lambda: openspiel_games("leduc_poker"),
        "OpenSpiel (C++), Gin rummy": lambda: openspiel_games("gin_rummy"),
        "OpenSpiel (C++), Bridge without its solver": lambda: openspiel_games("bridge(use_double_dummy_result=false)"),
    }


def measured(names: list[str], seconds: float, rounds: int) -> tuple[dict[str, float], dict[str, str]]:
    """Decisions a second, and why others could not be measured."""
    running, missing = {}, {}
    for name in names:
        try:
            running[name] = kinds()[name]()
            next(running[name])
        except Exception as error:  # whatever keeps somebody else's package from running
            running.pop(name, None)
            missing[name] = str(error).splitlines()[0]
    speeds: dict[str, list[float]] = {name: [] for name in running}
    for _ in range(rounds):
        for name, steps in running.items():
            clock = time.perf_counter if name.endswith(ON_CORES) else time.process_time
            decisions, began = 0, clock()
            while clock() < began + seconds / rounds:
                decisions += next(steps)
            speeds[name].append(decisions / (clock() - began))
    return {name: statistics.median(found) for name, found in speeds.items()}, missing


def table(speeds: dict[str, float], missing: dict[str, str]) -> str:
    """What is told on the page."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("pettingzoo", "gymnasium", "open_spiel", "rlcard"))
    lines = [f"Cores of the kind {processor()}, Python {platform.python_version()}, {versions}.", ""]
    lines += ["| | decisions a second |", "|---|---:|"]
    lines += [f"| {name} | {shown(speed)} |" for name, speed in speeds.items()]
    if missing:
        lines += ["", "Could not be run here: " + "; ".join(f"{name} ({why})" for name, why in missing.items()) + "."]
    return "\n".join(lines)


def shown(speed: float) -> str:
    """Two figures, as more would not be the same in another run."""
    return f"{float(f'{speed:.2g}'):,.0f}"


def version(name: str) -> str:
    """Of a package."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "(missing)"


def processor() -> str:
    """Its kind, as the system tells it."""
    facts = Path("/proc/cpuinfo")
    told = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    names = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5, help="of processor time for each kind")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write the table to docs/environments.md")
    chosen_options = parser.parse_args()
    found = table(*measured(list(kinds()), chosen_options.seconds, chosen_options.rounds))
    print(found)
    if chosen_options.write:
        PAGE.write_text(rewritten(PAGE.read_text("utf-8"), lambda _name: [found]), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
