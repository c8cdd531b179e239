"""What tickets are worth: what they bring, failures included, and what a seat loses elsewhere by holding them.

*Net worth* is how many more points in all a seat has at the end that holds a ticket, other tickets being equal: the
coefficient of the ticket in a linear regression of the final scores on the tickets held, over all numbers of seats.
What the ticket *costs* is what it brings less that. A seat keeps what suits it, so that these are the worths of tickets
as they are chosen, not of tickets that somebody must take.

A ticket pays *more or less than others* by so many points as its net worth lies above or below the line through the
net worths of all tickets by the lengths of their shortest ways. The line is that of Theil and Sen, which outliers
hardly move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from branchline.arena.balance.games import AtSeats
from branchline.arena.balance.network import Network
from branchline.arena.statistics import NORMAL, Estimate, Numbers
from branchline.boards.board import Ticket
from branchline.boards.limits import MAX_POINTS
from branchline.plain_data import JsonObject

SELDOM = 0.05  # a ticket kept in fewer of its offers is never kept
ENOUGH_OFFERS = 40
ENOUGH_HELD = 40  # and not all the time: with fewer there is no saying what it is worth
LEAST_GAIN = 0.4  # of a point more in value, what a seat has of it at least: for tickets that seldom succeed
LEAST_OFF = 1.5  # points that a ticket pays too much or too little before another value is suggested
LARGEST_STEP = 0.25  # of its value, by which a ticket is changed at most at a time
SMALLEST_VALUE = 1


@dataclass(frozen=True)
class TicketFigures:
    """How one ticket fared, over all numbers of seats."""

    ticket: Ticket
    way: int  # spaces of its shortest way
    offered: int  # how often it was drawn
    kept: int  # … and kept
    held: int  # seats that held it at the end
    done: int  # of these, how many had done it
    brings: float | None  # points, failures included: the mean of those who held it; None: nobody did
    net: Estimate | None  # points that a seat has more for it in all
    off: Estimate | None  # points that it pays more than others of its length
    suggested: int | None  # the value that would make up for it; None: leave it as it is

    @property
    def never_kept(self) -> bool:
        """Whether it was offered often and hardly ever kept."""
        return self.offered >= ENOUGH_OFFERS and self.kept < SELDOM * self.offered

    @property
    def costs(self) -> float | None:
        """Points that a seat loses elsewhere by it; negative where its routes pay of themselves."""
        return None if self.net is None or self.brings is None else self.brings - self.net.mean

    def as_dict(self) -> JsonObject:
        """Return the figures of a ticket as data for JSON."""
        return {
            "ticket": self.ticket.index,
            "name": self.ticket.name,
            "value": self.ticket.value,
            "way": self.way,
            "offered": self.offered,
            "kept": self.kept,
            "held": self.held,
            "done": self.done,
            "never_kept": self.never_kept,
            "brings": None if self.brings is None else round(self.brings, 2),
            "costs": None if self.costs is None else round(self.costs, 2),
            "net": self.net.as_dict() if self.net else None,
            "off": self.off.as_dict() if self.off else None,
            "suggested": self.suggested,
        }


def ticket_figures(network: Network, played: Sequence[AtSeats]) -> tuple[TicketFigures, ...]:
    """Return the figures of all tickets, in their order."""
    tickets = network.board.tickets
    if not played:
        return ()
    sums = {
        name: np.sum([table.tally[name] for table in played], axis=0)
        for name in ("offered", "kept", "held", "done", "points")
    }
    ways = np.array([network.way(ticket.places) for ticket in tickets])
    nets = net_worths(len(tickets), played)
    offs = off_the_line(ways, nets)
    figures = []
    for ticket in tickets:
        n = ticket.index
        held = int(sums["held"][n])
        figure = TicketFigures(
            ticket=ticket,
            way=int(ways[n]),
            offered=int(sums["offered"][n]),
            kept=int(sums["kept"][n]),
            held=held,
            done=int(sums["done"][n]),
            brings=float(sums["points"][n]) / held if held else None,
            net=nets[n],
            off=offs[n],
            suggested=None,
        )
        figures.append(_with_suggestion(figure, tickets, ways))
    return tuple(figures)


def net_worths(count: int, played: Sequence[AtSeats]) -> list[Estimate | None]:
    """Return the net worth of each ticket, with an interval from whole games; None where too few held it."""
    totals, held, games = [], [], []
    for number, table in enumerate(played):
        fate = table.results.games["ticket"][:, :count]
        total = table.results.column("total").astype(float)
        for seat in range(table.seats):
            mine = (fate >= 0) & (fate // 2 == seat)
            totals.append(total[:, seat] - total.mean())  # every number of seats has a level of its own
            held.append(mine)
            games.append(table.results.column("number") * len(played) + number)
    y, x, game = np.concatenate(totals), np.concatenate(held), np.concatenate(games)
    times = x.sum(axis=0)
    known = np.flatnonzero((times >= ENOUGH_HELD) & (times <= len(y) - ENOUGH_HELD))
    worths: list[Estimate | None] = [None] * count
    if not len(known) or len(y) < 4 * len(known):
        return worths
    x = np.column_stack((np.ones(len(y)), x[:, known]))
    inverse = np.linalg.pinv(x.T @ x)
    worth = inverse @ (x.T @ y)
    error = _errors(x * (y - x @ worth)[:, None], game, inverse)
    for place, ticket in enumerate(known, 1):
        reach = NORMAL * float(error[place])
        mean = float(worth[place])
        worths[int(ticket)] = Estimate(mean, mean - reach, mean + reach)
    return worths


def _errors(scores: Numbers, game: Numbers, inverse: Numbers) -> Numbers:
    """Return standard errors of a regression whose rows belong together by games (Liang and Zeger)."""
    order = np.argsort(game, kind="stable")
    starts = np.flatnonzero(np.diff(game[order], prepend=-1))
    of_games = np.add.reduceat(scores[order], starts, axis=0)
    answer: Numbers = np.sqrt(np.maximum(0.0, np.diag(inverse @ (of_games.T @ of_games) @ inverse)))
    return answer


def off_the_line(ways: Numbers, nets: Sequence[Estimate | None]) -> list[Estimate | None]:
    """Return how far each net worth is from the line through all of them by length."""
    known = [n for n, net in enumerate(nets) if net is not None]
    if len(known) < 3:
        return [None] * len(nets)
    worth = np.array([net.mean for net in nets if net is not None])
    slope, level = theil_sen(ways[known].astype(float), worth)
    differences: list[Estimate | None] = []
    for way, net in zip(ways, nets, strict=True):
        line = level + slope * float(way)
        differences.append(None if net is None else Estimate(net.mean - line, net.low - line, net.high - line))
    return differences


def theil_sen(x: Numbers, y: Numbers) -> tuple[float, float]:
    """Return slope and level of the line with the median of all slopes between two points of different x."""
    first, second = np.triu_indices(len(x), 1)
    apart = x[second] != x[first]
    first, second = first[apart], second[apart]
    slope = float(np.median((y[second] - y[first]) / (x[second] - x[first]))) if len(first) else 0.0
    return slope, float(np.median(y - slope * x))


def _with_suggestion(figures: TicketFigures, tickets: Sequence[Ticket], ways: Numbers) -> TicketFigures:
    """Return the figures with a suggested value, where there is one; tours are left to their makers."""
    value = figures.ticket.value
    wanted = float(value)
    if figures.ticket.tour:
        return figures
    if figures.off is not None and abs(figures.off.mean) >= LEAST_OFF and figures.off.low * figures.off.high > 0:
        wanted = value - figures.off.mean / max(LEAST_GAIN, 2 * figures.done / max(1, figures.held) - 1)
    elif figures.net is None and figures.never_kept:
        values = np.array([ticket.value for ticket in tickets if not ticket.tour], dtype=float)
        slope, level = theil_sen(ways[[ticket.index for ticket in tickets if not ticket.tour]].astype(float), values)
        wanted = max(value + 1.0, level + slope * figures.way)
    step = max(1.0, LARGEST_STEP * value)
    suggested = round(min(max(wanted, value - step), value + step))
    suggested = min(max(suggested, SMALLEST_VALUE), MAX_POINTS)
    if suggested == value:
        return figures
    return TicketFigures(**{**vars(figures), "suggested": suggested})
