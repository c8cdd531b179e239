"""May I …? A hand, a route (or a station, or a port): which payments the rules allow, and why not others.

The moment at a real table is laid out as a state, and the rules answer as they do in a game; nothing is stated here a
second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from branchline.boards import COLOURS, Board
from branchline.boards.limits import MAX_LENGTH
from branchline.boards.tables import SHIP, TRAIN, BoardTables
from branchline.game.payments import Payment, payments_for
from branchline.game.reasons import Reason, why_not
from branchline.game.scratch import scratch_buffer
from branchline.rules import kernel, payment, routes, sets, setup, stations, tunnels, turn
from branchline.rules import state as at
from branchline.rules.state import State
from branchline.runtime.structs import Buffer

MOST_WAYS = 60
"""So many payments are looked for; nobody reads more."""

FREE, MINE, OTHERS = "", "mine", "others"
"""Who has a parallel line of the route."""

_ASKER, _OTHER = 0, 1


@dataclass(frozen=True)
class Inquiry:
    """The moment at the table. Numbers have to be ones that the board allows."""

    action: int  # a claim, station or port, as the rules number them
    hand: Mapping[int, int] = field(default_factory=dict)  # cards of each kind
    seats: int = 2
    pieces: tuple[int, ...] | None = None  # left of each kind; None: all that the box holds
    parallel: str = FREE  # who has the next parallel line: FREE, MINE or OTHERS
    built: int = 0  # stations or ports that the player has built
    reached: bool = True  # whether the player has a route to the city; for ports
    turned: tuple[int, ...] | None = None  # kinds of the cards that a tunnel has turned; None: not yet


@dataclass(frozen=True)
class Way:
    """A payment that is allowed, and what the turned cards of a tunnel make of it."""

    payment: Payment
    extra: int | None = None  # cards more; None: no tunnel, or nothing turned yet
    extras: tuple[Payment, ...] = ()  # how these may be paid; empty with `extra`: they cannot, the cards are taken back


@dataclass(frozen=True)
class Verdict:
    """What the rules say."""

    ways: tuple[Way, ...]  # fewest wilds first, MOST_WAYS at most
    more: bool  # there are others
    whole: bool  # all cards of the hand together are one of them
    why: Reason | None  # where there is none
    missing: tuple[tuple[str, int], ...]  # colours that cannot pay, and how many cards of them would have to come


def judge(board: Board, inquiry: Inquiry) -> Verdict:
    """Return whether it may be done now, how it may be paid, and otherwise why not."""
    table = kernel.record_in(board.tables)
    buffer = _position(board, inquiry)
    state, scratch = kernel.record_in(buffer), kernel.record_in(scratch_buffer())
    turn.legal(table, state, scratch)
    allowed = sets.is_legal(scratch, inquiry.action)
    payments = payments_for(board, buffer, inquiry.action, MOST_WAYS + 1) if allowed else ()
    ways = tuple(_way(board, buffer, inquiry, payment) for payment in payments[:MOST_WAYS])
    held = tuple((kind, count) for kind, count in sorted(inquiry.hand.items()) if count)
    return Verdict(
        ways=ways,
        more=len(payments) > MOST_WAYS,
        whole=any(payment.cards == held for payment in payments),
        why=None if allowed else why_not(board, state, inquiry.action),
        missing=_missing(board, buffer, inquiry.action),
    )


def _position(board: Board, inquiry: Inquiry) -> Buffer[State]:
    """Return the state of a game in which the first seat has its turn."""
    table = kernel.record_in(board.tables)
    buffer = kernel.new_buffer(at.STATE)
    state = kernel.record_in(buffer)
    state.seats = inquiry.seats
    setup.empty_table(table, state)
    state.turns_to_go = -1
    state.question = at.TURN
    state.seat = _ASKER
    pieces = board.pieces.count if inquiry.pieces is None else inquiry.pieces
    for kind, count in enumerate(pieces):
        state.pieces[_ASKER, kind] = count
    for kind, count in inquiry.hand.items():
        state.hand[_ASKER, kind] = count
    state.stations_built[_ASKER] = inquiry.built
    state.ports_built[_ASKER] = inquiry.built
    if inquiry.action < at.STATION:
        _take_parallel(board, state, inquiry)
    elif inquiry.action >= at.PORT and inquiry.reached:
        place = board.places[inquiry.action - at.PORT]
        way = next((route for route in board.routes if place in (route.a, route.b)), None)
        if way is not None:
            routes.own(table, state, _ASKER, way.index)
    return buffer


def _take_parallel(board: Board, state: State, inquiry: Inquiry) -> None:
    """Let another seat claim the parallel line."""
    asked = board.routes[inquiry.action - at.CLAIM]
    other = next((route for route in board.routes if route.parallel == asked.parallel and route is not asked), None)
    if other is not None and inquiry.parallel:
        owner = _ASKER if inquiry.parallel == MINE else _OTHER
        routes.own(kernel.record_in(board.tables), state, owner, other.index)


def _way(board: Board, buffer: Buffer[State], inquiry: Inquiry, paid: Payment) -> Way:
    """Return a payment; at a tunnel, with what the turned cards ask."""
    route = board.routes[inquiry.action - at.CLAIM] if inquiry.action < at.STATION else None
    if route is None or route.kind != "tunnel" or inquiry.turned is None:
        return Way(paid)
    table, trial = kernel.record_in(board.tables), kernel.copy_of(buffer)
    state, scratch = kernel.record_in(trial), kernel.record_in(scratch_buffer())
    scratch.log_size = 0
    _lay(table, state, route.index, paid.answers)
    payment.show(state, scratch)
    for kind in reversed(inquiry.turned):  # the first one on top
        state.deck[0, state.deck_size[0]] = kind
        state.deck_size[0] += 1
    tunnels.turn_cards(table, state, scratch)
    if not state.extra:
        return Way(paid, 0)
    payable = bool(tunnels.can_pay_extra(state))
    return Way(paid, int(state.extra), payments_for(board, trial, at.PAY_EXTRA, MOST_WAYS) if payable else ())


def _lay(table: BoardTables, state: State, route: int, answers: Sequence[int]) -> None:
    """Lay the cards of a payment."""
    routes.begin_payment(table, state, route)
    for answer in answers:
        payment.proceed(table, state)
        payment.choose(table, state, answer - turn.first_of(state.question))
    payment.proceed(table, state)


def _missing(board: Board, buffer: Buffer[State], action: int) -> tuple[tuple[str, int], ...]:
    """Return for each colour that cannot pay how many more of its cards would do; nothing for ports and pairs."""
    route = board.routes[action - at.CLAIM] if action < at.STATION else None
    if action >= at.PORT or (route is not None and route.pairs):
        return ()
    table = kernel.record_in(board.tables)
    family = SHIP if route is not None and route.kind == "sea" else TRAIN
    asked = board.cards.colours if route is None or route.colour == "gray" else (route.colour,)
    missing = []
    for name in asked:
        colour = COLOURS.index(name)
        trial = kernel.copy_of(buffer)
        state = kernel.record_in(trial)
        if route is None and state.stations_built[_ASKER] >= table.stations:
            return ()
        for count in range(MAX_LENGTH + 1):
            if route is not None:
                routes.begin_payment(table, state, route.index)
            else:
                stations.begin_payment(table, state, action - at.STATION)
            payable = payment.colours(table, state) >> colour & 1
            payment.clear(state)
            if payable:
                if count:
                    missing.append((name, count))
                break
            state.hand[_ASKER, family + colour] += 1
    return tuple(missing)
