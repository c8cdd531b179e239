"""Games of real tables that were counted and kept: who played, how often each won, and the list."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date

from branchline.teaching.rating import UNCERTAIN
from branchline.web.context import Evening, EveningsContext
from branchline.web.core.pages import bg_stats, labels
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import Translator, translator_for


def evenings(context: EveningsContext) -> str:
    """The whole page."""
    words = translator_for(context.visit.language)
    return render(
        "evenings/evenings.html",
        context.visit,
        context=context,
        title=f"{words('Our game nights')} · branchline",
        share=lambda one: labels.share(words, one.won / one.games),
        decimal=lambda value: labels.decimal(words, value),
        uncertain=UNCERTAIN,
        lines=[_line(words, context, one) for one in context.evenings],
    )


def _line(words: Translator, context: EveningsContext, one: Evening) -> dict[str, object]:
    board = context.boards.get(one.board)
    seats = sorted(one.seats, key=lambda seat: seat.place)
    winners = [seat.name for seat in seats if seat.won]
    return {
        "id": one.id,
        "room": one.room,
        "bg_stats": bg_stats.of_evening(board, one),
        "date": format_date(datetime.fromtimestamp(one.at, UTC), "medium", locale=words.language),
        "title": board.title_in(words.language) if board else one.board,
        "won": words("{name} wins!", name=winners[0])
        if len(winners) == 1
        else words("{names} win together!", names=words.listed(winners)),
        "seats": seats,
        "sources": [
            (words(text), [labels.whole(seat.points.get(name, 0)) for seat in seats])
            for name, text in labels.SCORE_PARTS.items()
            if any(name in seat.points for seat in seats)
        ],
        "totals": [labels.whole(seat.total) for seat in seats],
    }
