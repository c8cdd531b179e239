"""`branchline demo`: one game of each edition between bots, its last position drawn and its record kept."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.boards import builtin_boards, load_board
from branchline.commands.board import ThemeName, ThemeOption, picture
from branchline.commands.files import CommandError, write_text
from branchline.commands.screen import columns, counted, say, show

if TYPE_CHECKING:
    from branchline.game import Game

BOT = "greedy"


def demo(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Output folder.")] = "demo",
    seats: Annotated[int, typer.Option("--seats", min=2, max=4, help="Number of bots.")] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same games.")] = 1,
    theme: ThemeOption = ThemeName.light,
) -> None:
    """Let bots play one game of each edition; draw the final positions and save the records."""
    folder = _made(out)
    for name in builtin_boards():
        game = _game(name, seats, seed)
        drawing, record = str(folder / f"{name}.svg"), str(folder / f"{name}.json")
        write_text(drawing, picture(game, theme))
        write_text(record, game.record(_names(game)).to_json())
        _show(game, drawing, record)
    say("Open the drawings in a browser. Then try:")
    for hint in (
        f"replay {folder / f'{name}.json'} --moves",
        f"simulate {name} --bots greedy,random --games 1000",
        "--help",
    ):
        say(f"  {_program()} {hint}")


def _program() -> str:
    """Return what to type to call branchline: its path, if the environment is not activated."""
    if shutil.which("branchline"):
        return "branchline"
    beside = Path(sys.executable).with_name("branchline")
    return os.path.relpath(beside) if beside.exists() else "python -m branchline"


def _made(folder: str) -> Path:
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise CommandError(f"{folder}: cannot be created: {getattr(error, 'strerror', None) or error}") from None
    return path


def _game(board: str, seats: int, seed: int) -> Game:
    """Return a whole game between bots of one kind."""
    from branchline.bots import Position, make_bot
    from branchline.game import Game
    from branchline.rules import kernel

    game = Game(load_board(board), seats=seats, seed=seed)
    bots = [make_bot(BOT, seed + seat) for seat in range(seats)]
    while (seat := game.question.seat) is not None:
        seen = kernel.record_in(game.redacted(seat))
        legal = tuple(int(action) for action in game.legal)
        game.play(bots[seat].choose(Position(game.board, seen, seat, legal)))
    return game


def _names(game: Game) -> list[str]:
    """Return names for the bots: the colours of their pieces."""
    from branchline.draw.palette import SEATS

    return [look.name for look in SEATS[: game.seats]]


def _show(game: Game, drawing: str, record: str) -> None:
    scores = game.scores
    note = " (a reconstructed map)" if game.board.reconstructed else ""
    turns = counted(game.view(None).turns, "turn")
    say(f"{game.board.title}{note}: {counted(game.seats, f'{BOT} bot')}, {turns}", style="bold")
    table = columns("", "routes", "tickets", "other", "total", "", right=("routes", "tickets", "other", "total"))
    for name, sheet in zip(_names(game), scores.seats, strict=True):
        tickets = sheet.tickets + sheet.tours
        other = sheet.total - sheet.routes - tickets
        won = "wins" if sheet.seat in scores.winners else ""
        table.add_row(name, *(str(points) for points in (sheet.routes, tickets, other, sheet.total)), won)
    show(table)
    say(f"drawing {drawing}, record {record}\n")
