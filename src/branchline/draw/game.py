"""A running game as a drawing: what one seat, or a spectator, may see of it, laid on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from branchline.draw.board import board_svg
from branchline.draw.position import Position

if TYPE_CHECKING:
    from branchline.boards import Board
    from branchline.game import Game, View


def game_svg(game: Game, seat: int | None = None, **look: Any) -> str:
    """Draw the position of a game and return SVG text; `look` is passed on to `board_svg`.

    The drawing is made from the view of this seat (None: a spectator), so it shows nothing hidden. The places of the
    seat's own tickets are marked.
    """
    return board_svg(game.board, position_of(game, seat), **look)


def position_of(game: Game, seat: int | None = None) -> Position:
    """Return the pieces on the board of a game, as one seat sees them."""
    return position_of_view(game.board, game.view(seat))


def position_of_view(board: Board, view: View, *, marks: bool = True) -> Position:
    """Return the pieces on the board, from an earlier view; with `marks`, the places of the seat's tickets too."""
    everybody, tickets = view.seats, (*view.tickets, *view.offer) if marks else ()
    return Position(
        seats=len(everybody),
        owners={route.index: public.seat for public in everybody for route in public.routes},
        closed=frozenset(route.index for route in view.closed),
        stations={place.index: public.seat for public in everybody for place in public.stations},
        ports={place.index: public.seat for public in everybody for place in public.ports},
        passengers=_standing(board, view),
        marked_places=frozenset(place.index for ticket in tickets for place in ticket.places),
    )


def _standing(board: Board, view: View) -> dict[int, tuple[str, ...]] | None:
    if board.passengers is None:
        return None
    return {
        place.index: tuple(colour for colour, count in view.passengers.get(place, {}).items() for _ in range(count))
        for place in board.places
    }
