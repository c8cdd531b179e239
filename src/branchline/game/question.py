"""What is asked, of whom: the moment between two actions."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board, Place, Route, Ticket
from branchline.game.actions import offered
from branchline.game.cards import card_name
from branchline.plain_data import JsonObject
from branchline.rules import state as at
from branchline.rules.state import State

KINDS = at.QUESTIONS
"""The names of the questions, in the order of their numbers."""


@dataclass(frozen=True)
class Question:
    """A question and the seat that answers it; fields that its kind does not need are empty."""

    seat: int | None  # None when the game is over
    kind: str  # one of KINDS
    tickets: tuple[Ticket, ...] = ()  # keep_tickets: those on offer
    keep_at_least: int = 0  # keep_tickets
    route: Route | None = None  # a payment, a tunnel, passengers: the route it is about
    place: Place | None = None  # a station, a port, a passenger: the place it is about
    turned: tuple[str, ...] = ()  # tunnel: the cards turned
    extra: int = 0  # tunnel: cards asked in addition
    last_turns: bool = False  # the end has been announced

    def __str__(self) -> str:
        """Return the question as in `seat 0: keep_tickets`."""
        return self.kind if self.seat is None else f"seat {self.seat}: {self.kind}"


def question_of(board: Board, state: State) -> Question:
    """Return the question that a state, redacted or not, stands at."""
    kind = int(state.question)
    if kind == at.OVER:
        return Question(None, "over")
    about: JsonObject = {}
    if kind == at.KEEP_TICKETS:
        about["tickets"] = offered(board, state, state.seat) if state.offer[state.seat, 0] >= 0 else ()
        rules = board.ticket_rules.first if state.setting_up else board.ticket_rules.later
        about["keep_at_least"] = min(rules.keep, int(state.offer_size[state.seat]))
    if state.paying_for in (at.FOR_ROUTE, at.FOR_EXTRA):
        about["route"] = board.routes[state.target]
    elif state.paying_for in (at.FOR_STATION, at.FOR_PORT):
        about["place"] = board.places[state.target]
    if kind == at.PASSENGER:
        route = board.routes[state.target]
        about["place"] = (route.a, route.b)[state.stop]
    if kind == at.TUNNEL:
        about["turned"] = turned_cards(state)
        about["extra"] = int(state.extra)
    return Question(int(state.seat), KINDS[kind], last_turns=bool(state.turns_to_go >= 0), **about)


def turned_cards(state: State) -> tuple[str, ...]:
    """Return the cards that were turned at the last tunnel of this turn."""
    kinds = (int(state.turned[n]) for n in range(len(state.turned)))
    return tuple(card_name(kind) for kind in kinds if kind != at.NO_CARD)
