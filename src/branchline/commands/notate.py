"""`branchline notate`: a record of a game at a real table, from its order of play as it was noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.files import DASH, CommandError, called, read_text, write_text
from branchline.commands.screen import counted, plain, say
from branchline.commands.sheet import show_sheet, show_tickets, show_winners

if TYPE_CHECKING:
    from branchline.tabletop.reconstruction import Reconstruction


def notate(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The game, one line a turn; - reads standard input.")],
    output: Annotated[
        str | None, typer.Option("--out", "--output", "-o", metavar="FILE|-", help="Write the record into this file.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Deal what nobody saw with other luck.")] = 0,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if it is not that of an edition.")
    ] = None,
) -> None:
    """Turn notes of a game at the table into a record; hidden cards are filled in to fit what was noted."""
    outcome = _reconstructed(file, seed, board)
    record = outcome.record
    if output is not None:
        write_text(output, record.to_json())
    if output == DASH:
        return
    on, names = outcome.game.board, list(record.names)
    say(f"{on.title}, {counted(len(names), 'seat')}, {counted(len(record.actions), 'action')}\n")
    if outcome.over:
        from branchline.tabletop.position import scores_as_json

        sheet = scores_as_json(outcome.game.scores)
        seats = [{"name": name, **seat} for name, seat in zip(names, sheet["seats"], strict=True)]
        show_sheet(on, names, seats)
        say()
        show_tickets(names, seats)
        show_winners(on, names, seats, sheet["winners"])
    else:
        say(f"The game is not over: it is {plain(names[outcome.game.question.seat or 0])}'s turn.")
    say(f"\nReconstructed, not noted: {', '.join(outcome.imagined)}.")


def _reconstructed(source: str, seed: int, board: str | None) -> Reconstruction:
    from branchline.game import NotationError
    from branchline.tabletop.notation_reader import read_notation
    from branchline.tabletop.reconstruction import reconstruct

    text = read_text(source, "game, one line a turn")
    try:
        return reconstruct(read_notation(text, None if board is None else sound_board(board)), seed)
    except NotationError as error:
        where = f"{called(source)}:{error.line}" if error.line else called(source)
        raise CommandError(f"{where}: {error.why}") from None
