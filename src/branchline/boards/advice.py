"""What a map maker may want to look at again: where a board is unlike the printed ones. Nothing here is a fault.

The bounds lie a little outside of what the five editions show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from branchline.boards.board import GRAY, Board, Place, Route
from branchline.boards.faults import Fault, quoted
from branchline.boards.files import RULES
from branchline.boards.routes import FILE as ROUTES
from branchline.boards.soundness import neighbours_by, reached_from
from branchline.boards.tickets import FILE as TICKETS
from branchline.boards.ways import Step, nearest_first, passes
from branchline.boards.wording import Message, Term, worded

EVEN = 0.8  # spaces of the rarest colour for one of the most frequent; the editions: 0.86 to 1
GRAY_SHARE = (0.08, 0.5)  # of all spaces of a deck; the editions: 0.11 to 0.41
FULL_TABLE = (0.8, 1.4)  # spaces, parallel lines once, for each piece of a full table; the editions: 0.94 to 1.19
VALUE = (0.6, 1.9)  # of a ticket, for each space of its shortest way; the editions: 0.62 to 1.83
FARTHEST = 0.75  # the shortest way of a ticket, in pieces of a seat; the editions: at most 0.63
MOST_NAMED = 5  # places or tickets in one sentence


def advice(board: Board) -> tuple[Fault, ...]:
    """Return what deserves another look, with the file it is about; nothing for a board that is like the printed
    ones.
    """
    return (*_of_the_name(board), *_of_the_routes(board), *_of_the_tickets(board))


def _of_the_name(board: Board) -> Iterator[Fault]:
    if board.folder is not None and board.folder.name.casefold() != board.id:
        yield Fault(
            RULES,
            0,
            worded(
                "the board’s id is {id} but its folder is {folder}; commands and records use the id",
                id=quoted(board.id),
                folder=quoted(board.folder.name),
            ),
        )


def _of_the_routes(board: Board) -> Iterator[Fault]:
    decks = {"sea": ("sea",), "subway": ("subway",), "land": ("rail", "tunnel", "ferry", "tram")}
    for deck, kinds in decks.items():
        routes = [route for route in board.routes if route.kind in kinds]
        if routes:
            for message in _of_the_colours(board, deck, routes):
                yield Fault(ROUTES, 0, message)
    spaces = sum(max(route.length for route in lines) for lines in _sets(board))
    pieces = board.pieces.of_a_seat * board.seats[1]
    low, high = FULL_TABLE
    if not low <= spaces / pieces <= high:
        yield Fault(
            ROUTES,
            0,
            worded(
                "{spaces} spaces for the {pieces} pieces of {seats} seats are {each:.1f} for each; "
                "printed boards have {low:g} to {high:g}",
                spaces=spaces,
                pieces=pieces,
                seats=board.seats[1],
                each=spaces / pieces,
                low=low,
                high=high,
            ),
        )
    for route in board.routes:
        if route.lines == 1 and not _joined_without(board, route):
            yield Fault(ROUTES, 0, worded("claiming {name} cuts the map in two", name=route.name))


def _sets(board: Board) -> list[list[Route]]:
    sets: dict[int, list[Route]] = {}
    for route in board.routes:
        sets.setdefault(route.parallel, []).append(route)
    return list(sets.values())


def _of_the_colours(board: Board, deck: str, routes: list[Route]) -> Iterator[Message]:
    spaces = Counter(dict.fromkeys(board.cards.colours, 0))
    for route in routes:
        spaces[route.colour] += route.length
    gray = spaces.pop(GRAY, 0)
    rarest, most = min(spaces, key=spaces.__getitem__), max(spaces, key=spaces.__getitem__)
    on = "" if deck == "land" else worded(" of {kind} routes", kind=Term(deck))
    if spaces[most] - spaces[rarest] > 1 and spaces[rarest] < EVEN * spaces[most]:
        yield worded(
            "{fewest} spaces{on} are {rarest}, {count} are {most}; printed boards are even",
            fewest=spaces[rarest],
            on=on,
            rarest=Term(rarest),
            count=spaces[most],
            most=Term(most),
        )
    share, (low, high) = gray / (gray + spaces.total()), GRAY_SHARE
    if not low <= share <= high:
        yield worded(
            "{share:.0f}% of the spaces{on} are gray; printed boards have {low:.0f}% to {high:.0f}%",
            share=100 * share,
            on=on,
            low=100 * low,
            high=100 * high,
        )


def _joined_without(board: Board, closed: Route) -> bool:
    """Return whether other routes join the ends of a route."""
    others = neighbours_by(route for route in board.routes if route is not closed)
    return closed.b.index in reached_from(closed.a, others)


def _of_the_tickets(board: Board) -> Iterator[Fault]:
    named = {place for ticket in board.tickets for place in ticket.places}
    idle = [place.name for place in board.places if place.kind != "waypoint" and place not in named]
    if idle:
        yield Fault(TICKETS, 0, worded("on no ticket: {names}", names=_some(idle)))
    pieces = board.pieces.of_a_seat
    cheap, dear, far = [], [], []
    for ticket in board.tickets:
        if ticket.tour:
            continue
        way = shortest_way(board, *ticket.places)
        text = worded("{name} ({value}, shortest way {way})", name=ticket.name, value=ticket.value, way=way)
        if ticket.value < VALUE[0] * way:
            cheap.append(text)
        elif ticket.value > VALUE[1] * way:
            dear.append(text)
        if way > FARTHEST * pieces:
            far.append(text)
    if cheap:
        yield Fault(TICKETS, 0, worded("worth much less than their shortest ways: {names}", names=_some(cheap)))
    if dear:
        yield Fault(TICKETS, 0, worded("worth much more than their shortest ways: {names}", names=_some(dear)))
    if far:
        hard = worded("hard to complete with {pieces} pieces: {names}", pieces=pieces, names=_some(far))
        yield Fault(TICKETS, 0, hard)


def _some(names: Sequence[str]) -> tuple[str, ...]:
    hidden = len(names) - MOST_NAMED
    return tuple(names) if hidden <= 1 else (*names[:MOST_NAMED], worded("and {count} more", count=hidden))


def shortest_way(board: Board, start: Place, goal: Place) -> int:
    """Return the fewest spaces (for a subway: cards) that join two places of a sound board; nothing passes through a
    country.
    """
    neighbours: dict[int, list[Step[int]]] = {}
    for route in board.routes:
        neighbours.setdefault(route.a.index, []).append((route.b.index, route.points_row, route.index))
        neighbours.setdefault(route.b.index, []).append((route.a.index, route.points_row, route.index))

    def steps(here: int) -> Sequence[Step[int]]:
        return neighbours.get(here, ()) if passes(board, start, here) else ()

    for here, way in nearest_first(start.index, steps):
        if here == goal.index:
            return way.cost
    raise AssertionError(f"{start.name} and {goal.name} are not joined")  # `soundness` has looked
