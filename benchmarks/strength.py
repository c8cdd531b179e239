"""Measure how strong the bots are, on all editions with all numbers of seats, and write `docs/strength.md`.

    python benchmarks/strength.py --games 1000 --search-games 60
    python benchmarks/strength.py --games 400 --levels     # prints the tables of the levels alone

The same seed and numbers of games give the same page. Bots that search answer after a fixed number of games played
out, never after a time, so their figures do not depend on the machine. How often seats block each other and whether
that pays is told by `branchline board balance`, see `docs/balance.md`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import branchline as bl
from branchline.arena.results import COMPONENTS, Standing
from branchline.boards import builtin_boards
from branchline.bots import bot_maker
from branchline.bots.api.bot import Position
from branchline.bots.levels import LEVELS as ALL_LEVELS
from branchline.bots.levels import MasterBot
from branchline.bots.networks.policy_networks import shipped_network

SEARCH = "search@60"
LEARNED = "learned"
QUICK = ("planner", LEARNED, "fast", "greedy", "racer", "route-focused", "long-route", "one-step", "hungry", "random")
LEVELS = [level.name for level in ALL_LEVELS if level is not MasterBot]  # how strong that one is depends on the machine
SEARCHED = 2  # seats; with more of them such games take hours
RATING_GAMES = 5  # part of the games that each pairing of the ratings plays: one in so many
LOOKED_AT = 40  # games that are followed card by card, at most
PAGE = Path(__file__).parent.parent / "docs" / "strength.md"


@dataclass(frozen=True)
class Use:
    """What one bot made of its cards and pieces in games against itself, the mean of a seat."""

    bot: str
    cards: float  # dealt and drawn
    left: float  # of them at the end
    pieces: float  # not placed


def use_of(board: bl.Board, bot: str, seats: int, games: int, seed: int) -> Use:
    """Play some games step by step and count the cards."""
    had = left = pieces = 0
    for number in range(games):
        game = bl.Game(board, seats=seats, seed=seed + number)
        players = [bot_maker(bot)(seed + seats * number + seat) for seat in range(seats)]
        held = _cards(game)
        had += int(held.sum())
        while not game.over:
            position = Position.of(game)
            game.play(players[position.seat].choose(position))
            now = _cards(game)
            had += int(np.maximum(now - held, 0).sum())
            held = now
        left += int(held.sum())
        pieces += int(game.state["pieces"][0, :seats].sum())
    count = games * seats
    return Use(bot, had / count, left / count, pieces / count)


def _cards(game: bl.Game) -> Any:
    """How many cards each seat holds."""
    return game.state["hand"][0, : game.seats].sum(axis=1)


def main() -> None:
    """Play everything and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="of each line-up of quick bots")
    parser.add_argument("--search-games", type=int, default=60, help="of each line-up with a bot that searches")
    parser.add_argument("--seed", type=int, default=20, help="the same seed gives the same page")
    parser.add_argument("--jobs", type=int, default=0, help="processes; 0: one for each core")
    parser.add_argument("--boards", nargs="*", default=list(builtin_boards()), help="the editions, or board folders")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page")
    parser.add_argument("--levels", action="store_true", help="print the tables of the levels, and write no page")
    asked = parser.parse_args()
    if asked.levels:
        for line in levels(asked):
            print(line, flush=True)
        return
    lines = [*head(asked.games, asked.search_games, asked.seed), *levels(asked)]
    for name in asked.boards:
        began = time.perf_counter()
        lines += chapter(bl.load_board(name), asked)
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def head(games: int, search_games: int, seed: int) -> Iterator[str]:
    """What the page is, and how to read it."""
    yield "# How strong the bots are"
    yield ""
    yield (
        f"`python benchmarks/strength.py --games {games} --search-games {search_games} --seed {seed}` writes this page."
        " The bots change seats, and every rotation plays the same deals. The figures after ± are half the width of a"
        " 95 % interval; smaller differences mean nothing."
    )
    yield ""
    yield (
        f"`{SEARCH}` makes 60 playouts before each answer, or up to 80 if there is much to try. `{LEARNED}` plays like"
        " `planner` with numbers of seats that it has not learned, and is not listed there. Planners with one habit are"
        " compared in [experiments.md](experiments.md#opponents-with-habits)."
        " `racer` keeps its cheapest tickets,"
        " claims long routes and ends the game early; [write_a_bot.md](write_a_bot.md) describes the others."
    )
    yield ""
    yield (
        "[balance.md](balance.md) shows how often seats block each other, whether that pays, and how much it is worth"
        " to play first."
    )
    yield ""


def levels(asked: argparse.Namespace) -> Iterator[str]:
    """How each level does against the one below."""
    yield "## Levels"
    yield ""
    yield (
        "Games that each level of the web table wins against the one below, in per cent, two seats. `easy` is"
        " `one-step` that dawdles, `medium` and `hard` are `planner` with slips, `expert` is `planner`, and `master` is"
        " `search` with about a second."
    )
    yield ""
    yield from head_of("edition", [f"`{stronger}` over `{weaker}`" for weaker, stronger in pairwise(LEVELS)])
    for name in asked.boards:
        board = bl.load_board(name)
        yield row(
            board.title,
            [share(board, [stronger, weaker], asked.games, asked) for weaker, stronger in pairwise(LEVELS)],
        )
    yield ""
    yield from level_ratings(asked)


def level_ratings(asked: argparse.Namespace) -> Iterator[str]:
    """How far apart the levels are, from games of each with each."""
    yield "In Elo, from games of each with each; `easy` stands at 0, and ± is half the width of a 95 % interval:"
    yield ""
    yield from head_of("edition", [f"`{level}`" for level in LEVELS])
    for name in asked.boards:
        board = bl.load_board(name)
        rated = bl.tournament(board, LEVELS, max(asked.games // 2, 2), asked.seed, jobs=asked.jobs).ratings
        elo = {one.bot: one.elo for one in rated}
        zero = elo[LEVELS[0]].mean
        yield row(
            board.title,
            [f"{one.mean - zero:.0f} ± {(one.high - one.low) / 2:.0f}" for one in (elo[name] for name in LEVELS)],
        )
    yield ""


def chapter(board: bl.Board, asked: argparse.Namespace) -> Iterator[str]:
    """The figures of one board."""
    seats = range(board.seats[0], board.seats[1] + 1)
    yield f"## {board.title}"
    yield ""
    weights = ", ".join(sorted({str(board.weights.at(count)) for count in seats}))
    yield f"Weights of `planner`: {weights}."
    yield ""
    yield "Games won by one bot among `planner` bots, in per cent. Equal bots would win"
    yield f"{', '.join(f'{100 / count:.0f} with {count} seats' for count in seats)}."
    yield "The rating is in Elo, with `random` at 0, from games for two."
    yield ""
    yield from ranks(board, seats, asked)
    yield ""
    yield "How they play among themselves: means of a seat."
    yield ""
    yield from habits(board, seats, asked)
    yield ""


def ranks(board: bl.Board, seats: Sequence[int], asked: argparse.Namespace) -> Iterator[str]:
    """One row for each bot: among planners, against greedy ones, and its rating."""
    games = max(asked.games // RATING_GAMES, 2)
    rated = bl.tournament(board, list(QUICK), games, asked.seed, jobs=asked.jobs).ratings
    zero = next(one.elo.mean for one in rated if one.bot == "random")
    elo = {one.bot: one for one in rated}
    yield from head_of("bot", [*(f"{count} seats" for count in seats), "rating"])
    for bot in (SEARCH, *QUICK[1:]):
        if not any(is_measured(board, bot, count) for count in seats):
            continue
        cells = []
        for count in seats:
            if not is_measured(board, bot, count):
                cells.append("")
                continue
            wanted = asked.search_games if bot == SEARCH else asked.games
            cells.append(share(board, [bot, *["planner"] * (count - 1)], wanted, asked))
        rating = f"{elo[bot].elo.mean - zero:.0f}" if bot in elo else ""
        yield row(f"`{bot}`", [*cells, rating])
    yield row("`planner`", [*(f"{100 / count:.0f}" for count in seats), f"{elo['planner'].elo.mean - zero:.0f}"])


def is_measured(board: bl.Board, bot: str, seats: int) -> bool:
    """Whether games of this bot take no hours, and it is not the planner under another name."""
    if bot == LEARNED:
        return len(shipped_network(board, seats)) > 0
    return bot != SEARCH or seats <= SEARCHED


def share(board: bl.Board, bots: Sequence[str], games: int, asked: argparse.Namespace) -> str:
    """Games that the first of these bots wins, in per cent."""
    games = -(-games // len(bots)) * len(bots)
    found = bl.simulate(board, bots, games, asked.seed, seats=len(bots), jobs=asked.jobs)
    won = standing(found.standings, bots[0]).win_share
    return f"{100 * won.mean:.1f} ± {50 * (won.high - won.low):.1f}"


def habits(board: bl.Board, seats: Sequence[int], asked: argparse.Namespace) -> Iterator[str]:
    """How a few bots play among themselves: points by source, turns, tickets, cards, pieces."""
    lines: list[tuple[str, Standing, list[str]]] = []
    for bot in (SEARCH, LEARNED, "planner", "racer", "greedy"):
        for count in seats:
            if not is_measured(board, bot, count):
                continue
            many = asked.search_games if bot == SEARCH else asked.games
            found = bl.simulate(board, [bot] * count, many, asked.seed, seats=count, jobs=asked.jobs)
            one = standing(found.standings, bot)
            use = use_of(board, bot, count, min(many, LOOKED_AT), asked.seed)
            others = [
                f"{found.turns.mean:.1f}",
                f"{one.tickets_done:.1f} of {one.tickets_held:.1f}",
                f"{use.left:.1f} of {use.cards:.0f} ({100 * use.left / use.cards:.0f} %)",
                f"{use.pieces:.1f}",
            ]
            lines.append((f"{count} × `{bot}`", one, others))
    sources = [one for one in COMPONENTS if any(standing.components[one] for _, standing, _ in lines)]
    names = [one.replace("_bonus", " bonus") for one in sources]
    yield from head_of("bots", ["points", *names, "turns", "tickets done", "cards left", "pieces left"])
    for name, one, others in lines:
        yield row(name, [f"{one.score.mean:.1f}", *(f"{one.components[source]:.1f}" for source in sources), *others])


def standing(found: Sequence[Standing], bot: str) -> Standing:
    """How one of them did."""
    return next(one for one in found if one.bot == bot)


def head_of(first: str, names: Sequence[str]) -> Iterator[str]:
    """The head of a table in Markdown, numbers to the right."""
    yield row(first, names)
    yield "|---|" + "---:|" * len(names)


def row(first: str, cells: Sequence[str]) -> str:
    """A row of it."""
    return f"| {first} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
