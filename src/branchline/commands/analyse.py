"""`branchline analyse`: review a finished game: win probabilities, better moves, luck and skill."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import Theme, ThemeOption, sound_board
from branchline.commands.files import DASH, CommandError, called, write_json, write_text
from branchline.commands.pace import compile_rules_first
from branchline.commands.progress import progress
from branchline.commands.replay import read_record
from branchline.commands.screen import columns, plain, say, show

if TYPE_CHECKING:
    from branchline.analysis import Analysis

SHOWN = 8  # of the moves that cost most


def analyse(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The record; - reads standard input.")],
    rollouts: Annotated[
        int, typer.Option(min=20, max=100_000, help="Playouts for each decision: more is more precise and slower.")
    ] = 400,
    seat: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Only the decisions of this seat; can be repeated.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Number of threads; 0: one for each core.")] = 0,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed gives the same analysis.")] = 1,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE|-", help="Draw the win probabilities into this file.")
    ] = None,
    theme: ThemeOption = Theme.light,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if the record's own is not found.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole analysis as JSON.")] = False,
) -> None:
    """Review a finished game: win probability by move, better moves, luck and skill."""
    if as_json and svg == DASH:
        raise CommandError("--json and --svg - cannot both use standard output")
    compile_rules_first()
    record = read_record(file)
    for one in seat or ():
        if not 0 <= one < record.seats:
            raise CommandError(f"--seat {one}: the record has seats 0 to {record.seats - 1}")
    from branchline.analysis import AnalysisError, curve_svg
    from branchline.analysis import analyse as look_through
    from branchline.draw.palette import THEMES
    from branchline.game import RecordError

    try:
        with progress("Analysis", len(record.actions)) as done:
            found = look_through(
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
    if svg is not None:
        write_text(svg, curve_svg(found, THEMES[theme.value]))
    if as_json:
        write_json(found.as_dict())
    elif svg != DASH:
        _show(found)


def _show(found: Analysis) -> None:
    points = ", ".join(f"{name} {total}" for name, total in zip(found.names, found.totals, strict=True))
    say(f"{found.board.title}: {points}", style="bold")
    say()
    _show_ledgers(found)
    say()
    _show_moves(found)


def _show_ledgers(found: Analysis) -> None:
    """Where each seat's result comes from."""
    ledgers = [found.ledger(seat) for seat in range(len(found.names)) if found.of(seat)]
    names = [plain(found.names[one.seat]) for one in ledgers]
    table = columns("win probability", *names, right=tuple(names))
    table.add_row("even", *(f"{one.even:.0%}" for one in ledgers), style="dim")
    for label, part in (
        ("luck of the deal", "deal"),
        ("luck with cards", "cards"),
        ("luck with tickets", "tickets"),
        ("luck with tunnels", "tunnels"),
        ("moves of others", "others"),
        ("better moves missed", "lost"),
    ):
        if part != "tunnels" or any(one.tunnels for one in ledgers):
            table.add_row(label, *(_signed(getattr(one, part)) for one in ledgers))
    table.add_row("result", *(f"{one.result:.0%}" for one in ledgers), style="bold")
    show(table)


def _show_moves(found: Analysis) -> None:
    """The moves that cost most."""
    worst = found.turning_points(SHOWN)
    if not worst:
        say("No clearly better moves were found.")
        return
    table = columns("action", "player", "played", "better", "cost", right=("action", "cost"))
    for one in worst:
        assert one.better is not None
        better = one.better.move.text + (f": {one.better.why}" if one.better.why else "")
        did = one.played.move.text
        table.add_row(str(one.step + 1), plain(found.names[one.seat]), plain(did), plain(better), _signed(-one.lost))
    show(table)


def _signed(share: float) -> str:
    return f"{share:+.0%}".replace("-", "\N{MINUS SIGN}") if round(share, 2) else "0%"
