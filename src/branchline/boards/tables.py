"""A board as one flat record of numbers, made once, for the rules to look things up in.

Sets of routes and places are kept as words of `WORD` bits in 64-bit integers (the sign bit and three more stay
free, so that the arithmetic is the same in plain Python, compiled, and on a GPU). Whatever can be asked of the
board alone is answered here beforehand: "which green or gray routes cost at most four cards" is one look-up.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from branchline.boards.limits import (
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
