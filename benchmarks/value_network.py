"""Make the networks of `search` (`bots.value`) anew: games between planners that stray, then training.

    python benchmarks/value_network.py FOLDER --games 60000

Positions of each board and number of seats are kept as one file in FOLDER, so that it can be stopped and goes on with
what is missing; `--minutes` stops by itself. With all files there the networks are trained, in a few minutes, and
written to `src/branchline/bots/value_networks.npz`: the general one by the games on all boards, which are the editions
and some random boards of each kind (`random_boards`), and then, from there, one for each edition by the games on it.
All that takes PyTorch, and 13 GB of memory with so many games. With `--edition` only the network of one edition is
trained anew, from the general one that there is: after a change of what planners do there.
With `--leave-out` a board takes no part in the training but is judged by the general network, which is then written to
FOLDER.

Some of the games stray, up to one action in seven: a network that has seen good play only overrates what planners
never do, and search finds just that. Half of these strays draw tickets, where that is possible: `search` tries it at
every turn, planners do it rarely, and what tickets bring that nobody planned for shows late.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from general_weights import board_of
from random_boards import KINDS
from torch import nn

from branchline.atlas import builtin_boards
from branchline.bots import candidates, memory, planner, rollout, value, value_inputs
from branchline.rules import chance, kernel, playout, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.state import DRAW_TICKETS, OVER, SCRATCH, STATE, TURN

ON_RANDOM_BOARDS = (2, 4)  # seats
MOMENTS = 9  # of each game at which all its seats are looked at, about
OF_MORE_SEATS, OF_RANDOM = 3, 200  # parts of the games: with more than two seats, and on each random board
RANDOM = range(1, 9)  # seeds of random boards of each kind
SIZES = (value_inputs.INPUTS, value.WIDE, value.NARROW, 1)  # of the layers
OWN_EPOCHS = 8  # of the training for one edition
THOUSAND = 1000
STRAYING = (0, 15, 60, 135)  # actions in a thousand, game by game
BATCH = 1024
STEP = 2e-3  # of Adam, at first


@rule
def gather(
    board: Any,
    states: Any,
    state: Any,
    scratch: Any,
    memories: Any,
    empty: Any,
    seats: int,
    seed: int,
    share: int,
    straying: int,
    inputs: Any,
    results: Any,
    tried: Any,
) -> int:
    """Play one game and look at so many in a thousand of its turns, as every seat; how many positions there are."""
    states[0] = empty[0]
    playout.new_game(board, state, scratch, seats, seed)
    for seat in range(seats):
        chance.seed(memories[seat], seed)
        memories[seat].planned = 0
    count = 0
    while state.question != OVER:
        asked = state.seat
        room = count + seats <= len(results)
        if state.question == TURN and room and chance.below(memories[0], THOUSAND) < share:
            for seat in range(seats):
                value_inputs.look(board, state, scratch, memories, seat, inputs[count])
                count += 1
        turn.legal(board, state, scratch)
        if chance.below(memories[0], THOUSAND) < straying:
            listed = candidates.listed(board, state, scratch, memories[asked], asked, tried)
            action = strayed(memories[0], tried, listed)
        else:
            action = planner.choose(board, state, scratch, memories[asked], asked)
        turn.apply(board, state, scratch, action)
    scoring.score(board, state, scratch)
    for n in range(count):
        results[n] = rollout.value_of(state, scratch, n % seats)
    return count


@rule
def strayed(luck: Any, tried: Any, listed: int) -> int:
    """One of the actions tried: tickets half of the time, where they may be drawn, otherwise any."""
    if candidates.has(tried, listed, DRAW_TICKETS) and chance.below(luck, 2) == 0:
        return DRAW_TICKETS
    action: int = tried[chance.below(luck, listed)]
    return action


def gathered(name: str, seats: int, games: int) -> tuple[Any, Any]:
    """Inputs and results of so many games; the positions of a game stand together."""
    board = board_of(name)
    tables = kernel.record_in(board.tables)
    states, empty = kernel.new_buffer(STATE), kernel.new_buffer(STATE)
    state, scratch = kernel.record_in(states), kernel.record_in(kernel.new_buffer(SCRATCH))
    memories = memory.new_memory(seats)
    for one in memories:
        planner.PlannerBot.weights_on(board, seats).put_in(one)
    most = 2 * MOMENTS * seats
    inputs, results = np.zeros((most, value_inputs.INPUTS), np.float32), np.zeros(most, np.float32)
    tried = np.zeros(candidates.MOST, np.int32)
    share = MOMENTS * THOUSAND // (40 * seats)
    found: list[tuple[Any, Any]] = []
    for n in range(games):
        straying = STRAYING[n % len(STRAYING)]
        count = gather(
            tables, states, state, scratch, memories, empty, seats, n, share, straying, inputs, results, tried
        )
        found.append((inputs[:count].astype(np.float16), results[:count].copy()))
    return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])


def layers(net: Any) -> list[Any]:
    """The parts of a network, as views: weights and biases of each layer in turn."""
    found, at = [], 0
    for rows, columns in pairwise(SIZES):
        found += [net[at : at + rows * columns].reshape(rows, columns)]
        at += rows * columns
        found += [net[at : at + columns]]
        at += columns
    return found


def trained(inputs: Any, results: Any, epochs: int, start: Any = None) -> Any:
    """The network that fits best: Adam on the cross entropy, with steps that fall along a cosine.

    `start`: a network to set out from, by chance if there is none.
    """
    torch.manual_seed(0)
    torch.set_num_threads(1)  # steps are so small that more would only wait for each other
    parts = [nn.Linear(rows, columns) for rows, columns in pairwise(SIZES)]
    net = nn.Sequential(parts[0], nn.ReLU(), parts[1], nn.ReLU(), parts[2])
    if start is not None:
        for mine, given in zip(numbers_in(parts), layers(start), strict=True):
            mine[:] = given
    seen, found = torch.from_numpy(inputs), torch.from_numpy(results)
    batches = len(results) // BATCH
    steps = epochs * batches
    adam = torch.optim.Adam(net.parameters(), STEP)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    for n in range(steps):
        if n % batches == 0:
            order = torch.randperm(len(results))
            print(f"{n / steps:5.0%}", flush=True)
        chosen = order[n % batches * BATCH :][:BATCH]
        loss = nn.functional.binary_cross_entropy_with_logits(net(seen[chosen].float())[:, 0], found[chosen])
        adam.zero_grad()
        loss.backward()
        adam.step()
        falling.step()
    return np.concatenate([part.reshape(-1) for part in numbers_in(parts)])


def numbers_in(parts: list[nn.Linear]) -> list[Any]:
    """Weights and biases of each layer in turn, laid out as `layers` has them, as views."""
    return [one for part in parts for one in (part.weight.detach().numpy().T, part.bias.detach().numpy())]


def explained(net: Any, inputs: Any, results: Any) -> float:
    """The share of the variance of results that a network explains."""
    first, first_bias, second, second_bias, last, last_bias = layers(net)
    wide = np.maximum(inputs.astype(np.float32) @ first + first_bias, 0)
    narrow = np.maximum(wide @ second + second_bias, 0)
    found = 1 / (1 + np.exp(-(narrow @ last + last_bias)[:, 0]))
    return float(1 - np.mean((found - results) ** 2) / np.var(results))


def gather_all(folder: Path, boards: list[str], games: int, until: float, jobs: int) -> dict[tuple[str, int], Path]:
    """See that the positions of each board and number of seats are there, or as many as there is time for."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[tuple[str, int], Path] = {}
    missing = []
    for name in boards:
        least, most = board_of(name).seats
        for seats in range(least, most + 1) if name in builtin_boards() else ON_RANDOM_BOARDS:
            part = OF_RANDOM if name not in builtin_boards() else 1 if seats == least else OF_MORE_SEATS
            file = files[name, seats] = folder / f"{name}_{seats}_{games // part}.npz"
            if not file.exists():
                missing.append((name, seats, games // part, file, until))
    with multiprocessing.Pool(jobs) as pool:
        for line in pool.imap_unordered(gather_table, missing):
            print(line, flush=True)
    return files


def gather_table(task: tuple[str, int, int, Path, float]) -> str:
    """The file of one board and number of seats, if there is time left; what was done."""
    name, seats, games, file, until = task
    if time.monotonic() >= until:
        return f"{name}, {seats} seats: left for later"
    inputs, results = gathered(name, seats, games)
    unfinished = file.with_suffix(".part.npz")
    np.savez(unfinished, inputs=inputs, results=results)
    unfinished.replace(file)
    return f"{name}, {seats} seats: {len(results)} positions"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--games",
        type=int,
        default=60_000,
        help="on each edition with two seats; fewer with more seats, and on random boards",
    )
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so many; go on with the next call")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--leave-out", default="", help="a board")
    part.add_argument("--edition", choices=builtin_boards(), help="train its network alone, from the general one")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args()
    editions = [given.edition] if given.edition else list(builtin_boards())
    others = [] if given.edition else [f"{kind}-{seed}" for kind in KINDS for seed in RANDOM]
    until = time.monotonic() + 60 * given.minutes
    files = gather_all(given.folder, [*editions, *others], given.games, until, given.jobs)
    if not all(file.exists() for file in files.values()):
        return
    if given.edition:
        networks = dict(value.networks())
    else:
        networks = {value.GENERAL: trained(*shown(files, given.leave_out), given.epochs)}
    general = networks[value.GENERAL]
    for name in () if given.leave_out else editions:
        own = {table: file for table, file in files.items() if table[0] == name}
        networks[value.name_on(board_of(name))] = trained(*shown(own), OWN_EPOCHS, general)
    for name in builtin_boards():
        nets = [general, networks.get(value.name_on(board_of(name)), general)]
        for table, file in files.items():
            if table[0] == name:
                by = [f"{explained(net, *kept(file, name == given.leave_out)):.1%}" for net in nets]
                print(f"{name}, {table[1]} seats: {by[0]} of the variance, by its own {by[1]}")
    file = given.folder / f"without_{given.leave_out}.npz" if given.leave_out else value.FILE
    np.savez(file, **{name: net.astype(np.float16) for name, net in networks.items()})


def shown(files: dict[tuple[str, int], Path], left_out: str = "") -> tuple[Any, Any]:
    """The positions to learn from, and their results: nine tenths of each table but those of a board left out.

    They are put where they belong one file after the other, for together they take 12 GB.
    """
    taken = [file for (name, _), file in files.items() if name != left_out]
    results = [np.load(file)["results"] for file in taken]
    inputs = np.empty((sum(first_kept(one) for one in results), value_inputs.INPUTS), np.float16)
    at = 0
    for file, one in zip(taken, results, strict=True):
        count = first_kept(one)
        inputs[at : at + count] = np.load(file)["inputs"][:count]
        at += count
    return inputs, np.concatenate([one[: first_kept(one)] for one in results])


def kept(file: Path, whole: bool) -> tuple[Any, Any]:
    """The positions to judge by: a tenth of a table, or the whole of one that is left out."""
    table = np.load(file)
    first = 0 if whole else first_kept(table["results"])
    return table["inputs"][first:], table["results"][first:]


def first_kept(results: Any) -> int:
    """Where the last tenth of a table begins."""
    return len(results) * 9 // 10


if __name__ == "__main__":
    main()
