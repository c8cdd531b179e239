"""Find general weights for `planner` (`bots.weights.GENERAL`): an evolution strategy over many boards.

    python benchmarks/general_weights.py --generations 30
    python benchmarks/general_weights.py --generations 30 --leave-out europe

It plays on the editions, and on two random boards of each kind (`random_boards`) in turn, with two seats and with more.
The others at the table have the tuned weights of an edition, on its own board its own; or those of the centre of the
search, in every second generation. With `--leave-out` an edition takes no part in any way, so that a match of the
result against the weights tuned for it says how good they are on a board that nobody has seen: `--judge 2000`.
That is strict only if the search does not begin with weights that have seen it: an edition without weights of its own
lends the present general ones.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import random_boards

from branchline.arena.evolution import Evolution
from branchline.arena.table import Table
from branchline.arena.tuning import rounded, share_of_first, won_by_first
from branchline.atlas import Board, builtin_boards, load_board, read_board
from branchline.bots import bot_maker, weights
from branchline.bots.tuned_weights import TUNED, Weights

GAMES = 12  # of each try on each board with each number of seats
RELATIVE = (weights.TURN, weights.KEEP)  # in per cent of what the board is like


@cache
def board_of(name: str) -> Board:
    """An edition, or a random board: `classic-2`."""
    if name in builtin_boards():
        return load_board(name)
    kind, _, seed = name.rpartition("-")
    with tempfile.TemporaryDirectory() as folder:
        return read_board(random_boards.write_board(Path(folder) / name, kind, int(seed)))


@cache
def table_of(name: str, seats: int) -> Table:
    """Where planners play on a board."""
    return Table(board_of(name), [bot_maker("planner")] * seats, 11)


def on_board(general: Any, name: str) -> Weights:
    """What general weights are on a board."""
    now = board_of(name).weights.general.numbers
    found = [float(one) for one in general]
    for n in RELATIVE:
        found[n] *= now[n] / weights.GENERAL[n]
    return Weights(rounded(found), TUNED)


def as_general(own: Weights, name: str) -> list[float]:
    """The other way round."""
    now = board_of(name).weights.general.numbers
    return [
        one * weights.GENERAL[n] / now[n] if n in RELATIVE and now[n] else float(one)
        for n, one in enumerate(own.numbers)
    ]


def goodness(task: tuple[Any, Any, list[str], list[str], int]) -> float:
    """How well general weights do: half victories, half how clear they are, over all boards."""
    one, centre, editions, names, generation = task
    found = []
    for k, name in enumerate(names):
        board = board_of(name)
        for seats in (2, 3 + (generation + k) % (board.seats[1] - 2)):
            other = on_board(centre, name)
            if (generation + k) % 2:
                whose = name if name in editions else editions[(generation + k) // 2 % len(editions)]
                other = board_of(whose).weights.at(seats)
            games = table_of(name, seats).play(
                generation * 60, GAMES // seats * seats, [on_board(one, name), *[other] * (seats - 1)]
            )
            total = games["total"][:, :seats].astype(float)
            own = games["entrant"][:, :seats] == 0
            ahead = total[own] - np.where(own, -np.inf, total).max(axis=1)
            clear = board.weights.general.numbers[weights.TURN] * 0.8
            found.append(np.mean(0.5 * won_by_first(games) + 0.5 / (1 + np.exp(-ahead / clear))))
    return float(np.mean(found))


def match(task: tuple[Any, str, int, int]) -> str:
    """General weights against those tuned for an edition."""
    one, name, seats, games = task
    own, other = on_board(one, name), board_of(name).weights.at(seats)
    table = Table(board_of(name), [bot_maker("planner")] * seats, 1_000_003)
    won = share_of_first([table.play(0, -(-games // seats) * seats, [own, *[other] * (seats - 1)])])
    interval = f"{100 * won.low:.1f} … {100 * won.high:.1f}"
    return f"{name}, {seats} seats: {100 * won.mean:.1f} % ({interval}), {won.mean * seats:.2f} of what equals win"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--leave-out", default="", help="an edition")
    parser.add_argument("--judge", type=int, default=0, help="games against an edition's own weights, at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args()
    editions = [name for name in builtin_boards() if name != given.leave_out]
    start = np.mean([as_general(board_of(one).weights.at(n), one) for one in editions for n in (2, 4)], axis=0)
    search = Evolution(start, given.seed)
    with multiprocessing.Pool(given.jobs) as pool:
        for generation in range(given.generations):
            names = [*editions, *(f"{kind}-{1 + generation % 2}" for kind in random_boards.KINDS)]
            tasks = [(one, search.centre, editions, names, generation) for one in search.ask()]
            found = pool.map(goodness, tasks, chunksize=1)
            search.tell(found)
            print(f"{generation:3d}  {np.mean(found):.4f}", rounded(search.answer), flush=True)
        if given.judge:
            judged = [given.leave_out] if given.leave_out else editions
            tasks = [(search.answer, name, seats, given.judge) for name in judged for seats in (2, 3, 4)]
            for line in pool.imap(match, tasks):
                print(line, flush=True)


if __name__ == "__main__":
    main()
