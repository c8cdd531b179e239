"""A score sheet on the screen: a column for each seat, a line for each component, and what became of the tickets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from branchline.boards import Board
from branchline.commands.screen import columns, plain, say, show
from branchline.game.sheet import parts_of
from branchline.rules.catalogue import ROUTES, SCORE_PARTS, SWAPS, Part
from branchline.tabletop.position import points_in

Seat = Mapping[str, Any]
"""The components of a seat's score, as `score_position` answers them."""


def show_sheet(board: Board, names: Sequence[str], seats: Sequence[Seat], *, final: bool = True) -> None:
    """Print the sheet of all seats; one that is not final shows only what lies open."""
    table = columns("", *names, right=tuple(names))
    for label, cells, style in _final_lines(board, seats) if final else _open_lines(board, seats):
        table.add_row(label, *(Text(cell) for cell in cells), style=style)
    show(table)


Line = tuple[str, list[str], str]
"""Label, a cell for each seat, and style."""


def _final_lines(board: Board, seats: Sequence[Seat]) -> Iterator[Line]:
    """Yield only the lines that the board plays with."""
    for n in parts_of(board):
        yield _points(SCORE_PARTS[n], seats)
    yield "total", [str(seat["total"]) for seat in seats], "bold"
    yield "tickets done", [f"{seat['tickets_done']} of {len(seat['ticket_results'])}" for seat in seats], "dim"
    if board.longest_trail:
        yield "spaces in a trail", [str(seat["longest_trail"]["length"]) for seat in seats], "dim"


def _open_lines(board: Board, seats: Sequence[Seat]) -> Iterator[Line]:
    yield _points(SCORE_PARTS[ROUTES], seats)
    if board.pieces.swap_price:
        yield _points(SCORE_PARTS[SWAPS], seats)
        yield "so far", [str(seat["total"]) for seat in seats], "bold"


def _points(part: Part, seats: Sequence[Seat]) -> Line:
    return part.label.lower(), [str(points_in(seat)[part.key]) for seat in seats], ""


def show_tickets(names: Sequence[str], seats: Sequence[Seat]) -> None:
    """Print the result of each seat's tickets, and which routes its stations borrowed."""
    for name, seat in zip(names, seats, strict=True):
        results = seat["ticket_results"]
        sections = {
            "done": [_result(result) for result in results if result["done"]],
            "not done": [_result(result) for result in results if not result["done"]],
            "borrowed": [f"{route} (into {city})" for city, route in seat["borrowed"].items() if route],
        }
        for heading, entries in sections.items():
            if entries:
                say(f"{plain(name)}, {heading}: {', '.join(entries)}")


def _result(result: Mapping[str, object]) -> str:
    order = " in order" if result.get("in_order") else ""
    return f"{result['ticket']}{order} {result['points']}"


def show_winners(board: Board, names: Sequence[str], seats: Sequence[Seat], winners: Sequence[int]) -> None:
    """Print who has won, and what broke ties."""
    won = [plain(names[seat]) for seat in winners]
    best = max(seat["total"] for seat in seats)
    tie = sum(seat["total"] == best for seat in seats) > len(won)
    order = ", then ".join(word.replace("_", " ") for word in board.ending.ties)
    why = f"; equal points, decided by {order}" if tie else ""
    say(f"{' and '.join(won)} {'wins' if len(won) == 1 else 'win together'}{why}.", style="bold")
