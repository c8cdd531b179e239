"""The end: what brought how many points, in the order in which it is told, with its ways on the map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from branchline.boards import Board, Place, Route
from branchline.game import Scores, SeatScore, View
from branchline.game.sheet import parts_of
from branchline.rules.catalogue import (
    PASSENGERS,
    PORTS,
    ROUTES,
    SCORE_PARTS,
    STATIONS,
    TICKETS,
    TICKETS_BONUS,
    TOURS,
    TRAIL_BONUS,
)
from branchline.web.core.pages import bg_stats, components, labels, paths
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import Player, TableContext


@dataclass(frozen=True)
class Detail:
    """One thing that counted: whose, what, how many points, where it is on the map."""

    seat: int
    text: str
    points: str
    highlights: str
    good: bool = True


@dataclass(frozen=True)
class ScoreRow:
    """One component of the scores."""

    name: str
    points: tuple[str, ...]  # per seat
    details: tuple[Detail, ...] = ()
    counted: tuple[int, ...] = ()  # the same points as numbers


def end(context: TableContext) -> str:
    """Return the element `end`, empty while the game runs."""
    words = translator_for(context.visit.language)
    if not context.over or context.scores is None:
        return part("core/pages/end.html", words, context=context, rows=(), scores=None, winners="", forms=False)
    rows = rows_of(words, context.board, context.game.view(context.seat), context.players, context.scores)
    return part(
        "core/pages/end.html",
        words,
        context=context,
        rows=rows,
        scores=context.scores,
        winners=winners(words, context.players, context.scores, context.seat),
        forms=True,
        result=result_line(words, context.board, context.players, context.scores),
        bg_stats=bg_stats.of_table(words, context),
    )


def result_line(words: Translator, board: Board, players: tuple[Player, ...], scores: Scores) -> str:
    """Return the result as a line of text, to be sent to others."""
    points = [f"{components.name_of(words, players[score.seat])} {labels.whole(score.total)}" for score in scores.seats]
    return f"{board.title_in(words.language)}: {winners(words, players, scores)} {', '.join(points)}."


def winners(words: Translator, players: tuple[Player, ...], scores: Scores, reader: int | None = None) -> str:
    """Return who has won, as told to the player at the seat `reader`."""
    if scores.winners == (reader,):
        return words("You win!")
    names = [components.name_of(words, players[seat]) for seat in scores.winners]
    if len(names) == 1:
        return words("{name} wins!", name=names[0])
    return words("{names} win together!", names=words.listed(names))


def rows_of(
    words: Translator, board: Board, view: View, players: tuple[Player, ...], scores: Scores
) -> tuple[ScoreRow, ...]:
    """Return the parts of this edition's score in the order of telling."""
    teller = _Teller(words, board, view, players, scores)
    return tuple(teller.row(part) for part in parts_of(board))


def signed(points: int) -> str:
    """Return points with their sign: `+4` or `−7`."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


@dataclass(frozen=True)
class _Teller:
    words: Translator
    board: Board
    view: View
    players: tuple[Player, ...]
    scores: Scores

    def row(self, part: int) -> ScoreRow:
        points = tuple(score.points[part] for score in self.scores.seats)
        details = tuple(_DETAILS[part](self)) if part in _DETAILS else ()
        return ScoreRow(self.words(SCORE_PARTS[part].label), tuple(map(signed, points)), details, points)

    def routes(self) -> list[Detail]:
        details = []
        for public in self.view.seats:
            text = self.words.many("{count} route", "{count} routes", len(public.routes))
            points = signed(self.scores[public.seat].routes)
            details.append(Detail(public.seat, text, points, components.highlights(*public.routes)))
        return details

    def tickets(self) -> list[Detail]:
        return self._results(tours=False)

    def tours(self) -> list[Detail]:
        return self._results(tours=True)

    def _results(self, *, tours: bool) -> list[Detail]:
        details = []
        for score in self.scores.seats:
            for result in score.results:
                if result.ticket.tour == tours:
                    path = self._path(score, result.ticket.places) if result.done else ()
                    text = f"{'✓' if result.done else '✕'} {result.ticket.name}"
                    if tours and result.done and result.in_order:
                        in_order = self.words("in order")
                        text += f" ({in_order})"
                    lit = components.highlights(*result.ticket.places, *path)
                    details.append(Detail(score.seat, text, signed(result.points), lit, result.done))
        return details

    def _path(self, score: SeatScore, places: tuple[Place, ...]) -> tuple[Route, ...]:
        borrowed = tuple(route for _, route in score.borrowed if route is not None)
        routes = self.view.seats[score.seat].routes + borrowed
        path: dict[int, Route] = {}
        for a, b in pairwise(places):
            for route in paths.shortest_path(self.board, routes, a, b) or ():
                path[route.index] = route
        return tuple(path.values())

    def stations(self) -> list[Detail]:
        details = []
        for score in self.scores.seats:
            for city, route in score.borrowed:
                place = self.board.index.place(city)
                text = (
                    self.words("station in {place}: borrows {route}", place=city, route=route.name)
                    if route is not None
                    else self.words("station in {place}: borrows nothing", place=city)
                )
                details.append(Detail(score.seat, text, "", components.highlights(place, route)))
            if score.stations:
                kept = self.view.seats[score.seat].stations_left
                text = self.words.many("{count} station kept", "{count} stations kept", kept)
                details.append(Detail(score.seat, text, signed(score.stations), ""))
        return details

    def longest_trail(self) -> list[Detail]:
        details = []
        for score in self.scores.seats:
            lit = components.highlights(*paths.longest_trail(self.board, self.view.seats[score.seat].routes))
            text = self.words.many("{count} space", "{count} spaces", score.longest_trail)
            bonus = signed(score.longest_trail_bonus) if score.longest_trail_bonus else ""
            details.append(Detail(score.seat, text, bonus, lit))
        return details

    def most_tickets(self) -> list[Detail]:
        return [
            Detail(
                score.seat,
                self.words.many("{count} completed ticket", "{count} completed tickets", score.tickets_done),
                signed(score.globetrotter) if score.globetrotter else "",
                "",
            )
            for score in self.scores.seats
        ]

    def passengers(self) -> list[Detail]:
        details = []
        for public in self.view.seats:
            for colour, count in public.passengers.items():
                points, rank = self._passenger_rank(colour, count)
                text = f"{labels.colour(self.words, colour)} × {count}"
                details.append(
                    Detail(public.seat, f"{text} · {rank}" if rank else text, signed(points) if points else "", "")
                )
        return details

    def _passenger_rank(self, colour: str, count: int) -> tuple[int, str]:
        """Return what `count` passengers of a colour bring (PAS-3), and the reason in a word."""
        rules = self.board.passengers
        assert rules is not None
        ahead = sum(other.passengers.get(colour, 0) > count for other in self.view.seats)
        if not count or ahead > 1:
            return 0, ""
        return (rules.second, self.words("second most")) if ahead else (rules.most, self.words("most"))

    def ports(self) -> list[Detail]:
        details = []
        for public in self.view.seats:
            done = [result.ticket for result in self.scores[public.seat].results if result.done]
            worth = self.board.ports.points if self.board.ports else (0,)
            for place in public.ports:
                named = [ticket for ticket in done if place in ticket.places]
                text = self.words.many(
                    "{place}, {count} ticket", "{place}, {count} tickets", len(named), place=place.name
                )
                points = signed(worth[min(len(named), len(worth) - 1)])
                details.append(Detail(public.seat, text, points, components.highlights(place)))
            if public.ports_left and self.board.ports:
                text = self.words.many("{count} port not built", "{count} ports not built", public.ports_left)
                points = signed(public.ports_left * self.board.ports.unbuilt)
                details.append(Detail(public.seat, text, points, "", False))
        return details


_DETAILS: dict[int, Callable[[_Teller], list[Detail]]] = {
    ROUTES: _Teller.routes,
    TICKETS: _Teller.tickets,
    TOURS: _Teller.tours,
    STATIONS: _Teller.stations,
    TRAIL_BONUS: _Teller.longest_trail,
    TICKETS_BONUS: _Teller.most_tickets,
    PASSENGERS: _Teller.passengers,
    PORTS: _Teller.ports,
}
"""What can be told of a part in detail; any other part is a row of numbers."""
