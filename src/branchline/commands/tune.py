"""`branchline tune`: find better weights for one board."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.curve import Curve, curve
from branchline.commands.files import write_json
from branchline.commands.progress import Reporter, progress
from branchline.commands.screen import between_shares, columns, counted, plain, say, show
from branchline.commands.simulate import INTERRUPTED, MOST_GAMES
from branchline.commands.weights import say_notes

if TYPE_CHECKING:
    from rich.table import Table

    from branchline.arena.tuning import Progress, Tuning


def tune(
    edition: Annotated[str, typer.Argument(help="An edition, or a board folder.")],
    seats: Annotated[
        int | None, typer.Option(help="Tune for this number of seats only.", show_default="all of the board")
    ] = None,
    minutes: Annotated[float, typer.Option(help="How long it may take.")] = 10.0,
    games: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_GAMES, help="Instead of minutes: about how many games it may play."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Number of processes; 0: one for each core.")] = 0,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**62 - 1, help="With --games, the same seed finds the same weights.")
    ] = None,
    curve_to: Annotated[
        str | None, typer.Option("--curve", metavar="FILE", help="Write how the search gets on, as CSV.")
    ] = None,
    tensorboard: Annotated[str | None, typer.Option(metavar="FOLDER", help="Write the same for TensorBoard.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Tune the weights of `planner` for a board; keep them if they are better than the general ones."""
    from branchline.arena.tuning import seconds_in
    from branchline.arena.tuning import tune as search

    board = sound_board(edition)
    say_notes(board)
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    with curve(curve_to, tensorboard) as keep, progress(board.title, games or round(seconds_in(minutes))) as done:
        outcome = search(
            board, seats=seats, minutes=minutes, games=games, seed=seed, jobs=jobs,
            on_progress=lambda now: _tell(done, keep, now),
        )  # fmt: skip
    if as_json:
        write_json(outcome.as_dict())
    else:
        _show(outcome)
    if outcome.stopped:
        raise typer.Exit(INTERRUPTED)


def _tell(done: Reporter, keep: Curve, now: Progress) -> None:
    """Move the bar on, show where the search is, and keep it."""
    done(now.done)
    seats_tuned = " ".join(map(str, now.seats))
    share = "" if now.won is None else round(now.won, 4)
    keep(
        {
            "seats": seats_tuned,
            "judging": int(now.judging),
            "generation": now.generation,
            "games": now.games,
            "won": share,
        }
    )
    numbers = ("generation", "games", "won", "equals win")
    table = columns("", "seats", *numbers, right=numbers)
    won = "" if now.won is None else f"{100 * now.won:.1f} %"
    stage = "judging" if now.judging else "searching"
    seats = ", ".join(map(str, now.seats))
    table.add_row(stage, seats, str(now.generation), f"{now.games:,}", won, f"{100 * now.equal:.1f} %")
    done.show(table)


def _show(outcome: Tuning) -> None:
    say(f"{outcome.board.title}: weights of planner", style="bold")
    generations = counted(sum(group.generations for group in outcome.found), "generation")
    say(f"{generations}, {counted(outcome.games, 'game')}, seed {outcome.seed}, {outcome.seconds:.0f} s")
    if outcome.stopped:
        say("Stopped: judged in few games.", style="bold")
    say()
    show(_judged(outcome))
    say()
    judged = [result for group in outcome.found for result in group.judged]
    kept = [str(result.seats) for result in judged if result.better]
    if outcome.kept is None:
        say("Not kept: no better than the weights used so far, beyond doubt. The board is played with these as before.")
        return
    rest = "" if len(kept) == len(judged) else " Elsewhere they are no better, beyond doubt."
    say(f"Kept for {', '.join(kept)} seats in {plain(str(outcome.kept))}.{rest}")
    say("Run the same command again to go on from there.")


def _judged(outcome: Tuning) -> Table:
    """Return a table of the results with each number of seats."""
    numbers = ("games", "won", "95 %", "equals win")
    judged = [(group, result) for group in outcome.found for result in group.judged]
    used = any(result.against_used is not None for _, result in judged)
    table = columns("seats", "weights", *numbers, *(("against those used so far",) if used else ()), right=numbers)
    for group, result in judged:
        row = [
            str(result.seats),
            group.weights.digest,
            f"{result.games:,}",
            f"{100 * result.won.mean:.1f} %",
            between_shares(result.won),
        ]
        row.append(f"{100 / result.seats:.1f} %")
        if used and result.against_used is not None:
            row.append(f"{100 * result.against_used.mean:.1f} % ({between_shares(result.against_used)})")
        table.add_row(*row)
    return table
