"""What happened, for people: made from the rules' own log of an action. Intent is the action, this is the result.

An event carries what only some may know in `secret`; `for_seat` takes it out for everybody else. The events of an
action are in the order in which things happened; what a seat knew before and these tell it what it knows after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from branchline.boards import COLOURS, Board, Place, Route
from branchline.boards.arguments import whole_number
from branchline.boards.limits import MAX_SEATS
from branchline.game.actions import DECKS, route_text
from branchline.game.cards import card_name
from branchline.game.errors import SetupError
from branchline.rules import log
from branchline.rules.catalogue import EVENT_KINDS
from branchline.rules.state import NOBODY


@dataclass(frozen=True)
class Event:
    """Something that happened. It is public except for `secret`, which only `seat` may know.

    `seat` is the seat that acted; for changes of the market and the decks, the seat whose action caused them.
    """

    kind: str  # its word in `rules.catalogue.EVENT_KINDS`: take, blind, market, …
    seat: int
    cards: tuple[str, ...] = ()  # taken, turned up, swept, paid, turned at a tunnel or taken back
    route: Route | None = None
    place: Place | None = None
    count: int = 0
    points: int = 0
    word: str = ""  # a deck, a colour, a kind of piece
    secret: tuple[str, ...] | None = None  # cards or tickets; None: nothing secret, or not for these eyes
    slots: tuple[int, ...] = ()  # take, market, sweep: for each of the cards its place in `View.market`
    laid: tuple[str, ...] = ()  # tunnel: the payment that was laid open
    by_deck: tuple[int, ...] = ()  # tickets, keep: how many of each deck; empty: there is one, or nobody can see it

    def for_seat(self, seat: int | None) -> Event:
        """Return the event as this seat may know it; None is a spectator."""
        if seat is not None:
            seat = whole_number("seat", seat, 0, MAX_SEATS - 1, SetupError)
        return self if seat == self.seat or self.secret is None else replace(self, secret=None)

    @property
    def text(self) -> str:
        """The event in a few plain English words, for logs and records; pages word it themselves."""
        return _TEXTS[self.kind](self)


Rows = list[tuple[int, int]]  # the two numbers of some facts of one kind


def events_from(board: Board, seat: int, rows: Iterable[Sequence[int]]) -> tuple[Event, ...]:
    """Return what an action of this seat did, from the rows of the rules' log.

    Facts that belong together are one event.
    """
    events: list[Event] = []
    paid: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    for (fact, whose), run in groupby(rows, key=itemgetter(0, 1)):
        numbers = [(row[2], row[3]) for row in run]
        if fact == log.PAID:
            paid = tuple(card_name(kind) for kind, count in sorted(numbers) for _ in range(count))
        elif fact == log.TURNED:
            turned = tuple(card_name(kind) for kind, _ in numbers)
        else:
            event = _EVENTS[fact](EVENT_KINDS[fact].word, board, seat if whose == NOBODY else whose, numbers)
            if fact == log.TUNNELLED:
                event = replace(event, cards=turned, laid=paid)
            elif fact == log.LOOKED:
                event = replace(event, cards=turned)
            elif EVENT_KINDS[fact].paid:
                event = replace(event, cards=paid)
            events.append(event)
    return tuple(events)


def _in_market(kind: str, _board: Board, seat: int, rows: Rows) -> Event:
    """Return the event of cards that come to the market or leave it."""
    return Event(kind, seat, cards=tuple(card_name(card) for _, card in rows), slots=tuple(slot for slot, _ in rows))


def _card_deck(board: Board, deck: int) -> str:
    return DECKS[deck] if board.cards.two_decks else ""


def _offered(kind: str, board: Board, seat: int, rows: Rows) -> Event:
    tickets = sorted(ticket for ticket, _ in rows)
    return Event(
        kind,
        seat,
        count=len(tickets),
        secret=tuple(board.tickets[ticket].name for ticket in tickets),
        by_deck=_by_deck(board, tickets),
    )


def _chose(kind: str, board: Board, seat: int, rows: Rows) -> Event:
    """TIC-1: Return the event of a choice; the backs, or what goes back, show how many of each deck were kept."""
    kept = sorted(ticket for ticket, went in rows if went == log.KEPT)
    seen = board.ticket_rules.backs_differ or not any(went == log.PUT_OUT for _, went in rows)
    return Event(
        kind,
        seat,
        count=len(kept),
        secret=tuple(board.tickets[ticket].name for ticket in kept),
        by_deck=_by_deck(board, kept) if seen else (),
    )


def _by_deck(board: Board, tickets: list[int]) -> tuple[int, ...]:
    decks = range(len(board.ticket_rules.decks))
    counted = Counter(board.tickets[ticket].deck for ticket in tickets)
    return tuple(counted[deck] for deck in decks) if len(decks) > 1 else ()


_EVENTS: dict[int, Callable[[str, Board, int, Rows], Event]] = {
    log.TOOK: _in_market,
    log.DREW: lambda kind, board, seat, rows: Event(
        kind, seat, word=_card_deck(board, rows[0][0]), secret=(card_name(rows[0][1]),)
    ),
    log.TURNED_UP: _in_market,
    log.SWEPT: _in_market,
    log.RESHUFFLED: lambda kind, board, seat, rows: Event(
        kind, seat, word=_card_deck(board, rows[0][0]), count=rows[0][1]
    ),
    log.ANNOUNCED: lambda kind, board, seat, rows: Event(
        kind, seat, count=rows[0][0], word=board.ticket_rules.decks[0]
    ),
    log.OFFERED: _offered,
    log.CHOSE: _chose,
    log.TUNNELLED: lambda kind, board, seat, rows: Event(kind, seat, route=board.routes[rows[0][0]], count=rows[0][1]),
    log.WITHDREW: lambda kind, board, seat, rows: Event(kind, seat, route=board.routes[rows[0][0]]),
    log.CLAIMED: lambda kind, board, seat, rows: Event(kind, seat, route=board.routes[rows[0][0]], points=rows[0][1]),
    log.BUILT_STATION: lambda kind, board, seat, rows: Event(kind, seat, place=board.places[rows[0][0]]),
    log.BUILT_PORT: lambda kind, board, seat, rows: Event(kind, seat, place=board.places[rows[0][0]]),
    log.TOOK_PASSENGER: lambda kind, board, seat, rows: Event(
        kind, seat, place=board.places[rows[0][0]], word=COLOURS[rows[0][1]]
    ),
    log.SWAPPED: lambda kind, board, seat, rows: Event(
        kind, seat, word=board.pieces.names[rows[0][0]], count=rows[0][1]
    ),
    log.CHOSE_FLEET: lambda kind, _board, seat, rows: Event(kind, seat, secret=(str(rows[0][0]),)),
    log.SHOWED_FLEET: lambda kind, _board, seat, rows: Event(kind, seat, count=rows[0][0]),
    log.PASSED: lambda kind, _board, seat, _rows: Event(kind, seat),
    log.ANNOUNCED_END: lambda kind, _board, seat, rows: Event(kind, seat, count=rows[0][0]),
    log.ENDED: lambda kind, _board, seat, _rows: Event(kind, seat),
    log.PUT_AWAY: lambda kind, _board, seat, _rows: Event(kind, seat),
    log.LOOKED: lambda kind, _board, seat, _rows: Event(kind, seat),
    log.MOVED_ON: lambda kind, _board, seat, _rows: Event(kind, seat),
}


def _listed(names: tuple[str, ...]) -> str:
    """Return names of cards as text: `2 green + 1 wild`."""
    return " + ".join(f"{count} {name}" for name, count in Counter(names).items()) or "nothing"


_TEXTS: dict[str, Callable[[Any], str]] = {
    "take": lambda e: f"takes {e.cards[0]}",
    "blind": lambda e: e.secret[0] if e.secret else f"a card{' from the ' + e.word + ' deck' if e.word else ''}",
    "market": lambda e: f"{', '.join(e.cards)} turned up",
    "sweep": lambda e: "market swept",
    "reshuffle": lambda e: f"discards shuffled{' (' + e.word + ')' if e.word else ''}",
    "tickets": lambda e: ", ".join(e.secret) if e.secret else f"{e.count} tickets",
    "keep": lambda e: f"keeps {', '.join(e.secret) if e.secret else e.count}",
    "mix": lambda e: f"{e.count} {e.word}",
    "claim": lambda e: f"{route_text(e.route)} for {_listed(e.cards)}, {e.points} point{'' if e.points == 1 else 's'}",
    "tunnel": lambda e: f"turned {' '.join(e.cards) or 'nothing'}{f': {e.count} more' if e.count else ''}",
    "withdraw": lambda e: f"takes back {_listed(e.cards)}",
    "station": lambda e: f"station in {e.place.name} for {_listed(e.cards)}",
    "port": lambda e: f"port in {e.place.name} for {_listed(e.cards)}",
    "passenger": lambda e: f"{e.word} passenger from {e.place.name}",
    "swap": lambda e: f"{e.count} for {e.word}s",
    "fleet": lambda e: f"{e.secret[0]} trains" if e.secret else "fleet chosen",
    "fleet_revealed": lambda e: f"seat {e.seat} plays with {e.count} trains",
    "last_turns": lambda e: "the last turns begin",
    "over": lambda e: "the game is over",
    "put": lambda e: f"puts away {_listed(e.cards)}",
    "look": lambda e: f"turned {' '.join(e.cards) or 'nothing'}",
    "next": lambda e: f"seat {e.seat} is on turn",
    "pass": lambda e: "passes",
}
