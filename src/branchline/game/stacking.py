"""Stacked decks: what lies on top is said beforehand, for tests, puzzles and tables with real cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from branchline.boards import COLOURS, Board
from branchline.boards.faults import BranchlineError, did_you_mean, shown
from branchline.boards.limits import MAX_TICKETS
from branchline.game.cards import card_kind, card_name
from branchline.game.errors import SetupError
from branchline.rules import chance
from branchline.rules.cards import deck_of
from branchline.rules.state import State

DECKS = ("cards", "tickets", "passengers")
IMAGINED = "imagined"
"""Beside the decks: what of a game was not seen but reconstructed, see `tabletop.reconstruction`."""

_LATER = re.compile(r"(luck|cards) at (0|[1-9]\d{0,5})")
_LUCK = re.compile(r"\d{1,19}")


def stack(board: Board, state: State, decks: Mapping[str, Sequence[str]]) -> None:
    """Bring the named cards and tickets to the top of their shuffled decks, the first one uppermost.

    `cards`: names of cards, as in `red`, `wild`, `red port`, `blue double ship`; each goes to its own deck.
    `tickets`: as in `Paris–Wien`; each goes to its own deck. `passengers`: as in `Berlin red`, who waits where. What
    is not named follows as it was shuffled. For what comes later see `stack_again`.
    """
    check_names(decks)
    _stack_cards(board, state, decks.get("cards", ()))
    _stack_tickets(board, state, decks.get("tickets", ()))
    _stack_passengers(board, state, decks.get("passengers", ()))


def stack_again(board: Board, state: State, decks: Mapping[str, Sequence[str]], n: int) -> None:
    """Stack what is stacked before action `n`, counted from 0; mostly nothing.

    `luck at 84` starts the random generator anew, for the discards that action 84 shuffles; `cards at 85` brings
    cards to the top of what they have become.
    """
    for number in decks.get(f"luck at {n}", ()):
        chance.seed(state, int(number))
    if f"cards at {n}" in decks:
        _stack_cards(board, state, decks[f"cards at {n}"])


def stacked_before(decks: Mapping[str, Sequence[str]], n: int) -> dict[str, tuple[str, ...]]:
    """Return the decks of a game that goes another way from action `n` on, without what is stacked later."""
    decks_before = {}
    for name, content in decks.items():
        match = _LATER.fullmatch(name)
        if match is None or int(match[2]) < n:
            decks_before[name] = tuple(content)
    return decks_before


def check_names(decks: object) -> None:
    """Raise `SetupError` unless these are decks of names, as `stack` takes them."""
    if not isinstance(decks, Mapping):
        raise SetupError(f"decks: expected a table with {' and '.join(DECKS)}")
    for name, content in decks.items():
        later = isinstance(name, str) and _LATER.fullmatch(name)
        if name not in (*DECKS, IMAGINED) and not later:
            raise SetupError(f"decks: unknown deck {shown(name)}{_near(name)}")
        if isinstance(content, str) or not isinstance(content, Sequence):
            raise SetupError(f"decks: {name} must be a list of names")
        if not all(isinstance(word, str) for word in content):
            raise SetupError(f"decks: {name} must hold names only")
        if later and later[1] == "luck" and not all(_LUCK.fullmatch(word) and word.isascii() for word in content):
            raise SetupError(f"decks: {name} must hold numbers only")


def _near(name: object) -> str:
    return did_you_mean(name, DECKS) if isinstance(name, str) else ""


def _stack_cards(board: Board, state: State, names: Sequence[str]) -> None:
    try:
        kinds = [card_kind(name, board) for name in names]
    except ValueError as error:
        raise SetupError(f"decks: {error}") from None
    for deck in range(1 + board.cards.two_decks):
        wanted = [kind for kind in kinds if deck_of(kind) == deck]
        size = int(state.deck_size[deck])
        rest = [int(state.deck[deck, n]) for n in range(size)]
        short = Counter(wanted) - Counter(rest)
        if short:
            kind = min(short)
            raise SetupError(
                f"decks: {Counter(wanted)[kind]} {card_name(kind)} cards asked, the box has {Counter(rest)[kind]}"
            )
        for kind in wanted:
            rest.remove(kind)
        for n, kind in enumerate(rest + wanted[::-1]):
            state.deck[deck, n] = kind


def _stack_tickets(board: Board, state: State, names: Sequence[str]) -> None:
    try:
        wanted = [board.index.ticket(name) for name in names]
    except BranchlineError as error:
        raise SetupError(f"decks: {error}") from None
    if len(set(wanted)) < len(wanted):
        twice = next(ticket for ticket, count in Counter(wanted).items() if count > 1)
        raise SetupError(f"decks: ticket {twice.name} twice")
    for deck in range(len(board.ticket_rules.decks)):
        top = [ticket.index for ticket in wanted if ticket.deck == deck]
        size = int(state.ticket_count[deck])
        rest = [int(state.ticket_deck[deck, (state.ticket_top[deck] + n) % MAX_TICKETS]) for n in range(size)]
        for n, ticket in enumerate(top + [ticket for ticket in rest if ticket not in top]):
            state.ticket_deck[deck, (int(state.ticket_top[deck]) + n) % MAX_TICKETS] = ticket


def _stack_passengers(board: Board, state: State, names: Sequence[str]) -> None:
    """Bring passengers to where they are asked for, in exchange for others that nobody asked for there.

    They come from other places or, where none is left to give, from the bag, which holds what was not placed.
    """
    wanted = Counter(_passenger(board, name) for name in names)
    for (place, colour), count in wanted.items():
        while state.waiting[place, colour] < count:
            given_colour = next((c for c in range(len(COLOURS)) if state.waiting[place, c] > wanted[place, c]), None)
            giver = next((n for n in range(len(board.places)) if state.waiting[n, colour] > wanted[n, colour]), None)
            if given_colour is None or (giver is None and not _in_bag(board, state, colour)):
                raise SetupError(
                    f"decks: {count} {COLOURS[colour]} passengers asked in {board.places[place].name}; "
                    "so many cannot wait there"
                )
            state.waiting[place, colour] += 1
            state.waiting[place, given_colour] -= 1
            if giver is not None:
                state.waiting[giver, colour] -= 1
                state.waiting[giver, given_colour] += 1


def _in_bag(board: Board, state: State, colour: int) -> int:
    """Return how many passengers of a colour wait nowhere, before the game begins."""
    assert board.passengers is not None
    return board.passengers.each - sum(int(state.waiting[place.index, colour]) for place in board.places)


def _passenger(board: Board, name: str) -> tuple[int, int]:
    """Return the place and the colour that `Berlin red` means."""
    place, _, colour = name.strip().rpartition(" ")
    if board.passengers is None or colour.casefold() not in board.passengers.colours:
        raise SetupError(f"decks: {shown(name)} names no passenger")
    try:
        return board.index.place(place).index, COLOURS.index(colour.casefold())
    except BranchlineError as error:
        raise SetupError(f"decks: {error}") from None
