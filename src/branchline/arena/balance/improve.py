"""Suggested changes to a board: values of tickets, colours of routes; and what they did, by the same games once more.

A ticket gets the value that would make its net worth what others of its length have (`tickets`). Two routes of one
length swap their colours where that evens out how often cards of each colour are used: the spaces printed in each
colour stay what they are. Both are tried on a copy of the board with the same seeds, and a change is kept if it helped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from branchline.arena.balance.figures import Balance
from branchline.boards import Board
from branchline.boards.board import GRAY, Route

TICKET, ROUTE = "ticket", "route"
MOST_SWAPS = 4
LEAST_EVENED = 0.02  # of the spread of the colours, by which a swap must lessen it


@dataclass(frozen=True)
class Change:
    """One change: the new value of a ticket, or the new colours of two routes that swap theirs."""

    kind: str  # TICKET or ROUTE
    items: tuple[int, ...]  # numbers of the ticket, or of the routes
    name: str
    before: tuple[str, ...]  # as in the file: value, colours
    after: tuple[str, ...]


@dataclass(frozen=True)
class TriedChange:
    """A change and what it did: a figure that is better the nearer it is to nought."""

    change: Change
    before: float  # of a ticket: points that it pays more than others; of a swap: how uneven the colours are
    after: float

    @property
    def helped(self) -> bool:
        """Whether the figure came nearer to nought."""
        return abs(self.after) < abs(self.before)


def suggestions(balance: Balance) -> tuple[Change, ...]:
    """Return suggested changes, by these figures."""
    return (*_of_tickets(balance), *_of_colours(balance))


def changed(board: Board, changes: Sequence[Change]) -> Board:
    """Return the board with these changes, for games only: its players keep the weights that they have on the old
    one.
    """
    tickets, routes = list(board.tickets), list(board.routes)
    for change in changes:
        for item, after in zip(change.items, change.after, strict=True):
            if change.kind == TICKET:
                tickets[item] = replace(tickets[item], value=int(after), any_order=int(after), penalty=int(after))
            else:
                routes[item] = replace(routes[item], colour=after)
    return replace(board, tickets=tuple(tickets), routes=tuple(routes))


def tried(changes: Sequence[Change], before: Balance, after: Balance) -> tuple[TriedChange, ...]:
    """Return the effect of each change.

    A ticket that nobody kept counts as paying as little as the one that pays least.
    """
    results = []
    for change in changes:
        if change.kind == TICKET:
            ticket = change.items[0]
            figures = _off(before, ticket), _off(after, ticket)
        else:
            figures = unevenness(before, change.items[0]), unevenness(after, change.items[0])
        results.append(TriedChange(change, *figures))
    return tuple(results)


def unevenness(balance: Balance, route: int) -> float:
    """Return how unevenly the colours of a route's deck are used: between most and least, relative to the mean."""
    use = list(colour_use(balance, _deck(balance.board.routes[route])).values())
    return (max(use) - min(use)) / (sum(use) / len(use)) if sum(use) else 0.0


def colour_use(balance: Balance, kinds: tuple[str, ...]) -> dict[str, float]:
    """Return for each colour the mean number of cards that claims of its routes take in a game, gray routes aside."""
    use = dict.fromkeys(balance.board.cards.colours, 0.0)
    for route, claimed in _claims(balance):
        if route.kind in kinds and route.colour != GRAY:
            use[route.colour] += claimed * route.price
    return use


# ------------------------------------------------------------------------------------------------ what to change


def _of_tickets(balance: Balance) -> Iterator[Change]:
    for figures in balance.tickets:
        if figures.suggested is not None:
            ticket = figures.ticket
            yield Change(TICKET, (ticket.index,), ticket.name, (str(ticket.value),), (str(figures.suggested),))


def _of_colours(balance: Balance) -> Iterator[Change]:
    """Swap after swap, the one that evens the colours out most, as long as it is worth it; no route twice."""
    for kinds in {_deck(route): None for route in balance.board.routes}:
        use = colour_use(balance, kinds)
        claims = [(r, claimed) for r, claimed in _claims(balance) if r.kind in kinds and r.colour != GRAY]
        mean = sum(use.values()) / max(1, len(use))
        for _ in range(MOST_SWAPS):
            best = min(
                ((_spread(_swapped(use, *pair)), n) for n, pair in enumerate(_pairs(claims))),
                default=(0.0, -1),
            )
            if best[1] < 0 or _spread(use) - best[0] < (LEAST_EVENED * mean) ** 2 * len(use):
                break
            first, other = list(_pairs(claims))[best[1]]
            use = _swapped(use, first, other)
            claims = [pair for pair in claims if pair[0] not in (first[0], other[0])]
            a, b = first[0], other[0]
            name = f"{a.name}, {b.name}"
            yield Change(ROUTE, (a.index, b.index), name, (a.colour, b.colour), (b.colour, a.colour))


Claims = tuple[Route, float]


def _pairs(claims: Sequence[Claims]) -> Iterator[tuple[Claims, Claims]]:
    """Yield routes that could swap their colours: otherwise alike, and without a line beside them."""
    for first, other in combinations(claims, 2):
        a, b = first[0], other[0]
        alike = (a.price, a.length, a.kind, a.wilds, a.pairs) == (b.price, b.length, b.kind, b.wilds, b.pairs)
        if alike and a.colour != b.colour and a.lines == b.lines == 1:
            yield first, other


def _swapped(use: dict[str, float], first: Claims, other: Claims) -> dict[str, float]:
    (a, often), (b, seldom) = first, other
    shift = a.price * (often - seldom)
    return {**use, a.colour: use[a.colour] - shift, b.colour: use[b.colour] + shift}


def _spread(use: dict[str, float]) -> float:
    mean = sum(use.values()) / len(use)
    return sum((value - mean) ** 2 for value in use.values())


def _claims(balance: Balance) -> Iterator[Claims]:
    """Yield each route with the share of games in which it is claimed, the mean over the numbers of seats."""
    if not balance.tables:
        return
    for n, connection in enumerate(balance.network.connections):
        for line, route in enumerate(connection.lines):
            yield route, sum(table.connections[n].claimed[line] for table in balance.tables) / len(balance.tables)


def _deck(route: Route) -> tuple[str, ...]:
    """Return the kinds of routes that are paid for from the same cards."""
    return (route.kind,) if route.kind in ("sea", "subway") else ("rail", "tunnel", "ferry", "tram")


def _off(balance: Balance, ticket: int) -> float:
    off = balance.tickets[ticket].off
    if off is not None:
        return off.mean
    return min((each.off.mean for each in balance.tickets if each.off is not None), default=0.0)
