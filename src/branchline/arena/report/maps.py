"""The board as heat map: which routes are claimed, and which tickets are worth their cards."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.arena.results import Results
from branchline.arena.statistics import Numbers
from branchline.boards.board import Board, Route, Ticket
from branchline.draw import Chord, Heat, board_svg
from branchline.draw.page import PAGE

ROUND = 10  # the hottest route is rounded up to a share of so many parts


@dataclass(frozen=True)
class RouteUse:
    """How often a route was claimed."""

    route: Route
    claimed: float  # share of all games
    won: float  # share of these that its owner won


@dataclass(frozen=True)
class TicketUse:
    """How a ticket fared."""

    ticket: Ticket
    name: str
    held: float  # share of all games in which a seat held it at the end
    done: float  # share of these in which it was done
    won: float  # share of these that its holder won


def route_use(results: Results) -> list[RouteUse]:
    """Return the use of every route of the board, the most claimed first."""
    count = len(results.board.routes)
    owner = results.games["route_owner"][:, :count]
    uses = [
        RouteUse(route, _share(claimed, results.played), _mean_win(results, owner[:, route.index], claimed))
        for route in results.board.routes
        for claimed in [owner[:, route.index] >= 0]
    ]
    return sorted(uses, key=lambda use: (-use.claimed, use.route.index))


def ticket_use(results: Results) -> list[TicketUse]:
    """Return the use of every ticket, the one most often done first."""
    uses = []
    for ticket in results.board.tickets:
        fate = results.games["ticket"][:, ticket.index]
        held = fate >= 0
        done = int((fate[held] % 2 == 1).sum())
        name = "–".join(place.name for place in ticket.places)
        won = _mean_win(results, fate // 2, held)
        uses.append(TicketUse(ticket, name, _share(held, results.played), done / max(1, int(held.sum())), won))
    return sorted(uses, key=lambda use: (-use.done, -use.held, use.ticket.index))


def _share(which: Numbers, games: int) -> float:
    return float(which.sum()) / max(1, games)


def _mean_win(results: Results, seat: Numbers, which: Numbers) -> float:
    """Return how often the given seat of some games won."""
    rows = which.nonzero()[0]
    return float(results.wins[rows, seat[rows]].mean()) if len(rows) else 0.0


def hottest(uses: list[RouteUse]) -> float:
    """Return the upper end of the scale: the share of the most claimed route, rounded up."""
    most = max((use.claimed for use in uses), default=0.0)
    return max(1, -int(-most * ROUND // 1)) / ROUND


def routes_map(board: Board, uses: list[RouteUse]) -> str:
    """Return the board, every route as hot as it is often claimed."""
    top = hottest(uses)
    texts = {
        use.route.index: f"claimed in {use.claimed:.0%} of games"
        + (f", owner won {use.won:.0%}" if use.claimed else "")
        for use in uses
    }
    heat = Heat("use", {use.route.index: use.claimed / top for use in uses}, texts)
    return board_svg(board, theme=PAGE, style=False, heat=heat, title=f"{board.title}: how often routes are claimed")


def tickets_map(board: Board, uses: list[TicketUse]) -> str:
    """Return the board with a line for each ticket: broad if often held, hot if often done."""
    most = max((use.held for use in uses), default=0.0) or 1.0
    lines = tuple(
        Chord(
            tuple(place.index for place in use.ticket.places),
            use.done,
            use.held / most,
            f"{use.name} ({use.ticket.value}): held in {use.held:.0%} of games, done in {use.done:.0%} of these",
        )
        for use in sorted(uses, key=lambda use: use.done)
        if use.held
    )
    heat = Heat("tickets", chords=lines)
    return board_svg(board, theme=PAGE, style=False, heat=heat, title=f"{board.title}: tickets held and done")
