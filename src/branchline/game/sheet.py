"""The score sheet, as people read it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from branchline.boards import Board, Route, Ticket
from branchline.rules.catalogue import PARTS, ROUTES, SCORE_PARTS, SWAPS, ScoreParts
from branchline.rules.state import FAILED, IN_ORDER, Scratch, State

_KEYS = {part.key: n for n, part in enumerate(SCORE_PARTS)}


@dataclass(frozen=True)
class TicketResult:
    """A ticket of a seat and its result."""

    ticket: Ticket
    done: bool
    in_order: bool  # tours only
    points: int


@dataclass(frozen=True)
class SeatScore(ScoreParts):
    """The score of one seat. Its parts are attributes, too: `routes`, `tickets`, `longest_trail_bonus`, ….

    `rules.catalogue` declares the parts. `total` is their sum.
    """

    seat: int
    points: tuple[int, ...] = (0,) * PARTS  # for each part, in the order of the catalogue
    longest_trail: int = 0  # length in spaces; not points
    total: int = 0
    tickets_done: int = 0  # tours included; not points
    results: tuple[TicketResult, ...] = ()
    borrowed: tuple[tuple[str, Route | None], ...] = ()  # station city → route used

    def parts(self) -> dict[str, int]:
        """Return the points for each part of the score."""
        return {part.key: points for part, points in zip(SCORE_PARTS, self.points, strict=True)}

    if not TYPE_CHECKING:  # tools know the parts from their declaration, and no others

        def __getattr__(self, name: str) -> int:
            """Return the points for a part of the score."""
            if name not in _KEYS:
                raise AttributeError(f"a score has no part {name!r}")
            return self.points[_KEYS[name]]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_KEYS]


def parts_of(board: Board) -> tuple[int, ...]:
    """Return the parts of the score that a board plays with, as numbers of `SCORE_PARTS`."""
    return tuple(n for n, part in enumerate(SCORE_PARTS) if not part.uses or attrgetter(part.uses)(board))


@dataclass(frozen=True)
class Scores:
    """The scores of all seats. While the game runs, they include only public points and have no winners."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...] = ()
    final: bool = False

    def __getitem__(self, seat: int) -> SeatScore:
        """Return the score of one seat."""
        return self.seats[seat]

    def __len__(self) -> int:
        """Return how many seats there are."""
        return len(self.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals of all seats, in order."""
        return tuple(score.total for score in self.seats)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The final rank of each seat, from 1; see the function `ranks`."""
        return ranks(self.totals, self.winners)

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory; see the function `shares`."""
        return shares(self.winners, len(self.seats))


def ranks(totals: Sequence[int], winners: Collection[int]) -> tuple[int, ...]:
    """Return the rank of each seat at the end: winners come first, as totals alone do not settle ties; then by
    totals.
    """
    standings = [(seat in winners, total) for seat, total in enumerate(totals)]
    return tuple(1 + sum(other > mine for other in standings) for mine in standings)


def shares(winners: Collection[int], seats: int) -> tuple[float, ...]:
    """Return each seat's share of the victory: 1 won, a part where it is shared, 0 lost."""
    return tuple((seat in winners) / len(winners) for seat in range(seats))


def running_scores(board: Board, state: State) -> Scores:
    """Return what everybody can see while the game runs: points for routes, and the cost of swaps."""
    seats = []
    for seat in range(state.seats):
        points = [0] * PARTS
        points[ROUTES] = int(state.route_points[seat])
        points[SWAPS] = -board.pieces.swap_price * int(state.swapped[seat])
        seats.append(SeatScore(seat, tuple(points), total=sum(points)))
    return Scores(tuple(seats))


def final_scores(board: Board, state: State, scratch: Scratch) -> Scores:
    """Return the full sheet from a scratch that `rules.scoring.score` has filled."""
    seats = tuple(_seat_score(board, state, scratch, seat) for seat in range(state.seats))
    winners = tuple(seat for seat in range(state.seats) if scratch.winner[seat])
    return Scores(seats, winners, final=True)


def _seat_score(board: Board, state: State, scratch: Scratch, seat: int) -> SeatScore:
    held = [ticket for ticket in board.tickets if state.ticket_at[ticket.index] == seat]
    cities = [place.name for place in board.places if state.station_owner[place.index] == seat]
    borrowed = [int(scratch.borrowed[seat, n]) for n in range(len(cities))]
    return SeatScore(
        seat,
        tuple(int(scratch.parts[part, seat]) for part in range(PARTS)),
        longest_trail=int(scratch.trail[seat]),
        total=int(scratch.total[seat]),
        tickets_done=int(scratch.tickets_done[seat]),
        results=tuple(_result(ticket, int(scratch.ticket_result[ticket.index])) for ticket in held),
        borrowed=tuple(
            (city, board.routes[route] if route >= 0 else None) for city, route in zip(cities, borrowed, strict=True)
        ),
    )


def _result(ticket: Ticket, result: int) -> TicketResult:
    if result == FAILED:
        return TicketResult(ticket, False, False, -ticket.penalty)
    if result == IN_ORDER or not ticket.tour:
        return TicketResult(ticket, True, result == IN_ORDER, ticket.value)
    return TicketResult(ticket, True, False, ticket.any_order)
