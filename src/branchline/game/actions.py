"""Actions as text: every action has one readable form. `reading` reads it back as the same action."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from branchline.boards import COLOURS, WILD, Board, Route, Ticket
from branchline.boards.faults import shown
from branchline.boards.limits import MAX_COLOURS
from branchline.boards.wording import worded
from branchline.game.errors import IllegalAction
from branchline.rules import state as at
from branchline.rules.passengers import NONE
from branchline.rules.payment import ALL_WILD_PAIR
from branchline.rules.state import State

DECKS = ("train", "ship")


class Action(int):
    """A legal action: a number, the same on every board, with its `text`."""

    text: str

    def __new__(cls, number: int, text: str) -> Action:
        """Make an action of a number and its text."""
        action = super().__new__(cls, number)
        action.text = text
        return action

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]  # it is made of more than a number
        """Number and text, of which copies are made and what is pickled."""
        return int(self), self.text

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __repr__(self) -> str:
        """Number and text."""
        return f"<Action {int(self)}: {self.text}>"


class LegalActions(Sequence[Action]):
    """The legal actions of a moment: iterable, countable, and `in` takes numbers, actions and texts."""

    def __init__(self, board: Board, state: State, numbers: Sequence[int]) -> None:
        """Make the list of the numbers that are legal in a state, in rising order."""
        self.numbers = tuple(numbers)
        self._known = frozenset(numbers)
        self._text: Callable[[int], str] = functools.partial(action_text, board, None)
        if state.question == at.KEEP_TICKETS:  # the only texts for which the state is needed, which goes on
            texts = {number: action_text(board, state, number) for number in numbers}
            self._text = texts.__getitem__

    @functools.cached_property
    def _actions(self) -> tuple[Action, ...]:
        return tuple(Action(number, self._text(number)) for number in self.numbers)

    @functools.cached_property
    def _texts(self) -> dict[str, Action]:
        return {action.text: action for action in self._actions}

    def __getitem__(self, place: Any) -> Any:
        """Return the action at a position in the list."""
        return self._actions[place]

    def __iter__(self) -> Iterator[Action]:
        """Yield the actions in the order of their numbers."""
        return iter(self._actions)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)

    def __contains__(self, action: object) -> bool:
        """Return whether a number, an action or a text in its exact form is legal."""
        if isinstance(action, str):
            return self.has_text(action)
        return isinstance(action, (int, np.integer)) and action in self._known

    def get(self, number: int) -> Action | None:
        """Return the action with this number, or None if it is not legal."""
        if not isinstance(number, (int, np.integer)) or number not in self._known:
            return None
        return Action(int(number), self.text_of(int(number)))

    def text_of(self, number: int) -> str:
        """Return the text of a legal action, without working out those of all others."""
        return self._text(number)

    def has_text(self, text: str) -> bool:
        """Return whether an action with exactly this text is legal."""
        return isinstance(text, str) and text in self._texts

    def by_text(self, text: str) -> Action:
        """Return the action with exactly this text. Raise `IllegalAction` if there is none."""
        if not self.has_text(text):
            raise IllegalAction(worded("{text} is not a legal action", text=shown(text)), self.texts)
        return self._texts[text]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of all legal actions."""
        return tuple(self._texts)

    def __repr__(self) -> str:
        """Return all texts."""
        return f"<LegalActions: {', '.join(self.texts)}>"


# ------------------------------------------------------------------------------------------------ action to text


Writer = Callable[[Board, State | None, int], str]


def action_text(board: Board, state: State | None, action: int) -> str:
    """Return the text of an action that is legal in this state. The state is read for `keep …` only."""
    for first, behind, write in _WRITERS:
        if first <= action < behind:
            return write(board, state, action - first)
    raise ValueError(f"no action has the number {action}")


def route_text(route: Route) -> str:
    """Return a route as actions name it: its ends, and which line where there are several."""
    if route.lines == 1:
        return route.name
    return f"{route.name} {line_text(route)}"


def line_text(route: Route) -> str:
    """Return what tells a line from its parallels: the colour, or for gray ones the number."""
    return f"line {route.line + 1}" if route.colour == "gray" else route.colour


def offered(board: Board, state: State, seat: int) -> tuple[Ticket, ...]:
    """Return the tickets offered to a seat, in the order in which they were drawn."""
    return tuple(board.tickets[state.offer[seat, n]] for n in range(state.offer_size[seat]))


def piece_text(board: Board, kind: int, count: int) -> str:
    """Return a number of pieces as text: `20 trains`."""
    return f"{count} {board.pieces.names[kind]}{'' if count == 1 else 's'}"


def _claim(board: Board, _state: State | None, route: int) -> str:
    return f"claim {route_text(board.routes[route])}"


def _station(board: Board, _state: State | None, place: int) -> str:
    return f"station {board.places[place].name}"


def _port(board: Board, _state: State | None, place: int) -> str:
    return f"port {board.places[place].name}"


def _take(_board: Board, _state: State | None, slot: int) -> str:
    return f"market {slot + 1}"


def _blind(board: Board, _state: State | None, deck: int) -> str:
    return f"blind {DECKS[deck]}" if board.cards.two_decks else "blind"


def _refill(_board: Board, _state: State | None, deck: int) -> str:
    return f"refill {DECKS[deck]}"


def _mix(board: Board, _state: State | None, count: int) -> str:
    return f"mix {count} {board.ticket_rules.decks[0]}"


def _colour(_board: Board, _state: State | None, colour: int) -> str:
    return f"pay {WILD if colour == at.ALL_WILD else COLOURS[colour]}"


def _passenger(_board: Board, _state: State | None, colour: int) -> str:
    return f"passenger {'none' if colour == NONE else COLOURS[colour]}"


def _pair(_board: Board, _state: State | None, option: int) -> str:
    if option == ALL_WILD_PAIR:
        return "pair wild"
    return f"pair {COLOURS[option // 2]}{'+wild' if option % 2 else ''}"


def _keep(board: Board, state: State | None, chosen: int) -> str:
    if state is None:
        raise ValueError("which tickets are kept cannot be said without the state")
    tickets = offered(board, state, state.seat)
    return "keep " + ", ".join(ticket.name for n, ticket in enumerate(tickets) if chosen >> n & 1)


def _fleet(board: Board, _state: State | None, trains: int) -> str:
    return f"fleet {piece_text(board, 0, trains)} {piece_text(board, 1, board.pieces.fleet - trains)}"


def _swap(board: Board, _state: State | None, option: int) -> str:
    kind, count = divmod(option, at.MAX_SWAP)
    return f"swap {piece_text(board, 1 - kind, count + 1)} for {board.pieces.names[kind]}s"


def _word(text: str) -> Writer:
    return lambda _board, _state, _n: text


def _count(word: str) -> Writer:
    return lambda _board, _state, n: f"{word} {n}"


_WRITERS: tuple[tuple[int, int, Writer], ...] = (
    (at.CLAIM, at.STATION, _claim),
    (at.STATION, at.PORT, _station),
    (at.PORT, at.TAKE, _port),
    (at.TAKE, at.BLIND, _take),
    (at.BLIND, at.REFILL_FROM, _blind),
    (at.REFILL_FROM, at.DRAW_TICKETS, _refill),
    (at.DRAW_TICKETS, at.SWAP_PIECES, _word("tickets")),
    (at.SWAP_PIECES, at.PASS, _word("swap")),
    (at.PASS, at.PAY_EXTRA, _word("pass")),
    (at.PAY_EXTRA, at.WITHDRAW, _word("pay extra")),
    (at.WITHDRAW, at.MIX, _word("withdraw")),
    (at.MIX, at.PAY_COLOUR, _mix),
    (at.PAY_COLOUR, at.PICK_PASSENGER, _colour),
    (at.PICK_PASSENGER, at.WITH_WILDS, _passenger),
    (at.WITH_WILDS, at.WITH_DOUBLES, _count("wilds")),
    (at.WITH_DOUBLES, at.WITH_MARKED, _count("doubles")),
    (at.WITH_MARKED, at.WITH_PAIR, _count("marked")),
    (at.WITH_PAIR, at.KEEP, _pair),
    (at.KEEP, at.TRAINS_IN_FLEET, _keep),
    (at.TRAINS_IN_FLEET, at.SWAP_FOR, _fleet),
    (at.SWAP_FOR, at.ACTIONS, _swap),
)

assert NONE == MAX_COLOURS
