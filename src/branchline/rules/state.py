"""The state of a game: one flat record of fixed size. Copying it is copying its bytes.

Also here: the numbers by which the rules call questions and actions, and the scratch, a second record on which
they reckon and which is never part of a game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.atlas.limits import (
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
from branchline.atlas.tables import KINDS, PLACE_WORDS, ROUTE_WORDS, WORD

MAX_SWAP = MAX_PIECES // 2  # pieces in one swap

NOBODY = -1
CLOSED = -2  # owner of a route that can no longer be taken, because its parallel line is (ROUTE-4)
NO_CARD = -1
HIDDEN = -9  # stands in a redacted state for what the seat may not know

# Where a ticket is, besides "with seat n" (0 …):
IN_DECK = -1
LEFT_GAME = -10  # - seat: put out of the game by that seat, which is the only one to know (HIDE)

# Questions. Each is asked of exactly one seat.
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
) = range(16)

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
TRAINS_IN_FLEET = KEEP + 2**MAX_OFFER  # + trains
SWAP_FOR = TRAINS_IN_FLEET + MAX_PIECES + 1  # + MAX_SWAP · kind received + pieces - 1
ACTIONS = SWAP_FOR + 2 * MAX_SWAP
ACTION_WORDS = -(-ACTIONS // WORD)

ALL_WILD = MAX_COLOURS  # as the colour of a payment
UNDECIDED = -1  # colour of a payment not yet chosen

# What is being paid for.
NOTHING, FOR_ROUTE, FOR_STATION, FOR_PORT, FOR_EXTRA = range(5)


def without_gaps(layout: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with the gaps that alignment leaves as fields of their own.

    NumPy copies fields, not gaps: without this a copy of a state would end up with other bytes than the state.
    """
    fields: list[tuple[str, Any]] = []
    end = 0
    for name in layout.names or ():
        field, offset = layout.fields[name][:2]  # type: ignore[index]
        if offset > end:
            fields.append((f"gap_{end}", np.dtype((np.int8, (offset - end,)))))
        fields.append((name, field))
        end = offset + field.itemsize
    if layout.itemsize > end:
        fields.append((f"gap_{end}", np.dtype((np.int8, (layout.itemsize - end,)))))
    return np.dtype(fields, align=True)


STATE = without_gaps(
    np.dtype(
        [
            # whose question
            ("seats", np.int8),
            ("first_seat", np.int8),
            ("seat", np.int8),  # whose question it is
            ("question", np.int8),  # what is asked
            ("setting_up", np.int8),  # 1 until the first turn
            ("turns", np.int16),  # turns ended
            ("turns_to_go", np.int8),  # after the end was announced; -1 before (END-1)
            ("idle", np.int8),  # half-turns in a row in which nobody could do a thing (END-2)
            ("drawn", np.int8),  # cards taken in this turn
            ("slot", np.int8),  # empty place in the market, while its taker says from which deck it is filled
            ("luck", np.int64, 4),  # the random generator
            # cards
            ("deck", np.int8, (2, MAX_DECK)),  # kinds of cards; the top is the last one
            ("deck_size", np.int16, 2),
            ("discards", np.int16, KINDS),
            ("discard_size", np.int16, 2),
            ("market", np.int8, MAX_MARKET),  # kinds, or NO_CARD
            ("hand", np.int16, (MAX_SEATS, KINDS)),
            ("seen", np.int16, (MAX_SEATS, KINDS)),  # of these, how many everyone knows to be there (HIDE)
            ("hand_size", np.int16, (MAX_SEATS, 2)),  # cards held of each deck; their backs differ
            # routes and pieces
            ("route_owner", np.int8, MAX_ROUTES),  # seat, NOBODY or CLOSED
            ("free", np.int64, ROUTE_WORDS),  # routes that are neither owned nor closed
            ("barred", np.int64, (MAX_SEATS, ROUTE_WORDS)),  # parallels of the seat's own routes (ROUTE-4)
            ("reached", np.int64, (MAX_SEATS, PLACE_WORDS)),  # places with a route of the seat
            ("pieces", np.int16, (MAX_SEATS, 2)),
            ("box", np.int16, (MAX_SEATS, 2)),  # pieces left out, to swap for (FLE-1)
            ("fleet", np.int8, MAX_SEATS),  # trains chosen, or -1
            ("route_points", np.int16, MAX_SEATS),
            ("swapped", np.int16, MAX_SEATS),  # pieces swapped (FLE-2)
            # tickets
            ("ticket_at", np.int8, MAX_TICKETS),  # seat, IN_DECK, LEFT_GAME - seat
            ("ticket_deck", np.int16, (MAX_TICKET_DECKS, MAX_TICKETS)),  # rings of tickets
            ("ticket_top", np.int16, MAX_TICKET_DECKS),
            ("ticket_count", np.int16, MAX_TICKET_DECKS),
            ("offer", np.int16, (MAX_SEATS, MAX_OFFER)),  # tickets drawn and not yet chosen from; -1: none
            ("offer_size", np.int8, MAX_SEATS),
            ("offered", np.int8, (MAX_SEATS, MAX_TICKET_DECKS)),  # of these, from each deck
            ("mix", np.int8, MAX_SEATS),  # last announced number from the first deck
            ("tickets_held", np.int16, (MAX_SEATS, MAX_TICKET_DECKS)),
            ("tickets_out", np.int16, MAX_SEATS),  # put out of the game
            # stations, ports, passengers
            ("station_free", np.int64, PLACE_WORDS),  # cities without a station
            ("station_owner", np.int8, MAX_PLACES),
            ("stations_built", np.int8, MAX_SEATS),
            ("port_free", np.int64, PLACE_WORDS),  # port cities without a port
            ("port_owner", np.int8, MAX_PLACES),
            ("ports_built", np.int8, MAX_SEATS),
            ("waiting", np.int8, (MAX_PLACES, MAX_COLOURS)),  # passengers standing at a place
            ("passengers", np.int16, (MAX_SEATS, MAX_COLOURS)),  # passengers taken
            # the payment on the table
            ("paying_for", np.int8),
            ("target", np.int16),  # the route or place it is for
            ("colour", np.int8),  # a colour, ALL_WILD or UNDECIDED
            ("open_spaces", np.int8),  # cards (at sea: spaces) still to be covered in one colour
            ("open_pairs", np.int8),  # pairs still to be covered
            ("last_pair", np.int8),  # the pairs come in non-falling order
            ("open_colour", np.int8),  # colour of the cards whose port marks are being asked
            ("laid", np.int8, KINDS),  # cards chosen so far
            ("shown", np.int8, KINDS),  # of these, laid open before a tunnel's cards were turned (TUN-1)
            ("turned", np.int8, MAX_TURNED),  # kinds turned at a tunnel, or NO_CARD
            ("extra", np.int8),  # cards more that the tunnel asks
            ("stop", np.int8),  # end of the route, 0 or 1, at which a passenger is being chosen
        ],
        align=True,
    )
)
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

_FIELDS: list[tuple[Any, ...]] = [
    ("legal", np.int64, ACTION_WORDS),  # set of legal actions
    ("claimable", np.int64, ROUTE_WORDS),  # set of routes that may be claimed
    # what the last action did (see `log`)
    ("log_size", np.int16),
    ("log", np.int16, (MAX_LOG, 4)),  # what happened, whose doing it was, two numbers
    # the score sheet, per seat
    ("routes", np.int16, MAX_SEATS),
    ("tickets", np.int16, MAX_SEATS),  # two-place tickets, net
    ("tours", np.int16, MAX_SEATS),  # tours, net
    ("tickets_done", np.int16, MAX_SEATS),  # tours included
    ("stations", np.int16, MAX_SEATS),
    ("trail", np.int16, MAX_SEATS),  # length of the longest trail
    ("trail_bonus", np.int16, MAX_SEATS),
    ("tickets_bonus", np.int16, MAX_SEATS),
    ("passengers", np.int16, MAX_SEATS),
    ("ports", np.int16, MAX_SEATS),
    ("swaps", np.int16, MAX_SEATS),
    ("total", np.int16, MAX_SEATS),
    ("winner", np.int8, MAX_SEATS),
    ("ticket_result", np.int8, MAX_TICKETS),  # of held tickets: FAILED, JOINED, IN_ORDER
    ("borrowed", np.int16, (MAX_SEATS, MAX_STATIONS)),  # route used by the n-th station, or -1
    ("own", np.int16, MAX_ROUTES),  # the routes of the seat being scored
    ("own_count", np.int16),
    ("held", np.int16, MAX_TICKETS),  # the tickets of the seat being scored
    ("held_count", np.int16),
    ("failed", np.int16, MAX_TICKETS),  # of these, the ones its own routes do not do
    ("failed_count", np.int16),
    # networks
    ("label", np.int16, MAX_PLACES),  # root of each place's component
    ("reach", np.int64, (MAX_PLACES, PLACE_WORDS)),  # by root: places joined, countries included
    # stations at the end: what each may borrow, what is being tried, how to undo it
    ("choice", np.int16, (MAX_STATIONS, MAX_CHOICES)),
    ("choices", np.int16, MAX_STATIONS),
    ("pick", np.int16, MAX_STATIONS),
    ("undo", np.int16, MAX_STATIONS),
    ("undo_other", np.int16, MAX_STATIONS),
    ("undo_reach", np.int64, (MAX_STATIONS, PLACE_WORDS)),
    # tours: ways out of each place, and the walk so far
    ("first_way", np.int16, MAX_PLACES + 1),
    ("way_route", np.int16, 2 * MAX_ROUTES),
    ("way_place", np.int16, 2 * MAX_ROUTES),
    ("used", np.int8, MAX_ROUTES),
    ("at", np.int16, MAX_ROUTES + 1),
    ("goal", np.int16, MAX_ROUTES + 1),
    ("leg_start", np.int16, MAX_ROUTES + 1),
    ("next_way", np.int16, MAX_ROUTES + 1),
    ("flooded", np.int64, PLACE_WORDS),
    ("flood", np.int16, MAX_PLACES),
    # longest trail: the seat's routes as lines between points
    ("lines", np.int16),
    ("points", np.int16),
    ("line_a", np.int16, MAX_ROUTES),
    ("line_b", np.int16, MAX_ROUTES),
    ("line_spaces", np.int16, MAX_ROUTES),
    ("line_live", np.int8, MAX_ROUTES),
    ("degree", np.int16, _POINTS),
    ("branch", np.int16, _POINTS),
    ("second_branch", np.int16, _POINTS),
    ("crossed_lines", np.int16, _POINTS),
    ("core", np.int16, MAX_ROUTES),
    ("core_lines", np.int16),
    ("point", np.int16, _POINTS),
    ("core_points", np.int16),
    ("to_come", np.int16, _POINTS),
    ("in_front", np.int8, _POINTS),
    ("slot", np.int8, _POINTS),
    ("slots_used", np.int64),
    ("best", np.int16),
    ("too_wide", np.int8),
    ("patterns", np.int32, 2),
]


def scratch_layout(patterns: int) -> np.dtype[Any]:
    """A scratch whose tables for the longest trail have room for so many patterns, a power of two."""
    tables = [("key", np.int64, (2, patterns)), ("length", np.int16, (2, patterns)), ("entry", np.int32, (2, patterns))]
    return np.dtype([*_FIELDS, *tables], align=True)


SCRATCH = scratch_layout(PATTERNS)

FAILED, JOINED, IN_ORDER = 0, 1, 2
