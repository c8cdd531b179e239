"""What a seat sees of a game, as plain values: dictionaries, lists, numbers and names, good for JSON and for words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from branchline.boards.tables import KINDS
from branchline.game import Game, PublicSeat
from branchline.game.actions import route_text
from branchline.game.cards import card_name
from branchline.rules.state import FOR_EXTRA, NOTHING, State

Plain = dict[str, Any]


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
        "payment": _payment(row),
        "seats": [
            _seat(one) | {"points": score.total} for one, score in zip(view.seats, view.scores.seats, strict=True)
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
        "payment": _payment(game.redacted(seat)[0]),
    }


def in_words(seen: Plain) -> str:
    """Return one line for each thing that is there."""
    return "\n".join(f"{name}: {_word(what)}" for name, what in seen.items() if what not in (None, [], {}))


def _word(what: object) -> str:
    if isinstance(what, list):
        parts = [_word(one) for one in what]
        return ("; " if any(isinstance(one, dict) for one in what) else ", ").join(parts)
    if isinstance(what, dict):
        return ", ".join(f"{name} {_word(one)}" for name, one in what.items() if one not in (None, [], {}))
    return "–" if what is None else str(what)


def _seat(one: PublicSeat) -> Plain:
    return {
        "cards": list(one.cards_by_deck),
        "known_cards": dict(one.known_cards),
        "tickets": one.tickets,
        "tickets_by_deck": one.tickets_by_deck,
        "tickets_on_offer": one.tickets_on_offer,
        "announced_mix": one.announced_mix,
        "pieces": one.pieces,
        "box": one.box,
        "routes": [route_text(route) for route in one.routes],
        "stations": [place.name for place in one.stations],
        "ports": [place.name for place in one.ports],
        "passengers": one.passengers,
        "open_tickets": [ticket.name for ticket in one.open_tickets],
    }


def _payment(row: State) -> Plain | None:
    """Return what has been laid so far, and what of it was laid open before a tunnel's cards were turned."""
    if row["paying_for"] == NOTHING:
        return None
    found: Plain = {"for": int(row["paying_for"]), "target": int(row["target"]), "laid": _cards(row["laid"])}
    if row["paying_for"] == FOR_EXTRA:
        found["shown"] = _cards(row["shown"])
    return found | {"open_spaces": int(row["open_spaces"]), "colour": int(row["colour"]), "extra": int(row["extra"])}


def _cards(counts: Any) -> Plain:
    return dict(Counter({card_name(kind): int(counts[kind]) for kind in range(KINDS) if counts[kind]}))
