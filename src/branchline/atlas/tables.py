"""A board as one flat record of numbers, made once, for the rules to look things up in.

Sets of routes and places are kept as words of `WORD` bits in 64-bit integers (the sign bit and three more stay
free, so that the arithmetic is the same in plain Python, compiled, and on a GPU). Whatever can be asked of the
board alone is answered here beforehand: "which green or gray routes cost at most four cards" is one look-up.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from branchline.atlas.board import COLOURS, GRAY, Board, Route
from branchline.atlas.limits import (
    MAX_COLOURS,
    MAX_LENGTH,
    MAX_PLACES,
    MAX_PORT_TICKETS,
    MAX_ROUTES,
    MAX_STATIONS,
    MAX_TICKET_DECKS,
    MAX_TICKETS,
    MAX_TOUR,
)
from branchline.runtime.structs import Int16, Matrix, Struct, Tensor, Vector, layout

WORD = 60
"""Bits used of each word of a set."""
ROUTE_WORDS = MAX_ROUTES // WORD
PLACE_WORDS = MAX_PLACES // WORD

# Kinds of cards: the first one of a family + the number of a colour in COLOURS, and one for all wilds.
TRAIN, MARKED, SHIP, DOUBLE = 0, MAX_COLOURS, 2 * MAX_COLOURS, 3 * MAX_COLOURS
"""First kind of each family: plain train cards, port-marked train cards, single ships, double ships."""
WILD_KIND = 4 * MAX_COLOURS
KINDS = WILD_KIND + 1

ANY_COLOUR = -1  # colour of a gray route
COUNTRY, WAYPOINT, CITY = 1, 2, 0
UNDER, OUT, RESHUFFLED = 0, 1, 2
REJECTED = (
    "under",
    "out",
    "reshuffled",
)  # the words of `TicketDraw.rejected`, in the order of the numbers above
TIES = ("", "tickets_done", "fewest_stations", "longest_trail", "passengers")

_PRICES = MAX_LENGTH + 1


class BoardTables(Struct):
    """A board, as numbers."""

    places: Int16
    routes: Int16
    tickets: Int16
    route_words: Int16  # words needed for a set of this board's routes
    place_words: Int16
    # cards
    colours: Int16  # how many colours there are; colour numbers are places in COLOURS
    colour: Annotated[Vector, np.int16, MAX_COLOURS]  # their numbers
    copies: Annotated[Vector, np.int16, KINDS]  # cards of each kind in the box
    decks: Int16  # 1, or 2 with ships
    deal: Annotated[Vector, np.int16, 2]  # cards dealt to each seat, from each deck
    market: Int16  # places in the market
    market_from: Annotated[Vector, np.int16, 2]  # cards turned up from each deck
    sweep_at: Int16
    market_lasts: Int16
    port_marks: Int16  # whether train cards come with and without port mark
    # tickets
    ticket_decks: Int16
    backs_differ: Int16  # whether everybody sees which deck a held ticket is from
    first_deal: Annotated[Vector, np.int16, MAX_TICKET_DECKS]
    first_mix: Int16
    first_keep: Int16
    first_rejected: Int16
    later_deal: Annotated[Vector, np.int16, MAX_TICKET_DECKS]
    later_mix: Int16
    later_keep: Int16
    later_rejected: Int16
    ticket_deck: Annotated[Vector, np.int16, MAX_TICKETS]
    ticket_size: Annotated[Vector, np.int16, MAX_TICKETS]  # places on it; more than 2: a tour
    ticket_place: Annotated[Matrix, np.int16, MAX_TICKETS, MAX_TOUR]
    ticket_value: Annotated[Vector, np.int16, MAX_TICKETS]
    ticket_any_order: Annotated[Vector, np.int16, MAX_TICKETS]
    ticket_penalty: Annotated[Vector, np.int16, MAX_TICKETS]
    # pieces
    piece_kinds: Int16
    pieces: Annotated[Vector, np.int16, 2]
    fleet: Int16
    swap_price: Int16
    # routes
    one_line_up_to: Int16
    route_a: Annotated[Vector, np.int16, MAX_ROUTES]
    route_b: Annotated[Vector, np.int16, MAX_ROUTES]
    route_length: Annotated[Vector, np.int16, MAX_ROUTES]
    route_price: Annotated[Vector, np.int16, MAX_ROUTES]
    route_points: Annotated[Vector, np.int16, MAX_ROUTES]
    route_colour: Annotated[Vector, np.int16, MAX_ROUTES]
    route_sea: Annotated[Vector, np.int16, MAX_ROUTES]  # paid with ship cards
    route_piece: Annotated[Vector, np.int16, MAX_ROUTES]  # which kind of pieces it takes
    route_tunnel: Annotated[Vector, np.int16, MAX_ROUTES]
    route_wilds: Annotated[Vector, np.int16, MAX_ROUTES]
    route_pairs: Annotated[Vector, np.int16, MAX_ROUTES]
    #: routes at place p: route_at[first_at[p] … first_at[p + 1] - 1]
    first_at: Annotated[Vector, np.int16, MAX_PLACES + 1]
    route_at: Annotated[Vector, np.int16, 2 * MAX_ROUTES]
    siblings: Annotated[Matrix, np.int64, MAX_ROUTES, ROUTE_WORDS]  # the other routes of its parallel set
    # sets of routes
    all_routes: Annotated[Vector, np.int64, ROUTE_WORDS]
    #: [colour][n]: n train cards of it pay them
    by_train: Annotated[Tensor, np.int64, MAX_COLOURS, _PRICES, ROUTE_WORDS]
    by_ship: Annotated[Tensor, np.int64, MAX_COLOURS, _PRICES, ROUTE_WORDS]  # the same at sea, n spaces covered
    by_pairs: Annotated[Matrix, np.int64, _PRICES, ROUTE_WORDS]  # difficult terrain only, at most n spaces of it
    by_wilds: Annotated[Matrix, np.int64, _PRICES, ROUTE_WORDS]  # at most n wilds are demanded
    by_pieces: Annotated[Tensor, np.int64, 2, _PRICES, ROUTE_WORDS]  # at most n pieces of this kind are needed
    mixed_terrain: Annotated[Vector, np.int64, ROUTE_WORDS]  # some spaces difficult, some not
    difficult_routes: Int16  # how many routes have difficult spaces only
    mixed_routes: Int16  # how many have both kinds
    # places
    place_kind: Annotated[Vector, np.int16, MAX_PLACES]
    place_port: Annotated[Vector, np.int16, MAX_PLACES]
    cities: Annotated[Vector, np.int64, PLACE_WORDS]
    port_cities: Annotated[Vector, np.int64, PLACE_WORDS]
    # special buildings, passengers, the end
    tunnel_cards: Int16
    stations: Int16
    station_price: Annotated[Vector, np.int16, MAX_STATIONS]
    station_bonus: Int16
    passenger_colours: Int16
    passenger_colour: Annotated[Vector, np.int16, MAX_COLOURS]
    passengers_each: Int16
    passengers_at: Annotated[Vector, np.int16, MAX_PLACES]
    passenger_points: Annotated[Vector, np.int16, 2]  # most, second
    ports: Int16
    port_trains: Int16
    port_ships: Int16
    port_points: Annotated[Vector, np.int16, MAX_PORT_TICKETS]
    port_unbuilt: Int16
    trail_bonus: Int16
    tickets_bonus: Int16
    pieces_left: Int16
    extra_turns: Int16
    ties: Annotated[Vector, np.int16, 4]  # numbers of TIES, in the order in which they decide


BOARD = layout(BoardTables)


def tables(board: Board) -> Any:
    """The board as a box (an array of one) of `BOARD`; `Board.tables` keeps it. Do not write into it."""
    box = np.zeros(1, dtype=np.dtype((np.record, BOARD)))
    row = box[0]
    _cards(board, row)
    _tickets(board, row)
    _pieces_and_bonuses(board, row)
    _places(board, row)
    for route in board.routes:
        _route(board, route, row)
    _routes_at_places(board, row)
    box.flags.writeable = False
    return box


def _bits(words: Any, number: int) -> None:
    words[number // WORD] |= 1 << (number % WORD)


def _cards(board: Board, row: Any) -> None:
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
    row.deal = cards.hand
    row.market = sum(cards.market)
    row.market_from = cards.market
    row.sweep_at = cards.sweep_at
    row.market_lasts = cards.market_lasts
    row.port_marks = cards.train_port_marked > 0


def _tickets(board: Board, row: Any) -> None:
    rules = board.ticket_rules
    row.ticket_decks = len(rules.decks)
    row.backs_differ = rules.backs_differ
    for when, draw in (("first", rules.first), ("later", rules.later)):
        row[f"{when}_deal"][: len(draw.deal)] = draw.deal
        row[f"{when}_mix"] = draw.mix
        row[f"{when}_keep"] = draw.keep
        row[f"{when}_rejected"] = REJECTED.index(draw.rejected)
    row.tickets = len(board.tickets)
    for ticket in board.tickets:
        row.ticket_deck[ticket.index] = ticket.deck
        row.ticket_size[ticket.index] = len(ticket.places)
        row.ticket_place[ticket.index, : len(ticket.places)] = [place.index for place in ticket.places]
        row.ticket_value[ticket.index] = ticket.value
        row.ticket_any_order[ticket.index] = ticket.any_order
        row.ticket_penalty[ticket.index] = ticket.penalty


def _pieces_and_bonuses(board: Board, row: Any) -> None:
    row.piece_kinds = len(board.pieces.names)
    row.pieces[: len(board.pieces.count)] = board.pieces.count
    row.fleet = board.pieces.fleet
    row.swap_price = board.pieces.swap_price
    row.one_line_up_to = board.one_line_up_to
    row.tunnel_cards = board.tunnel_cards
    if board.stations:
        row.stations = len(board.stations.prices)
        row.station_price[: len(board.stations.prices)] = board.stations.prices
        row.station_bonus = board.stations.kept_bonus
    if board.passengers:
        row.passenger_colours = len(board.passengers.colours)
        for n, colour in enumerate(board.passengers.colours):
            row.passenger_colour[n] = COLOURS.index(colour)
        row.passengers_each = board.passengers.each
        row.passenger_points = (board.passengers.most, board.passengers.second)
    if board.ports:
        row.ports = board.ports.count
        row.port_trains = board.ports.train_cards
        row.port_ships = board.ports.ship_cards
        for n in range(MAX_PORT_TICKETS):
            row.port_points[n] = board.ports.points[min(n, len(board.ports.points) - 1)]
        row.port_unbuilt = board.ports.unbuilt
    row.trail_bonus = board.longest_trail
    row.tickets_bonus = board.most_tickets
    row.pieces_left = board.ending.pieces_left
    row.extra_turns = board.ending.extra_turns
    for n, tie in enumerate(board.ending.ties):
        row.ties[n] = TIES.index(tie)


def _places(board: Board, row: Any) -> None:
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


def _routes_at_places(board: Board, row: Any) -> None:
    count = 0
    for place in board.places:
        row.first_at[place.index] = count
        for route in board.routes:
            if place in (route.a, route.b):
                row.route_at[count] = route.index
                count += 1
    row.first_at[len(board.places) :] = count


def _route(board: Board, route: Route, row: Any) -> None:
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
    row.route_piece[number] = 1 if sea or subway else 0
    row.route_tunnel[number] = route.kind == "tunnel"
    row.route_wilds[number] = route.wilds
    row.route_pairs[number] = route.pairs
    for other in board.routes:
        if other.parallel == route.parallel and other is not route:
            _bits(row.siblings[number], other.index)
    _bits(row.all_routes, number)
    if route.pairs and route.pairs < route.length:
        _bits(row.mixed_terrain, number)
        row.mixed_routes += 1
    elif route.pairs:
        row.difficult_routes += 1
    for n in range(_PRICES):
        for colour in range(MAX_COLOURS):
            if route.pairs == 0 and n >= route.price and row.route_colour[number] in (ANY_COLOUR, colour):
                _bits((row.by_ship if sea else row.by_train)[colour, n], number)
        if 0 < route.pairs == route.length and n >= route.pairs:
            _bits(row.by_pairs[n], number)
        if n >= route.wilds:
            _bits(row.by_wilds[n], number)
        if n >= route.length:
            _bits(row.by_pieces[row.route_piece[number], n], number)
