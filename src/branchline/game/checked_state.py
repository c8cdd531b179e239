"""Bytes of a state, looked over before a game goes on from them.

The rules trust their state: a number out of bounds would let compiled code read beyond a table. So bytes from
outside are compared with what this board allows, field by field, and with a few sums that hold in every position.
States that were redacted for a seat pass as well.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.boards import Board
from branchline.boards import limits as most
from branchline.boards.tables import KINDS, PLACE_WORDS, WORD
from branchline.game.errors import SetupError
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.state import STATE, State
from branchline.runtime.structs import Buffer, Vector

_DECK_OF = np.array([deck_of(kind) for kind in range(KINDS)])
_ABOUT_A_ROUTE = (at.FOR_ROUTE, at.FOR_EXTRA)


def checked_buffer(board: Board, content: bytes, *, dealing: bool = False) -> Buffer[State]:
    """Return the bytes of a state of this board, as a buffer of its own. Raise `SetupError` for any other bytes.

    `dealing`: of a table that only deals (`rules.dealer`), where anybody may have tickets on offer at any time.
    """
    if len(content) != STATE.itemsize:
        raise SetupError(f"a state has {STATE.itemsize} bytes, not {len(content)}")
    buffer = kernel.new_buffer(STATE)
    buffer.view("u1")[:] = np.frombuffer(content, "u1")
    fault = fault_in(board, buffer) or ("" if dealing else _offers(buffer[0]))
    if fault:
        raise SetupError(f"the state is damaged, or not of {board.id}: {fault}")
    return buffer


def fault_in(board: Board, buffer: Buffer[State]) -> str:
    """Return what is impossible in a state (an array of one) of this board, in a few words; empty where nothing is
    wrong.
    """
    row = buffer[0]
    if not board.seats[0] <= row["seats"] <= board.seats[1]:
        return f"{int(row['seats'])} seats"
    for kind, places, low, high in _bounds(_size(board, int(row["seats"]))):
        numbers = buffer.view(kind)[places]
        if ((numbers < low) | (numbers > high)).any():
            return _named(row, _size(board, int(row["seats"])))
    return _sums(board, row) or _sets(board, row) or _question(board, row) or _payment(board, row)


class _Size(NamedTuple):
    """What the bounds follow from."""

    seats: int
    routes: int
    places: int
    tickets: int
    market: int
    copies: tuple[int, ...]


def _size(board: Board, seats: int) -> _Size:
    copies = tuple(board.tables[0].copies.tolist())
    counts = len(board.routes), len(board.places), len(board.tickets)
    return _Size(seats, *counts, sum(board.cards.market), copies)


Bound = int | tuple[int, ...]
Bounds = tuple[
    type[np.signedinteger], npt.NDArray[np.intp], npt.NDArray[np.signedinteger], npt.NDArray[np.signedinteger]
]
"""A type of numbers, the places of those that are bounded, their least and their most."""


@lru_cache(maxsize=64)
def _bounds(size: _Size) -> tuple[Bounds, ...]:
    """Return for the narrow integer types which numbers of a state's bytes are bounded, and how."""
    lowest, highest = np.zeros((2, 1), dtype=STATE)
    bounded = _fields(size)
    for name, (low, high) in bounded.items():
        lowest[name], highest[name] = low, high
    bounds = []
    for kind in (np.int8, np.int16):
        places = np.concatenate([_places(name, kind) for name in bounded if STATE[name].base == kind])
        bounds.append((kind, places, lowest.view(kind)[places], highest.view(kind)[places]))
    return tuple(bounds)


def _places(name: str, kind: type[np.signedinteger]) -> npt.NDArray[np.intp]:
    """Return where the numbers of a field stand among all numbers of its type."""
    field, offset = STATE.fields[name][:2]  # type: ignore[index]
    size = np.dtype(kind).itemsize
    return np.arange(offset // size, (offset + field.itemsize) // size)


def _fields(size: _Size) -> dict[str, tuple[Bound, Bound]]:
    """Return the least and the most of every field that holds small numbers."""
    seats, routes, places, tickets, market, copies = size
    seat, card, amount = seats - 1, KINDS - 1, np.iinfo(np.int16).max
    cards: dict[str, tuple[Bound, Bound]] = {
        "discards": (0, copies),
        "hand": (0, copies),
        "seen": (0, copies),
        "laid": (0, copies),
    }
    course = {"seats": (0, seats), "first_seat": (0, seat), "seat": (0, seat), "question": (at.OVER, at.SWAP)}
    course |= {"setting_up": (0, 1), "turns": (0, amount), "turns_to_go": (-1, most.MAX_EXTRA_TURNS * seats)}
    course |= {"idle": (0, 2 * most.MAX_SEATS), "drawn": (0, 2), "slot": (-1, market - 1)}
    cards |= {"deck": (0, card), "deck_size": (0, most.MAX_DECK), "discard_size": (0, most.MAX_DECK)}
    cards |= {"market": (at.NO_CARD, card), "hand_size": (0, 2 * most.MAX_DECK)}
    board_ = {"route_owner": (at.CLOSED, seat), "pieces": (0, most.MAX_PIECES), "box": (0, most.MAX_PIECES)}
    board_ |= {"fleet": (at.HIDDEN, most.MAX_PIECES), "swapped": (0, amount), "station_owner": (at.NOBODY, seat)}
    board_ |= {"stations_built": (0, most.MAX_STATIONS), "port_owner": (at.NOBODY, seat)}
    board_ |= {"ports_built": (0, most.MAX_PORTS), "waiting": (0, most.MAX_STANDING), "passengers": (0, amount)}
    held = {"ticket_at": (at.LEFT_GAME - seat, seat), "ticket_deck": (0, max(0, tickets - 1))}
    held |= {"ticket_top": (0, most.MAX_TICKETS - 1), "ticket_count": (0, tickets), "offer": (-1, tickets - 1)}
    held |= {"offer_size": (0, most.MAX_OFFER), "offered": (0, most.MAX_OFFER), "mix": (-1, most.MAX_OFFER)}
    held |= {"tickets_held": (0, tickets), "tickets_out": (0, tickets)}
    paying = {"paying_for": (at.NOTHING, at.FOR_EXTRA), "target": (-1, max(routes, places) - 1)}
    paying |= {"colour": (at.UNDECIDED, at.ALL_WILD), "open_spaces": (0, 2 * most.MAX_LENGTH)}
    paying |= {"open_pairs": (0, most.MAX_LENGTH), "last_pair": (0, 2 * most.MAX_COLOURS)}
    paying |= {"open_colour": (at.UNDECIDED, most.MAX_COLOURS - 1), "turned": (at.NO_CARD, card)}
    return course | cards | board_ | held | paying | {"extra": (0, most.MAX_TURNED), "stop": (-1, 1)}


def _named(row: State, size: _Size) -> str:
    """Return the first field with a number out of bounds."""
    for name, (low, high) in _fields(size).items():
        if ((row[name] < low) | (row[name] > high)).any():
            return f"{name.replace('_', ' ')} out of bounds"
    return "a number out of bounds"


def _sums(board: Board, row: State) -> str:
    """Return a fault where a card is lost or doubled, or one in sight is not in the box."""
    copies = board.tables["copies"][0]
    market = row["market"][row["market"] != at.NO_CARD]
    in_sight = row["hand"].sum(axis=0) + row["discards"] + np.bincount(market, minlength=KINDS)
    if (in_sight > copies).any() or (row["seen"] > row["hand"]).any():
        return "more cards of a kind than the box holds"
    for deck in range(2):
        lying = row["deck_size"][deck] + row["discard_size"][deck] + (_DECK_OF[market] == deck).sum()
        if int(lying) + int(row["hand_size"][:, deck].sum()) != int(copies[deck == _DECK_OF].sum()):
            return "cards are missing"
        if row["discards"][deck == _DECK_OF].sum() != row["discard_size"][deck]:
            return "the discards do not add up"
        hands = row["hand"][:, deck == _DECK_OF].sum(axis=1)
        if (hands > row["hand_size"][:, deck]).any():
            return "a hand does not add up"
    if row["ticket_count"].sum() + row["tickets_held"].sum() + row["offer_size"].sum() > len(board.tickets):
        return "more tickets than the box holds"
    return ""


def _sets(board: Board, row: State) -> str:
    """Return a fault where the sets of routes and places hold any that the board lacks, or a free route has an
    owner.
    """
    table = board.tables[0]
    owners = row["route_owner"]
    free = [int(n) for n in np.flatnonzero(owners[: len(board.routes)] == at.NOBODY)]
    words = [0] * len(row["free"])
    for n in free:
        words[n // WORD] |= 1 << (n % WORD)
    if row["free"].tolist() != words or (owners[len(board.routes) :] != at.NOBODY).any():
        return "routes that are free and owned"
    places = PLACE_WORDS
    known = [0] * places
    for n in range(len(board.places)):
        known[n // WORD] |= 1 << (n % WORD)
    for name, allowed in (("barred", table["all_routes"]), ("reached", np.array(known))):
        if (row[name] & ~allowed).any():
            return f"{name.replace('_', ' ')} out of bounds"
    for name, sites in (("station", table.cities), ("port", table.port_cities)):
        if fault := _buildings(row, name, sites):
            return fault
    return ""


def _buildings(row: State, name: str, sites: Vector) -> str:
    """Return a fault where stations or ports stand elsewhere than at their sites, or their numbers disagree with the
    seats'.
    """
    owners = row[f"{name}_owner"]
    left = [int(word) for word in sites]
    for place in np.flatnonzero(owners != at.NOBODY):
        word, bit = divmod(int(place), WORD)
        if not left[word] >> bit & 1:
            return f"a {name} where none can be"
        left[word] &= ~(1 << bit)
    if row[f"{name}_free"].tolist() != left:
        return f"sites of {name}s that are free and taken"
    built = np.bincount(owners[owners != at.NOBODY], minlength=most.MAX_SEATS)
    return f"the {name}s do not add up" if (built != row[f"{name}s_built"]).any() else ""


def _question(board: Board, row: State) -> str:
    """Return a fault where what is asked lacks what it is about."""
    question, target = int(row["question"]), int(row["target"])
    about_route = row["paying_for"] in _ABOUT_A_ROUTE
    if row["paying_for"] != at.NOTHING:
        if not 0 <= target < (len(board.routes) if about_route else len(board.places)):
            return "a payment for nothing"
    elif at.COLOUR <= question <= at.PASSENGER:
        return "a question about nothing"
    asked_seat = int(row["seat"])
    misplaced = (
        (question in (at.TUNNEL, at.PASSENGER) and not about_route)
        or (question == at.PASSENGER and row["stop"] < 0)
        or (question == at.TUNNEL and not board.tunnel_cards)
        or (question == at.MARKED and row["open_colour"] < 0)
        or (question == at.TUNNEL and row["colour"] < 0)
        or (question in (at.WILDS, at.SHIP_WILDS, at.DOUBLES) and not 0 <= row["colour"] < at.ALL_WILD)
        or (question == at.KEEP_TICKETS and row["offer_size"][asked_seat] == 0)
        or (question in (at.FLEET, at.SWAP) and not board.pieces.fleet)
        or (question == at.REFILL and not (board.cards.two_decks and row["slot"] >= 0))
        or (question == at.TICKET_MIX and not (board.ticket_rules.first.mix or board.ticket_rules.later.mix))
    )
    return "a question that cannot be asked" if misplaced else ""


def _payment(board: Board, row: State) -> str:
    """Return a fault where what is being paid cannot be built, or the cards laid so far are not in the hand."""
    question, target, here = int(row["question"]), int(row["target"]), int(row["seat"])
    if not at.COLOUR <= question <= at.TUNNEL:
        return ""
    if (row["laid"] > row["hand"][here]).any():
        return "more cards laid than held"
    table = board.tables[0]
    pairs = False
    if row["paying_for"] in _ABOUT_A_ROUTE:
        pairs = table.route_pairs[target] > 0
        stock = row["pieces"][here][table.route_piece[target]]
        possible = row["route_owner"][target] == at.NOBODY and stock >= board.routes[target].length
    elif row["paying_for"] == at.FOR_STATION:
        possible = _has(row["station_free"], target) and row["stations_built"][here] < table.stations
    else:
        possible = _has(row["port_free"], target) and row["ports_built"][here] < table.ports
    if not possible:
        return "a payment for what cannot be built"
    if (question == at.PAIR and not pairs) or (question == at.MARKED and row["colour"] < 0 and not pairs):
        return "a payment without a colour"
    return ""


def _has(words: Vector, number: int) -> bool:
    return bool(int(words[number // WORD]) >> (number % WORD) & 1)


def _offers(row: State) -> str:
    """Return a fault where tickets are not on offer to whoever chooses; during setup, to all who have not chosen
    yet.
    """
    choosing = row["seat"] if row["question"] == at.KEEP_TICKETS else -1
    for seat, size in enumerate(row["offer_size"]):
        expected = seat == choosing or (row["setting_up"] and row["question"] == at.KEEP_TICKETS)
        announced = row["setting_up"] and row["question"] == at.TICKET_MIX and seat != row["seat"]
        if size and not (expected or announced):
            return "tickets on offer to somebody who is not asked"
    return "the tickets on offer do not add up" if (row["offer_size"] != row["offered"].sum(axis=1)).any() else ""
