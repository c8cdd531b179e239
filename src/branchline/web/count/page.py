"""Counting a game that was played at a table: the page, and what it knows of a board.

The page counts in the browser (`web/count`) by the rules of the engine, also without a network. It is made for a
language and for nobody in particular, so a browser can keep it.
"""

from __future__ import annotations

import base64
import json

from branchline.boards import Board, Place, Route, Ticket
from branchline.boards.board import TicketRules
from branchline.draw import Position
from branchline.draw.projection import sheet_of
from branchline.draw.sizes import sizes_of
from branchline.game.actions import DECKS
from branchline.game.cards import card_name
from branchline.game.sheet import parts_of
from branchline.languages import language
from branchline.rules.cards import deck_of
from branchline.rules.catalogue import SCORE_PARTS
from branchline.runtime.engine_file import contents
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts
from branchline.web.core.pages import board_map, labels
from branchline.web.core.pages.desk_words import WORDS, CountContext
from branchline.web.core.pages.render import data, render
from branchline.web.core.pages.translation import Translator, translator_for


def count(context: CountContext) -> str:
    """Return the page, which holds no board: the browser asks for that of the game that is scored."""
    words = translator_for(context.visit.language)
    start = {
        "language": words.language,
        "spoken": language(words.language).spoken,
        "texts": {key: words.for_browser(text) for key, text in WORDS.items()},
        "parts": {part.key: words(part.label) for part in SCORE_PARTS},  # in their order
        "boards": [_line(words, board) for board in context.boards],
    }
    return render(
        "count/count.html",
        context.visit,
        title=f"{words('Score a game')} · branchline",
        start=data(start),
        boards=context.boards,
    )


def _line(words: Translator, board: Board) -> dict[str, object]:
    return {"edition": board.id, "title": board.title_in(words.language), "seats": board.seats}


@kept_texts("counting", 12 * MEGABYTE, beside=BOARD)
def count_facts(board: Board, language: str) -> str:
    """Return what the page needs to know about a board, as JSON: its pieces, places, routes, tickets, and its drawing.

    Among it the tables that the rules look things up in, and which engine's they are.
    """
    words = translator_for(language)
    return json.dumps(
        {
            **_line(words, board),
            "digest": board.digest,
            "engine": contents()["sources"],
            "tables": base64.b64encode(board.tables.tobytes()).decode(),
            "oneLineUpTo": board.one_line_up_to,
            **_buildings(words, board),
            "cards": [_cards(words, board, deck) for deck in range(1 + board.cards.two_decks)],
            "draw": _draw(words, board.ticket_rules),
            "tunnelCards": board.tunnel_cards,
            "decks": [{"name": name, "said": labels.deck(words, name)} for name in DECKS[: 1 + board.cards.two_decks]],
            "pieceNames": board.pieces.names,
            "parts": [SCORE_PARTS[n].key for n in parts_of(board)],
            "trail": board.longest_trail,
            "ties": board.ending.ties,
            "places": [_place(words, place) for place in board.places],
            "routes": [_route(words, board, route) for route in board.routes],
            "tickets": [_ticket(words, board, ticket) for ticket in board.tickets],
            "plank": sizes_of(board, sheet_of(board)).plank,
            "style": str(board_map.style(board)),
            "svg": board_map.drawing(board, Position(), language),
        },
        ensure_ascii=False,
    )


def _cards(words: Translator, board: Board, deck: int) -> list[dict[str, str]]:
    """Return the kinds of cards of a deck, by their names in records and in the reader's language."""
    kinds = [kind for kind in labels.card_kinds(board) if deck_of(kind) == deck]
    return [{"name": card_name(kind), "said": labels.card(words, board, card_name(kind))} for kind in kinds]


def _buildings(words: Translator, board: Board) -> dict[str, object]:
    """Tell the pieces, stations, ports and passengers of a board."""
    pieces, stations, ports, passengers = board.pieces, board.stations, board.ports, board.passengers
    return {
        "pieces": {
            "count": pieces.count,
            "fleet": pieces.fleet,
            "swapPrice": pieces.swap_price,
            "said": [labels.pieces(words, name) for name in pieces.names],
        },
        "stations": {"count": len(stations.prices), "bonus": stations.kept_bonus} if stations else None,
        "ports": {"count": ports.count, "points": ports.points, "unbuilt": ports.unbuilt} if ports else None,
        "passengers": {
            "colours": passengers.colours,
            "said": {name: labels.colour(words, name) for name in passengers.colours},
            "each": passengers.each,
            "points": (passengers.most, passengers.second),
        }
        if passengers
        else None,
    }


def _draw(words: Translator, rules: TicketRules) -> dict[str, object]:
    """Tell how tickets are drawn."""
    return {
        "first": {
            "keep": rules.first.keep,
            "most": rules.first.most,
            "mix": rules.first.mix,
        },
        "later": rules.later.most,
        "mix": rules.later.mix,
        "deck": rules.decks[0],
        "firstDeck": labels.deck(words, rules.decks[0]),
    }


def _place(words: Translator, place: Place) -> dict[str, object]:
    """Tell a place."""
    return {
        "index": place.index,
        "name": place.name,
        "here": labels.place_in_full(words, place),
        "names": place.names,
        "kind": place.kind,
        "port": place.port,
        "passengers": place.passengers,
    }


def _ticket(words: Translator, board: Board, ticket: Ticket) -> dict[str, object]:
    """Tell a ticket."""
    return {
        "index": ticket.index,
        "name": ticket.name,
        "abroad": labels.other_names(words, ticket),
        "places": [place.index for place in ticket.places],
        "value": ticket.value,
        "anyOrder": ticket.any_order,
        "penalty": ticket.penalty,
        "deck": labels.deck(words, board.ticket_rules.decks[ticket.deck]),
        "firstDeck": ticket.deck == 0,
    }


def _route(words: Translator, board: Board, route: Route) -> dict[str, object]:
    table = board.subway_points if route.kind == "subway" else board.points
    return {
        "index": route.index,
        "a": route.a.index,
        "b": route.b.index,
        "between": f"{labels.place(words, route.a)}–{labels.place(words, route.b)}",
        "name": labels.route(words, board, route),
        "length": route.length,
        "points": table[route.points_row],
        "piece": route.piece,
        "colour": route.colour,
        "kind": route.kind,
        "set": route.parallel,
        "line": route.line,
        "lines": route.lines,
    }
