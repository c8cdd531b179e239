"""A table to try the rules at: games past their set-up, with hands, market and routes as a test wants them.

Whatever is given to a seat is taken from where it lay, so that cards, tickets and pieces are conserved; only
`leave_pieces` throws pieces away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import branchline as bl
from branchline.boards.tables import KINDS, WILD_KIND
from branchline.game.actions import route_text
from branchline.game.cards import card_kind, card_name, read_cards
from branchline.rules import kernel, routes, stations
from branchline.rules.cards import deck_of
from branchline.rules.state import COLOUR, IN_DECK, LEFT_GAME, NO_CARD, NOBODY, STATE, TUNNEL

EDITIONS = ("germany", "europe", "berlin", "world", "great_lakes")
SAILING = ("world", "great_lakes")  # those with ships, ports and a choice of pieces
SEATINGS = [
    (edition, seats) for edition, most in zip(EDITIONS, (5, 5, 4, 5, 5), strict=True) for seats in range(2, most + 1)
]
# For tests that take seconds for each: the smallest edition, and one with everything; the others with the long tests.
COSTLY_EDITIONS = [
    one if one in ("berlin", "great_lakes") else pytest.param(one, marks=pytest.mark.long) for one in EDITIONS
]
# For tests that take a second for each: every edition and every number of seats, the other pairs with the long tests.
COSTLY_SEATINGS = [
    pair if pair in zip(EDITIONS, (5, 3, 2, 4, 2), strict=True) else pytest.param(*pair, marks=pytest.mark.long)
    for pair in SEATINGS
]


def costly(values: Collection[Any], quick: int = 1) -> list[Any]:
    """For tests that take a second for each: the first values, the others with the long tests."""
    return [value if n < quick else pytest.param(value, marks=pytest.mark.long) for n, value in enumerate(values)]


# ------------------------------------------------------------------------------------------------ setting up


@cache
def board(edition: str) -> bl.Board:
    """The board, read once."""
    return bl.load_board(edition)


def new(edition: str, seats: int = 2, *, seed: int = 7, first: int = 0, cards=(), tickets=(), on=None) -> bl.Game:
    """A game at its first question; `on` is a board of the test's own."""
    decks = {"cards": list(cards), "tickets": list(tickets)}
    return bl.Game(on or board(edition), seats, seed, first_seat=first, decks=decks)


def start(edition: str, seats: int = 2, *, fleet: int = 20, **how) -> bl.Game:
    """A game at its first turn: every seat kept all of its tickets, and in World took so many trains."""
    game = new(edition, seats, **how)
    while game.question.kind != "turn":
        game.play({"mix": "mix 2 short", "keep_tickets": "keep all"}.get(game.question.kind, f"fleet {fleet} trains"))
    return game


def altered(edition: str, **changes) -> bl.Board:
    """A board of the test's own: a built-in one with some fields changed."""
    return replace(board(edition), **changes)


def with_few_pieces(edition: str, **changes) -> bl.Board:
    """The edition with a third of its pieces: games are shorter, and so is everything that is played out from them."""
    pieces = board(edition).pieces
    count = tuple(number // 3 for number in pieces.count)
    return altered(edition, pieces=replace(pieces, count=count, fleet=pieces.fleet // 3), **changes)


# ---------------------------------------------------------------------------------------------- giving cards


def hand(game: bl.Game, seat: int, cards: str) -> None:
    """The seat's hand becomes exactly these cards; its old ones go under the decks, the new ones come from below."""
    state = game._state
    decks = _decks(game)
    for kind in range(KINDS):
        decks[deck_of(kind)][:0] = [kind] * int(state.hand[seat, kind])
        state.hand[seat, kind] = state.seen[seat, kind] = 0
    state.hand_size[seat, 0] = state.hand_size[seat, 1] = 0
    for kind in (read_cards(cards, game.board) if cards else Counter()).elements():
        _find_card(game, decks, kind)
        state.hand[seat, kind] += 1
        state.hand_size[seat, deck_of(kind)] += 1
    _put_back(game, decks)


def market(game: bl.Game, names: Sequence[str | None]) -> None:
    """These cards lie open (None: an empty place); the old ones go under the decks."""
    state = game._state
    decks = _decks(game)
    size = sum(game.board.cards.market)
    assert len(names) == size
    for slot in range(size):
        if state.market[slot] != NO_CARD:
            decks[deck_of(state.market[slot])].insert(0, int(state.market[slot]))
    for slot, name in enumerate(names):
        state.market[slot] = NO_CARD if name is None else card_kind(name, game.board)
        if name is not None:
            _find_card(game, decks, int(state.market[slot]))
    _put_back(game, decks)


def top(game: bl.Game, names: Sequence[str]) -> None:
    """These cards lie on top of their decks, the first one uppermost."""
    decks = _decks(game)
    kinds = [card_kind(name, game.board) for name in names]
    for kind in kinds:
        _find_card(game, decks, kind)
    for kind in reversed(kinds):
        decks[deck_of(kind)].append(kind)
    _put_back(game, decks)


def discard(game: bl.Game, cards: str) -> None:
    """These cards, from below in the decks, lie on the discards."""
    decks = _decks(game)
    for kind in read_cards(cards, game.board).elements():
        _find_card(game, decks, kind)
        game._state.discards[kind] += 1
        game._state.discard_size[deck_of(kind)] += 1
    _put_back(game, decks)


def hoard(game: bl.Game, seat: int, deck: int = 0, leave: int = 0) -> None:
    """All cards of a deck but the topmost `leave`, and all its discards, into the hand of a seat."""
    state = game._state
    decks = _decks(game)
    cut = len(decks[deck]) - leave
    taken = Counter(decks[deck][:cut])
    decks[deck] = decks[deck][cut:]
    for kind in range(KINDS):
        if deck_of(kind) == deck:
            taken[kind] += int(state.discards[kind])
            state.discards[kind] = 0
    state.discard_size[deck] = 0
    for kind, count in taken.items():
        state.hand[seat, kind] += count
        state.hand_size[seat, deck] += count
    _put_back(game, decks)


def _decks(game: bl.Game) -> list[list[int]]:
    state = game._state
    return [[int(state.deck[deck, n]) for n in range(state.deck_size[deck])] for deck in range(2)]


def _find_card(game: bl.Game, decks: list[list[int]], kind: int) -> None:
    """Take a card from the bottom of its deck; one that lies in the market or in a hand is exchanged for another."""
    state, deck = game._state, decks[deck_of(kind)]
    if kind not in deck:
        other = next(card for card in deck if card != WILD_KIND)
        slots = [slot for slot in range(len(state.market)) if state.market[slot] == kind]
        seats = [seat for seat in range(state.seats) if state.hand[seat, kind] > 0]
        if slots:
            state.market[slots[0]] = other
        else:
            state.hand[seats[-1], kind] -= 1
            state.hand[seats[-1], other] += 1
        deck[deck.index(other)] = kind
    deck.remove(kind)


def _put_back(game: bl.Game, decks: list[list[int]]) -> None:
    for deck, kinds in enumerate(decks):
        game._state.deck_size[deck] = len(kinds)
        for n, kind in enumerate(kinds):
            game._state.deck[deck, n] = kind
    game._legal = None


def held(game: bl.Game, seat: int) -> dict[str, int]:
    """A hand by names."""
    return dict(game.view(seat).hand)


def discards(game: bl.Game) -> dict[str, int]:
    """The discards by names."""
    return dict(game.view(None).discards)


# ----------------------------------------------------------------------------- routes, pieces, buildings, tickets


def route(on: bl.Board, name: str) -> bl.Route:
    """A route by the name that actions give it, as in `Madrid–Pamplona white`; its ends alone: its first line."""
    for found in on.routes:
        if name in (route_text(found), found.name):
            return found
    raise ValueError(name)


def own(game: bl.Game, seat: int, *names: str) -> None:
    """The seat has claimed these routes: pieces, points and closed parallels as after a claim."""
    state, asked = game._state, int(game._state.seat)
    for name in names:
        number = route(game.board, name).index
        assert state.route_owner[number] == NOBODY, name
        state.seat = seat
        routes.take(game._table, state, number)
    state.seat = asked
    game._legal = None


def station(game: bl.Game, seat: int, *cities: str) -> None:
    """Stations of the seat stand in these cities."""
    for city in cities:
        stations.build(game._state, seat, game.board.index.place(city).index)
    game._legal = None


def leave_pieces(game: bl.Game, seat: int, first: int, second: int = 0) -> None:
    """So many pieces of each kind are left to the seat."""
    game._state.pieces[seat, 0], game._state.pieces[seat, 1] = first, second
    game._legal = None


def tickets(game: bl.Game, seat: int, *names: str) -> None:
    """The seat holds exactly these tickets; its old ones go under the decks."""
    state, on = game._state, game.board
    wanted = [on.index.ticket(name) for name in names]
    rings = _rings(game)
    for ticket in on.tickets:
        if state.ticket_at[ticket.index] == seat:
            rings[ticket.deck].append(ticket.index)
            state.ticket_at[ticket.index] = IN_DECK
    for deck in range(2):
        state.tickets_held[seat, deck] = 0
    for ticket in wanted:
        rings[ticket.deck].remove(ticket.index)
        state.ticket_at[ticket.index] = seat
        state.tickets_held[seat, ticket.deck] += 1
    _put_rings(game, rings)


def take_tickets(game: bl.Game, seat: int, leave: int) -> None:
    """The seat holds all tickets of the decks but the topmost `leave` of each."""
    rings = _rings(game)
    for deck, ring in enumerate(rings):
        for ticket in ring[leave:]:
            game._state.ticket_at[ticket] = seat
            game._state.tickets_held[seat, deck] += 1
        del ring[leave:]
    _put_rings(game, rings)


def ticket_deck(game: bl.Game, deck: int = 0) -> list[str]:
    """The tickets of a deck from top to bottom."""
    return [game.board.tickets[n].name for n in _rings(game)[deck]]


def _rings(game: bl.Game) -> list[list[int]]:
    state = game._state
    size = len(state.ticket_at)
    return [
        [int(state.ticket_deck[deck, (state.ticket_top[deck] + n) % size]) for n in range(state.ticket_count[deck])]
        for deck in range(2)
    ]


def _put_rings(game: bl.Game, rings: list[list[int]]) -> None:
    for deck, ring in enumerate(rings):
        game._state.ticket_top[deck], game._state.ticket_count[deck] = 0, len(ring)
        for n, ticket in enumerate(ring):
            game._state.ticket_deck[deck, n] = ticket
    game._legal = None


# ------------------------------------------------------------------------------------------------- looking on


def claims(game: bl.Game) -> set[str]:
    """The routes that may be claimed, as actions name them."""
    return {text.removeprefix("claim ") for text in game.legal.texts if text.startswith("claim ")}


def ways(game: bl.Game, action: str | None = None) -> set[frozenset[str]]:
    """All whole payments of an action, as sets of `2 red`."""
    return {frozenset(way.text.split(" + ")) for way in game.payments(action)}


def each(*payments: str) -> set[frozenset[str]]:
    """Payments as `ways` gives them; the order of the cards does not matter."""
    return {frozenset(payment.split(" + ")) for payment in payments}


def happened(events) -> list[str]:
    """The texts of events."""
    return [event.text for event in events]


def rest(game: bl.Game) -> None:
    """The seat whose turn it is does something that changes nothing much: two blind cards."""
    seat = game.question.seat
    while game.question.seat == seat and game.question.kind in ("turn", "second_card"):
        game.play("blind train" if game.board.cards.two_decks else "blind")


def check_conserved(on: bl.Board, box) -> None:
    """Every card, ticket, piece and passenger of the box is in exactly one place."""
    table, state = kernel.record_in(on.tables), kernel.record_in(box)
    seats = range(state.seats)
    size = sum(on.cards.market)
    decks = [[int(state.deck[deck, n]) for n in range(state.deck_size[deck])] for deck in range(2)]
    counted = Counter(decks[0] + decks[1])
    counted.update(int(state.market[slot]) for slot in range(size) if state.market[slot] != NO_CARD)
    for kind in range(KINDS):
        assert all(0 <= state.seen[seat, kind] <= state.hand[seat, kind] for seat in seats)
        counted[kind] += int(state.discards[kind]) + sum(int(state.hand[seat, kind]) for seat in seats)
        assert counted[kind] == table.copies[kind], card_name(kind)
        assert not COLOUR <= state.question <= TUNNEL or state.laid[kind] <= state.hand[state.seat, kind]
    for deck in range(2):
        assert all(deck_of(kind) == deck for kind in decks[deck])
        mine = [kind for kind in range(KINDS) if deck_of(kind) == deck]
        assert state.discard_size[deck] == sum(int(state.discards[kind]) for kind in mine)
        for seat in seats:
            assert state.hand_size[seat, deck] == sum(int(state.hand[seat, kind]) for kind in mine)

    ring_size = len(state.ticket_at)
    for deck in range(2):
        ring = [
            int(state.ticket_deck[deck, (state.ticket_top[deck] + n) % ring_size])
            for n in range(state.ticket_count[deck])
        ]
        lying = [t.index for t in on.tickets if t.deck == deck and state.ticket_at[t.index] == IN_DECK]
        assert sorted(ring) == lying
        for seat in seats:
            mine = [t.index for t in on.tickets if t.deck == deck and state.ticket_at[t.index] == seat]
            offered = [int(state.offer[seat, n]) for n in range(state.offer_size[seat])]
            here = sum(on.tickets[n].deck == deck for n in offered)
            assert len(mine) == state.tickets_held[seat, deck] + here and state.offered[seat, deck] == here
    for seat in seats:
        assert state.tickets_out[seat] == sum(state.ticket_at[t.index] == LEFT_GAME - seat for t in on.tickets)

    for seat in seats:
        used = [0, 0]
        points = 0
        for one in on.routes:
            if state.route_owner[one.index] == seat:
                used[int(table.route_piece[one.index])] += one.length
                points += int(table.route_points[one.index])
        assert points == state.route_points[seat]
        if on.pieces.fleet:
            chosen = not state.setting_up
            assert not chosen or sum(used) + sum(state.pieces[seat, k] for k in range(2)) == on.pieces.fleet
            for kind in range(2):
                assert (
                    not chosen
                    or used[kind] + state.pieces[seat, kind] + state.box[seat, kind] == (on.pieces.count[kind])
                )
        else:
            assert [used[k] + int(state.pieces[seat, k]) for k in range(2)] == [*on.pieces.count, 0][:2]
        assert min(state.pieces[seat, 0], state.pieces[seat, 1]) >= 0
        placed = range(len(on.places))
        assert state.stations_built[seat] == sum(state.station_owner[n] == seat for n in placed)
        assert state.ports_built[seat] == sum(state.port_owner[n] == seat for n in placed)
    if on.passengers:
        for n in range(len(on.passengers.colours)):
            colour = int(table.passenger_colour[n])
            standing = sum(int(state.waiting[place.index, colour]) for place in on.places)
            assert standing + sum(int(state.passengers[seat, colour]) for seat in seats) == on.passengers.each
    if on.stations:
        assert all(int(state.stations_built[seat]) <= len(on.stations.prices) for seat in seats)


def empty_state():
    """An empty state record."""
    return kernel.new_buffer(STATE)
