"""Small pieces of HTML that sentences and templates share: symbols, cards, seats. All answers are Markup."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable

from markupsafe import Markup, escape

from branchline.boards import Board, Place, Route
from branchline.draw.palette import ANCHOR, SEATS, SYMBOLS, wheel
from branchline.game import View
from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import labels
from branchline.web.core.pages.translation import Translator
from branchline.web.core.seen import Player, default_name

_FIGURE = "M-.34.5C-.34.1-.2 0-.14-.07A.23.23 0 1 1 .14-.07C.2 0 .34.1.34.5Z"
_SHIP = "M-1 .15H1L.62.8H-.62ZM-.55 0V-.45H.3V0ZM-.3-.6V-.95H-.02V-.6Z"


def alone(words: Translator) -> Markup:
    """Say on pages without a server what needs one, and how to run it."""
    text = words(
        "These pages run in your browser alone, so nobody else can reach them. To play with friends on their own "
        "devices or to get messages, run a server: {command}",
        command=Markup("<code>branchline serve</code>"),
    )
    return Markup('<p class="alone">{}</p>').format(text)


def sprite() -> Markup:
    """Return the symbols that the page's own cards and figures use, once for each page."""
    parts = [
        f'<symbol id="s-{name}" viewBox="-1.1 -1.1 2.2 2.2"><path d="{path}" fill="currentColor"/></symbol>'
        for name, path in SYMBOLS.items()
    ]
    parts.append(f'<symbol id="s-wild" viewBox="-1.1 -1.1 2.2 2.2">{wheel()}</symbol>')
    parts.append(
        f'<symbol id="s-anchor" viewBox="-1.1 -1.1 2.2 2.2"><path d="{ANCHOR}" fill="none" stroke="currentColor" '
        'stroke-width=".22" stroke-linecap="round"/></symbol>'
    )
    parts.append(
        f'<symbol id="s-ship" viewBox="-1.1 -1.1 2.2 2.2"><path d="{_SHIP}" fill="currentColor"/></symbol>'
        '<symbol id="s-train" viewBox="-1.1 -1.1 2.2 2.2"><path d="M-1-.5H1V.35H-1Z" fill="currentColor"/>'
        '<circle cx="-.55" cy=".55" r=".25" fill="currentColor"/><circle cx=".55" cy=".55" r=".25" '
        'fill="currentColor"/></symbol>'
        '<symbol id="s-subway" viewBox="-1.1 -1.1 2.2 2.2"><path d="M-.8.75V-.25A.8.8 0 0 1 .8-.25V.75Z'
        'M-.45-.3H.45V.1H-.45Z" fill="currentColor" fill-rule="evenodd"/></symbol>'
        f'<symbol id="s-figure" viewBox="-.6 -.62 1.2 1.2"><path d="{_FIGURE}" fill="currentColor"/></symbol>'
        '<symbol id="s-station" viewBox="-1.1 -1.1 2.2 2.2"><path d="M-1-.1 0-1 1-.1H.75V.9H-.75V-.1Z" '
        'fill="currentColor"/></symbol>'
    )
    for seat, look in enumerate(SEATS):
        parts.append(
            f'<symbol id="s-badge{seat}" viewBox="0 0 22 22"><rect width="22" height="22" rx="4" fill="var(--seat)"/>'
            f'<path d="M2 11H20" stroke="var(--on-seat)" {look.mark.stroke(18, 18)}/>'
            '<circle cx="11" cy="11" r="7" fill="#fffaf0"/></symbol>'
        )
    return Markup(
        '<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        + "".join(parts)
        + "</defs></svg>"
    )


@functools.cache
def symbol(name: str) -> Markup:
    """Return a symbol of the sprite, hidden from screen readers. (In single quotes, which JSON leaves as they are.)"""
    return Markup("<svg class='sym' aria-hidden='true'><use href='#s-{}'/></svg>").format(name)


@functools.cache
def card_face(name: str) -> Markup:
    """Return what is printed on a card: its symbol, and marks for ports and ships.

    Screen readers read the name beside it.
    """
    colour, family = labels.card_parts(name)
    face = symbol(colour)
    if family.endswith("ship"):
        ships = symbol("ship") * (2 if family == "double ship" else 1)
        face = Markup("{}<span class='ships'>{}</span>").format(face, ships)
    if family in ("port", "ship"):
        face = Markup("{}<span class='anchor'>{}</span>").format(face, symbol("anchor"))
    return face


def card_chip(words: Translator, board: Board, name: str, count: int = 1) -> Markup:
    """Return a card inside a sentence: small, with its number and its spoken name."""
    return _chip(name, count, labels.card(words, board, name))


@kept_texts("cards", 4 * MEGABYTE)
def _chip(name: str, count: int, called: str) -> Markup:
    colour, _ = labels.card_parts(name)
    number = Markup("<b class='times'>{}×</b>").format(count) if count > 1 else Markup("")
    return Markup("<span class='chips'>{}<span class='chip c-{}'>{}<span class='vh'>{}</span></span></span>").format(
        number, colour, card_face(name), called
    )


def cards(words: Translator, board: Board, names: Iterable[str]) -> Markup:
    """Return cards inside a sentence, equal ones together."""
    counted = Counter(names)
    return Markup(" ").join(card_chip(words, board, name, count) for name, count in counted.items())


@functools.cache
def seat_badge(seat: int) -> Markup:
    """Return the number of a seat on its colour and mark, as on its pieces. Screen readers read the name beside it."""
    return Markup(
        "<svg class='badge p-{0}' viewBox='0 0 22 22' aria-hidden='true'><use href='#s-badge{0}'/>"
        "<text x='11' y='15.2' text-anchor='middle' font-size='12' font-weight='700' fill='#33302a'>{1}</text></svg>"
    ).format(seat % len(SEATS), seat + 1)


def name_of(words: Translator, player: Player) -> str:
    """Return the name of a player; a player without one goes by the number of the seat."""
    number = player.seat + 1
    if player.kind == "bot" and player.name in ("", player.bot):
        return words("Bot {number}", number=number)
    if player.name in ("", default_name(player.seat)):
        return words("Player {number}", number=number)
    return player.name


def own_name(player: Player) -> str:
    """Return the name a player gave, or an empty text for one given by default."""
    return "" if player.name == default_name(player.seat) else player.name


def tickets_left(board: Board, view: View) -> dict[str, int]:
    """Return how many tickets can still be drawn, by deck; those dealt only at the start are left out."""
    later = board.ticket_rules.later
    drawn = [deck for n, deck in enumerate(board.ticket_rules.decks) if later.mix or later.deal[n]]
    return {deck: view.ticket_decks[deck] for deck in drawn}


def seat_name(words: Translator, player: Player) -> Markup:
    """Return the badge and the name of a seat."""
    return _called(player.seat, name_of(words, player))


@kept_texts("names", MEGABYTE)
def _called(seat: int, name: str) -> Markup:
    return Markup("<span class='who'>{} {}</span>").format(seat_badge(seat), name)


def highlights(*parts: Route | Place | Iterable[Route | Place] | None) -> str:
    """Return the ids of what lights up on the map: routes and places, one by one or many at once."""
    ids = []
    for part in parts:
        if isinstance(part, (Route, Place)):
            ids.append(f"{'route' if isinstance(part, Route) else 'place'}-{part.index}")
        elif part is not None:
            ids.append(highlights(*part))
    return " ".join(id_ for id_ in ids if id_)


def attribute(text: str) -> Markup:
    """Return a text fit for an attribute."""
    return escape(text)
