"""What lies around the board, as the table and the replay show it: players, market, the own hand."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from branchline.rules import state as at
from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import labels, pieces
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import TableContext

Shown = TypeVar("Shown")


def once(make: Callable[[TableContext], Shown]) -> Callable[[TableContext], Shown]:
    """Keep what is made of a context with it: the next update compares it with its own."""
    name = f"_{make.__name__}"

    @functools.wraps(make)
    def made(context: TableContext) -> Shown:
        kept = vars(context)
        if name not in kept:
            kept[name] = make(context)
        shown: Shown = kept[name]
        return shown

    return made


def hand_on(make: Callable[[TableContext], object], previous: TableContext, context: TableContext) -> None:
    """Let a context have what a function kept `once` has made of the one before: it would make the same."""
    name = f"_{make.__name__}"
    if name in vars(previous):
        vars(context).setdefault(name, vars(previous)[name])


def words_of(context: TableContext) -> Translator:
    """Return the words of the viewer of a table."""
    return translator_for(context.visit.language)


def seats_of(context: TableContext) -> str:
    """Return the fragment `seats`."""
    return part(
        "core/pages/seats.html",
        words_of(context),
        context=context,
        board=context.board,
        view=context.view,
        pieces=pieces.drawn(seats_pieces(context)),
    )


@once
def seats_pieces(context: TableContext) -> pieces.Pieces:
    """Return the pieces of the fragment `seats`."""
    return pieces.of_seats(words_of(context), context.board, context.view, context.players, context.seat, context.over)


def market_of(context: TableContext) -> str:
    """Return the fragment `market`."""
    return part(
        "core/pages/market.html",
        words_of(context),
        context=context,
        board=context.board,
        view=context.view,
        acts=may_take(context),
        pieces=pieces.drawn(market_pieces(context)),
    )


@once
def market_pieces(context: TableContext) -> pieces.Pieces:
    """Return the pieces of the fragment `market`."""
    return pieces.of_market(words_of(context), context.board, context.view, may_take(context))


@once
def may_take(context: TableContext) -> tuple[str, ...]:
    """Return the actions of the market and the decks that are legal now."""
    if not context.my_turn:
        return ()
    legal = context.game.legal
    taking = (number for number in legal.numbers if at.TAKE <= number < at.REFILL_FROM or number == at.DRAW_TICKETS)
    return tuple(legal.text_of(number) for number in taking)


def hand_cards(context: TableContext, *, buttons: bool) -> list[str]:
    """Return the cards of the own hand, drawn; as buttons they light what they pay for."""
    words, board = words_of(context), context.board
    return [
        _hand_card(words, name, count, labels.card(words, board, name), labels.suit(name) if buttons else "")
        for name, count in hand_of(context)
    ]


@kept_texts("cards", MEGABYTE)
def _hand_card(words: Translator, name: str, count: int, label: str, suit: str) -> str:
    return part("core/pages/hand_card.html", words, name=name, count=count, label=label, suit=suit).strip()


def hand_of(context: TableContext) -> list[tuple[str, int]]:
    """Return the own hand: colours in the order of the rulebook, wilds at the end, trains before ships."""
    order = {colour: n for n, colour in enumerate((*context.board.cards.colours, labels.WILD))}
    families = ("", "port", "ship", "double ship")
    hand = context.view.hand

    def place(name: str) -> tuple[int, int]:
        colour, family = labels.card_parts(name)
        return order[colour], families.index(family)

    return [(name, hand[name]) for name in sorted(hand, key=place)]
