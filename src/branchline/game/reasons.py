"""Why something cannot be done now: a code, and what it is about.

A row below says it twice in English: in one line for programs, terminals and records, which names what was tried, and
as a sentence of a page, whose reader looks at it. Pages find their sentence, in each language, by the code.
"""

from __future__ import annotations

from branchline.boards import Board
from branchline.boards.tables import WILD_KIND, WORD
from branchline.boards.wording import Message, Term, worded
from branchline.game.actions import action_text, piece_text
from branchline.rules import state as at
from branchline.rules.state import State

Said = str | tuple[str, str]
"""A sentence of a page; two where it speaks of a number, the field `count`: of one, and of any other."""


class Reason(Message):
    """The line of a reason, which also knows its `code` and, as `values`, what it is about.

    Some fields have a meaning: `seat` is a number, `piece` and `colour` are terms, `count` decides which of two
    sentences is said.
    """

    code: str

    @property
    def sentence(self) -> Said:
        """What a page says of it."""
        return SENTENCES[self.code]


SENTENCES: dict[str, Said] = {}
"""By its code, what a page says of a reason."""


class ReasonKind:
    """One kind of reason. Call it with the fields to get a `Reason`."""

    def __init__(self, code: str, line: str, sentence: Said) -> None:
        """List the reason."""
        self.code, self.line = code, line
        SENTENCES[code] = sentence

    def __call__(self, **fields: str | int) -> Reason:
        """Return the reason with what it is about."""
        line = worded(self.line, **fields)
        reason = Reason(line)
        reason.code, reason.template, reason.values = self.code, self.line, line.values
        return reason


IMPOSSIBLE = ReasonKind("impossible", "that is not possible now", "That is not possible now.")
GAME_OVER = ReasonKind("game_over", "the game is over", "The game is over.")
YOURS = ReasonKind("yours", "{route} already belongs to you", "This route is already yours.")
TAKEN = ReasonKind("taken", "{route} already belongs to seat {seat}", "This route belongs to {name}.")
CLOSED_LINE = ReasonKind(
    "closed_line",
    "{route} is closed: its parallel line is taken, and with {count} seats only one may be used",
    "Closed: with {count} players, only one of two parallel routes may be used.",
)
PARALLEL = ReasonKind(
    "parallel",
    "{route}: you hold its parallel line, and nobody may hold two",
    "You already own the parallel route, and no player may own both.",
)
PIECES = ReasonKind(
    "pieces", "{route} needs {pieces}, you have {have}", "Not enough {piece}: you need {need} and have {have}."
)
WILDS = ReasonKind(
    "wilds",
    "{route} needs at least {wilds}, you have {have}",
    ("You need at least {count} wild card and have {have}.", "You need at least {count} wild cards and have {have}."),
)
PAIRS = ReasonKind(
    "pairs",
    "{route} needs {count} pairs of equal train cards; your hand cannot pay that",
    (
        "Difficult terrain: you need {count} pair of equal cards, which you don’t have.",
        "Difficult terrain: you need {count} pairs of equal cards, which you don’t have.",
    ),
)
SHIPS_OF_ANY_COLOUR = ReasonKind(
    "ships_of_any_colour",
    "{route} costs {count} spaces of ship cards of any one colour; your hand cannot pay that",
    (
        "You need ship cards of one colour for {count} space, which you don’t have.",
        "You need ship cards of one colour for {count} spaces, which you don’t have.",
    ),
)
SHIPS_OF_COLOUR = ReasonKind(
    "ships_of_colour",
    "{route} costs {count} spaces of ship cards of {colour}; your hand cannot pay that",
    (
        "You need {colour} ship cards for {count} space, which you don’t have.",
        "You need {colour} ship cards for {count} spaces, which you don’t have.",
    ),
)
CARDS_OF_ANY_COLOUR = ReasonKind(
    "cards_of_any_colour",
    "{route} costs {count} cards of any one colour; your hand cannot pay that",
    (
        "You need {count} card of one colour, which you don’t have.",
        "You need {count} cards of one colour, which you don’t have.",
    ),
)
CARDS_OF_COLOUR = ReasonKind(
    "cards_of_colour",
    "{route} costs {count} cards of {colour}; your hand cannot pay that",
    ("You need {count} {colour} card, which you don’t have.", "You need {count} {colour} cards, which you don’t have."),
)
PRICE = ReasonKind("price", "{cards} does not pay the price exactly", "These cards do not match the price exactly.")
KEEP_FIRST = ReasonKind("keep_first", "choose which tickets to keep first", "First choose which tickets to keep.")
KEEP_MORE = ReasonKind(
    "keep_more",
    "at least {need} of the {offered} tickets have to be kept",
    "Too few tickets: you must keep at least {need}.",
)
ANOTHER_QUESTION = ReasonKind(
    "another_question", "seat {seat} has to answer something else first", "Answer the other question first."
)
ANOTHER_SEAT = ReasonKind("another_seat", "it is the question of seat {seat}", "It is {name}’s turn.")
NO_STATIONS = ReasonKind("no_stations", "there are no stations in this edition", "There are no stations in this game.")
STATION_HERE = ReasonKind("station_here", "{place} has a station already", "There is already a station here.")
NO_CITY = ReasonKind("no_city", "{place} is not a city", "This is not a city.")
STATIONS_BUILT = ReasonKind("stations_built", "all your stations are built", "All your stations are built.")
STATION_PRICE = ReasonKind(
    "station_price",
    "your next station costs {count} cards of one colour; your hand cannot pay that",
    (
        "Your next station costs {count} card of one colour, which you don’t have.",
        "Your next station costs {count} cards of one colour, which you don’t have.",
    ),
)
NO_PORTS = ReasonKind("no_ports", "there are no ports in this edition", "There are no ports in this game.")
PORT_HERE = ReasonKind("port_here", "{place} has a port already", "There is already a port here.")
NO_PORT_CITY = ReasonKind("no_port_city", "{place} is not a port city", "No port can be built here.")
PORTS_BUILT = ReasonKind("ports_built", "all your ports are built", "All your ports are built.")
NO_ROUTE_HERE = ReasonKind("no_route_here", "you have no route to {place} yet", "You have no route to this city yet.")
PORT_PRICE = ReasonKind(
    "port_price",
    "a port costs {need} train and {ships} ship cards of one colour, all port-marked; your hand cannot pay that",
    "A port costs {need} train and {ships} ship cards of one colour, all with an anchor; you don’t have them.",
)
MUST_PLAY = ReasonKind(
    "must_play",
    "passing is allowed only when nothing else is possible",
    "You may pass only when you have no other move.",
)
NO_CARD = ReasonKind("no_card", "no such card can be drawn now", "This card cannot be taken now.")
NO_TICKETS = ReasonKind("no_tickets", "there are no tickets left", "There are no tickets left.")
NOTHING_TO_SWAP = ReasonKind("nothing_to_swap", "there is nothing to swap", "There is nothing to swap.")


def why_not(board: Board, state: State, action: int) -> Reason:
    """Return the reason why an action is not legal now. It tells only what the seat itself may know."""
    if state.question == at.OVER:
        return GAME_OVER()
    if state.question == at.KEEP_TICKETS:
        return _why_not_keep(board, state, action)
    if at.CLAIM <= action < at.STATION and action < len(board.routes):
        return _why_not_claim(board, state, action - at.CLAIM)
    if state.question != at.TURN:
        return ANOTHER_QUESTION(seat=int(state.seat))
    if at.STATION <= action < at.PORT and action - at.STATION < len(board.places):
        return _why_not_station(board, state, action - at.STATION)
    if at.PORT <= action < at.TAKE and action - at.PORT < len(board.places):
        return _why_not_port(board, state, action - at.PORT)
    if action == at.PASS:
        return MUST_PLAY()
    if at.TAKE <= action < at.DRAW_TICKETS:
        return NO_CARD()
    if action == at.DRAW_TICKETS:
        return NO_TICKETS()
    if action == at.SWAP_PIECES:
        return NOTHING_TO_SWAP()
    return IMPOSSIBLE()


def _why_not_keep(board: Board, state: State, action: int) -> Reason:
    """Return the reason that tickets are on offer, and nothing else can be done before some are kept."""
    size = int(state.offer_size[state.seat])
    rules = board.ticket_rules.first if state.setting_up else board.ticket_rules.later
    if at.KEEP <= action < at.KEEP + (1 << size):
        return KEEP_MORE(need=min(rules.keep, size), offered=size)
    return KEEP_FIRST()


def _why_not_claim(board: Board, state: State, number: int) -> Reason:
    route, seat = board.routes[number], int(state.seat)
    owner = int(state.route_owner[number])
    name = action_text(board, state, number).removeprefix("claim ")
    if owner >= 0:
        return YOURS(route=name) if owner == seat else TAKEN(route=name, seat=owner)
    if owner == at.CLOSED:
        return CLOSED_LINE(route=name, count=int(state.seats))
    if state.barred[seat, number // WORD] >> (number % WORD) & 1:
        return PARALLEL(route=name)
    kind = route.piece
    have = int(state.pieces[seat, kind])
    if have < route.length:
        pieces = piece_text(board, kind, route.length)
        return PIECES(route=name, pieces=pieces, piece=Term(board.pieces.names[kind]), need=route.length, have=have)
    if state.question != at.TURN:
        return ANOTHER_QUESTION(seat=seat)
    if state.hand[seat, WILD_KIND] < route.wilds:
        wilds = f"{route.wilds} wild{'' if route.wilds == 1 else 's'}"
        return WILDS(route=name, wilds=wilds, count=route.wilds, have=int(state.hand[seat, WILD_KIND]))
    if route.pairs:
        return PAIRS(route=name, count=route.pairs)
    if route.colour == "gray":
        unpaid = SHIPS_OF_ANY_COLOUR if route.kind == "sea" else CARDS_OF_ANY_COLOUR
        return unpaid(route=name, count=route.price)
    unpaid = SHIPS_OF_COLOUR if route.kind == "sea" else CARDS_OF_COLOUR
    return unpaid(route=name, count=route.price, colour=Term(route.colour))


def _why_not_station(board: Board, state: State, number: int) -> Reason:
    place, seat = board.places[number], int(state.seat)
    if not board.stations:
        return NO_STATIONS()
    if state.station_owner[number] >= 0:
        return STATION_HERE(place=place.name)
    if place.kind != "city":
        return NO_CITY(place=place.name)
    built = int(state.stations_built[seat])
    if built == len(board.stations.prices):
        return STATIONS_BUILT()
    return STATION_PRICE(count=board.stations.prices[built])


def _why_not_port(board: Board, state: State, number: int) -> Reason:
    place, seat = board.places[number], int(state.seat)
    if not board.ports:
        return NO_PORTS()
    if state.port_owner[number] >= 0:
        return PORT_HERE(place=place.name)
    if not place.port:
        return NO_PORT_CITY(place=place.name)
    if state.ports_built[seat] == board.ports.count:
        return PORTS_BUILT()
    if not state.reached[seat, number // WORD] >> (number % WORD) & 1:
        return NO_ROUTE_HERE(place=place.name)
    return PORT_PRICE(need=board.ports.train_cards, ships=board.ports.ship_cards)
