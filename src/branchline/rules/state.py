"""The state of a game: one flat record of fixed size. Copying it is copying its bytes.

Also here: the numbers by which the rules call questions and actions, and the scratch, a second record on which
they reckon and which is never part of a game.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from branchline.boards.limits import (
    MAX_COLOURS,
    MAX_DECK,
    MAX_LENGTH,
    MAX_MARKET,
    MAX_OFFER,
    MAX_PIECES,
    MAX_PLACES,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_STATIONS,
    MAX_TICKET_DECKS,
    MAX_TICKETS,
    MAX_TURNED,
)
from branchline.boards.tables import KINDS, PLACE_WORDS, ROUTE_WORDS, WORD
from branchline.rules.catalogue import PARTS
from branchline.runtime.structs import (
    Int8,
    Int16,
    Int64,
    Layout,
    Matrix,
    Records,
    Struct,
    Vector,
    layout,
    without_gaps,
)

MAX_SWAP = MAX_PIECES // 2  # pieces in one swap

NOBODY = -1
CLOSED = -2  # owner of a route that can no longer be taken, because its parallel line is (ROUTE-4)
NO_CARD = -1
HIDDEN = -9  # stands in a redacted state for what the seat may not know

# Where a ticket is, besides "with seat n" (0 …):
IN_DECK = -1
LEFT_GAME = -10  # - seat: put out of the game by that seat, which is the only one to know (HIDE)

QUESTIONS = (
    "over",
    "turn",
    "second_card",
    "refill",
    "mix",
    "keep_tickets",
    "colour",
    "wilds",
    "ship_wilds",
    "doubles",
    "marked",
    "pair",
    "tunnel",
    "passenger",
    "fleet",
    "swap",
)
"""The questions by name. Each is asked of exactly one seat."""

# Their numbers.
(
    OVER,
    TURN,
    SECOND_CARD,
    REFILL,
    TICKET_MIX,
    KEEP_TICKETS,
    COLOUR,
    WILDS,
    SHIP_WILDS,
    DOUBLES,
    MARKED,
    PAIR,
    TUNNEL,
    PASSENGER,
    FLEET,
    SWAP,
) = range(len(QUESTIONS))

# Actions: fixed numbers, the same on every board. Sets first, each a whole number of words.
CLAIM = 0  # + route
STATION = CLAIM + MAX_ROUTES  # + place
PORT = STATION + MAX_PLACES  # + place
TAKE = PORT + MAX_PLACES  # + place in the market
BLIND = TAKE + MAX_MARKET  # + deck
REFILL_FROM = BLIND + 2  # + deck
DRAW_TICKETS = REFILL_FROM + 2
SWAP_PIECES = DRAW_TICKETS + 1
PASS = SWAP_PIECES + 1
PAY_EXTRA = PASS + 1
WITHDRAW = PAY_EXTRA + 1
MIX = WITHDRAW + 1  # + tickets from the first deck
PAY_COLOUR = MIX + MAX_OFFER + 1  # + colour; MAX_COLOURS: wilds only
PICK_PASSENGER = PAY_COLOUR + MAX_COLOURS + 1  # + colour; MAX_COLOURS: none
WITH_WILDS = PICK_PASSENGER + MAX_COLOURS + 1  # + how many
WITH_DOUBLES = WITH_WILDS + MAX_LENGTH + 1  # + how many
WITH_MARKED = WITH_DOUBLES + MAX_LENGTH + 1  # + how many
WITH_PAIR = WITH_MARKED + MAX_LENGTH + 1  # + 2 · colour + wilds in the pair; 2 · MAX_COLOURS: two wilds
KEEP = WITH_PAIR + 2 * MAX_COLOURS + 1  # + set of places in the offer, as bits
TRAINS_IN_FLEET = KEEP + (1 << MAX_OFFER)  # + trains
SWAP_FOR = TRAINS_IN_FLEET + MAX_PIECES + 1  # + MAX_SWAP · kind received + pieces - 1
ACTIONS = SWAP_FOR + 2 * MAX_SWAP
ACTION_WORDS = -(-ACTIONS // WORD)

ALL_WILD = MAX_COLOURS  # as the colour of a payment
UNDECIDED = -1  # colour of a payment not yet chosen

# What is being paid for.
NOTHING, FOR_ROUTE, FOR_STATION, FOR_PORT, FOR_EXTRA = range(5)


class State(Struct):
    """A game."""

    # whose question
    seats: Int8
    first_seat: Int8
    seat: Int8  # whose question it is
    question: Int8  # what is asked
    setting_up: Int8  # 1 until the first turn
    turns: Int16  # turns ended
    turns_to_go: Int8  # after the end was announced; -1 before (END-1)
    idle: Int8  # half-turns in a row in which nobody could do a thing (END-2)
    drawn: Int8  # cards taken in this turn
    slot: Int8  # empty place in the market, while its taker says from which deck it is filled
    luck: Annotated[Vector, np.int64, 4]  # the random generator
    # cards
    deck: Annotated[Matrix, np.int8, 2, MAX_DECK]  # kinds of cards; the top is the last one
    deck_size: Annotated[Vector, np.int16, 2]
    discards: Annotated[Vector, np.int16, KINDS]
    discard_size: Annotated[Vector, np.int16, 2]
    market: Annotated[Vector, np.int8, MAX_MARKET]  # kinds, or NO_CARD
    hand: Annotated[Matrix, np.int16, MAX_SEATS, KINDS]
    seen: Annotated[Matrix, np.int16, MAX_SEATS, KINDS]  # of these, how many everyone knows to be there (HIDE)
    hand_size: Annotated[Matrix, np.int16, MAX_SEATS, 2]  # cards held of each deck; their backs differ
    # routes and pieces
    route_owner: Annotated[Vector, np.int8, MAX_ROUTES]  # seat, NOBODY or CLOSED
    free: Annotated[Vector, np.int64, ROUTE_WORDS]  # routes that are neither owned nor closed
    barred: Annotated[Matrix, np.int64, MAX_SEATS, ROUTE_WORDS]  # parallels of the seat's own routes (ROUTE-4)
    reached: Annotated[Matrix, np.int64, MAX_SEATS, PLACE_WORDS]  # places with a route of the seat
    pieces: Annotated[Matrix, np.int16, MAX_SEATS, 2]
    box: Annotated[Matrix, np.int16, MAX_SEATS, 2]  # pieces left out, to swap for (FLE-1)
    fleet: Annotated[Vector, np.int8, MAX_SEATS]  # trains chosen, or -1
    route_points: Annotated[Vector, np.int16, MAX_SEATS]
    swapped: Annotated[Vector, np.int16, MAX_SEATS]  # pieces swapped (FLE-2)
    # tickets
    ticket_at: Annotated[Vector, np.int8, MAX_TICKETS]  # seat, IN_DECK, LEFT_GAME - seat
    ticket_deck: Annotated[Matrix, np.int16, MAX_TICKET_DECKS, MAX_TICKETS]  # rings of tickets
    ticket_top: Annotated[Vector, np.int16, MAX_TICKET_DECKS]
    ticket_count: Annotated[Vector, np.int16, MAX_TICKET_DECKS]
    offer: Annotated[Matrix, np.int16, MAX_SEATS, MAX_OFFER]  # tickets drawn and not yet chosen from; -1: none
    offer_size: Annotated[Vector, np.int8, MAX_SEATS]
    offered: Annotated[Matrix, np.int8, MAX_SEATS, MAX_TICKET_DECKS]  # of these, from each deck
    mix: Annotated[Vector, np.int8, MAX_SEATS]  # last announced number from the first deck
    tickets_held: Annotated[Matrix, np.int16, MAX_SEATS, MAX_TICKET_DECKS]
    tickets_out: Annotated[Vector, np.int16, MAX_SEATS]  # put out of the game
    # stations, ports, passengers
    station_free: Annotated[Vector, np.int64, PLACE_WORDS]  # cities without a station
    station_owner: Annotated[Vector, np.int8, MAX_PLACES]
    stations_built: Annotated[Vector, np.int8, MAX_SEATS]
    port_free: Annotated[Vector, np.int64, PLACE_WORDS]  # port cities without a port
    port_owner: Annotated[Vector, np.int8, MAX_PLACES]
    ports_built: Annotated[Vector, np.int8, MAX_SEATS]
    waiting: Annotated[Matrix, np.int8, MAX_PLACES, MAX_COLOURS]  # passengers standing at a place
    passengers: Annotated[Matrix, np.int16, MAX_SEATS, MAX_COLOURS]  # passengers taken
    # the payment on the table
    paying_for: Int8
    target: Int16  # the route or place it is for
    colour: Int8  # a colour, ALL_WILD or UNDECIDED
    open_spaces: Int8  # cards (at sea: spaces) still to be covered in one colour
    open_pairs: Int8  # pairs still to be covered
    last_pair: Int8  # the pairs come in non-falling order
    open_colour: Int8  # colour of the cards whose port marks are being asked
    laid: Annotated[Vector, np.int8, KINDS]  # cards chosen so far
    shown: Annotated[Vector, np.int8, KINDS]  # of these, laid open before a tunnel's cards were turned (TUN-1)
    turned: Annotated[Vector, np.int8, MAX_TURNED]  # kinds turned at a tunnel, or NO_CARD
    extra: Int8  # cards more that the tunnel asks
    stop: Int8  # end of the route, 0 or 1, at which a passenger is being chosen


States = Records[State]

STATE = without_gaps(layout(State))
FRONT = 11  # widest front of the sweep for longest trails (see `trail`)
PATTERNS = 1 << 16  # size of its table of patterns, of which half is used; what does not fit is searched plainly
MAX_CHOICES = 16  # foreign routes from which one station can choose, and none
_POINTS = MAX_PLACES + MAX_ROUTES

MOST_SWEEPS = 10  # of the market in a row (ruling in DRAW-4)
_MARKET_ROWS = MAX_MARKET + 2  # a card for every place, each deck reshuffled at most once
_SWEEP_ROWS = MOST_SWEEPS * (MAX_MARKET + _MARKET_ROWS)
_PAYMENT_ROWS = 2 * KINDS + MAX_TURNED + 4  # laid open, reshuffled, turned, the tunnel; paid again, built, passenger
_TICKET_ROWS = MAX_SEATS * (2 + 2 * MAX_OFFER)  # mix announced, tickets offered and chosen from, fleet shown
_CARD_ROWS = 2 + 2 + _SWEEP_ROWS + _MARKET_ROWS + _SWEEP_ROWS  # taken, replaced; at the end of the turn gaps filled
MAX_LOG = (
    _PAYMENT_ROWS + _TICKET_ROWS + _CARD_ROWS + 2
)  # rows of the log, if one action did all this and ended the game


class Scratch(Struct):
    """What the rules reckon on; never part of a game."""

    legal: Annotated[Vector, np.int64, ACTION_WORDS]  # set of legal actions
    claimable: Annotated[Vector, np.int64, ROUTE_WORDS]  # set of routes that may be claimed
    # what the last action did (see `log`)
    log_size: Int16
    log: Annotated[Matrix, np.int16, MAX_LOG, 4]  # what happened, whose doing it was, two numbers
    # the score sheet, per seat
    parts: Annotated[Matrix, np.int16, PARTS, MAX_SEATS]  # the parts of the score, as `catalogue` lists them
    tickets_done: Annotated[Vector, np.int16, MAX_SEATS]  # tours included
    trail: Annotated[Vector, np.int16, MAX_SEATS]  # length of the longest trail
    total: Annotated[Vector, np.int16, MAX_SEATS]
    winner: Annotated[Vector, np.int8, MAX_SEATS]
    ticket_result: Annotated[Vector, np.int8, MAX_TICKETS]  # of held tickets: FAILED, JOINED, IN_ORDER
    borrowed: Annotated[Matrix, np.int16, MAX_SEATS, MAX_STATIONS]  # route used by the n-th station, or -1
    own: Annotated[Vector, np.int16, MAX_ROUTES]  # the routes of the seat being scored
    own_count: Int16
    held: Annotated[Vector, np.int16, MAX_TICKETS]  # the tickets of the seat being scored
    held_count: Int16
    failed: Annotated[Vector, np.int16, MAX_TICKETS]  # of these, the ones its own routes do not do
    failed_count: Int16
    # networks
    label: Annotated[Vector, np.int16, MAX_PLACES]  # root of each place's component
    reach: Annotated[Matrix, np.int64, MAX_PLACES, PLACE_WORDS]  # by root: places joined, countries included
    # stations at the end: what each may borrow, what is being tried, how to undo it
    choice: Annotated[Matrix, np.int16, MAX_STATIONS, MAX_CHOICES]
    choices: Annotated[Vector, np.int16, MAX_STATIONS]
    pick: Annotated[Vector, np.int16, MAX_STATIONS]
    undo: Annotated[Vector, np.int16, MAX_STATIONS]
    undo_other: Annotated[Vector, np.int16, MAX_STATIONS]
    undo_reach: Annotated[Matrix, np.int64, MAX_STATIONS, PLACE_WORDS]
    # tours: ways out of each place, and the walk so far
    first_way: Annotated[Vector, np.int16, MAX_PLACES + 1]
    way_route: Annotated[Vector, np.int16, 2 * MAX_ROUTES]
    way_place: Annotated[Vector, np.int16, 2 * MAX_ROUTES]
    used: Annotated[Vector, np.int8, MAX_ROUTES]
    at: Annotated[Vector, np.int16, MAX_ROUTES + 1]
    goal: Annotated[Vector, np.int16, MAX_ROUTES + 1]
    leg_start: Annotated[Vector, np.int16, MAX_ROUTES + 1]
    next_way: Annotated[Vector, np.int16, MAX_ROUTES + 1]
    flooded: Annotated[Vector, np.int64, PLACE_WORDS]
    flood: Annotated[Vector, np.int16, MAX_PLACES]
    # longest trail: the seat's routes as lines between points
    lines: Int16
    points: Int16
    line_a: Annotated[Vector, np.int16, MAX_ROUTES]
    line_b: Annotated[Vector, np.int16, MAX_ROUTES]
    line_spaces: Annotated[Vector, np.int16, MAX_ROUTES]
    line_live: Annotated[Vector, np.int8, MAX_ROUTES]
    degree: Annotated[Vector, np.int16, _POINTS]
    branch: Annotated[Vector, np.int16, _POINTS]
    second_branch: Annotated[Vector, np.int16, _POINTS]
    crossed_lines: Annotated[Vector, np.int16, _POINTS]
    core: Annotated[Vector, np.int16, MAX_ROUTES]
    core_lines: Int16
    point: Annotated[Vector, np.int16, _POINTS]
    core_points: Int16
    to_come: Annotated[Vector, np.int16, _POINTS]
    in_front: Annotated[Vector, np.int8, _POINTS]
    slot: Annotated[Vector, np.int8, _POINTS]
    slots_used: Int64
    best: Int16
    too_wide: Int8
    patterns: Annotated[Vector, np.int32, 2]
    # the patterns of the two sides of the sweep, as a table
    key: Annotated[Matrix, np.int64, 2, PATTERNS]
    length: Annotated[Matrix, np.int16, 2, PATTERNS]
    entry: Annotated[Matrix, np.int32, 2, PATTERNS]


def scratch_layout(patterns: int) -> Layout[Scratch]:
    """Return a scratch whose tables for the longest trail have room for `patterns` patterns, a power of two."""
    tables = (2, patterns)
    return layout(Scratch, key=tables, length=tables, entry=tables)


SCRATCH = scratch_layout(PATTERNS)

FAILED, JOINED, IN_ORDER = 0, 1, 2
