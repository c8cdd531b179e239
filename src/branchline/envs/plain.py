"""What a seat sees of a game, as plain values: dictionaries, lists, numbers and names, good for JSON and for words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from branchline.boards import Board
from branchline.boards.board import COLOURS
from branchline.boards.tables import KINDS
from branchline.game import Game, PublicSeat
from branchline.game.actions import route_text
from branchline.game.cards import card_name
from branchline.rules.state import (
    ALL_WILD,
    FOR_EXTRA,
    FOR_PORT,
    FOR_ROUTE,
    FOR_STATION,
    NOTHING,
    State,
)

Plain = dict[str, Any]

PAID = {FOR_ROUTE: "route", FOR_STATION: "station", FOR_PORT: "port", FOR_EXTRA: "extra cards of a tunnel"}
"""For what is paid, in words."""


def open_to_all(game: Game) -> Plain:
    """Return what everybody at the table sees."""
    view, row = game.view(None), game.redacted(None)[0]
    return {
        "question": str(view.question),
        "first_seat": view.first_seat,
        "turns": view.turns,
        "turns_to_go": view.turns_to_go,
        "idle": int(row["idle"]),
        "drawn": int(row["drawn"]),
        "empty_slot": int(row["slot"]),
        "market": list(view.market),
        "deck_sizes": list(view.deck_sizes),
        "discards": dict(view.discards),
        "ticket_decks": view.ticket_decks,
        "closed": [route_text(route) for route in view.closed],
        "waiting": {place.name: here for place, here in view.passengers.items()},
        "payment": _payment(game.board, row),
        "seats": [
            _seat(public) | {"points": score.total} for public, score in zip(view.seats, view.scores.seats, strict=True)
        ],
    }


def own(game: Game, seat: int) -> Plain:
    """Return what this seat alone sees: its hand, its tickets, the payment that it is choosing."""
    view = game.view(seat)
    return {
        "seat": seat,
        "question": str(view.question),
        "hand": dict(view.hand),
        "tickets": [ticket.name for ticket in view.tickets],
        "offer": [ticket.name for ticket in view.offer],
        "fleet": view.fleet,
        "payment": _payment(game.board, game.redacted(seat)[0]),
    }


def in_words(seen: Plain) -> str:
    """Return one line for each thing that is there."""
    return "\n".join(f"{name}: {_word(value)}" for name, value in seen.items() if value not in (None, [], {}))


def _word(value: object) -> str:
    if isinstance(value, list):
        parts = [_word(part) for part in value]
        return ("; " if any(isinstance(part, dict) for part in value) else ", ").join(parts)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_word(part)}" for name, part in value.items() if part not in (None, [], {}))
    return "–" if value is None else str(value)


def _seat(public: PublicSeat) -> Plain:
    return {
        "cards": list(public.cards_by_deck),
        "known_cards": dict(public.known_cards),
        "tickets": public.tickets,
        "tickets_by_deck": public.tickets_by_deck,
        "tickets_on_offer": public.tickets_on_offer,
        "announced_mix": public.announced_mix,
        "pieces": public.pieces,
        "box": public.box,
        "routes": [route_text(route) for route in public.routes],
        "stations": [place.name for place in public.stations],
        "ports": [place.name for place in public.ports],
        "passengers": public.passengers,
        "open_tickets": [ticket.name for ticket in public.open_tickets],
    }


def _payment(board: Board, row: State) -> Plain | None:
    """Return for what is paid, in which colour, what has been laid, and what of it was laid open at a tunnel."""
    paying_for, target, colour = int(row["paying_for"]), int(row["target"]), int(row["colour"])
    if paying_for == NOTHING:
        return None
    of_a_place = paying_for in (FOR_STATION, FOR_PORT)
    payment: Plain = {
        "for": PAID[paying_for],
        "target": board.places[target].name if of_a_place else route_text(board.routes[target]),
        "laid": _cards(row["laid"]),
    }
    if paying_for == FOR_EXTRA:
        payment["shown"] = _cards(row["shown"])
        payment["extra"] = int(row["extra"])
    said = "undecided" if colour < 0 else "wilds only" if colour == ALL_WILD else COLOURS[colour]
    return payment | {"colour": said, "open_spaces": int(row["open_spaces"])}


def _cards(counts: Any) -> Plain:
    return dict(Counter({card_name(kind): int(counts[kind]) for kind in range(KINDS) if counts[kind]}))
