"""Games of real tables that were noted turn by turn: from the text to a record, and to a position to be counted."""

from __future__ import annotations

import json
from dataclasses import dataclass

from branchline.boards import COLOURS, Board
from branchline.boards.wording import worded
from branchline.game import Game, NotationError
from branchline.plain_data import JsonObject
from branchline.rules.state import State
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.reconstruction import SECONDS, Reconstruction, reconstruct
from branchline.web.core.rooms import creation
from branchline.web.core.rooms.boards import offered_boards
from branchline.web.core.rooms.room import Room

LONGEST = 40_000  # letters; a long game has 8,000
CHECK_SECONDS = 4.0  # of processor time for a game that is still being entered


def reconstructed(text: str, seconds: float = SECONDS) -> Reconstruction:
    """Return the record of a noted game. Raise `NotationError`."""
    if len(text) > LONGEST:
        raise NotationError(0, worded("expected a text of at most {most:,} characters", most=LONGEST))
    return reconstruct(read_notation(text, _board_of(text)), seconds=seconds)


@dataclass(frozen=True)
class NotedGame:
    """A noted game as a record, and how it ended."""

    over: bool
    record: str = ""  # JSON; of a game that is over
    position: str = ""  # JSON for `score_position`; likewise


def noted(text: str, seconds: float = SECONDS) -> NotedGame:
    """Return the record as texts, which can be sent from one process to another. Raise `NotationError`."""
    outcome = reconstructed(text, seconds)
    if not outcome.over:
        return NotedGame(over=False)
    return NotedGame(True, outcome.record.to_json(), json.dumps(position_of(outcome), ensure_ascii=False))


def noted_room(text: str, host: str) -> tuple[NotedGame, Room | None]:
    """Return the same with the room in which the game was replayed, or None if it is not over.

    Raise `NotationError`.
    """
    game = noted(text)
    return game, creation.played(game.record, host) if game.over else None


def _board_of(text: str) -> Board:
    """Return the board that the text begins with, among those offered here: no path is read."""
    for number, line in enumerate(text.splitlines()[:50], 1):
        word, _, name = line.partition("#")[0].strip().partition(" ")
        if word.casefold() == "edition":
            board = next((board for board in offered_boards() if board.id == name.strip().casefold()), None)
            if board is None:
                raise NotationError(number, worded("unknown edition"))
            return board
    raise NotationError(1, worded('expected the edition first, as in "edition europe"'))


def position_of(outcome: Reconstruction) -> dict[str, object]:
    """Return how the game ended, as `score_position` reads it."""
    game, state = outcome.game, outcome.game._plain
    seats = range(game.seats)
    return {
        "edition": game.board.id,
        "seats": [{"name": outcome.record.names[seat], **_seat(game, state, seat)} for seat in seats],
    }


def _seat(game: Game, state: State, seat: int) -> dict[str, object]:
    board = game.board
    routes = [route for route in board.routes if state.route_owner[route.index] == seat]
    held = [
        [*(place.name for place in ticket.places), ticket.value]
        for ticket in board.tickets
        if state.ticket_at[ticket.index] == seat
    ]
    seat_position: JsonObject = {
        "routes": [
            [route.a.name, route.b.name, *([f"line {route.line + 1}"] if route.lines > 1 else [])] for route in routes
        ],
        "tickets": held,
    }
    if board.stations:
        seat_position["stations"] = [place.name for place in board.places if state.station_owner[place.index] == seat]
    if board.ports:
        seat_position["ports"] = [place.name for place in board.places if state.port_owner[place.index] == seat]
    if board.passengers:
        counts = {colour: int(state.passengers[seat, COLOURS.index(colour)]) for colour in board.passengers.colours}
        seat_position["passengers"] = {colour: count for colour, count in counts.items() if count}
    if board.pieces.fleet:
        seat_position["swapped"] = int(state.swapped[seat])
    return seat_position
