"""A position laid out by hand: what the pieces of the game make impossible, and what only breaks a rule of play.

The state is that of `setup.empty_table`, on which `routes.own`, `stations.build` and `ports.build` lay piece by piece.
"""

from __future__ import annotations

from branchline.boards.tables import CITY, WORD, BoardTables
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import State

# What is wrong with one more piece.
FITS, TWICE, TAKEN, PIECES, FLEET, NOT_HERE, MOST = range(7)
PROBLEMS = ("FITS", "TWICE", "TAKEN", "PIECES", "FLEET", "NOT_HERE", "MOST")


@rule
def problem_with_route(board: BoardTables, state: State, seat: int, route: int) -> int:
    """ROUTE-4, FLE-1: Return why the seat cannot have this route, as the pieces are; FITS if it can."""
    if lines_taken(board, state, route, seat, seat) > 0:
        return TWICE
    if state.route_owner[route] >= 0:
        return TAKEN
    kind = board.route_piece[route]
    length = board.route_length[route]
    if pieces_laid(board, state, seat, kind) + length > board.pieces[kind]:
        return PIECES
    if 0 < board.fleet < pieces_laid(board, state, seat, 0) + pieces_laid(board, state, seat, 1) + length:
        return FLEET
    return FITS


@rule
def lines_taken(board: BoardTables, state: State, route: int, first: int, last: int) -> int:
    """ROUTE-4: Return how many lines of a route's set belong to the seats from `first` to `last`."""
    count = 0
    if first <= state.route_owner[route] <= last:
        count += 1
    for word in range(board.route_words):
        rest = board.siblings[route, word]
        while rest != 0:
            owner = state.route_owner[word * WORD + lowest(rest)]
            if first <= owner <= last:
                count += 1
            rest &= rest - 1
    return count


@rule
def lines_too_many(board: BoardTables, state: State, route: int) -> int:
    """ROUTE-4: Return how many lines of a route's set are taken, if with so few seats only one may be; 0 if all is
    well.
    """
    taken = lines_taken(board, state, route, 0, state.seats - 1)
    return taken if taken > 1 and state.seats <= board.one_line_up_to else 0


@rule
def pieces_laid(board: BoardTables, state: State, seat: int, kind: int) -> int:
    """FLE-1: Return how many pieces of a kind the routes of a seat take."""
    count = 0
    for route in range(board.routes):
        if state.route_owner[route] == seat and board.route_piece[route] == kind:
            count += board.route_length[route]
    return count


@rule
def problem_with_station(board: BoardTables, state: State, seat: int, place: int) -> int:
    """STA-1: Return why no station of the seat can stand in a place; FITS if it can."""
    if board.place_kind[place] != CITY:
        return NOT_HERE
    if state.station_owner[place] >= 0:
        return TAKEN
    return MOST if state.stations_built[seat] >= board.stations else FITS


@rule
def problem_with_port(board: BoardTables, state: State, seat: int, place: int) -> int:
    """PORT-1: Return why no port of the seat can stand in a place; FITS if it can."""
    if not board.place_port[place]:
        return NOT_HERE
    if state.port_owner[place] >= 0:
        return TAKEN
    return MOST if state.ports_built[seat] >= board.ports else FITS


@rule
def reaches(board: BoardTables, state: State, seat: int, place: int) -> bool:
    """PORT-1: Return whether a route of the seat ends in a place, as a port there requires."""
    return (state.reached[seat, place // WORD] >> (place % WORD)) & 1 == 1
