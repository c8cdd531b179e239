"""What a map maker may want to look at again: where a board is unlike the printed ones. Nothing here is a fault.

The bounds lie a little outside of what the five editions show.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator

from branchline.atlas.board import GRAY, Board, Place, Route
from branchline.atlas.components import FILE as RULES
from branchline.atlas.faults import quoted
from branchline.atlas.routes import FILE as ROUTES
from branchline.atlas.soundness import neighbours_by, reached_from
from branchline.atlas.tickets import FILE as TICKETS

EVEN = 0.8  # spaces of the rarest colour for one of the most frequent; the editions: 0.86 to 1
GRAY_SHARE = (0.08, 0.5)  # of all spaces of a deck; the editions: 0.11 to 0.41
FULL_TABLE = (0.8, 1.4)  # spaces, parallel lines once, for each piece of a full table; the editions: 0.94 to 1.19
VALUE = (0.6, 1.9)  # of a ticket, for each space of its shortest way; the editions: 0.62 to 1.83
FARTHEST = 0.75  # the shortest way of a ticket, in pieces of a seat; the editions: at most 0.63
MOST_NAMED = 5  # places or tickets in one sentence


def advice(board: Board) -> tuple[str, ...]:
    """Sentences, each with the file it is about; none for a board that is like the printed ones."""
    return (*_of_the_name(board), *_of_the_routes(board), *_of_the_tickets(board))


def _of_the_name(board: Board) -> Iterator[str]:
    if board.folder is not None and board.folder.name.casefold() != board.id:
        names = f"the board calls itself {quoted(board.id)} and its folder is {quoted(board.folder.name)}"
        yield f"{RULES}: {names}; commands and records know it by the first"


def _of_the_routes(board: Board) -> Iterator[str]:
    decks = {"sea": ("sea",), "subway": ("subway",), "land": ("rail", "tunnel", "ferry", "tram")}
    for what, kinds in decks.items():
        routes = [route for route in board.routes if route.kind in kinds]
        if routes:
            yield from _of_the_colours(board, what, routes)
    spaces = sum(max(route.length for route in lines) for lines in _sets(board))
    pieces = (board.pieces.fleet or sum(board.pieces.count)) * board.seats[1]
    low, high = FULL_TABLE
    if not low <= spaces / pieces <= high:
        share = f"{spaces} spaces for the {pieces} pieces of {board.seats[1]} seats are {spaces / pieces:.1f} for each"
        yield f"{ROUTES}: {share}; printed boards have {low:g} to {high:g}"
    for route in board.routes:
        if route.lines == 1 and not _joined_without(board, route):
            yield f"{ROUTES}: whoever claims {route.name} cuts the map in two"


def _sets(board: Board) -> list[list[Route]]:
    found: dict[int, list[Route]] = {}
    for route in board.routes:
        found.setdefault(route.parallel, []).append(route)
    return list(found.values())


def _of_the_colours(board: Board, what: str, routes: list[Route]) -> Iterator[str]:
    spaces = Counter(dict.fromkeys(board.cards.colours, 0))
    for route in routes:
        spaces[route.colour] += route.length
    gray = spaces.pop(GRAY, 0)
    rarest, most = min(spaces, key=spaces.__getitem__), max(spaces, key=spaces.__getitem__)
    on = "" if what == "land" else f" of {what} routes"
    if spaces[most] - spaces[rarest] > 1 and spaces[rarest] < EVEN * spaces[most]:
        yield f"{ROUTES}: {spaces[rarest]} spaces{on} are {rarest}, {spaces[most]} are {most}; printed boards are even"
    share, (low, high) = gray / (gray + spaces.total()), GRAY_SHARE
    if not low <= share <= high:
        yield (f"{ROUTES}: {share:.0%} of the spaces{on} are gray; printed boards have {low:.0%} to {high:.0%}")


def _joined_without(board: Board, closed: Route) -> bool:
    """Whether the ends of a route are joined by others."""
    others = neighbours_by(route for route in board.routes if route is not closed)
    return closed.b.index in reached_from(closed.a, others)


def _of_the_tickets(board: Board) -> Iterator[str]:
    named = {place for ticket in board.tickets for place in ticket.places}
    idle = [place.name for place in board.places if place.kind != "waypoint" and place not in named]
    if idle:
        yield f"{TICKETS}: on no ticket: {_some(idle)}"
    pieces = board.pieces.fleet or sum(board.pieces.count)
    cheap, dear, far = [], [], []
    for ticket in board.tickets:
        if ticket.tour:
            continue
        way = shortest_way(board, *ticket.places)
        said = f"{ticket.name} ({ticket.value}, shortest way {way})"
        if ticket.value < VALUE[0] * way:
            cheap.append(said)
        elif ticket.value > VALUE[1] * way:
            dear.append(said)
        if way > FARTHEST * pieces:
            far.append(said)
    for what, found in (
        ("worth much less than their shortest ways", cheap),
        ("worth much more than their shortest ways", dear),
        (f"hardly to be done with {pieces} pieces", far),
    ):
        if found:
            yield f"{TICKETS}: {what}: {_some(found)}"


def _some(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names if more <= 1 else [*names[:MOST_NAMED], f"and {more} more"])


def shortest_way(board: Board, start: Place, goal: Place) -> int:
    """Fewest spaces (for a subway: cards) that join two places of a sound board; nothing passes through a country."""
    neighbours: dict[Place, list[tuple[int, Place]]] = {}
    for route in board.routes:
        neighbours.setdefault(route.a, []).append((route.points_row, route.b))
        neighbours.setdefault(route.b, []).append((route.points_row, route.a))
    queue, done = [(0, start.index, start)], set()
    while queue:
        far, _, here = heapq.heappop(queue)
        if here == goal:
            return far
        if here in done or (here.kind == "country" and here != start):
            continue
        done.add(here)
        for length, there in neighbours.get(here, ()):
            heapq.heappush(queue, (far + length, there.index, there))
    raise AssertionError(f"{start.name} and {goal.name} are not joined")  # `soundness` has looked
