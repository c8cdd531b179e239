"""`branchline bots`: list the installed bots, and check a bot of your own."""

from __future__ import annotations

from typing import Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.files import write_json
from branchline.commands.progress import progress
from branchline.commands.screen import between_shares, columns, plain, say, show
from branchline.commands.weights import say_notes

NOT_FIT = 1

app = typer.Typer(name="bots", help="List the installed bots, or check one.", add_completion=False)


@app.callback(invoke_without_command=True)
def bots(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False
) -> None:
    """List the installed bots, or check one."""
    if context.invoked_subcommand is not None:
        return
    from branchline.bots import bot_names, describe

    names = [{"name": name, "says": describe(name)} for name in bot_names()]
    if as_json:
        write_json(names)
        return
    table = columns("bot", "description")
    for entry in names:
        table.add_row(plain(entry["name"]), plain(entry["says"]))
    show(table)


@app.command("weights")
def show_weights(
    edition: Annotated[str, typer.Argument(help="An edition, or a board folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """List the weights that `planner` uses on a board: the general ones, or tuned ones."""
    from branchline.bots.api.weights import NAMES

    board = sound_board(edition)
    known = board.weights
    counts = range(board.seats[0], board.seats[1] + 1)
    if as_json:
        rows = []
        for count in counts:
            used = known.at(count)
            rows.append({"seats": count, **used.as_dict(), "weights": dict(zip(NAMES, used.numbers, strict=True))})
        write_json(rows)
    else:
        numbers = ("seats", "won", "games")
        table = columns("seats", "weights", "tuned on", "won", "95 %", "games", right=numbers)
        for count in counts:
            own = known.tuned.get(count)
            row = [] if own is None else [own.date, f"{100 * own.won:.1f} %", between_shares(own), f"{own.games:,}"]
            table.add_row(str(count), str(known.at(count)), *row)
        show(table)
    say_notes(board)


@app.command()
def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Name of a bot, or `module:Class`.")],
    edition: Annotated[
        list[str] | None,
        typer.Option(metavar="EDITION", help="Only on this edition; can be repeated.", show_default="all"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=10_000, help="Games for each edition and number of seats.")] = 1,
    budget: Annotated[
        float | None,
        typer.Option(min=1e-6, max=3600, metavar="SECONDS", help="Time limit for a decision, of the processor."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**62 - 1, help="The same seed gives the same games.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Check that a bot plays legally, in time, the same for the same seed, and without peeking."""
    from branchline.arena import check_bot
    from branchline.boards import builtin_boards

    boards = [sound_board(name) for name in edition or builtin_boards()]
    tables = sum(1 + board.seats[1] - board.seats[0] for board in boards)
    with progress(plain(bot), games * tables) as done:
        checkup = check_bot(bot, games=games, seed=seed, budget=budget, boards=boards, on_progress=done)
    if as_json:
        write_json(checkup.as_dict())
    else:
        for line in str(checkup).splitlines():
            say(plain(line))
    if not checkup.ok:
        raise typer.Exit(NOT_FIT)
