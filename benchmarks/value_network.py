"""Make the networks of `search` (`bots.networks.value`) anew: games between planners that stray, then training.

    python benchmarks/value_network.py FOLDER --moments 50000

A network is asked which of two actions has come to more, some rounds later. So at one moment of each game several
actions are tried with the same luck, planners play on, and positions are looked at as many rounds later as `search`
does. Most of what games come to has nothing to do with the action; a network that only learns what positions are worth
misses by some hundredths what kinds of actions cost, and search finds just these. So what actions of one moment differ
by counts for itself, besides what each comes to (`loss_of`).

Positions of each board and number of seats are kept as one file in FOLDER, so that it can be stopped and goes on with
what is missing; `--minutes` stops by itself. With all files there the networks are trained, in some minutes, and
written to `src/branchline/bots/networks/value_networks.npz`: the general one by the games on all boards, which are the
editions and some random boards of each kind (`random_boards`), and one for each edition by the games on it. All that
takes PyTorch, and 8 GB of memory with so many moments. Training sets out from the networks that there are, which have
learned from games of earlier times; with `--anew` the general one sets out from chance, and those of editions from the
general one, as an edition does that has none yet. With `--edition` only the network of one edition is trained: after a
change of what planners do there. With `--leave-out` an edition takes no part in the training, which then is anew, but
is judged by the general network, which is written to FOLDER.

Before the moment some of the games stray, up to one action in seven: `search` plays otherwise than planners, too.
"""

from __future__ import annotations

import argparse
import io
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

from branchline.boards import builtin_boards
from branchline.boards.limits import MAX_ROUTES
from branchline.bots.api import memory
from branchline.bots.networks import board_networks, value, value_inputs
from branchline.bots.planner import candidates, planner
from branchline.bots.search import blocking, rollout, search
from branchline.rules import chance, kernel, playout, turn
from branchline.rules.kernel import rule
from branchline.rules.state import OVER, SCRATCH, SECOND_CARD, STATE, TURN
from branchline.runtime.mode import VARIABLE
from branchline.training.playing import forget
from branchline.whole_file import write_whole

ON_RANDOM_BOARDS = (2, 4)  # seats
HORIZON = search.SearchBot.horizon  # rounds after which `search` asks a network
TRIED = 4  # actions at each moment, of those that `search` would try
OF_SECOND_CARDS = 3  # a part of the moments: the planner has drawn a card, and the second one is asked for
OF_MORE_SEATS, OF_RANDOM = 3, 100  # parts of the moments: with more than two seats, and on each random board
RANDOM = range(1, 9)  # seeds of random boards of each kind
SIZES = (value_inputs.INPUTS, value.WIDE, value.NARROW, 1)  # of the layers
OWN_EPOCHS = 8  # of the training for one edition
THOUSAND = 1000
STRAYING = (0, 15, 60, 135)  # actions in a thousand, game by game
BATCH = 256  # times TRIED positions
STEP = 2e-3  # of Adam, at first
DIFFERENCES = 20.0  # what the square of a difference counts for, beside the cross entropy


@rule
def gather(
    board: Any, states: Any, state: Any, moment: Any, scratch: Any, memories: Any, empty: Any, seats: int, seed: int,
    straying: int, turns: int, inputs: Any, results: Any, tried: Any, wanted: Any,
) -> bool:  # fmt: skip
    """Try some actions at a moment, with the same luck; whether all games have gone on until they are looked at.

    The moment comes after so many turns of a game, when another one begins, or in the middle of that; there must be so
    many actions that `search` would try. `inputs` and `results` take what each seat sees, and what the game comes to
    for it, by each action: (seats, TRIED, ...).
    """
    states[0] = empty[0]
    playout.new_game(board, state, scratch, seats, seed)
    forget(memories, seats, seed)
    while state.question != OVER and state.turns < turns:
        asked = state.seat
        turn.legal(board, state, scratch)
        if chance.below(memories[0], THOUSAND) < straying:
            listed = candidates.listed(board, state, scratch, memories[asked], asked, tried)
            action = tried[chance.below(memories[0], listed)]
        else:
            action = planner.choose(board, state, scratch, memories[asked], asked)
        turn.apply(board, state, scratch, action)
    if state.question == OVER:
        return False
    if chance.below(memories[0], OF_SECOND_CARDS) == 0:
        asked = state.seat
        turn.legal(board, state, scratch)
        turn.apply(board, state, scratch, planner.choose(board, state, scratch, memories[asked], asked))
        if state.question != SECOND_CARD:
            return False
    listed = listed_with_blocks(board, state, scratch, memories, seats, tried, wanted)
    if listed < TRIED:
        return False
    for n in range(TRIED):
        other = n + chance.below(memories[0], listed - n)
        tried[n], tried[other] = tried[other], tried[n]
    moment[0] = states[0]
    until = state.turns + HORIZON * seats
    for n in range(TRIED):
        states[0] = moment[0]
        forget(memories, seats, seed)
        if rollout.play_on(board, state, scratch, memories, tried[n], until):
            return False
        for seat in range(seats):
            value_inputs.look(board, state, scratch, memories, seat, inputs[seat, n])
        rollout.play_on(board, state, scratch, memories, rollout.NO_ACTION, rollout.NEVER)
        for seat in range(seats):
            results[seat, n] = rollout.value_of(state, scratch, seat)
    return True


@rule
def listed_with_blocks(board: Any, state: Any, scratch: Any, memories: Any, seats: int, tried: Any, wanted: Any) -> int:
    """What `search` would try if it knew what the others plan."""
    listed = candidates.listed(board, state, scratch, memories[state.seat], state.seat, tried)
    if state.question != TURN:
        return listed
    for route in range(board.routes):
        wanted[route] = 0
    for other in range(seats):
        if other != state.seat:
            planner.want(board, state, memories[other], other)
            blocking.note_plan(board, memories[other].plan, wanted)
    turn.legal(board, state, scratch)
    return candidates.with_claims(board, scratch, wanted, blocking.BLOCKS, tried, listed)


def gathered(name: str, seats: int, moments: int) -> tuple[Any, Any]:
    """What is seen, (moments * seats, TRIED, INPUTS), and what comes of it, at so many moments of as many games."""
    board = board_of(name)
    states, moment, empty = (kernel.new_buffer(STATE) for _ in range(3))
    scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
    memories = memory.new_memory(seats)
    for one in memories:
        planner.PlannerBot.weights_on(board, seats).put_in(one)
    state = kernel.record_in(states)
    table = kernel.record_in(board.tables), states, state, moment, scratch, memories, empty
    inputs = np.zeros((seats, TRIED, value_inputs.INPUTS), np.float32)
    results = np.zeros((seats, TRIED), np.float32)
    tried = np.zeros(candidates.MOST, np.int32)
    wanted = np.zeros(MAX_ROUTES, np.int16)
    seen = np.zeros((moments, *inputs.shape), np.float16)
    found = np.zeros((moments, *results.shape), np.float32)
    ahead = HORIZON * seats
    luck, turns = np.random.default_rng(seats), 2 * ahead  # until a game has shown how many there are
    seed = n = 0
    while n < moments:
        straying, at = STRAYING[seed % len(STRAYING)], int(luck.integers(turns - ahead))
        if gather(*table, seats, seed, straying, at, inputs, results, tried, wanted):
            seen[n], found[n] = inputs, results
            n += 1
            turns = max(ahead + 1, int(state.turns))  # of a game: the next moment is spread over as many
        seed += 1
    return seen.reshape(-1, *inputs.shape[1:]), found.reshape(-1, TRIED)


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
    """The network that fits best: Adam, with steps that fall along a cosine.

    `inputs` (groups, TRIED, INPUTS), `results` (groups, TRIED): a group is what one seat sees of one moment's actions.
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
        loss = loss_of(net(seen[chosen].float())[..., 0], found[chosen])
        adam.zero_grad()
        loss.backward()
        adam.step()
        falling.step()
    return np.concatenate([part.reshape(-1) for part in numbers_in(parts)])


def loss_of(judged: torch.Tensor, results: torch.Tensor) -> torch.Tensor:
    """The cross entropy, and the squares by which what is said of one moment's actions differs otherwise than results.

    `judged` are logits; both (groups, TRIED).
    """
    missed = torch.sigmoid(judged) - results
    apart = missed - missed.mean(dim=1, keepdim=True)
    return nn.functional.binary_cross_entropy_with_logits(judged, results) + DIFFERENCES * (apart**2).mean()


def numbers_in(parts: list[nn.Linear]) -> list[Any]:
    """Weights and biases of each layer in turn, laid out as `layers` has them, as views."""
    return [one for part in parts for one in (part.weight.detach().numpy().T, part.bias.detach().numpy())]


def explained(net: Any, inputs: Any, results: Any) -> tuple[float, float]:
    """The share that a network explains of the variance of results, and of that among actions of one moment."""
    first, first_bias, second, second_bias, last, last_bias = layers(net)
    wide = np.maximum(inputs.astype(np.float32) @ first + first_bias, 0)
    narrow = np.maximum(wide @ second + second_bias, 0)
    missed = 1 / (1 + np.exp(-(narrow @ last + last_bias)[..., 0])) - results
    apart, of = (one - one.mean(axis=1, keepdims=True) for one in (missed, results))
    return float(1 - np.mean(missed**2) / np.var(results)), float(1 - np.mean(apart**2) / np.mean(of**2))


def gather_all(folder: Path, boards: list[str], moments: int, until: float, jobs: int) -> dict[tuple[str, int], Path]:
    """See that the positions of each board and number of seats are there, or as many as there is time for."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[tuple[str, int], Path] = {}
    missing = []
    for name in boards:
        least, most = board_of(name).seats
        for seats in range(least, most + 1) if name in builtin_boards() else ON_RANDOM_BOARDS:
            part = OF_RANDOM if name not in builtin_boards() else 1 if seats == least else OF_MORE_SEATS
            file = files[name, seats] = folder / f"{name}_{seats}_{moments // part}.npz"
            if not file.exists():
                missing.append((name, seats, moments // part, file, until))
    with multiprocessing.Pool(jobs) as pool:
        for line in pool.imap_unordered(gather_table, missing):
            print(line, flush=True)
    return files


def gather_table(task: tuple[str, int, int, Path, float]) -> str:
    """The file of one board and number of seats, if there is time left; what was done."""
    name, seats, moments, file, until = task
    if time.monotonic() >= until:
        return f"{name}, {seats} seats: left for later"
    inputs, results = gathered(name, seats, moments)
    unfinished = file.with_suffix(".part.npz")
    np.savez(unfinished, inputs=inputs, results=results)
    unfinished.replace(file)
    return f"{name}, {seats} seats: {results.size} positions"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--moments",
        type=int,
        default=50_000,
        help="on each edition with two seats; fewer with more seats, and on random boards",
    )
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so many; go on with the next call")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--leave-out", default="", choices=builtin_boards(), help="an edition")
    part.add_argument("--edition", choices=builtin_boards(), help="train its network alone")
    part.add_argument("--anew", action="store_true", help="set out from chance")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args()
    if not kernel.NATIVE:
        parser.error(f"this runs native code: set {VARIABLE}=native")
    editions = [given.edition] if given.edition else list(builtin_boards())
    others = [] if given.edition else [f"{kind}-{seed}" for kind in KINDS for seed in RANDOM]
    until = time.monotonic() + 60 * given.minutes
    files = gather_all(given.folder, [*editions, *others], given.moments, until, given.jobs)
    if not all(file.exists() for file in files.values()):
        return
    networks = {} if given.anew or given.leave_out else dict(value.networks())
    if not given.edition:
        start = networks.get(board_networks.GENERAL)
        networks[board_networks.GENERAL] = trained(*shown(files, given.leave_out), given.epochs, start)
    general = networks[board_networks.GENERAL]
    for name in () if given.leave_out else editions:
        own = {table: file for table, file in files.items() if table[0] == name}
        own_name = board_networks.name_on(board_of(name))
        networks[own_name] = trained(*shown(own), OWN_EPOCHS, networks.get(own_name, general))
    for name in builtin_boards():
        nets = [general, networks.get(board_networks.name_on(board_of(name)), general)]
        for table, file in files.items():
            if table[0] == name:
                by = [explained(net, *kept(file, name == given.leave_out)) for net in nets]
                shares = ", by its own ".join(f"{all_of:.1%} and {apart:.1%}" for all_of, apart in by)
                print(f"{name}, {table[1]} seats, of the variance of results, and of what actions make: {shares}")
    file = given.folder / f"without_{given.leave_out}.npz" if given.leave_out else value.FILE
    packed = io.BytesIO()
    np.savez(packed, **{name: net.astype(np.float16) for name, net in networks.items()})
    write_whole(file, packed.getvalue())


def shown(files: dict[tuple[str, int], Path], left_out: str = "") -> tuple[Any, Any]:
    """The positions to learn from, and their results: nine tenths of each table but those of a board left out.

    They are put where they belong one file after the other, for together they take some GB.
    """
    taken = [file for (name, _), file in files.items() if name != left_out]
    results = [np.load(file)["results"] for file in taken]
    inputs = np.empty((sum(first_kept(one) for one in results), TRIED, value_inputs.INPUTS), np.float16)
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
