"""Pictures of the rules: for each article a cut of the board that shows what it speaks of, with what lies there.

A scene picks by itself what it shows, so it fits every board that has such a thing; where a board has none, there is no
picture. The editions show known places, boards that somebody makes their own.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

from branchline.boards import Board, Place, Route, Ticket
from branchline.draw import Position

MARKET, POINTS = "market", "points"  # no cut of the map: cards that lie face up, the tables of points
SWEEP = "sweep"
_LONGEST_WAY = 3  # routes of a ticket that is shown as done


@dataclass(frozen=True)
class Scene:
    """A cut of the board."""

    position: Position
    routes: tuple[Route, ...] = ()  # what it shows
    places: tuple[Place, ...] = ()
    ticket: Ticket | None = None  # what it is about, too


Finder = Callable[[Board, int], Scene | None]
"""Of a board and a number: where several things would do, another number shows another one."""


def _typical(routes: Iterable[Route]) -> list[Route]:
    """Return the routes with the clearest first: inside the map, alone, three spaces long."""
    return sorted(routes, key=lambda route: (route.wraps, route.lines > 1, abs(route.length - 3), route.index))


def _lit(test: Callable[[Route], bool]) -> Finder:
    """Return a free route that is pointed at."""

    def find(board: Board, number: int) -> Scene | None:
        routes = _typical(route for route in board.routes if test(route))
        if not routes:
            return None
        route = routes[number % len(routes)]
        return Scene(Position(highlight=frozenset({route.index})), (route,))

    return find


def _taken(test: Callable[[Route], bool]) -> Finder:
    """Return a route with another player's pieces."""

    def find(board: Board, number: int) -> Scene | None:
        routes = _typical(filter(test, board.routes)) or _typical(board.routes)
        route = routes[number % len(routes)]
        return Scene(Position(owners={route.index: number % board.seats[1]}), (route,))

    return find


def _plain(route: Route) -> bool:
    return route.kind in ("rail", "tram") and not route.pairs


def _set(board: Board) -> list[Route]:
    """Return the lines of one parallel set."""
    sets: dict[int, list[Route]] = {}
    for route in board.routes:
        sets.setdefault(route.parallel, []).append(route)
    parallel = [lines for lines in sets.values() if len(lines) > 1 and not lines[0].wraps]
    return min(parallel, key=lambda lines: (abs(lines[0].length - 3), lines[0].index), default=[])


def _parallel(board: Board, _number: int) -> Scene | None:
    lines = _set(board)
    return Scene(Position(owners={route.index: n for n, route in enumerate(lines)}), tuple(lines)) if lines else None


def _closed(board: Board, _number: int) -> Scene | None:
    lines = _set(board)
    if not lines:
        return None
    closed = frozenset(line.index for line in lines[1:])
    return Scene(Position(owners={lines[0].index: 0}, closed=closed), tuple(lines))


def _ways(board: Board, place: Place) -> list[Route]:
    """Return the routes of a place, one of each set."""
    by_set = {route.parallel: route for route in board.routes if place in (route.a, route.b) and not route.wraps}
    return sorted(by_set.values(), key=lambda route: (route.length, route.index))


def _busiest(board: Board, test: Callable[[Place], bool], number: int = 0) -> Place | None:
    """Return a place that passes the test with three or four routes, all of them short."""

    def worth(place: Place) -> tuple[bool, int, int]:
        ways = _ways(board, place)
        return len(ways) not in (3, 4), sum(way.length for way in ways), place.index

    places = sorted(filter(test, board.places), key=worth)
    return places[number % len(places)] if places else None


def _station(board: Board, number: int) -> Scene | None:
    place = _busiest(board, lambda place: place.kind == "city" and len(_ways(board, place)) > 1, number)
    if place is None or not board.stations:
        return None
    own, borrowed = _ways(board, place)[:2]
    position = Position(
        owners={own.index: 0, borrowed.index: 1}, stations={place.index: 0}, highlight=frozenset({borrowed.index})
    )
    return Scene(position, (own, borrowed), (place,))


def _port(board: Board, number: int) -> Scene | None:
    place = _busiest(board, lambda place: place.port and bool(_ways(board, place)), number)
    if place is None:
        return None
    own = _ways(board, place)[0]
    return Scene(Position(owners={own.index: 0}, ports={place.index: 0}), (own,), (place,))


def _waypoint(board: Board, number: int) -> Scene | None:
    place = _busiest(board, lambda place: place.kind == "waypoint" and bool(_ways(board, place)), number)
    return None if place is None else Scene(Position(), tuple(_ways(board, place)[:2]), (place,))


def _far(place: tuple[float, float], other: tuple[float, float]) -> float:
    return (place[0] - other[0]) ** 2 + (place[1] - other[1]) ** 2


def _country(board: Board, _number: int) -> Scene | None:
    """Return two entries of one country that lie near each other."""
    best: tuple[float, int, Route, Route, Place] | None = None
    for place in board.places:
        if place.kind != "country":
            continue
        for one, other in combinations(_ways(board, place), 2):
            homes = [way.a if way.b is place else way.b for way in (one, other)]
            far = _far((homes[0].lat, homes[0].lon), (homes[1].lat, homes[1].lon))
            if homes[0] is not homes[1] and (best is None or (far, place.index) < best[:2]):
                best = (far, place.index, one, other, place)
    if best is None:
        entry = next((place for place in board.places if place.kind == "country"), None)
        return None if entry is None else Scene(Position(), tuple(_ways(board, entry)[:1]), (entry,))
    _, _, one, other, place = best
    return Scene(Position(owners={one.index: 0, other.index: 0}), (one, other), (place,))


def _passengers(board: Board, number: int) -> Scene | None:
    if board.passengers is None:
        return None
    colours = board.passengers.colours
    standing = {
        place.index: tuple(colours[(place.index + n) % len(colours)] for n in range(place.passengers))
        for place in board.places
    }
    routes = _typical(route for route in board.routes if route.a.passengers and route.b.passengers)
    if not routes:
        return None
    route = routes[number % len(routes)]
    return Scene(Position(owners={route.index: number % board.seats[1]}, passengers=standing), (route,))


def _way_between(board: Board, start: Place, goal: Place) -> list[Route] | None:
    """Return the fewest routes from place to place, not through countries nor over the edge."""
    ways: dict[int, list[Route]] = {start.index: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here is goal:
            return ways[here.index]
        if (here.kind == "country" and here is not start) or len(ways[here.index]) == _LONGEST_WAY:
            continue
        for way in _ways(board, here):
            there = way.b if way.a is here else way.a
            if there.index not in ways:
                ways[there.index] = [*ways[here.index], way]
                queue.append(there)
    return None


def _near_ticket(board: Board, number: int) -> tuple[Ticket, list[Route]] | None:
    """Return a ticket that few routes do, two for choice."""
    near = []
    for ticket in board.tickets:
        way = None if ticket.tour else _way_between(board, *ticket.places)
        if way:
            near.append((abs(len(way) - 2), sum(route.length for route in way), ticket.index, ticket, way))
    near.sort(key=lambda entry: entry[:3])
    return near[number % len(near)][3:] if near else None


def _ticket(board: Board, number: int, *, done: bool = False) -> Scene | None:
    near = _near_ticket(board, number)
    if near is None:
        return None
    ticket, way = near
    marked = frozenset(place.index for place in ticket.places)
    owners = {route.index: 0 for route in way} if done else {}
    return Scene(Position(owners=owners, marked_places=marked), tuple(way), ticket.places, ticket)


def _tour(board: Board, _number: int) -> Scene | None:
    tours = [ticket for ticket in board.tickets if ticket.tour]
    if not tours:
        return None

    def room(ticket: Ticket) -> tuple[float, int]:
        east, north = [place.lon for place in ticket.places], [place.lat for place in ticket.places]
        return (max(east) - min(east)) * (max(north) - min(north)), ticket.index

    tour = min(tours, key=room)
    return Scene(Position(marked_places=frozenset(place.index for place in tour.places)), (), tour.places, tour)


def _trail(board: Board, _number: int) -> Scene | None:
    """Return a trail of four short routes."""
    place = _busiest(board, lambda place: place.kind == "city")
    walk: list[Route] = []
    while place is not None and len(walk) < 4:
        way = next((next_route for next_route in _ways(board, place) if next_route not in walk), None)
        if way is None:
            break
        walk.append(way)
        place = way.b if way.a is place else way.a
    return Scene(Position(owners={route.index: 0 for route in walk}), tuple(walk)) if walk else None


SCENES: dict[str, Finder | None] = {
    MARKET: None,
    SWEEP: None,
    POINTS: None,
    "free": _lit(_plain),
    "claimed": _taken(_plain),
    "sea_claimed": _taken(lambda route: route.kind == "sea"),
    "coloured": _lit(lambda route: route.colour != "gray" and _plain(route)),
    "gray": _lit(lambda route: route.colour == "gray" and (_plain(route) or route.kind in ("sea", "tram"))),
    "parallel": _parallel,
    "closed": _closed,
    "tunnel": _lit(lambda route: route.kind == "tunnel"),
    "ferry": _lit(lambda route: route.wilds > 0),
    "tram": _taken(lambda route: route.kind == "tram"),
    "subway": _taken(lambda route: route.kind == "subway"),
    "sea": _lit(lambda route: route.kind == "sea"),
    "pairs": _lit(lambda route: route.pairs > 0),
    "wraps": _lit(lambda route: route.wraps),
    "waypoint": _waypoint,
    "station": _station,
    "port": _port,
    "country": _country,
    "passengers": _passengers,
    "ticket": _ticket,
    "ticket_done": functools.partial(_ticket, done=True),
    "tour": _tour,
    "trail": _trail,
}
"""By name; None: cards or a table, which pages draw."""


def scene(board: Board, name: str, number: int = 0) -> Scene | None:
    """Return the cut of a board that shows this; None where it is not a cut, or the board has nothing to show.

    `number`: how many pictures have shown it before, so that each shows another route or place.
    """
    find = SCENES[name]
    return find(board, number) if find else None
