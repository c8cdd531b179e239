"""Find general weights for `planner` (`bots.api.weights.GENERAL`): an evolution strategy over many boards.

    python benchmarks/general_weights.py plain two --generations 60
    python benchmarks/general_weights.py ports more --generations 60 --judge 2000
    python benchmarks/general_weights.py plain two --generations 60 --judge 2000 --leave-out europe

Boards are of five families (`bots.api.weights.family_of`), and each has one set for two seats and one for more. Every
try plays on the editions of the family, and on `BOARDS` random boards of its kinds (`random_boards`), other ones in
each generation, `SEEDS` of each kind in turn. The search sets out from the general weights that there are. The others
at the table are by turns planners with the weights that there are, planners with those of the centre of the search, and
bots of other styles: what beats planners alone need not be good against others. `--judge` plays so many games on each
edition, and on random boards that took no part, each against the weights that there are.

With `--leave-out` an edition takes no part in any way, nor do the general weights that there are: the search sets out
from what the family's other edition uses, or from the medians over all others. A match of the result against the
weights of the edition left out says how good they are on a board that nobody has seen.
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
from branchline.arena.tuning import goodness, rounded, share_of_first
from branchline.boards import Board, builtin_boards, load_board, read_board
from branchline.bots import bot_maker
from branchline.bots.api import weights
from branchline.bots.api.tuned_weights import TUNED, Weights
from branchline.bots.planner.route_values import TENTHS
from branchline.rules import kernel

GAMES = 24  # of each try on each board
BOARDS = 15  # random ones in each generation, of all kinds alike
SEEDS = 60  # random boards of each kind
JUDGED = range(SEEDS + 1, SEEDS + 5)  # seeds of others, which take no part but in the judgement
CLEAR = 8  # turns: ahead by what so many of them bring, a victory is clear
ROWS = {"two": (2,), "more": (4, 3)}  # the seats for which each set is judged, and whose tuned weights it sets out from
FAMILIES = {
    "plain": (("europe",), ("classic", "country", "tunnels", "stations", "large")),
    "city": ((), ("city",)),
    "subways": (("berlin",), ("subways",)),
    "passengers": (("germany",), ("passengers", "two_decks")),
    "ports": (("world", "great_lakes"), ("ports", "lakes")),
}
"""Editions and kinds of random boards."""
STYLES = ("route-focused", "one-step", "long-route")
OFTEN = 3  # times as many games on an edition as on a random board: what people print and draw is more like those


@cache
def board_of(name: str) -> Board:
    """An edition, or a random board: `classic-2`."""
    if name in builtin_boards():
        return load_board(name)
    kind, _, seed = name.rpartition("-")
    with tempfile.TemporaryDirectory() as folder:
        return read_board(random_boards.write_board(Path(folder) / name, kind, int(seed)))


@cache
def table_of(name: str, seats: int, style: str) -> Table:
    """Where a planner plays on a board, the others in some style."""
    return Table(board_of(name), [bot_maker("planner"), *[bot_maker(style)] * (seats - 1)], 11)


@cache
def scale(name: str) -> list[float]:
    """By how much the general weights are larger on a board than where they are stated (`weights.look_up`)."""
    board = kernel.record_in(board_of(name).tables)
    relative = {weights.TURN: weights.turn_value(board), weights.KEEP: weights.ticket_value(board)}
    factors = np.ones(len(weights.NAMES))
    for n, (whole, parts) in relative.items():
        factors[n] = whole / (100 * parts)
    return list(factors)


def on_board(general: Any, name: str) -> Weights:
    """What general weights are on a board."""
    return Weights(rounded(np.multiply(general, scale(name))), TUNED)


def start_of(left_out: str | None, family: str, seats: int) -> Any:
    """What the search sets out from: the general weights that there are.

    Where an edition is left out, the weights that the family's other edition uses, or the medians over all others.
    """
    if left_out is None:
        return weights.GENERAL[list(FAMILIES).index(family), weights.row_of(seats)]
    kin = [name for name in FAMILIES[family][0] if name != left_out]
    others = kin or [name for name in builtin_boards() if name != left_out]
    return np.median([np.divide(board_of(name).weights.at(seats).numbers, scale(name)) for name in others], axis=0)


def on_all(task: tuple[Any, Any, list[str], bool, bool, int]) -> float:
    """How well general weights do: half victories, half how clear they are, over all boards."""
    one, centre, names, two, strict, generation = task
    found = []
    for k, name in enumerate(names):
        seats = 2 if two else 3 + (generation + k) % (board_of(name).seats[1] - 2)
        style = "planner" if (generation + k) % 3 else STYLES[(generation + k) // 3 % len(STYLES)]
        known = (generation + k) % 3 == 1 and (name in builtin_boards() or not strict)
        other = board_of(name).weights.at(seats) if known else on_board(centre, name)
        games = table_of(name, seats, style).play(
            (generation * len(names) + k) * 60,
            GAMES // seats * seats,
            [on_board(one, name), *[other] * (seats - 1)],
        )
        turn = board_of(name).weights.general(seats).numbers[weights.TURN] / TENTHS
        found.append(goodness(games, CLEAR * turn))
    return float(np.mean(found))


def match(task: tuple[Any, str, int, int]) -> str:
    """New general weights against the weights that there are for a board, in all other seats."""
    one, name, seats, games = task
    own, other = on_board(one, name), board_of(name).weights.at(seats)
    table = Table(board_of(name), [bot_maker("planner")] * seats, 1_000_003)
    won = share_of_first([table.play(0, -(-games // seats) * seats, [own, *[other] * (seats - 1)])])
    interval = f"{100 * won.low:.1f} … {100 * won.high:.1f}"
    return f"{name}, {seats} seats: {100 * won.mean:.1f} % ({interval}), {won.mean * seats:.2f} of what equals win"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("seats", choices=ROWS)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--leave-out", choices=builtin_boards(), help="an edition")
    parser.add_argument("--judge", type=int, default=0, help="games on each board, at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    given = parser.parse_args()
    every, kinds = FAMILIES[given.family]
    editions = [name for name in every if name != given.leave_out]
    seats = ROWS[given.seats]
    search = Evolution(start_of(given.leave_out, given.family, seats[0]), given.seed)
    with multiprocessing.Pool(given.jobs) as pool:
        for generation in range(given.generations):
            each = BOARDS // len(kinds)
            seeds = [1 + (generation * each + n) % SEEDS for n in range(each)]
            names = [*editions * OFTEN, *(f"{kind}-{seed}" for seed in seeds for kind in kinds)]
            strict = given.leave_out is not None
            tries = [(one, search.centre, names, given.seats == "two", strict, generation) for one in search.ask()]
            found = pool.map(on_all, tries, chunksize=1)
            search.tell(found)
            print(f"{generation:3d}  {np.mean(found):.4f}", rounded(search.answer), flush=True)
        if given.judge:
            fresh = [f"{kind}-{seed}" for kind in kinds for seed in JUDGED]
            judged = [given.leave_out] if given.leave_out else [*editions, *fresh]
            matches = [(search.answer, name, count, given.judge) for name in judged for count in seats]
            for line in pool.imap(match, matches):
                print(line, flush=True)


if __name__ == "__main__":
    main()
