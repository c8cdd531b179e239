"""Decisions of a game in words: moves, how large a mistake was, and why a move was made."""

from __future__ import annotations

from branchline.analysis import Comparison, Move
from branchline.boards import Board
from branchline.bots.search.reasons import Reason
from branchline.rules.catalogue import SCORE_PARTS
from branchline.web.core.pages import final_scores, labels
from branchline.web.core.pages.translation import N_, N_many, Several, Translator

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

_INSTEAD = {
    "claim": N_("Compared with claiming {route}"),
    "station": N_("Compared with a station at {place}"),
    "port": N_("Compared with a port at {place}"),
    "take": N_("Compared with taking {card} from the market"),
    "blind": N_("Compared with drawing a card face down"),
    "refill": N_("Compared with filling the market from: {deck}"),
    "tickets": N_("Compared with drawing tickets"),
    "swap": N_("Compared with swapping pieces"),
    "pass": N_("Compared with passing"),
    "pay": N_("Compared with paying for the tunnel"),
    "withdraw": N_("Compared with withdrawing from the tunnel"),
    "mix": N_("Compared with another mix of tickets ({deck}: {count})"),
    "payment": N_("Compared with another way to pay"),
    "passenger": N_("Compared with another passenger ({colour})"),
    "keep": N_("Compared with keeping {tickets}"),
    "fleet": N_("Compared with another fleet (trains: {count})"),
}

_MORE = N_many("about {count} point more by the end", "about {count} points more by the end")
_FEWER = N_many("about {count} point less by the end", "about {count} points less by the end")
_AS_MANY = N_("about the same number of points by the end")
_OTHERS_MORE = N_many("{count} point more for the strongest opponent", "{count} points more for the strongest opponent")
_OTHERS_FEWER = N_many(
    "{count} point less for the strongest opponent", "{count} points less for the strongest opponent"
)
_SOONER = N_many("the end {count} turn sooner", "the end {count} turns sooner")
_LATER = N_many("the end {count} turn later", "the end {count} turns later")

WHY: dict[str, str | Several] = {
    "ticket": N_("It helps the ticket {ticket}: {missing} of {whole} pieces on the planned way are still missing."),
    "points": N_many("The route itself scores {count} point.", "The route itself scores {count} points."),
    "block": N_("Another player seems to need this route."),
    "cards": N_many(
        "It collects cards for a route worth {count} point.", "It collects cards for a route worth {count} points."
    ),
    "tickets": N_("There is time for more tickets."),
    "kept": N_("These tickets go best together."),
    "station": N_("The station saves a ticket that can no longer be completed without it."),
    "port": N_("A port in {place} scores for tickets there."),
    "swap": N_("The plan needs more pieces of the other kind."),
}
"""Why a move was made, as the planner that found it sees it."""


SIZES = {
    "small": N_("small mistake"),
    "medium": N_("medium mistake"),
    "large": N_("big mistake"),
}


def points(value: float) -> str:
    """Return points of chance with their sign."""
    return final_scores.signed(round(value))


def move(words: Translator, board: Board, done: Move) -> str:
    """Return a move in words, in the form that fits after "did" as well as after "better was"."""
    return words(_MOVES[done.kind], **_about(words, board, done))


def _about(words: Translator, board: Board, done: Move) -> dict[str, object]:
    """Return what a move is about, for the sentences that name it."""
    return {
        "route": labels.route(words, board, done.route) if done.route else "",
        "place": labels.place(words, done.place) if done.place else "",
        "card": labels.card(words, board, done.card) if done.card else "",
        "deck": labels.deck(words, done.text.split()[-1] if done.kind == "mix" else done.word),
        "colour": labels.colour(words, done.word) if done.kind == "passenger" and done.word else "–",
        "tickets": done.text.removeprefix("keep ") if done.kind == "keep" else "",
        "count": done.text.split()[1] if done.kind == "mix" else done.count,
    }


def compared(words: Translator, board: Board, comparison: Comparison | None) -> str:
    """Return a move compared with another one, as a sentence that names that one; "" where nothing was compared."""
    if comparison is None:
        return ""
    instead = words(_INSTEAD[comparison.instead.kind], **_about(words, board, comparison.instead))
    return f"{instead}: {difference(words, comparison)}."


def difference(words: Translator, comparison: Comparison) -> str:
    """Return what a move brings more than another one, without naming either."""
    own, others, turns = comparison.points.whole, comparison.others.whole, comparison.turns.whole
    parts = [words(_MORE if own > 0 else _FEWER, count=abs(own)) if own else words(_AS_MANY)]
    if own and comparison.sources:
        names = {part.name: part.label for part in SCORE_PARTS}
        sources = ", ".join(
            f"{words(names[name])} {final_scores.signed(brought)}" for name, brought in comparison.sources
        )
        parts[0] += f" ({sources})"
    if others:
        parts.append(words(_OTHERS_MORE if others > 0 else _OTHERS_FEWER, count=abs(others)))
    if turns:
        parts.append(words(_LATER if turns > 0 else _SOONER, count=abs(turns)))
    return ", ".join(parts)


def why(words: Translator, reason: Reason | None) -> str:
    """Return the reason for a move as a sentence; "" if there is none, as for a detail."""
    if reason is None or reason.kind not in WHY:
        return ""
    return words(
        WHY[reason.kind],
        place=labels.place(words, reason.place) if reason.place else "",
        ticket=reason.ticket.name if reason.ticket else "",
        missing=reason.missing,
        whole=reason.whole,
        points=reason.points,
        count=reason.points,
    )
