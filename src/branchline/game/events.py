"""What happened: read off the state before and after an action. Intent is the action, this is the result.

An event carries what only some may know in `secret`; `for_seat` takes it out for everybody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from branchline.atlas import COLOURS, Board, Place, Route
from branchline.atlas.tables import KINDS, SHIP, WILD_KIND
from branchline.game.actions import DECKS, route_text
from branchline.game.cards import card_name
from branchline.game.question import turned_cards
from branchline.rules import state as at


@dataclass(frozen=True)
class Event:
    """One thing that happened, open for all but for `secret`, which only `seat` may know."""

    kind: str  # take, blind, market, sweep, reshuffle, tickets, keep, mix, claim, tunnel, withdraw, station, …
    seat: int
    cards: tuple[str, ...] = ()
    route: Route | None = None
    place: Place | None = None
    count: int = 0
    points: int = 0
    word: str = ""  # a deck, a colour, a kind of piece
    secret: tuple[str, ...] | None = None  # cards or tickets; None: nothing secret, or not for these eyes

    def for_seat(self, seat: int | None) -> Event:
        """The event as this seat (None: a spectator) may know it."""
        return self if seat == self.seat else replace(self, secret=None)

    @property
    def text(self) -> str:
        """A few plain English words, for logs and records; pages make sentences of their own."""
        return _TEXTS[self.kind](self)


def events_between(board: Board, before: Any, after: Any) -> tuple[Event, ...]:
    """What happened between two whole states, one action apart."""
    seat = int(before.seat)
    found: list[Event] = []
    found += _drawn_cards(board, before, after, seat)
    found += _tickets(board, before, after, seat)
    found += _paid(board, before, after, seat)
    found += _others(board, before, after, seat)
    found += _market(board, before, after, seat)
    if before.turns_to_go < 0 <= after.turns_to_go:
        found.append(Event("last_turns", seat, count=board.ending.extra_turns))
    if after.question == at.OVER != before.question:
        found.append(Event("over", seat))
    return tuple(found)


def _gained(before: Any, after: Any, seat: int) -> Counter[int]:
    return Counter({kind: int(after.hand[seat, kind]) - int(before.hand[seat, kind]) for kind in range(KINDS)})


def _names(cards: Counter[int]) -> tuple[str, ...]:
    return tuple(card_name(kind) for kind in sorted(cards) for _ in range(cards[kind]))


def _drawn_cards(board: Board, before: Any, after: Any, seat: int) -> list[Event]:
    gained = +_gained(before, after, seat)
    if not gained:
        return []
    (kind,) = gained
    if after.seen[seat, kind] > before.seen[seat, kind]:
        return [Event("take", seat, cards=(card_name(kind),))]
    deck = DECKS[int(SHIP <= kind < WILD_KIND)] if board.cards.two_decks else ""
    return [Event("blind", seat, word=deck, secret=(card_name(kind),))]


def _tickets(board: Board, before: Any, after: Any, seat: int) -> list[Event]:
    found = []
    new = [n for n in range(len(board.tickets)) if after.ticket_at[n] == seat and before.ticket_at[n] != seat]
    if new:
        if board.ticket_rules.first.mix or board.ticket_rules.later.mix:
            found.append(Event("mix", seat, count=int(after.mix[seat]), word=board.ticket_rules.decks[0]))
        names = tuple(board.tickets[n].name for n in new)
        found.append(Event("tickets", seat, count=len(new), secret=names))
    offered = {int(before.offer[seat, n]) for n in range(before.offer_size[seat])} | set(new)
    if offered and after.offer_size[seat] == 0:
        kept = tuple(board.tickets[n].name for n in sorted(offered) if after.ticket_at[n] == seat)
        found.append(Event("keep", seat, count=len(kept), secret=kept))
    return found


def _paid(board: Board, before: Any, after: Any, seat: int) -> list[Event]:
    found = []
    if _turned_at_tunnel(before, after):
        found.append(Event("tunnel", seat, cards=turned_cards(after), count=int(after.extra)))
    cards = _names(+Counter({kind: -count for kind, count in _gained(before, after, seat).items()}))
    for route in board.routes:
        if after.route_owner[route.index] == seat != before.route_owner[route.index]:
            points = int(after.route_points[seat]) - int(before.route_points[seat])
            found.append(Event("claim", seat, cards=cards, route=route, points=points))
    for place in board.places:
        if after.station_owner[place.index] == seat != before.station_owner[place.index]:
            found.append(Event("station", seat, cards=cards, place=place))
        if after.port_owner[place.index] == seat != before.port_owner[place.index]:
            found.append(Event("port", seat, cards=cards, place=place))
    if before.question == at.TUNNEL and not found and after.question != at.WILDS and after.question != at.MARKED:
        laid = Counter({kind: int(before.laid[kind]) for kind in range(KINDS)})
        found.append(Event("withdraw", seat, cards=_names(+laid), route=board.routes[before.target]))
    return found


def _turned_at_tunnel(before: Any, after: Any) -> bool:
    """Whether this action laid a payment for which a tunnel's cards were turned; the last ones lay there till then."""
    was_laid = not at.COLOUR <= after.question <= at.PAIR
    laying = before.question == at.TURN or at.COLOUR <= before.question <= at.PAIR
    return bool(after.turned[0] != at.NO_CARD and laying and was_laid and before.paying_for != at.FOR_EXTRA)


def _others(board: Board, before: Any, after: Any, seat: int) -> list[Event]:
    found = []
    for colour in range(len(COLOURS)):
        if after.passengers[seat, colour] > before.passengers[seat, colour]:
            route = board.routes[before.target]
            found.append(Event("passenger", seat, word=COLOURS[colour], place=(route.a, route.b)[before.stop]))
    swapped = int(after.swapped[seat]) - int(before.swapped[seat])
    if swapped:
        into = 0 if after.pieces[seat, 0] > before.pieces[seat, 0] else 1
        found.append(Event("swap", seat, count=swapped, word=board.pieces.names[into]))
    if after.fleet[seat] != before.fleet[seat]:
        found.append(Event("fleet", seat, secret=(str(int(after.fleet[seat])),)))
    if board.pieces.fleet and before.setting_up and not after.setting_up:
        found += [Event("fleet_revealed", other, count=int(after.fleet[other])) for other in range(after.seats)]
    if after.idle >= before.idle + 2:
        found.append(Event("pass", seat))
    return found


def _market(board: Board, before: Any, after: Any, seat: int) -> list[Event]:
    """Cards turned up, the market swept, decks shuffled anew."""
    slots = range(sum(board.cards.market))
    found = []
    for deck in _shuffled(board, before, after):
        found.append(Event("reshuffle", seat, word=DECKS[deck] if board.cards.two_decks else ""))
    changed = [n for n in slots if after.market[n] != before.market[n] and after.market[n] != at.NO_CARD]
    cards = [card_name(int(after.market[n])) for n in changed]
    replaced = sum(before.market[n] != at.NO_CARD for n in changed)
    if replaced > 1:  # one place is the taken card's; places that were empty are only filled
        found.append(Event("sweep", seat))
    if replaced == 0 and _taken_card_came_again(before, after, seat, slots):
        cards = [*_names(+_gained(before, after, seat)), *cards]
    if cards:
        found.append(Event("market", seat, cards=tuple(cards)))
    return found


def _shuffled(board: Board, before: Any, after: Any) -> list[int]:
    """The decks whose discards were shuffled: after the set-up nothing else uses luck."""
    if before.setting_up or all(after.luck[n] == before.luck[n] for n in range(len(after.luck))):
        return []
    decks = range(1 + board.cards.two_decks)
    grown = [deck for deck in decks if after.deck_size[deck] > before.deck_size[deck]]
    return grown or [min(decks, key=lambda deck: int(before.deck_size[deck]))]


def _taken_card_came_again(before: Any, after: Any, seat: int, slots: range) -> bool:
    """Whether a market card was taken and replaced by one of its kind, so that the market looks as before."""
    if any(after.seen[seat, kind] > before.seen[seat, kind] for kind in +_gained(before, after, seat)):
        return not any(after.market[n] == at.NO_CARD != before.market[n] for n in slots)
    return False


def _listed(names: tuple[str, ...]) -> str:
    """`2 green + 1 wild` from names of cards."""
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
    "pass": lambda e: "passes",
}
