"""`branchline evaluate`: one page about a bot."""

from __future__ import annotations

from typing import Annotated

import typer

from branchline.boards import builtin_boards
from branchline.commands.files import write_json, write_text
from branchline.commands.progress import progress
from branchline.commands.screen import plain


def evaluate(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot, as in `simulate`.")],
    boards: Annotated[
        str, typer.Option(metavar="NAME,NAME…", help="The editions.", show_default="all of them")
    ] = ",".join(builtin_boards()),
    games: Annotated[int, typer.Option(min=2, max=1_000_000, help="Games at each kind of table.")] = 200,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Number of processes; 0: one for each core.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**62 - 1, help="The same seed gives the same page.")] = 0,
    out: Annotated[str, typer.Option(metavar="FILE|-", help="Write the page into this file, as Markdown.")] = "-",
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Write one page about a bot: wins in all editions and seats, against bots with habits, puzzles, mistakes."""
    from branchline.bots import bot_maker
    from branchline.teaching.evaluation import Part, whole_page
    from branchline.teaching.evaluation import evaluate as look_at

    bot_maker(bot)
    parts: list[Part] = []
    with progress(plain(bot), 0) as done:
        for part in look_at(bot, [name.strip() for name in boards.split(",")], games, seed, jobs):
            parts.append(part)
            done(len(parts))
    if as_json:
        write_json([part.as_dict() for part in parts])
        return
    lines: list[str] = []
    whole_page(parts, plain(bot), lines.append)
    write_text(out, "\n".join(lines) + "\n")
