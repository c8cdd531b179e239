"""What the map and its tickets say before a game is played: shortest ways, and how many tickets lead over what.

A *connection* is all parallel lines between two places. Its *load* is the number of tickets whose shortest ways lead
over it; a ticket with several shortest ways is shared among them evenly. A tour is taken from place to place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from branchline.boards import Board
from branchline.boards.board import Place, Route, Ticket
from branchline.boards.ways import Step, nearest_first, passes

BUSY = 0.1  # of the connections: the busiest of them may be crowded …
FEW = 3.0  # … if so many tickets lead over each of their lines,
TWICE = 2.0  # or, wherever they stand, so many times the mean


@dataclass(frozen=True)
class Connection:
    """All lines between two places that are parallel routes."""

    lines: tuple[Route, ...]

    @property
    def index(self) -> int:
        """The number of its first line, by which it is known."""
        return self.lines[0].index

    @property
    def name(self) -> str:
        """Its two ends."""
        return self.lines[0].name

    @property
    def spaces(self) -> int:
        """Of its shortest line; for a subway, cards."""
        return min(line.points_row for line in self.lines)

    @property
    def colours(self) -> tuple[str, ...]:
        """Of its lines, in their order."""
        return tuple(line.colour for line in self.lines)

    def usable(self, board: Board, seats: int) -> int:
        """Return how many of its lines can be claimed with `seats` seats."""
        return 1 if seats <= board.one_line_up_to else len(self.lines)


class Network:
    """The connections of a board, and the shortest ways over them. Nothing passes through a country."""

    def __init__(self, board: Board) -> None:
        self.board = board
        sets: dict[int, list[Route]] = {}
        for route in board.routes:
            sets.setdefault(route.parallel, []).append(route)
        self.connections = tuple(Connection(tuple(lines)) for lines in sets.values())
        self._ways: dict[int, list[tuple[Place, int, int]]] = {place.index: [] for place in board.places}
        for n, connection in enumerate(self.connections):
            route = connection.lines[0]
            self._ways[route.a.index].append((route.b, connection.spaces, n))
            self._ways[route.b.index].append((route.a, connection.spaces, n))
        self._found: dict[int, dict[int, tuple[int, int]]] = {}

    def way(self, places: Sequence[Place]) -> int:
        """Return the spaces of the shortest way from place to place."""
        return sum(self._from(start)[goal.index][0] for start, goal in pairwise(places))

    @cached_property
    def load(self) -> tuple[float, ...]:
        """Of each connection, in their order."""
        loads = [0.0] * len(self.connections)
        for ticket in self.board.tickets:
            for n, share in self._shares(ticket):
                loads[n] += share
        return tuple(loads)

    def detour(self, connection: Connection) -> int | None:
        """Return how many more spaces are needed to join its ends without it, or None where they cannot be joined
        then.
        """
        route = connection.lines[0]
        there = self._spread(route.a, without=self.connections.index(connection)).get(route.b.index)
        return None if there is None else there[0] - connection.spaces

    @property
    def traffic(self) -> float | None:
        """The mean load of connections with several lines, for one of those with a single line."""
        single = [
            load for connection, load in zip(self.connections, self.load, strict=True) if len(connection.lines) == 1
        ]
        double = [
            load for connection, load in zip(self.connections, self.load, strict=True) if len(connection.lines) > 1
        ]
        if not double or not sum(single):
            return None
        return (sum(double) / len(double)) / (sum(single) / len(single))

    @property
    def idle(self) -> float:
        """The share of connections that are on no ticket's shortest way."""
        return sum(load == 0 for load in self.load) / len(self.connections)

    def crowded(self, seats: int) -> tuple[Connection, ...]:
        """Return the connections that many tickets lead over, relative to the lines that can be claimed with `seats`
        seats.
        """
        rates = [
            load / connection.usable(self.board, seats)
            for connection, load in zip(self.connections, self.load, strict=True)
        ]
        mean = sum(rates) / len(rates)
        edge = sorted(rates, reverse=True)[max(0, round(BUSY * len(rates)) - 1)]
        return tuple(
            connection
            for connection, rate in zip(self.connections, rates, strict=True)
            if rate > 0 and ((rate >= edge and rate >= FEW) or rate >= TWICE * mean)
        )

    @property
    def pieces(self) -> float:
        """The pieces of all seats of a full table, for each space of the board."""
        board = self.board
        spaces = sum(route.points_row for route in board.routes)
        return board.pieces.of_a_seat * board.seats[1] / spaces

    @property
    def longest_ticket(self) -> float | None:
        """The spaces of the longest ticket, for each piece of a seat; tours aside."""
        ways = [self.way(ticket.places) for ticket in self.board.tickets if not ticket.tour]
        return max(ways) / self.board.pieces.of_a_seat if ways else None

    def _shares(self, ticket: Ticket) -> Iterator[tuple[int, float]]:
        """Yield the connections on a ticket's shortest ways, each with the share of these ways that lead over it."""
        shares: dict[int, float] = {}
        for start, goal in pairwise(ticket.places):
            there, back = self._from(start), self._from(goal)
            length, count = there[goal.index]
            for n, connection in enumerate(self.connections):
                a, b = connection.lines[0].a, connection.lines[0].b
                share = 0.0
                for near, far in ((a, b), (b, a)):
                    if near.index in there and far.index in back and _may_pass(near, start) and _may_pass(far, goal):
                        (out, ways_out), (home, ways_home) = there[near.index], back[far.index]
                        if out + connection.spaces + home == length:
                            share += ways_out * ways_home / count
                if share:
                    shares[n] = min(1.0, shares.get(n, 0.0) + share)
        yield from shares.items()

    def _from(self, start: Place) -> dict[int, tuple[int, int]]:
        if start.index not in self._found:
            self._found[start.index] = self._spread(start)
        return self._found[start.index]

    def _spread(self, start: Place, without: int = -1) -> dict[int, tuple[int, int]]:
        """Return the spaces to each place that can be reached, and how many shortest ways there are."""

        def steps(here: int) -> list[Step[int]]:
            if not passes(self.board, start, here):
                return []
            return [(there.index, spaces, n) for there, spaces, n in self._ways[here] if n != without]

        far = {here: way.cost for here, way in nearest_first(start.index, steps)}  # nearest first
        ways = dict.fromkeys(far, 0) | {start.index: 1}
        for here, spaces in far.items():
            for there, length, _ in steps(here):
                if spaces + length == far[there]:
                    ways[there] += ways[here]
        return {here: (spaces, ways[here]) for here, spaces in far.items()}


def _may_pass(place: Place, end: Place) -> bool:
    """Return whether a way that has this end may lead on through a place."""
    return place.kind != "country" or place == end
