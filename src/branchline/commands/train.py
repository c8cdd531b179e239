"""`branchline train`: learn to play a board by playing it."""

from __future__ import annotations

import time
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.curve import Curve, curve
from branchline.commands.files import CommandError, write_json
from branchline.commands.progress import progress
from branchline.commands.screen import between_shares, columns, counted, plain, say, show
from branchline.commands.simulate import INTERRUPTED
from branchline.commands.weights import say_notes
from branchline.runtime import ask_for_native_code

if TYPE_CHECKING:
    from rich.table import Table

    from branchline.training.iteration import Round, Run

SHOWN = 10  # rounds, above the bar


def train(
    edition: Annotated[str, typer.Argument(help="An edition, or a board folder.")],
    seats: Annotated[int | None, typer.Option(help="Number of seats.", show_default="the fewest of the board")] = None,
    minutes: Annotated[float, typer.Option(min=0.0, help="After how many no further round begins.")] = 30.0,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=999, help="End after this round; with --seed always the same network.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to keep all of it.", show_default="EDITION-SEATS")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**31 - 1, help="Of all luck; kept in the folder.")] = None,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Threads that play; 0: one for each core.")] = 0,
    tensorboard: Annotated[str | None, typer.Option(metavar="FOLDER", help="Write the rounds for TensorBoard.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rounds as JSON.")] = False,
) -> None:
    """Learn to play a board by expert iteration; the file policy.npz is then a bot."""
    if find_spec("torch") is None:
        raise CommandError('training takes PyTorch, which is not installed: pip install "branchline[learn]"')
    ask_for_native_code()
    from branchline.training.iteration import Run

    board = sound_board(edition)
    say_notes(board)
    run = Run(board, board.seats[0] if seats is None else seats, out, seed)
    before = len(run.rounds)
    with curve(None, tensorboard, step="round") as keep:
        stopped = _trained(run, rounds, time.monotonic() + 60 * minutes, jobs, keep)
    if as_json:
        write_json(run.as_dict())
    else:
        _show(run, before)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _trained(run: Run, rounds: int | None, until: float, jobs: int, keep: Curve) -> bool:
    """Play and learn, and keep each round; whether it was stopped by Ctrl-C."""
    with progress(run.title, 100) as done:

        def tell(doing_now: str, share: float) -> None:
            if done is not None:
                done(round(100 * share))
                done.show(_rounds(run.rounds[-SHOWN:], doing_now))

        try:
            for round_ in run.rounds_until(rounds, until, tell, jobs):
                keep(asdict(round_))
        except KeyboardInterrupt:
            return True
    return False


def _rounds(rounds: list[Round], doing: str = "") -> Table:
    """Return a table of some rounds."""
    numbers = ("round", "minutes", "decisions", "explained", "new network won", "best so far", "95 %")
    table = columns(*numbers, right=numbers)
    for round_ in rounds:
        table.add_row(
            str(round_.round), f"{round_.minutes:.1f}", f"{round_.decisions:,}", f"{100 * round_.explained:.1f} %",
            f"{100 * round_.won:.1f} %{' *' if round_.best else '  '}", f"{100 * round_.judged:.1f} %",
            between_shares(round_),
        )  # fmt: skip
    if doing:
        table.add_row(f"{rounds[-1].round + 1 if rounds else 1}", *[""] * (len(numbers) - 2), doing)
    return table


def _show(run: Run, before: int) -> None:
    new = len(run.rounds) - before
    say(f"{run.title}: {counted(len(run.rounds), 'round')}, {new} of them new", style="bold")
    if run.rounds:
        show(_rounds(run.rounds))
        say(f"Games won against planners elsewhere; equals would win {100 / run.seats:.0f} %. *: the best so far.")
    say()
    if any(round_.best for round_ in run.rounds):
        file = plain(str(run.folder / "policy.npz"))
        say(f"Let it play: branchline simulate {plain(run.board.id)} --bots {file},planner --seats {run.seats}")
    else:
        say("No network has beaten the planner yet.")
    say("Run the same command again to go on from there.")
