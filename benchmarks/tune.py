"""Tune the weights of `planner` for one edition and number of seats: a small evolution strategy.

    python benchmarks/tune.py europe --against greedy,fast --games 400 --generations 30

Each generation tries so many sets of weights around the centre, all on the same games; the centre moves to the mean
of the better half, and the step of each weight follows how far the better ones went (a diagonal CMA-ES without its
paths). What counts for a game is a smooth step over the margin of victory: to win clearly is more than to win.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from branchline.arena.table import Table
from branchline.atlas import load_board
from branchline.bots import bot_maker, weights
from branchline.bots.memory import MAX_AIMS
from branchline.rules import kernel


class Field:
    """Plays games with given weights against the others."""

    def __init__(self, edition: str, seats: int, against: list[str], seed: int) -> None:
        """Tables for the planner with each of the others in all other seats."""
        board = load_board(edition)
        planner = bot_maker("planner")
        self.seats = seats
        self.tables = [Table(board, [planner, *[bot_maker(one)] * (seats - 1)], seed) for one in against]
        row = weights.row_of(kernel.record_in(board.tables))
        self.own = np.array(weights.TABLE[row, weights.column_of(seats)], dtype=float)

    def goodness(self, weight: Any, first: int, games: int) -> tuple[float, float]:
        """What these weights reach in so many games from `first` on: mean smooth success, and win share."""
        smooth = wins = 0.0
        for n in range(first, first + games):
            table = self.tables[(n // self.seats) % len(self.tables)]
            own = -n % self.seats
            table._memories["tuned"] = 0  # the others look theirs up
            table._memories["weight"][own] = rounded(weight)
            table._memories["tuned"][own] = 1
            game = table.play(n, 1)[0]
            totals = game["total"][: self.seats].astype(float)
            margin = totals[own] - np.delete(totals, own).max()
            smooth += 1 / (1 + np.exp(-margin / 25))
            wins += game["winner"][own] / game["winner"][: self.seats].sum()
        return smooth / games, wins / games


def rounded(weight: Any) -> Any:
    """Weights as the planner takes them: whole numbers, none negative, and one route at least on the schedule."""
    whole = np.maximum(np.round(weight).astype(int), 0)
    whole[weights.AIMS] = np.clip(whole[weights.AIMS], 1, MAX_AIMS)
    return whole


def tune(field: Field, generations: int, games: int, size: int, step: float, seed: int) -> Any:
    """Improve the weights; the centre of the last generation."""
    luck = np.random.default_rng(seed)
    centre = field.own.copy()
    width = np.maximum(np.abs(centre) * 0.25, 3.0)
    best = size // 2
    share = np.log(best + 0.5) - np.log(np.arange(1, best + 1))
    share /= share.sum()
    for generation in range(generations):
        started = time.perf_counter()
        tries = luck.standard_normal((size, len(centre)))
        tries[size // 2 :] = -tries[: size - size // 2]
        found = [field.goodness(centre + step * width * one, generation * games, games) for one in tries]
        order = sorted(range(size), key=lambda n: -found[n][0])
        chosen = tries[order[:best]]
        move = share @ chosen
        centre = centre + step * width * move
        width *= np.exp(0.15 * ((share @ chosen**2) - 1))
        width = np.clip(width, np.maximum(np.abs(centre) * 0.05, 0.7), np.maximum(np.abs(centre) * 0.6, 6.0))
        smooth, wins = np.mean(found, axis=0)
        taken = time.perf_counter() - started
        print(f"{generation:3d}  goodness {smooth:.4f}, wins {wins:.4f}, {taken:.0f} s", rounded(centre), flush=True)
    return centre


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edition")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--games", type=int, default=400, help="for each set of weights in each generation")
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--size", type=int, default=12, help="sets of weights in a generation")
    parser.add_argument("--step", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", default="", help="weights to start with instead, such as keep=60,slack=100")
    given = parser.parse_args()
    field = Field(given.edition, given.seats, given.against.split(","), given.seed)
    for one in filter(None, given.start.split(",")):
        name, number = one.split("=")
        field.own[weights.NAMES.index(name)] = float(number)
    centre = tune(field, given.generations, given.games, given.size, given.step, given.seed)
    print(dict(zip(weights.NAMES, rounded(centre).tolist(), strict=True)))


if __name__ == "__main__":
    main()
