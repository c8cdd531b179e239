"""`branchline puzzles`: finds positions with one clearly best move, and confirms them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.files import DASH, CommandError, called, read_text, write_json, write_text
from branchline.commands.progress import progress
from branchline.commands.screen import columns, counted, plain, say, show

if TYPE_CHECKING:
    from branchline.teaching.puzzles import Collection, Confirmation

app = typer.Typer(help="Puzzles: positions with one clearly best move.", no_args_is_help=True)

UNCONFIRMED = 1
MOST = 10_000
MOST_SECONDS = 1_000_000

Jobs = Annotated[int, typer.Option(min=0, max=256, help="Number of threads; 0: one for each core.")]


@app.command()
def make(
    board: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Name or folder of a board.")],
    count: Annotated[int, typer.Option(min=1, max=MOST, help="How many puzzles.")] = 50,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="The same seed finds the same puzzles.")] = 1,
    out: Annotated[
        str,
        typer.Option("--out", metavar="FILE|-", help="Where they go; a file with puzzles of this seed is continued."),
    ] = DASH,
    jobs: Jobs = 0,
    seconds: Annotated[
        float | None, typer.Option(min=0, max=MOST_SECONDS, help="Begin no game after so many seconds.")
    ] = None,
    rollouts: Annotated[
        int, typer.Option(min=20, max=100_000, help="Playouts for each answer: more is surer and slower.")
    ] = 400,
) -> None:
    """Find puzzles in games between planners, and sort them by theme and difficulty."""
    from branchline.teaching.puzzles import Collection, PuzzleError
    from branchline.teaching.puzzles import make as find

    chosen = sound_board(board)
    try:
        begun = None
        if out != DASH and Path(out).exists():
            begun = Collection.from_json(read_text(out, "file of puzzles"), chosen)
        with progress(chosen.title, count) as done:

            def keep(collection: Collection) -> None:
                if out != DASH:
                    write_text(out, collection.to_json())
                done(len(collection.puzzles))

            collection = find(
                chosen,
                count,
                seed=seed,
                jobs=jobs or os.cpu_count() or 1,
                seconds=seconds,
                rollouts=rollouts,
                begun=begun,
                on_found=keep,
            )
    except PuzzleError as error:
        raise CommandError(f"{called(out)}: {error}") from None
    if out == DASH:
        write_text(DASH, collection.to_json())
    else:
        say(f"{counted(len(collection.puzzles), 'puzzle')} from {counted(collection.games, 'game')} in {plain(out)}.")


@app.command()
def compare(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of puzzles; it is rewritten.")],
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if the file's own is not found.")
    ] = None,
) -> None:
    """Compare each answer with the next best in points and turns, and write the figures into the file."""
    from branchline.teaching.puzzles import Collection, PuzzleError, compared

    try:
        own_board = sound_board(board) if board else None
        collection = Collection.from_json(read_text(file, "file of puzzles"), own_board)
        puzzles = []
        with progress("Puzzles", len(collection.puzzles)) as done:
            for puzzle in collection.puzzles:
                puzzles.append(compared(puzzle, puzzle.position(own_board)))
                done(len(puzzles))
    except PuzzleError as error:
        raise CommandError(f"{called(file)}: {error}") from None
    write_text(file, replace(collection, puzzles=tuple(puzzles)).to_json())
    say(f"{counted(len(puzzles), 'puzzle')} compared in {plain(file)}.")


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A file of puzzles; - reads standard input.")],
    times: Annotated[
        int, typer.Option(min=1, max=1000, help="How many times the rollouts of its making, at most.")
    ] = 10,
    seed: Annotated[int, typer.Option(min=1, max=2**10, help="Of the luck.")] = 1,
    puzzle: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this one; can be repeated.")] = None,
    jobs: Jobs = 0,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if the file's own is not found.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Confirm puzzles with ten times the rollouts; the exit code is 1 if any has another answer now."""
    from branchline.teaching.puzzles import Collection, PuzzleError
    from branchline.teaching.puzzles import check as look

    try:
        own_board = sound_board(board) if board else None
        collection = Collection.from_json(read_text(file, "file of puzzles"), own_board)
        for id_ in puzzle or ():
            collection.puzzle(id_)
        with progress("Puzzles", len(puzzle or collection.puzzles)) as done:
            checked = 0

            def note(_: Confirmation) -> None:
                nonlocal checked
                checked += 1
                done(checked)

            results = look(
                collection,
                own_board or sound_board(collection.board),
                times=times,
                seed=seed,
                jobs=jobs or os.cpu_count() or 1,
                only=puzzle,
                on_checked=note,
            )
    except PuzzleError as error:
        raise CommandError(f"{called(file)}: {error}") from None
    if as_json:
        write_json([_as_dict(result) for result in results])
    else:
        _show(results)
    if not all(result.confirmed for result in results):
        raise typer.Exit(UNCONFIRMED)


def _as_dict(result: Confirmation) -> dict[str, object]:
    low, high = result.lead.interval
    return {
        "puzzle": result.puzzle.id,
        "answer": result.puzzle.answers.best.move.text,
        "best": result.best,
        "confirmed": result.confirmed,
        "lead": round(result.lead.mean, 4),
        "interval": [round(low, 4), round(high, 4)],
        "worlds": result.lead.worlds,
    }


def _show(results: list[Confirmation]) -> None:
    table = columns("puzzle", "theme", "answer", "lead", "confirmed", right=("lead",))
    for result in results:
        low, high = result.lead.interval
        lead = f"{100 * result.lead.mean:.1f} ({100 * low:.1f} to {100 * high:.1f})"
        verdict = "yes" if result.confirmed else f"no: {plain(result.best)}"
        table.add_row(
            result.puzzle.id, result.puzzle.themes[0], plain(result.puzzle.answers.best.move.text), lead, verdict
        )
    show(table)
    say(f"{sum(result.confirmed for result in results)} of {counted(len(results), 'puzzle')} confirmed.")
