"""Pieces of the table that travel alone: a number, a card of the market, whose turn it is.

Each piece is an element with an id inside one of the table's fragments. Beside what draws it stands its key, all that
it shows: a piece is sent when its key is another one than that of the page before. What surrounds the pieces changes
seldom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup, escape

from branchline.boards import Board
from branchline.game import View
from branchline.game.cards import card_name
from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator
from branchline.web.core.seen import Player, TableContext


class Piece(NamedTuple):
    """What a piece shows, and its element."""

    key: object
    draw: Callable[[], str]


Pieces = dict[str, Piece]


def drawn(pieces: Pieces) -> dict[str, str]:
    """Return all pieces, for the fragment around them."""
    return {name: piece.draw() for name, piece in pieces.items()}


def _text(name: str, text: object) -> Piece:
    """Return a number or a word as a piece."""
    return Piece(text, lambda: Markup(f'<span id="{name}">{escape(text)}</span>'))


# ---------------------------------------------------------------------------------------------------- seats


def of_seats(
    words: Translator, board: Board, view: View, players: tuple[Player, ...], me: int | None, over: bool
) -> Pieces:
    """Return the numbers beside each player, and what is known of each hand."""
    pieces: Pieces = {}
    for player in players:
        n = player.seat
        seat = view.seats[n]
        pieces[f"score-{n}"] = _text(f"score-{n}", labels.whole(view.scores[n].total))
        pieces[f"cards-{n}"] = _hand_size(words, n, seat.cards_by_deck)
        pieces[f"tickets-{n}"] = _held(words, n, seat.tickets, seat.tickets_on_offer)
        for name, count in seat.pieces.items():
            pieces[f"{name}s-{n}"] = _text(f"{name}s-{n}", count)
        if board.stations:
            pieces[f"stations-{n}"] = _text(f"stations-{n}", seat.stations_left)
        if board.ports:
            pieces[f"ports-{n}"] = _text(f"ports-{n}", seat.ports_left)
        if board.passengers:
            pieces[f"riding-{n}"] = _riding(words, n, seat.passengers)
        if player.time_left is not None:
            pieces[f"clock-{n}"] = _clock(n, player.time_left, player.ticking and not over)
        known = seat.known_cards if n != me else {}
        boxed = board.pieces.fleet and sum(seat.box.values())
        if known or boxed or seat.announced_mix is not None:
            pieces[f"known-{n}"] = _known(words, board, view, n, n != me)
    return pieces


def _hand_size(words: Translator, seat: int, by_deck: tuple[int, ...]) -> Piece:
    """Return how many cards a hand has; with two decks, of each with its sign."""

    def draw() -> str:
        if len(by_deck) == 1:
            return Markup(f'<span id="cards-{seat}">{by_deck[0]}</span>')
        sizes = Markup(" ").join(
            Markup('<span title="{}">{}<span class="vh"> {}</span>{}</span>').format(
                labels.deck(words, deck), count, labels.deck(words, deck), components.symbol(deck)
            )
            for deck, count in zip(("train", "ship"), by_deck, strict=True)
        )
        return Markup('<span id="cards-{}">{}</span>').format(seat, sizes)

    return Piece(by_deck, draw)


def _held(words: Translator, seat: int, kept: int, offered: int) -> Piece:
    def draw() -> str:
        told = words("choosing from {count}", count=offered)
        sign = Markup(
            ' <span class="soft" title="{}"><span aria-hidden="true">+{}</span><span class="vh">{}</span></span>'
        )
        more = sign.format(told, offered, told) if offered else ""
        return Markup('<span id="tickets-{}">{}{}</span>').format(seat, kept, more)

    return Piece((kept, offered), draw)


def _riding(words: Translator, seat: int, passengers: dict[str, int]) -> Piece:
    return Piece(passengers, lambda: part("core/pages/riding.html", words, seat=seat, passengers=passengers).strip())


def _clock(seat: int, left: float, ticking: bool) -> Piece:
    def draw() -> str:
        runs = " data-ticking" if ticking else ""
        return Markup(f'<p class="clock" id="clock-{seat}" data-clock="{round(left, 1)}"{runs}></p>')

    return Piece((round(left, 1), ticking), draw)


def _known(words: Translator, board: Board, view: View, number: int, others: bool) -> Piece:
    seat = view.seats[number]
    known = seat.known_cards if others else {}

    def draw() -> str:
        cards = part("core/pages/known.html", words, board=board, seat=seat, known=known)
        return Markup(f'<div id="known-{number}">{cards}</div>')

    return Piece((dict(known), seat.announced_mix, seat.box), draw)


# ---------------------------------------------------------------------------------------------------- market


def of_market(words: Translator, board: Board, view: View, may: tuple[str, ...]) -> Pieces:
    """Return the open cards, the sizes of the decks, what was discarded, and which of them may be taken now (`may`)."""
    pieces: Pieces = {}
    for number, name in enumerate(view.market, 1):
        pieces[f"slot-{number}"] = _slot(words, board, number, name, f"market {number}" in may)
    for deck, size in zip(("train", "ship"), view.deck_sizes, strict=False):
        pieces[f"count-{deck}"] = _count(deck, size)
    pieces["count-ticket"] = _tickets_left(words, components.tickets_left(board, view))
    pieces |= _discards(words, board, view)
    pieces["acts"] = Piece(may, lambda: Markup(f'<span id="acts" data-acts="{",".join(may)}" hidden></span>'))
    return pieces


def _slot(words: Translator, board: Board, number: int, name: str | None, may: bool) -> Piece:
    return Piece(name, lambda: _card(words, number, name, labels.card(words, board, name) if name else "", may))


@kept_texts("cards", 2 * MEGABYTE)
def _card(words: Translator, number: int, name: str | None, label: str, may: bool) -> str:
    return part("core/pages/slot.html", words, number=number, name=name, label=label, may=may).strip()


def _count(deck: str, size: object) -> Piece:
    return Piece(size, lambda: Markup(f'<b class="count" id="count-{deck}">{size}</b>'))


def _tickets_left(words: Translator, by_deck: dict[str, int]) -> Piece:
    """Return how many tickets can still be drawn; where there are several decks, which is which is said beside it."""

    def draw() -> str:
        shown = [str(count) for count in by_deck.values()]
        if len(by_deck) > 1:
            told = (labels.of_a_mix(words, count, deck).partition(str(count)) for deck, count in by_deck.items())
            shown = [Markup("<span>{}{}<small>{}</small></span>").format(*parts) for parts in told]
        return Markup('<b class="count" id="count-ticket">{}</b>').format(Markup(" ").join(shown))

    return Piece(by_deck, draw)


def _discards(words: Translator, board: Board, view: View) -> Pieces:
    """Return an element for each kind of card that may be discarded, so that one claim changes a few of them."""
    pieces = {"discarded": _text("discarded", sum(view.discards.values()))}
    for kind in labels.card_kinds(board):
        pieces[f"discarded-{kind}"] = _discarded(words, board, kind, view.discards[card_name(kind)])
    return pieces


def _discarded(words: Translator, board: Board, kind: int, count: int) -> Piece:
    def draw() -> str:
        card = components.card_chip(words, board, card_name(kind), count) if count else ""
        return Markup(f"<span id='discarded-{kind}'>{card}</span>")

    return Piece(count, draw)


# ---------------------------------------------------------------------------------------------------- bar


def of_bar(words: Translator, context: TableContext, whose: str, doing: str) -> Pieces:
    """Return whose turn it is, and the menu of the table."""
    asked = None if context.over or context.taught else context.view.question.seat

    mine, undo, tools = context.my_turn, context.undo, _tools_of(words, context)
    return {
        "whose": Piece((asked, mine, whose, doing), lambda: _whose(words, asked, mine, whose, doing)),
        "undo": Piece(undo, lambda: _undo(words, undo)),
        "tools": Piece(tools, lambda: _tools(words, tools, undo)),
    }


@kept_texts("bars", 2 * MEGABYTE)
def _whose(words: Translator, asked: int | None, mine: bool, whose: str, doing: str) -> str:
    return part("core/pages/whose.html", words, asked=asked, mine=mine, whose=whose, doing=doing).strip()


@kept_texts("bars", MEGABYTE)
def _undo(words: Translator, undo: bool) -> str:
    return part("core/pages/undo.html", words, undo=undo).strip()


@dataclass(frozen=True)
class Tools:
    """All that the menu of the table shows."""

    root: str  # of the addresses
    origin: str  # of the links that are copied; or else the root
    room: str
    over: bool
    may_return: bool  # a bot plays for the viewer, who may take the seat back
    resigning: tuple[tuple[int, str], ...]  # the seats that may resign, with their names where there are several
    watches: bool
    guided: bool
    host: bool
    spectator_link: str
    device_link: str
    hints: bool | None  # the coach may be asked, and now; None: it may not be asked at this table
    warns: bool
    agrees: bool | None  # the viewer has agreed to the coach; None: is not asked
    agreed: tuple[int, int]  # how many have, and of how many


def _tools_of(words: Translator, context: TableContext) -> Tools:
    players, coach, mine = context.players, context.coach, context.mine
    resigning = [seat for seat in mine if not players[seat].resigned] if not context.over and not context.guide else []
    may_ask = coach is not None and coach.may
    return Tools(
        root=context.visit.root,
        origin=context.visit.origin or context.visit.root,
        room=context.room,
        over=context.over,
        may_return=context.played_for and not context.over and not players[context.seat or 0].resigned,
        resigning=tuple((seat, components.name_of(words, players[seat]) if mine[1:] else "") for seat in resigning),
        watches=not mine,
        guided=bool(context.guide),
        host=context.host,
        spectator_link=context.spectator_link,
        device_link=context.device_link,
        hints=context.my_turn if may_ask else None,
        warns=coach is not None and coach.warns,
        agrees=context.seat in coach.agreed if coach is not None and context.seat in coach.to_agree else None,
        agreed=(0, 0) if coach is None else (len(coach.agreed), len(coach.to_agree)),
    )


@kept_texts("bars", 4 * MEGABYTE)
def _tools(words: Translator, tools: Tools, undo: bool) -> str:
    return part("core/pages/tools.html", words, tools=tools, undo=Markup(_undo(words, undo))).strip()
