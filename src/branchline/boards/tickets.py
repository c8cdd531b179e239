"""`tickets.csv` and `tours.csv`: what the seats are asked to join."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from branchline.boards.board import Place, Ticket
from branchline.boards.columns import Tickets, Tours
from branchline.boards.faults import FaultList
from branchline.boards.limits import MAX_TICKETS, MAX_TOUR
from branchline.boards.places import known_name
from branchline.boards.rows import Row, read_table
from branchline.boards.wording import worded

FILE = "tickets.csv"
TOURS = "tours.csv"


def read_tickets(
    folder: Path, places: Mapping[str, Place] | None, decks: tuple[str, ...] | None, faults: FaultList
) -> list[tuple[Row, Ticket]]:
    """Return the tickets and then the tours, with their rows. Without places or decks (None), these are not checked."""
    rows = read_table(folder, FILE, Tickets, MAX_TICKETS, faults) or []
    rows += read_table(folder, TOURS, Tours, MAX_TICKETS, faults, optional=True) or []
    tickets: list[tuple[Row, Ticket]] = []
    between: dict[frozenset[str], list[tuple[Row, Ticket]]] = {}  # the same, by the places that they name
    for row in rows:
        ticket = (
            _tour(row, len(tickets), places, decks) if row.file == TOURS else _ticket(row, len(tickets), places, decks)
        )
        if row.sound and ticket is not None:
            alike = between.setdefault(frozenset(place.name for place in ticket.places), [])
            _check_twice(row, ticket, alike)
            alike.append((row, ticket))
            tickets.append((row, ticket))
    if len(rows) > MAX_TICKETS:
        faults.add(
            TOURS,
            0,
            worded("{count} tickets and tours, the limit is {most}", count=len(rows), most=MAX_TICKETS),
        )
    return tickets


def _ticket(row: Row, index: int, places: Mapping[str, Place] | None, decks: tuple[str, ...] | None) -> Ticket | None:
    deck, value = _deck(row, decks), Tickets.value.read(row)
    named = _places(row, [row.text("city_a"), row.text("city_b")], places)
    return Ticket(index, deck, named, value, value, value) if named else None


def _tour(row: Row, index: int, places: Mapping[str, Place] | None, decks: tuple[str, ...] | None) -> Ticket | None:
    deck = _deck(row, decks)
    value = Tours.value_in_order.read(row)
    any_order = Tours.value_any_order.read(row, up_to=value)
    penalty = Tours.penalty.read(row)
    names = [name.strip() for name in row.text("cities").split(">")]
    if not 3 <= len(names) <= MAX_TOUR:
        row.wrong(
            worded(
                "a tour names 3 to {most} cities with > between them, this one {count}", most=MAX_TOUR, count=len(names)
            )
        )
        return None
    named = _places(row, names, places)
    for place in named:
        if place.kind == "country":
            row.wrong(
                worded(
                    "{name} is a country; connections cannot pass through a country, so it cannot be on a tour",
                    name=place.name,
                )
            )
    return Ticket(index, deck, named, value, any_order, penalty) if named else None


def _deck(row: Row, decks: tuple[str, ...] | None) -> int:
    if decks is None:
        return 0
    return decks.index(row.word("deck", decks, decks[0] if len(decks) == 1 else None))


def _places(row: Row, names: list[str], places: Mapping[str, Place] | None) -> tuple[Place, ...]:
    if places is None:
        return ()
    known = [known_name(row, name, places) for name in names]
    stops = tuple(places[name] for name in known if name is not None)
    for place in stops:
        if place.kind == "waypoint":
            row.wrong(worded("{name} is a waypoint, which cannot be on a ticket", name=place.name))
        if stops.count(place) > 1:
            row.wrong(worded("{name} twice", name=place.name))
    return stops


def _check_twice(row: Row, ticket: Ticket, alike: list[tuple[Row, Ticket]]) -> None:
    """Check for tickets given twice. Two tours through the same cities in another order differ; two tickets do not."""
    for other_row, other in alike:
        if not ticket.tour or ticket.places == other.places:
            where = {"name": ticket.name, "line": other_row.line}
            if other_row.file == row.file:
                row.wrong(worded("{name} twice, see line {line}", **where))
            else:
                row.wrong(worded("{name} twice, see {file}, line {line}", file=other_row.file, **where))
            return
