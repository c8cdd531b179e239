"""Decisions of a game in words: moves, how large a mistake was, and why a move was made."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.analysis import Move
from branchline.boards import Board
from branchline.bots.search.reasons import SENTENCES, Reason
from branchline.web.core.pages import final_scores, labels
from branchline.web.core.pages.translation import N_, Several, Translator

_MOVES = {
    "claim": N_("claim {route}"),
    "station": N_("station at {place}"),
    "port": N_("port at {place}"),
    "take": N_("take {card} from the market"),
    "blind": N_("draw a card face down"),
    "refill": N_("fill the market from: {deck}"),
    "tickets": N_("draw tickets"),
    "swap": N_("swap pieces"),
    "pass": N_("pass"),
    "pay": N_("pay for the tunnel"),
    "withdraw": N_("withdraw from the tunnel"),
    "mix": N_("mix of tickets ({deck}: {count})"),
    "payment": N_("another way to pay"),
    "passenger": N_("passenger: {colour}"),
    "keep": N_("tickets kept: {tickets}"),
    "fleet": N_("trains in the fleet: {count}"),
}


SIZES = {
    "small": N_("small mistake"),
    "medium": N_("medium mistake"),
    "large": N_("big mistake"),
}


def points(value: float) -> str:
    """Points of chance with their sign."""
    return final_scores.signed(round(value))


def move(words: Translator, board: Board, what: Move) -> str:
    """A move in words, in the form that fits after "did" as well as after "better was"."""
    return words(
        _MOVES[what.kind],
        route=labels.route(words, board, what.route) if what.route else "",
        place=labels.place(words, what.place) if what.place else "",
        card=labels.card(words, board, what.card) if what.card else "",
        deck=labels.deck(words, what.text.split()[-1] if what.kind == "mix" else what.word),
        colour=labels.colour(words, what.word) if what.kind == "passenger" and what.word else "–",
        tickets=what.text.removeprefix("keep ") if what.kind == "keep" else "",
        count=what.text.split()[1] if what.kind == "mix" else what.count,
    )


def why(words: Translator, reason: Reason | None, sentences: Mapping[str, str | Several] = SENTENCES) -> str:
    """The reason for a move, in one of these sentences; "" where there is none for it, as for a detail."""
    if reason is None or reason.kind == "detail" or reason.kind not in sentences:
        return ""
    return words(
        sentences[reason.kind],
        place=labels.place(words, reason.place) if reason.place else "",
        ticket=reason.ticket.name if reason.ticket else "",
        missing=reason.missing,
        whole=reason.whole,
        points=reason.points,
        count=reason.points,
    )
