"""`branchline score`: score a final position, for instance from a real table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from branchline.boards import Board, load_board
from branchline.commands.board import sound_board
from branchline.commands.files import CommandError, called, read_json, write_json
from branchline.commands.screen import counted, plain, say
from branchline.commands.sheet import show_sheet, show_tickets, show_winners
from branchline.plain_data import JsonObject


def score(
    position: Annotated[str, typer.Argument(metavar="FILE|-", help="The position, as JSON; - reads standard input.")],
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="NAME|DIR", help="Score on this board instead of the edition in the file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print every component as JSON.")] = False,
) -> None:
    """Score a final position: who owns which routes, tickets, stations and so on."""
    data = read_json(position, "position")
    answer = _scored(position, data, None if board is None else sound_board(board))
    if as_json:
        write_json(answer)
        return
    on = load_board(board or data["edition"])
    names = [seat["name"] for seat in answer["seats"]]
    say(f"{on.title}, {counted(len(names), 'seat')}\n")
    show_sheet(on, names, answer["seats"])
    say()
    show_tickets(names, answer["seats"])
    for note in answer["notes"]:
        say(f"Note: {plain(note)}")
    show_winners(on, names, answer["seats"], answer["winner_seats"])


def _scored(source: str, data: Any, board: Board | None) -> JsonObject:
    from branchline.game import PositionError
    from branchline.tabletop import score_position

    if isinstance(data, dict) and "branchline_record" in data:
        raise CommandError(f"{called(source)}: this is a recorded game, not a position; see `branchline replay`")
    try:
        return score_position(data, board)
    except PositionError as error:
        raise CommandError(f"{called(source)}: {error}") from None
