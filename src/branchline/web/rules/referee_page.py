"""May I …? A form for a moment at a real table, and what the rules say to it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from branchline.boards import Board, Place, Route
from branchline.draw import Position, board_svg
from branchline.game import Payment
from branchline.game.cards import card_name
from branchline.rules import state as at
from branchline.tabletop.referee import MOST_WAYS, Inquiry, Verdict, Way
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts
from branchline.web.core.pages import board_map, components, labels, reason_text
from branchline.web.core.pages.palette import PAGE
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class RefereeContext:
    """A question to the referee, and the answer."""

    visit: Visit
    board: Board
    path: str  # of this page
    rules: str  # path of the rules
    what: str  # "route", "station" or "port"
    name: str  # of the route or place, as it was asked for
    asked: Inquiry | None  # None: no route or place of that name, or none was named
    verdict: Verdict | None
    hand: Mapping[int, int]
    seats: int
    pieces: tuple[int, ...]
    parallel: str
    built: int
    reached: bool
    turned: tuple[int | None, ...]  # one for each card that a tunnel turns


@dataclass(frozen=True)
class Stepper:
    """How many cards of a kind are in the hand."""

    kind: int
    card: str
    name: str
    most: int
    count: int


def referee(context: RefereeContext) -> str:
    """Return the page, with the answer to what was asked."""
    words, board = translator_for(context.visit.language), context.board
    name = words("May I …? {board}", board=board.title_in(context.visit.language))
    return render(
        "rules/referee.html",
        context.visit,
        context=context,
        board=board,
        title=f"{name} · branchline",
        name=name,
        style=board_map.style(board),
        chart=_chart(board, context.visit.language),
        names=route_names(board, context.visit.language),
        names_json=_names(board, context.visit.language),
        places=[place for place in board.places if place.kind == "city"],
        ports=[place for place in board.places if place.port],
        steppers=_steppers(context, words),
        part=referee_parts(context),
    )


def referee_parts(context: RefereeContext) -> dict[str, Markup]:
    """Return what changes on the page with every question, by the element's id: further fields, and the answer."""
    words, board = translator_for(context.visit.language), context.board
    target = subject(board, context.asked.action) if context.asked else None
    values = {
        "context": context,
        "board": board,
        "thing": target,
        "route": target if isinstance(target, Route) else None,
        "turnable": [(kind, labels.card(words, board, card_name(kind))) for kind in _train_kinds(board)],
        "parallels": [route for route in board.routes if _is_parallel(route, target)],
        "heading": _heading(words, board, target),
        "facts": labels.facts(board, words, target) if isinstance(target, Route) else [],
        "why": _why(context, words),
        "ways": [_told(words, board, way) for way in (context.verdict.ways if context.verdict else ())],
        "missing": _missing(context, words),
        "most_ways": MOST_WAYS,
        "most_built": _most_built(board, context.what),
    }
    return {name: part(f"rules/referee_{name}.html", words, **values) for name in ("about", "verdict", "ways")}


def subject(board: Board, action: int) -> Route | Place:
    """Return the route or place that an action is about."""
    if action < at.STATION:
        return board.routes[action - at.CLAIM]
    return board.places[action - (at.STATION if action < at.PORT else at.PORT)]


@functools.lru_cache(maxsize=32)
def route_names(board: Board, language: str) -> tuple[str, ...]:
    """Return the name of each route in the list that one types in; parallel lines that look alike go by the first."""
    words = translator_for(language)
    return tuple(labels.route(words, board, route) for route in board.routes)


def _names(board: Board, language: str) -> Markup:
    """Return what a press on the map writes into the field, as JSON for a data block."""
    names = {"route": route_names(board, language), "place": [place.name for place in board.places]}
    return Markup(json.dumps(names, ensure_ascii=False).replace("<", "\\u003c"))


def _heading(words: Translator, board: Board, target: Route | Place | None) -> str:
    if target is None:
        return ""
    return labels.route(words, board, target) if isinstance(target, Route) else labels.place_in_full(words, target)


def _is_parallel(route: Route, target: Route | Place | None) -> bool:
    return isinstance(target, Route) and route.parallel == target.parallel and route is not target


def _most_built(board: Board, building: str) -> int:
    if building == "station" and board.stations:
        return len(board.stations.prices)
    return board.ports.count if building == "port" and board.ports else 0


@kept_texts("charts", 12 * MEGABYTE, beside=BOARD)
def _chart(board: Board, language: str) -> Markup:
    drawing = board_svg(
        board,
        Position(passengers={}),
        theme=PAGE,
        interactive=True,
        style=False,
        words=labels.map_words(language),
        language=language,
    )
    return Markup(board_map.one_stop(drawing))


def _steppers(context: RefereeContext, words: Translator) -> list[Stepper]:
    board = context.board
    steppers = []
    for kind in labels.card_kinds(board):
        most, card = int(board.tables[0].copies[kind]), card_name(kind)
        steppers.append(Stepper(kind, card, labels.card(words, board, card), most, context.hand.get(kind, 0)))
    order = {colour: n for n, colour in enumerate((labels.WILD, *board.cards.colours))}
    return sorted(steppers, key=lambda stepper: (order[labels.card_parts(stepper.card)[0]], stepper.kind))


def _train_kinds(board: Board) -> list[int]:
    """Return the kinds of cards that a tunnel may turn: a card of each colour, and wilds."""
    return [kind for kind in labels.card_kinds(board) if " " not in card_name(kind)]


def _why(context: RefereeContext, words: Translator) -> str:
    if context.verdict is None or context.verdict.why is None:
        return ""
    return reason_text.in_words(words, (), context.verdict.why)


def _payment(words: Translator, board: Board, paid: Payment) -> Markup:
    return components.cards(words, board, [card_name(kind) for kind, count in paid.cards for _ in range(count)])


def _told(words: Translator, board: Board, way: Way) -> dict[str, object]:
    """Return a payment, and what a tunnel adds to it."""
    note = ""
    if way.extra == 0:
        note = words("The tunnel asks for nothing more.")
    elif way.extra is not None and way.extras:
        note = words.many(
            "The tunnel asks for {count} card more. Pay it with:",
            "The tunnel asks for {count} cards more. Pay them with:",
            way.extra,
        )
    elif way.extra is not None:
        note = words.many(
            "The tunnel asks for {count} card more, and you don’t have it: take your cards back.",
            "The tunnel asks for {count} cards more, and you don’t have them: take your cards back.",
            way.extra,
        )
    return {
        "cards": _payment(words, board, way.payment),
        "note": note,
        "failed": bool(way.extra) and not way.extras,
        "extras": [_payment(words, board, payment) for payment in way.extras],
    }


def _missing(context: RefereeContext, words: Translator) -> list[tuple[str, str, str]]:
    """Return the colours that cannot pay: name, class and what is missing."""
    if context.verdict is None:
        return []
    return [
        (colour, labels.colour(words, colour), words("{count} missing", count=count))
        for colour, count in context.verdict.missing
    ]
