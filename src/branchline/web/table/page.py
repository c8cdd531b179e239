"""The table: one page, cut into fragments that are drawn anew when what they show has changed.

Every fragment is an element with an id, made by one function of the context. Beside each stands what it depends on, so
that an update draws little. Some hold pieces (`pieces`): smaller elements with ids, which travel alone while what
surrounds them stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from branchline.boards import Board, Route
from branchline.rules import state as at
from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import board_map, components, final_scores, labels, pieces, talk, ticket_status
from branchline.web.core.pages.log_text import LogWriter, Sentence
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.table_parts import (
    hand_cards,
    hand_on,
    market_of,
    market_pieces,
    once,
    seats_of,
    seats_pieces,
    words_of,
)
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import LogEntry, TableContext, in_common
from branchline.web.table import prompts, story
from branchline.web.table.coach import panel as coach_panel

LOG_LINES = 60  # steps shown at first; the replay has them all


def table(context: TableContext) -> str:
    """Return the whole page."""
    drawn = {name: fragment.draw(context) for name, fragment in FRAGMENTS.items()}
    return render(
        "table/table.html",
        context.visit,
        context=context,
        board=context.board,
        title=title(context),
        part=drawn,
        choices=_choices(context),
        chart=board_map.whole(context.board, context.view, context.visit.language),
        style=board_map.style(context.board),
        tall=board_map.is_tall(context.board),
    )


def fragments(context: TableContext, previous: TableContext | None) -> dict[str, str]:
    """Return element id → its new outer HTML, for all that has changed since `previous`; None: everything.

    `log+` and `talk+` hold lines to be added at the end of the log and of the talk.
    """
    if previous is None:
        changes = {name: fragment.draw(context) for name, fragment in FRAGMENTS.items()}
        return {"board": board_map.whole(context.board, context.view, context.visit.language), **changes}
    changed = [name for name, fragment in FRAGMENTS.items() if fragment.differs(previous, context)]
    changes = {}
    if "log" in changed and _log_goes_on(previous, context):
        changed.remove("log")
        changes["log+"] = _log_lines(context, context.log[len(previous.log) :])
    if "talk-lines" in changed and previous.talk and _log_words(previous) == _log_words(context):
        changed.remove("talk-lines")
        changes["talk+"] = talk.lines(
            words_of(context), context, [line for line in context.talk if line.at > previous.talk[-1].at]
        )
    for name, fragment in FRAGMENTS.items():
        if name in changed:
            changes[name] = fragment.draw(context)
        elif fragment.pieces is not None:
            before = fragment.pieces(previous)
            changes |= {
                key: piece.draw() for key, piece in fragment.pieces(context).items() if piece.key != before[key].key
            }
    if previous.version != context.version:
        changes["said"] = _said(context, in_common(previous.log, context.log))
    if previous.fingerprint != context.fingerprint or previous.seat != context.seat:
        changes |= board_map.changed(context.board, previous.view, context.view, context.visit.language)
    return changes


def title(context: TableContext) -> str:
    """Return the tab title, which begins with whose turn it is."""
    words = translator_for(context.visit.language)
    return f"{_whose(context, words)} · {context.board.title_in(words.language)} · branchline"


@dataclass(frozen=True)
class Fragment:
    """One part of the page: how it is drawn, and what it depends on."""

    draw: Callable[[TableContext], str]
    depends: Callable[[TableContext], object]  # with pieces: what surrounds them depends on, and which there are
    pieces: Callable[[TableContext], pieces.Pieces] | None = None
    shows: Callable[[TableContext], object] | None = None  # what it comes to, where that is often the same
    made: Callable[[TableContext], object] | None = None  # by `once`, of what it depends on alone

    def differs(self, previous: TableContext, context: TableContext) -> bool:
        """Return whether it has to be drawn again."""
        if self.depends(previous) == self.depends(context):
            if self.made is not None:
                hand_on(self.made, previous, context)
            return False
        return self.shows is None or self.shows(previous) != self.shows(context)


def _state(context: TableContext) -> tuple[object, ...]:
    """Return what most fragments depend on: what the viewer knows, and who the viewer is."""
    return (context.fingerprint, context.seat, context.my_turn, context.visit.language)


def _part(name: str) -> Callable[[TableContext], str]:
    def draw(context: TableContext) -> str:
        return part(f"table/{name}.html", words_of(context), context=context, board=context.board, view=context.view)

    return draw


def _whose(context: TableContext, words: Translator) -> str:
    if context.over:
        return words("Game over")
    if context.taught:
        return words("Done")
    if context.pass_to is not None:
        return words("Pass the device to {name}", name=components.name_of(words, context.players[context.pass_to]))
    if context.my_turn:
        return words("Your turn")
    seat = context.view.question.seat
    assert seat is not None
    return words("{name}’s turn", name=components.name_of(words, context.players[seat]))


def _doing(context: TableContext, words: Translator) -> str:
    """Return what the seat that is asked is about to do, as far as everybody can see it."""
    if context.my_turn or context.over or context.taught or context.pass_to is not None:
        return ""
    question = context.view.question
    if question.seat is not None and context.players[question.seat].kind == "open":
        return words("this seat is empty: send the invitation")
    return {
        "second_card": words("is taking a second card"),
        "keep_tickets": words("is choosing tickets"),
        "mix": words("is announcing tickets"),
        "tunnel": words("is deciding about a tunnel"),
        "passenger": words("is picking up passengers"),
        "fleet": words("is choosing a fleet"),
    }.get(question.kind, "")


def _bar(context: TableContext) -> str:
    return part("table/bar.html", words_of(context), context=context, pieces=pieces.drawn(_bar_pieces(context)))


@once
def _bar_pieces(context: TableContext) -> pieces.Pieces:
    """Return the pieces.

    None of them holds the context with which they are kept: rings stay until Python looks for them.
    """
    words = words_of(context)
    return pieces.of_bar(words, context, _whose(context, words), _doing(context, words))


def _hand(context: TableContext) -> str:
    return part(
        "core/pages/hand.html",
        words_of(context),
        context=context,
        cards=hand_cards(context, buttons=True),
    )


def _tickets(context: TableContext) -> str:
    return part(
        "core/pages/tickets.html",
        words_of(context),
        context=context,
        board=context.board,
        tickets=_statuses(context),
    )


@once
def _statuses(context: TableContext) -> tuple[ticket_status.TicketStatus, ...]:
    """Return the state of the viewer's own tickets."""
    return ticket_status.statuses(context.game, context.view)


def _tickets_shown(context: TableContext) -> tuple[object, ...]:
    """Return what the fragment `tickets` shows."""
    return (context.visit.language, context.seat is None, _statuses(context))


def _question(context: TableContext) -> str:
    words, asked = words_of(context), _prompt(context)
    replaced = _stood_in(context)
    if asked is None or not (asked.offers or asked.turned):  # nothing of the board
        return _question_text(words, asked, replaced, context.undo)
    return part("table/question.html", words, board=context.board, asked=asked, replaced=replaced, undo=context.undo)


@kept_texts("questions", 2 * MEGABYTE)
def _question_text(words: Translator, asked: prompts.Prompt | None, replaced: str, undo: bool) -> str:
    return part("table/question.html", words, board=None, asked=asked, replaced=replaced, undo=undo)


@once
def _prompt(context: TableContext) -> prompts.Prompt | None:
    """Return what the viewer is asked."""
    return prompts.prompt(context, words_of(context))


def _stood_in(context: TableContext) -> str:
    """Return why a bot plays for the viewer: `late`, `away` or `resigned`; empty where none does."""
    if not context.played_for or context.over or context.seat is None:
        return ""
    if context.players[context.seat].resigned:
        return "resigned"
    kinds = (entry.kind for entry in reversed(context.log) if entry.seat == context.seat)
    return next((kind for kind in kinds if kind in ("late", "away")), "away")


def _choices(context: TableContext) -> str:
    """Return the list of all that may be claimed and built, for the keyboard; the page removes what `claims` does
    not name.
    """
    words, board = words_of(context), context.board
    return part(
        "table/choices.html",
        words,
        context=context,
        board=board,
        choice=lambda route: _choice(words, route, labels.route(words, board, route), route_points(board, route)),
    )


def _claims(context: TableContext) -> str:
    """Return which routes, ports and stations may be claimed and built now, and which cards of the hand could pay for
    them.

    What the same cards pay for stands together: `red,wild:3,14,s2;wild:7`. A number is a route's.
    """
    together: dict[tuple[str, ...], list[str]] = {}
    for action, cards in context.cards_for().items():
        together.setdefault(cards, []).append(_claim(action))
    claims = ";".join(f"{','.join(cards)}:{','.join(names)}" for cards, names in together.items())
    return Markup(f'<span id="claims" data-claims="{claims}" hidden></span>')


def _claim(action: int) -> str:
    if action < at.STATION:
        return f"{action - at.CLAIM}"
    return f"s{action - at.STATION}" if action < at.PORT else f"p{action - at.PORT}"


@kept_texts("choices", 6 * MEGABYTE)
def _choice(words: Translator, route: Route, name: str, points: int) -> str:
    """Return a route in the list of choices."""
    return part("table/choice.html", words, route=route, name=name, points=points).strip()


def route_points(board: Board, route: Route) -> int:
    """Return what a route is worth."""
    points = board.subway_points if route.kind == "subway" else board.points
    return points[route.points_row] if route.points_row < len(points) else 0


def _log(context: TableContext) -> str:
    return part("table/log.html", words_of(context), lines=_log_lines(context, context.log[-LOG_LINES:]))


def _log_lines(context: TableContext, entries: Sequence[LogEntry]) -> Markup:
    """Return what happened, line after line."""
    teller = LogWriter(words_of(context), context.board, context.players, drawn=True)
    sentences = [sentence for entry in entries for sentence in teller.entry(entry)]
    return Markup("").join(map(_log_line, sentences))


def _log_line(sentence: Sentence) -> Markup:
    """Return a sentence, and what it highlights on the map. (Built by hand, for speed.)"""
    text, lights = escape(sentence.text), escape(sentence.highlights)
    if lights:
        text = Markup(f"<button type='button' data-highlights='{lights}' data-show>{text}</button>")
    else:
        text = Markup(f"<span>{text}</span>")
    return Markup(f"<li class='k-{escape(sentence.kind)}'>{text}</li>\n")


def _log_goes_on(previous: TableContext, context: TableContext) -> bool:
    """Return whether the log is the one shown with lines added at its end: nothing taken back, renamed or
    renumbered.
    """
    count = len(previous.log)
    return _log_words(previous) == _log_words(context) and previous.log == context.log[:count]


def _log_words(context: TableContext) -> tuple[object, ...]:
    """Return the words used for the same events."""
    return (context.visit.language, tuple(player.name for player in context.players))


def _said(context: TableContext, seen: int) -> str:
    """Return the live region: what has happened since this viewer looked last, in words."""
    words = words_of(context)
    teller = LogWriter(words, context.board, context.players, drawn=False)
    sentences = [sentence.text for entry in context.log[seen:] for sentence in teller.entry(entry)]
    if context.my_turn:
        question = _prompt(context)
        sentences.append(question.text if question else "")
    elif context.over:
        sentences.append(words("The game is over."))
    return Markup(f'<div id="said" class="vh" role="log" aria-live="polite">{escape(" ".join(sentences))}</div>')


@once
def _people(context: TableContext) -> tuple[object, ...]:
    """Return who sits here, whatever their clocks show."""
    return tuple(
        (
            player.kind,
            player.name,
            player.bot,
            player.connected,
            player.away,
            player.resigned,
            player.invite,
            player.time_left is None,
        )
        for player in context.players
    )


def _around_seats(context: TableContext) -> tuple[object, ...]:
    """Return what the fragment `seats` shows beside its pieces."""
    language, there = context.visit.language, seats_pieces(context).keys()
    return (language, context.seat, context.over, context.host, _people(context), there)


def _waiting(context: TableContext) -> tuple[object, ...]:
    """Return the contents of the list of players yet to come."""
    return (context.visit.language, context.host, context.over, context.mine, context.invite, _people(context))


@once
def _ticket_marks(context: TableContext) -> tuple[object, ...]:
    """Return what decides the state of the own tickets: the network of all seats, and the pieces left."""
    view = context.view
    if view.seat is None:
        return (context.visit.language, None)
    own = view.seats[view.seat]
    networks = [(seat.routes, seat.stations) for seat in view.seats]
    return (context.visit.language, context.seat, view.tickets, context.over, networks, view.closed, own.pieces,
            own.stations_left, view.turns == 0, view.question.kind == "fleet")  # fmt: skip


def _asked(context: TableContext) -> tuple[object, ...]:
    """Return what a question depends on; where another seat is asked, only that there is none."""
    rest = (_state(context), _people(context)) if context.my_turn else (context.visit.language, context.seat)
    return (context.my_turn, context.played_for, context.pass_to, context.over, rest)


def _copy(context: TableContext) -> str:
    """Return the game whole, for scripts, so that what the browser has of it is never older than what it shows."""
    copy = context.copy
    if copy is None:
        return Markup('<script type="application/json" id="copy"></script>')
    text, known = copy.text.replace("<", "\\u003c"), f'data-version="{copy.version}" data-csrf="{context.visit.csrf}"'
    return Markup(f'<script type="application/json" id="copy" {known}>{text}</script>')


FRAGMENTS: dict[str, Fragment] = {
    "bar": Fragment(_bar, lambda c: c.visit.language, _bar_pieces),
    "banner": Fragment(_part("banner"), lambda c: (c.view.turns_to_go, c.over, c.visit.language)),
    "story": Fragment(story.story, lambda c: (story.entries(c), _log_words(c))),
    "seats": Fragment(seats_of, _around_seats, seats_pieces),
    "waiting": Fragment(_part("waiting"), _waiting),
    "market": Fragment(market_of, lambda c: c.visit.language, market_pieces),
    "hand": Fragment(_hand, lambda c: (c.visit.language, c.seat, c.view.hand)),
    "tickets": Fragment(_tickets, _ticket_marks, shows=_tickets_shown, made=_statuses),
    "guide": Fragment(_part("guide"), lambda c: (c.guide, c.visit.language)),
    "coach": Fragment(coach_panel.panel, lambda c: (coach_panel.shown(c), c.visit.language)),
    "question": Fragment(_question, _asked),
    "claims": Fragment(_claims, lambda c: (c.visit.language, c.my_turn and _state(c))),
    "log": Fragment(_log, lambda c: (c.log, _log_words(c))),
    "cover": Fragment(_part("cover"), lambda c: (c.pass_to, c.seat, c.undo, c.visit.language)),
    "end": Fragment(final_scores.end, lambda c: (c.over, c.seat, c.rematch, c.visit.language)),
    "talk-lines": Fragment(lambda c: talk.whole(words_of(c), c), lambda c: (c.talk[-1:], _log_words(c))),
    "said": Fragment(lambda c: _said(c, len(c.log)), lambda c: None),
    "copy": Fragment(_copy, lambda c: c.copy and c.copy.version),
}
