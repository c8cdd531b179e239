"""What one seat may know, for people. Made from a redacted state only, so it cannot hold more."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TypeVar

from branchline.boards import COLOURS, Board, Place, Route, Ticket
from branchline.game.cards import card_name
from branchline.game.question import Question, question_of
from branchline.game.sheet import Scores
from branchline.rules import state as at
from branchline.rules.state import State
from branchline.runtime.structs import Vector

Thing = TypeVar("Thing", Place, Route)


@dataclass(frozen=True)
class PublicSeat:
    """The public information about one seat."""

    seat: int
    cards: int  # in hand
    cards_by_deck: tuple[int, ...]
    known_cards: Counter[str]  # of these, what everybody saw being taken or laid open
    tickets: int  # kept
    tickets_on_offer: int
    pieces: dict[str, int]  # by name of the piece
    box: dict[str, int]  # pieces left out, to swap for
    routes: tuple[Route, ...]
    stations: tuple[Place, ...]
    stations_left: int
    ports: tuple[Place, ...]
    ports_left: int
    passengers: dict[str, int]
    announced_mix: int | None  # how many of the last tickets came from the first deck
    tickets_by_deck: dict[str, int] = field(default_factory=dict)  # those kept; empty where the backs do not tell
    open_tickets: tuple[Ticket, ...] = ()  # those kept, when the game is over


@dataclass(frozen=True)
class View:
    """A game as one seat may know it; `seat` is None for a spectator."""

    seat: int | None
    question: Question
    hand: Counter[str]  # own cards by name
    tickets: tuple[Ticket, ...]  # own, kept
    offer: tuple[Ticket, ...]  # own, to choose from
    fleet: int | None  # own choice of trains, once made
    market: tuple[str | None, ...]  # None: an empty place
    deck_sizes: tuple[int, ...]
    discards: Counter[str]
    ticket_decks: dict[str, int]  # tickets that can still be drawn, by deck
    seats: tuple[PublicSeat, ...]
    first_seat: int
    turns: int  # turns ended
    turns_to_go: int | None  # after the end was announced
    closed: tuple[Route, ...]  # routes that can no longer be taken, their parallel being taken
    passengers: dict[Place, dict[str, int]]  # standing at places
    scores: Scores  # what lies open; when the game is over the full sheet and the winners


def view_of(board: Board, seen: State, seat: int | None, scores: Scores) -> View:
    """Return the view of a seat, from the state redacted for it, and the scores as that state has them."""
    all_seats = _Seats(board, seen)
    return View(
        seat=seat,
        question=question_of(board, seen),
        hand=_counted(seen.hand.tolist()[seat]) if seat is not None else Counter(),
        tickets=_held(board, seen, seat) if seat is not None else (),
        offer=_offer(board, seen, seat) if seat is not None else (),
        fleet=int(seen.fleet[seat]) if seat is not None and seen.fleet[seat] >= 0 else None,
        market=tuple(_market(board, seen)),
        deck_sizes=tuple(seen.deck_size.tolist()[: 1 + board.cards.two_decks]),
        discards=_counted(seen.discards.tolist()),
        ticket_decks=_ticket_decks(board, seen),
        seats=tuple(all_seats.public(other) for other in range(seen.seats)),
        first_seat=int(seen.first_seat),
        turns=int(seen.turns),
        turns_to_go=int(seen.turns_to_go) if seen.turns_to_go >= 0 else None,
        closed=tuple(all_seats.routes[at.CLOSED]),
        passengers=_standing(board, seen),
        scores=scores,
    )


def _counted(counts: list[int]) -> Counter[str]:
    return Counter({card_name(kind): count for kind, count in enumerate(counts) if count})


def _held(board: Board, seen: State, seat: int) -> tuple[Ticket, ...]:
    mine = [ticket for ticket, where in zip(board.tickets, seen.ticket_at.tolist(), strict=False) if where == seat]
    offered = set(_offer(board, seen, seat))
    return tuple(ticket for ticket in mine if ticket not in offered)


def _offer(board: Board, seen: State, seat: int) -> tuple[Ticket, ...]:
    return tuple(board.tickets[seen.offer[seat, n]] for n in range(seen.offer_size[seat]))


def _ticket_decks(board: Board, seen: State) -> dict[str, int]:
    """Return what is left of each deck; a deck that is dealt from only at the start is out of the game afterwards."""
    later = board.ticket_rules.later
    drawn = [bool(later.mix or later.deal[n]) for n in range(len(board.ticket_rules.decks))]
    return {deck: int(seen.ticket_count[n]) if drawn[n] else 0 for n, deck in enumerate(board.ticket_rules.decks)}


def _market(board: Board, seen: State) -> list[str | None]:
    kinds = seen.market.tolist()[: sum(board.cards.market)]
    return [None if kind == at.NO_CARD else card_name(kind) for kind in kinds]


class _Seats:
    """What a state says of all seats, in lists that are read once: one by one its numbers take ten times as long."""

    def __init__(self, board: Board, seen: State) -> None:
        self._board, self._seen = board, seen
        self.routes = _by_owner(board.routes, seen.route_owner)
        self._stations = _by_owner(board.places if board.stations else (), seen.station_owner)
        self._ports = _by_owner(board.places if board.ports else (), seen.port_owner)
        self._hand_size, self._cards, self._mix = seen.hand_size.tolist(), seen.seen.tolist(), seen.mix.tolist()
        self._tickets, self._offered = seen.tickets_held.tolist(), seen.offer_size.tolist()
        self._pieces, self._box = seen.pieces.tolist(), seen.box.tolist()
        decks = board.ticket_rules.decks
        self._decks = decks if len(decks) == 1 or board.ticket_rules.backs_differ else ()
        self._riding = seen.passengers.tolist() if board.passengers else []

    def public(self, seat: int) -> PublicSeat:
        """Return what everybody knows of a seat."""
        board, names, mix = self._board, self._board.pieces.names, self._mix[seat]
        stations, ports = tuple(self._stations[seat]), tuple(self._ports[seat])
        by_deck = tuple(self._hand_size[seat][: 1 + board.cards.two_decks])
        return PublicSeat(
            seat=seat,
            cards=sum(by_deck),
            cards_by_deck=by_deck,
            known_cards=_counted(self._cards[seat]),
            tickets=sum(self._tickets[seat][:2]),
            tickets_on_offer=self._offered[seat],
            pieces=dict(zip(names, self._pieces[seat], strict=False)),
            box=dict(zip(names, self._box[seat], strict=False)),
            routes=tuple(self.routes[seat]),
            stations=stations,
            stations_left=len(board.stations.prices) - len(stations) if board.stations else 0,
            ports=ports,
            ports_left=board.ports.count - len(ports) if board.ports else 0,
            passengers=_passengers(_colours(board), self._riding[seat]) if board.passengers else {},
            announced_mix=mix if mix >= 0 else None,
            tickets_by_deck=dict(zip(self._decks, self._tickets[seat], strict=False)),
            open_tickets=_held(board, self._seen, seat) if self._seen.question == at.OVER else (),
        )


def _by_owner(things: tuple[Thing, ...], owners: Vector) -> dict[int, list[Thing]]:
    by_owner: dict[int, list[Thing]] = defaultdict(list)
    if things:
        for thing, owner in zip(things, owners.tolist(), strict=False):
            if owner != at.NOBODY:
                by_owner[owner].append(thing)
    return by_owner


def _standing(board: Board, seen: State) -> dict[Place, dict[str, int]]:
    if board.passengers is None:
        return {}
    colours, waiting = _colours(board), zip(board.places, seen.waiting.tolist(), strict=False)
    return {place: _passengers(colours, here) for place, here in waiting if any(here)}


def _colours(board: Board) -> list[tuple[str, int]]:
    """Return the colours of a board's passengers, with their numbers in the rules."""
    return [(colour, COLOURS.index(colour)) for colour in (board.passengers.colours if board.passengers else ())]


def _passengers(colours: list[tuple[str, int]], counts: list[int]) -> dict[str, int]:
    return {colour: counts[number] for colour, number in colours if counts[number]}
