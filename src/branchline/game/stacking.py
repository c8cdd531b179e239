"""Stacked decks: what lies on top is said beforehand, for tests, puzzles and tables with real cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from branchline.atlas import Board
from branchline.atlas.faults import BranchlineError, did_you_mean, shown
from branchline.atlas.limits import MAX_TICKETS
from branchline.game.cards import card_kind, card_name
from branchline.game.errors import SetupError
from branchline.rules.cards import deck_of

DECKS = ("cards", "tickets")


def stack(board: Board, state: Any, decks: Mapping[str, Sequence[str]]) -> None:
    """Bring the named cards and tickets to the top of their shuffled decks, the first one uppermost.

    `cards`: names of cards, as in `red`, `wild`, `red port`, `blue double ship`; each goes to its own deck.
    `tickets`: as in `Paris–Wien`; each goes to its own deck. What is not named follows as it was shuffled.
    """
    check_names(decks)
    _stack_cards(board, state, decks.get("cards", ()))
    _stack_tickets(board, state, decks.get("tickets", ()))


def check_names(decks: Any) -> None:
    """Raise `SetupError` unless these are decks of names, as `stack` takes them."""
    if not isinstance(decks, Mapping):
        raise SetupError(f"decks: expected a table with {' and '.join(DECKS)}")
    for name, content in decks.items():
        if name not in DECKS:
            raise SetupError(f"decks: unknown deck {shown(name)}{_near(name)}")
        if isinstance(content, str) or not isinstance(content, Sequence):
            raise SetupError(f"decks: {name} must be a list of names")
        if not all(isinstance(word, str) for word in content):
            raise SetupError(f"decks: {name} must hold names only")


def _near(name: object) -> str:
    return did_you_mean(name, DECKS) if isinstance(name, str) else ""


def _stack_cards(board: Board, state: Any, names: Sequence[str]) -> None:
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


def _stack_tickets(board: Board, state: Any, names: Sequence[str]) -> None:
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
