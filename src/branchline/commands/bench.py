"""`branchline bench`: measure speed on this machine."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Annotated

import typer

from branchline.commands.files import CommandError, write_json
from branchline.commands.progress import progress
from branchline.commands.screen import columns, say, show
from branchline.plain_data import JsonObject

REPEATS = 5
SEATS = (2, 4)
BOTS = ("random", "greedy", "fast", "planner")
TRAILS = 500  # networks tried for the longest trail

# What a fresh process does in order to have one game played; it prints nothing.
ONE_GAME = """
from branchline.boards import load_board
from branchline.rules import kernel, playout
from branchline.rules.state import SCRATCH, STATE
board, states, scratch = load_board("europe").tables, kernel.new_buffer(STATE, 2), kernel.new_buffer(SCRATCH)
one = kernel.record_in
playout.play_many(one(board), states[:1], states[1:], one(scratch), 2, 1, 1)
"""
ONE_GREEDY_GAME = """
import branchline
branchline.simulate("europe", ["greedy", "greedy"], 1, 1)
"""
IMPORT = "import time; start = time.perf_counter(); import branchline; print(time.perf_counter() - start)"


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    seconds: Annotated[float, typer.Option(min=0.05, max=60.0, help="Time for each figure.")] = 1.0,
    start: Annotated[bool, typer.Option("--start/--no-start", help="Also time fresh starts.")] = True,
) -> None:
    """Measure self-play of the bots on one core, and start-up time."""
    from branchline.boards import builtin_boards

    editions = builtin_boards()
    figures: JsonObject = {"machine": _machine(), "repeats": REPEATS, "seconds": seconds}
    with progress("measuring", len(editions) * len(SEATS) * len(BOTS) + start) as done:
        count = 0
        for bot in BOTS:
            figures[bot] = []
            for edition in editions:
                for seats in SEATS:
                    speed = _self_play(bot, edition, seats, seconds)
                    figures[bot].append({"edition": edition, "seats": seats} | speed)
                    count += 1
                    done(count)
        figures["search"] = [_playouts(edition, seats, seconds) for edition in editions for seats in SEATS]
        figures["trail"] = _longest_trail()
        figures["start"] = _start() if start else None
    if as_json:
        write_json(figures)
    else:
        _show(figures)


# ------------------------------------------------------------------------------------------------ what is measured


def _self_play(bot: str, edition: str, seats: int, seconds: float) -> dict[str, float]:
    """Measure a bot against itself in the arena: redaction, choice, checks, scoring. Random play is the rules' own."""
    if bot == "random":
        return _random(edition, seats, seconds)
    from branchline.arena.table import Table
    from branchline.boards import load_board
    from branchline.bots import bot_maker

    table = Table(load_board(edition), [bot_maker(bot)] * seats, seed=1)
    return _speed(lambda games, first: int(table.play(first, games)["actions"].sum()), seconds)


def _random(edition: str, seats: int, seconds: float) -> dict[str, float]:
    """Measure random self-play as the rules do it, scoring included."""
    from branchline.boards import load_board
    from branchline.rules import kernel, playout
    from branchline.rules.state import SCRATCH, STATE

    board = kernel.record_in(load_board(edition).tables)
    states, empty, scratch = (
        kernel.new_buffer(STATE),
        kernel.new_buffer(STATE),
        kernel.record_in(kernel.new_buffer(SCRATCH)),
    )

    def play(games: int, seed: int) -> int:
        return int(playout.play_many(board, states, empty, scratch, seats, seed, games))

    return _speed(play, seconds)


def _speed(play: Callable[[int, int], int], seconds: float) -> dict[str, float]:
    """Return the median of some repeats, each as long as its share of the time."""
    play(1, 1)  # load what is needed
    games = 1
    while _timed(play, games, 2)[0] < seconds / REPEATS / 4:
        games *= 2
    games = max(1, int(games * seconds / REPEATS / max(1e-9, _timed(play, games, 2)[0])))
    timed = [_timed(play, games, 1000 * repeat) for repeat in range(1, REPEATS + 1)]
    return {
        "games_per_second": round(statistics.median(games / taken for taken, _ in timed), 1),
        "decisions_per_second": round(statistics.median(actions / taken for taken, actions in timed)),
        "ns_per_decision": round(1e9 * statistics.median(taken / actions for taken, actions in timed)),
        "decisions_per_game": round(sum(actions for _, actions in timed) / (games * REPEATS), 1),
        "games": games * REPEATS,
    }


def _timed(play: Callable[[int, int], int], games: int, first: int) -> tuple[float, int]:
    started = time.perf_counter()
    actions = play(games, first)
    return time.perf_counter() - started, actions


def _playouts(edition: str, seats: int, seconds: float) -> dict[str, object]:
    """Return how many games `search` plays out in a second on one core, at the first turn of a game."""
    from branchline.boards import load_board
    from branchline.bots import Position, make_bot
    from branchline.bots.api import memory
    from branchline.bots.search.search import Budget, Search
    from branchline.game import Game
    from branchline.rules import kernel

    game = Game(load_board(edition), seats, 1)
    planner = make_bot("planner", 1)
    while game.question.kind != "turn":
        game.play(planner.choose(Position.of(game)))
    search, thinking = Search(), kernel.record_in(memory.new_memory())
    rates = []
    for repeat in range(1 + REPEATS):  # the first one loads what is needed
        search.begin(Position.of(game), thinking, repeat)
        started = time.perf_counter()
        search.spend(Budget(seconds=seconds / REPEATS))
        played = sum(estimate.worlds for estimate in search.estimates())
        rates.append(played / (time.perf_counter() - started))
    return {"edition": edition, "seats": seats, "playouts_per_second": round(statistics.median(rates[1:]), 1)}


def _longest_trail() -> dict[str, float]:
    """Return milliseconds for the longest trail of dense networks of 45 trains on the Europe board."""
    from branchline.arena.dense_networks import time_trails
    from branchline.boards import load_board

    board = load_board("europe")
    taken = time_trails(board, board.pieces.count[0], TRAILS, 1)
    return {
        "networks": TRAILS,
        "median_ms": round(1000 * statistics.median(taken), 3),
        "worst_ms": round(1000 * taken[-1], 3),
    }


def _start() -> dict[str, float]:
    """Return the seconds that new processes take from start to end, with an empty cache and with a filled one."""
    with tempfile.TemporaryDirectory(prefix="branchline-bench-") as empty:
        return {
            "import": round(float(_fresh(IMPORT, empty)[1]), 3),
            "first": round(_fresh(ONE_GAME, empty)[0], 2),
            "cached": round(_fresh(ONE_GAME, empty)[0], 2),
            "greedy_first": round(_fresh(ONE_GREEDY_GAME, empty)[0], 2),
            "greedy_cached": round(_fresh(ONE_GREEDY_GAME, empty)[0], 2),
        }


def _fresh(script: str, cache: str) -> tuple[float, str]:
    """Run a script in a new process; its seconds and what it printed."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "BRANCHLINE_CACHE": cache},
        capture_output=True,
        text=True,
    )
    taken = time.perf_counter() - started
    if done.returncode != 0:
        raise CommandError(f"a fresh start failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    return taken, done.stdout


def _machine() -> dict[str, str]:
    from branchline.runtime import mode

    return {
        "processor": platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "rules": mode.WAY,
    }


# ------------------------------------------------------------------------------------------------ what is shown


def _show(figures: JsonObject) -> None:
    numbers = ("seats", "games/s", "decisions/s", "ns a decision", "decisions a game")
    for bot in BOTS:
        say(f"{bot.capitalize()} self-play, one core", style="bold")
        table = columns("edition", *numbers, right=numbers)
        for row in figures[bot]:
            table.add_row(
                row["edition"],
                str(row["seats"]),
                f"{row['games_per_second']:,.0f}",
                f"{row['decisions_per_second']:,.0f}",
                f"{row['ns_per_decision']:,.0f}",
                f"{row['decisions_per_game']:.0f}",
            )
        show(table)
        say()
    say("Search, one core", style="bold")
    table = columns("edition", "seats", "playouts/s", right=("seats", "playouts/s"))
    for row in figures["search"]:
        table.add_row(row["edition"], str(row["seats"]), f"{row['playouts_per_second']:,.0f}")
    show(table)
    say()
    trails = figures["trail"]
    say("Longest trail", style="bold")
    say(f"{trails['networks']} dense networks of 45 trains on Europe: median {trails['median_ms']:.3f} ms,")
    say(f"worst {trails['worst_ms']:.3f} ms")
    say()
    if figures["start"]:
        start = figures["start"]
        say("Starting", style="bold")
        say(f"import branchline: {start['import']:.2f} s")
        for label, first, cached in (
            ("a first random game", "first", "cached"),
            ("then a first greedy game", "greedy_first", "greedy_cached"),
        ):
            say(f"{label}: {start[first]:.2f} s with an empty cache, {start[cached]:.2f} s later")
