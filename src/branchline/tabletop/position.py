"""Scoring any position, of a real table too: text in, the full score sheet out.

The position says who owns what; the rules score it. Places may be spelt as `boards` understands them. What the
pieces of the game make impossible is an error; what only breaks a rule of play is scored and noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from branchline.boards import COLOURS, Board, Place, Route, Ticket, load_board
from branchline.boards.arguments import instance
from branchline.boards.faults import BranchlineError, did_you_mean, listed, quoted, shown
from branchline.boards.letters import is_seen
from branchline.game.actions import route_text
from branchline.game.errors import PositionError
from branchline.game.sheet import Scores, SeatScore, final_scores
from branchline.plain_data import JsonObject
from branchline.rules import kernel, laying, ports, routes, scoring, setup, stations
from branchline.rules.catalogue import SCORE_PARTS, TRAIL_BONUS
from branchline.rules.state import IN_DECK, SCRATCH, STATE

_KEYS = ("edition", "seats")
_SEAT_KEYS = (
    "name",
    "routes",
    "tickets",
    "tours",
    "stations",
    "passengers",
    "ports",
    "swapped",
    "route_points",
)
_MOST_POINTS = 2000
_GONE = (laying.TWICE, laying.TAKEN)


def score_position(position: Mapping[str, object], board: Board | None = None) -> JsonObject:
    """Score a final position.

    An example is `{"edition": "europe", "seats": [{"name": "Anna", "routes": [["Paris", "Dieppe"]], "tickets":
    [["Paris", "Wien"]], "stations": ["Roma"]}]}`; Germany adds `"passengers": {"red": 2}`, World `"ports"`, `"tours"`
    and `"swapped"`. `"route_points"` replaces the computed points for routes. If `board` is given, it is used instead
    of the named edition. Return every component of each seat and the winners. Raise `PositionError` if the position is
    impossible.
    """
    if not isinstance(position, Mapping):
        raise PositionError(f'position: expected a table with "edition" and "seats", not {shown(position)}')
    _check_keys("position", position, _KEYS)
    if board is None:
        board = _board(position.get("edition"))
    instance("board", board, Board, "a board, as `load_board` returns it", PositionError)
    return _Table(board, _seats(board, position.get("seats"))).answer()


def _board(edition: object) -> Board:
    if not isinstance(edition, str):
        raise PositionError('position: "edition" must name a board, as in "europe"')
    try:
        return load_board(edition)
    except BranchlineError as error:
        raise PositionError(f"position: {str(error).splitlines()[0]}") from None


def _check_keys(where: str, table: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            near = did_you_mean(key, known) if isinstance(key, str) else ""
            raise PositionError(f"{where}: unknown key {shown(key)}{near or f'; known: {listed(known)}'}")


def _seats(board: Board, seats: object) -> list[Mapping[str, object]]:
    if not isinstance(seats, list) or not seats:
        raise PositionError('position: "seats" must be a list of seats')
    if len(seats) > board.seats[1]:
        raise PositionError(f"position: {len(seats)} seats; {board.title} has {board.seats[1]} at most")
    for n, seat in enumerate(seats):
        if not isinstance(seat, Mapping):
            raise PositionError(f"seat {n}: expected a table, not {shown(seat)}")
        _check_keys(f"seat {n}", seat, _SEAT_KEYS)
    return seats


class _Table:
    """A position being laid out, seat by seat, on a state of the rules."""

    def __init__(self, board: Board, seats: list[Mapping[str, object]]) -> None:
        self.board = board
        self.seats = seats
        self.names = _names(seats)
        self.notes: list[str] = []
        self.table = kernel.record_in(board.tables)
        buffer = kernel.new_buffer(STATE)
        self.state = kernel.record_in(buffer)
        self.state.seats = len(seats)
        setup.empty_table(self.table, self.state)
        for ticket in board.tickets:
            self.state.ticket_at[ticket.index] = IN_DECK
        self._routes()
        for n, seat in enumerate(seats):
            self._tickets(n)
            self._stations(n)
            self._passengers(n, seat)
            self._ports(n)
            self._numbers(n, seat)

    def fail(self, seat: int, why: str) -> PositionError:
        return PositionError(f"{self.names[seat]}: {why}")

    def _routes(self) -> None:
        """Read named lines first; a route given without its line takes one that is left."""
        asked = [
            (n, *self._read_route(n, route)) for n, seat in enumerate(self.seats) for route in _list(self, n, "routes")
        ]
        for n, lines, _exact in sorted(asked, key=lambda entry: not entry[2]):
            problems = [laying.problem_with_route(self.table, self.state, n, line.index) for line in lines]
            if all(problem == laying.TWICE for problem in problems):
                raise self.fail(n, f"{lines[0].name} twice; nobody may hold two lines of one set")
            left = [line for line, problem in zip(lines, problems, strict=True) if problem not in _GONE]
            if not left:
                raise self.fail(n, f"{route_text(lines[0])} belongs to {self.names[self._owner(lines[0])]} already")
            routes.own(self.table, self.state, n, left[0].index)  # pieces are counted when all routes are there
            self.state.route_points[n] += self.table.route_points[left[0].index]
        self._check_parallels()
        for n in range(len(self.seats)):
            self._check_pieces(n)

    def _owner(self, route: Route) -> int:
        return int(self.state.route_owner[route.index])

    def _read_route(self, n: int, given: object) -> tuple[list[Route], bool]:
        """Return the lines that are meant, and whether only one of them is possible."""
        if isinstance(given, str):
            given = [place.name for place in self._places(n, given)]
        if (
            not isinstance(given, list)
            or len(given) not in (2, 3)
            or not all(isinstance(name, str) for name in given[:2])
        ):
            raise self.fail(n, f'expected a route as ["Paris", "Dieppe"] or with its colour, not {shown(given)}')
        index = self.board.index
        try:
            lines = list(index.routes(given[0], given[1])) or [index.route(given[0], given[1])]
        except BranchlineError as error:
            raise self.fail(n, str(error)) from None
        if len(given) == 2:
            return lines, len(lines) == 1
        which = given[2]
        word = which.strip().casefold() if isinstance(which, str) else which
        fitting = [route for route in lines if word in (route.colour, f"line {route.line + 1}", route.line + 1)]
        if not fitting or isinstance(which, bool):
            raise self.fail(n, f"{lines[0].name} has no {shown(which)} line; it has {listed(r.colour for r in lines)}")
        return fitting, len(fitting) == 1

    def _check_parallels(self) -> None:
        for route in self.board.routes:
            taken = laying.lines_too_many(self.table, self.state, route.index)
            if taken and all(line.parallel != route.parallel for line in self.board.routes[: route.index]):
                self.notes.append(
                    f"{route.name}: {taken} lines are taken; with {len(self.seats)} seats only one may be"
                )

    def _check_pieces(self, n: int) -> None:
        pieces = self.board.pieces
        used = [laying.pieces_laid(self.table, self.state, n, kind) for kind in range(len(pieces.names))]
        for kind, name in enumerate(pieces.names):
            if used[kind] > pieces.count[kind]:
                raise self.fail(n, f"{used[kind]} {name}s on the board; a seat has {pieces.count[kind]}")
        if pieces.fleet and sum(used) > pieces.fleet:
            raise self.fail(n, f"{sum(used)} pieces on the board; a seat plays with {pieces.fleet}")

    def _places(self, n: int, text: str) -> tuple[Place, ...]:
        try:
            return self.board.index.split_places(text)
        except BranchlineError as error:
            raise self.fail(n, str(error)) from None

    def _tickets(self, n: int) -> None:
        for entry in [*_list(self, n, "tickets"), *_list(self, n, "tours")]:
            ticket = self._read_ticket(n, entry)
            holder = int(self.state.ticket_at[ticket.index])
            if holder != IN_DECK:
                raise self.fail(n, f"ticket {ticket.name} is with {self.names[holder]} already; there is only one")
            self.state.ticket_at[ticket.index] = n
            self.state.tickets_held[n, ticket.deck] += 1

    def _read_ticket(self, n: int, given: object) -> Ticket:
        value = None
        if isinstance(given, list) and given and type(given[-1]) is int:
            *given, value = given
        if not isinstance(given, str) and not (
            isinstance(given, list) and all(isinstance(name, str) for name in given)
        ):
            raise self.fail(n, f'expected a ticket as ["Paris", "Wien"], not {shown(given)}')
        try:
            ticket = self.board.index.ticket(given)
        except BranchlineError as error:
            raise self.fail(n, str(error)) from None
        if value not in (None, ticket.value):
            raise self.fail(n, f"ticket {ticket.name} is worth {ticket.value}, not {value}")
        return ticket

    def _stations(self, n: int) -> None:
        for place in self._cities(n, "stations"):
            if not self.board.stations:
                raise self.fail(n, f"there are no stations in {self.board.title}")
            problem = laying.problem_with_station(self.table, self.state, n, place.index)
            if problem == laying.NOT_HERE:
                raise self.fail(n, f"no station can stand in {place.name}: it is no city")
            self._may_build(n, "station", place, problem, len(self.board.stations.prices))
            stations.build(self.state, n, place.index)

    def _ports(self, n: int) -> None:
        for place in self._cities(n, "ports"):
            if not self.board.ports:
                raise self.fail(n, f"there are no ports in {self.board.title}")
            problem = laying.problem_with_port(self.table, self.state, n, place.index)
            if problem == laying.NOT_HERE:
                raise self.fail(n, f"{place.name} is not a port city")
            self._may_build(n, "port", place, problem, self.board.ports.count)
            if not laying.reaches(self.table, self.state, n, place.index):
                self.notes.append(f"{self.names[n]}: a port in {place.name} without a route to it")
            ports.build(self.state, n, place.index)

    def _may_build(self, n: int, piece: str, place: Place, problem: int, most: int) -> None:
        if problem == laying.TAKEN:
            owners = self.state.station_owner if piece == "station" else self.state.port_owner
            raise self.fail(n, f"{place.name} has a {piece} of {self.names[owners[place.index]]} already")
        if problem == laying.MOST:
            raise self.fail(n, f"more than {most} {piece}s")

    def _cities(self, n: int, key: str) -> list[Place]:
        cities = _list(self, n, key)
        if not all(isinstance(city, str) for city in cities):
            raise self.fail(n, f'"{key}" must be a list of names')
        try:
            return [self.board.index.place(city) for city in cities]
        except BranchlineError as error:
            raise self.fail(n, str(error)) from None

    def _passengers(self, n: int, seat: Mapping[str, object]) -> None:
        passengers = seat.get("passengers", {})
        if not isinstance(passengers, Mapping):
            raise self.fail(n, f'"passengers" must be a table as {{"red": 2}}, not {shown(passengers)}')
        rules = self.board.passengers
        if passengers and not rules:
            raise self.fail(n, f"there are no passengers in {self.board.title}")
        for colour, count in passengers.items():
            assert rules is not None
            if colour not in rules.colours:
                near = did_you_mean(colour, rules.colours) if isinstance(colour, str) else ""
                known = near or f"; known: {listed(rules.colours)}"
                raise self.fail(n, f"no passengers are {shown(colour)}{known}")
            self.state.passengers[n, COLOURS.index(colour)] = self._number(n, f"{colour} passengers", count, rules.each)
        for colour in rules.colours if rules else ():
            taken = sum(int(self.state.passengers[other, COLOURS.index(colour)]) for other in range(n + 1))
            if rules and taken > rules.each:
                raise self.fail(n, f"{taken} {colour} passengers taken in all; there are {rules.each}")

    def _numbers(self, n: int, seat: Mapping[str, object]) -> None:
        swapped = self._number(n, "swapped", seat.get("swapped", 0), _MOST_POINTS)
        if swapped and not self.board.pieces.fleet:
            raise self.fail(n, f"nothing is swapped in {self.board.title}")
        self.state.swapped[n] = swapped
        if seat.get("route_points") is not None:
            self.state.route_points[n] = self._number(n, "route_points", seat["route_points"], _MOST_POINTS)

    def _number(self, n: int, name: str, value: object, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self.fail(n, f"{name}: expected a whole number from 0 to {most}, not {shown(value)}")
        return value

    # -------------------------------------------------------------------------------------------- the answer

    def answer(self) -> JsonObject:
        scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
        scoring.score(self.table, self.state, scratch)
        scores = final_scores(self.board, self.state, scratch)
        return {
            "edition": self.board.id,
            "seats": [{"name": self.names[n], **as_json(score)} for n, score in enumerate(scores.seats)],
            "winners": [self.names[n] for n in scores.winners],
            "winner_seats": list(scores.winners),
            "notes": self.notes,
        }


def _list(table: _Table, n: int, key: str) -> list[Any]:
    value = table.seats[n].get(key, [])
    if not isinstance(value, list):
        raise table.fail(n, f'"{key}" must be a list, not {shown(value)}')
    return value


def _names(seats: list[Mapping[str, object]]) -> list[str]:
    names = []
    for n, seat in enumerate(seats):
        name = seat.get("name", f"seat {n}")
        if not isinstance(name, str) or not is_seen(name) or len(name) > 100:
            raise PositionError(f'seat {n}: "name" must be a short text, not {shown(name)}')
        if name in names:
            raise PositionError(f"seat {n}: the name {quoted(name)} is taken")
        names.append(name)
    return names


def points_in(seat: Mapping[str, Any]) -> dict[str, int]:
    """Return the points for each part of the score, of the plain data of a seat's score."""
    points = {**seat, SCORE_PARTS[TRAIL_BONUS].key: seat["longest_trail"]["bonus"]}
    return {part.key: points[part.key] for part in SCORE_PARTS}


def as_json(score: SeatScore) -> JsonObject:
    """Return the components of one seat's score as plain data."""
    points: JsonObject = {**score.parts()}
    bonus = points.pop(SCORE_PARTS[TRAIL_BONUS].key)
    return points | {
        "longest_trail": {"length": score.longest_trail, "bonus": bonus},
        "total": score.total,
        "tickets_done": score.tickets_done,
        "ticket_results": [
            {
                "ticket": result.ticket.name,
                "done": result.done,
                **({"in_order": result.in_order} if result.ticket.tour else {}),
                "points": result.points,
            }
            for result in score.results
        ],
        "borrowed": {city: route_text(route) if route else None for city, route in score.borrowed},
    }


def scores_as_json(scores: Scores) -> JsonObject:
    """Return the whole sheet as plain data."""
    return {"seats": [as_json(score) for score in scores.seats], "winners": list(scores.winners)}
