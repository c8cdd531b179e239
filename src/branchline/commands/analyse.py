"""`branchline analyse`: review a finished game: win probabilities, accuracy, mistakes and luck."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import ThemeName, ThemeOption, sound_board
from branchline.commands.files import DASH, CommandError, called, write_json, write_text
from branchline.commands.progress import progress
from branchline.commands.replay import read_record
from branchline.commands.screen import columns, plain, say, show

if TYPE_CHECKING:
    from branchline.analysis import Analysis

SHOWN = 8  # of the largest mistakes
LUCK = {"deal": "the deal", "cards": "cards", "tickets": "tickets", "tunnels": "tunnels"}


def analyse(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The record; - reads standard input.")],
    rollouts: Annotated[
        int,
        typer.Option(
            min=20, max=100_000, help="Most playouts of each of two answers compared: more is more precise and slower."
        ),
    ] = 400,
    seat: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Only the decisions of this seat; can be repeated.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Number of threads; 0: one for each core.")] = 0,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same analysis.")] = 1,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE|-", help="Draw the win probabilities into this file.")
    ] = None,
    theme: ThemeOption = ThemeName.light,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if the record's own is not found.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole analysis as JSON.")] = False,
) -> None:
    """Review a finished game: everybody's win probability, accuracy, mistakes and luck."""
    if as_json and svg == DASH:
        raise CommandError("--json and --svg - cannot both use standard output")
    record = read_record(file)
    for number in seat or ():
        if not 0 <= number < record.seats:
            raise CommandError(f"--seat {number}: the record has seats 0 to {record.seats - 1}")
    from branchline.analysis import AnalysisError, curve_svg
    from branchline.analysis import analyse as look_through
    from branchline.draw.palette import THEMES
    from branchline.game import RecordError

    try:
        with progress("Analysis", len(record.actions)) as done:
            analysis = look_through(
                record,
                board=None if board is None else sound_board(board),
                rollouts=rollouts,
                jobs=jobs or os.cpu_count() or 1,
                seed=seed,
                seats=seat,
                on_progress=done,
            )
    except (AnalysisError, RecordError) as error:
        raise CommandError(f"{called(file)}: {str(error).splitlines()[0]}") from None
    if as_json:
        write_json(analysis.as_dict())
    elif svg != DASH:
        _show(analysis)
    if svg is not None:
        write_text(svg, curve_svg(analysis, THEMES[theme.value]))


def _show(analysis: Analysis) -> None:
    points = ", ".join(f"{plain(name)} {total}" for name, total in zip(analysis.names, analysis.totals, strict=True))
    say(f"{analysis.board.title}: {points}", style="bold")
    say()
    _show_ledgers(analysis)
    say()
    _show_moves(analysis)


def _show_ledgers(analysis: Analysis) -> None:
    """Print how well each seat played, and where its result comes from, in one sentence."""
    ledgers = [analysis.ledger(seat) for seat in range(len(analysis.names)) if analysis.of(seat)]
    heads = ("accuracy", "given away", "large", "medium", "small", "decisions")
    table = columns("player", *heads, right=heads)
    for ledger in ledgers:
        sizes = (str(ledger.large), str(ledger.medium), str(ledger.small))
        name = plain(analysis.names[ledger.seat])
        table.add_row(name, f"{ledger.accuracy:.0f}", _points(100 * ledger.lost), *sizes, str(ledger.real))
    show(table)
    say()
    for ledger in ledgers:
        start, luck, lost, others, end = ledger.sentence()
        name = plain(analysis.names[ledger.seat])
        say(
            f"{name} started with {start}, luck {_points(luck)}, own mistakes {_points(lost)}, "
            f"the others' mistakes {_points(others)} = {end} at the end."
        )
        kinds = ledger.kinds()
        if not analysis.board.tunnel_cards:
            del kinds["tunnels"]
        low, high = (_points(100 * value) for value in ledger.luck_range)
        parts = ", ".join(f"{LUCK[kind]} {_points(value)}" for kind, value in kinds.items())
        say(f"  luck {_points(luck)} (between {low} and {high}) = {parts}", style="dim")
    say("Figures are points of chance to win; 100 is certain victory.", style="dim")


def _show_moves(analysis: Analysis) -> None:
    """Print the largest mistakes."""
    worst = analysis.turning_points(SHOWN)
    if not worst:
        say("No mistakes found.")
        return
    table = columns("action", "player", "mistake", "played", "better", "lost", right=("action", "lost"))
    for decision in worst:
        assert decision.better is not None
        better = decision.better.move.text + (f": {decision.better.why}" if decision.better.why else "")
        name, did = plain(analysis.names[decision.seat]), plain(decision.played.move.text)
        table.add_row(str(decision.step + 1), name, decision.mistake, did, plain(better), _points(-100 * decision.lost))
    show(table)


def _points(value: float) -> str:
    return f"{round(value):+d}".replace("-", "\N{MINUS SIGN}") if round(value) else "0"
