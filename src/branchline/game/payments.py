"""Whole payments, for people: all the ways to pay a price at once, found by walking the questions of a payment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from branchline.boards import Board
from branchline.boards.tables import WILD_KIND, BoardTables
from branchline.game.cards import cards_text
from branchline.rules import kernel, payment, ports, routes, spending, stations
from branchline.rules import state as at
from branchline.rules.state import State
from branchline.rules.turn import first_of
from branchline.runtime.structs import Buffer


@dataclass(frozen=True)
class Payment:
    """One way to pay: the cards, and the answers that choose them."""

    cards: tuple[tuple[int, int], ...]  # kind and number
    answers: tuple[int, ...]  # actions, one for each question that leaves a choice

    @property
    def text(self) -> str:
        """The cards in words, as in `2 green + 1 wild`."""
        return cards_text(dict(self.cards))

    @property
    def wilds(self) -> int:
        """The number of wilds it spends."""
        return dict(self.cards).get(WILD_KIND, 0)

    def __str__(self) -> str:
        """Return the cards."""
        return self.text


def payments_for(
    board: Board, buffer: Buffer[State], action: int | None, most: int | None = None
) -> tuple[Payment, ...]:
    """Return all ways to pay for a claim, station or port, fewest wilds first; with None, to go on with an open
    payment.

    `buffer` is the state, an array of one; it is not changed. No more than `most` are looked for, if given: a large
    hand can pay for difficult terrain in a million ways.
    """
    table, trial = kernel.record_in(board.tables), _opened(board, buffer, action)
    ways: dict[tuple[tuple[int, int], ...], Payment] = {}
    for way in islice(_walk(table, trial, ()), most):
        ways.setdefault(way.cards, way)
    return tuple(sorted(ways.values(), key=lambda way: (way.wilds, sum(n for _, n in way.cards), way.cards)))


def chosen_payment(
    board: Board, buffer: Buffer[State], action: int | None, choose: Callable[[State, tuple[int, ...]], int]
) -> Payment:
    """Return the payment that a player makes by answering its questions one by one; `buffer` and `action` as in
    `payments_for`.

    `choose` gets the state and the legal answers, two or more.
    """
    table, trial = kernel.record_in(board.tables), _opened(board, buffer, action)
    state, answers = kernel.record_in(trial), []
    while not payment.proceed(table, state):
        first, options = first_of(state.question), payment.options(table, state)
        legal = tuple(first + option for option in range(options.bit_length()) if options >> option & 1)
        answers.append(choose(state, legal))
        payment.choose(table, state, answers[-1] - first)
    return _paid(trial, tuple(answers))


def kinds_for(board: Board, buffer: Buffer[State], actions: Iterable[int]) -> dict[int, int]:
    """Return for each claim, station or port the kinds of cards, as bits, that any of its payments spends.

    What has the same price is looked at once. `buffer` is the state, an array of one; it is not changed.
    """
    trial = kernel.copy_of(buffer)
    table, state = kernel.record_in(board.tables), kernel.record_in(trial)
    known: dict[tuple[object, ...], int] = {}
    kinds = {}
    for action in actions:
        price = _price(board, action)
        if price not in known:
            _begin(table, state, action)
            known[price] = int(spending.kinds(table, state))
        kinds[action] = known[price]
    return kinds


def _price(board: Board, action: int) -> tuple[object, ...]:
    """Return all that the payments for an action depend on, except the hand."""
    if action >= at.STATION:
        return ("station",) if action < at.PORT else ("port",)
    route = board.routes[action - at.CLAIM]
    return (route.colour, route.price, route.pairs, route.wilds, route.kind == "sea")


def _opened(board: Board, buffer: Buffer[State], action: int | None) -> Buffer[State]:
    """Return a copy of the state, with the payment for an action begun."""
    trial = kernel.copy_of(buffer)
    table, state = kernel.record_in(board.tables), kernel.record_in(trial)
    if action == at.PAY_EXTRA:
        payment.begin_extra(state, state.extra)
    elif action is not None:
        _begin(table, state, action)
    return trial


def _paid(buffer: Buffer[State], answers: tuple[int, ...]) -> Payment:
    """Return what lies on the table when all cards are chosen."""
    # what a tunnel asks more is a payment of its own: the cards laid open before do not count
    laid = (buffer["laid"][0] - buffer["shown"][0]).tolist()
    return Payment(tuple((kind, count) for kind, count in enumerate(laid) if count > 0), answers)


def _begin(table: BoardTables, state: State, action: int) -> None:
    if action < at.STATION:
        routes.begin_payment(table, state, action - at.CLAIM)
    elif action < at.PORT:
        stations.begin_payment(table, state, action - at.STATION)
    else:
        ports.begin_payment(table, state, action - at.PORT)


def _walk(table: BoardTables, buffer: Buffer[State], answers: tuple[int, ...]) -> Iterator[Payment]:
    state = kernel.record_in(buffer)
    if payment.proceed(table, state):
        yield _paid(buffer, answers)
        return
    first = first_of(state.question)
    options = payment.options(table, state)
    for option in range(options.bit_length()):
        if options >> option & 1:
            trial = kernel.copy_of(buffer)
            payment.choose(table, kernel.record_in(trial), option)
            yield from _walk(table, trial, (*answers, first + option))
