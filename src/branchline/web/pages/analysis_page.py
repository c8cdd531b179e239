"""The analysis of a finished game: the curve of the chances, where the results come from, the moves that cost most."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from branchline.analysis import Analysis, Decision, Move, Option, curve_svg
from branchline.atlas import Board
from branchline.bots.reasons import SENTENCES, Reason
from branchline.draw.page import PAGE
from branchline.web.context import AnalysisContext
from branchline.web.pages import labels
from branchline.web.pages.render import render
from branchline.web.pages.translation import N_, Translator, translator_for

WORST = 8  # moves shown

_MOVES = {
    "claim": N_("claim {route}"),
    "station": N_("station at {place}"),
    "port": N_("port at {place}"),
    "take": N_("from the market: {card}"),
    "blind": N_("a card blind"),
    "refill": N_("fill the market: {deck}"),
    "tickets": N_("draw tickets"),
    "swap": N_("swap pieces"),
    "pass": N_("pass"),
    "pay": N_("pay for the tunnel"),
    "withdraw": N_("give up the tunnel"),
    "mix": N_("another mix of tickets"),
    "payment": N_("another way to pay"),
    "passenger": N_("passenger: {colour}"),
    "keep": N_("tickets kept: {count}"),
    "fleet": N_("trains in the fleet: {count}"),
}

_PARTS = (
    ("deal", N_("Luck of the deal")),
    ("cards", N_("Luck with cards")),
    ("tickets", N_("Luck with tickets")),
    ("tunnels", N_("Luck with tunnels")),
    ("others", N_("What the others did")),
    ("lost", N_("Better moves missed")),
)


@dataclass(frozen=True)
class Row:
    """One line of the table: where the results come from."""

    name: str
    shares: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """One decision in words."""

    moment: int  # in the replay, before it
    seat: int
    did: str
    why: str
    chance: str
    better: str = ""
    better_why: str = ""
    better_chance: str = ""


def analysis(context: AnalysisContext) -> str:
    """The whole page: a button to begin with, how far it is, or what was found."""
    words, found = translator_for(context.visit.language), context.found
    worst = [_line(words, context, one) for one in found.turning_points(WORST)] if found else []
    every = [_line(words, context, one) for one in found.decisions] if found else []
    return render(
        "analysis.html",
        context.visit,
        context=context,
        title=f"{words('Analysis')} · {context.board.title_in(words.language)} · branchline",
        curve=curve(words, found, context.moments) if found else "",
        rows=_rows(words, found) if found else (),
        worst=worst,
        every=every,
    )


def curve(words: Translator, found: Analysis, moments: tuple[int, ...]) -> Markup:
    """The chances over the moments of the replay, in the colours of the page."""
    return Markup(curve_svg(found, PAGE, title=words("Chance to win"), moments=moments))


def move(words: Translator, board: Board, what: Move) -> str:
    """A move in words, in the form that fits after "did" as well as after "better was"."""
    return words(
        _MOVES[what.kind],
        route=labels.route(words, board, what.route) if what.route else "",
        place=labels.place(words, what.place) if what.place else "",
        card=labels.card(words, board, what.card) if what.card else "",
        deck=labels.deck(words, what.word) if what.kind == "refill" else "",
        colour=labels.colour(words, what.word) if what.kind == "passenger" and what.word else "–",
        count=what.count,
    )


def why(words: Translator, reason: Reason | None) -> str:
    """The reason for a move; "" for a detail."""
    if reason is None or reason.kind == "detail":
        return ""
    return words(
        SENTENCES[reason.kind],
        place=labels.place(words, reason.place) if reason.place else "",
        missing=reason.missing,
        whole=reason.whole,
        points=reason.points,
    )


def _rows(words: Translator, found: Analysis) -> tuple[Row, ...]:
    ledgers = [found.ledger(seat) for seat in range(len(found.names))]
    rows = [Row(words("Even chances"), tuple(labels.share(words, one.even) for one in ledgers))]
    for part, name in _PARTS:
        values = [float(getattr(one, part)) for one in ledgers]
        if part != "tunnels" or any(values):
            rows.append(Row(words(name), tuple(labels.share(words, value, signed=True) for value in values)))
    return (*rows, Row(words("Result"), tuple(labels.share(words, one.result) for one in ledgers)))


def _line(words: Translator, context: AnalysisContext, one: Decision) -> Line:
    did, reason, chance = _option(words, context.board, one.played)
    line = Line(context.moments[one.step], one.seat, did, reason, chance)
    if one.better is None:
        return line
    return Line(line.moment, line.seat, did, reason, chance, *_option(words, context.board, one.better))


def _option(words: Translator, board: Board, option: Option) -> tuple[str, str, str]:
    return move(words, board, option.move), why(words, option.reason), labels.share(words, option.chance)
