"""The replay: any moment of a game, from a chosen perspective. It shows the table's parts, with nothing to press."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from branchline.boards import Board
from branchline.game import Scores, View
from branchline.web.core.pages import board_map, components, final_scores, table_parts, ticket_status
from branchline.web.core.pages.log_text import LogWriter
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.room_options import Options
from branchline.web.core.seen import Player
from branchline.web.core.visit import Visit
from branchline.web.replay import analysis_page
from branchline.web.replay.replays import ReplayContext


@dataclass(frozen=True)
class Moment:
    """A moment in the shape that the parts of the table read."""

    visit: Visit
    room: str
    board: Board
    players: tuple[Player, ...]
    seat: int | None
    view: View
    over: bool
    scores: Scores | None
    options: Options = field(default_factory=Options)
    mine: tuple[int, ...] = ()
    legal: tuple[Any, ...] = ()
    my_turn: bool = False
    taught: bool = False
    host: bool = False
    rematch: str = ""
    pass_to: int | None = None
    played_for: bool = False
    open_tickets: Mapping[int, tuple[ticket_status.TicketStatus, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, context: ReplayContext) -> Moment:
        """Return the moment of a context; with all cards open, hands and tickets stand beside their owners."""
        base = context.views[0] if context.perspective == "all" else context.game.view(context.seat)
        tickets: dict[int, tuple[ticket_status.TicketStatus, ...]] = {}
        view = base
        if context.perspective == "all":
            seats = tuple(replace(seat, known_cards=context.views[seat.seat].hand) for seat in base.seats)
            view = replace(base, seat=None, seats=seats)
            tickets = {n: ticket_status.statuses(context.game, seen) for n, seen in enumerate(context.views)}
        last = context.n == context.last and context.finished
        return cls(
            context.visit, context.room, context.board, context.players, context.seat, view,
            context.game.over, context.scores if last else None, open_tickets=tickets,
        )  # fmt: skip

    @cached_property
    def words(self) -> Translator:
        """The words of the visitor."""
        return translator_for(self.visit.language)


def replay(context: ReplayContext) -> str:
    """Return the whole page."""
    moment = Moment.of(context)
    teller = LogWriter(moment.words, context.board, context.players, drawn=True)
    steps = [(step.n, step.seat, [sentence.text for sentence in teller.entry(step)]) for step in context.steps]
    return render(
        "replay/replay.html",
        context.visit,
        context=context,
        moment=moment,
        board=context.board,
        title=replay_title(context),
        part=_parts(context, moment),
        steps=steps,
        perspectives=_perspectives(context, moment.words),
        curve=_curve(context, moment.words),
        mistakes=_mistakes(context, moment.words),
        chart=board_map.whole(context.board, moment.view, context.visit.language),
        style=board_map.style(context.board),
    )


def _curve(context: ReplayContext, words: Translator) -> str:
    """Return the chances of everybody; from the perspective of one seat, as the players could see them.

    What would have been better is told beside the replay, to who asks for it.
    """
    if context.analysis is None:
        return ""
    own = context.seat is not None
    return analysis_page.curve(words, context, context.analysis, own=own, better=False)


def _mistakes(context: ReplayContext, words: Translator) -> tuple[analysis_page.Mistake, ...]:
    """Return the mistakes of the seat whose perspective is shown, or else of all."""
    if context.analysis is None:
        return ()
    seats = None if context.seat is None else (context.seat,)
    return analysis_page.mistakes_of(words, context.board, context.analysis, context.moments, seats)


def replay_title(context: ReplayContext) -> str:
    """Return the tab title."""
    words = translator_for(context.visit.language)
    replay_word = words("Replay")
    return f"{replay_word} {context.n}/{context.last} · {context.board.title_in(words.language)} · branchline"


def replay_fragments(context: ReplayContext, previous: ReplayContext | None = None) -> dict[str, str]:
    """Return the parts of a moment that differ from `previous`, the one on the screen."""
    moment = Moment.of(context)
    parts = _parts(context, moment)
    if previous is None or previous.perspective != context.perspective:
        return parts | {"board": board_map.whole(context.board, moment.view, context.visit.language)}
    shown = Moment.of(previous)
    before = _parts(previous, shown)
    changed = {name: html for name, html in parts.items() if html != before[name]}
    return changed | board_map.changed(context.board, shown.view, moment.view, context.visit.language)


def _parts(context: ReplayContext, moment: Moment) -> dict[str, str]:
    words = moment.words
    common = {"context": moment, "board": context.board, "view": moment.view}
    parts = {
        "seats": table_parts.seats_of(moment),  # type: ignore[arg-type]
        "market": table_parts.market_of(moment),  # type: ignore[arg-type]
        "moment": _moment(context, moment),
        "end": _end(moment),
    }
    cards = table_parts.hand_cards(moment, buttons=False) if moment.seat is not None else []  # type: ignore[arg-type]
    parts["hand"] = part("core/pages/hand.html", words, cards=cards, **common)
    tickets = ticket_status.statuses(context.game, moment.view) if moment.seat is not None else ()
    parts["tickets"] = part("core/pages/tickets.html", words, tickets=tickets, **common)
    return parts


def _moment(context: ReplayContext, moment: Moment) -> str:
    """Return what happened at this step, with the places and routes it highlights."""
    teller = LogWriter(moment.words, context.board, context.players, drawn=True)
    sentences = [
        sentence for step in context.steps if step.n == context.n and context.n for sentence in teller.entry(step)
    ]
    lit = " ".join(sentence.highlights for sentence in sentences if sentence.highlights)
    return part("replay/moment.html", moment.words, context=context, said=sentences, highlights=lit)


def _end(moment: Moment) -> str:
    if moment.scores is None:
        return part("core/pages/end.html", moment.words, context=moment, rows=(), scores=None, winners="", forms=False)
    return part(
        "core/pages/end.html",
        moment.words,
        context=moment,
        rows=final_scores.rows_of(moment.words, moment.board, moment.view, moment.players, moment.scores),
        scores=moment.scores,
        winners=final_scores.winners(moment.words, moment.players, moment.scores),
        forms=False,
    )


def _perspectives(context: ReplayContext, words: Translator) -> list[tuple[str, str]]:
    named = {"all": words("all cards visible"), "public": words("what everyone saw")}
    return [
        (choice, named[choice] if choice in named else components.name_of(words, context.players[int(choice)]))
        for choice in context.choices
    ]
