"""Dealing for a board that lies on a real table: where it begins, who gets which link, a hand, a screen for all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from branchline.boards import Board, Ticket
from branchline.game import View
from branchline.game.cards import card_kind, card_name
from branchline.plain_data import JsonObject
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.fault_text import told
from branchline.web.core.pages.log_text import LogWriter
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import N_, Translator, translator_for
from branchline.web.core.seen import LogEntry, Player
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class DealStartContext:
    """The page on which a table with a real board begins."""

    visit: Visit
    path: str  # of the page
    boards: tuple[Board, ...]
    filled: Mapping[str, str] = field(default_factory=dict)  # what was typed, when it was refused
    problem: str = ""


@dataclass(frozen=True)
class DealLink:
    """A link that opens something at a dealt table."""

    path: str
    taken: bool = False  # of a seat: somebody has opened it with the link for all


@dataclass(frozen=True)
class DealDoorContext:
    """Who gets which link (for the host), or which name one has (for the others)."""

    visit: Visit
    path: str
    board: Board
    players: tuple[Player, ...]
    seats: tuple[DealLink, ...] = ()  # the host's: the link of each seat
    taken: tuple[bool, ...] = ()
    everybody: DealLink | None = None  # the host's: with which each chooses a name
    screen: DealLink | None = None  # the host's: what lies open, for a screen that all see
    problem: str = ""


@dataclass(frozen=True)
class DealContext:
    """A dealt table as a seat, or (None) a screen that all see, may know it."""

    visit: Visit
    path: str  # address of the page
    board: Board
    players: tuple[Player, ...]
    seat: int | None
    view: View
    turn: int  # the seat at the marker of the turn
    drawn: int  # cards it has drawn
    choosing: bool  # somebody has not chosen the first tickets yet
    turned: tuple[str, ...]  # cards of a tunnel that lie open
    allowed: tuple[str, ...]  # deeds of the seat, see `tabletop.dealer`
    refills: bool  # whoever takes a card of the market says from which deck it is replaced
    keep_at_least: int  # of the tickets on offer
    open: tuple[tuple[Ticket, ...] | None, ...]  # of each seat: the tickets it has laid open
    undo: str  # "now": the seat may take its last deed back; "ask": if somebody agrees; "asked": it has asked
    asks: int | None  # the seat that would like to take its last deed back; not the viewer's
    log: tuple[LogEntry, ...]  # the latest
    step: int  # deeds of the seat so far
    version: int
    seal: str  # digest of the seed
    over: bool
    position: Mapping[str, Any] | None = None  # for `/count`, once all tickets lie open


_REFUSALS = {
    "stale": N_("The table has changed in the meantime. Look again."),
    "gone": N_("Someone else was faster: this card is gone."),
    "not_now": N_("Not possible now."),
    "choose": N_("Everyone chooses tickets first."),
    "no_undo": N_("There is nothing to undo."),
    "over": N_("All tickets are revealed: the game is over."),
    "too_long": N_("This table has expired. Start a new one."),
    "too_fast": N_("One thing at a time, please."),
    "relinked": N_("This seat has a new link. Ask the person who set up the table for it."),
    "taken": N_(
        "Someone has already taken this name. If it was not you, ask the person who set up the table for a new link."
    ),
    "away": N_("The games cannot be reached right now. Nothing is lost; try again soon."),
}


def deal_refusal(language: str, reason: str) -> str:
    """Return the reason for a refusal as a sentence."""
    return translator_for(language)(_REFUSALS.get(reason, _REFUSALS["not_now"]))


def deal_start(context: DealStartContext) -> str:
    """Return the page on which a table begins."""
    words = translator_for(context.visit.language)
    return render(
        "dealing/deal_start.html",
        context.visit,
        context=context,
        title=f"{words('Deal hands to phones')} · branchline",
        most=max(board.seats[1] for board in context.boards),
        problem=told(context.visit.language, context.problem) if context.problem else "",
    )


def deal_door(context: DealDoorContext) -> str:
    """Return the links to hand out, or the names to choose from."""
    words = translator_for(context.visit.language)
    return render(
        "dealing/deal_door.html",
        context.visit,
        context=context,
        board=context.board,
        title=_title(words, context.board),
        named=lambda player: components.name_of(words, player),
        problem=words(_REFUSALS.get(context.problem, _REFUSALS["not_now"])) if context.problem else "",
    )


def deal(context: DealContext) -> str:
    """Return the page of a seat, or of a screen that all see."""
    words = translator_for(context.visit.language)
    return render(
        "dealing/deal.html",
        context.visit,
        context=context,
        board=context.board,
        title=_title(words, context.board),
        parts={name: Markup(text) for name, text in deal_fragments(context).items()},
        start=_start(words, context),
    )


def deal_fragments(context: DealContext) -> dict[str, str]:
    """Return all parts of the page that can change, by id."""
    words = translator_for(context.visit.language)
    writer = LogWriter(words, context.board, context.players, drawn=True)
    lines = [sentence for entry in reversed(context.log) for sentence in writer.entry(entry)]
    values: JsonObject = {
        "context": context,
        "board": context.board,
        "view": context.view,
        "visit": context.visit,
        "named": lambda seat: components.name_of(words, context.players[seat]),
        "order": lambda names: sorted(names, key=lambda name: card_kind(name, context.board)),
        "lines": lines,
        "tickets": _sorted(context.view.tickets),
        "offer": _sorted(context.view.offer),
        "draws": [deed for deed in context.allowed if deed.startswith("tickets")],
        "discarded": sum(context.view.discards.values()),
        "asker": components.name_of(words, context.players[context.asks]) if context.asks is not None else "",
    }
    own = () if context.seat is None else ("choice", "hand", "tickets", "acts")
    return {
        name: str(part(f"dealing/deal_{name}.html", words, **values)).strip()
        for name in ("whose", "market", *own, "people", "log")
    }


def deal_news(context: DealContext, heard: int) -> str:
    """Return what has happened since a deed, in words alone, for a live region."""
    words = translator_for(context.visit.language)
    writer = LogWriter(words, context.board, context.players, drawn=False)
    return " ".join(line.text for entry in context.log if entry.n > heard for line in writer.entry(entry))


def _sorted(tickets: tuple[Ticket, ...]) -> list[Ticket]:
    return sorted(tickets, key=lambda ticket: (-ticket.value, ticket.name))


def _title(words: Translator, board: Board) -> str:
    return f"{board.title_in(words.language)} · branchline"


def _start(words: Translator, context: DealContext) -> Markup:
    """Return what the script needs: its sentences, and the names of cards."""
    cards = {name: labels.card(words, context.board, name) for name in _names(context.board)}
    faces = {name: str(components.card_face(name)) for name in cards}
    sentences: dict[str, object] = {
        "take": words("Take: {card}", card="{card}"),
        "from": {deck: words("refilled from the {deck}", deck=labels.deck(words, deck)) for deck in ("train", "ship")},
        "draw": words("Draw a card face down"),
        "draw_from": {deck: labels.deck(words, deck) for deck in ("train", "ship")},
        "put": words("Discard"),
        "clear": words("Clear"),
        "less": words("one fewer: {card}", card="{card}"),
        "lost": words("Connection lost. Reconnecting…"),
        "found": words("Reconnected."),
        "ended": words("This link no longer works. Ask the person who set up the table for a new one."),
        "sure": words("Sure?"),
        "all_the_same": words("Do it anyway?"),
    }
    begun: JsonObject = {
        "path": context.visit.root + context.path,
        "seat": context.seat,
        "step": context.step,
        "cards": cards,
        "faces": faces,
    }
    begun |= {"title": context.board.title_in(words.language), "said": sentences}
    begun |= {"name": "" if context.seat is None else components.name_of(words, context.players[context.seat])}
    return Markup(json.dumps(begun, ensure_ascii=False).replace("<", "\\u003c"))


def _names(board: Board) -> list[str]:
    return [card_name(kind) for kind in labels.card_kinds(board)]
