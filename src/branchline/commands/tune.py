"""`branchline tune`: find better weights for one board."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
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
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Tune the weights of `planner` for a board; keep them if they are better than the general ones."""
    from branchline.arena.tuning import seconds_in
    from branchline.arena.tuning import tune as search

    board = sound_board(edition)
    say_notes(board)
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    with progress(board.title, games or round(seconds_in(minutes))) as done:
        told = None if done is None else lambda now: _tell(done, now)
        found = search(board, seats=seats, minutes=minutes, games=games, seed=seed, jobs=jobs, on_progress=told)
    if as_json:
        write_json(found.as_dict())
    else:
        _show(found)
    if found.stopped:
        raise typer.Exit(INTERRUPTED)


def _tell(done: Reporter, now: Progress) -> None:
    """Move the bar on, and show where the search is."""
    done(now.done)
    numbers = ("generation", "games", "won", "equals win")
    table = columns("", "seats", *numbers, right=numbers)
    won = "" if now.won is None else f"{100 * now.won:.1f} %"
    what = "judging" if now.judging else "searching"
    seats = ", ".join(map(str, now.seats))
    table.add_row(what, seats, str(now.generation), f"{now.games:,}", won, f"{100 * now.equal:.1f} %")
    done.show(table)


def _show(found: Tuning) -> None:
    say(f"{found.board.title}: weights of planner", style="bold")
    generations = counted(sum(one.generations for one in found.found), "generation")
    say(f"{generations}, {counted(found.games, 'game')}, seed {found.seed}, {found.seconds:.0f} s")
    if found.stopped:
        say("Stopped: judged in few games.", style="bold")
    say()
    show(_judged(found))
    say()
    judged = [one for group in found.found for one in group.judged]
    kept = [str(one.seats) for one in judged if one.better]
    if found.kept is None:
        say("Not kept: no better than the weights used so far, beyond doubt. The board is played with these as before.")
        return
    rest = "" if len(kept) == len(judged) else " Elsewhere they are no better, beyond doubt."
    say(f"Kept for {', '.join(kept)} seats in {plain(str(found.kept))}.{rest}")
    say("Run the same command again to go on from there.")


def _judged(found: Tuning) -> Table:
    """Return a table of the results with each number of seats."""
    numbers = ("games", "won", "95 %", "equals win")
    judged = [(group, one) for group in found.found for one in group.judged]
    used = any(one.against_used is not None for _, one in judged)
    table = columns("seats", "weights", *numbers, *(("against those used so far",) if used else ()), right=numbers)
    for group, one in judged:
        row = [
            str(one.seats),
            group.weights.digest,
            f"{one.games:,}",
            f"{100 * one.won.mean:.1f} %",
            between_shares(one.won),
        ]
        row.append(f"{100 / one.seats:.1f} %")
        if used and one.against_used is not None:
            row.append(f"{100 * one.against_used.mean:.1f} % ({between_shares(one.against_used)})")
        table.add_row(*row)
    return table
