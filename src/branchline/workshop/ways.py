"""The shortest ways between the places of a draft, as far as its rows can be understood."""

from __future__ import annotations

from collections.abc import Mapping

from branchline.boards.ways import Step, nearest_first
from branchline.workshop.draft import Cells, Draft, Rows

Ways = Mapping[str, Mapping[str, int]]
"""Place → place → fewest spaces (for a subway: cards); places that are not joined are missing."""


def whole(text: str) -> int | None:
    """Return a whole number above 0 out of a cell, or None."""
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 4 and int(text) else None


def spaces(row: Cells) -> int | None:
    """Return the length of a route, or None where it is not yet given."""
    return whole(row.get("length", ""))


def ends(row: Cells) -> tuple[str, str]:
    """Return the two places of a route or a ticket."""
    return row.get("city_a", ""), row.get("city_b", "")


def names(draft: Draft) -> list[str]:
    """Return the names of places, each once."""
    return list(dict.fromkeys(name for row in draft["cities"].values() if (name := row.get("name", ""))))


def shortest_ways(draft: Draft) -> Ways:
    """Return the shortest ways from every place to every other; nothing passes through a country."""
    steps = neighbours(draft["routes"])
    dead_ends = {row.get("name", "") for row in draft["cities"].values() if row.get("kind") == "country"}
    return {start: _from(start, steps, dead_ends) for start in names(draft)}


def neighbours(routes: Rows) -> dict[str, dict[str, int]]:
    """Place → the places that a route leads to, with the shortest of such routes."""
    by_name: dict[str, dict[str, int]] = {}
    for row in routes.values():
        (a, b), length = ends(row), spaces(row)
        if a and b and a != b and length:
            for here, there in ((a, b), (b, a)):
                known = by_name.setdefault(here, {})
                known[there] = min(length, known.get(there, length))
    return by_name


def _from(start: str, steps: Mapping[str, Mapping[str, int]], dead_ends: set[str]) -> dict[str, int]:
    def onward(here: str) -> list[Step[str]]:
        if here in dead_ends and here != start:
            return []
        return [(there, length, 0) for there, length in steps.get(here, {}).items()]

    return {here: way.cost for here, way in nearest_first(start, onward)}
