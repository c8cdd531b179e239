"""`branchline benchmark`: grade whatever reads a position and writes a move, such as a language model."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.boards import builtin_boards
from branchline.boards.faults import quoted
from branchline.commands.files import CommandError, write_json
from branchline.commands.progress import progress
from branchline.commands.screen import columns, counted, plain, say, show

if TYPE_CHECKING:
    from branchline.assistants.benchmark import Player, Report, Share


def benchmark(
    player: Annotated[str, typer.Argument(metavar="MODULE:FUNCTION", help="A function from a prompt to an answer.")],
    boards: Annotated[
        str, typer.Option(metavar="NAME,NAME…", help="The editions.", show_default="all of them")
    ] = ",".join(builtin_boards()),
    puzzles: Annotated[int, typer.Option(min=0, help="Puzzles of each edition.")] = 10,
    levels: Annotated[str, typer.Option(metavar="BOT,BOT…", help="The opponents.")] = "easy,medium,hard,expert",
    games: Annotated[int, typer.Option(min=0, help="Games against each of them.")] = 10,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same games.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Grade a language model: lessons, puzzles, then whole games against the levels."""
    from branchline.assistants.benchmark import Examiner
    from branchline.bots import bot_maker

    names, opponents = ([name.strip() for name in argument.split(",")] for argument in (boards, levels))
    for name in names:
        if name not in builtin_boards():
            raise CommandError(f"--boards: {quoted(name)} is no edition")
    for name in opponents:
        bot_maker(name)
    examiner = Examiner(function_named(player), seed)
    with progress("Benchmark", 0) as done:
        parts = (examiner.lessons(names), examiner.puzzles(names, puzzles), examiner.games(names, opponents, games))
        for n, _ in enumerate((level for part in parts for level in part), 1):
            done(n)
    if as_json:
        write_json(_finite(examiner.report.as_dict()))
    else:
        _show(examiner.report)


def function_named(name: str) -> Player:
    """Return a function, given as `module:function`."""
    module, colon, attribute = name.partition(":")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except Exception as fault:
        raise CommandError(f"{plain(name)} cannot be loaded: {fault or type(fault).__name__}") from None
    if not colon or not callable(function):
        raise CommandError(f"expected module:function, not {plain(name)}")
    player: Player = function
    return player


def _finite(value: object) -> object:
    """Return a value that JSON can hold: it has no infinite numbers."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _show(report: Report) -> None:
    table = columns("step", "tasks", "right", "95 %", "Elo", right=("tasks", "right", "95 %", "Elo"))
    for name, share in (("lessons", report.lessons), ("puzzles", report.puzzles)):
        table.add_row(name, *_figures(share), "")
    for level, share in report.games.items():
        low, mean, high = (
            f"{limit:+.0f}" if math.isfinite(limit) else "−∞" if limit < 0 else "∞" for limit in share.elo
        )
        table.add_row(f"games against {plain(level)}", *_figures(share), f"{mean} ({low} … {high})")
    show(table)
    say(f"In the puzzles {100 * report.given_away:.1f} % of the chance to win were given away on average.")
    say(f"{counted(report.asked, 'answer')}, {report.refused:,} of them refused, {report.tokens:,} tokens.")


def _figures(share: Share) -> tuple[str, str, str]:
    low, high = share.interval
    return f"{share.of}", f"{100 * share.mean:.1f} %", f"{100 * low:.1f} … {100 * high:.1f}"
