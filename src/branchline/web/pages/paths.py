"""Paths over routes, to be lit on the map: the shortest between two places, and the longest trail."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping

from branchline.atlas import Board, Place, Route


def shortest_path(
    board: Board, routes: Iterable[Route], start: Place, goal: Place, paid: Iterable[Route] = ()
) -> tuple[Route, ...] | None:
    """The shortest path over these routes; None where there is none. A country is never passed through (TIC-4).

    Those of the routes that are `paid` count as if they had no length.
    """
    nothing = {route.index for route in paid}
    edges: dict[int, list[Route]] = {}
    for route in routes:
        edges.setdefault(route.a.index, []).append(route)
        edges.setdefault(route.b.index, []).append(route)
    cost = {start.index: 0}
    came: dict[int, Route] = {}
    queue = [(0, start.index)]
    while queue:
        spent, here = heapq.heappop(queue)
        if here == goal.index:
            return _back(came, start.index, here)
        if spent > cost[here] or (here != start.index and board.places[here].kind == "country"):
            continue
        for route in edges.get(here, ()):
            there = route.b.index if route.a.index == here else route.a.index
            total = spent + (0 if route.index in nothing else route.length)
            if total < cost.get(there, 1 << 30):
                cost[there] = total
                came[there] = route
                heapq.heappush(queue, (cost[there], there))
    return None


def _back(came: Mapping[int, Route], start: int, here: int) -> tuple[Route, ...]:
    found = []
    while here != start:
        route = came[here]
        found.append(route)
        here = route.a.index if route.b.index == here else route.b.index
    return tuple(reversed(found))


def longest_trail(routes: Collection[Route]) -> tuple[Route, ...]:
    """One longest trail of these routes, in order; found by trying, with a limit on the tries (for display only)."""
    edges: dict[int, list[Route]] = {}
    for route in routes:
        edges.setdefault(route.a.index, []).append(route)
        edges.setdefault(route.b.index, []).append(route)
    best: list[Route] = []
    longest = 0
    tries = 60_000

    def walk(here: int, used: list[Route], spaces: int) -> None:
        nonlocal best, longest, tries
        tries -= 1
        if spaces > longest:
            best, longest = list(used), spaces
        if tries <= 0:
            return
        for route in edges[here]:
            if route not in used:
                used.append(route)
                walk(route.b.index if route.a.index == here else route.a.index, used, spaces + route.length)
                used.pop()

    for start in sorted(edges, key=lambda place: len(edges[place]) % 2 == 0):
        walk(start, [], 0)
    return tuple(best)
