"""What a map maker may want to be asked: how long a route is, which colour it takes, what a ticket is worth.

How long: as its line on the drawn sheet. On the five editions the lengths of routes follow their distance on the
sheet almost in proportion (exponents 0.8 to 1.4). With the unit of the board itself (px of all routes by all their
spaces) the rounded distance is off by 0.23 (Berlin), 0.49 (Europe), 0.38 (Germany), 0.40 (Great Lakes) and 0.42
spaces (World) on average; it is exact in 58 to 77 % of routes, and within one space in 93 to 100 %.
A board without enough routes takes `UNIT`: the unit, by the root of the sheet's area, times the pieces of a seat is
1.9, 2.0, 2.1, 2.7 and 2.8 on the five, so lengths are off by up to a fifth until a dozen routes say better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from branchline.boards import COLOURS, GRAY
from branchline.boards.limits import MAX_LENGTH, MAX_POINTS
from branchline.workshop.draft import Cells, Draft
from branchline.workshop.positions import Point, breadth, far, positions
from branchline.workshop.steps import Step, changed
from branchline.workshop.ways import ends, shortest_ways, spaces

UNIT = 2.3  # length of a space by the root of the sheet's area, times the pieces of a seat
ENOUGH = 12  # routes from which the board's own unit is taken
USUAL_PIECES = 45
GRAY_SHARE = 0.27  # of all spaces; the editions: 0.14 to 0.41
ASIDE = 4  # spaces that a colour counts more for each neighbour that has it
_SHORT = 2  # spaces; longer routes are gray more rarely


# ------------------------------------------------------------------------------------------------ lengths


def unit(draft: Draft, points: Mapping[str, Point]) -> float:
    """Return how many px of the drawn sheet make a space."""
    known = [
        (far(points[a], points[b]), length)
        for row in draft["routes"].values()
        if (length := spaces(row)) and row.get("kind") != "subway" and row.get("wraps") != "yes"
        for a, b in (ends(row),)
        if a in points and b in points and a != b
    ]
    if len(known) >= ENOUGH:
        return sum(px for px, _ in known) / sum(length for _, length in known)
    return UNIT / pieces(draft) * breadth(draft)


def pieces(draft: Draft) -> int:
    """Return the pieces of a seat, as far as board.toml says; of a fleet as many as are chosen."""
    sections = [draft.settings.get(name) for name in ("pieces", "fleet")]
    owned, fleet = (section if isinstance(section, dict) else {} for section in sections)
    numbers = [fleet["choose"]] if "choose" in fleet else list(owned.values())
    counts = [number for number in numbers if type(number) is int and 0 < number < 1000]
    return sum(counts) or USUAL_PIECES


def length(draft: Draft, a: str, b: str) -> int | None:
    """Return the suggested number of spaces between two places, 1 to 9, or None where one has no position."""
    points = positions(draft)
    if a not in points or b not in points or a == b:
        return None
    return min(max(round(far(points[a], points[b]) / unit(draft, points)), 1), MAX_LENGTH)


# ------------------------------------------------------------------------------------------------ colours


def card_colours(draft: Draft) -> list[str]:
    """Return the colours of the cards, or all colours where board.toml does not say."""
    cards = draft.settings.get("cards")
    named = cards.get("colours") if isinstance(cards, dict) else None
    known = [name for name in named if name in COLOURS] if isinstance(named, list) else []
    return known or list(COLOURS)


def colour(draft: Draft, a: str, b: str, spaces_of_it: int, kind: str = "rail", row: str = "") -> str:
    """Return the suggested colour of a new route, or of the row that exists: one with too few spaces, that no neighbour
    has.

    Never the colour of a parallel line. Gray where the board has little of it and the route is short, or a ferry.
    """
    others = {row_id: cells for row_id, cells in draft["routes"].items() if row_id != row}
    parallel = {cells.get("colour", "") for cells in others.values() if {*ends(cells)} == {a, b}}
    near = Counter(cells.get("colour", "") for cells in others.values() if {*ends(cells)} & {a, b})
    there = spaces_by_colour(others.values())
    total = there.total() + spaces_of_it
    if kind == "ferry" or (spaces_of_it <= _SHORT and there[GRAY] < GRAY_SHARE * total) or parallel == {GRAY}:
        return GRAY
    free = [candidate for candidate in card_colours(draft) if candidate not in parallel]
    return min(free, key=lambda candidate: there[candidate] + ASIDE * near[candidate], default=GRAY)


def spaces_by_colour(routes: Iterable[Cells]) -> Counter[str]:
    """Return how many spaces have each colour."""
    counts: Counter[str] = Counter()
    for cells in routes:
        counts[cells.get("colour", "")] += spaces(cells) or 0
    return counts


# ------------------------------------------------------------------------------------------------ tickets


def value(way: int) -> int:
    """Return the value of a ticket: on most printed boards the spaces of its shortest way."""
    return min(max(way, 1), MAX_POINTS)


def valued(draft: Draft, name: str = "values of tickets") -> Step:
    """Return the step that gives every ticket the value of its shortest way; tickets whose places are not joined
    stay.
    """
    ways = shortest_ways(draft)
    edits = []
    for row, cells in draft["tickets"].items():
        a, b = ends(cells)
        way = ways.get(a, {}).get(b)
        if way and cells.get("value") != str(value(way)):
            edits.append(changed(draft, "tickets", row, value=str(value(way))))
    return Step(name, tuple(edits))
