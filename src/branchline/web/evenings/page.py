"""Games of real tables that were counted and kept: who played, how often each won, and the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from babel.dates import format_date

from branchline.boards import Board
from branchline.teaching.rating import UNCERTAIN
from branchline.web.core.pages import bg_stats, labels
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class EveningSeat:
    """How a game at a real table ended for one player."""

    name: str
    points: Mapping[str, int]  # by source, those that are not 0
    total: int
    place: int  # from 1; who is level shares one
    won: float  # share of the victory


@dataclass(frozen=True)
class Evening:
    """A game of a real table that was counted and kept."""

    id: str
    board: str
    at: float  # seconds since 1970
    seats: tuple[EveningSeat, ...]
    room: str = ""  # where it can be looked through, if its order of play was noted


@dataclass(frozen=True)
class Person:
    """Somebody who played at real tables, by name."""

    name: str
    games: int
    won: float
    points: float  # mean
    best: int
    rating: float
    deviation: float


@dataclass(frozen=True)
class EveningsContext:
    """The evenings of a browser, the latest first, and who played."""

    visit: Visit
    boards: Mapping[str, Board]
    evenings: tuple[Evening, ...]
    people: tuple[Person, ...]


def evenings(context: EveningsContext) -> str:
    """Return the whole page."""
    words = translator_for(context.visit.language)
    return render(
        "evenings/evenings.html",
        context.visit,
        context=context,
        title=f"{words('Our game nights')} · branchline",
        share=lambda person: labels.share(words, person.won / person.games),
        decimal=lambda value: labels.decimal(words, value),
        uncertain=UNCERTAIN,
        lines=[_line(words, context, evening) for evening in context.evenings],
    )


def _line(words: Translator, context: EveningsContext, evening: Evening) -> dict[str, object]:
    board = context.boards.get(evening.board)
    seats = sorted(evening.seats, key=lambda seat: seat.place)
    winners = [seat.name for seat in seats if seat.won]
    return {
        "id": evening.id,
        "room": evening.room,
        "bg_stats": _play_of(board, evening),
        "date": format_date(datetime.fromtimestamp(evening.at, UTC), "medium", locale=words.language),
        "title": board.title_in(words.language) if board else evening.board,
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


def _play_of(board: Board | None, evening: Evening) -> str:
    """Return the address that hands a game at a real table to BG Stats."""
    seats = [bg_stats.PlaySeat(seat.name, seat.total, seat.place, seat.won > 0) for seat in evening.seats]
    return bg_stats.address_of(board.title if board else evening.board, evening.board, evening.id, evening.at, seats)
