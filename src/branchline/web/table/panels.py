"""What the map answers when something on it is tapped: what it is, how it may be paid, or why it may not be had."""

from __future__ import annotations

import re

from branchline.boards import Board, Place, Route
from branchline.rules import state as at
from branchline.web.core.pages import components, labels, reason_text
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import TableContext
from branchline.web.table import prompts
from branchline.web.table.prompts import PromptAnswer

_ASKED = re.compile(r"(route|place|seat)-(\d{1,4})")


def panel(context: TableContext, name: str) -> dict[str, str]:
    """Return the element `panel` about a route or a place; nothing for any other word."""
    asked = _ASKED.fullmatch(name)
    if not asked:
        return {}
    words = translator_for(context.visit.language)
    number = int(asked[2])
    elements = {"route": context.board.routes, "place": context.board.places, "seat": context.players}[asked[1]]
    if number >= len(elements):
        return {}
    draw = {"route": _route, "place": _place, "seat": _seat}[asked[1]]
    return {"panel": draw(context, words, number)}


def _seat(context: TableContext, words: Translator, seat: int) -> str:
    return part(
        "table/panel_seat.html",
        words,
        context=context,
        board=context.board,
        view=context.view,
        player=context.players[seat],
        seat=context.view.seats[seat],
        known=context.view.seats[seat].known_cards,
    )


def _route(context: TableContext, words: Translator, number: int) -> str:
    route = context.board.routes[number]
    answers, why = _payments(context, words, at.CLAIM + route.index)
    if route.index in {owned.index for public in context.view.seats for owned in public.routes}:
        why = _owner(context, words, route)
    return part(
        "table/panel.html",
        words,
        name=labels.route(words, context.board, route),
        route=route,
        facts=labels.facts(context.board, words, route),
        tickets=_tickets(context, (route.a, route.b)),
        heading=words("Claim it with"),
        answers=answers,
        why=why,
        rules=_rules(context.board, route),
        board=context.board,
        context=context,
    )


def _rules(board: Board, route: Route) -> list[str]:
    """Return what is special about a route, as the help explains it."""
    special = {
        "tunnel": route.kind == "tunnel" and bool(board.tunnel_cards),
        "ferry": bool(route.wilds),
        "pairs": bool(route.pairs),
        "subway": route.kind == "subway",
    }
    return [rule for rule, there in special.items() if there]


def _owner(context: TableContext, words: Translator, route: Route) -> str:
    for public in context.view.seats:
        if any(owned.index == route.index for owned in public.routes):
            if public.seat == context.seat:
                return words("This route is already yours.")
            return words("This route belongs to {name}.", name=components.name_of(words, context.players[public.seat]))
    return ""


def _payments(context: TableContext, words: Translator, action: int) -> tuple[list[PromptAnswer], str]:
    """Return the ways to pay for an action, or why it is not possible."""
    legal = next((candidate for candidate in context.legal if int(candidate) == action), None)
    if legal is None:
        if not context.my_turn:
            return [], "" if context.seat is None else words("It is not your turn.")
        reason = context.why_not(action)
        return [], reason_text.in_words(words, context.players, reason) if reason else ""
    ways = context.payments(legal.text)
    return [
        prompts.payment_answer(context, words, way, f"{legal.text} with {way.text}", first=not n)
        for n, way in enumerate(ways)
    ], ""


def _place(context: TableContext, words: Translator, number: int) -> str:
    board, view = context.board, context.view
    place = board.places[number]
    sentences: list[str] = []
    if place.kind == "country":
        sentences.append(words("a country: a connection may end here, not pass through"))
    if board.ports and place.port:
        sentences.append(words("a port can be built here"))
    for public in view.seats:
        name = components.name_of(words, context.players[public.seat])
        if place in public.stations:
            sentences.append(words("station of {name}", name=name))
        if place in public.ports:
            sentences.append(words("port of {name}", name=name))
    if board.passengers:
        standing = labels.passengers(words, view.passengers.get(place, {}))
        sentences.append(words("passengers: {colours}", colours=standing))
    answers: list[PromptAnswer] = []
    rules: list[str] = []
    why = heading = ""
    if context.my_turn and view.question.kind == "passenger" and view.question.place == place:
        question = prompts.prompt(context, words)
        answers, heading = list(question.answers) if question else [], words("Who boards?")
    elif board.stations and place.kind == "city":
        answers, why = _payments(context, words, at.STATION + place.index)
        heading, rules = words("Build a station with"), ["station"]
    elif board.ports and place.port:
        answers, why = _payments(context, words, at.PORT + place.index)
        heading, rules = words("Build a port with"), ["port"]
    return part(
        "table/panel.html",
        words,
        name=labels.place_in_full(words, place),
        route=None,
        facts=sentences,
        tickets=_tickets(context, (place,)),
        heading=heading,
        answers=answers,
        why=why,
        rules=rules,
        board=board,
        context=context,
    )


def _tickets(context: TableContext, places: tuple[Place, ...]) -> list[str]:
    """Return the viewer's tickets that name one of these places."""
    return [ticket.name for ticket in context.view.tickets if any(place in places for place in ticket.places)]
