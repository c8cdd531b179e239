"""Measure how far an analysis can be trusted: is it the same with other luck, does it tell weak players from strong?

    python benchmarks/analysis.py --series 100 --games 10

Three bots sit at each table: `hard`, the same bot with one turn of ten left to chance, and with one of four. Seats
are rotated. In each series the mean accuracy of the three should fall in this order. The games of the first
series are analysed a second time with another seed: accuracy should differ by no more than 2, and the three largest
mistakes should be the same.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator

import numpy as np

import branchline as bl
from branchline.bots import Position
from branchline.bots.levels import Erring, HardBot


class ErrsInTen(Erring):
    """Errs in one turn of ten."""

    name = "errs in 1 of 10"
    bot = HardBot
    share = 0.1


class ErrsInFour(Erring):
    """Errs in one turn of four."""

    name = "errs in 1 of 4"
    bot = HardBot
    share = 0.25


BOTS = (HardBot, ErrsInTen, ErrsInFour)
WORST = 3  # mistakes that are compared from run to run


def played(board: bl.Board, number: int) -> tuple[bl.Game, list[int]]:
    """A game, and which of `BOTS` sat at each seat."""
    who = [(seat + number) % len(BOTS) for seat in range(len(BOTS))]
    game = bl.Game(board, len(BOTS), seed=number)
    players = [BOTS[bot](number * len(BOTS) + seat) for seat, bot in enumerate(who)]
    while not game.over:
        position = Position.of(game)
        game.play(players[position.seat].choose(position))
    return game, who


def accuracies(found: bl.Analysis, who: list[int]) -> list[float]:
    """Of each of `BOTS`."""
    return [found.ledger(who.index(bot)).accuracy for bot in range(len(BOTS))]


def same_mistakes(once: bl.Analysis, again: bl.Analysis) -> tuple[bool, bool]:
    """Whether the largest mistake of one run is among the three largest of the other, and whether two of three are."""
    first, second = ([one.step for one in found.turning_points(WORST)] for found in (once, again))
    shared = len(set(first) & set(second))
    return not first or first[0] in second, shared >= min(2, len(first))


def main() -> None:
    """Play, analyse, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="europe", help="an edition, or a board folder")
    parser.add_argument("--series", type=int, default=10)
    parser.add_argument("--games", type=int, default=10, help="of each series")
    parser.add_argument("--rollouts", type=int, default=400, help="of each analysis")
    parser.add_argument("--twice", type=int, default=10, help="games that are analysed a second time")
    parser.add_argument("--jobs", type=int, default=0, help="threads; 0: one for each core")
    asked = parser.parse_args()
    for line in measured(asked):
        print(line, flush=True)


def measured(asked: argparse.Namespace) -> Iterator[str]:
    """Line by line, as it comes."""
    board, jobs = bl.load_board(asked.board), asked.jobs or os.cpu_count() or 1
    differences, tops, pairs, ordered, seconds = [], [], [], 0, []
    for series in range(asked.series):
        rows = []
        for number in range(series * asked.games, (series + 1) * asked.games):
            game, who = played(board, number)
            record, began = game.record(), time.process_time()
            found = bl.analyse(record, board=board, rollouts=asked.rollouts, jobs=jobs, seed=1)
            seconds.append((time.process_time()) - began)
            rows.append(accuracies(found, who))
            if number < asked.twice:
                again = bl.analyse(record, board=board, rollouts=asked.rollouts, jobs=jobs, seed=2)
                differences += list(np.subtract(accuracies(again, who), rows[-1]))
                top, pair = same_mistakes(found, again)
                tops.append(top)
                pairs.append(pair)
        means = np.mean(rows, axis=0)
        ordered += bool(means[0] > means[1] > means[2])
        told = ", ".join(f"{bot.name} {mean:.1f}" for bot, mean in zip(BOTS, means, strict=True))
        yield f"series {series + 1}: {told}; in order so far {ordered} of {series + 1}"
    off = np.abs(differences)
    yield f"accuracy from run to run: within 2 in {np.mean(off <= 2):.0%} of {len(off)}, at most {off.max():.1f}"
    yield f"the largest mistake is among the three largest of the other run in {sum(tops)} of {len(tops)} games"
    yield f"at least two of the three largest are the same in {sum(pairs)} of {len(pairs)} games"
    yield f"an analysis took {np.mean(seconds):.1f} s, at most {max(seconds):.1f}"


if __name__ == "__main__":
    main()
