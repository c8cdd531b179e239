"""Pieces of the table that travel alone: a number, a card of the market, whose turn it is.

Each piece is an element with an id inside one of the table's fragments. Beside what draws it stands its key, all that
it shows: a piece is sent when its key is another one than that of the page before. What surrounds the pieces changes
seldom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from branchline.boards import Board
from branchline.game import View
from branchline.game.cards import card_name
from branchline.web.context import Player
from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator


@dataclass(frozen=True)
class Piece:
    """What a piece shows, and its element."""

    key: object
    draw: Callable[[], str]


Pieces = dict[str, Piece]


def drawn(pieces: Pieces) -> dict[str, str]:
    """All pieces, for the fragment around them."""
    return {name: piece.draw() for name, piece in pieces.items()}


def _text(name: str, text: object) -> Piece:
    """A number or a word."""
    return Piece(text, lambda: Markup(f'<span id="{name}">{escape(text)}</span>'))


# ---------------------------------------------------------------------------------------------------- seats


def of_seats(
    words: Translator, board: Board, view: View, players: tuple[Player, ...], me: int | None, over: bool
) -> Pieces:
    """The numbers beside each player, and what is known of each hand."""
    found: Pieces = {}
    for player in players:
        n = player.seat
        seat = view.seats[n]
        found[f"score-{n}"] = _text(f"score-{n}", labels.whole(view.scores[n].total))
        found[f"cards-{n}"] = _text(f"cards-{n}", "+".join(map(str, seat.cards_by_deck)))
        found[f"tickets-{n}"] = _held(n, seat.tickets, seat.tickets_on_offer)
        for name, count in seat.pieces.items():
            found[f"{name}s-{n}"] = _text(f"{name}s-{n}", count)
        if board.stations:
            found[f"stations-{n}"] = _text(f"stations-{n}", seat.stations_left)
        if board.ports:
            found[f"ports-{n}"] = _text(f"ports-{n}", seat.ports_left)
        if board.passengers:
            found[f"riding-{n}"] = _riding(words, n, seat.passengers)
        if player.time_left is not None:
            found[f"clock-{n}"] = _clock(n, player.time_left, player.ticking and not over)
        known = seat.known_cards if n != me else {}
        boxed = board.pieces.fleet and sum(seat.box.values())
        if known or boxed or seat.announced_mix is not None:
            found[f"known-{n}"] = _known(words, board, view, n, n != me)
    return found


def _held(seat: int, kept: int, offered: int) -> Piece:
    def draw() -> str:
        more = f'<span class="soft">+{offered}?</span>' if offered else ""
        return Markup(f'<span id="tickets-{seat}">{kept}{more}</span>')

    return Piece((kept, offered), draw)


def _riding(words: Translator, seat: int, passengers: dict[str, int]) -> Piece:
    return Piece(passengers, lambda: part("table/riding.html", words, seat=seat, passengers=passengers).strip())


def _clock(seat: int, left: float, ticking: bool) -> Piece:
    def draw() -> str:
        runs = " data-ticking" if ticking else ""
        return Markup(f'<p class="clock" id="clock-{seat}" data-clock="{round(left, 1)}"{runs}></p>')

    return Piece((round(left, 1), ticking), draw)


def _known(words: Translator, board: Board, view: View, number: int, others: bool) -> Piece:
    seat = view.seats[number]
    known = seat.known_cards if others else {}

    def draw() -> str:
        told = part("table/known.html", words, board=board, seat=seat, known=known)
        return Markup(f'<div id="known-{number}">{told}</div>')

    return Piece((dict(known), seat.announced_mix, seat.box), draw)


# ---------------------------------------------------------------------------------------------------- market


def of_market(words: Translator, board: Board, view: View, may: tuple[str, ...]) -> Pieces:
    """The open cards, how much the decks hold, what was discarded, and which of them may be taken now (`may`)."""
    found: Pieces = {}
    for number, name in enumerate(view.market, 1):
        found[f"slot-{number}"] = _slot(words, board, number, name, f"market {number}" in may)
    for deck, size in zip(("train", "ship"), view.deck_sizes, strict=False):
        found[f"count-{deck}"] = _count(deck, size)
    found["count-ticket"] = _count("ticket", components.tickets_left(board, view))
    found |= _discards(words, board, view)
    found["acts"] = Piece(may, lambda: Markup(f'<span id="acts" data-acts="{",".join(may)}" hidden></span>'))
    return found


def _slot(words: Translator, board: Board, number: int, name: str | None, may: bool) -> Piece:
    return Piece(name, lambda: _card(words, number, name, labels.card(words, board, name) if name else "", may))


@kept_texts("cards", 2 * MEGABYTE)
def _card(words: Translator, number: int, name: str | None, label: str, may: bool) -> str:
    return part("core/pages/slot.html", words, number=number, name=name, label=label, may=may).strip()


def _count(deck: str, size: object) -> Piece:
    return Piece(size, lambda: Markup(f'<b class="count" id="count-{deck}">{size}</b>'))


def _discards(words: Translator, board: Board, view: View) -> Pieces:
    """Each kind of card that may lie there has its element, so that one claim changes a few of them."""
    found = {"discarded": _text("discarded", sum(view.discards.values()))}
    for kind in _kinds(board):
        found[f"discarded-{kind}"] = _discarded(words, board, kind, view.discards[card_name(kind)])
    return found


def _discarded(words: Translator, board: Board, kind: int, count: int) -> Piece:
    def draw() -> str:
        card = components.card_chip(words, board, card_name(kind), count) if count else ""
        return Markup(f"<span id='discarded-{kind}'>{card}</span>")

    return Piece(count, draw)


def _kinds(board: Board) -> list[int]:
    """The cards in the box of a board, by the numbers of their kinds."""
    return [kind for kind, copies in enumerate(board.tables[0].copies) if copies]


# ---------------------------------------------------------------------------------------------------- bar


def of_bar(words: Translator, context: Any, whose: str, doing: str) -> Pieces:
    """Whose turn it is, and the menu of the table."""
    asked = None if context.over or context.taught else context.view.question.seat

    def draw_whose() -> str:
        told = {"asked": asked, "mine": context.my_turn, "whose": whose, "doing": doing}
        return part("table/whose.html", words, **told).strip()

    resigned = tuple(player.resigned for player in context.players)
    names = context.mine[1:] and tuple(player.name for player in context.players)
    links = (context.spectator_link, context.device_link)
    coach = context.coach and (context.coach.may, context.coach.to_agree, context.coach.agreed, context.coach.warns)
    asks = coach and context.my_turn
    shows = (context.played_for, context.over, context.mine, context.seat, resigned, names, links, coach, asks)
    undo = Piece(context.undo, lambda: part("table/undo.html", words, undo=context.undo).strip())
    return {
        "whose": Piece((asked, context.my_turn, whose, doing), draw_whose),
        "undo": undo,
        "tools": Piece(shows, lambda: part("table/tools.html", words, context=context, undo=undo.draw()).strip()),
    }
