"""A board, written into its tables."""

from __future__ import annotations

import numpy as np

from branchline.boards.board import COLOURS, GRAY, Board, Route
from branchline.boards.limits import MAX_COLOURS, MAX_LENGTH, MAX_PORT_TICKETS
from branchline.boards.schema import numbers
from branchline.boards.tables import (
    ANY_COLOUR,
    BOARD,
    CITY,
    COUNTRY,
    DOUBLE,
    MARKED,
    REJECTED,
    SHIP,
    TIES,
    TRAIN,
    WAYPOINT,
    WILD_KIND,
    WORD,
    BoardTables,
)
from branchline.runtime.structs import Buffer, Vector


def tables(board: Board) -> Buffer[BoardTables]:
    """Return the board as an array of one `BOARD`; `Board.tables` keeps it. Do not write into it."""
    box: Buffer[BoardTables] = np.zeros(1, dtype=np.dtype((np.record, BOARD)))  # type: ignore[assignment]
    row = box[0]
    _numbers(board, row)
    _cards(board, row)
    _tickets(board, row)
    _pieces_and_bonuses(board, row)
    _places(board, row)
    for route in board.routes:
        _route(board, route, row)
    _routes_at_places(board, row)
    box.flags.writeable = False
    return box


def _bits(words: Vector, number: int) -> None:
    words[number // WORD] |= 1 << (number % WORD)


def _numbers(board: Board, row: BoardTables) -> None:
    """Return the numbers that the rules take as the keys of the board give them, under the same name."""
    for attribute, number in numbers(board):
        if attribute in (BOARD.names or ()):
            row[attribute] = number


def _cards(board: Board, row: BoardTables) -> None:
    cards = board.cards
    row.colours = len(cards.colours)
    for n, colour in enumerate(cards.colours):
        number = COLOURS.index(colour)
        row.colour[n] = number
        row.copies[TRAIN + number] = cards.train - cards.train_port_marked
        row.copies[MARKED + number] = cards.train_port_marked
        row.copies[SHIP + number] = cards.ship_single
        row.copies[DOUBLE + number] = cards.ship_double
    row.copies[WILD_KIND] = cards.wild
    row.decks = 2 if cards.two_decks else 1
    row["deal"] = cards.hand
    row.market = sum(cards.market)
    row["market_from"] = cards.market
    row.port_marks = cards.train_port_marked > 0


def _tickets(board: Board, row: BoardTables) -> None:
    rules = board.ticket_rules
    row.ticket_decks = len(rules.decks)
    for when, draw in (("first", rules.first), ("later", rules.later)):
        row[f"{when}_deal"][: len(draw.deal)] = draw.deal
        row[f"{when}_mix"] = draw.mix
        row[f"{when}_keep"] = draw.keep
        row[f"{when}_rejected"] = REJECTED.index(draw.rejected)
    row.tickets = len(board.tickets)
    for ticket in board.tickets:
        row.ticket_deck[ticket.index] = ticket.deck
        row.ticket_size[ticket.index] = len(ticket.places)
        row["ticket_place"][ticket.index, : len(ticket.places)] = [place.index for place in ticket.places]
        row.ticket_value[ticket.index] = ticket.value
        row.ticket_any_order[ticket.index] = ticket.any_order
        row.ticket_penalty[ticket.index] = ticket.penalty


def _pieces_and_bonuses(board: Board, row: BoardTables) -> None:
    row.piece_kinds = len(board.pieces.names)
    row["pieces"][: len(board.pieces.count)] = board.pieces.count
    if board.stations:
        row.stations = len(board.stations.prices)
        row["station_price"][: len(board.stations.prices)] = board.stations.prices
        row.station_bonus = board.stations.kept_bonus
    if board.passengers:
        row.passenger_colours = len(board.passengers.colours)
        for n, colour in enumerate(board.passengers.colours):
            row.passenger_colour[n] = COLOURS.index(colour)
        row.passengers_each = board.passengers.each
        row["passenger_points"] = (board.passengers.most, board.passengers.second)
    if board.ports:
        row.ports = board.ports.count
        row.port_trains = board.ports.train_cards
        row.port_ships = board.ports.ship_cards
        for n in range(MAX_PORT_TICKETS):
            row.port_points[n] = board.ports.points[min(n, len(board.ports.points) - 1)]
        row.port_unbuilt = board.ports.unbuilt
    row.trail_bonus = board.longest_trail
    row.tickets_bonus = board.most_tickets
    for n, tie in enumerate(board.ending.ties):
        row.ties[n] = TIES.index(tie)


def _places(board: Board, row: BoardTables) -> None:
    row.places = len(board.places)
    row.place_words = -(-len(board.places) // WORD)
    for place in board.places:
        row.place_kind[place.index] = {"city": CITY, "country": COUNTRY, "waypoint": WAYPOINT}[place.kind]
        row.place_port[place.index] = place.port
        row.passengers_at[place.index] = place.passengers
        if place.kind == "city":
            _bits(row.cities, place.index)
        if place.port:
            _bits(row.port_cities, place.index)


def _routes_at_places(board: Board, row: BoardTables) -> None:
    count = 0
    for place in board.places:
        row.first_at[place.index] = count
        for route in board.routes:
            if place in (route.a, route.b):
                row.route_at[count] = route.index
                count += 1
    row["first_at"][len(board.places) :] = count


def _route(board: Board, route: Route, row: BoardTables) -> None:
    row.routes = max(row.routes, route.index + 1)
    row.route_words = -(-int(row.routes) // WORD)
    number, sea, subway = route.index, route.kind == "sea", route.kind == "subway"
    row.route_a[number] = route.a.index
    row.route_b[number] = route.b.index
    row.route_length[number] = route.length
    row.route_price[number] = route.price - route.pairs
    row.route_points[number] = (board.subway_points if subway else board.points)[route.points_row]
    row.route_colour[number] = ANY_COLOUR if route.colour == GRAY else COLOURS.index(route.colour)
    row.route_sea[number] = sea
    row.route_piece[number] = route.piece
    row.route_tunnel[number] = route.kind == "tunnel"
    row.route_wilds[number] = route.wilds
    row.route_pairs[number] = route.pairs
    for other in board.routes:
        if other.parallel == route.parallel and other is not route:
            _bits(row["siblings"][number], other.index)
    _bits(row.all_routes, number)
    if route.pairs and route.pairs < route.length:
        _bits(row.mixed_terrain, number)
        row.mixed_routes += 1
    elif route.pairs:
        row.difficult_routes += 1
    for n in range(MAX_LENGTH + 1):
        for colour in range(MAX_COLOURS):
            if route.pairs == 0 and n >= route.price and row.route_colour[number] in (ANY_COLOUR, colour):
                _bits(row["by_ship" if sea else "by_train"][colour, n], number)
        if 0 < route.pairs == route.length and n >= route.pairs:
            _bits(row["by_pairs"][n], number)
        if n >= route.wilds:
            _bits(row["by_wilds"][n], number)
        if n >= route.length:
            _bits(row["by_pieces"][row.route_piece[number], n], number)
