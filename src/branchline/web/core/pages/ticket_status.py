"""How tickets stand: done, still possible or dead, and along which routes.

A judgement for people, not a rule: what stations borrow and what is done at the end is said by `Game.sheet`. "Dead" is
said only when it is certain; whoever could still get there with much luck is told "possible".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from branchline.boards import Board, Place, Route, Ticket
from branchline.boards.ways import Step, nearest_first, passes
from branchline.game import Game, View
from branchline.web.core.pages.paths import BARRED, cheapest_path, prices, shortest_path


@dataclass(frozen=True)
class TicketStatus:
    """A ticket and how it stands."""

    ticket: Ticket
    state: str  # "done", "possible" or "dead"
    route: tuple[Route, ...] = ()  # the routes that join its places, when done
    borrowed: bool = False  # done with the help of a station, as things stand
    way: tuple[Route, ...] = ()  # when possible: the routes still to be claimed on the cheapest way without stations


def statuses(game: Game, view: View) -> tuple[TicketStatus, ...]:
    """Return the kept tickets of the seat of a view in the order: to do, done, dead.

    The game may be redacted for it.
    """
    if view.seat is None:
        return ()
    marked = marks(game.board, view, view.seat, view.tickets)
    if view.seats[view.seat].stations and any(ticket_status.state != "done" for ticket_status in marked):
        marked = _with_stations(game, view.seats[view.seat].routes, view.seat, marked)
    order = {"possible": 0, "done": 1, "dead": 2}
    return tuple(sorted(marked, key=lambda ticket_status: (order[ticket_status.state], -ticket_status.ticket.value)))


def marks(board: Board, view: View, seat: int, tickets: Iterable[Ticket]) -> list[TicketStatus]:
    """Return the state of a seat's tickets, stations aside."""
    reach = _Reach(board, view, seat)
    return [_mark(board, view, reach, ticket) for ticket in tickets]


def _mark(board: Board, view: View, reach: _Reach, ticket: Ticket) -> TicketStatus:
    legs = [cheapest_path(board, reach.own_prices, a, b) for a, b in _legs(ticket)]
    if all(leg is not None for leg in legs):
        return TicketStatus(ticket, "done", _once(route for leg in legs for route in leg or ()))
    if view.question.kind == "over":
        return TicketStatus(ticket, "dead")
    if not reach.joins(ticket):
        return TicketStatus(ticket, "dead")
    return TicketStatus(ticket, "possible", way=reach.way(ticket))


def _with_stations(game: Game, own: Iterable[Route], seat: int, unmarked: Iterable[TicketStatus]) -> list[TicketStatus]:
    """Return the marks with the routes that the stations would borrow if the game ended now."""
    score = game.sheet()[seat]
    done = {result.ticket.index for result in score.results if result.done}
    routes = (*own, *(route for _, route in score.borrowed if route is not None))
    marked = []
    for ticket_status in unmarked:
        if ticket_status.state != "done" and ticket_status.ticket.index in done:
            legs = [shortest_path(game.board, routes, a, b) or () for a, b in _legs(ticket_status.ticket)]
            ticket_status = TicketStatus(
                ticket_status.ticket, "done", _once(route for leg in legs for route in leg), borrowed=True
            )
        marked.append(ticket_status)
    return marked


def _legs(ticket: Ticket) -> list[tuple[Place, Place]]:
    return list(zip(ticket.places, ticket.places[1:], strict=False))


def _once(routes: Iterable[Route]) -> tuple[Route, ...]:
    return tuple({route.index: route for route in routes}.values())


def pieces_left(board: Board, view: View, seat: int) -> int:
    """Return how many pieces a seat has left; on a board with fleets, before the first turn, how many it may choose."""
    return board.pieces.fleet if board.pieces.fleet and view.turns == 0 else sum(view.seats[seat].pieces.values())


class _Reach:
    """Where a seat could still get: its own routes cost nothing, free ones their pieces, others' ones a station."""

    def __init__(self, board: Board, view: View, seat: int) -> None:
        me = view.seats[seat]
        self.board = board
        self.pieces = pieces_left(board, view, seat)
        self.borrow = len(me.stations) + me.stations_left
        taken = {route.index: public.seat for public in view.seats for route in public.routes}
        closed = {route.index for route in view.closed}
        barred = {route.parallel for route in me.routes if route.lines > 1}
        free = [
            route
            for route in board.routes
            if route.index not in taken
            and route.index not in closed
            and not (route.lines > 1 and route.parallel in barred)
        ]
        self.prices = prices(board, (*me.routes, *free), me.routes)
        self.own_prices = prices(board, me.routes)
        self.others = {route for route, owner in taken.items() if owner != seat}
        self._cheapest: dict[tuple[Place, Place], tuple[Route, ...] | None] = {}  # nothing claimed on the way

    def joins(self, ticket: Ticket) -> bool:
        """Return whether each leg could be joined with the remaining pieces: an optimistic answer."""
        return all(self._leg(a, b) for a, b in _legs(ticket))

    def way(self, ticket: Ticket) -> tuple[Route, ...]:
        """Return the free routes on the cheapest way, leg after leg; empty where stations are needed."""
        (a, b), *others = _legs(ticket)
        leg, costs = self._path(a, b), self.prices
        claimed = [route for route in leg or () if costs[route.index]]
        for a, b in others:
            if leg is None:
                break
            costs = costs.copy()
            for route in leg:
                costs[route.index] = 0
            leg = cheapest_path(self.board, costs, a, b)
            claimed += [route for route in leg or () if costs[route.index]]
        return () if leg is None else tuple(claimed)

    def _path(self, start: Place, goal: Place) -> tuple[Route, ...] | None:
        if (start, goal) not in self._cheapest:
            self._cheapest[start, goal] = cheapest_path(self.board, self.prices, start, goal)
        return self._cheapest[start, goal]

    def _leg(self, start: Place, goal: Place) -> bool:
        path = self._path(start, goal)
        if path is not None and sum(self.prices[route.index] for route in path) <= self.pieces:
            return True
        return self.borrow > 0 and self._with_stations(start.index, goal.index)

    @cached_property
    def _edges(self) -> dict[int, list[tuple[int, int, int]]]:
        """Of a place the others, with the pieces and the stations that it takes to get there."""
        edges: dict[int, list[tuple[int, int, int]]] = {}
        for route in self.board.routes:
            price = (0, 1) if route.index in self.others else (self.prices[route.index], 0)
            if price[0] != BARRED:
                edges.setdefault(route.a.index, []).append((route.b.index, *price))
                edges.setdefault(route.b.index, []).append((route.a.index, *price))
        return edges

    def _with_stations(self, start: int, goal: int) -> bool:
        def steps(at: tuple[int, int]) -> Iterator[Step[tuple[int, int]]]:
            here, borrowed = at
            if passes(self.board, self.board.places[start], here):
                for there, pieces, stations in self._edges.get(here, ()):
                    if borrowed + stations <= self.borrow:
                        yield (there, borrowed + stations), pieces, 0

        for (here, _), way in nearest_first((start, 0), steps):
            if here == goal or way.cost > self.pieces:
                return way.cost <= self.pieces
        return False
