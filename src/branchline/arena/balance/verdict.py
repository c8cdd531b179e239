"""A verdict on how a board plays, in three sentences: how it compares, and what to change first.

Each figure is set beside the range of the published editions. What stands furthest outside comes first, and of what
follows from it nothing is said: too many pieces also mean unfinished tickets and low scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from branchline.arena.balance.figures import Balance
from branchline.arena.balance.ranges import MAP_FIGURES, SEAT_FIGURES, Figure, range_of

HIGH, LOW = "▲", "▼"
"""Stand behind a figure that is outside the range of the editions, so that colour is not all that says so."""
MARGIN = 0.15  # of a range: as far outside is still like the editions
FAR = 0.5  # of a range: as far outside, something should be changed
SAID = 2  # problems that are named
MANY = 0.2  # share of figures outside from which a board plays unlike the editions


@dataclass(frozen=True)
class Said:
    """A sentence of the verdict, in English, and what is filled in."""

    text: str
    fields: Mapping[str, object] = field(default_factory=dict)


LIKE = Said("It plays as the published editions do: its figures lie within their range, or just beside it.")
PARTLY = Said(
    "It plays much as the published editions do, but some figures lie outside their range; they are marked below."
)
UNLIKE = Said("It plays unlike the published editions: many figures lie outside their range; they are marked below.")
NOTHING = Said("No single change stands out.")
WATCH = Said("Watch people play it: bots neither bluff nor lose patience.")

ADVICE: Mapping[tuple[str, bool], Said] = {
    ("pieces", True): Said(
        "{pieces} pieces for each player are too many for {spaces} spaces with {seats} players: "
        "give each {better}, or seat {fewer} at most."
    ),
    ("pieces", False): Said(
        "{pieces} pieces for each player are few for {spaces} spaces with {seats} players: "
        "the game ends before routes grow scarce; give each {better}."
    ),
    ("done", False): Said(
        "Only {value} of the tickets kept are completed: shorten the longest, or offer other ways round."
    ),
    ("done", True): Said("{value} of the tickets kept are completed, so they hold no risk: make them longer."),
    ("contested", True): Said(
        "Routes are fought over more than on any edition: add parallel routes at the bottlenecks."
    ),
    ("contested", False): Said("Players hardly meet: leave out parallel routes, or have more tickets share a middle."),
    ("never_kept", True): Said("Too many tickets are never kept: raise their values, or shorten them."),
    ("off", True): Said("Tickets of the same length pay unequally: take over the values suggested under “Tickets”."),
    ("crowded", True): Said("Too many tickets need the same connections: move some tickets, or add ways round."),
    ("idle", True): Said("{value} of the connections are needed by no ticket: add tickets there, or leave them out."),
    ("longest_ticket", True): Said("The longest ticket takes more pieces than a player can spare: shorten it."),
    ("first_wins", True): Said("The first player wins too often: make the first choices less scarce."),
    ("last_wins", True): Said("The last player wins too often: check what is left when the others have built."),
    ("turns", True): Said("A game takes more turns than on any edition: take fewer pieces, or longer routes."),
    ("turns", False): Said("A game is over in fewer turns than on any edition: take more pieces, or shorter routes."),
    ("from_tickets", False): Said("Tickets bring too few of the points: raise their values."),
    ("from_tickets", True): Said("Tickets bring nearly all points: lower their values, or pay more for long routes."),
    ("racer_wins", True): Said("Ending the game fast beats building: take fewer pieces, or pay more for long routes."),
}
"""What is said of a figure that is too high (True) or too low; the first that fits stands for what follows from it."""

FOLLOWS = {"pieces": frozenset({"done", "turns", "contested", "from_tickets", "longest_ticket", "racer_wins"})}
"""What nothing is said of when the first is said."""


def side_of(value: float, span: tuple[float, float] | None, margin: float = MARGIN) -> int:
    """Tell on which side of a range a figure lies: 1 above it, -1 below, 0 inside or just beside it."""
    if span is None:
        return 0
    margin = margin * (span[1] - span[0]) + 1e-9
    return (value > span[1] + margin) - (value < span[0] - margin)


def marked(figure: Figure, value: float | None, span: tuple[float, float] | None) -> str:
    """Write a figure, with a mark where it lies outside a range; a dash where there is none."""
    if value is None:
        return "–"
    return figure.shown(value) + {1: f" {HIGH}", 0: "", -1: f" {LOW}"}[side_of(value, span)]


def verdict(balance: Balance) -> tuple[Said, Said, Said]:
    """Judge a board by the games that were played on it."""
    figures = list(_figures(balance))
    outside = [side_of(value, span) != 0 for _, value, span in figures]
    far = {(name, side > 0) for name, value, span in figures if (side := side_of(value, span, FAR))}
    share = sum(outside) / max(1, len(outside))
    first = UNLIKE if share >= MANY else PARTLY if any(outside) else LIKE
    named: list[Said] = []
    silent: set[str] = set()
    for (name, above), advice in ADVICE.items():
        if (name, above) in far and name not in silent and len(named) < SAID:
            named.append(replace(advice, fields=_fields(balance, name)))
            silent |= FOLLOWS.get(name, frozenset())
    rest = [WATCH] if named else [NOTHING, WATCH]
    second, third = [*named, *rest][:SAID]
    return first, second, third


def _figures(balance: Balance) -> Iterator[tuple[str, float, tuple[float, float] | None]]:
    """Yield each figure of the map, and of each number of seats, with the editions' range.

    Shares of victories count where the games are enough to tell them from an even share, and by no more than is sure.
    """
    for name, value in balance.keyed().items():
        if name in MAP_FIGURES:
            yield name, value, range_of(name)
    for table in balance.tables:
        values = table.keyed()
        for name, share in (("first_wins", table.first.win_share), ("last_wins", table.order[-1].win_share)):
            low, high = share.low * table.seats, share.high * table.seats
            values[name] = low if low > 1 else high
            if low <= 1 <= high:
                del values[name]
        for name, value in values.items():
            if name in SEAT_FIGURES and (range_of(name, table.seats) or (0, 0)) != (0, 0):
                yield name, value, range_of(name, table.seats)


def _fields(balance: Balance, name: str) -> dict[str, object]:
    """Return the fields of a sentence about a figure."""
    if name != "pieces":
        value = balance.keyed().get(name)
        return {} if value is None else {"value": f"{100 * value:.0f} %"}
    board, span = balance.board, range_of("pieces")
    spaces = sum(route.points_row for route in board.routes)
    seats, own = board.seats[1], board.pieces.of_a_seat
    low, high = span or (0.0, 1.0)
    middle = max(1, round((low + high) / 2 * spaces / seats))
    fewer = max(2, int(high * spaces / own))
    return {"pieces": own, "spaces": spaces, "seats": seats, "better": middle, "fewer": fewer}
